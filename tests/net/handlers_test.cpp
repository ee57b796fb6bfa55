// Handlers that throw: each of them, over each transport. Their own connection ends and is told;
// the listener, its other connections and the loop go on.
#include <gtest/gtest.h>

#include "net/support.hpp"

namespace gdvar::test {
struct ThrowsWhenWritten {};
}  // namespace gdvar::test

template <>
struct gdvar::Bind<gdvar::test::ThrowsWhenWritten> {
    static bool read(BindCursor&, test::ThrowsWhenWritten&) { return false; }
    template <class Sink>
    static Errc write(Sink& sink, const test::ThrowsWhenWritten&) {
        (void)sink.integer(1);
        throw std::runtime_error("on purpose");
    }
};

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

const std::string every_handler[] = {"connected", "packet", "data", "ended", "drained", "closed"};

bool has(const std::string& handler, const std::string& scheme) {
    const bool stream = scheme == "tcp" || scheme == "tls" || scheme == "unix";
    return stream || (handler != "data" && handler != "ended");
}

/// A server one of whose handlers throws for each connection while `throws`.
class Throwing {
public:
    Throwing(const std::string& scheme, const std::string& handler, bool of_std)
        : handler_(handler), of_std_(of_std), server_(listening(scheme), options(), handlers()) {}

    static NetOptions options() {
        NetOptions out = test_options();
        out.max_peers = 2;
        out.max_queued = 64 * 1024;
        return out;
    }
    Server& server() { return server_; }
    std::atomic<bool> throws{false};

    /// The errors that `closed` got, once there are so many.
    std::vector<NetError> closed(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, 20s, [&] { return closed_.size() >= count; }));
        return closed_;
    }

private:
    void reached(const std::string& handler) {
        if (!throws || handler != handler_)
            return;
        if (of_std_)
            throw std::runtime_error("on purpose");
        throw 42;
    }
    /// A first byte of 'c' asks to be closed, of 'f' to be sent more than the queue takes.
    void answer(Peer& peer, ByteView packet) {
        const char what = packet.empty() ? '\0' : static_cast<char>(packet[0]);
        if (what == 'c')
            return peer.close();
        const std::vector<std::byte> filling(what == 'f' ? 1000 : 0);
        while (!filling.empty() && put(peer, filling)) {
        }
        if (what != 'f')
            (void)put(peer, packet);
    }
    bool put(Peer& peer, ByteView bytes) const {
        if (handler_ != "data")
            return peer.put_packet(bytes).has_value();
        return peer.put([&](StreamWriter& to) { return to.put_data(bytes); }).has_value();
    }
    PeerHandlers handlers() {
        PeerHandlers out;
        out.connected = [this](Peer&) { reached("connected"); };
        if (handler_ == "data")
            out.data = [this](Peer& peer, StreamReader& in) {
                reached("data");
                if (const auto bytes = in.get_data(in.available_bytes()))
                    answer(peer, as_bytes(*bytes));
            };
        else
            out.packet = [this](Peer& peer, ByteView packet) {
                reached("packet");
                answer(peer, packet);
            };
        if (handler_ == "ended")
            out.ended = [this](Peer& peer) {
                reached("ended");
                peer.close();
            };
        out.drained = [this](Peer&) { reached("drained"); };
        out.closed = [this](Peer&, const NetError& error) {
            {
                const std::scoped_lock lock(mutex_);
                closed_.push_back(error);
                changed_.notify_all();
            }
            reached("closed");
        };
        return out;
    }

    const std::string handler_;
    const bool of_std_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<NetError> closed_;
    Server server_;  // its threads use the above
};

class Throw : public OfScheme<std::tuple<std::string, std::string>> {};

