#pragma once

#include <boost/asio/ssl.hpp>

#include "accepting.hpp"

namespace gdvar::net::detail {

using TlsStream = asio::ssl::stream<TcpSocket>;

/// Listens for what runs over TLS. Errors: io (also a file that is missing or invalid).
ListenResult listen_over_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers, Accept<TlsStream> accept);
/// A client's stream, which expects the certificate of `host`. Errors: io (a file that is missing
/// or invalid).
std::expected<TlsStream, NetError> tls_client(const Strand& strand, const TlsOptions& options,
                                              const std::string& host);

}  // namespace gdvar::net::detail
