#include "stream_listener.hpp"
#include "stream_peer.hpp"

namespace gdvar::net {
namespace detail {
namespace {

/// Removes the socket of a killed server: connections to it are refused.
void remove_stale_socket(const std::string& path) {
    const auto there = platform::info_of_name(path);
    if (!there || there->kind != platform::FileKind::socket)
        return;
    asio::io_context context;
    LocalSocket probe(context);
    error_code code;
    probe.connect(asio::local::stream_protocol::endpoint(path), code);
    if (code == asio::error::connection_refused)
        platform::remove_name(path);
}

ListenResult listen_local(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers) {
    remove_stale_socket(url.host);
    return start_listener<asio::local::stream_protocol>(
        loop, url, url.host, std::move(options), std::move(handlers),
        accepted_peer<StreamPeer<LocalSocket>, LocalSocket>);
}

ConnectResult connect_local(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                            SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    return begin_connecting<StreamPeer<LocalSocket>>(loop, strand, LocalSocket(strand), url,
                                                     options, std::move(handlers));
}

}  // namespace

const Opening open_local{listen_local, connect_local};

}  // namespace detail

constinit const Transports transports::local(Transport::local, detail::open_local);

}  // namespace gdvar::net
