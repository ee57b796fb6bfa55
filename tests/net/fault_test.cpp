// Peers that do what no peer should: each gets a clear error, alone, and costs no more than it may.
#include <gtest/gtest.h>

#include "net/raw.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

const std::string binary_frame = websocket_frame(0x82, "12345678");

/// Another peer is served as if nothing had been.
void expect_served(const Server& server) {
    auto good = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(good) << good.error().text;
    // A datagram may be lost where others fill the server's socket.
    const bool may_be_lost = server.url().starts_with("udp");
    std::expected<std::string, NetError> back;
    for (int i = 0; i < (may_be_lost ? 50 : 1); ++i) {
        ASSERT_TRUE(good->put_var("still here"));
        back = good->get_var<std::string>(may_be_lost ? 200ms : 10'000ms);
        if (back)
            break;
    }
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(*back, "still here");
}

// ---- Ends ---------------------------------------------------------------------------------------

TEST(Ends, AResetIsClosed) {
    for (const std::string scheme : {"tcp", "ws"}) {
        EchoServer server(scheme + "://127.0.0.1:0", test_options());
        {
            const auto raw = scheme == "ws" ? raw_websocket(server.port())
                                            : std::make_unique<RawSocket>(server.port());
            raw->send(scheme == "ws" ? binary_frame : frame("12345678"));
            char first = 0;
            ASSERT_EQ(raw->receive(&first, 1), 1);
            raw->reset_at_close();
        }
        server.wait_closed(1);
        expect_served(server);
        EXPECT_EQ(server.ends().substr(0, 7), "closed\n") << scheme;
    }
}

/// A client that has said all there is to say still gets all of its answers.
TEST(Ends, HalfCloseLosesNoAnswer) {
    EchoServer server("tcp://127.0.0.1:0", test_options());
    const RawSocket raw(server.port());
    std::string sent;
    for (unsigned i = 0; i < 200; ++i)
        sent += frame(random_bytes(10'000, i));
    std::string back;
    std::thread reader([&] { back = raw.receive_all(); });
    raw.send(sent);
    raw.shut();
    reader.join();
    EXPECT_TRUE(back == sent) << back.size() << " bytes instead of " << sent.size();
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "ok\n");
}

TEST(Ends, AStallInTheMiddleTimesOut) {
    auto options = test_options();
    options.idle_timeout = 400ms;
    for (const std::string scheme : {"tcp", "ws"}) {
        EchoServer server(scheme + "://127.0.0.1:0", options);
        const auto raw = scheme == "ws" ? raw_websocket(server.port())
                                        : std::make_unique<RawSocket>(server.port());
        const std::string whole = scheme == "ws" ? binary_frame : frame("12345678");
        raw->send(whole.substr(0, whole.size() - 3));
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), "timed_out\n") << scheme;
        expect_served(server);
    }
}

/// As Godot 3's server quits: it sends its close frame and does not wait for ours.
TEST(Ends, AWebSocketThatSaysGoodbyeAndGoes) {
    for (const char* code : {"\x03\xe8", "\x03\xe9"})
        for (int i = 0; i < 20; ++i) {
            std::atomic<int> packets{0};
            PeerHandlers handlers;
            handlers.packet = [&](Peer&, ByteView) { ++packets; };
            Server server("ws://127.0.0.1:0", test_options(), handlers);
            raw_websocket(server.port())->send(binary_frame + websocket_frame(0x88, code));
            server.wait_closed(1);
            EXPECT_EQ(server.finish(), "ok\n");
            EXPECT_EQ(packets, 1);
        }
}

// ---- Bytes that mean nothing --------------------------------------------------------------------

