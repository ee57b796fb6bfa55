// What goes over the connections: printed, recorded and counted.
#pragma once

#include <map>
#include <string>

#include "live/packet_reader.hpp"
#include "live/pcap.hpp"
#include "live/recorded.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

/// Says, records and counts what goes over the connections.
class Monitor {
public:
    /// `server`: whether this side is it.
    Monitor(const LiveOptions& options, bool server);
    /// Finds the dialect that the options name. Returns an exit code.
    int find_dialect();
    /// Null for `auto`.
    const Dialect* dialect() const noexcept { return dialect_; }
    /// Opens --record and --pcap. Returns an exit code.
    int open();
    /// Both.
    int start() {
        const int exit = find_dialect();
        return exit != fine ? exit : open();
    }
    /// Forgets nothing: the packet is recorded even when it can't be shown.
    void packet(const Peer& peer, Direction direction, ByteView bytes, const PacketFlags& flags);
    void note(const Peer& peer, const std::string& what);
    void error(const Peer& peer, const std::string& what);
    /// Why a connection has ended; of a stream that holds no packets, where it breaks.
    void error(const Peer& peer, const NetError& error);
    void forget(const Peer& peer);
    std::uint64_t packets() const noexcept { return packets_; }
    /// Whether standard output still takes what is printed.
    bool good() const noexcept { return good_; }
    /// Worst exit code so far.
    int exit() const noexcept { return exit_; }

private:
    PacketReader& reader(const Peer& peer, Direction direction);
    void record(const Recorded& packet);
    /// Returns why the value has no such form.
    std::expected<void, Error> print(const Recorded& packet, const PacketReader::Shown& shown);
    void print_rows(const Recorded& packet, ByteView bytes, const DecodeOptions& reading);
    /// Says why a packet is refused, in the words that are used for files.
    void refuse(const Recorded& packet, Transport transport, const PacketReader::Refusal& refusal);
    /// The same of bytes behind a value that was shown.
    void refuse_rest(const Recorded& packet, Transport transport, const PacketReader::Shown& shown);
    /// What precedes an offset, in the packet or in what its layers hold (`opened`).
    std::string place(const Recorded& packet, bool opened) const;
    /// "; it is plain text", or nothing.
    std::string hint(ByteView bytes, Transport transport, bool opened) const;
    void line(const std::string& text);

    /// Whether it came from the peer; else this side sent it.
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
/// The exit code of a connection's end: `refused` if what came was, else that there is no
/// connection.
int exit_of(const NetError& error);
/// Says why there is no connection; returns the exit code.
int failed(const std::string& url, const NetError& error);
/// Seconds since 1970.
double now();

}  // namespace gdvar::app
