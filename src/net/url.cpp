#include "gdvar/net/url.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gdvar::net {
namespace {

struct Scheme {
    std::string_view name;
    Transport transport;
};
constexpr Scheme schemes[] = {
    {"tcp", Transport::tcp},   {"tls", Transport::tls},      {"unix", Transport::local},
    {"udp", Transport::udp},   {"ws", Transport::websocket}, {"wss", Transport::websocket_tls},
    {"enet", Transport::enet},
};
/// A Unix socket's path, with its final NUL.
constexpr std::size_t max_path = 108;

std::unexpected<NetError> bad_url(const char* why) {
    return std::unexpected(NetError{.code = Errc::bad_syntax, .text = why});
}

bool parse_port(std::string_view text, std::uint16_t& port) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

std::string_view transport_name(Transport transport) noexcept {
    for (const Scheme& scheme : schemes)
        if (scheme.transport == transport)
            return scheme.name;
    return {};
}

std::expected<NetUrl, NetError> parse_url(std::string_view url) {
    const std::size_t colon = url.find(':');
    const auto* scheme = std::ranges::find(schemes, url.substr(0, colon), &Scheme::name);
    if (colon == url.npos || scheme == std::end(schemes))
        return bad_url("a URL begins with tcp://, tls://, unix:, udp://, ws://, wss:// or enet://");
    NetUrl out;
    out.transport = scheme->transport;
    std::string_view rest = url.substr(colon + 1);
    const bool slashes = rest.starts_with("//");
    if (slashes)
        rest.remove_prefix(2);
    if (out.transport == Transport::local) {
        out.host = std::string(rest);
        if (rest.empty() || rest.size() >= max_path || rest.find('\0') != rest.npos)
            return bad_url("a path of 1 to 107 bytes is needed");
        return out;
    }
    if (!slashes)
        return bad_url("// is missing behind the scheme");
    if (const std::size_t slash = rest.find('/'); slash != rest.npos) {
        const bool web =
            out.transport == Transport::websocket || out.transport == Transport::websocket_tls;
        if (!web && slash + 1 != rest.size())
            return bad_url("only ws:// and wss:// URLs have a path");
        out.path = std::string(rest.substr(slash));
        rest = rest.substr(0, slash);
    }
    const std::size_t port_at = rest.rfind(':');
    if (port_at == rest.npos || !parse_port(rest.substr(port_at + 1), out.port))
        return bad_url("a port from 0 to 65535 is missing, as in tcp://127.0.0.1:4000");
    std::string_view host = rest.substr(0, port_at);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != host.npos)
        return bad_url("an IPv6 address needs brackets");
    if (host.empty())
        return bad_url("a host is missing");
    for (const char c : url)
        if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f')
            return bad_url("the host or the path holds a space or a control character");
    out.host = std::string(host);
    return out;
}

}  // namespace gdvar::net