TEST(Garbage, OnStreamsIsOfABadLength) {
    EchoServer server("tcp://127.0.0.1:0", test_options());
    constexpr int count = 40;
    for (unsigned seed = 0; seed < count; ++seed) {
        const RawSocket raw(server.port());
        (void)raw.try_send(random_bytes(20'000, seed));
        raw.shut();
        (void)raw.receive_all();
    }
    server.wait_closed(count);
    std::istringstream ends(server.ends());
    expect_served(server);
    int bad = 0;
    for (std::string code; ends >> code; ++bad)
        EXPECT_TRUE(code == "bad_length" || code == "size_limit" || code == "truncated") << code;
    EXPECT_GE(bad, count);
}

TEST(Garbage, IsNoHandshake) {
    for (const std::string scheme : {"tls", "ws", "wss"})
        for (unsigned seed = 0; seed < 10; ++seed) {
            EchoServer server(scheme + "://127.0.0.1:0", test_options());
            {
                const RawSocket raw(server.port());
                (void)raw.try_send(random_bytes(20'000, seed));
                if (scheme == "ws") {
                    EXPECT_TRUE(raw.receive_all().starts_with("HTTP/1.1 4"));
                } else {
                    server.wait_closed(1);
                }
            }
            server.wait_closed(1);
            EXPECT_EQ(server.ends(), "bad_packet\n") << scheme;
            if (seed == 0)
                expect_served(server);
        }
}

TEST(Garbage, WebSocketRequests) {
    const std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
    const std::string upgrade = head + "Upgrade: websocket\r\nConnection: Upgrade\r\n";
    const std::string requests[] = {
        head + "\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4294967296\r\n\r\n",
        upgrade + "Sec-WebSocket-Version: 13\r\n\r\n",
        upgrade +
            "Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'),
        "\r\n\r\n\r\n\r\nHELLO\r\n\r\n",
    };
    for (const std::string& request : requests) {
        EchoServer server("ws://127.0.0.1:0", test_options());
        const RawSocket raw(server.port());
        (void)raw.try_send(request);
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), "bad_packet\n") << request.substr(0, 200);
        expect_served(server);
    }
}

/// A client must wait for the answer; what it sends before is no part of a message.
TEST(Garbage, BytesBehindAWebSocketRequest) {
    EchoServer server("ws://127.0.0.1:0", test_options());
    const RawSocket raw(server.port());
    raw.send(websocket_request() + binary_frame);
    server.wait_closed(1);
    EXPECT_EQ(server.ends(), "bad_packet\n");
    expect_served(server);
}

TEST(Garbage, WebSocketFrames) {
    struct Case {
        std::string name, bytes, code;
    };
    const std::string four_gb("\x82\xff\x00\x00\x00\x01\x00\x00\x00\x00\x01\x02\x03\x04", 14);
    const std::string negative("\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04", 14);
    const Case cases[] = {
        {"unmasked", std::string("\x82\x04\x00\x00\x00\x00", 6), "bad_packet\n"},
        {"a reserved opcode", websocket_frame(0x83, "x"), "bad_packet\n"},
        {"a reserved bit", websocket_frame(0xc2, "x"), "bad_packet\n"},
        {"a continuation of nothing", websocket_frame(0x80, "x"), "bad_packet\n"},
        {"a message in a message", websocket_frame(0x02, "x") + binary_frame, "bad_packet\n"},
        {"a long ping", websocket_frame(0x89, std::string(200, 'x')), "bad_packet\n"},
        {"a ping in parts", websocket_frame(0x09, "x"), "bad_packet\n"},
        {"text that is not UTF-8", websocket_frame(0x81, "\xff\xfe"), "bad_utf8\n"},
        {"text that ends early", websocket_frame(0x81, "\xe2\x82"), "bad_utf8\n"},
        {"a length over 2^63", negative, "size_limit\n"},
        {"4 GB", four_gb, "size_limit\n"},
        {"parts over the limit",
         websocket_frame(0x02, std::string(700'000, 'x')) +
             websocket_frame(0x80, std::string(700'000, 'x')),
         "size_limit\n"},
        {"a close frame of one byte", websocket_frame(0x88, "x"), "bad_packet\n"},
        {"a close frame", websocket_frame(0x88, "\x03\xe8"), "ok\n"},
    };
    for (const Case& one : cases) {
        EchoServer server("ws://127.0.0.1:0", test_options());
        const auto before = allocated();
        const auto raw = raw_websocket(server.port());
        (void)raw->try_send(one.bytes);
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), one.code) << one.name;
        EXPECT_LT(allocated(), before + (4u << 20)) << one.name;
        expect_served(server);
    }
}

TEST(Garbage, FragmentsAndPingsBetweenThemAreFine) {
    EchoServer server("ws://127.0.0.1:0", test_options());
    const auto raw = raw_websocket(server.port());
    std::string sent;
    for (int i = 0; i < 100; ++i)
        sent += websocket_frame(i == 0 ? 0x02 : 0x00, std::string(1, static_cast<char>(i))) +
                websocket_frame(0x89, "ping");
    raw->send(sent + websocket_frame(0x80, "end") + websocket_frame(0x88, "\x03\xe8"));
    const std::string back = raw->receive_all();
    std::string message("\x82\x67", 2);
    for (int i = 0; i < 100; ++i)
        message += static_cast<char>(i);
    EXPECT_NE(back.find(message + "end"), back.npos);
    EXPECT_NE(back.find(std::string("\x8a\x04ping")), back.npos);
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "ok\n");
}

/// Answers to pings that nobody reads don't pile up.
TEST(Garbage, PingFlood) {
    auto options = test_options();
    options.write_timeout = 500ms;
    EchoServer server("ws://127.0.0.1:0", options);
    const auto raw = raw_websocket(server.port());
    const auto before = allocated();
    std::string pings;
    for (int i = 0; i < 1000; ++i)
        pings += websocket_frame(0x89, std::string(120, 'p'));
    raw->set_patience(500ms);
    // Until the server takes no more: it has to wait for us.
    for (int i = 0; i < 200 && raw->try_send(pings); ++i) {
    }
    EXPECT_LT(allocated(), before + (2u << 20) + options.max_queued);
    expect_served(server);
}

/// As on TCP; between messages it is an end in good order.
TEST(Garbage, AStreamThatEndsInsideAMessage) {
    struct Case {
        std::string name, bytes, code;
    };
    const Case cases[] = {
        {"nothing", "", "ok\n"},
        {"a message", websocket_frame(0x82, "hello"), "ok\n"},
        {"a ping", websocket_frame(0x89, "hello"), "ok\n"},
        {"a head", websocket_frame(0x82, "hello").substr(0, 6), "truncated\n"},
        {"half a message", websocket_frame(0x82, "hello").substr(0, 8), "truncated\n"},
        {"a part", websocket_frame(0x02, "hello"), "truncated\n"},
        {"a part and a ping", websocket_frame(0x02, "hello") + websocket_frame(0x89, ""),
         "truncated\n"},
        {"half a message behind one",
         websocket_frame(0x82, "hello") + websocket_frame(0x82, "hello").substr(0, 8),
         "truncated\n"},
    };
    for (const Case& one : cases) {
        EchoServer server("ws://127.0.0.1:0", test_options());
        const auto raw = raw_websocket(server.port());
        raw->send(one.bytes);
        raw->shut();
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), one.code) << one.name;
    }
}

/// Who says nothing but pings is there.
TEST(Garbage, PingsAreLife) {
    for (const unsigned char kind : std::string("\x89\x8a")) {
        auto options = test_options();
        options.idle_timeout = 500ms;
        EchoServer server("ws://127.0.0.1:0", options);
        const auto raw = raw_websocket(server.port());
        for (int i = 0; i < 15; ++i) {
            raw->send(websocket_frame(kind, ""));
            std::this_thread::sleep_for(100ms);
        }
        EXPECT_EQ(server.ends(), "") << static_cast<int>(kind);
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), "timed_out\n");
    }
}

