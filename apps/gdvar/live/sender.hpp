// The client's side of send and replay.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "live/monitor.hpp"
#include "options/live.hpp"

namespace gdvar::app {

/// One packet that is to be sent, and when, in seconds from the start.
struct Outgoing {
    double time = 0;
    std::string peer;
    std::vector<std::byte> packet;
    PacketFlags flags;
};

/// What is to be sent, one after the other; nothing at the end.
using Feed = std::function<std::optional<Outgoing>()>;

Feed feed_of(std::vector<Outgoing> packets);

/// Connects once for each of `names`, the peers that the packets name, and sends the packets.
/// Ends after `wait_seconds` without an answer. `speed`: times as fast as the packets' times say.
/// Returns an exit code.
int send_all(const SendingOptions& options, double speed, Monitor& monitor, const std::string& url,
             const std::set<std::string>& names, Feed feed);

}  // namespace gdvar::app
