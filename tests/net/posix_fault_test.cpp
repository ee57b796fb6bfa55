// A network that goes, and descriptors that run out.
// Not for Windows: it takes the network and the descriptors away from a process.
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "net/raw.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

/// Runs `what` in a process of its own and returns what that returned.
std::string in_child(const std::function<std::string()>& what) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string said = what();
        (void)!::write(ends[1], said.data(), said.size());
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string out;
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        out.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return out;
}

/// The loopback of this process's own network, up or down: then packets vanish.
bool set_loopback(bool up) {
    const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
    ifreq request{};
    request.ifr_name[0] = 'l';
    request.ifr_name[1] = 'o';
    bool done = ::ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags =
        static_cast<short>(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
    done = done && ::ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    ::close(fd);
    return done;
}

class Vanished : public ::testing::TestWithParam<std::string> {};

/// The network goes while both are connected: neither side hears a word of it.
TEST_P(Vanished, IsNoticed) {
    const std::string said = in_child([]() -> std::string {
        if (::unshare(CLONE_NEWNET) != 0 || !set_loopback(true))
            return "no network of our own";
        auto options = test_options();
        options.write_timeout = 400ms;
        PeerHandlers handlers;
        std::atomic<bool> began{false};
        handlers.packet = [&](Peer& peer, ByteView) {
            (void)set_loopback(false);
            began = true;
            // More than the socket's buffers take.
            const std::vector<std::byte> block(100'000);
            while (peer.put_packet(block)) {
            }
        };
        Server server(GetParam() + "://127.0.0.1:0", options, handlers);
        auto client_options = test_options();
        client_options.idle_timeout = 400ms;
        auto client = Connection::connect(server.url(), client_options);
        if (!client)
            return client.error().text;
        (void)client->put_var(1);
        const auto got = client->get_packet(10s);
        const std::string heard = got ? "a packet" : std::string(error_name(got.error().code));
        server.wait_closed(1);
        return heard + " " + server.finish();
    });
    if (said == "no network of our own")
        GTEST_SKIP() << "takes root, or the right to have one";
    EXPECT_EQ(said, "timed_out timed_out\n");
}

INSTANTIATE_TEST_SUITE_P(All, Vanished, ::testing::Values("tcp", "tls", "ws", "wss"),
                         [](const auto& one) { return one.param; });

/// Without descriptors nothing can be accepted; when there are some again, those who wait are.
TEST(Resources, NoDescriptorsLeft) {
    const std::string said = in_child([]() -> std::string {
        EventLoop loop;
        auto listener = gdvar::net::listen(loop, "tcp://127.0.0.1:0", test_options(), echo());
        if (!listener)
            return listener.error().text;
        loop.run_for(10ms);
        std::vector<std::unique_ptr<RawSocket>> clients;
        for (int i = 0; i < 10; ++i)
            clients.push_back(std::make_unique<RawSocket>((*listener)->port()));
        rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        rlimit tight = limit;
        tight.rlim_cur = static_cast<rlim_t>(clients.back()->number()) + 4;
        ::setrlimit(RLIMIT_NOFILE, &tight);
        loop.run_for(300ms);
        const std::size_t taken = (*listener)->peers();
        rusage before{}, after{};
        ::getrusage(RUSAGE_SELF, &before);
        loop.run_for(500ms);
        ::getrusage(RUSAGE_SELF, &after);
        const auto micros = [](const rusage& use) {
            return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1'000'000 + use.ru_utime.tv_usec +
                   use.ru_stime.tv_usec;
        };
        const bool busy = micros(after) - micros(before) > 250'000;
        ::setrlimit(RLIMIT_NOFILE, &limit);
        loop.run_for(500ms);
        int served = 0;
        for (const auto& client : clients) {
            client->send(frame("12345678"));
            loop.run_for(20ms);
            char back[12];
            served += client->receive(back, sizeof back, Socket::Until::now) == sizeof back;
        }
        return (taken < 10 ? "few " : "all ") + std::string(busy ? "busy " : "idle ") +
               std::to_string(served);
    });
    EXPECT_EQ(said, "few idle 10");
}

}  // namespace
}  // namespace gdvar::test
