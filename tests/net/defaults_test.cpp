// The bounds of a listener's default options, and WebSocket servers' requests.
#include <gtest/gtest.h>

#include "net/limits.hpp"
#include "net/raw.hpp"
#include "net/support.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

NetOptions defaults() {
    NetOptions out;
    out.tls = test_options().tls;
    return out;
}

TEST(Defaults, AreThoseOfTheTable) {
    EXPECT_EQ(ListenDefaults::bytes_per_second, 1u << 20);
    EXPECT_EQ(ListenDefaults::packets_per_second, 500u);
    EXPECT_EQ(ListenDefaults::burst, 10s);
    EXPECT_EQ(ListenDefaults::idle_timeout, 120s);
    EXPECT_EQ(NetOptions().max_peers_per_address, 32u);
    const NetOptions off = NetOptions::unlimited();
    EXPECT_EQ(off.bytes_per_second, 0u);
    EXPECT_EQ(off.packets_per_second, 0u);
    EXPECT_EQ(off.idle_timeout, 0ms);
    EXPECT_EQ(off.max_peers_per_address, 0u);
    EXPECT_EQ(Limits::none().max_bytes, UINT64_MAX);
}

class Defaulted : public OfScheme<> {};

/// The defaults bound how much of an endless sender is handled.
TEST_P(Defaulted, OverloadIsBounded) {
    const bool datagrams = GetParam() == "udp";
    std::atomic<std::uint64_t> packets{0};
    std::atomic<bool> options_seen{false};
    PeerHandlers handlers;
    handlers.packet = [&](Peer& peer, ByteView) {
        ++packets;
        options_seen = peer.options().packets_per_second == ListenDefaults::packets_per_second &&
                       peer.options().idle_timeout == ListenDefaults::idle_timeout;
    };
    Server server(listening(GetParam()), defaults(), handlers);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client) << client.error().text;
    // The burst is there: a game that sends a level at once is not slowed down.
    const std::uint64_t burst = datagrams ? 1000 : 4000;
    const auto start = Steady::now();
    std::size_t sent = 0;
    const auto sends_for = [&](auto time) { return Steady::now() - start < time; };
    while (sends_for(1500ms) || (packets < burst && sends_for(30s))) {
        for (int i = 0; i < 200; ++i)
            sent += client->peer().put_packet(as_bytes(std::string_view("x"))).has_value();
        (void)client->get_packet(5ms);
    }
    const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
    const double most = static_cast<double>(ListenDefaults::packets_per_second) * (10 + seconds);
    EXPECT_GT(sent, static_cast<std::size_t>(most)) << "no overload";
    EXPECT_LE(static_cast<double>(packets), most + 200);
    EXPECT_GE(packets, burst);
    EXPECT_TRUE(options_seen);
}

INSTANTIATE_TEST_SUITE_P(All, Defaulted,
                         ::testing::Values("tcp", "tls", "unix", "udp", "ws", "wss"),
                         [](const auto& one) { return one.param; });

TEST(Defaults, ABurstOfBytes) {
    const Steady::time_point now{};
    NetOptions options = net::detail::with_listen_defaults({});
    net::detail::ReceiveLimits limits(options, now);
    limits.take_bytes((10u << 20) - 1);
    EXPECT_EQ(limits.packet_delay(now), 0s);
    limits.take_bytes(1u << 20);
    EXPECT_GE(limits.packet_delay(now), 900ms);
    // Rates of one's own have a second's burst, unless told otherwise.
    NetOptions five;
    five.packets_per_second = 5;
    options = net::detail::with_listen_defaults(five);
    net::detail::ReceiveLimits own(options, now);
    for (int i = 0; i < 5; ++i)
        own.take_packet();
    EXPECT_GT(own.packet_delay(now), 0s);
    five.burst = 2s;
    options = net::detail::with_listen_defaults(five);
    net::detail::ReceiveLimits longer(options, now);
    for (int i = 0; i < 9; ++i)
        longer.take_packet();
    EXPECT_EQ(longer.packet_delay(now), 0s);
    options = net::detail::with_listen_defaults(NetOptions::unlimited());
    EXPECT_FALSE(net::detail::ReceiveLimits(options, now).limited());
}

