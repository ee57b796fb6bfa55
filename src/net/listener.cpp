#include "stream_listener.hpp"

namespace gdvar::net::detail {

std::expected<asio::ip::address, NetError> listen_address(const std::string& host) {
    error_code code;
    if (host == "*")
        return asio::ip::address(asio::ip::address_v4::any());
    auto address = asio::ip::make_address(host, code);
    if (!code)
        return address;
    asio::io_context context;
    asio::ip::tcp::resolver resolver(context);
    const auto found = resolver.resolve(host, "0", code);
    if (code)
        return std::unexpected(net_error(Errc::io, host + ": " + code.message()));
    return found.begin()->endpoint().address();
}

ListenResult listen_over_tcp(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers, Accept<TcpSocket> accept) {
    const auto address = listen_address(url.host);
    if (!address)
        return std::unexpected(address.error());
    return start_listener<asio::ip::tcp>(loop, url, asio::ip::tcp::endpoint(*address, url.port),
                                         std::move(options), std::move(handlers),
                                         std::move(accept));
}

}  // namespace gdvar::net::detail