/// Makes the server call the handler for this client.
void provoke(Connection& client, const std::string& handler) {
    if (handler == "connected" || handler == "ended")
        (void)client.put_packet(as_bytes(std::string_view("x")));
    if (handler == "ended") {
        (void)client.get_packet(5s);
        client.peer().shutdown();
    }
    if (handler == "packet" || handler == "data" || handler == "drained" || handler == "closed")
        (void)client.put_packet(as_bytes(std::string_view(handler == "closed"    ? "c"
                                                          : handler == "drained" ? "f"
                                                                                 : "x")));
    // Until this side knows; over UDP it never does.
    for (int i = 0; i < (client.peer().transport() == Transport::udp ? 1 : 200); ++i)
        if (const auto got = client.get_packet(20ms); !got && got.error().code != Errc::timed_out)
            break;
}

void expect_echo(Connection& client, const std::string& text) {
    ASSERT_TRUE(client.put_packet(as_bytes(text)));
    const auto back = client.get_packet();
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(to_bytes(*back).size(), text.size());
}

TEST_P(Throw, EndsItsOwnConnectionAlone) {
    const auto& [handler, scheme] = GetParam();
    for (const bool of_std : {true, false}) {
        Throwing throwing(scheme, handler, of_std);
        Server& server = throwing.server();
        const auto connect = [&] { return Connection::connect(server.url(), test_options()); };
        auto bystander = connect();
        ASSERT_TRUE(bystander) << bystander.error().text;
        expect_echo(*bystander, "one");
        for (std::size_t round = 1; round <= 3; ++round) {
            SCOPED_TRACE(round);
            throwing.throws = true;
            // The server has two places, so each must come free again.
            auto client = connect();
            if (client)
                provoke(*client, handler);
            const auto ends = throwing.closed(round);
            ASSERT_EQ(ends.size(), round);
            if (handler == "closed") {
                EXPECT_EQ(ends.back().code, Errc::ok);
            } else {
                EXPECT_EQ(ends.back().code, Errc::handler_failed) << ends.back().text;
                EXPECT_NE(ends.back().text.find(handler), std::string::npos) << ends.back().text;
                EXPECT_EQ(ends.back().text.find("on purpose") != std::string::npos, of_std);
            }
            throwing.throws = false;
            expect_echo(*bystander, "between");
        }
        EXPECT_TRUE(eventually([&] { return server.listener().peers() == 1; }));
        auto next = connect();
        ASSERT_TRUE(next) << next.error().text;
        expect_echo(*next, "after");
        expect_echo(*bystander, "last");
    }
}

std::vector<std::tuple<std::string, std::string>> table() {
    std::vector<std::tuple<std::string, std::string>> out;
    for (const std::string& handler : every_handler)
        for (const std::string& scheme : every_scheme)
            if (has(handler, scheme))
                out.emplace_back(handler, scheme);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, Throw, ::testing::ValuesIn(table()), [](const auto& one) {
    return std::get<0>(one.param) + "_" + std::get<1>(one.param);
});

/// A listener that its own handler closes, while other clients' first words wait to be read.
class CloseInHandler : public OfScheme<std::tuple<std::string, std::string, bool>> {};

