// Shared by connections with their own socket.
#pragma once

#include <optional>

#include "peer.hpp"
#include "transports.hpp"

namespace gdvar::net::detail {

using TcpSocket = asio::ip::tcp::socket;
using LocalSocket = asio::local::stream_protocol::socket;
/// TLS is a layer over a socket. Its type is named by tls.hpp alone, which brings OpenSSL.
template <class Stream>
inline constexpr bool is_secure = requires(Stream& stream) { stream.next_layer(); };
/// Which side begins a handshake.
enum class Role : std::uint8_t { client, server };

class SocketPeer : public PeerBase {
protected:
    using PeerBase::PeerBase;

    /// A handler for Asio: does nothing if the peer is over, calls `fail` on an error, else
    /// `next(peer)`.
    template <class P, class Next>
    static auto then(std::shared_ptr<P> peer, Next next) {
        return [peer = std::move(peer), next = std::move(next)](const error_code& code, auto&&...) {
            if (peer->is_over())
                return;
            if (code)
                return peer->fail(code);
            next(*peer);
        };
    }
    /// Finds the host and connects the peer's socket to one of its addresses; then `next(peer)`.
    template <class P, class Next>
    void connect_tcp(std::shared_ptr<P> peer, TcpSocket& socket, const NetUrl& url, Next next) {
        address_ = url.host + ":" + std::to_string(url.port);
        resolver_.emplace(strand_);
        resolver_->async_resolve(
            url.host, std::to_string(url.port), asio::ip::resolver_base::numeric_service,
            when_found(loop_, peer, [&socket, next](const auto& there, const auto& found) {
                asio::async_connect(socket, found, then(there, next));
            }));
    }
    void set_addresses(TcpSocket& socket) {
        error_code code;
        const auto remote = socket.remote_endpoint(code);
        if (!code)
            address_ = to_text(remote);
        const auto local = socket.local_endpoint(code);
        if (!code)
            local_ = to_text(local);
        socket.set_option(asio::ip::tcp::no_delay(true), code);
    }
    template <class Socket>
    void close_socket(Socket& socket) {
        error_code ignored;
        if (resolver_)
            resolver_->cancel();
        socket.close(ignored);
    }

    bool reading_ = false;

private:
    std::optional<asio::ip::tcp::resolver> resolver_;
};

/// Starts a client's connection of class P over `stream`.
template <class P, class Stream>
ConnectResult begin_connecting(const SharedLoop& loop, const Strand& strand, Stream stream,
                               const NetUrl& url, const NetOptions& options,
                               SharedHandlers handlers) {
    auto peer = make_peer<P>(loop, strand, std::move(stream), options, std::move(handlers));
    loop->post(strand, [peer, url] {
        if (!peer->is_over())
            peer->connect(url);
    });
    return peer;
}

}  // namespace gdvar::net::detail
