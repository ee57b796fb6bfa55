// ENet's peers and what they may cost: fragments, empty packets, pings; limits and pauses.
#include <enet/enet.h>
#include <gtest/gtest.h>

#include <sstream>

#include "net/raw_enet.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

const std::string any = "enet://127.0.0.1:0";

/// Bytes that may wait for a peer inside of ENet (docs/networking.md), and a little for the test.
std::size_t most_held(const NetOptions& options) {
    return 4 * static_cast<std::size_t>(options.max_packet) + (192 << 10) + (256 << 10);
}

NetOptions strict() {
    auto options = test_options();
    options.max_packet = 4096;
    return options;
}

/// A datagram's commands as the range coder has them.
std::string compressed(const std::string& commands) {
    void* coder = enet_range_coder_create();
    ENetBuffer in{};
    in.data = const_cast<char*>(commands.data());
    in.dataLength = commands.size();
    std::string out(commands.size() + 1024, '\0');
    out.resize(enet_range_coder_compress(coder, &in, 1, in.dataLength,
                                         reinterpret_cast<enet_uint8*>(out.data()), out.size()));
    enet_range_coder_destroy(coder);
    return out;
}

struct Bomb {
    const char* name;
    unsigned datagrams;
    /// The commands of datagram `i`.
    std::string (*commands)(unsigned i, const NetOptions& options);
};

std::string part(unsigned command, unsigned i, enet::Fragment f) {
    f.start = 2 + i % 4000;
    return enet::fragment(command, i / 4000, command == 8 ? f.start : 0, f, "x");
}

const Bomb bombs[] = {
    {"counts of fragments", 4000,
     [](unsigned i, const NetOptions&) { return part(8, i, {.count = 1u << 20, .total = 2}); }},
    {"counts of unreliable fragments", 4000,
     [](unsigned i, const NetOptions&) { return part(12, i, {.count = 1u << 20, .total = 2}); }},
    {"lengths", 4000,
     [](unsigned i, const NetOptions& o) {
         return part(8, i, {.count = 4, .total = static_cast<std::uint32_t>(o.max_packet)});
     }},
    {"lengths of unreliable ones", 4000,
     [](unsigned i, const NetOptions& o) {
         return part(12, i, {.count = 4, .total = static_cast<std::uint32_t>(o.max_packet)});
     }},
    {"empty packets out of order", 1000,
     [](unsigned i, const NetOptions&) {
         std::string out;
         for (unsigned k = 0; k < 200; ++k)
             out += enet::reliable(i / 128, 2 + (i % 128) * 200 + k, "");
         return out;
     }},
    {"pings", 256,
     [](unsigned i, const NetOptions&) {
         std::string out;
         for (unsigned k = 0; k < 900; ++k)
             out += enet::ping(i * 900 + k);
         return out;
     }},
};

/// Datagrams of what ENet would have to hold, from one peer.
TEST(ENetMemory, IsBoundedByThePeersLimits) {
    for (const Bomb& bomb : bombs)
        for (const bool coded : {false, true})
            for (auto options : {test_options(), strict()}) {
                options.enet_range_coder = coded;
                std::atomic<int> there{0};
                PeerHandlers handlers;
                handlers.connected = [&](Peer&) { ++there; };
                Server server(any, options, handlers);
                RawEnet raw(server.port());
                ASSERT_TRUE(raw.connect());
                ASSERT_TRUE(raw.settle());
                const std::size_t before = allocated();
                std::size_t most = 0;
                for (unsigned i = 0; i < bomb.datagrams; ++i) {
                    const auto commands = bomb.commands(i, options);
                    raw.send(coded ? compressed(commands) : commands, coded);
                    if (i % 16 == 15) {
                        // The server has seen them: its socket's buffer can't have lost them.
                        ASSERT_TRUE(raw.settle()) << bomb.name;
                        most = std::max(most, allocated());
                    }
                }
                EXPECT_LE(most, before + most_held(options))
                    << bomb.name << ", " << options.max_packet << (coded ? ", compressed" : "");
                EXPECT_EQ(there, 1);
            }
}

/// Packets that came, for a test to wait for.
class Inbox {
public:
    void take(ByteView packet) {
        const std::scoped_lock lock(mutex_);
        packets_.emplace_back(reinterpret_cast<const char*>(packet.data()), packet.size());
        changed_.notify_all();
    }
    std::vector<std::string> packets() const {
        const std::scoped_lock lock(mutex_);
        return packets_;
    }
    /// Waits until so many have come.
    bool wait(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 20s, [&] { return packets_.size() >= count; });
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> packets_;
};

