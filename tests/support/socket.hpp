// Sockets of this machine without a library, to do what no peer should.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdvar::test {

class Socket {
public:
    /// Connected to that port of this machine. Sending and receiving give up after 20 seconds.
    static Socket stream(std::uint16_t port);
    /// The same for datagrams, from the address 127.0.0.`own`.
    static Socket datagrams(std::uint16_t port, unsigned own = 1);
    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&&) = delete;
    ~Socket();
    /// False: not even connected.
    explicit operator bool() const { return connected_; }

    /// How many bytes the system took; below 0: an error, or a wait that took too long.
    std::ptrdiff_t send(std::string_view bytes) const;
    enum class Until : std::uint8_t { some, all, now };
    /// How many bytes came: at least one, as many as asked for, or what is there now. 0: the end.
    std::ptrdiff_t receive(char* to, std::size_t size, Until until = Until::some) const;
    std::string receive_all() const;
    void set_patience(std::chrono::milliseconds time) const;
    /// `send` takes what there is room for at once.
    void never_wait() const;
    void set_receive_buffer(int bytes) const;
    /// Says that nothing more is sent; with `both`, that nothing more is read either.
    void shut(bool both = false) const;
    /// Closing becomes a reset, instead of a close handshake.
    void reset_at_close() const;
    /// The system's number.
    std::intptr_t number() const { return socket_; }

private:
    Socket(int kind, std::uint16_t port, unsigned own);
    std::intptr_t socket_;
    bool connected_ = false;
};

}  // namespace gdvar::test
