#pragma once

#include <map>
#include <string>

#include "live/packet_reader.hpp"
#include "live/pcap.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

/// Prints, records and counts the traffic of connections.
class Monitor {
public:
    Monitor(const LiveOptions& options, bool server);
    int find_dialect();
    /// Null for `auto`.
    const Dialect* dialect() const noexcept { return dialect_; }
    /// Opens --record and --pcap. Returns an exit code.
    int open();
    int start() {
        const int exit = find_dialect();
        return exit != fine ? exit : open();
    }
    /// Records the packet even if it can't be shown.
    void packet(const Peer& peer, Direction direction, ByteView bytes, const PacketFlags& flags);
    void note(const Peer& peer, const std::string& what);
    void error(const Peer& peer, const std::string& what);
    /// Reports the end of a connection; for a stream without packets, the place of the break.
    void error(const Peer& peer, const NetError& error);
    void forget(const Peer& peer);
    std::uint64_t packets() const noexcept { return packets_; }
    /// False once standard output accepts no more.
    bool good() const noexcept { return good_; }
    int exit() const noexcept { return exit_; }

private:
    PacketReader& reader(const Peer& peer, Direction direction);
    void record(const Recorded& packet);
    /// Errors: why the value has no such form.
    std::expected<void, Error> print(const Recorded& packet, const PacketReader::Shown& shown);
    void print_rows(const Recorded& packet, ByteView bytes, const DecodeOptions& reading);
    /// Reports a refused packet in the words used for files.
    void refuse(const Recorded& packet, Transport transport, const PacketReader::Refusal& refusal);
    /// The same for bytes behind a shown value.
    void refuse_rest(const Recorded& packet, Transport transport, const PacketReader::Shown& shown);
    /// The text before an offset, in the packet or in its layers' content (`opened`).
    std::string place(const Recorded& packet, bool opened) const;
    /// "; it is plain text", or nothing.
    std::string hint(ByteView bytes, Transport transport, bool opened) const;
    void line(const std::string& text);

    bool came(Direction direction) const noexcept {
        return server_ == (direction == Direction::to_server);
    }

    const LiveOptions& options_;
    const bool server_;
    const bool terminal_;  ///< standard output
    const Dialect* dialect_ = nullptr;
    std::map<std::pair<std::uint64_t, Direction>, PacketReader> readers_;
    platform::Descriptor record_;
    PcapWriter pcap_;
    std::uint64_t packets_ = 0;
    bool good_ = true;
    int exit_ = fine;
};

/// "closed", "error[io]: connection refused".
std::string ending(const NetError& error);
/// The exit code of a connection's end: `refused` for refused bytes, else no connection.
int exit_of(const NetError& error);
/// Reports why there is no connection; returns the exit code.
int failed(const std::string& url, const NetError& error);
/// Seconds since 1970.
double now();

}  // namespace gdvar::app
