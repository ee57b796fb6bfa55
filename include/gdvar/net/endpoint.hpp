// Endpoints: connections that carry Variants, as Godot's StreamPeer and PacketPeer classes do.
// Rules: wire-format 4.1. gdvar/net/url.hpp lists the transports.
#pragma once

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

/// Listens at the URL, until `close` or the end of the loop. Errors: bad_syntax (the URL, or a
/// dialect that does not fit), io (address in use, no such certificate, ...).
[[nodiscard]] std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop,
                                                                        std::string_view url,
                                                                        NetOptions options,
                                                                        PeerHandlers handlers);
/// Starts to connect; `connected` or `closed` is called with the outcome. Earlier packets are sent
/// once connected. Errors: bad_syntax, io (before connecting could start).
[[nodiscard]] std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop,
                                                                     std::string_view url,
                                                                     NetOptions options,
                                                                     PeerHandlers handlers);

}  // namespace net
}  // namespace gdvar
