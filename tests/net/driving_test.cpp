// An EventLoop in somebody else's loop: poll, on_ready, keep_running, calls that are put off.
#include <gtest/gtest.h>

#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

TEST(Poll, RunsWhatIsReadyAndDoesNotWait) {
    EventLoop loop;
    int called = 0;
    loop.post([&] {
        ++called;
        loop.post([&] { ++called; });
    });
    (void)loop.after(1h, [&] { called += 100; });
    const auto start = Steady::now();
    EXPECT_EQ(loop.poll(), 2u);
    EXPECT_EQ(called, 2);
    EXPECT_EQ(loop.poll(), 0u);
    loop.post([&] { ++called; });
    loop.run_for(0ms);
    EXPECT_EQ(called, 3);
    loop.post([&] { ++called; });
    EXPECT_TRUE(loop.run_one_for(0ms));
    EXPECT_EQ(called, 4);
    EXPECT_LT(Steady::now() - start, 10s);
}

TEST(Poll, EndsThoughThereIsAlwaysMore) {
    EventLoop loop;
    std::size_t called = 0;
    std::function<void()> again = [&] {
        ++called;
        loop.post(again);
    };
    loop.post(again);
    EXPECT_EQ(loop.poll(100), 100u);
    EXPECT_EQ(called, 100u);
    EXPECT_GT(loop.poll(), 100u);
    std::atomic<int> told{0};
    loop.on_ready([&] { ++told; });
    EXPECT_EQ(told, 1) << "at once";
    EXPECT_EQ(loop.poll(100), 100u);
    EXPECT_EQ(told, 2) << "there is more";
    loop.on_ready(nullptr);
}

class Driven : public OfScheme<> {};

/// A loop that runs only at its own ticks, as a game's has them.
TEST_P(Driven, ByATick) {
    EventLoop loop;
    const auto listener = gdvar::net::listen(loop, listening(GetParam()), test_options(), echo());
    ASSERT_TRUE(listener) << listener.error().text;
    std::atomic<bool> done{false};
    std::thread client(
        [&, url = GetParam() + (GetParam() == "unix" ? ":" : "://") + (*listener)->address()] {
            auto connection = Connection::connect(url, test_options());
            EXPECT_TRUE(connection) << connection.error().text;
            for (int i = 0; connection && i < 20; ++i) {
                EXPECT_TRUE(connection->put_var(i));
                EXPECT_EQ(connection->get_var<int>(), i);
            }
            done = true;
        });
    while (!done) {
        (void)loop.poll();
        std::this_thread::sleep_for(1ms);
    }
    client.join();
}

/// A loop that sleeps until it is woken. Were something not told, this would not end.
TEST_P(Driven, ByBeingTold) {
    EventLoop loop;
    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false, done = false;
    const auto listener = gdvar::net::listen(loop, listening(GetParam()), test_options(), echo());
    ASSERT_TRUE(listener) << listener.error().text;
    std::shared_ptr<Peer> seen;
    loop.on_ready([&] {
        const std::scoped_lock lock(mutex);
        ready = true;
        changed.notify_one();
    });
    // In the same loop: a client that is told by the name of its host, a call put off.
    const std::string rest = GetParam() == "unix"
                                 ? ":" + (*listener)->address()
                                 : "://localhost:" + std::to_string((*listener)->port());
    int got = 0;
    PeerHandlers handlers;
    handlers.connected = [](Peer& peer) { EXPECT_TRUE(peer.put_var(0)); };
    handlers.packet = [&](Peer& peer, ByteView packet) {
        ASSERT_EQ(decode<int>(packet), got);
        if (++got < 5)
            (void)loop.after(2ms, [&peer, got] { EXPECT_TRUE(peer.put_var(got)); });
        else
            done = true;
    };
    auto options = test_options();
    options.tls.server_name = "localhost";
    const auto client = gdvar::net::connect(loop, GetParam() + rest, options, handlers);
    ASSERT_TRUE(client) << client.error().text;
    std::size_t rounds = 0;
    while (!done) {
        {
            std::unique_lock lock(mutex);
            ASSERT_TRUE(changed.wait_for(lock, 20s, [&] { return ready; })) << got << " packets";
            ready = false;
        }
        (void)loop.poll();
        ++rounds;
    }
    EXPECT_LT(rounds, 1000u) << "told when there was nothing";
    // From another thread.
    std::thread([&] { loop.post([&] { done = false; }); }).join();
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, 20s, [&] { return ready; }));
    lock.unlock();
    (void)loop.poll();
    EXPECT_FALSE(done);
}

TEST_P(Driven, IsNotToldWhenNothingHappens) {
    EventLoop loop;
    const auto listener = gdvar::net::listen(loop, listening(GetParam()), test_options(), echo());
    ASSERT_TRUE(listener) << listener.error().text;
    std::atomic<int> told{0};
    loop.on_ready([&] { ++told; });
    for (int i = 0; i < 20; ++i) {
        (void)loop.poll();
        std::this_thread::sleep_for(2ms);
    }
    EXPECT_LT(told, 5);
}

