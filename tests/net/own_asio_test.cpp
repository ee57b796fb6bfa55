// A program that uses Asio and Beast itself, of another version than gdvar's or with another
// configuration. Both work: gdvar's loop beside the program's own.
#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

namespace asio = boost::asio;

/// Sends back what comes, until the client ends.
class OwnEcho : public std::enable_shared_from_this<OwnEcho> {
public:
    explicit OwnEcho(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}
    void read() {
        socket_.async_read_some(
            asio::buffer(bytes_),
            [me = shared_from_this()](boost::system::error_code code, std::size_t n) {
                if (!code)
                    me->write(n);
            });
    }

private:
    void write(std::size_t n) {
        asio::async_write(socket_, asio::buffer(bytes_, n),
                          [me = shared_from_this()](boost::system::error_code code, std::size_t) {
                              if (!code)
                                  me->read();
                          });
    }
    asio::ip::tcp::socket socket_;
    std::array<char, 65536> bytes_{};
};

/// The program's own use of its Asio, in a thread.
class OwnServer {
public:
    OwnServer() : acceptor_(context_, {asio::ip::address_v4::loopback(), 0}), timer_(context_) {
        accept();
        tick();
        thread_ = std::thread([this] { context_.run(); });
    }
    ~OwnServer() {
        context_.stop();
        thread_.join();
    }
    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    int ticks() const { return ticks_; }

private:
    void accept() {
        acceptor_.async_accept(
            [this](boost::system::error_code code, asio::ip::tcp::socket socket) {
                if (code)
                    return;
                std::make_shared<OwnEcho>(std::move(socket))->read();
                accept();
            });
    }
    void tick() {
        timer_.expires_after(std::chrono::milliseconds(1));
        timer_.async_wait([this](boost::system::error_code code) {
            if (code)
                return;
            ++ticks_;
            tick();
        });
    }
    asio::io_context context_;
    asio::ip::tcp::acceptor acceptor_;
    asio::steady_timer timer_;
    std::atomic<int> ticks_{0};
    std::thread thread_;
};

void expect_echoes(const std::string& url) {
    auto client = Connection::connect(url, test_options());
    ASSERT_TRUE(client) << client.error().text;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(client->put_var(i));
        const auto back = client->get_var<int>();
        ASSERT_TRUE(back) << i << ": " << back.error().text;
        ASSERT_EQ(*back, i);
    }
}

TEST(OwnAsio, GdvarsServersWorkBesideIt) {
    const OwnServer own;
    for (const std::string& scheme : every_scheme) {
        if (!is_here(scheme))
            continue;
        SCOPED_TRACE(scheme);
        EchoServer server(listening(scheme), test_options());
        expect_echoes(server.url());
    }
    // The lengths before packets are echoed with them.
    expect_echoes("tcp://127.0.0.1:" + std::to_string(own.port()));
    EXPECT_GT(own.ticks(), 0);
}

}  // namespace
}  // namespace gdvar::test
