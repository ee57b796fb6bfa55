// Endpoints: connections that carry Variants, as Godot's StreamPeer and PacketPeer classes do.
// Rules: wire-format 4.1. gdvar/net/url.hpp lists the transports.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/net/error.hpp"
#include "gdvar/net/loop.hpp"
#include "gdvar/net/options.hpp"
#include "gdvar/net/peer.hpp"
#include "gdvar/net/url.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

namespace detail {
struct Opening;
}

/// The transports that a URL may name: one of `transports`, or several joined by `|`.
class Transports {
public:
    /// Those of both.
    constexpr Transports operator|(const Transports& other) const noexcept {
        Transports out = *this;
        for (std::size_t i = 0; i < openings_.size(); ++i)
            if (other.openings_[i])
                out.openings_[i] = other.openings_[i];
        return out;
    }

    /// For the library itself.
    constexpr Transports(Transport which, const detail::Opening& how) noexcept {
        openings_[static_cast<std::size_t>(which)] = &how;
    }
    /// For the library itself. Null: not one of these.
    constexpr const detail::Opening* find(Transport which) const noexcept {
        return openings_[static_cast<std::size_t>(which)];
    }

private:
    std::array<const detail::Opening*, static_cast<std::size_t>(Transport::enet) + 1> openings_{};
};

/// A program that links the archives contains only the transports that it names here: without
/// `all`, a TCP server has nothing of TLS, WebSocket and ENet in it.
namespace transports {
extern const Transports tcp, tls, local, udp, websocket, websocket_tls, enet;
extern const Transports all;
}  // namespace transports

/// Accepts connections until it is closed or its EventLoop is destroyed.
class Listener {
public:
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;
    /// The address on which it listens. If the URL had port 0, this is the chosen port.
    const std::string& address() const noexcept { return address_; }
    std::uint16_t port() const noexcept { return port_; }
    Transport transport() const noexcept { return transport_; }
    virtual std::size_t peers() const = 0;
    /// Stops accepting connections: from now on no handler is called for a new one, even if this is
    /// called in a handler. Accepted ones in a handshake go on. `close_peers`: also closes the
    /// existing ones, as Peer::close does; for those in a handshake only `closed` is called.
    virtual void close(bool close_peers = false) = 0;

protected:
    Listener() = default;
    std::string address_;
    std::uint16_t port_ = 0;
    Transport transport_ = Transport::tcp;
};

/// Listens at the URL, until `close` or the end of the loop. Errors: bad_syntax (the URL, one of a
/// transport that is not `allowed`, or a dialect that does not fit), io (address in use, no such
/// certificate, ...).
[[nodiscard]] std::expected<std::shared_ptr<Listener>, NetError> listen(
    EventLoop& loop, std::string_view url, NetOptions options, PeerHandlers handlers,
    const Transports& allowed = transports::all);
/// Starts to connect; `connected` or `closed` is called with the outcome. Earlier packets are sent
/// once connected. Errors: bad_syntax (as `listen`), io (before connecting could start).
[[nodiscard]] std::expected<std::shared_ptr<Peer>, NetError> connect(
    EventLoop& loop, std::string_view url, NetOptions options, PeerHandlers handlers,
    const Transports& allowed = transports::all);

}  // namespace net
}  // namespace gdvar
