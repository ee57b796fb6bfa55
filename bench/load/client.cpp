#include "client.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace gdvar::load {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int patience_ms = 5000;

// ---- Sockets ------------------------------------------------------------------------------------

/// A socket, perhaps with TLS over it. Blocking until `go`.
class Link {
public:
    Link(Transport transport, const ServerProcess& server) {
        const bool datagrams = transport == Transport::udp;
        if (transport == Transport::local) {
            sockaddr_un to{};
            to.sun_family = AF_UNIX;
            std::strncpy(to.sun_path, server.path().c_str(), sizeof to.sun_path - 1);
            open(AF_UNIX, SOCK_STREAM, &to, sizeof to);
        } else {
            sockaddr_in to{};
            to.sin_family = AF_INET;
            to.sin_port = htons(server.port());
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            open(AF_INET, datagrams ? SOCK_DGRAM : SOCK_STREAM, &to, sizeof to);
            const int yes = 1;
            if (!datagrams)
                ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        }
        if (transport == Transport::tls || transport == Transport::websocket_tls)
            secure();
        if (transport == Transport::websocket || transport == Transport::websocket_tls)
            upgrade();
        ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
    }
    Link(const Link&) = delete;
    ~Link() {
        SSL_free(tls_);
        ::close(fd_);
    }
    int fd() const noexcept { return fd_; }

    /// Zero: not now.
    std::size_t send(std::string_view bytes) {
        if (tls_)
            return checked(SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())));
        return checked(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }
    std::size_t receive(char* to, std::size_t size) {
        if (tls_)
            return checked(SSL_read(tls_, to, static_cast<int>(size)));
        const auto n = ::recv(fd_, to, size, 0);
        if (n == 0)
            give_up("the server has closed the connection");
        return checked(n);
    }

private:
    void open(int family, int type, const void* to, socklen_t size) {
        fd_ = ::socket(family, type | SOCK_CLOEXEC, 0);
        if (fd_ < 0 || ::connect(fd_, static_cast<const sockaddr*>(to), size) != 0)
            give_up(std::string("can't connect: ") + std::strerror(errno));
    }
    void secure() {
        static SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_mode(context,
                         SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        tls_ = SSL_new(context);
        SSL_set_fd(tls_, fd_);
        if (SSL_connect(tls_) != 1)
            give_up("the TLS handshake failed");
    }
    void upgrade() {
        const std::string request =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
        if (send(request) != request.size())
            give_up("can't send");
        std::string response;
        char buffer[1024];
        while (response.find("\r\n\r\n") == response.npos)
            response.append(buffer, receive(buffer, sizeof buffer));
        if (!response.starts_with("HTTP/1.1 101"))
            give_up("the server does not speak WebSocket");
    }
    std::size_t checked(ssize_t n) const {
        if (n > 0)
            return static_cast<std::size_t>(n);
        if (tls_) {
            const int why = SSL_get_error(tls_, static_cast<int>(n));
            if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE)
                return 0;
        } else if (errno == EAGAIN) {
            return 0;
        }
        give_up(std::string("a connection has broken: ") + std::strerror(errno));
    }

    int fd_ = -1;
    SSL* tls_ = nullptr;
};

// ---- Connections --------------------------------------------------------------------------------

/// One connection's messages to send, and their outcome. Messages are counted from `first_` on, in
/// the endless repetition of them all.
class Connection {
public:
    Connection(Transport transport, const ServerProcess& server, std::size_t number)
        : link_(transport, server), number_(number) {}
    virtual ~Connection() = default;
    void begin(std::size_t messages, std::size_t window) {
        first_ = number_ * 157;
        answered_ = first_;
        last_ = first_ + messages;
        window_ = window;
        restart();
    }
    bool finished() const noexcept { return answered_ == last_; }
    std::size_t outstanding_end() const noexcept { return std::min(last_, answered_ + window_); }
    int fd() const noexcept { return link_.fd(); }
    virtual void restart() = 0;
    /// Sends what the window allows; false: the socket takes no more now.
    virtual bool send() = 0;
    /// Reads what is there. Returns how many messages that completed.
    virtual std::size_t receive() = 0;
    virtual std::size_t missing() const { return last_ - answered_; }

    bool waits_to_send = false;

protected:
    Link link_;
    std::size_t number_, first_ = 0, answered_ = 0, last_ = 0, window_ = 0;
};

class StreamConnection final : public Connection {
public:
    StreamConnection(Transport transport, const ServerProcess& server, std::size_t number,
                     const Exchange& exchange)
        : Connection(transport, server, number), sent_(exchange.sent), back_(exchange.answered) {}
    void restart() override {
        sent_bytes_ = sent_.begin_of(first_);
        back_bytes_ = back_.begin_of(first_);
        next_ = back_.begin_of(first_ + 1);
    }
    bool send() override {
        const std::size_t end = sent_.begin_of(outstanding_end());
        while (sent_bytes_ < end) {
            const std::size_t at = sent_bytes_ % sent_.bytes.size();
            const auto chunk = std::string_view(sent_.bytes).substr(at, end - sent_bytes_);
            const std::size_t n = link_.send(chunk);
            if (n == 0)
                return false;
            sent_bytes_ += n;
        }
        return true;
    }
    std::size_t receive() override {
        static char buffer[256 * 1024];
        const std::size_t before = answered_;
        for (;;) {
            const std::size_t n = link_.receive(buffer, sizeof buffer);
            if (n == 0)
                break;
            compare({buffer, n});
            if (n < 16 * 1024)
                break;
        }
        return answered_ - before;
    }

private:
    void compare(std::string_view came) {
        while (!came.empty()) {
            const auto expected =
                std::string_view(back_.bytes).substr(back_bytes_ % back_.bytes.size(), came.size());
            if (std::memcmp(expected.data(), came.data(), expected.size()) != 0)
                give_up("an answer is wrong");
            back_bytes_ += expected.size();
            came.remove_prefix(expected.size());
        }
        for (; next_ <= back_bytes_ && answered_ < last_; next_ = back_.begin_of(answered_ + 1))
            ++answered_;
        if (answered_ == last_ && back_bytes_ != back_.begin_of(last_))
            give_up("more came than was sent");
    }

