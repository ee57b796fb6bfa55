#pragma once

#include <boost/asio/ssl.hpp>

#include <expected>
#include <memory>
#include <string>

#include "gdvar/net/options.hpp"
#include "loop.hpp"

namespace gdvar::net::detail {

using TlsContext = std::shared_ptr<asio::ssl::context>;

/// Errors: io (a file that is missing or invalid).
std::expected<TlsContext, NetError> tls_server(const TlsOptions& options);
std::expected<TlsContext, NetError> tls_client(const TlsOptions& options);
/// Before a client's handshake: sets the expected and requested name.
void expect_server(asio::ssl::stream<asio::ip::tcp::socket>& stream, const TlsOptions& options,
                   const std::string& host);

}  // namespace gdvar::net::detail
