#pragma once

#include <map>
#include <string>

#include "base/platform/file.hpp"
#include "gdvar/gdvar.hpp"

namespace gdvar::app {

/// The sender: the client, which connected, or the server.
enum class Direction : std::uint8_t { to_server, to_client };

}  // namespace gdvar::app

template <>
struct gdvar::meta<gdvar::app::Direction> {
    static constexpr auto values = std::array{value("to_server", gdvar::app::Direction::to_server),
                                              value("to_client", gdvar::app::Direction::to_client)};
};

namespace gdvar::app {

/// One record of a recording: a file of records, each one of these as a Dictionary.
struct Recorded {
    double time = 0;             ///< seconds since 1970
    std::string client, server;  ///< addresses
    std::string transport;
    Direction direction = Direction::to_server;
    std::int64_t channel = 0;
    bool reliable = true, text = false;
    PackedByteArray packet;
};

/// A pcap file of the traffic, as if captured as plain IP.
class PcapWriter {
public:
    /// Creates the file. Only its owner may read it, since packets were often encrypted on their
    /// way.
    platform::Result<void> open(const std::string& path);
    /// Fails once, when the file can't be written: it is then closed.
    platform::Result<void> packet(const Recorded& packet);

private:
    platform::Result<void> write(const Recorded& packet);
    platform::Result<void> datagram(const Recorded& packet, ByteView bytes, bool udp,
                                    std::uint32_t sequence);
    platform::Descriptor file_;
    std::map<std::string, std::uint32_t> sequences_;
};

}  // namespace gdvar::app
