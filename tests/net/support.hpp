// Servers in threads of their own, raw sockets, recorded packets.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <random>
#include <thread>
#include <tuple>

#include "gdvar/net/connection.hpp"
#include "support/data.hpp"
#include "support/socket.hpp"
#include "support/system.hpp"

namespace gdvar::test {

using namespace net;

/// The folder of server.pem and server.key, a certificate made for these tests (certificates.cpp).
std::filesystem::path certificates();

inline NetOptions test_options() {
    NetOptions out = NetOptions::unlimited();
    out.decoding.allow_objects = true;
    out.encoding.allow_objects = true;
    out.max_packet = 1u << 20;
    out.tls.certificate_file = text_of(certificates() / "server.pem");
    out.tls.key_file = text_of(certificates() / "server.key");
    out.tls.ca_file = text_of(certificates() / "server.pem");
    return out;
}

/// Waits for it, at most 20 seconds.
template <class Condition>
bool eventually(Condition&& condition) {
    for (int i = 0; i < 2000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return condition();
}

inline const std::string every_scheme[] = {"tcp", "tls", "unix", "udp", "ws", "wss", "enet"};
/// Whether this system has that transport.
inline bool is_here(std::string_view scheme) {
    return scheme != "unix" || has_unix_sockets();
}
/// A test of one transport: the parameter, or the second part of it.
template <class Parameter = std::string>
class OfScheme : public ::testing::TestWithParam<Parameter> {
protected:
    void SetUp() override {
        if (!is_here(scheme_of(this->GetParam())))
            GTEST_SKIP() << "no Unix sockets here";
    }

private:
    static const std::string& scheme_of(const std::string& scheme) { return scheme; }
    template <class... Parts>
    static const std::string& scheme_of(const std::tuple<Parts...>& parts) {
        return std::get<1>(parts);
    }
};
/// Where a server of this process may listen, with that transport.
inline std::string listening(const std::string& scheme) {
    if (scheme == "unix")
        return "unix:" + text_of(std::filesystem::temp_directory_path() /
                                 ("gdvar-" + std::to_string(std::random_device()()) + ".sock"));
    return scheme + "://127.0.0.1:0";
}

inline std::vector<std::byte> to_bytes(const PackedByteArray& bytes) {
    const auto view = as_bytes(bytes);
    return {view.begin(), view.end()};
}

/// A server in threads of its own, until it goes.
class Server {
public:
    Server(const std::string& url, const NetOptions& options, PeerHandlers handlers,
           int threads = 1) {
        auto user = std::move(handlers.closed);
        handlers.closed = [this, user](Peer& peer, const NetError& error) {
            if (user)
                user(peer, error);
            const std::scoped_lock lock(mutex_);
            ends_ += std::string(error_name(error.code)) + "\n";
            ++closed_;
            changed_.notify_all();
        };
        auto made = gdvar::net::listen(loop_, url, options, std::move(handlers));
        if (!made) {
            ADD_FAILURE() << url << ": " << made.error().text;
            std::abort();
        }
        listener_ = *made;
        scheme_ = url.substr(0, url.find(':'));
        for (int i = 0; i < threads; ++i)
            threads_.emplace_back([this] { loop_.run(); });
    }
    ~Server() { stop(); }
    void stop() {
        loop_.stop();
        for (auto& thread : threads_)
            thread.join();
        threads_.clear();
    }
    std::string url() const {
        return scheme_ + (scheme_ == "unix" ? ":" : "://") + listener_->address();
    }
    std::uint16_t port() const { return listener_->port(); }
    EventLoop& loop() { return loop_; }
    Listener& listener() const { return *listener_; }

    /// The codes with which connections ended so far, one a line.
    std::string ends() const {
        const std::scoped_lock lock(mutex_);
        return ends_;
    }
    void wait_closed(int count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(
            changed_.wait_for(lock, std::chrono::seconds(20), [&] { return closed_ >= count; }))
            << closed_ << " instead of " << count << " connections have ended";
    }
    /// The codes that aren't "ok" in the end, or all of them when only some came.
    std::string finish() {
        stop();
        std::string out = ends();
        return out;
    }

protected:
    EventLoop loop_;
    std::shared_ptr<Listener> listener_;
    std::string scheme_;
    std::vector<std::thread> threads_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::string ends_;
    int closed_ = 0;
};

inline PeerHandlers echo() {
    PeerHandlers out;
    out.packet = [](Peer& peer, ByteView packet) {
        (void)peer.put_packet(packet, peer.packet_flags());
    };
    return out;
}

class EchoServer : public Server {
public:
    EchoServer(const std::string& url, const NetOptions& options, int threads = 1)
        : Server(url, options, echo(), threads) {}
};

/// A plain TCP socket, to do what no peer should.
class RawSocket : public Socket {
public:
    explicit RawSocket(std::uint16_t port) : Socket(stream(port)) {
        EXPECT_TRUE(static_cast<bool>(*this));
    }
    bool try_send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto n = Socket::send(bytes);
            if (n <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    void send(std::string_view bytes) const { EXPECT_TRUE(try_send(bytes)); }
};

}  // namespace gdvar::test
