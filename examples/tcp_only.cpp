// The first server again, for TCP and Unix sockets alone: a smaller program.
// tests/net/transports_test.py looks at what is in it.
#include <cstdio>

// --- some transports
#include <gdvar/net/endpoint.hpp>

using namespace gdvar::net;

std::expected<std::shared_ptr<Listener>, NetError> listen_here(EventLoop& loop, const char* url,
                                                               PeerHandlers handlers) {
    return listen(loop, url, {}, std::move(handlers), transports::tcp | transports::local);
}
// ---

int main(int argc, char** argv) {
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, gdvar::ByteView packet) {
        if (const auto value = peer.decode(packet))
            (void)peer.put_var(*value);
    };
    EventLoop loop;
    const char* url = argc > 1 ? argv[1] : "tcp://127.0.0.1:4000";
    const auto listener = listen_here(loop, url, std::move(handlers));
    if (!listener) {
        std::fprintf(stderr, "%s: %s\n", url, listener.error().text.c_str());
        return 1;
    }
    std::printf("listening on %s\n", (*listener)->address().c_str());
    std::fflush(stdout);
    loop.run();
}
