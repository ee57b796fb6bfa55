#include "support/socket.hpp"

#include <utility>

#include "support/system.hpp"

#ifdef _WIN32
#include <winsock2.h>
// It needs winsock2.h.
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace gdvar::test {
namespace {

#ifdef _WIN32

using Number = SOCKET;
constexpr int no_signal = 0;

Number open(int kind, int family = AF_INET) {
    static const int started = [] {
        WSADATA data;
        return ::WSAStartup(MAKEWORD(2, 2), &data);
    }();
    return started == 0 ? ::socket(family, kind, 0) : INVALID_SOCKET;
}
void close(Number number) {
    ::closesocket(number);
}
void wait_not(Number number, bool yes) {
    u_long now = yes;
    ::ioctlsocket(number, FIONBIO, &now);
}
constexpr int both_ways = SD_BOTH, one_way = SD_SEND;

#else

using Number = int;
constexpr int no_signal = MSG_NOSIGNAL;

Number open(int kind, int family = AF_INET) {
    return ::socket(family, kind, 0);
}
void close(Number number) {
    ::close(number);
}
void wait_not(Number number, bool yes) {
    ::fcntl(number, F_SETFL, yes ? O_NONBLOCK : 0);
}
constexpr int both_ways = SHUT_RDWR, one_way = SHUT_WR;

#endif

Number of(std::intptr_t socket) {
    return static_cast<Number>(socket);
}

template <class T>
void set(std::intptr_t socket, int level, int option, const T& value) {
    ::setsockopt(of(socket), level, option, reinterpret_cast<const char*>(&value), sizeof value);
}

sockaddr_in address(unsigned last, std::uint16_t port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(port);
    out.sin_addr.s_addr = htonl(0x7F000000u | last);
    return out;
}

}  // namespace

bool accepts_reset_connections() {
#ifdef _WIN32
    return false;
#else
    return true;
#endif
}

bool has_unix_sockets() {
#ifdef _WIN32
    static const bool they_are = [] {
        const Number made = open(SOCK_STREAM, AF_UNIX);
        const bool is_one = static_cast<std::intptr_t>(made) != -1;
        if (is_one)
            close(made);
        return is_one;
    }();
    return they_are;
#else
    return true;
#endif
}

Socket::Socket(int kind, std::uint16_t port, unsigned own)
    : socket_(static_cast<std::intptr_t>(open(kind))) {
    const sockaddr_in from = address(own, 0), to = address(1, port);
    if (kind == SOCK_DGRAM &&
        ::bind(of(socket_), reinterpret_cast<const sockaddr*>(&from), sizeof from) != 0)
        return;
    connected_ = ::connect(of(socket_), reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    set_patience(std::chrono::seconds(20));
}

Socket Socket::stream(std::uint16_t port) {
    Socket out(SOCK_STREAM, port, 1);
    set(out.socket_, IPPROTO_TCP, TCP_NODELAY, 1);
    return out;
}

Socket Socket::datagrams(std::uint16_t port, unsigned own) {
    return {SOCK_DGRAM, port, own};
}

Socket::Socket(Socket&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_) {}

Socket::~Socket() {
    if (socket_ != -1)
        close(of(socket_));
}

std::ptrdiff_t Socket::send(std::string_view bytes) const {
    return ::send(of(socket_), bytes.data(), static_cast<int>(bytes.size()), no_signal);
}

std::ptrdiff_t Socket::receive(char* to, std::size_t size, Until until) const {
    if (until == Until::now)
        wait_not(of(socket_), true);
    const auto got =
        ::recv(of(socket_), to, static_cast<int>(size), until == Until::all ? MSG_WAITALL : 0);
    if (until == Until::now)
        wait_not(of(socket_), false);
    return got;
}

std::string Socket::receive_all() const {
    std::string out;
    char buffer[4096];
    for (std::ptrdiff_t n; (n = receive(buffer, sizeof buffer)) > 0;)
        out.append(buffer, static_cast<std::size_t>(n));
    return out;
}

void Socket::set_patience(std::chrono::milliseconds time) const {
#ifdef _WIN32
    const auto patience = static_cast<DWORD>(time.count());
#else
    const timeval patience{time.count() / 1000,
                           static_cast<suseconds_t>(time.count() % 1000 * 1000)};
#endif
    set(socket_, SOL_SOCKET, SO_RCVTIMEO, patience);
    set(socket_, SOL_SOCKET, SO_SNDTIMEO, patience);
}

void Socket::never_wait() const {
    wait_not(of(socket_), true);
}

void Socket::set_receive_buffer(int bytes) const {
    set(socket_, SOL_SOCKET, SO_RCVBUF, bytes);
}

void Socket::shut(bool both) const {
    ::shutdown(of(socket_), both ? both_ways : one_way);
}

void Socket::reset_at_close() const {
    set(socket_, SOL_SOCKET, SO_LINGER, linger{1, 0});
}

}  // namespace gdvar::test