TEST_P(CloseInHandler, ThenNoNewPeerIsToldOf) {
    const auto& [handler, scheme, close_peers] = GetParam();
    EventLoop loop;
    std::shared_ptr<Listener> listener;
    bool shut = false;
    int connected = 0, packets = 0, closed = 0;
    std::string after;
    const auto reached = [&](const char* what) {
        if (shut)
            after += std::string(what) + " ";
        if (what != handler || shut)
            return;
        listener->close(close_peers);
        shut = true;
    };
    PeerHandlers handlers;
    handlers.request = [&](Peer&, const HttpRequest&) -> std::optional<HttpAnswer> {
        reached("request");
        return std::nullopt;
    };
    handlers.connected = [&](Peer&) {
        ++connected;
        reached("connected");
    };
    handlers.packet = [&](Peer&, ByteView) {
        ++packets;
        // Without `close_peers` those that are there go on.
        if (close_peers || !shut)
            reached("packet");
    };
    handlers.closed = [&](Peer&, const NetError&) { ++closed; };
    NetOptions options = test_options();
    options.connect_timeout = 2s;
    auto made = gdvar::net::listen(loop, listening(scheme), options, handlers);
    ASSERT_TRUE(made) << made.error().text;
    listener = *made;
    const std::string url =
        scheme + (scheme == "unix" ? ":" : "://") + std::string(listener->address());
    std::vector<std::shared_ptr<Peer>> clients;
    const auto client = [&] {
        auto peer = gdvar::net::connect(loop, url, options, {});
        ASSERT_TRUE(peer) << peer.error().text;
        for (int i = 0; i < 2; ++i)
            ASSERT_TRUE((*peer)->put_var(i));
        clients.push_back(*peer);
    };
    for (int i = 0; i < 8; ++i)
        client();
    for (int i = 0; i < 12 || (!shut && i < 500); ++i)
        loop.run_for(20ms);
    ASSERT_TRUE(shut);
    for (int i = 0; i < 2; ++i)
        client();
    for (int i = 0; i < 12; ++i)
        loop.run_for(20ms);
    // One that was accepted, and is not told of yet, is there.
    if (close_peers || scheme == "udp" || scheme == "enet") {
        EXPECT_EQ(after, "");
    }
    EXPECT_LE(connected, 8);
    if (close_peers) {
        EXPECT_EQ(listener->peers(), 0u);
        EXPECT_GE(closed, connected);
    }
}

std::vector<std::tuple<std::string, std::string, bool>> closing_table() {
    std::vector<std::tuple<std::string, std::string, bool>> out;
    for (const std::string handler : {"request", "connected", "packet"})
        for (const std::string& scheme : every_scheme)
            for (const bool close_peers : {true, false})
                if (handler != "request" || scheme.starts_with("w"))
                    out.emplace_back(handler, scheme, close_peers);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, CloseInHandler, ::testing::ValuesIn(closing_table()),
                         [](const auto& one) {
                             return std::get<0>(one.param) + "_" + std::get<1>(one.param) +
                                    (std::get<2>(one.param) ? "_all" : "_listener");
                         });

/// A handler that ends its own connection at once: nothing is sent, and nothing told but the end.
class AbortInHandler : public OfScheme<std::tuple<std::string, std::string>> {};

TEST_P(AbortInHandler, IsTheLastThatIsDone) {
    const auto& [handler, scheme] = GetParam();
    EventLoop loop;
    bool aborted = false;
    int closed = 0;
    std::string after;
    NetError end;
    const auto reached = [&](Peer& peer, const std::string& what) {
        if (aborted)
            after += what + " ";
        if (what != handler)
            return;
        (void)peer.put_packet(as_bytes(std::string_view("late")));
        peer.abort();
        aborted = true;
    };
    PeerHandlers handlers;
    handlers.connected = [&](Peer& peer) { reached(peer, "connected"); };
    if (handler == "data")
        handlers.data = [&](Peer& peer, StreamReader&) { reached(peer, "data"); };
    handlers.packet = [&](Peer& peer, ByteView) { reached(peer, "packet"); };
    handlers.ended = [&](Peer& peer) { reached(peer, "ended"); };
    handlers.closed = [&](Peer&, const NetError& error) {
        ++closed;
        end = error;
    };
    NetOptions options = test_options();
    options.max_packet = 1000;
    auto listener = gdvar::net::listen(loop, listening(scheme), options, handlers);
    ASSERT_TRUE(listener) << listener.error().text;
    int got = 0;
    PeerHandlers clients;
    clients.packet = [&](Peer&, ByteView) { ++got; };
    const std::string url =
        scheme + (scheme == "unix" ? ":" : "://") + std::string((*listener)->address());
    auto client = gdvar::net::connect(loop, url, test_options(), clients);
    ASSERT_TRUE(client) << client.error().text;
    // More than max_packet: `data` takes none of it.
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE((*client)->put_packet(std::vector<std::byte>(900)));
    if (handler == "ended")
        (*client)->shutdown();
    for (int i = 0; i < 10 || (closed == 0 && i < 500); ++i)
        loop.run_for(10ms);
    EXPECT_TRUE(aborted);
    EXPECT_EQ(after, "");
    EXPECT_EQ(closed, 1);
    EXPECT_EQ(end.code, Errc::ok) << end.text;
    EXPECT_EQ(got, 0);
    EXPECT_EQ((*listener)->peers(), 0u);
}

