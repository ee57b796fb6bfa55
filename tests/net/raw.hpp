// What a peer can do wrong: sockets without a library, random bytes, child processes.
#pragma once

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <filesystem>
#include <functional>
#include <random>

#include "net/support.hpp"
#include "support/allocated.hpp"

namespace gdvar::test {

using namespace net;

inline std::size_t descriptors() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

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

/// A reset instead of a close handshake.
inline void reset(const RawSocket& socket) {
    const linger now{1, 0};
    ::setsockopt(socket.fd(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
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
    while (!response.ends_with("\r\n\r\n") && ::recv(out->fd(), &c, 1, 0) == 1)
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
    const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::sendto(fd, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    ::close(fd);
}

/// Runs `what` in a process of its own and returns what that returned.
inline std::string in_child(const std::function<std::string()>& what) {
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
inline bool set_loopback(bool up) {
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

}  // namespace gdvar::test
