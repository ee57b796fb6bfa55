// Shared between a listener and its connections.
#pragma once

#include "socket_peer.hpp"

namespace gdvar::net::detail {

struct Accepting {
    SharedLoop loop;
    Strand strand;
    const NetOptions& options;
    SharedHandlers handlers;
};

/// A listener's new connection, before its start.
struct AcceptedPeer {
    std::shared_ptr<PeerBase> peer;
    std::function<void()> begin;  ///< in the peer's strand
};

template <class P, class Socket>
std::shared_ptr<AcceptedPeer> accepted_peer(Socket socket, const Accepting& with) {
    auto peer =
        make_peer<P>(with.loop, with.strand, std::move(socket), with.options, with.handlers);
    return std::make_shared<AcceptedPeer>(AcceptedPeer{peer, [peer] { peer->accepted(); }});
}

/// Makes the connection of an accepted socket.
template <class Socket>
using Accept = std::function<std::shared_ptr<AcceptedPeer>(Socket socket, const Accepting& with)>;

/// Listens for what runs over TCP. Errors: io.
ListenResult listen_over_tcp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers, Accept<TcpSocket> accept);

}  // namespace gdvar::net::detail
