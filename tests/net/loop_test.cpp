// Loops: several threads in one, what is left when it ends, what may still be asked then.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

TEST(EventLoopTest, SeveralThreadsManyPeersAndPutsFromElsewhere) {
    const auto options = test_options();
    std::mutex mutex;
    std::vector<std::shared_ptr<Peer>> peers;
    PeerHandlers handlers;
    handlers.connected = [&](Peer& peer) {
        const std::scoped_lock lock(mutex);
        peers.push_back(peer.shared_from_this());
    };
    // Everything goes to everyone.
    handlers.packet = [&](Peer&, ByteView packet) {
        const std::scoped_lock lock(mutex);
        for (const auto& other : peers)
            EXPECT_TRUE(other->put_packet(packet));
    };
    Server server("tcp://127.0.0.1:0", options, handlers, 3);
    std::vector<Connection> clients;
    constexpr int count = 8, each = 50;
    for (int i = 0; i < count; ++i) {
        auto client = Connection::connect(server.url(), options);
        ASSERT_TRUE(client);
        clients.push_back(*std::move(client));
    }
    for (;;) {
        const std::scoped_lock lock(mutex);
        if (peers.size() == count)
            break;
    }
    for (int i = 0; i < each; ++i)
        for (Connection& client : clients)
            ASSERT_TRUE(client.put_var(i));
    for (Connection& client : clients) {
        std::vector<int> seen(each);
        for (int i = 0; i < count * each; ++i) {
            const auto got = client.get_var<int>();
            ASSERT_TRUE(got) << i << ": " << got.error().text;
            ++seen[static_cast<std::size_t>(*got)];
        }
        EXPECT_EQ(seen, std::vector<int>(each, count));
    }
    peers.clear();
}

TEST(EventLoopTest, NoDescriptorIsLost) {
    {
        EchoServer warm("tcp://127.0.0.1:0", test_options());
        (void)Connection::connect(warm.url(), test_options());
    }
    const auto before = open_things();
    for (const std::string& scheme : every_scheme) {
        if (!is_here(scheme))
            continue;
        EchoServer server(listening(scheme), test_options());
        for (int i = 0; i < 5; ++i) {
            auto client = Connection::connect(server.url(), test_options());
            ASSERT_TRUE(client) << scheme << ": " << client.error().text;
            ASSERT_TRUE(client->put_var(i));
            ASSERT_TRUE(client->get_var());
            if (i % 2)
                (void)client->close();
        }
    }
    EXPECT_EQ(open_things(), before);
}

TEST(EventLoopTest, HandlesOutliveTheLoop) {
    std::shared_ptr<Peer> peer;
    std::shared_ptr<Listener> listener;
    {
        EventLoop loop;
        listener = *gdvar::net::listen(loop, "tcp://127.0.0.1:0", test_options(), {});
        peer = *gdvar::net::connect(loop, "tcp://" + listener->address(), test_options(), {});
        loop.run_for(50ms);
    }
    EXPECT_EQ(peer->put_packet({}).error().code, Errc::closed);
    peer->close();
    listener->close();
}

class Handles : public OfScheme<> {};

/// Whatever is asked of handles when the loop has gone, and in whatever state it left them, frees
/// them with all that they hold.
TEST_P(Handles, ThatOutliveTheLoopAreFreed) {
    for (int steps = 0; steps < 12; ++steps) {
        SCOPED_TRACE(std::to_string(steps) + " steps");
        const auto held = std::make_shared<int>();
        std::vector<std::shared_ptr<Peer>> peers;
        PeerHandlers handlers;
        handlers.connected = [&peers, held](Peer& peer) {
            peers.push_back(peer.shared_from_this());
            (void)peer.put_var("hello");
        };
        handlers.packet = [held](Peer& peer, ByteView packet) { (void)peer.put_packet(packet); };
        std::shared_ptr<Listener> listener;
        {
            EventLoop loop;
            listener = *gdvar::net::listen(loop, listening(GetParam()), test_options(), handlers);
            const std::string rest = (GetParam() == "unix" ? ":" : "://") + listener->address();
            peers.push_back(
                *gdvar::net::connect(loop, GetParam() + rest, test_options(), handlers));
            (void)peers[0]->put_var(1);
            for (int i = 0; i < steps; ++i)
                loop.run_one_for(20ms);
            loop.after(1h, [peer = peers[0]] {});
        }
        for (const auto& peer : peers) {
            EXPECT_EQ(peer->put_var(1).error().code, Errc::closed);
            peer->pause_reading();
            peer->resume_reading();
            peer->shutdown();
            peer->close();
            peer->abort();
        }
        listener->close(true);
        peers.clear();
        listener.reset();
        handlers = {};
        // A lookup that was under way holds nothing of this.
        EXPECT_EQ(held.use_count(), 1);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Handles, ::testing::ValuesIn(every_scheme),
                         [](const auto& one) { return one.param; });

/// One thread answers while another ends the loop.
TEST(EventLoopTest, PeersAreFreedThatAreUsedWhileItEnds) {
    for (int round = 0; round < 50; ++round) {
        const auto held = std::make_shared<int>();
        std::jthread user;
        {
            PeerHandlers handlers;
            handlers.packet = [&user, held](Peer& peer, ByteView) {
                user = std::jthread([kept = peer.shared_from_this()] {
                    for (int i = 0; i < 100; ++i) {
                        (void)kept->put_var("more");
                        kept->pause_reading();
                        kept->resume_reading();
                    }
                    kept->close();
                });
            };
            Server server("tcp://127.0.0.1:0", test_options(), std::move(handlers));
            auto client = Connection::connect(server.url(), test_options());
            ASSERT_TRUE(client && client->put_var(0));
            ASSERT_TRUE(client->get_var());
        }
        user.join();
        EXPECT_EQ(held.use_count(), 1);
    }
}

TEST(EventLoopTest, TheLongestTimeIsNotNow) {
    EventLoop loop;
    bool called = false;
    loop.after(std::chrono::milliseconds::max(), [&] { called = true; });
    loop.run_for(5ms);
    EXPECT_FALSE(called);
    loop.after(5ms, [&] { called = true; });
    while (!called)
        loop.run_one_for(std::chrono::milliseconds::max());
    NetOptions patient = test_options();
    patient.idle_timeout = patient.connect_timeout = patient.write_timeout =
        std::chrono::milliseconds::max();
    Server server("tcp://127.0.0.1:0", patient, {});
    auto client = Connection::connect(server.url(), patient);
    ASSERT_TRUE(client) << client.error().text;
    EXPECT_TRUE(client->put_var(1));
}

TEST(EventLoopTest, NothingIsCalledWhenItEnds) {
    bool called = false;
    {
        EventLoop loop;
        loop.post([&] { called = true; });
        loop.after(0ms, [&] { called = true; });
        std::this_thread::sleep_for(5ms);
    }
    EXPECT_FALSE(called);
}

}  // namespace
}  // namespace gdvar::test
