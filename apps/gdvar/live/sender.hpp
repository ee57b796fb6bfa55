#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "live/monitor.hpp"
#include "options/live.hpp"

namespace gdvar::app {

/// A packet to send, and its time in seconds from the start.
struct Outgoing {
    double time = 0;
    std::string peer;
    std::vector<std::byte> packet;
    PacketFlags flags;
};

/// The packets to send, in order; nothing at the end.
using Feed = std::function<std::optional<Outgoing>()>;

Feed feed_of(std::vector<Outgoing> packets);

/// Connects once for each of `names`, the peers named by the packets, and sends the packets. Ends
/// after `wait_seconds` without an answer. `speed`: factor for the packets' times. Returns an exit
/// code.
int send_all(const SendingOptions& options, double speed, Monitor& monitor, const std::string& url,
             const std::set<std::string>& names, Feed feed);

}  // namespace gdvar::app