std::vector<std::tuple<std::string, std::string>> aborting_table() {
    std::vector<std::tuple<std::string, std::string>> out;
    for (const std::string handler : {"connected", "packet", "data", "ended"})
        for (const std::string& scheme : every_scheme)
            if (has(handler, scheme))
                out.emplace_back(handler, scheme);
    return out;
}
INSTANTIATE_TEST_SUITE_P(All, AbortInHandler, ::testing::ValuesIn(aborting_table()),
                         [](const auto& one) {
                             return std::get<0>(one.param) + "_" + std::get<1>(one.param);
                         });

/// A long queue of datagrams leaves in parts, between which others have their turn.
TEST(Aborts, StopDatagramsThatAreLeavingInParts) {
    constexpr int many = 1'000;
    EventLoop loop;
    PeerHandlers handlers;
    handlers.packet = [&](Peer& peer, ByteView packet) {
        for (int i = 0; i < many; ++i)
            ASSERT_TRUE(peer.put_packet(packet));
        loop.post([peer = peer.shared_from_this()] { peer->abort(); });
    };
    auto listener = gdvar::net::listen(loop, "udp://127.0.0.1:0", test_options(), handlers);
    ASSERT_TRUE(listener) << listener.error().text;
    int got = 0;
    PeerHandlers clients;
    clients.packet = [&](Peer&, ByteView) { ++got; };
    auto client = gdvar::net::connect(loop, "udp://" + std::string((*listener)->address()),
                                      test_options(), clients);
    ASSERT_TRUE(client && (*client)->put_packet(as_bytes(std::string_view("x"))));
    for (int i = 0; i < 20; ++i)
        loop.run_for(10ms);
    EXPECT_GT(got, 0);
    EXPECT_LE(got, 64);  // one part
    EXPECT_EQ((*listener)->peers(), 0u);
}

struct NoWords : std::exception {
    const char* what() const noexcept override { return nullptr; }
};

/// An exception may have nothing to say.
TEST(Throws, WithoutAWordEndsTheConnectionTheSame) {
    std::string text;
    PeerHandlers handlers;
    handlers.packet = [](Peer&, ByteView) { throw NoWords(); };
    handlers.closed = [&](Peer&, const NetError& error) { text = error.text; };
    Server server("tcp://127.0.0.1:0", test_options(), handlers);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client && client->put_var(1));
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "handler_failed\n");
    EXPECT_EQ(text, "the handler `packet` threw: an exception without a text");
}

/// The loop works on after what was posted has thrown, and also ends when there is nothing to do.
TEST(Throws, FromPostLeaveRunAndNoMore) {
    EventLoop loop;
    int called = 0;
    for (int round = 0; round < 3; ++round) {
        loop.post([] { throw std::runtime_error("on purpose"); });
        loop.after(1ms, [] { throw std::runtime_error("on purpose"); });
        EXPECT_THROW(loop.run(), std::runtime_error);
        EXPECT_THROW(loop.run(), std::runtime_error);
        loop.post([&] { ++called; });
        loop.run();
        EXPECT_EQ(called, round + 1);
    }
}

/// A writer of a message may throw in the middle of it: then nothing of it is sent.
TEST(Throws, FromAPutLeaveNothingInTheQueue) {
    EchoServer server("tcp://127.0.0.1:0", test_options());
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client) << client.error().text;
    EXPECT_THROW((void)client->peer().put([](StreamWriter& to) -> std::expected<void, Error> {
        (void)to.put_32(0x7FFF'FFFF);
        throw std::runtime_error("on purpose");
    }),
                 std::runtime_error);
    EXPECT_THROW((void)client->put_var(ThrowsWhenWritten{}), std::runtime_error);
    expect_echo(*client, "whole");
}

}  // namespace
}  // namespace gdvar::test
