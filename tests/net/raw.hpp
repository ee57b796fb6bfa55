// Misbehaving peers: sockets without a library, random bytes.
#pragma once

#include <random>

#include "net/support.hpp"
#include "support/allocated.hpp"

namespace gdvar::test {

using namespace net;

inline std::string random_bytes(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string out(size, '\0');
    for (char& c : out)
        c = static_cast<char>(random());
    return out;
}

inline std::string frame(std::string_view packet) {
    PackedByteArray out;
    EXPECT_TRUE(append_frame(out, as_bytes(packet)));
    return {reinterpret_cast<const char*>(out.data()), out.size()};
}

/// A client's first words, with more header lines if need be.
inline std::string websocket_request(const std::string& more = {}) {
    return "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
           more + "\r\n";
}

/// A WebSocket's client up to its first frame; what it sends then is the test's own.
inline std::unique_ptr<RawSocket> raw_websocket(std::uint16_t port) {
    auto out = std::make_unique<RawSocket>(port);
    out->send(websocket_request());
    std::string response;
    char c = 0;
    while (!response.ends_with("\r\n\r\n") && out->receive(&c, 1) == 1)
        response += c;
    EXPECT_TRUE(response.starts_with("HTTP/1.1 101")) << response;
    EXPECT_NE(response.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), response.npos) << response;
    return out;
}

/// A masked frame of RFC 6455; `first`: FIN, reserved bits and opcode.
inline std::string websocket_frame(unsigned char first, std::string_view payload) {
    std::string out(1, static_cast<char>(first));
    const std::size_t n = payload.size();
    if (n < 126) {
        out += static_cast<char>(0x80 | n);
    } else if (n < 65536) {
        out += static_cast<char>(0x80 | 126);
        out += {static_cast<char>(n >> 8), static_cast<char>(n & 255)};
    } else {
        out += static_cast<char>(0x80 | 127);
        for (int shift = 56; shift >= 0; shift -= 8)
            out += static_cast<char>(n >> shift & 255);
    }
    const std::string key = "\x12\x34\x56\x78";
    out += key;
    for (std::size_t i = 0; i < n; ++i)
        out += static_cast<char>(payload[i] ^ key[i % 4]);
    return out;
}

/// Sends a datagram to the port of this machine.
inline void send_datagram(std::uint16_t port, std::string_view bytes) {
    (void)Socket::datagrams(port).send(bytes);
}

}  // namespace gdvar::test
