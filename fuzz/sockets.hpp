// A real endpoint on the loopback, in the loop of this thread, with a socket by hand against it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "../tests/support/allocated.hpp"
#include "gdvar/net/endpoint.hpp"
#include "packet.hpp"

namespace gdvar::fuzz {

using namespace net;

using test::allocated;

/// A listener that counts what its peers do.
class Serving {
public:
    Serving(const std::string& url, const NetOptions& options) {
        PeerHandlers handlers;
        handlers.connected = [this](Peer&) { ++connected; };
        handlers.packet = [this](Peer& peer, ByteView packet) {
            require(packet.size() <= peer.options().max_packet, "no packet over the limit");
            ++packets;
            (void)peer.put_packet(packet, peer.packet_flags());
        };
        handlers.closed = [this](Peer&, const NetError&) { ++closed; };
        auto made = listen(loop_, url, options, std::move(handlers));
        if (!made)  // no ports left, or the like: nothing to do with the input
            return;
        listener_ = *made;
    }
    explicit operator bool() const noexcept { return listener_ != nullptr; }
    /// Does what there is to do now.
    void work() {
        for (int i = 0; i < 10'000 && loop_.run_one_for(std::chrono::milliseconds(0)); ++i) {
        }
    }
    Listener& listener() { return *listener_; }

    std::size_t connected = 0, packets = 0, closed = 0;

private:
    EventLoop loop_;
    std::shared_ptr<Listener> listener_;
};

/// A socket connected to a port of this machine.
class Socket {
public:
    Socket(int type, std::uint16_t port) : fd_(::socket(AF_INET, type, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        good_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
        const int yes = 1;
        ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    Socket(const Socket&) = delete;
    ~Socket() { close(); }
    explicit operator bool() const noexcept { return good_; }
    void send(std::string_view bytes) const {
        (void)!::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    /// The bytes that are there now.
    std::string receive() const {
        std::string out(64 * 1024, '\0');
        const auto n = ::recv(fd_, out.data(), out.size(), MSG_DONTWAIT);
        out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return out;
    }
    void close() {
        if (fd_ >= 0)
            ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_;
    bool good_ = false;
};

inline std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace gdvar::fuzz
