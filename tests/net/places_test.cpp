// Who gets one of a listener's places: connections that are never finished, addresses that are
// lies, many from one address.
#include <gtest/gtest.h>

#include "net/raw_enet.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

const std::string enet_any = "enet://127.0.0.1:0", udp_any = "udp://127.0.0.1:0";

NetOptions places(std::size_t count) {
    auto options = test_options();
    options.max_peers = count;
    return options;
}

/// Answers with the number of the peer, which tells whether it is still the same.
PeerHandlers numbers() {
    PeerHandlers out;
    out.packet = [](Peer& peer, ByteView) {
        (void)peer.put_var(static_cast<std::int64_t>(peer.id()));
    };
    return out;
}

/// The server's answer; a datagram may be lost on a busy machine.
std::int64_t ask(Connection& connection) {
    for (int i = 0; i < 50; ++i) {
        (void)connection.put_var("who am I?");
        if (const auto answer = connection.get_var<std::int64_t>(400ms))
            return *answer;
    }
    return -1;
}

// ---- ENet ---------------------------------------------------------------------------------------

/// From one address, and from hundreds.
TEST(Places, HalfOpenENetConnectionsMakeWay) {
    for (const unsigned addresses : {1u, 200u}) {
        const Server server(enet_any, places(64), numbers());
        auto first = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(first) << first.error().text;
        const auto id = ask(*first);
        ASSERT_GT(id, 0);
        for (unsigned i = 0; i < 400; ++i)
            RawEnet(server.port(), 2 + i % addresses).ask(i);
        auto next = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(next) << next.error().text << ", " << addresses;
        EXPECT_GT(ask(*next), id);
        EXPECT_EQ(ask(*first), id) << "who was there before stays";
    }
}

/// An address that fills the places loses its own; who asks from elsewhere meanwhile keeps its.
TEST(Places, OneAddressHasAShareOfHalfOpenENetConnections) {
    const Server server(enet_any, places(64), numbers());
    RawEnet slow(server.port(), 3);
    slow.ask(7);
    const std::string verify = slow.receive();
    for (unsigned i = 0; i < 400; ++i)
        RawEnet(server.port(), 2).ask(i);
    slow.answer(verify);
    EXPECT_TRUE(slow.settle());
}

TEST(Places, AHalfOpenENetConnectionEndsAfterItsTime) {
    auto options = places(8);
    options.connect_timeout = 300ms;
    std::atomic<int> connected{0};
    PeerHandlers handlers;
    handlers.connected = [&](Peer&) { ++connected; };
    const Server server(enet_any, options, handlers);
    RawEnet late(server.port());
    late.ask(7);
    const std::string verify = late.receive();
    // Long enough for a server that looks only now and then.
    std::this_thread::sleep_for(1s);
    late.answer(verify);
    RawEnet prompt(server.port());
    ASSERT_TRUE(prompt.connect(8));
    ASSERT_TRUE(prompt.settle());
    EXPECT_EQ(connected, 1);
}

// ---- UDP ----------------------------------------------------------------------------------------

TEST(Places, SpoofedAddressesMakeWay) {
    for (const unsigned addresses : {1u, 200u}) {
        const Server server(udp_any, places(64), numbers());
        auto first = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(first) << first.error().text;
        const auto id = ask(*first);
        ASSERT_GT(id, 0);
        // So that it is no newcomer any more.
        std::this_thread::sleep_for(1100ms);
        ASSERT_EQ(ask(*first), id);
        for (unsigned i = 0; i < 400; ++i) {
            RawEnet(server.port(), 2 + i % addresses).send_raw("x");
            // The server's socket holds about so many.
            if (i % 32 == 0) {
                EXPECT_EQ(ask(*first), id) << "who was there before stays";
            }
        }
        EXPECT_LE(server.listener().peers(), 64u);
        auto next = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(next);
        EXPECT_GT(ask(*next), id) << addresses;
        EXPECT_EQ(ask(*first), id);
    }
}