/// Packets that wait for a lost one do not keep it out.
TEST(ENetMemory, WhatIsNextInLineIsTaken) {
    const auto options = strict();
    Inbox inbox;
    PeerHandlers handlers;
    handlers.packet = [&](Peer&, ByteView packet) { inbox.take(packet); };
    Server server(any, options, handlers);
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    // One packet of two parts behind another; the first of them is missing.
    const auto half = [&](unsigned i, unsigned number) {
        return enet::fragment(8, 0, 1 + 2 * i + number,
                              {.start = 1 + 2 * i,
                               .count = 2,
                               .number = number,
                               .total = 4000,
                               .offset = number * 2000},
                              std::string(2000, 'x'));
    };
    unsigned last = 0;
    for (std::size_t taken = 0;; taken = raw.acknowledged()) {
        ++last;
        raw.send(half(last, 0));
        raw.send(half(last, 1));
        ASSERT_TRUE(raw.settle());
        if (raw.acknowledged() == taken)
            break;  // no more is taken
        ASSERT_LT(last, 100u);
    }
    EXPECT_GT(last, 10u);
    for (const unsigned number : {0u, 1u})
        raw.send(half(0, number));
    ASSERT_TRUE(raw.settle());
    EXPECT_TRUE(inbox.wait(last));
    EXPECT_EQ(inbox.packets(), std::vector(last, std::string(4000, 'x')));
    // Now there is space for what had to be sent again.
    for (const unsigned number : {0u, 1u})
        raw.send(half(last, number));
    EXPECT_TRUE(inbox.wait(last + 1));
}

/// As on every other transport; it would be sent again and again.
TEST(ENetMemory, ALongReliablePacketEndsTheConnection) {
    Server server(any, strict(), {});
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    raw.send(enet::fragment(12, 0, 0, {.count = 4, .total = 5000}, "x"));
    ASSERT_TRUE(raw.settle());
    EXPECT_EQ(server.ends(), "");
    raw.send(enet::fragment(8, 0, 1, {.count = 4, .total = 5000}, "x"));
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "size_limit\n");
}

// ---- Limits that hold for reliable packets, too -------------------------------------------------

std::string numbered(unsigned i) {
    return std::string(1000, 'x') + std::to_string(i);
}

/// Sends packets 1 to `count` until all are acknowledged; what was refused again, as ENet does.
void send_all(RawEnet& raw, unsigned count, unsigned from = 1) {
    for (unsigned i = from; i <= count; ++i) {
        raw.send(enet::reliable(0, i, numbered(i)));
        if (i % 16 == 0 || i == count) {
            ASSERT_TRUE(raw.settle());
        }
    }
}

TEST(ENetLimits, WhoPausesGetsNothingAndHoldsLittle) {
    constexpr unsigned count = 400;
    const auto options = strict();
    Inbox inbox;
    std::shared_ptr<Peer> peer;
    PeerHandlers handlers;
    handlers.packet = [&](Peer& from, ByteView packet) {
        if (!peer) {
            peer = from.shared_from_this();
            from.pause_reading();
        }
        inbox.take(packet);
    };
    Server server(any, options, handlers);
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    send_all(raw, 1);
    ASSERT_TRUE(inbox.wait(1));
    const std::size_t before = allocated();
    send_all(raw, count, 2);
    // All that came before the answer to a ping has been handled, if it ever would be.
    ASSERT_TRUE(raw.settle());
    EXPECT_EQ(inbox.packets().size(), 1u);
    EXPECT_LT(raw.acknowledged(), count / 2) << "it has to wait at the sender's";
    EXPECT_GT(raw.acknowledged(), 10u);
    EXPECT_LE(allocated(), before + most_held(options));
    peer->resume_reading();
    // In the sender's time: all again that was not acknowledged.
    for (int round = 0; round < 100 && inbox.packets().size() < count; ++round)
        send_all(raw, count, 2);
    ASSERT_TRUE(inbox.wait(count));
    const auto packets = inbox.packets();
    ASSERT_EQ(packets.size(), count);
    for (unsigned i = 1; i <= count; ++i)
        EXPECT_EQ(packets[i - 1], numbered(i));
    peer = nullptr;
}

/// However little fits for a paused peer: without answers to its pings it would take us for gone.
TEST(ENetLimits, PingsAreAnsweredWhenNothingElseFits) {
    std::shared_ptr<Peer> peer;
    PeerHandlers handlers;
    handlers.packet = [&](Peer& from, ByteView) {
        peer = from.shared_from_this();
        from.pause_reading();
    };
    Server server(any, strict(), handlers);
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    unsigned sent = 0;
    for (const std::size_t size : {1000, 100, 10, 0}) {
        do {
            ++sent;
            raw.send(enet::reliable(0, sent, std::string(size, 'x')));
            ASSERT_TRUE(raw.settle()) << size << ", packet " << sent;
        } while (raw.acknowledged() == sent);
        --sent;  // that one was refused
    }
    EXPECT_GT(sent, 10u);
    peer = nullptr;
}

