// The ENet listener over a real socket. A hand-written client, connected or not, sends the input as
// datagrams. The server must never hold more than docs/networking.md says.
//
// Input: datagrams, each after a u16 (15 bits of length; bit 15: without the connection's header),
// and a last byte of options.
#include "sockets.hpp"

using namespace gdvar;
using namespace gdvar::net;

namespace {

constexpr std::size_t most_datagrams = 200;

std::string be16(unsigned v) {
    return {static_cast<char>(v >> 8), static_cast<char>(v)};
}

class Client {
public:
    explicit Client(std::uint16_t port) : socket_(SOCK_DGRAM, port) {}
    const fuzz::Socket& socket() const { return socket_; }
    /// Both halves of a handshake. The server works in between.
    void connect(fuzz::Serving& server) {
        const auto zeros = [](std::size_t n) { return std::string(n, '\0'); };
        socket_.send(be16(0x8FFF) + be16(0) + be16(0x82FF) + be16(1) + be16(0) + be16(0xFFFF) +
                     be16(0) + be16(1392) + be16(1) + be16(0) + zeros(3) + "\x08" + zeros(20) +
                     "abcd" + zeros(4));
        server.work();
        const std::string answer = socket_.receive();
        if (answer.size() < 12)
            return;
        head_ = be16(0x8000u | static_cast<unsigned char>(answer[11]) << 12 |
                     static_cast<unsigned char>(answer[8]) << 8 |
                     static_cast<unsigned char>(answer[9])) +
                be16(0);
        send(be16(0x01FF) + be16(1) + answer.substr(6, 2) + answer.substr(2, 2));
        server.work();
    }
    void send(std::string_view commands, unsigned flags = 0) const {
        std::string datagram = head_ + std::string(commands);
        datagram[0] = static_cast<char>(datagram[0] | static_cast<char>(flags));
        socket_.send(datagram);
    }

private:
    fuzz::Socket socket_;
    std::string head_ = be16(0x8FFF) + be16(0);
};

void run(ByteView input, unsigned choice) {
    NetOptions options = NetOptions::unlimited();
    options.max_packet = choice & 1 ? 4096 : 64 * 1024;
    options.enet_range_coder = choice & 2;
    options.packets_per_second = choice & 4 ? 20 : 0;
    options.max_peers = 8;
    fuzz::Serving server("enet://127.0.0.1:0", options);
    if (!server)
        return;
    Client client(server.listener().port());
    server.work();
    if (choice & 8)
        client.connect(server);
    const std::size_t before = fuzz::allocated();
    // The most that may wait for each peer, memory for answers, and some for the loop.
    const std::size_t most =
        before +
        options.max_peers * (5 * static_cast<std::size_t>(options.max_packet) + (128u << 10)) +
        options.max_queued + (1u << 20);
    for (std::size_t i = 0; i < most_datagrams && input.size() >= 2; ++i) {
        const unsigned head = static_cast<unsigned>(input[0]) | static_cast<unsigned>(input[1])
                                                                    << 8;
        const std::size_t size = std::min<std::size_t>(head & 0x7FFF, input.size() - 2);
        const auto bytes = fuzz::text_of(input.subspan(2, size));
        if (head & 0x8000)
            client.socket().send(bytes);
        else
            client.send(bytes, choice & 16 ? 0x40 : 0);
        input = input.subspan(2 + size);
        server.work();
        (void)client.socket().receive();
        fuzz::require(fuzz::allocated() <= most, "what is held is bounded by the limits");
        fuzz::require(server.listener().peers() <= options.max_peers, "no more peers than may be");
    }
    fuzz::require(server.closed <= server.connected, "who was not connected does not close");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView all(reinterpret_cast<const std::byte*>(data), size);
    if (size)
        run(all.first(size - 1), data[size - 1]);
    return 0;
}