/// Those that make way hear of it.
TEST(Places, WhoMakesWayIsTold) {
    Server server(udp_any, places(2), numbers());
    std::vector<std::unique_ptr<RawEnet>> all;
    for (unsigned i = 0; i < 5; ++i) {
        all.push_back(std::make_unique<RawEnet>(server.port()));
        all.back()->send_raw("x");
        EXPECT_FALSE(all.back()->receive().empty());
    }
    server.wait_closed(3);
    EXPECT_EQ(server.finish(), "timed_out\ntimed_out\ntimed_out\n");
}

/// Sends from ports of this address until the limits would let more through.
class Rated {
public:
    explicit Rated(bool closes)
        : server_(udp_any, options(), handlers(closes)), start_(std::chrono::steady_clock::now()) {}
    static NetOptions options() {
        auto out = places(64);
        out.packets_per_second = 10;
        return out;
    }
    std::uint16_t port() const { return server_.port(); }
    /// Looks a little later, so that all has been handled.
    void expect_bounded() {
        std::this_thread::sleep_for(200ms);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
        for (const auto* count : {&packets_, &connected_}) {
            EXPECT_GE(*count, 5);
            EXPECT_LE(*count, 10 * (1.01 + time.count()) + 2);
        }
        // Who sends from elsewhere is heard.
        packets_ = 0;
        RawEnet(port(), 77).send_raw("x");
        EXPECT_TRUE(eventually([&] { return packets_ > 0; }));
    }

private:
    PeerHandlers handlers(bool closes) {
        PeerHandlers out;
        out.connected = [this](Peer&) { ++connected_; };
        out.packet = [this, closes](Peer& peer, ByteView) {
            ++packets_;
            if (closes)
                peer.close();
        };
        return out;
    }
    std::atomic<int> packets_{0}, connected_{0};
    Server server_;
    const std::chrono::steady_clock::time_point start_;
};

/// Else a new port would be a new burst.
TEST(Places, TheNewPeersOfAUdpAddressShareARate) {
    Rated server(false);
    for (int i = 0; i < 200; ++i)
        RawEnet(server.port(), 2).send_raw("x");
    server.expect_bounded();
}

/// Else the next datagram after `close` would be a new burst.
TEST(Places, AClosedUdpPeersRateStays) {
    Rated server(true);
    const RawEnet raw(server.port(), 2);
    for (int i = 0; i < 200; ++i) {
        raw.send_raw("x");
        std::this_thread::sleep_for(1ms);
    }
    server.expect_bounded();
}

// ---- Peers that wait for nothing ----------------------------------------------------------------

