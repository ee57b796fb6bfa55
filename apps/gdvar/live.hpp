// What listen, send, proxy and replay share: values out of packets, lines, recordings, pcap.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <thread>

#include "command.hpp"
#include "gdvar/net/debugger.hpp"
#include "gdvar/net/endpoint.hpp"

namespace gdvar::app {

using namespace net;

/// Whose packet it is: the client's, who connected, or the server's.
enum class Direction : std::uint8_t { to_server, to_client };

}  // namespace gdvar::app

template <>
struct gdvar::meta<gdvar::app::Direction> {
    static constexpr auto values = std::array{value("to_server", gdvar::app::Direction::to_server),
                                              value("to_client", gdvar::app::Direction::to_client)};
};

namespace gdvar::app {

/// One line of a recording, which is a file of records, each one of these as a Dictionary.
struct Recorded {
    double time = 0;             ///< seconds since 1970
    std::string client, server;  ///< addresses
    std::string transport;
    Direction direction = Direction::to_server;
    std::int64_t channel = 0;
    bool reliable = true, text = false;
    PackedByteArray packet;
};

/// Packets of one direction of one connection, made into what is shown.
class PacketReader {
public:
    /// `protocol`: packets, debugger, multiplayer-4, multiplayer-3, raw.
    PacketReader(const Options& options, const Dialect* dialect);
    /// What this packet completes, if anything: a value, or for packets of plain values the packet
    /// itself. Errors: in words.
    struct Shown {
        std::optional<Variant> value;  ///< else the packet is shown
        const Dialect* dialect;
    };
    std::expected<std::optional<Shown>, Error> read(ByteView packet, const PacketFlags& flags,
                                                    Transport transport);

private:
    std::expected<std::optional<Shown>, Error> read_multiplayer_3(ByteView packet,
                                                                  const PacketFlags& flags,
                                                                  Transport transport);
    const Options& options_;
    const Dialect* dialect_;  ///< null until guessed
    DecodeOptions decoding_;
    std::optional<DebuggerReader> debugger_;
    bool lost_ = false;  ///< a debugger message was broken; the later ones can't be found
};

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

/// Says, records and counts what goes over the connections.
class Monitor {
public:
    /// `server`: whether this side is it.
    Monitor(const Options& options, bool server);
    ~Monitor();
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
    void packet(const Peer& peer, Direction direction, ByteView packet, const PacketFlags& flags);
    void note(const Peer& peer, const std::string& what);
    /// A direction's stream is beyond understanding: said once.
    void error(const Peer& peer, const std::string& what);
    void forget(const Peer& peer);
    std::uint64_t packets() const noexcept { return packets_; }
    /// Whether standard output still takes what is printed.
    bool good() const noexcept { return good_; }
    /// Worst exit code so far.
    int exit() const noexcept { return exit_; }

private:
    PacketReader& reader(const Peer& peer, Direction direction);
    void record(const Recorded& packet);
    void print(const Recorded& packet, const PacketReader::Shown& shown);
    void line(const std::string& text);

    /// Whether it came from the peer; else this side sent it.
    bool came(Direction direction) const noexcept {
        return server_ == (direction == Direction::to_server);
    }

    const Options& options_;
    const bool server_;
    const bool terminal_;  ///< standard output
    const Dialect* dialect_ = nullptr;
    std::map<std::pair<std::uint64_t, Direction>, PacketReader> readers_;
    std::FILE* record_ = nullptr;
    PcapWriter pcap_;
    std::uint64_t packets_ = 0;
    bool good_ = true;
    int exit_ = fine;
};

/// "closed", "error[io]: connection refused".
std::string ending(const NetError& error);
/// Says why there is no connection; returns the exit code.
int failed(const std::string& url, const NetError& error);
/// Limits, certificates and the like, as the options say.
NetOptions net_options(const Options& options, const Dialect* dialect);
/// "debugger://" is tcp:// with --protocol debugger.
std::string plain_url(const std::string& url, Options& options);
double now();
/// Seconds that a timer is set for at most: longer waits are for ever.
constexpr double longest_wait = 1e9;

/// Calls `end` in the loop at SIGINT, SIGTERM and SIGHUP, or when the options' time is over.
class Signals {
public:
    Signals(EventLoop& loop, double seconds, std::function<void()> end);
    ~Signals();

private:
    std::function<void()> end_;
    std::thread thread_;
    std::atomic<bool> done_{false};
};

}  // namespace gdvar::app
