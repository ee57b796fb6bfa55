// Echo servers as one writes them with Asio, Beast and ENet alone.
#include <enet/enet.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <memory>

#include "messages.hpp"
#include "servers.hpp"

namespace gdvar::load {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using asio::ip::udp;
using boost::system::error_code;
using Local = asio::local::stream_protocol;
using Tls = asio::ssl::stream<tcp::socket>;

void tell_port(int to, std::uint16_t port) {
    if (::write(to, &port, sizeof port) != sizeof port)
        std::_Exit(1);
}

template <class Stream>
class Echo : public std::enable_shared_from_this<Echo<Stream>> {
public:
    explicit Echo(Stream stream) : stream_(std::move(stream)) {}
    void start() {
        if constexpr (std::same_as<Stream, Tls>)
            stream_.async_handshake(asio::ssl::stream_base::server,
                                    [me = this->shared_from_this()](const error_code& code) {
                                        if (!code)
                                            me->read();
                                    });
        else
            read();
    }

private:
    void read() {
        stream_.async_read_some(asio::buffer(buffer_), [me = this->shared_from_this()](
                                                           const error_code& code, std::size_t n) {
            if (!code)
                me->write(n);
        });
    }
    void write(std::size_t n) {
        asio::async_write(stream_, asio::buffer(buffer_, n),
                          [me = this->shared_from_this()](const error_code& code, std::size_t) {
                              if (!code)
                                  me->read();
                          });
    }

    Stream stream_;
    std::array<char, 16 * 1024> buffer_;
};

template <class Next>
class WebSocketEcho : public std::enable_shared_from_this<WebSocketEcho<Next>> {
public:
    explicit WebSocketEcho(Next next) : stream_(std::move(next)) {}
    void start() {
        if constexpr (std::same_as<Next, Tls>)
            stream_.next_layer().async_handshake(
                asio::ssl::stream_base::server,
                [me = this->shared_from_this()](const error_code& code) {
                    if (!code)
                        me->accept();
                });
        else
            accept();
    }

private:
    void accept() {
        stream_.binary(true);
        stream_.async_accept([me = this->shared_from_this()](const error_code& code) {
            if (!code)
                me->read();
        });
    }
    void read() {
        stream_.async_read(buffer_,
                           [me = this->shared_from_this()](const error_code& code, std::size_t) {
                               if (!code)
                                   me->write();
                           });
    }
    void write() {
        stream_.async_write(buffer_.data(),
                            [me = this->shared_from_this()](const error_code& code, std::size_t) {
                                me->buffer_.clear();
                                if (!code)
                                    me->read();
                            });
    }

    websocket::stream<Next> stream_;
    beast::flat_buffer buffer_;
};

template <class Protocol, class Begin>
void accept_all(asio::basic_socket_acceptor<Protocol>& acceptor, Begin begin) {
    acceptor.async_accept([&acceptor, begin](const error_code& code, auto socket) {
        if (!code) {
            error_code ignored;
            if constexpr (std::same_as<Protocol, tcp>)
                socket.set_option(tcp::no_delay(true), ignored);
            begin(std::move(socket));
        }
        accept_all(acceptor, begin);
    });
}

class UdpEcho {
public:
    UdpEcho(asio::io_context& context, int tell)
        : socket_(context, udp::endpoint(asio::ip::address_v4::loopback(), 0)) {
        tell_port(tell, socket_.local_endpoint().port());
        read();
    }

private:
    void read() {
        socket_.async_receive_from(
            asio::buffer(buffer_), from_, [this](const error_code& code, std::size_t n) {
                if (code)
                    return read();
                socket_.async_send_to(asio::buffer(buffer_, n), from_,
                                      [this](const error_code&, std::size_t) { read(); });
            });
    }
    udp::socket socket_;
    udp::endpoint from_;
    std::array<char, 64 * 1024> buffer_;
};

void serve_enet(int tell) {
    ENetAddress at{};
    at.host = ENET_HOST_TO_NET_32(asio::ip::address_v4::loopback().to_uint());
    ENetHost* host = enet_host_create(&at, 4095, 8, 0, 0);
    if (!host || enet_socket_get_address(host->socket, &at) != 0)
        std::_Exit(1);
    tell_port(tell, at.port);
    ENetEvent event;
    for (;;) {
        if (enet_host_service(host, &event, 10) <= 0 || event.type != ENET_EVENT_TYPE_RECEIVE)
            continue;
        enet_peer_send(event.peer, event.channelID,
                       enet_packet_create(event.packet->data, event.packet->dataLength,
                                          ENET_PACKET_FLAG_RELIABLE));
        enet_packet_destroy(event.packet);
    }
}

template <template <class> class Session>
void serve_tcp(asio::io_context& context, const ServerOptions& options, bool secure, int tell) {
    tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    tell_port(tell, acceptor.local_endpoint().port());
    asio::ssl::context tls(asio::ssl::context::tls_server);
    if (!secure) {
        accept_all(acceptor, [](tcp::socket socket) {
            std::make_shared<Session<tcp::socket>>(std::move(socket))->start();
        });
    } else {
        tls.use_certificate_chain_file(options.folder + "/server.pem");
        tls.use_private_key_file(options.folder + "/server.key", asio::ssl::context::pem);
        accept_all(acceptor, [&tls](tcp::socket socket) {
            std::make_shared<Session<Tls>>(Tls(std::move(socket), tls))->start();
        });
    }
    context.run();
}

}  // namespace

void serve_plain(const ServerOptions& options, const std::string& path, int tell) {
    asio::io_context context(1);
    switch (options.transport) {
        case Transport::tcp:
        case Transport::tls:
            serve_tcp<Echo>(context, options, options.transport == Transport::tls, tell);
            break;
        case Transport::websocket:
        case Transport::websocket_tls:
            serve_tcp<WebSocketEcho>(context, options,
                                     options.transport == Transport::websocket_tls, tell);
            break;
        case Transport::local: {
            Local::acceptor acceptor(context, Local::endpoint(path));
            tell_port(tell, 1);
            accept_all(acceptor, [](Local::socket socket) {
                std::make_shared<Echo<Local::socket>>(std::move(socket))->start();
            });
            context.run();
            break;
        }
        case Transport::udp: {
            const UdpEcho echo(context, tell);
            context.run();
            break;
        }
        case Transport::enet:
            serve_enet(tell);
            break;
    }
    std::_Exit(1);
}

}  // namespace gdvar::load