TEST(Defaults, ThirtyTwoPeersAnAddress) {
    EchoServer server("tcp://127.0.0.1:0", defaults());
    std::vector<std::unique_ptr<RawSocket>> all;
    for (int i = 0; i < 40; ++i)
        all.push_back(std::make_unique<RawSocket>(server.port()));
    for (int i = 0; server.listener().peers() < 32 && i < 500; ++i)
        std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(server.listener().peers(), 32u);
    all.clear();
    server.wait_closed(32);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client && client->put_var(1));
    EXPECT_EQ(client->get_var<int>(), 1);
}

/// A client has no limits but those that it names: it has chosen the server.
TEST(Defaults, AreNotAClients) {
    EventLoop loop;
    const auto peer = gdvar::net::connect(loop, "tcp://127.0.0.1:1", {}, {});
    ASSERT_TRUE(peer);
    EXPECT_FALSE((*peer)->options().bytes_per_second);
    EXPECT_FALSE((*peer)->options().idle_timeout);
}

// ---- WebSocket requests -------------------------------------------------------------------------

/// The whole answer, or a WebSocket's first line.
std::string answer_to(std::uint16_t port, const std::string& request) {
    const RawSocket raw(port);
    raw.send(request);
    std::string out;
    char c = 0;
    while (!out.ends_with("\r\n") && raw.receive(&c, 1) == 1)
        out += c;
    return out.starts_with("HTTP/1.1 101") ? out : out + raw.receive_all();
}

TEST(Requests, ByDefaultNoPageMayConnect) {
    struct Case {
        std::vector<std::string> origins;
        const char *header, *answer;
    };
    const Case cases[] = {
        {{}, "", "HTTP/1.1 101 "},
        {{}, "Origin: https://example.org\r\n", "HTTP/1.1 403 "},
        {{}, "Origin: null\r\n", "HTTP/1.1 403 "},
        {{"*"}, "Origin: https://example.org\r\n", "HTTP/1.1 101 "},
        {{"*"}, "Origin: null\r\n", "HTTP/1.1 101 "},
    };
    for (const Case& one : cases) {
        NetOptions options = defaults();
        options.origins = one.origins;
        EchoServer server("ws://127.0.0.1:0", options);
        EXPECT_TRUE(answer_to(server.port(), websocket_request(one.header)).starts_with(one.answer))
            << one.header;
    }
}

/// The client chooses it, and the message may reach a terminal or a log.
TEST(Requests, AnOriginInAMessageIsShortAndReadable) {
    std::string told;
    PeerHandlers handlers;
    handlers.closed = [&](Peer&, const NetError& error) { told = error.text; };
    Server server("ws://127.0.0.1:0", defaults(), handlers);
    (void)answer_to(server.port(), websocket_request("Origin: https://\xE2\x80\xAE\xff" +
                                                     std::string(4000, 'x') + "\r\n"));
    server.wait_closed(1);
    server.stop();
    EXPECT_TRUE(told.starts_with("a page of \"https://\\u202e\\xffxxx")) << told;
    EXPECT_LT(told.size(), 250u);
}

/// On every transport: an empty packet, and no other.
TEST(Defaults, APacketOfNoBytes) {
    for (const std::string scheme : {"tcp", "tls", "unix", "ws", "wss", "enet"}) {
        if (!is_here(scheme))
            continue;
        auto options = test_options();
        options.max_packet = 0;
        EchoServer server(listening(scheme), options);
        auto client = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(client) << client.error().text;
        ASSERT_TRUE(client->put_packet({}));
        const auto empty = client->get_packet(5s);
        ASSERT_TRUE(empty) << scheme << ": " << empty.error().text;
        EXPECT_TRUE(empty->empty());
        ASSERT_TRUE(client->put_packet(as_bytes(std::string_view("x"))));
        EXPECT_FALSE(client->get_packet(5s)) << scheme;
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), "size_limit\n") << scheme;
    }
}

