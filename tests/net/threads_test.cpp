// Threads that do as they please with connections while traffic flows, over every transport. Meant
// for ThreadSanitizer (scripts/test tsan), and true without it.
#include <gtest/gtest.h>

#include <random>

#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// The events of a client's connection. Handlers of one peer run one at a time: they need no lock.
struct Seen {
    std::atomic<bool> inside{false};
    std::atomic<std::uint32_t> sent{0};
    std::uint32_t next = 0;
    int connected = 0, closed = 0;
};

/// In a handler; notices another thread there.
class Inside {
public:
    explicit Inside(std::atomic<bool>& flag) : flag_(flag) { EXPECT_FALSE(flag_.exchange(true)); }
    ~Inside() { flag_ = false; }

private:
    std::atomic<bool>& flag_;
};

/// Peers that may be disturbed, of both sides.
class Pool {
public:
    void add(std::shared_ptr<Peer> peer) {
        const std::scoped_lock lock(mutex_);
        peers_.push_back(std::move(peer));
    }
    void remove(const Peer& peer) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(peers_, [&](const auto& one) { return one.get() == &peer; });
    }
    std::shared_ptr<Peer> any(std::mt19937& random) const {
        const std::scoped_lock lock(mutex_);
        return peers_.empty() ? nullptr : peers_[random() % peers_.size()];
    }
    std::size_t size() const {
        const std::scoped_lock lock(mutex_);
        return peers_.size();
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Peer>> peers_;
};

class Threads : public OfScheme<> {
protected:
    static constexpr std::size_t clients = 12;

    static NetOptions options() {
        auto out = test_options();
        out.max_queued = 64 * 1024;
        // A close that gets lost, as ENet's may, is waited for no longer.
        out.write_timeout = out.connect_timeout = 3s;
        return out;
    }
    bool keeps_order() const { return GetParam() != "udp"; }

    PeerHandlers server_handlers() {
        PeerHandlers out;
        out.connected = [this](Peer& peer) {
            peer.data = std::make_shared<std::atomic<bool>>(false);
            pool_.add(peer.shared_from_this());
        };
        out.packet = [](Peer& peer, ByteView packet) {
            const Inside inside(*std::static_pointer_cast<std::atomic<bool>>(peer.data));
            (void)peer.put_packet(packet, peer.packet_flags());
        };
        out.closed = [this](Peer& peer, const NetError&) { pool_.remove(peer); };
        return out;
    }
    PeerHandlers client_handlers(const std::shared_ptr<Seen>& seen) {
        PeerHandlers out;
        out.connected = [seen](Peer&) {
            const Inside inside(seen->inside);
            EXPECT_EQ(++seen->connected, 1);
        };
        out.packet = [this, seen](Peer& peer, ByteView packet) {
            const Inside inside(seen->inside);
            const auto number = gdvar::decode<std::uint32_t>(packet);
            ASSERT_TRUE(number);
            EXPECT_LT(*number, seen->sent + 1000u);
            if (keeps_order()) {
                EXPECT_EQ(*number, seen->next);
                seen->next = *number + 1;
            }
            if (answers_++ == 0)
                end_ = Clock::now() + 2s;
            (void)peer.queued();
        };
        out.closed = [this, seen](Peer& peer, const NetError&) {
            const Inside inside(seen->inside);
            EXPECT_EQ(++seen->closed, 1);
            pool_.remove(peer);
            ++ended_;
        };
        return out;
    }
    /// For two seconds from the first answer.
    bool goes_on() const { return Clock::now() < end_.load(); }
    /// One thread's doings. Only a client's numbers are put, each by a single thread. Nothing is
    /// closed before the first answer: where handshakes are slow, none would come to its end.
    void disturb(unsigned seed) {
        std::mt19937 random(seed);
        while (goes_on()) {
            const auto peer = pool_.any(random);
            if (!peer)
                continue;
            switch (answers_ == 0 ? 200 : random() % 200) {
                case 0:
                    peer->close();
                    break;
                case 1:
                    peer->abort();
                    break;
                case 2:
                    peer->close();
                    peer->abort();
                    break;
                default:
                    if (random() % 2)
                        peer->pause_reading();
                    else
                        peer->resume_reading();
                    (void)peer->statistics();
                    (void)peer->id();
                    peer->resume_reading();
            }
            std::this_thread::sleep_for(200us);
        }
    }
    /// Connects, sends numbers, and connects anew when that has ended.
    void talk(EventLoop& loop, const std::string& url) {
        std::shared_ptr<Peer> peer;
        std::shared_ptr<Seen> seen;
        while (goes_on()) {
            if (!peer) {
                seen = std::make_shared<Seen>();
                auto made = gdvar::net::connect(loop, url, options(), client_handlers(seen));
                ASSERT_TRUE(made) << made.error().text;
                peer = *made;
                pool_.add(peer);
                ++begun_;
            }
            const auto put = peer->put_var(std::int64_t{seen->sent});
            if (put)
                ++seen->sent;
            else if (put.error().code == Errc::closed)
                peer.reset();
            else
                std::this_thread::sleep_for(1ms);
            if (seen->sent % 8 == 0)
                std::this_thread::sleep_for(200us);
        }
        if (peer)
            peer->close();
    }

    std::atomic<Clock::time_point> end_{Clock::now() + 60s};
    Pool pool_;
    std::atomic<int> answers_{0}, begun_{0}, ended_{0};
};

TEST_P(Threads, DoAsTheyPlease) {
    Server server(listening(GetParam()), options(), server_handlers(), 3);
    EventLoop loop;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < clients; ++i)
        threads.emplace_back([&] { talk(loop, server.url()); });
    for (unsigned i = 0; i < 3; ++i)
        threads.emplace_back([&, i] { disturb(i + 1); });
    // Work that keeps the loop going until it is stopped.
    std::function<void()> keep = [&] { loop.after(50ms, keep); };
    keep();
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; ++i)
        workers.emplace_back([&] { loop.run(); });
    while (goes_on()) {
        (void)server.listener().peers();
        loop.post([] {});
        std::this_thread::sleep_for(5ms);
    }
    for (auto& thread : threads)
        thread.join();
    server.listener().close(true);
    const auto patience = Clock::now() + 20s;
    while (ended_ < begun_ && Clock::now() < patience)
        std::this_thread::sleep_for(5ms);
    EXPECT_EQ(ended_, begun_) << "a client's connection has not ended";
    loop.stop();
    for (auto& worker : workers)
        worker.join();
    server.stop();
    EXPECT_GT(answers_, 0);
    EXPECT_GT(begun_, static_cast<int>(clients));
}

INSTANTIATE_TEST_SUITE_P(All, Threads, ::testing::ValuesIn(every_scheme),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace gdvar::test
