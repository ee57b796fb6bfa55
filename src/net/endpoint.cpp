#include "gdvar/net/endpoint.hpp"

#include <algorithm>

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

struct Where {
    NetUrl url;
    const detail::Opening* opening;
};

std::expected<Where, NetError> checked(std::string_view url, const NetOptions& options,
                                       const Transports& allowed) {
    if (!std::ranges::all_of(options.protocols, is_token))
        return std::unexpected(detail::net_error(
            Errc::bad_syntax,
            "NetOptions::protocols: each is letters, digits and marks, as \"v1\""));
    auto parts = parse_url(url);
    if (!parts)
        return std::unexpected(std::move(parts).error());
    const auto* const opening = allowed.find(parts->transport);
    if (!opening)
        return std::unexpected(
            detail::net_error(Errc::bad_syntax, "this program does not open URLs with " +
                                                    std::string(transport_name(parts->transport))));
    return Where{*std::move(parts), opening};
}

}  // namespace

std::expected<std::shared_ptr<Listener>, NetError> listen(EventLoop& loop, std::string_view url,
                                                          NetOptions options, PeerHandlers handlers,
                                                          const Transports& allowed) {
    const auto where = checked(url, options, allowed);
    if (!where)
        return std::unexpected(where.error());
    return where->opening->listen(detail::LoopAccess::of(loop), where->url,
                                  detail::with_listen_defaults(std::move(options)),
                                  std::make_shared<const PeerHandlers>(std::move(handlers)));
}

std::expected<std::shared_ptr<Peer>, NetError> connect(EventLoop& loop, std::string_view url,
                                                       NetOptions options, PeerHandlers handlers,
                                                       const Transports& allowed) {
    const auto where = checked(url, options, allowed);
    if (!where)
        return std::unexpected(where.error());
    if (where->url.transport != Transport::local &&
        (where->url.port == 0 || where->url.host == "*"))
        return std::unexpected(
            detail::net_error(Errc::bad_syntax, "a host and a port are needed to connect"));
    return where->opening->connect(detail::LoopAccess::of(loop), where->url, std::move(options),
                                   std::make_shared<const PeerHandlers>(std::move(handlers)));
}

}  // namespace gdvar::net
