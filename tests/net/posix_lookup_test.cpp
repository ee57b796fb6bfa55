// Lookups of names, which nothing can cancel. A resolver that takes its time stands in for the
// machine's: this file's getaddrinfo is the one that Asio calls.
// Not for Windows: there the library takes getaddrinfo from the system, whatever a program has.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <filesystem>

#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
int waiting = 0;
bool released = false;

/// As a server that does not answer, until `release`.
int look_up_slowly() {
    std::unique_lock lock(mutex);
    ++waiting;
    changed.wait_for(lock, 30s, [] { return released; });
    --waiting;
    return EAI_AGAIN;
}
void release(bool so) {
    const std::scoped_lock lock(mutex);
    released = so;
    changed.notify_all();
}

std::ptrdiff_t threads() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

class Lookups : public ::testing::TestWithParam<std::string> {
protected:
    /// ThreadSanitizer has a thread of its own from the first one on.
    static void SetUpTestSuite() {
        std::thread([] {}).join();
    }
    void SetUp() override { release(false); }
    void TearDown() override {
        release(true);
        // Each leaves its thread when it is over, and the memory that it had.
        EXPECT_TRUE(eventually([&] { return threads() <= before_; }));
    }
    const std::ptrdiff_t before_ = threads();
    const std::string url_ = GetParam() + "://slow.test:1";
};

TEST_P(Lookups, AConnectionsDeadlineHolds) {
    auto options = test_options();
    options.connect_timeout = 1500ms;
    const auto connection = Connection::connect(url_, options);
    ASSERT_FALSE(connection);
    EXPECT_EQ(connection.error().code, Errc::timed_out);
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(waiting, 1);
}

TEST_P(Lookups, HoldNothingWhenTheLoopEnds) {
    const auto held = std::make_shared<int>();
    std::shared_ptr<Peer> peer;
    {
        EventLoop loop;
        PeerHandlers handlers;
        handlers.connected = [held](Peer&) {};
        peer = *gdvar::net::connect(loop, url_, test_options(), std::move(handlers));
        std::unique_lock lock(mutex);
        for (int i = 0; i < 1000 && waiting == 0; ++i) {
            lock.unlock();
            loop.run_one_for(10ms);
            lock.lock();
        }
        ASSERT_EQ(waiting, 1);
    }
    peer->close();
    peer.reset();
    EXPECT_EQ(held.use_count(), 1);
    const std::scoped_lock lock(mutex);
    EXPECT_EQ(waiting, 1);
}

INSTANTIATE_TEST_SUITE_P(All, Lookups, ::testing::Values("tcp", "tls", "udp", "ws", "wss", "enet"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace gdvar::test

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** found) {
    if (node && std::string_view(node) == "slow.test")
        return gdvar::test::look_up_slowly();
    using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
    static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(node, service, hints, found);
}