TEST(Requests, APageGetsAnAnswer) {
    std::vector<std::string> told;
    PeerHandlers handlers;
    handlers.closed = [&](Peer&, const NetError& error) { told.push_back(error.text); };
    Server server("ws://127.0.0.1:0", defaults(), handlers);
    const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const std::string answer = answer_to(server.port(), get);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 426 Upgrade Required\r\n")) << answer;
    EXPECT_NE(answer.find("\r\nUpgrade: websocket\r\n"), answer.npos) << answer;
    EXPECT_NE(answer.find("ws://"), answer.npos) << answer;
    const std::string head = answer_to(server.port(), "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(head.starts_with("HTTP/1.1 426 ")) << head;
    EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
    server.wait_closed(2);
    server.stop();
    EXPECT_EQ(told, std::vector<std::string>(2, "no request for a WebSocket"));
}

TEST(Requests, TheHandlerSeesAndMayRefuse) {
    for (const std::string scheme : {"ws", "wss"}) {
        std::string seen;
        bool throws = false;
        PeerHandlers handlers = echo();
        handlers.request = [&](Peer& peer,
                               const HttpRequest& request) -> std::optional<HttpAnswer> {
            if (throws)
                throw std::runtime_error("on purpose");
            seen += std::string(request.method) + " " + std::string(request.target) + " " +
                    (request.websocket ? "ws " : "page ") +
                    std::string(request.header("x-forwarded-FOR")) + "\n";
            EXPECT_EQ(peer.path(), request.target);
            EXPECT_EQ(request.header("missing"), "");
            if (!request.websocket)
                return request.target == "/health"
                           ? std::optional(HttpAnswer{.status = 200, .body = "ok"})
                           : std::nullopt;
            if (request.target != "/room/7?token=x")
                return HttpAnswer{.status = 404, .body = "no such room"};
            return std::nullopt;
        };
        Server server(scheme + "://127.0.0.1:0", defaults(), handlers);
        auto right = Connection::connect(server.url() + "/room/7?token=x", test_options());
        ASSERT_TRUE(right) << right.error().text;
        ASSERT_TRUE(right->put_var(7));
        EXPECT_EQ(right->get_var<int>(), 7);
        EXPECT_FALSE(Connection::connect(server.url() + "/room/8", test_options()));
        if (scheme == "ws") {
            const std::string refused =
                answer_to(server.port(),
                          "GET /room/8 HTTP/1.1\r\nX-Forwarded-For: 10.0.0.1\r\n" +
                              websocket_request().substr(websocket_request().find("\r\n") + 2));
            EXPECT_TRUE(refused.starts_with("HTTP/1.1 404 Not Found\r\n")) << refused;
            EXPECT_TRUE(refused.ends_with("\r\n\r\nno such room")) << refused;
            const std::string page =
                answer_to(server.port(), "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            EXPECT_TRUE(page.starts_with("HTTP/1.1 200 OK\r\n")) << page;
            EXPECT_TRUE(page.ends_with("\r\n\r\nok")) << page;
            EXPECT_TRUE(answer_to(server.port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                            .starts_with("HTTP/1.1 426 "));
        }
        throws = true;
        EXPECT_FALSE(Connection::connect(server.url(), test_options()));
        throws = false;
        EXPECT_TRUE(Connection::connect(server.url() + "/room/7?token=x", test_options()));
        server.stop();
        EXPECT_TRUE(seen.starts_with("GET /room/7?token=x ws \nGET /room/8 ws \n")) << seen;
        if (scheme == "ws") {
            EXPECT_NE(seen.find("GET /room/8 ws 10.0.0.1\nGET /health page \n"), seen.npos) << seen;
        }
        EXPECT_NE(server.ends().find("handler_failed\n"), std::string::npos);
    }
}

/// Whatever the method, and whether or not its body comes.
TEST(Requests, AnyMethodGetsAnAnswer) {
    struct Case {
        std::string request, status, body;
    };
    const std::string host = " / HTTP/1.1\r\nHost: x\r\n";
    const std::string upgrade = websocket_request().substr(websocket_request().find("\r\n") + 2);
    const Case cases[] = {
        {"POST" + host + "Content-Length: 4\r\n\r\n", "426", "a=12"},
        {"POST" + host + "Content-Length: 4\r\n\r\n", "426", ""},
        {"POST" + host + "Content-Length: 4294967296\r\n\r\n", "426", ""},
        {"POST" + host + "Content-Length: 18446744073709551615\r\n\r\n", "426", "x"},
        {"POST" + host + "Content-Length: 200000\r\n\r\n", "426", std::string(200'000, 'x')},
        {"POST" + host + "Transfer-Encoding: chunked\r\n\r\n", "426", "4\r\na=12\r\n0\r\n\r\n"},
        {"POST" + host + "Transfer-Encoding: chunked\r\n\r\n", "426", std::string(200'000, 'x')},
        {"POST" + host + "Content-Length: 0\r\n\r\n", "426", ""},
        {"POST" + host + "\r\n", "426", ""},
        {"POST / HTTP/1.1\r\n" + upgrade, "426", ""},
        {"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n", "426", "a=12"},
        {"GET" + host + "Content-Length: 4\r\n\r\n", "426", "a=12"},
        {"PUT" + host + "Content-Length: 4\r\n\r\n", "426", "a=12"},
        {"DELETE" + host + "\r\n", "426", ""},
        {"OPTIONS" + host + "\r\n", "426", ""},
        {"BREW" + host + "\r\n", "426", ""},
        // RFC 6455 4.1 knows of no body of a handshake: it would be taken for frames.
        {"GET / HTTP/1.1\r\nContent-Length: 4\r\n" + upgrade, "400", "a=12"},
        {"GET / HTTP/1.1\r\nContent-Length: 4\r\n" + upgrade, "400", ""},
        {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + upgrade, "400", ""},
    };
    for (const bool has_handler : {false, true}) {
        PeerHandlers handlers = echo();
        int asked = 0;
        if (has_handler)
            handlers.request = [&](Peer&, const HttpRequest&) -> std::optional<HttpAnswer> {
                ++asked;
                return std::nullopt;
            };
        Server server("ws://127.0.0.1:0", defaults(), handlers);
        int count = 0;
        for (const Case& one : cases) {
            std::string answer;
            {
                const RawSocket raw(server.port());
                raw.send(one.request);
                // Apart from its header, as most clients send it.
                std::this_thread::sleep_for(5ms);
                (void)raw.try_send(one.body);
                answer = raw.receive_all();
            }
            EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + one.status + " "))
                << one.request << answer;
            EXPECT_NE(answer.find("\r\nConnection: close\r\n"), answer.npos) << one.request;
            server.wait_closed(++count);
        }
        server.stop();
        EXPECT_EQ(server.listener().peers(), 0u);
        EXPECT_EQ(asked, has_handler ? 16 : 0);
    }
}

/// A client that is no browser, or a proxy with too many cookies, learns why it is refused.
TEST(Requests, ABrokenOneGetsAnAnswer) {
    struct Case {
        std::string request, status;
    };
    const std::string get = "GET / HTTP/1.1\r\nHost: x\r\n";
    const auto many = [](std::size_t size) {
        std::string out;
        while (out.size() < size)
            out += "X-" + std::to_string(out.size()) + ": " + std::string(60, 'x') + "\r\n";
        return out;
    };
    const auto of_size = [&](std::size_t size) {
        return get + "X: " + std::string(size - get.size() - 7, 'x') + "\r\n\r\n";
    };
    const Case cases[] = {
        {get + "Cookie: " + std::string(9'000, 'x') + "\r\n\r\n", "431"},
        {get + "Cookie: " + std::string(200'000, 'x') + "\r\n\r\n", "431"},
        {get + std::string(9'000, 'x'), "431"},
        {"GET /" + std::string(9'000, 'x') + " HTTP/1.1\r\n\r\n", "431"},
        // Short lines, each of which is within the limit.
        {get + many(9'000) + "\r\n", "431"},
        {get + many(200'000) + "\r\n", "431"},
        {websocket_request(many(9'000)), "431"},
        {websocket_request(many(7'000)), "101"},
        {get + many(7'000) + "\r\n", "426"},
        {of_size(8 * 1024), "426"},
        {of_size(8 * 1024 + 1), "431"},
        {"GET /" + std::string(5'000, 'x') + " HTTP/1.1\r\n" + many(5'000) + "\r\n", "431"},
        {"hello\r\n\r\n", "400"},
        {"\r\n\r\n\r\n\r\n", "400"},
        {"GET /\r\n\r\n", "400"},
        {"GET / HTTP/2.0\r\n\r\n", "400"},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
        {"GET / HTTQ/1.1\r\n\r\n", "400"},
        {"GET /\x01 HTTP/1.1\r\n\r\n", "400"},
        {get + "no colon\r\n\r\n", "400"},
        {get + " folded: x\r\nX y: z\r\n\r\n", "400"},
        {get + "X: \x01\r\n\r\n", "400"},
        {get + "X: y\n\n\r\n\r\n", "400"},
        {get + "Content-Length: many\r\n\r\n", "400"},
        {get + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "400"},
        {frame("what Godot's StreamPeer sends") + std::string(20'000, '\0'), "400"},
        {random_bytes(20'000, 1), "400"},
        // TLS at a port without it.
        {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), "400"},
        {websocket_request() + websocket_frame(0x82, "12345678"), "400"},
    };
    int asked = 0;
    PeerHandlers handlers = echo();
    handlers.request = [&](Peer&, const HttpRequest&) -> std::optional<HttpAnswer> {
        ++asked;
        return std::nullopt;
    };
    Server server("ws://127.0.0.1:0", defaults(), handlers);
    int count = 0;
    std::string ends;
    const auto begun = Steady::now();
    // In pieces, and at once: so far a parser sees it.
    for (const std::size_t piece : {std::size_t{700}, std::size_t{1} << 20})
        for (const Case& one : cases) {
            SCOPED_TRACE(one.status + " " + one.request.substr(0, 100));
            std::string answer;
            {
                const RawSocket raw(server.port());
                for (std::size_t at = 0; at < one.request.size(); at += piece)
                    if (!raw.try_send(std::string_view(one.request).substr(at, piece)))
                        break;
                if (one.status == "101")
                    raw.shut();
                answer = raw.receive_all();
            }
            EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + one.status + " ")) << answer;
            EXPECT_EQ(answer.find("HTTP/1.1 ", 1), answer.npos) << answer;
            server.wait_closed(++count);
            ends += one.status == "101" ? "ok\n" : "bad_packet\n";
        }
    EXPECT_EQ(server.ends(), ends);
    EXPECT_LT(Steady::now() - begun, 30s);
    EXPECT_EQ(asked, 6);
    EXPECT_EQ(server.listener().peers(), 0u);
}

/// Neither one that never ends nor its client's silence after the answer costs more than a while.
TEST(Requests, ABrokenOneIsBounded) {
    EchoServer server("ws://127.0.0.1:0", defaults());
    const auto begun = Steady::now();
    const RawSocket silent(server.port());
    silent.send("hello\r\n\r\n");
    const RawSocket raw(server.port());
    raw.send("GET / HTTP/1.1\r\n");
    const std::string part = "a: b\r\nc: d\r\n";
    std::string lines;
    while (lines.size() < 64 * 1024)
        lines += part;
    std::size_t sent = 0;
    while (sent < (256u << 20) && raw.try_send(lines))
        sent += lines.size();
    EXPECT_LT(sent, 64u << 20);
    server.wait_closed(2);
    EXPECT_LT(Steady::now() - begun, 5s);
    EXPECT_EQ(server.ends(), "bad_packet\nbad_packet\n");
}

/// After `abort` in the handler nothing is sent, whatever the handler returns or throws.
TEST(Requests, AbortSendsNothing) {
    const std::string page = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const std::string& request : {page, websocket_request()})
        for (const std::string then : {"open", "answer", "throw"}) {
            SCOPED_TRACE(then + " " + request);
            std::vector<std::string> told;
            PeerHandlers handlers;
            handlers.request = [&](Peer& peer, const HttpRequest&) -> std::optional<HttpAnswer> {
                told.emplace_back("request");
                (void)peer.put_packet(as_bytes(std::string_view("x")));
                peer.abort();
                EXPECT_FALSE(peer.put_packet(as_bytes(std::string_view("x"))));
                if (then == "throw")
                    throw std::runtime_error("on purpose");
                return then == "answer" ? std::optional(HttpAnswer{}) : std::nullopt;
            };
            handlers.connected = [&](Peer&) { told.emplace_back("connected"); };
            handlers.closed = [&](Peer&, const NetError&) { told.emplace_back("closed"); };
            Server server("ws://127.0.0.1:0", defaults(), handlers);
            const RawSocket raw(server.port());
            raw.send(request);
            EXPECT_EQ(raw.receive_all(), "");
            server.wait_closed(1);
            EXPECT_EQ(server.finish(), then == "throw" ? "handler_failed\n" : "ok\n");
            EXPECT_EQ(told, (std::vector<std::string>{"request", "closed"}));
        }
}

/// `close` sends what is queued first: the answer, or the WebSocket's beginning and a close frame.
TEST(Requests, CloseSendsTheAnswer) {
    for (const bool refuses : {false, true}) {
        std::vector<std::string> told;
        PeerHandlers handlers;
        handlers.request = [&](Peer& peer, const HttpRequest&) -> std::optional<HttpAnswer> {
            (void)peer.put_packet(as_bytes(std::string_view("x")));
            peer.close();
            return refuses ? std::optional(HttpAnswer{.status = 404}) : std::nullopt;
        };
        handlers.connected = [&](Peer&) { told.emplace_back("connected"); };
        handlers.closed = [&](Peer&, const NetError&) { told.emplace_back("closed"); };
        Server server("ws://127.0.0.1:0", defaults(), handlers);
        const RawSocket raw(server.port());
        raw.send(websocket_request());
        std::string answer;
        char c = 0;
        while (raw.receive(&c, 1) == 1) {
            answer += c;
            if (answer.ends_with("\x88\x02\x03\xe8"))
                raw.send(websocket_frame(0x88, "\x03\xe8"));
        }
        EXPECT_TRUE(answer.starts_with(refuses ? "HTTP/1.1 404 " : "HTTP/1.1 101 ")) << answer;
        if (!refuses) {
            EXPECT_TRUE(answer.ends_with("\r\n\r\n\x82\x01x\x88\x02\x03\xe8")) << answer;
        }
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), refuses ? "bad_packet\n" : "ok\n");
        EXPECT_EQ(told, std::vector<std::string>{"closed"});
    }
}

/// A body is not read without end, nor waited for.
TEST(Requests, ABodyIsBounded) {
    EchoServer server("ws://127.0.0.1:0", defaults());
    const RawSocket raw(server.port());
    raw.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const auto begun = std::chrono::steady_clock::now();
    const std::string part(64 * 1024, 'x');
    std::size_t sent = 0;
    while (sent < (1u << 30) && raw.try_send(part))
        sent += part.size();
    EXPECT_LT(sent, 64u << 20);
    server.wait_closed(1);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
    const RawSocket silent(server.port());
    silent.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
    server.wait_closed(2);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 8s);
}

/// An answer's texts may be a player's: they end no line of it.
TEST(Requests, AnAnswerIsOne) {
    struct Case {
        HttpAnswer answer;
        std::string type, body;
    };
    const std::string plain = "text/plain; charset=utf-8";
    const Case cases[] = {
        {{200, "ok", "application/json"}, "application/json", "ok"},
        {{200, "ok", "text/x; y=\xc3\xa4"}, "text/x; y=\xc3\xa4", "ok"},
        {{200, "ok", "text/html\r\nSet-Cookie: a=b"}, plain, "ok"},
        {{200, "ok", "text/html\r\n\r\n<script>"}, plain, "ok"},
        {{200, "ok", "text/html\nX: y"}, plain, "ok"},
        {{200, "ok", "text/html\rX: y"}, plain, "ok"},
        {{200, "ok", std::string("text/html\0x", 11)}, plain, "ok"},
        {{200, "ok", "text/html\t"}, plain, "ok"},
        {{200, "ok", "text/html\x7f"}, plain, "ok"},
        {{200, "ok", ""}, plain, "ok"},
        // Without a body, as a proxy has it, what follows would be the next answer.
        {{204, "HTTP/1.1 200 OK\r\n\r\n"}, plain, ""},
        {{205, "HTTP/1.1 200 OK\r\n\r\n"}, plain, ""},
        {{304, "HTTP/1.1 200 OK\r\n\r\n"}, plain, ""},
    };
    for (const Case& one : cases) {
        PeerHandlers handlers;
        handlers.request = [&](Peer&, const HttpRequest&) { return std::optional(one.answer); };
        Server server("ws://127.0.0.1:0", defaults(), handlers);
        const std::string got = answer_to(server.port(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        const std::size_t end = got.find("\r\n\r\n");
        ASSERT_NE(end, got.npos);
        EXPECT_EQ(got.substr(end + 4), one.body) << got;
        EXPECT_NE(got.find("\r\nContent-Type: " + one.type + "\r\n"), got.npos) << got;
        const std::string head = got.substr(0, end + 2);
        const auto lines = std::ranges::count(head, '\n');
        EXPECT_EQ(lines, std::ranges::count(head, '\r')) << got;
        EXPECT_EQ(lines, one.body.empty() ? 3 : 4) << got;
    }
}

/// A client's request is one, too.
TEST(Requests, AClientsRequestIsOne) {
    for (const std::string bad : {"a\r\nX: y", "a\nX: y", "a\rX", "a b", "a,b", "", "\x7f"}) {
        EventLoop loop;
        NetOptions options;
        options.protocols = {"good", bad};
        const auto peer = gdvar::net::connect(loop, "ws://127.0.0.1:1", options, {});
        ASSERT_FALSE(peer) << bad;
        EXPECT_EQ(peer.error().code, Errc::bad_syntax);
        EXPECT_FALSE(gdvar::net::listen(loop, "ws://127.0.0.1:0", options, {})) << bad;
    }
    for (const std::string host : {"127.0.0.1\r\nX: y", "127.0.0.1\nX", "local host", "a\x7f"})
        EXPECT_FALSE(parse_url("ws://" + host + ":1/")) << host;
}

}  // namespace
}  // namespace gdvar::test
