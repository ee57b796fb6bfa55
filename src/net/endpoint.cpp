#include "gdvar/net/endpoint.hpp"

#include <algorithm>
#include <iterator>

#include "transports.hpp"

namespace gdvar::net {
namespace {

/// RFC 9110 5.6.2. A WebSocket's subprotocol is part of a request line.
bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               marks.find(c) != marks.npos;
    });
}

struct Opening {
    detail::Listen* listen;
    detail::Connect* connect;
};

/// In the order of Transport.
constexpr Opening openings[] = {
    {detail::listen_stream, detail::connect_stream},     // tcp
    {detail::listen_stream, detail::connect_stream},     // tls
    {detail::listen_stream, detail::connect_stream},     // local
    {detail::listen_udp, detail::connect_udp},           // udp
    {detail::listen_stream, detail::connect_websocket},  // websocket
    {detail::listen_stream, detail::connect_websocket},  // websocket_tls
    {detail::listen_enet, detail::connect_enet},         // enet
};
static_assert(std::size(openings) == static_cast<std::size_t>(Transport::enet) + 1);

const Opening& opening_of(const NetUrl& url) noexcept {
    return openings[static_cast<std::size_t>(url.transport)];
}

std::expected<NetUrl, NetError> checked(std::string_view url, const NetOptions& options) {
    if (!std::ranges::all_of(options.protocols, is_token))
        return std::unexpected(detail::net_error(
            Errc::bad_syntax,
            "NetOptions::protocols: each is letters, digits and marks, as \"v1\""));
    return parse_url(url);
}

}  // namespace

std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options,
                                                          PeerHandlers handlers) {
    const auto where = checked(url, options);
    if (!where)
        return std::unexpected(where.error());
    return opening_of(*where).listen(detail::LoopAccess::of(loop), *where,
                                     detail::with_listen_defaults(std::move(options)),
                                     std::make_shared<const PeerHandlers>(std::move(handlers)));
}

std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers) {
    const auto where = checked(url, options);
    if (!where)
        return std::unexpected(where.error());
    if (where->transport != Transport::local && (where->port == 0 || where->host == "*"))
        return std::unexpected(
            detail::net_error(Errc::bad_syntax, "a host and a port are needed to connect"));
    return opening_of(*where).connect(detail::LoopAccess::of(loop), *where, std::move(options),
                                      std::make_shared<const PeerHandlers>(std::move(handlers)));
}

}  // namespace gdvar::net