INSTANTIATE_TEST_SUITE_P(All, Driven, ::testing::ValuesIn(every_scheme),
                         [](const auto& one) { return one.param; });

TEST(OnReady, EndsWithTheLoopAndMayBeSetAnew) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> first{0}, second{0};
        EventLoop loop;
        loop.on_ready([&] { ++first; });
        loop.on_ready([&] { ++second; });
        EXPECT_GE(second, 1);
        const int before = first;
        (void)loop.poll();
        loop.post([] {});
        EXPECT_EQ(first, before);
        EXPECT_GE(second, 2);
    }
}

TEST(KeepRunning, HoldsRunUntilItIsLetGo) {
    EventLoop loop;
    auto held = loop.keep_running();
    auto second = loop.keep_running();
    std::atomic<bool> returned{false};
    std::thread runner([&] {
        loop.run();
        returned = true;
    });
    std::this_thread::sleep_for(30ms);
    held.reset();
    std::this_thread::sleep_for(30ms);
    EXPECT_FALSE(returned);
    std::atomic<bool> called{false};
    loop.post([&] { called = true; });
    for (int i = 0; !called && i < 2000; ++i)
        std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(called);
    EXPECT_FALSE(returned);
    second.reset();
    runner.join();
    EXPECT_TRUE(returned);
}

TEST(KeepRunning, MayOutliveTheLoop) {
    std::shared_ptr<void> held;
    {
        EventLoop loop;
        held = loop.keep_running();
        loop.run_for(5ms);
    }
    held.reset();
}

TEST(After, CanBeCancelled) {
    EventLoop loop;
    const auto resource = std::make_shared<int>();
    int called = 0;
    auto never = loop.after(1ms, [&, resource] { ++called; });
    auto soon = loop.after(2ms, [&] { ++called; });
    auto late = loop.after(1h, [&, resource] { ++called; });
    EXPECT_TRUE(never.cancel());
    EXPECT_FALSE(never.cancel()) << "it is cancelled already";
    EXPECT_TRUE(late.cancel());
    const auto start = Steady::now();
    loop.run();
    EXPECT_LT(Steady::now() - start, 10s);
    EXPECT_EQ(called, 1);
    EXPECT_FALSE(soon.cancel()) << "it was called";
    EXPECT_EQ(resource.use_count(), 1);
    EXPECT_FALSE(EventLoop::Delayed().cancel());
    EventLoop::Delayed left;
    {
        EventLoop other;
        left = other.after(1h, [] {});
    }
    EXPECT_FALSE(left.cancel());
}

TEST(After, ACallCancelsItselfOrAnother) {
    EventLoop loop;
    int called = 0;
    EventLoop::Delayed second;
    auto first = loop.after(1ms, [&] {
        ++called;
        EXPECT_TRUE(second.cancel());
    });
    second = loop.after(5ms, [&] { ++called; });
    loop.run();
    EXPECT_EQ(called, 1);
}

TEST_P(Driven, ACallThatWaitsDoesNotHoldUpTheEnd) {
    EventLoop loop;
    const auto listener = gdvar::net::listen(loop, listening(GetParam()), test_options(), echo());
    ASSERT_TRUE(listener) << listener.error().text;
    std::function<void()> tick = [&] { (void)loop.after(50ms, tick); };
    tick();
    bool late = false;
    (void)loop.after(1h, [&] { late = true; });
    (void)loop.after(30ms, [&] { (*listener)->close(/*close_peers=*/true); });
    std::thread client(
        [url = GetParam() + (GetParam() == "unix" ? ":" : "://") + (*listener)->address()] {
            if (auto connection = Connection::connect(url, test_options()))
                (void)connection->get_packet(GetParam() == "udp" ? 200ms : 10s);
        });
    const auto start = Steady::now();
    loop.run_for(60s);
    EXPECT_LT(Steady::now() - start, 30s);
    EXPECT_FALSE(late);
    client.join();
}

/// Without a listener that was closed there is no such end: here the call is all that is to be
/// done.
TEST(After, IsCalledWhenNothingElseIsToBeDone) {
    EventLoop loop;
    PeerHandlers handlers;
    int again = 0;
    handlers.closed = [&](Peer&, const NetError&) { (void)loop.after(5ms, [&] { ++again; }); };
    // Nobody is there: connecting fails, and the program tries again later.
    const auto client = gdvar::net::connect(loop, "tcp://127.0.0.1:1", test_options(), handlers);
    ASSERT_TRUE(client);
    loop.run();
    EXPECT_EQ(again, 1);
}

}  // namespace
}  // namespace gdvar::test
