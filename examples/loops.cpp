// gdvar's connections in the loop that a program has already: ticks, epoll, Asio, libuv. Each
// echoes a few packets, from a client in a thread of its own; docs/networking.md shows the
// functions.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <gdvar/net/connection.hpp>
#include <thread>

#if __has_include(<boost/asio.hpp>)
#include <boost/asio.hpp>
#endif
#if __has_include(<uv.h>)
#include <uv.h>
#endif

using namespace gdvar::net;

/// Whether the program goes on.
static std::atomic<bool> playing{true};

// --- by ticks
/// 20 times a second, as a game simulates.
void serve_at_ticks(EventLoop& loop) {
    constexpr auto tick = std::chrono::milliseconds(50);
    for (auto next = std::chrono::steady_clock::now(); playing; next += tick) {
        (void)loop.poll();  // handlers are called in here
        // ... simulate; then the answers of this tick, with put_var; the next poll sends them
        (void)loop.poll();
        std::this_thread::sleep_until(next);
    }
}
// ---

// --- by epoll
void serve_by_epoll(EventLoop& loop) {
    const int queue = ::epoll_create1(EPOLL_CLOEXEC);
    const int wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event what{.events = EPOLLIN, .data = {.fd = wake}};
    ::epoll_ctl(queue, EPOLL_CTL_ADD, wake, &what);
    loop.on_ready([wake] {
        const std::uint64_t one = 1;
        (void)!::write(wake, &one, sizeof one);
    });
    while (playing) {
        if (::epoll_wait(queue, &what, 1, -1) != 1 || what.data.fd != wake)
            continue;  // one of the program's own descriptors
        std::uint64_t count = 0;
        (void)!::read(wake, &count, sizeof count);  // before poll
        (void)loop.poll();
    }
    loop.on_ready(nullptr);
    ::close(wake);
    ::close(queue);
}
// ---

#if __has_include(<boost/asio.hpp>)
// --- by Asio
/// The program's own Asio may be of any version: it shares nothing with the one inside gdvar.
void serve_by_asio(EventLoop& loop) {
    boost::asio::io_context context;
    const auto work = boost::asio::make_work_guard(context);
    loop.on_ready([&] {
        boost::asio::post(context, [&] {
            (void)loop.poll();
            if (!playing)
                context.stop();
        });
    });
    context.run();
    loop.on_ready(nullptr);
}
// ---
#endif

#if __has_include(<uv.h>)
// --- by libuv
void serve_by_libuv(EventLoop& loop) {
    uv_loop_t uv;
    uv_loop_init(&uv);
    uv_async_t wake;
    wake.data = &loop;
    uv_async_init(&uv, &wake, [](uv_async_t* woken) {
        auto& driven = *static_cast<EventLoop*>(woken->data);
        (void)driven.poll();
        if (playing)
            return;
        driven.on_ready(nullptr);
        uv_close(reinterpret_cast<uv_handle_t*>(woken), nullptr);
    });
    loop.on_ready([&] { uv_async_send(&wake); });
    uv_run(&uv, UV_RUN_DEFAULT);
    uv_loop_close(&uv);
}
// ---
#endif

static void check(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

static void try_out(const char* name, void (*serve)(EventLoop&)) {
    playing = true;
    EventLoop loop;
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, gdvar::ByteView packet) { (void)peer.put_packet(packet); };
    const auto listener = listen(loop, "tcp://127.0.0.1:0", {}, handlers);
    check(listener.has_value(), name);
    std::thread client([&, url = "tcp://" + (*listener)->address()] {
        auto connection = Connection::connect(url);
        check(connection.has_value(), name);
        for (int i = 0; i < 5; ++i) {
            check(connection->put_var(i).has_value(), name);
            check(connection->get_var<int>() == i, name);
        }
        loop.post([] { playing = false; });  // from another thread: wakes the loop, too
    });
    serve(loop);
    client.join();
    std::printf("%s: 5 packets and back\n", name);
}

int main() {
    try_out("ticks", serve_at_ticks);
    try_out("epoll", serve_by_epoll);
#if __has_include(<boost/asio.hpp>)
    try_out("Asio", serve_by_asio);
#endif
#if __has_include(<uv.h>)
    try_out("libuv", serve_by_libuv);
#endif
}