/// Frames between messages count, too: the last one can't be there before its time.
TEST(Garbage, PingsAndEmptyPartsAreNoWayRoundTheLimits) {
    struct Case {
        std::string name, bytes;
        std::uint64_t bytes_per_second, packets_per_second;
    };
    std::string pings, parts = websocket_frame(0x02, "");
    for (int i = 0; i < 330; ++i)
        pings += websocket_frame(0x89, "");
    for (int i = 0; i < 3000; ++i)
        parts += websocket_frame(0x00, "");
    // Each costs three seconds' worth or more. One second's worth is allowed at once, and the last
    // read is paid for afterwards.
    const Case cases[] = {
        {"pings", pings, 0, 100},
        {"bytes of pings", pings, pings.size() / 3, 0},
        {"empty parts", parts, parts.size() / 3, 0},
    };
    for (const Case& one : cases) {
        auto options = test_options();
        options.bytes_per_second = one.bytes_per_second;
        options.packets_per_second = one.packets_per_second;
        options.idle_timeout = 20s;
        EchoServer server("ws://127.0.0.1:0", options);
        const auto raw = raw_websocket(server.port());
        const auto begin = std::chrono::steady_clock::now();
        raw->send(one.bytes + websocket_frame(one.name == "empty parts" ? 0x80 : 0x82, "the end"));
        std::string back;
        char c = 0;
        while (!back.ends_with("the end") && raw->receive(&c, 1) == 1)
            back += c;
        EXPECT_TRUE(back.ends_with("the end")) << one.name;
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        EXPECT_GE(time.count(), 1.5) << one.name;
    }
}