    const Blob &sent_, &back_;
    std::size_t sent_bytes_ = 0, back_bytes_ = 0, next_ = 0;
};

/// Datagrams may be lost or overtake each other; their content may not change.
class UdpConnection final : public Connection {
public:
    using Connection::Connection;
    void restart() override {
        sent_ = first_;
        waiting_.clear();
    }
    bool send() override {
        const Blob& all = bare_messages().sent;
        mmsghdr headers[batch];
        iovec parts[batch];
        while (sent_ < last_ && waiting_.size() < window_) {
            const std::size_t n = std::min({batch, last_ - sent_, window_ - waiting_.size()});
            std::memset(headers, 0, sizeof headers);
            for (std::size_t i = 0; i < n; ++i) {
                const std::string_view message = all[(sent_ + i) % all.count()];
                parts[i] = {const_cast<char*>(message.data()), message.size()};
                headers[i].msg_hdr.msg_iov = &parts[i];
                headers[i].msg_hdr.msg_iovlen = 1;
            }
            const int done = ::sendmmsg(fd(), headers, static_cast<unsigned>(n), 0);
            if (done <= 0)
                return false;
            for (int i = 0; i < done; ++i)
                waiting_.push_back(sent_++ % all.count());
        }
        return true;
    }
    std::size_t receive() override {
        static char buffers[batch][512];
        mmsghdr headers[batch]{};
        iovec parts[batch];
        for (std::size_t i = 0; i < batch; ++i) {
            parts[i] = {buffers[i], sizeof buffers[i]};
            headers[i].msg_hdr.msg_iov = &parts[i];
            headers[i].msg_hdr.msg_iovlen = 1;
        }
        const int n = ::recvmmsg(fd(), headers, batch, 0, nullptr);
        for (int i = 0; i < n; ++i)
            take({buffers[i], headers[i].msg_len});
        return n < 0 ? 0 : static_cast<std::size_t>(n);
    }
    std::size_t missing() const override { return waiting_.size(); }

private:
    static constexpr std::size_t batch = 64;

    void take(std::string_view came) {
        const Blob& all = bare_messages().answered;
        const auto found =
            std::ranges::find_if(waiting_, [&](std::size_t i) { return all[i] == came; });
        if (found == waiting_.end())
            give_up("an answer is wrong");
        waiting_.erase(found);
        ++answered_;
    }

    std::size_t sent_ = 0;
    std::vector<std::size_t> waiting_;
};

class SocketClient final : public Client {
public:
    SocketClient(Transport transport, const ServerProcess& server, std::size_t connections)
        : transport_(transport), poll_(::epoll_create1(EPOLL_CLOEXEC)) {
        const bool web = transport == Transport::websocket || transport == Transport::websocket_tls;
        for (std::size_t i = 0; i < connections; ++i) {
            if (transport == Transport::udp)
                all_.push_back(std::make_unique<UdpConnection>(transport, server, i));
            else
                all_.push_back(std::make_unique<StreamConnection>(
                    transport, server, i, web ? websocket_messages() : stream_messages()));
            epoll_event event{.events = EPOLLIN, .data = {.ptr = all_.back().get()}};
            ::epoll_ctl(poll_, EPOLL_CTL_ADD, all_.back()->fd(), &event);
        }
    }
    ~SocketClient() override { ::close(poll_); }

    Outcome run(const Traffic& traffic) override {
        Outcome out;
        const auto start = Clock::now();
        std::size_t unfinished = all_.size();
        for (const auto& one : all_) {
            one->begin(traffic.messages / all_.size(), traffic.window);
            send(*one);
        }
        std::vector<epoll_event> events(256);
        while (unfinished) {
            const int n = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()),
                                       transport_ == Transport::udp ? 500 : patience_ms);
            if (n == 0 && transport_ != Transport::udp)
                give_up("answers are missing");
            if (n == 0)
                break;
            for (int i = 0; i < n; ++i) {
                auto& one = *static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
                const bool before = one.finished();
                out.answered += one.receive();
                send(one);
                unfinished -= one.finished() && !before;
            }
        }
        out.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        for (const auto& one : all_)
            out.lost += one->missing();
        return out;
    }

private:
    void send(Connection& one) {
        const bool waits = !one.send();
        if (std::exchange(one.waits_to_send, waits) == waits)
            return;
        epoll_event event{.events = EPOLLIN | (waits ? EPOLLOUT : 0u), .data = {.ptr = &one}};
        ::epoll_ctl(poll_, EPOLL_CTL_MOD, one.fd(), &event);
    }

    Transport transport_;
    int poll_;
    std::vector<std::unique_ptr<Connection>> all_;
};

}  // namespace

std::unique_ptr<Client> Client::connect(Transport transport, const ServerProcess& server,
                                        std::size_t connections) {
    if (transport == Transport::enet)
        return connect_enet(server, connections);
    return std::make_unique<SocketClient>(transport, server, connections);
}

}  // namespace gdvar::load