/// At no time have more packets, or bytes, been handled than may have come until then.
TEST(ENetLimits, RatesHoldForReliablePackets) {
    constexpr unsigned count = 150;
    for (const bool in_bytes : {false, true}) {
        constexpr double rate = 100;
        auto options = test_options();
        (in_bytes ? options.bytes_per_second : options.packets_per_second) =
            static_cast<std::uint64_t>(in_bytes ? rate * 1003 : rate);
        Inbox inbox;
        std::optional<std::chrono::steady_clock::time_point> first;
        PeerHandlers handlers;
        handlers.packet = [&](Peer&, ByteView packet) {
            const auto now = std::chrono::steady_clock::now();
            inbox.take(packet);
            first = first.value_or(now);
            const double seconds = std::chrono::duration<double>(now - *first).count();
            EXPECT_LE(static_cast<double>(inbox.packets().size()), rate * (1.01 + seconds) + 2);
        };
        Server server(any, options, handlers);
        RawEnet raw(server.port());
        ASSERT_TRUE(raw.connect());
        send_all(raw, count);
        // Those that wait are handled, although the peer has disconnected.
        raw.send(enet::disconnect(0x7000));
        server.wait_closed(1);
        EXPECT_EQ(inbox.packets().size(), count);
        EXPECT_EQ(server.finish(), "ok\n");
    }
}

/// ENet's pings are bytes of the peer: a player who only watches stays.
TEST(ENetLimits, PingsAreLife) {
    auto options = test_options();
    options.idle_timeout = 500ms;
    Server server(any, options, {});
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    for (int i = 0; i < 15; ++i) {
        ASSERT_TRUE(raw.settle());
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(server.ends(), "");
    server.wait_closed(1);
    EXPECT_EQ(server.ends(), "timed_out\n");
}

/// Anybody can write the number of a peer into a datagram. It is none of the peer's.
TEST(ENetLimits, AStrangersPingsAreNotThePeers) {
    auto options = test_options();
    options.idle_timeout = 500ms;
    Server server(any, options, {});
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    const RawEnet stranger(server.port());
    for (int i = 0; i < 30 && server.ends().empty(); ++i) {
        for (unsigned session = 0; session < 4; ++session)
            stranger.send_raw(be16(0x8000u | session << 12) + be16(0) + enet::ping(1));
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(server.ends(), "timed_out\n");
}

/// Nor do they take the place of the peer's own in its rate.
TEST(ENetLimits, AStrangersPingsTakeNothingFromThePeers) {
    auto options = test_options();
    options.packets_per_second = 20;
    Server server(any, options, {});
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    const RawEnet stranger(server.port());
    for (unsigned i = 0; i < 400; ++i)
        stranger.send_raw(be16(0x8000u | i % 4 << 12) + be16(0) + enet::ping(1));
    raw.send(enet::ping(1));
    std::this_thread::sleep_for(300ms);
    raw.look();
    EXPECT_GE(raw.pongs(), 1u);
}

/// At once: the acknowledgement that makes it a connection for the server still waits then.
TEST(ENetClient, ClosesInConnected) {
    EventLoop loop;
    const auto running = loop.keep_running();
    std::string told;
    const auto telling = [&](const std::string& side) {
        PeerHandlers out;
        out.connected = [&told, side](Peer& peer) {
            told += side + " connected\n";
            if (side == "client")
                peer.close();
        };
        out.closed = [&told, side](Peer&, const NetError& error) {
            told += side + " " + std::string(error_name(error.code)) + "\n";
        };
        return out;
    };
    const auto listener = listen(loop, any, test_options(), telling("server"));
    ASSERT_TRUE(listener) << listener.error().text;
    ASSERT_TRUE(
        net::connect(loop, "enet://" + (*listener)->address(), test_options(), telling("client")));
    const auto has = [&](const char* text) { return told.find(text) != told.npos; };
    for (int i = 0; i < 300 && !(has("client ok") && has("server ok")); ++i)
        loop.run_for(10ms);
    EXPECT_TRUE(told.starts_with("client connected\nserver connected\n")) << told;
    EXPECT_TRUE(has("client ok") && has("server ok")) << told;
}

/// ENet's own commands have to be answered, too.
TEST(ENetLimits, PingsCountLikePackets) {
    auto options = test_options();
    options.packets_per_second = 20;
    Server server(any, options, {});
    RawEnet raw(server.port());
    ASSERT_TRUE(raw.connect());
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < 1000; ++i)
        raw.send(enet::ping(i));
    for (int i = 0; i < 20; ++i) {
        raw.look();
        std::this_thread::sleep_for(10ms);
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(raw.pongs(), 1u);
    EXPECT_LE(static_cast<double>(raw.pongs()), 20 * (1.01 + time.count()) + 2);
}

}  // namespace
}  // namespace gdvar::test