TEST(Garbage, DatagramsAreNobodysConnection) {
    for (const std::string scheme : {"enet", "udp"}) {
        EchoServer server(scheme + "://127.0.0.1:0", test_options());
        std::mt19937 random(7);
        for (unsigned seed = 0; seed < 300; ++seed)
            send_datagram(server.port(), random_bytes(random() % 1400, seed));
        expect_served(server);
        if (scheme == "enet") {
            EXPECT_LE(server.listener().peers(), 2u);
        }
    }
}

// ---- Origins ------------------------------------------------------------------------------------

TEST(Origins, OnlyThoseOfTheListMayConnect) {
    auto options = test_options();
    options.origins = {"https://example.org", "http://localhost:8060"};
    struct Case {
        const char *header, *answer;
    };
    const Case cases[] = {
        {"", "HTTP/1.1 101 "},
        {"Origin: https://example.org\r\n", "HTTP/1.1 101 "},
        {"Origin: HTTPS://Example.org\r\n", "HTTP/1.1 101 "},
        {"origin: http://localhost:8060\r\n", "HTTP/1.1 101 "},
        {"Origin: https://example.org.evil.net\r\n", "HTTP/1.1 403 "},
        {"Origin: http://example.org\r\n", "HTTP/1.1 403 "},
        {"Origin: null\r\n", "HTTP/1.1 403 "},
    };
    for (const Case& one : cases) {
        EchoServer server("ws://127.0.0.1:0", options);
        const RawSocket raw(server.port());
        raw.send(websocket_request(one.header));
        std::string answer(13, '\0');
        ASSERT_EQ(raw.receive(answer.data(), answer.size(), Socket::Until::all), 13);
        EXPECT_EQ(answer, one.answer) << one.header;
        if (answer.find("403") == answer.npos)
            continue;
        server.wait_closed(1);
        EXPECT_EQ(server.ends(), "bad_packet\n");
    }
}

// ---- Too much -----------------------------------------------------------------------------------

class Flood : public ::testing::TestWithParam<std::string> {};

