#include "tls.hpp"

#include "base/platform/certificates.hpp"
#include "stream_peer.hpp"

namespace gdvar::net {
namespace detail {
namespace {

namespace ssl = asio::ssl;

using TlsContext = std::shared_ptr<ssl::context>;

TlsContext context(ssl::context::method method, const TlsOptions& options) {
    auto out = std::make_shared<ssl::context>(method);
    out->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                     ssl::context::no_sslv3 | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
    if (options.least_version == TlsVersion::tls_1_3)
        out->set_options(ssl::context::no_tlsv1_2);
    // An idle connection releases its record buffers.
    SSL_CTX_set_mode(out->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    return out;
}

void trust_system_authorities(ssl::context& context) {
    const auto trusted = platform::trusted_authorities();
    if (!trusted)
        return context.set_default_verify_paths();
    X509_STORE* const store = SSL_CTX_get_cert_store(context.native_handle());
    for (const std::string& der : *trusted) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
        if (X509* const authority = d2i_X509(nullptr, &bytes, static_cast<long>(der.size()))) {
            X509_STORE_add_cert(store, authority);
            X509_free(authority);
        }
    }
    // OpenSSL ignores certificates that it can't read.
    ERR_clear_error();
}

static_assert(ssl::error::stream_truncated == 1);  // as is_tls_cut has it

std::expected<TlsContext, NetError> server_context(const TlsOptions& options) try {
    if (options.certificate_file.empty() || options.key_file.empty())
        return std::unexpected(net_error(Errc::io, "a TLS server needs a certificate and its key"));
    auto out = context(ssl::context::tls_server, options);
    out->use_certificate_chain_file(options.certificate_file);
    out->use_private_key_file(options.key_file, ssl::context::pem);
    if (!options.client_ca_file.empty()) {
        out->load_verify_file(options.client_ca_file);
        out->set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
        // Clients that resume a session were verified when it began. OpenSSL asks for the name.
        static constexpr unsigned char name[] = "gdvar";
        SSL_CTX_set_session_id_context(out->native_handle(), name, sizeof name);
    }
    return out;
} catch (const boost::system::system_error& error) {
    std::string files = options.certificate_file + " or " + options.key_file;
    if (!options.client_ca_file.empty())
        files += " or " + options.client_ca_file;
    return std::unexpected(net_error(Errc::io, files + ": " + error.code().message()));
}

std::expected<TlsContext, NetError> client_context(const TlsOptions& options) try {
    auto out = context(ssl::context::tls_client, options);
    if (options.ca_file.empty())
        trust_system_authorities(*out);
    else
        out->load_verify_file(options.ca_file);
    if (!options.certificate_file.empty()) {
        out->use_certificate_chain_file(options.certificate_file);
        out->use_private_key_file(options.key_file, ssl::context::pem);
    }
    out->set_verify_mode(options.verify ? ssl::verify_peer : ssl::verify_none);
    return out;
} catch (const boost::system::system_error& error) {
    return std::unexpected(net_error(Errc::io, "certificates: " + error.code().message()));
}

/// Before a client's handshake: sets the expected and requested name.
void expect_server(TlsStream& stream, const TlsOptions& options, const std::string& host) {
    const std::string& name = options.server_name.empty() ? host : options.server_name;
    error_code ignored;
    // The greeting holds a name, but not an address (RFC 6066).
    asio::ip::make_address(name, ignored);
    if (ignored)
        SSL_set_tlsext_host_name(stream.native_handle(), name.c_str());
    if (options.verify)
        stream.set_verify_callback(ssl::host_name_verification(name), ignored);
}

ListenResult listen_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                        SharedHandlers handlers) {
    return listen_over_tls(loop, url, std::move(options), std::move(handlers),
                           accepted_peer<StreamPeer<TlsStream>, TlsStream>);
}

ConnectResult connect_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                          SharedHandlers handlers) {
    const Strand strand = asio::make_strand(loop->context);
    auto stream = tls_client(strand, options.tls, url.host);
    if (!stream)
        return std::unexpected(stream.error());
    return begin_connecting<StreamPeer<TlsStream>>(loop, strand, *std::move(stream), url, options,
                                                   std::move(handlers));
}

}  // namespace

ListenResult listen_over_tls(const SharedLoop& loop, const NetUrl& url, NetOptions options,
                             SharedHandlers handlers, Accept<TlsStream> accept) {
    const auto context = server_context(options.tls);
    if (!context)
        return std::unexpected(context.error());
    return listen_over_tcp(
        loop, url, std::move(options), std::move(handlers),
        [context = *context, accept = std::move(accept)](TcpSocket socket, const Accepting& with) {
            return accept(TlsStream(std::move(socket), *context), with);
        });
}

std::expected<TlsStream, NetError> tls_client(const Strand& strand, const TlsOptions& options,
                                              const std::string& host) {
    const auto context = client_context(options);
    if (!context)
        return std::unexpected(context.error());
    TlsStream stream(TcpSocket(strand), **context);
    expect_server(stream, options, host);
    return stream;
}

const Opening open_tls{listen_tls, connect_tls};

}  // namespace detail

constinit const Transports transports::tls(Transport::tls, detail::open_tls);

}  // namespace gdvar::net
