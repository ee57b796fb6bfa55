// The smallest server: what GDScript sends with put_var comes back.
//
//     echo tcp://127.0.0.1:4000      or udp://, ws://, enet://, unix:PATH
// --- echo
#include <cstdio>
#include <gdvar/net/endpoint.hpp>

int main(int argc, char** argv) {
    gdvar::net::PeerHandlers handlers;
    handlers.packet = [](gdvar::net::Peer& peer, gdvar::ByteView packet) {
        if (const auto value = peer.decode(packet))
            (void)peer.put_var(*value);
    };
    gdvar::net::EventLoop loop;
    const char* url = argc > 1 ? argv[1] : "tcp://127.0.0.1:4000";
    const auto listener = gdvar::net::listen(loop, url, {}, handlers);
    if (!listener) {
        std::fprintf(stderr, "%s: %s\n", url, listener.error().text.c_str());
        return 1;
    }
    std::printf("listening on %s\n", (*listener)->address().c_str());
    std::fflush(stdout);
    loop.run();
}
// ---
