#pragma once

#include <boost/asio/ssl.hpp>

#include "accepting.hpp"

namespace gdvar::net::detail {

using TlsStream = asio::ssl::stream<TcpSocket>;
using TlsContext = std::shared_ptr<asio::ssl::context>;

/// Errors: io (a file that is missing or invalid).
std::expected<TlsContext, NetError> tls_server(const TlsOptions& options);
/// A client's stream, which expects the certificate of `host`. Errors: as tls_server.
std::expected<TlsStream, NetError> tls_client(const Strand& strand, const TlsOptions& options,
                                              const std::string& host);

}  // namespace gdvar::net::detail
