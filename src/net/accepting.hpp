// Shared between a listener and its connections.
#pragma once

#include "stream_peer.hpp"

namespace gdvar::net::detail {

struct Accepting {
    SharedLoop loop;
    Strand strand;
    const NetOptions& options;
    SharedHandlers handlers;
    TlsContext tls;  ///< null: no TLS
};

/// A listener's new connection, before its start.
struct AcceptedPeer {
    std::shared_ptr<PeerBase> peer;
    std::function<void()> begin;  ///< in the peer's strand
};

template <class P, class Socket>
std::shared_ptr<AcceptedPeer> accepted_peer(const Accepting& with, Socket socket) {
    auto peer =
        make_peer<P>(with.loop, with.strand, std::move(socket), with.options, with.handlers);
    return std::make_shared<AcceptedPeer>(AcceptedPeer{peer, [peer] { peer->accepted(); }});
}

std::shared_ptr<AcceptedPeer> accept_websocket(TcpSocket socket, const Accepting& with);

}  // namespace gdvar::net::detail
