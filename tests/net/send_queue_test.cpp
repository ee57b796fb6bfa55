// The send queue, the limits and the deadlines of a connection, each alone.
#include "net/send_queue.hpp"

#include <gtest/gtest.h>

#include <string>

#include "net/deadlines.hpp"
#include "net/limits.hpp"
#include "net/transports.hpp"

namespace gdvar::net::detail {
namespace {

using namespace std::chrono_literals;

auto bytes(std::size_t n, Errc fails = Errc::ok) {
    return [=](PackedByteArray& to) -> std::expected<std::size_t, Error> {
        for (std::size_t i = 0; i < n; ++i)
            to.push_back('x');
        if (fails != Errc::ok)
            return std::unexpected(Error{fails, Type::nil, 0, 0});
        return n;
    };
}

TEST(SendQueue, FramesAndEntries) {
    SendQueue queue(1000);
    ASSERT_TRUE(queue.put_frame(ByteOrder::big, bytes(3)));
    ASSERT_TRUE(queue.put_frame(ByteOrder::little, bytes(2)));
    EXPECT_EQ(queue.size(), 13u);
    ASSERT_EQ(queue.begin_send(), SendQueue::Begun::started);
    const PackedByteArray expected{0, 0, 0, 3, 'x', 'x', 'x', 2, 0, 0, 0, 'x', 'x'};
    EXPECT_EQ(queue.sending(), expected);
    EXPECT_EQ(queue.begin_send(), SendQueue::Begun::busy);
    EXPECT_EQ(queue.size(), 13u) << "until it is sent";
    EXPECT_FALSE(queue.end_send());
    EXPECT_EQ(queue.size(), 0u);
    EXPECT_EQ(queue.begin_send(), SendQueue::Begun::empty);

    ASSERT_TRUE(queue.put_entry({.channel = 2, .text = true}, 100, bytes(5)));
    ASSERT_EQ(queue.begin_send(), SendQueue::Begun::started);
    SendQueue::Entry entry;
    std::memcpy(&entry, queue.sending().data(), sizeof entry);
    EXPECT_EQ(entry.size, 5u);
    EXPECT_EQ(entry.flags.channel, 2);
    EXPECT_TRUE(entry.flags.text);
    EXPECT_EQ(queue.sending().size(), 8u + 5);
}

TEST(SendQueue, RefusedPutsLeaveNothing) {
    SendQueue queue(100);
    EXPECT_EQ(queue.put_frame(ByteOrder::little, bytes(97)).error().code, Errc::buffer_full);
    EXPECT_EQ(queue.put_frame(ByteOrder::little, bytes(9, Errc::bad_utf8)).error().code,
              Errc::bad_utf8);
    EXPECT_EQ(queue.put_entry({}, 4, bytes(5)).error().code, Errc::too_large);
    EXPECT_EQ(queue.put_bytes(as_bytes(std::string(101, 'x'))).error().code, Errc::buffer_full);
    EXPECT_EQ(queue.size(), 0u);
    EXPECT_TRUE(queue.idle());
    EXPECT_TRUE(queue.put_frame(ByteOrder::little, bytes(96)));
    EXPECT_EQ(queue.put_frame(ByteOrder::little, bytes(0)).error().code, Errc::buffer_full);
}

TEST(SendQueue, DrainedIsOwedOnceAtTheLowWaterMark) {
    SendQueue queue(100);
    const auto put = [&](std::size_t n) { return queue.put_bytes(as_bytes(std::string(n, 'x'))); };
    EXPECT_TRUE(put(50));
    EXPECT_FALSE(queue.congested());
    EXPECT_TRUE(put(1));
    EXPECT_TRUE(queue.congested());
    EXPECT_FALSE(queue.take_drained()) << "nothing was refused";
    EXPECT_FALSE(put(50));
    EXPECT_FALSE(queue.take_drained()) << "too much waits";
    ASSERT_EQ(queue.begin_send(), SendQueue::Begun::started);
    queue.in_transport() += 60;
    EXPECT_TRUE(queue.end_send());
    EXPECT_FALSE(queue.take_drained()) << "the transport still holds 60";
    EXPECT_FALSE(queue.idle());
    queue.in_transport() -= 10;
    EXPECT_TRUE(queue.take_drained());
    EXPECT_FALSE(queue.take_drained()) << "once";
    queue.in_transport() -= 50;
    EXPECT_TRUE(queue.idle());
}

TEST(SendQueue, OneFlushIsScheduled) {
    SendQueue queue(100);
    EXPECT_TRUE(queue.schedule_flush());
    EXPECT_FALSE(queue.schedule_flush());
    queue.begin_send();
    EXPECT_TRUE(queue.schedule_flush());
    queue.begin_batch();
    EXPECT_FALSE(queue.schedule_flush()) << "the batch flushes at its end";
    queue.begin_send();
    EXPECT_TRUE(queue.schedule_flush());
}

TEST(SendQueue, AnIdleQueueGivesMemoryBack) {
    SendQueue queue(1 << 20);
    ASSERT_TRUE(queue.put_frame(ByteOrder::little, bytes(100'000)));
    queue.begin_send();
    queue.end_send();
    EXPECT_LE(queue.sending().capacity(), SendQueue::kept_capacity);
}

// ---- Limits -------------------------------------------------------------------------------------

TEST(TokenBucket, RefillsUpToASecond) {
    const Clock::time_point start{};
    TokenBucket bucket(100, start);
    EXPECT_EQ(bucket.wait(start), 0s);
    bucket.take(100);
    const auto wait = bucket.wait(start);
    EXPECT_GT(wait, 0s);
    EXPECT_LE(wait, 2ms);
    bucket.take(50);  // a debt, as of a packet that was longer than what was left
    EXPECT_GE(bucket.wait(start), 500ms);
    EXPECT_LE(bucket.wait(start), 502ms);
    EXPECT_EQ(bucket.wait(start + 502ms), 0s);
    // After an hour it holds a second's worth, no more.
    EXPECT_EQ(bucket.wait(start + 1h), 0s);
    bucket.take(100);
    EXPECT_GT(bucket.wait(start + 1h), 0s);
}

TEST(TokenBucket, ZeroIsNoLimit) {
    TokenBucket bucket(0, Clock::time_point{});
    bucket.take(UINT64_MAX);
    EXPECT_EQ(bucket.wait(Clock::time_point{}), 0s);
}

TEST(ReceiveLimits, BytesPacketsAndControlMessages) {
    const Clock::time_point now{};
    NetOptions options;
    EXPECT_FALSE(ReceiveLimits(options, now).limited());
    options.packets_per_second = 2;
    ReceiveLimits limits(options, now);
    EXPECT_TRUE(limits.limited());
    EXPECT_EQ(limits.packet_delay(now), 0s);
    limits.take_packet();
    limits.take_packet();
    EXPECT_GT(limits.packet_delay(now), 0s);
    EXPECT_EQ(limits.read_delay(now), 0s) << "packets stay where they are, reading goes on";
    // A peer that may send two packets may answer 16 pings.
    for (std::uint64_t i = 0; i < ReceiveLimits::min_control_rate; ++i)
        EXPECT_TRUE(limits.admit_control(now));
    EXPECT_FALSE(limits.admit_control(now));
    EXPECT_GT(limits.read_delay(now), 0s);
    EXPECT_TRUE(limits.admit_control(now + 1s));

    options.packets_per_second = 0;
    options.bytes_per_second = 1000;
    ReceiveLimits rate(options, now);
    rate.take_bytes(3000);
    EXPECT_GE(rate.packet_delay(now), 2s);
    EXPECT_GE(rate.read_delay(now), 2s);
    EXPECT_EQ(rate.packet_delay(now + 3s), 0s);
}

TEST(ReadControl, PausedByTheUserOrHeldByTheLimits) {
    ReadControl control;
    EXPECT_TRUE(control.reads());
    EXPECT_FALSE(control.resume()) << "was not paused";
    control.pause();
    control.hold(Clock::time_point{} + 1s);
    control.release();
    EXPECT_FALSE(control.reads()) << "the user's pause stays";
    EXPECT_TRUE(control.resume());
    EXPECT_TRUE(control.reads());
    control.hold();
    EXPECT_FALSE(control.reads());
    EXPECT_EQ(control.retry_at(), Clock::time_point::max());
    control.pause();
    control.reset();
    EXPECT_TRUE(control.reads());
}

/// From one address, also by one peer after another; whoever forges addresses makes it no longer.
TEST(NewcomerLimits, OneBucketAnAddress) {
    NetOptions options;
    Clock::time_point now{};
    NewcomerLimits none(options);
    for (int i = 0; i < 1000; ++i)
        EXPECT_TRUE(none.admit(1, 1000, now));
    EXPECT_EQ(none.addresses(), 0u);
    options.packets_per_second = 5;
    NewcomerLimits packets(options);
    for (int i = 0; i < 5; ++i)
        EXPECT_TRUE(packets.admit(1, 0, now));
    EXPECT_FALSE(packets.admit(1, 0, now));
    EXPECT_TRUE(packets.admit(2, 0, now));
    now += 190ms;
    EXPECT_TRUE(packets.admit(1, 0, now)) << "what was refused did not count";
    EXPECT_FALSE(packets.admit(1, 0, now));
    for (std::uint64_t address = 0; address < 10'000; ++address) {
        EXPECT_TRUE(packets.admit(address + 3, 0, now));
        EXPECT_LE(packets.addresses(), NewcomerLimits::max_addresses);
    }
    options.packets_per_second = 0;
    options.bytes_per_second = 100;
    NewcomerLimits sizes(options);
    EXPECT_TRUE(sizes.admit(1, 100, now));
    EXPECT_FALSE(sizes.admit(1, 1, now));
}

TEST(PeerPlaces, AnIPv6HostIsItsNetwork) {
    const auto network = [](const char* address) {
        return network_of(asio::ip::make_address(address));
    };
    EXPECT_EQ(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    EXPECT_NE(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    EXPECT_NE(network("10.0.0.1"), network("10.0.0.2"));
    // As a socket of both kinds has IPv4's.
    EXPECT_EQ(network("::ffff:10.0.0.1"), network("10.0.0.1"));
    EXPECT_NE(network("::ffff:10.0.0.1"), network("::ffff:10.0.0.2"));
}

TEST(PeerPlaces, InAllAndFromOneAddress) {
    NetOptions options;
    options.max_peers = 8;
    options.max_peers_per_address = 3;
    PeerPlaces<std::string> places(options);
    EXPECT_FALSE(places.full(7));
    EXPECT_TRUE(places.full(8));
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(places.address_full("a"));
        EXPECT_EQ(places.address_has_share("a"), i >= 2) << "a quarter of eight places";
        places.add("a");
    }
    EXPECT_TRUE(places.address_full("a"));
    EXPECT_FALSE(places.address_full("b"));
    places.remove("a");
    places.remove("unknown");
    EXPECT_EQ(places.count("a"), 2u);
    EXPECT_FALSE(places.address_full("a"));
    options.max_peers_per_address = 0;
    options.max_peers = 1;
    PeerPlaces<std::string> unlimited(options);
    unlimited.add("a");
    EXPECT_FALSE(unlimited.address_full("a"));
    EXPECT_TRUE(unlimited.address_has_share("a"));
    EXPECT_FALSE(unlimited.address_has_share("b"));
}

// ---- Deadlines ----------------------------------------------------------------------------------

struct DeadlineTest : testing::Test {
    using Expired = Deadlines::Expired;
    static NetOptions options() {
        NetOptions out;
        out.connect_timeout = 10s;
        out.idle_timeout = 20s;
        out.write_timeout = 30s;
        return out;
    }
    const Clock::time_point now = Clock::time_point{} + 1h;
    Deadlines deadlines{options()};
};

TEST_F(DeadlineTest, OfEachState) {
    deadlines.on_connecting(now);
    deadlines.on_receive(now);
    deadlines.on_closing(now);
    const std::tuple<StateDeadline, std::chrono::seconds, Expired> cases[] = {
        {StateDeadline::connect, 10s, Expired::connect},
        {StateDeadline::idle, 20s, Expired::idle},
        {StateDeadline::close, 30s, Expired::close}};
    for (const auto& [state, time, which] : cases) {
        EXPECT_EQ(deadlines.next({.state = state}), now + time);
        EXPECT_EQ(deadlines.expired(now + time - 1ms, {.state = state}), Expired::none);
        EXPECT_EQ(deadlines.expired(now + time, {.state = state}), which);
    }
    EXPECT_EQ(deadlines.next({}), Clock::time_point::max());
    EXPECT_EQ(deadlines.expired(now + 1h, {}), Expired::none);
}

TEST_F(DeadlineTest, NoneBeforeItsTimeBegan) {
    const Deadlines::Doing connecting{.state = StateDeadline::connect};
    const Deadlines::Doing closing{.state = StateDeadline::close};
    EXPECT_EQ(deadlines.expired(now, connecting), Expired::none);
    EXPECT_EQ(deadlines.expired(now, closing), Expired::none);
}

TEST_F(DeadlineTest, WritingInEveryState) {
    deadlines.on_send(now);
    deadlines.on_receive(now + 25s);
    EXPECT_EQ(deadlines.next({StateDeadline::idle, true, true}), now + 30s);
    EXPECT_EQ(deadlines.expired(now + 30s, {StateDeadline::idle, true, true}), Expired::write);
    deadlines.on_send(now + 29s);
    EXPECT_EQ(deadlines.expired(now + 30s, {StateDeadline::idle, true, true}), Expired::none);
}

TEST_F(DeadlineTest, APeerThatIsNotReadIsNotIdle) {
    deadlines.on_receive(now);
    EXPECT_EQ(deadlines.expired(now + 1min, {StateDeadline::idle, false, false}), Expired::none);
    EXPECT_EQ(deadlines.expired(now + 1min, {StateDeadline::idle, false, true}), Expired::none)
        << "its time began again";
    EXPECT_EQ(deadlines.expired(now + 80s, {StateDeadline::idle, false, true}), Expired::idle);
    deadlines.delay_idle(now + 100s);
    EXPECT_EQ(deadlines.expired(now + 110s, {StateDeadline::idle, false, true}), Expired::none);
}

TEST_F(DeadlineTest, TheTimerIsSetOnlyWhenItComesNearer) {
    EXPECT_TRUE(deadlines.arm(now + 10s));
    EXPECT_FALSE(deadlines.arm(now + 20s));
    EXPECT_FALSE(deadlines.arm(now + 10s));
    EXPECT_TRUE(deadlines.arm(now + 5s));
    deadlines.disarm();
    EXPECT_TRUE(deadlines.arm(now + 20s));
    EXPECT_FALSE(Deadlines(options()).arm(Clock::time_point::max()));
}

}  // namespace
}  // namespace gdvar::net::detail
