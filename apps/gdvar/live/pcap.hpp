#pragma once

#include <map>
#include <string>

#include "base/platform/file.hpp"
#include "live/recorded.hpp"

namespace gdvar::app {

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
