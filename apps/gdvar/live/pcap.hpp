#pragma once

#include <cstdio>
#include <map>
#include <string>

#include "live/recorded.hpp"

namespace gdvar::app {

/// Creates a file that only its owner may read, since recorded packets were often encrypted on
/// their way. Null, with errno, on failure.
std::FILE* create_private(const std::string& path);

/// A pcap file of what was seen, as if it had been captured as plain IP.
class PcapWriter {
public:
    ~PcapWriter();
    /// Whether it could be made.
    bool open(const std::string& path);
    /// False, once, when it can't be written: it is closed then.
    bool packet(const Recorded& packet);

private:
    bool write(const Recorded& packet);
    bool datagram(const Recorded& packet, ByteView bytes, bool udp, std::uint32_t sequence);
    std::FILE* file_ = nullptr;
    std::map<std::string, std::uint32_t> sequences_;
};

}  // namespace gdvar::app
