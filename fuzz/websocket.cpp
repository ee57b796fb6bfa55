// The WebSocket listener over a real socket. A hand-written client, after a handshake or without
// one, sends the input in pieces. The server must stay within its limits, and the connection must
// end just once.
#include "sockets.hpp"
#include "splits.hpp"

using namespace gdvar;
using namespace gdvar::net;

namespace {

constexpr std::string_view request =
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
constexpr std::size_t most_pieces = 500;

/// Frames from a client are masked. A mask of zeros keeps them readable for the fuzzer.
void run(const fuzz::StreamInput& input) {
    NetOptions options = NetOptions::unlimited();
    options.max_packet = input.choice & 1 ? 1000 : 64 * 1024;
    options.max_queued = 256 * 1024;
    fuzz::Serving server("ws://127.0.0.1:0", options);
    if (!server)
        return;
    server.work();
    fuzz::Socket client(SOCK_STREAM, server.listener().port());
    server.work();
    if (input.choice & 2) {
        client.send(request);
        server.work();
        (void)client.receive();
        fuzz::require(server.connected == 1, "a sound request connects");
    }
    // The incoming message and the queue, twice each, since buffers double when they grow.
    const std::size_t most = fuzz::allocated() + 2 * static_cast<std::size_t>(options.max_packet) +
                             2 * options.max_queued + (512u << 10);
    std::size_t pieces = 0;
    input.each_piece([&](ByteView piece) {
        client.send(fuzz::text_of(piece));
        server.work();
        if (input.choice & 4)
            (void)client.receive();
        fuzz::require(fuzz::allocated() <= most, "what is held is bounded by the limits");
        return ++pieces < most_pieces;
    });
    client.close();
    for (int i = 0; i < 20 && server.listener().peers(); ++i)
        server.work();
    fuzz::require(server.closed <= 1, "a connection ends once");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    run(fuzz::StreamInput(data, size));
    return 0;
}