/// Paused, or half-closed with a handler `ended`, and without an idle timeout: neither a socket nor
/// a timer holds it.
TEST(Places, APeerThatWaitsForNothingKeepsItsPlace) {
    struct Case {
        std::string scheme;
        bool pauses, closes;
    };
    std::vector<Case> cases;
    for (const bool closes : {true, false}) {
        for (const std::string scheme : {"tcp", "unix", "ws", "udp", "enet"})
            cases.push_back({scheme, true, closes});
        for (const std::string scheme : {"tcp", "unix"})
            cases.push_back({scheme, false, closes});
    }
    for (const Case& one : cases) {
        if (!is_here(one.scheme))
            continue;
        SCOPED_TRACE(one.scheme + (one.pauses ? " paused" : " ended"));
        std::weak_ptr<Peer> there, here;
        int closed = 0;
        {
            EventLoop loop;
            const auto running = loop.keep_running();
            auto options = test_options();
            options.connect_timeout = 400ms;
            PeerHandlers handlers;
            handlers.connected = [&](Peer& peer) { there = peer.weak_from_this(); };
            handlers.packet = [&](Peer& peer, ByteView) {
                if (one.pauses)
                    peer.pause_reading();
            };
            if (!one.pauses)
                handlers.ended = [](Peer&) {};
            handlers.closed = [&](Peer&, const NetError& error) {
                ++closed;
                EXPECT_EQ(error.code, Errc::ok);
            };
            const auto listener = listen(loop, listening(one.scheme), options, handlers);
            ASSERT_TRUE(listener) << listener.error().text;
            handlers = {};
            handlers.connected = [&](Peer& peer) {
                here = peer.weak_from_this();
                EXPECT_TRUE(peer.put_var(1));
                if (one.pauses)
                    peer.pause_reading();
                else
                    peer.shutdown();
            };
            ASSERT_TRUE(net::connect(
                loop, one.scheme + (one.scheme == "unix" ? ":" : "://") + (*listener)->address(),
                options, handlers));
            loop.run_for(600ms);
            EXPECT_FALSE(there.expired());
            EXPECT_FALSE(here.expired());
            EXPECT_EQ((*listener)->peers(), 1u);
            EXPECT_EQ(closed, 0);
            if (one.closes) {
                if (const auto peer = there.lock())
                    peer->close();
                if (const auto peer = here.lock())
                    peer->resume_reading();
                for (int i = 0; i < 100 && closed == 0; ++i)
                    loop.run_for(10ms);
                EXPECT_EQ(closed, 1);
                EXPECT_EQ((*listener)->peers(), 0u);
                loop.run_for(10ms);
                EXPECT_TRUE(there.expired());
            }
        }
        EXPECT_TRUE(there.expired());
        EXPECT_TRUE(here.expired());
        EXPECT_EQ(closed, one.closes);
    }
}

// ---- Each address -------------------------------------------------------------------------------

TEST(Places, AnAddressHasSoMany) {
    for (const std::string scheme : {"tcp", "ws", "enet"}) {
        auto options = places(100);
        options.max_peers_per_address = 3;
        const Server server(scheme + "://127.0.0.1:0", options, numbers());
        auto ours = test_options();
        std::vector<Connection> all;
        for (int i = 0; i < 3; ++i) {
            auto made = Connection::connect(server.url(), ours);
            ASSERT_TRUE(made) << scheme << i << ": " << made.error().text;
            all.push_back(*std::move(made));
            EXPECT_GT(ask(all.back()), 0);
        }
        ours.connect_timeout = 500ms;
        // TCP connects before the listener looks.
        auto fourth = Connection::connect(server.url(), ours);
        EXPECT_FALSE(fourth && fourth->put_var(1) && fourth->get_packet(5s)) << scheme;
        EXPECT_EQ(server.listener().peers(), 3u) << scheme;
        if (scheme == "enet") {
            RawEnet other(server.port(), 2);
            EXPECT_TRUE(other.connect(5) && other.settle());
        }
        // One that goes makes a place, once the listener knows.
        const std::size_t full = server.listener().peers();
        ASSERT_TRUE(all.back().close());
        all.pop_back();
        EXPECT_TRUE(eventually([&] { return server.listener().peers() < full; })) << scheme;
        auto again = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(again) << scheme << ": " << again.error().text;
        EXPECT_GT(ask(*again), 0) << scheme;
    }
}

TEST(Places, AnAddressHasSoManyOverUdp) {
    auto options = places(100);
    options.max_peers_per_address = 3;
    const Server server(udp_any, options, numbers());
    const RawEnet other(server.port(), 2);
    other.send_raw("x");
    EXPECT_FALSE(other.receive().empty());
    for (int i = 0; i < 10; ++i) {
        // The last takes the place of the first.
        const RawEnet one(server.port());
        one.send_raw("x");
        EXPECT_FALSE(one.receive().empty());
        EXPECT_LE(server.listener().peers(), 4u);
    }
    EXPECT_EQ(server.listener().peers(), 4u);
}

}  // namespace
}  // namespace gdvar::test
