// The first server again, for TCP and Unix sockets alone: a smaller program.
// tests/net/transports_test.py looks at what is in it.
// --- some transports
#include <gdvar/net/endpoint.hpp>

using namespace gdvar::net;

std::expected<std::shared_ptr<Listener>, NetError> listen_here(EventLoop& loop, const char* url,
                                                               PeerHandlers handlers) {
    return listen(loop, url, {}, std::move(handlers), transports::tcp | transports::local);
}
// ---

int main() {
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, gdvar::ByteView packet) {
        if (const auto value = peer.decode(packet))
            (void)peer.put_var(*value);
    };
    EventLoop loop;
    const auto listener = listen_here(loop, "tcp://127.0.0.1:4000", std::move(handlers));
    if (!listener)
        return 1;
    loop.run();
}