/// A peer that sends without end has its turn, and then others have theirs. Counted in packets, in
/// a server whose loop is ours: nothing is handled but when we say so.
TEST_P(Flood, OthersHaveTheirTurn) {
    const bool web = GetParam() == "ws";
    EventLoop loop;
    std::uint64_t flooded = 0, good_handled = 0;
    PeerHandlers handlers;
    handlers.packet = [&](Peer&, ByteView packet) {
        ++(packet.size() == 4 ? good_handled : flooded);
    };
    auto listener =
        gdvar::net::listen(loop, GetParam() + "://127.0.0.1:0", test_options(), handlers);
    ASSERT_TRUE(listener);
    const auto framed = [&](const std::string& p) {
        return web ? websocket_frame(0x82, p) : frame(p);
    };
    std::unique_ptr<RawSocket> flooder, good;
    {
        std::atomic<bool> both{false};
        std::thread connecting([&] {
            for (auto* one : {&flooder, &good})
                *one = web ? raw_websocket((*listener)->port())
                           : std::make_unique<RawSocket>((*listener)->port());
            both = true;
        });
        while (!both)
            loop.run_for(10ms);
        connecting.join();
    }
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += framed("12345678");
    std::thread flood([&] {
        while (flooder->try_send(many)) {
        }
    });
    while (flooded < 10'000)
        loop.run_for(5ms);
    for (std::uint64_t i = 1; i <= 50; ++i) {
        good->send(framed("1234"));
        const std::uint64_t before = flooded;
        while (good_handled < i)
            loop.run_one_for(1s);
        // A turn is four reads of 64 KiB; ours comes after the one that is due. Beast takes its
        // turns message by message, but looks at the other sockets more rarely.
        const std::size_t turns = web ? 16 : 2;
        EXPECT_LE(flooded - before, turns * 4 * 65536 / framed("12345678").size() + 2);
    }
    flooder->shut(true);
    flood.join();
}

INSTANTIATE_TEST_SUITE_P(All, Flood, ::testing::Values("tcp", "ws"),
                         [](const auto& one) { return one.param; });

/// Connections that are dropped as soon as they are there.
TEST(Resources, FiveHundredOpenedAndDroppedAtOnce) {
    for (const std::string scheme : {"tcp", "ws", "tls"}) {
        auto options = test_options();
        options.connect_timeout = 2s;
        EchoServer server(scheme + "://127.0.0.1:0", options, 2);
        expect_served(server);
        server.wait_closed(1);
        const std::size_t before = open_things();
        for (int i = 0; i < 500; ++i) {
            const RawSocket raw(server.port());
            if (i % 2)
                raw.reset_at_close();
        }
        expect_served(server);  // accepted after all of them
        if (accepts_reset_connections())
            server.wait_closed(501);
        EXPECT_TRUE(eventually([&] { return server.listener().peers() == 0; })) << scheme;
        EXPECT_TRUE(eventually([&] { return open_things() == before; }))
            << scheme << ": " << open_things() << ", " << before << " before";
    }
}

/// Memory for a packet is had as its bytes come, not as they are announced.
TEST(Resources, AnnouncedPacketsCostNothing) {
    for (const std::string scheme : {"tcp", "ws"}) {
        EchoServer server(scheme + "://127.0.0.1:0", test_options());
        std::vector<std::unique_ptr<RawSocket>> all;
        for (int i = 0; i < 100; ++i)
            all.push_back(scheme == "ws" ? raw_websocket(server.port())
                                         : std::make_unique<RawSocket>(server.port()));
        for (const auto& one : all)
            one->send(scheme == "ws" ? binary_frame : frame("12345678"));
        char back[16];
        for (const auto& one : all)
            EXPECT_GT(one->receive(back, sizeof back), 0);
        const std::string mebibyte(1u << 20, 'x');
        const std::string whole =
            scheme == "ws" ? websocket_frame(0x82, mebibyte) : frame(mebibyte);
        const auto before = allocated();
        for (const auto& one : all)
            one->send(whole.substr(0, 100));
        expect_served(server);
        EXPECT_LT(allocated(), before + 100 * 16 * 1024) << scheme;
    }
}

/// Answers wait for slow readers only up to the bound.
TEST(Resources, AHundredSlowReaders) {
    auto options = test_options();
    options.max_queued = 128 * 1024;
    std::atomic<std::size_t> most{0};
    PeerHandlers handlers;
    handlers.packet = [&](Peer& peer, ByteView packet) {
        (void)peer.put_packet(packet);
        most = std::max(most.load(), peer.queued());
    };
    for (const std::string scheme : {"tcp", "ws"}) {
        Server server(scheme + "://127.0.0.1:0", options, handlers);
        std::vector<std::unique_ptr<RawSocket>> all;
        for (int i = 0; i < 100; ++i) {
            all.push_back(scheme == "ws" ? raw_websocket(server.port())
                                         : std::make_unique<RawSocket>(server.port()));
            all.back()->set_receive_buffer(4096);
            all.back()->never_wait();
        }
        const auto before = allocated();
        const std::string bytes = scheme == "ws" ? websocket_frame(0x82, std::string(20'000, 'x'))
                                                 : frame(std::string(20'000, 'x'));
        std::vector<std::size_t> sent(all.size());
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t i = 0; i < all.size(); ++i) {
                // Goes on where the socket had no room.
                const auto rest = std::string_view(bytes).substr(sent[i] % bytes.size());
                const auto n = all[i]->Socket::send(rest);
                if (n > 0) {
                    sent[i] += static_cast<std::size_t>(n);
                    moved = sent[i] < (32u << 20);
                }
            }
            if (!moved)
                std::this_thread::sleep_for(50ms);
        }
        EXPECT_LE(most, options.max_queued) << scheme;
        EXPECT_GT(most, options.max_queued / 4) << scheme << ": nothing piled up";
        // Twice for growing, and what has come but may not be handled yet.
        EXPECT_LT(allocated(), before + 100 * (2 * options.max_queued + 128 * 1024)) << scheme;
        expect_served(server);
    }
}

}  // namespace
}  // namespace gdvar::test
