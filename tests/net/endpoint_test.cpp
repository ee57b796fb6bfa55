// Endpoints against each other, over the loopback: every transport, every way to end.
#include <gtest/gtest.h>

#include <thread>

#include "gdvar/net/connection.hpp"
#include "net/support.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

class Transports : public OfScheme<> {};
/// Those that notice what happens to their packets: all but UDP.
class Reliable : public Transports {};

/// Every value recorded from Godot 4.6.3, to a server that sends it back, and home again.
TEST_P(Transports, EveryRecordedValueComesBack) {
    EchoServer server(listening(GetParam()), test_options());
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client) << client.error().text;
    std::size_t count = 0;
    for (const Vector& vector : vectors_of(recordings[0])) {
        const auto& packet = vector.bytes;
        // A datagram of this machine holds 65,507 bytes.
        if (GetParam() == "udp" && packet.size() > 65'000)
            continue;
        ASSERT_TRUE(client->put_packet(packet));
        const auto back = client->get_packet();
        ASSERT_TRUE(back) << back.error().text;
        EXPECT_EQ(to_bytes(*back), packet);
        ++count;
    }
    EXPECT_GT(count, 400u);
    EXPECT_TRUE(client->close());
    if (GetParam() != "udp")
        server.wait_closed(1);
    EXPECT_EQ(server.finish(), GetParam() == "udp" ? "" : "ok\n");
}

TEST_P(Transports, StructsViewsAndVariantsGo) {
    EchoServer server(listening(GetParam()), test_options());
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client) << client.error().text;
    struct Move {
        std::string name;
        Vector2 to;
        std::vector<std::int64_t> steps;
        bool operator==(const Move&) const = default;
    };
    const Move move{"north", {1, 2}, {3, 4, 5}};
    ASSERT_TRUE(client->put_var(move));
    const auto back = client->get_var<Move>();
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(back->name, move.name);
    EXPECT_EQ(back->steps, move.steps);
    const Variant tree(Dictionary{{"a", Array{1, 2.5, "x"}}, {"b", Vector3{1, 2, 3}}});
    ASSERT_TRUE(client->put_var(tree));
    const auto same = client->get_var();
    ASSERT_TRUE(same) << same.error().text;
    EXPECT_EQ(*same, tree);
    const auto bytes = encode(tree);
    const auto document = Document::parse(as_bytes(*bytes));
    ASSERT_TRUE(document);
    ASSERT_TRUE(client->put_var(document->root()["b"]));
    EXPECT_EQ(client->get_var()->get<Vector3>(), (Vector3{1, 2, 3}));
}

/// Nothing is lost or put in another order where the transport promises that.
TEST_P(Reliable, KeepsTheOrderOfManyPackets) {
    EchoServer server(listening(GetParam()), test_options());
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client) << client.error().text;
    constexpr int count = 20'000;
    int sent = 0;
    for (int received = 0; received < count; ++received) {
        for (; sent < count && sent < received + 500; ++sent)
            ASSERT_TRUE(client->put_var(std::int64_t{sent} * 1'000'003));
        const auto back = client->get_var<std::int64_t>();
        ASSERT_TRUE(back) << received << ": " << back.error().text;
        ASSERT_EQ(*back, std::int64_t{received} * 1'000'003);
    }
}

TEST_P(Transports, TheServersGoodbyeArrives) {
    const auto options = test_options();
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, ByteView packet) {
        EXPECT_TRUE(peer.put_packet(packet));
        peer.close();
        EXPECT_EQ(peer.put_packet(packet).error().code, Errc::closed);
    };
    Server server(listening(GetParam()), options, handlers);
    auto client = Connection::connect(server.url(), options);
    ASSERT_TRUE(client) << client.error().text;
    ASSERT_TRUE(client->put_var(7));
    EXPECT_EQ(client->get_var<int>(), 7);
    if (GetParam() == "udp")
        return;  // has no close handshake
    const auto after = client->get_packet(5s);
    ASSERT_FALSE(after);
    EXPECT_EQ(after.error().code, Errc::closed) << after.error().text;
}

TEST_P(Transports, TooLongAPacketEndsThatPeerAlone) {
    auto options = test_options();
    options.max_packet = 1000;
    EchoServer server(listening(GetParam()), options);
    auto good = Connection::connect(server.url(), test_options());
    auto bad = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(good && bad);
    const std::vector<std::byte> long_packet(5000);
    ASSERT_TRUE(bad->put_packet(long_packet));
    if (GetParam() != "udp") {
        EXPECT_FALSE(bad->get_packet(GetParam() == "enet" ? 300ms : 5s));
    }
    ASSERT_TRUE(good->put_var("still here"));
    EXPECT_EQ(good->get_var()->get<std::string>(), "still here");
}

TEST_P(Reliable, NobodyThere) {
    std::string url;
    {
        EchoServer server(listening(GetParam()), test_options());
        url = server.url();
    }
    auto options = test_options();
    options.connect_timeout = 300ms;
    const auto client = Connection::connect(url, options);
    ASSERT_FALSE(client);
    EXPECT_TRUE(client.error().code == Errc::io || client.error().code == Errc::timed_out)
        << client.error().text;
}

TEST_P(Transports, IdlePeersAreLetGo) {
    auto options = test_options();
    options.idle_timeout = 400ms;
    EchoServer server(listening(GetParam()), options);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client);
    ASSERT_TRUE(client->put_var(1));
    ASSERT_TRUE(client->get_var());
    // The client's loop has to run for ENet to hear of it.
    (void)client->get_packet(2s);
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "timed_out\n");
}

INSTANTIATE_TEST_SUITE_P(All, Transports, ::testing::ValuesIn(every_scheme),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(All, Reliable,
                         ::testing::Values("tcp", "tls", "unix", "ws", "wss", "enet"),
                         [](const auto& one) { return one.param; });

// ---- StreamPeer's functions ---------------------------------------------------------------------

/// They take the lock of the send queue, as `put` does.
TEST(StreamPeer, WhatIsGivenToPutMayCallItsPeer) {
    for (const std::string what : {"put", "queued", "close", "shutdown", "abort", "error"}) {
        EventLoop loop;
        const auto running = loop.keep_running();
        std::expected<void, Error> done;
        PeerHandlers handlers;
        handlers.connected = [&](Peer& peer) {
            done = peer.put([&](StreamWriter& to) -> std::expected<void, Error> {
                if (what == "put") {
                    EXPECT_TRUE(peer.put([](StreamWriter& in) { return in.put_8('a'); }));
                }
                if (what == "queued") {
                    EXPECT_EQ(peer.queued(), 0u);
                }
                if (what == "close")
                    peer.close();
                if (what == "shutdown")
                    peer.shutdown();
                if (what == "abort")
                    peer.abort();
                EXPECT_TRUE(to.put_8('b'));
                if (what == "error")
                    return std::unexpected(Error{Errc::too_large, Type::nil, 0, 0});
                return {};
            });
            peer.close();
        };
        const auto listener = listen(loop, "tcp://127.0.0.1:0", test_options(), handlers);
        ASSERT_TRUE(listener);
        std::string got;
        bool closed = false;
        handlers = {};
        handlers.data = [&](Peer&, StreamReader& in) {
            while (const auto byte = in.get_8())
                got += static_cast<char>(*byte);
        };
        handlers.closed = [&](Peer&, const NetError&) { closed = true; };
        ASSERT_TRUE(
            net::connect(loop, "tcp://" + (*listener)->address(), test_options(), handlers));
        for (int i = 0; i < 500 && !closed; ++i)
            loop.run_for(10ms);
        EXPECT_TRUE(closed) << what;
        const bool sent = what == "put" || what == "queued";
        EXPECT_EQ(got, what == "put" ? "ab" : what == "queued" ? "b" : "") << what;
        EXPECT_EQ(done ? Errc::ok : done.error().code, sent              ? Errc::ok
                                                       : what == "error" ? Errc::too_large
                                                                         : Errc::closed)
            << what;
    }
}

TEST(StreamPeer, EveryPutHasItsGetInBothOrders) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        auto options = test_options();
        options.order = order;
        PeerHandlers handlers;
        handlers.data = [](Peer& peer, StreamReader& in) {
            const auto bytes = in.get_data(in.available_bytes());
            ASSERT_TRUE(
                peer.put([&](StreamWriter& out) { return out.put_data(as_bytes(*bytes)); }));
        };
        Server server("tcp://127.0.0.1:0", options, handlers);
        auto c = Connection::connect_stream(server.url(), options);
        ASSERT_TRUE(c) << c.error().text;
        ASSERT_TRUE(c->write([](StreamWriter& w) {
            (void)w.put_8(-8);
            (void)w.put_u16(0x1234);
            (void)w.put_32(-32);
            (void)w.put_64(-64);
            (void)w.put_float(1.5f);
            (void)w.put_double(2.5);
            (void)w.put_string("ascii");
            (void)w.put_utf8_string("\xC3\xA9");
            return w.put_var(Variant(Array{1, "two"}));
        }));
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_8(); }), -8);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_u16(); }), 0x1234);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_32(); }), -32);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_64(); }), -64);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_float(); }), 1.5f);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_double(); }), 2.5);
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_string(); }), "ascii");
        EXPECT_EQ(c->read([](StreamReader& r) { return r.get_utf8_string(); }), "\xC3\xA9");
        const auto value = c->read([](StreamReader& r) { return r.get_var(); });
        ASSERT_TRUE(value);
        EXPECT_EQ(*value, Variant(Array{1, "two"}));
        EXPECT_TRUE(c->close());
    }
}

// ---- Bad peers ----------------------------------------------------------------------------------

TEST(BadPeers, LyingLengthsGarbageAndHalfPackets) {
    struct Case {
        std::string bytes, expected;
    };
    const Case cases[] = {
        {std::string("\xff\xff\xff\xff", 4), "bad_length\n"},
        {std::string("\xff\xff\xff\x7f", 4), "size_limit\n"},
        {std::string("\x08\x00\x00\x00\x01", 5), "truncated\n"},
        {std::string("\x08\x00", 2), "truncated\n"},
        {"", "ok\n"},
        {"GET / HTTP/1.1\r\n\r\n", "size_limit\n"},
    };
    for (const Case& one : cases) {
        EchoServer server("tcp://127.0.0.1:0", test_options());
        {
            const RawSocket raw(server.port());
            raw.send(one.bytes);
            raw.shut();
            EXPECT_EQ(raw.receive_all(), "");
        }
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), one.expected);
    }
}

TEST(BadPeers, OneByteAtATime) {
    EchoServer server("tcp://127.0.0.1:0", test_options());
    const RawSocket raw(server.port());
    std::string all;
    for (int i = 0; i < 20; ++i) {
        PackedByteArray frame;
        ASSERT_TRUE(append_var_frame(frame, Variant(Array{i, "text"})));
        all.append(reinterpret_cast<const char*>(frame.data()), frame.size());
    }
    for (const char c : all)
        raw.send(std::string(1, c));
    raw.shut();
    EXPECT_EQ(raw.receive_all(), all);
    server.wait_closed(1);
    EXPECT_EQ(server.finish(), "ok\n");
}

/// Packets that came together with the one after which the server closed are not handled.
TEST(BadPeers, NothingIsHandledAfterClosing) {
    for (const bool raw_bytes : {false, true}) {
        std::atomic<int> handled{0};
        PeerHandlers handlers;
        const auto last = [&](Peer& peer) {
            ++handled;
            EXPECT_TRUE(peer.put_var("bye"));
            peer.close();
        };
        handlers.packet = [&](Peer& peer, ByteView) { last(peer); };
        if (raw_bytes)
            handlers.data = [&](Peer& peer, StreamReader& reader) {
                EXPECT_TRUE(reader.get_var());
                last(peer);
            };
        Server server("tcp://127.0.0.1:0", test_options(), handlers);
        PackedByteArray frames;
        for (int i = 0; i < 5; ++i)
            ASSERT_TRUE(append_var_frame(frames, Variant(i)));
        const RawSocket raw(server.port());
        raw.send({reinterpret_cast<const char*>(frames.data()), frames.size()});
        raw.shut();
        PackedByteArray bye;
        ASSERT_TRUE(append_var_frame(bye, Variant("bye")));
        EXPECT_EQ(raw.receive_all(),
                  std::string(reinterpret_cast<const char*>(bye.data()), bye.size()));
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), "ok\n");
        EXPECT_EQ(handled, 1);
    }
}

/// A peer that sends and never reads: what waits for it stays within the bound, and others go on.
TEST(BadPeers, SlowReaderHoldsNobodyUp) {
    auto options = test_options();
    options.max_queued = 256 * 1024;
    options.write_timeout = 400ms;
    std::atomic<std::size_t> most{0};
    PeerHandlers handlers;
    handlers.packet = [&](Peer& peer, ByteView packet) {
        (void)peer.put_packet(packet);
        most = std::max(most.load(), peer.queued());
    };
    Server server("tcp://127.0.0.1:0", options, handlers);
    const RawSocket slow(server.port());
    PackedByteArray frame;
    ASSERT_TRUE(append_frame(frame, std::vector<std::byte>(60'000)));
    const std::string bytes(reinterpret_cast<const char*>(frame.data()), frame.size());
    std::thread flood([&] {
        for (int i = 0; i < 400; ++i)
            if (!slow.try_send(bytes))
                break;
    });
    auto good = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(good);
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(good->put_var(i));
        EXPECT_EQ(good->get_var<int>(), i);
    }
    server.wait_closed(1);
    flood.join();
    EXPECT_LE(most, options.max_queued);
    EXPECT_EQ(server.ends().substr(0, 10), "timed_out\n");
}

/// Everything a flooding peer sends is read in the end, at the speed that it is allowed.
TEST(BadPeers, FloodIsSlowedDownAndLosesNothing) {
    auto options = test_options();
    options.packets_per_second = 2000;
    EchoServer server("tcp://127.0.0.1:0", options);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client);
    const auto start = std::chrono::steady_clock::now();
    constexpr int count = 3000;
    for (int i = 0; i < count; ++i)
        ASSERT_TRUE(client->put_var(i));
    for (int i = 0; i < count; ++i)
        ASSERT_EQ(client->get_var<int>(), i);
    // A second's worth at once, the rest as allowed.
    EXPECT_GT(std::chrono::steady_clock::now() - start, 300ms);
}

TEST(BadPeers, UdpOverTheLimitIsDroppedAndCounted) {
    auto options = test_options();
    options.packets_per_second = 10;
    EchoServer server("udp://127.0.0.1:0", options);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client);
    for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(client->put_var(i));
    int back = 0;
    while (client->get_packet(200ms))
        ++back;
    EXPECT_GE(back, 5);
    EXPECT_LT(back, 60);
}

TEST(Udp, APacketThatNoDatagramHoldsIsRefused) {
    EchoServer server("udp://127.0.0.1:0", test_options());
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client);
    const auto refused = client->put_packet(std::vector<std::byte>(65'508));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::too_large);
    ASSERT_TRUE(client->put_packet(std::vector<std::byte>(65'507)));
    const auto back = client->get_packet();
    ASSERT_TRUE(back) << back.error().text;
    EXPECT_EQ(back->size(), 65'507u);
}

TEST(BadPeers, MorePeersThanAllowedAreTurnedAway) {
    auto options = test_options();
    options.max_peers = 2;
    EchoServer server("tcp://127.0.0.1:0", options);
    auto a = Connection::connect(server.url(), test_options());
    auto b = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(a && b);
    ASSERT_TRUE(a->put_var(1));
    ASSERT_TRUE(a->get_var());
    ASSERT_TRUE(b->put_var(1));
    ASSERT_TRUE(b->get_var());
    auto c = Connection::connect(server.url(), test_options());
    if (c) {
        EXPECT_FALSE(c->get_packet(5s));
    }
    ASSERT_TRUE(a->put_var(2));
    EXPECT_EQ(a->get_var<int>(), 2);
}

TEST(BadPeers, AHandshakeThatNeverComesTimesOut) {
    for (const std::string scheme : {"tls", "ws", "wss"}) {
        auto options = test_options();
        options.connect_timeout = 150ms;
        EchoServer server(scheme + "://127.0.0.1:0", options);
        const RawSocket raw(server.port());
        raw.send(scheme == "ws" ? "GET / HT" : "\x16");
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), "timed_out\n") << scheme;
    }
}

TEST(Tls, AServerThatIsNotBelievedIsRefused) {
    EchoServer server("tls://127.0.0.1:0", test_options());
    auto options = test_options();
    options.tls.ca_file.clear();
    const auto stranger = Connection::connect(server.url(), options);
    ASSERT_FALSE(stranger);
    options = test_options();
    options.tls.server_name = "other.example";
    EXPECT_FALSE(Connection::connect(server.url(), options));
    options.tls.verify = false;
    EXPECT_TRUE(Connection::connect(server.url(), options));
}

/// `least_version` is of both sides; each may refuse the other.
TEST(Tls, AnOldVersionIsRefused) {
    auto newest = test_options();
    newest.tls.least_version = TlsVersion::tls_1_3;
    EchoServer server("tls://127.0.0.1:0", newest);
    auto client = Connection::connect(server.url(), test_options());
    ASSERT_TRUE(client && client->put_var(1));
    EXPECT_EQ(client->get_var<int>(), 1);
    const RawSocket old(server.port());
    // A ClientHello of TLS 1.2 alone: no extension, one cipher (RFC 5246 7.4.1.2).
    std::string hello("\x16\x03\x01\x00\x2d\x01\x00\x00\x29\x03\x03", 11);
    hello += std::string(32, 'r') + std::string("\x00\x00\x02\xc0\x2f\x01\x00", 7);
    old.send(hello);
    server.wait_closed(1);
    EXPECT_NE(server.finish().find("bad_packet\n"), std::string::npos);
}

/// Mutual TLS: a client without a certificate of `client_ca_file` is not let in.
TEST(Tls, ClientsNeedACertificateIfTheServerAsks) {
    for (const std::string scheme : {"tls", "wss"}) {
        auto options = test_options();
        options.tls.client_ca_file = options.tls.ca_file;
        EchoServer server(scheme + "://127.0.0.1:0", options);
        auto known = Connection::connect(server.url(), test_options());
        ASSERT_TRUE(known && known->put_var(1)) << scheme;
        EXPECT_EQ(known->get_var<int>(), 1) << scheme;
        auto nameless = test_options();
        nameless.tls.certificate_file.clear();
        nameless.tls.key_file.clear();
        // With TLS 1.3 the client's side of the handshake ends first: the refusal comes after it.
        auto stranger = Connection::connect(server.url(), nameless);
        if (stranger) {
            EXPECT_FALSE(stranger->get_packet(5s)) << scheme;
        }
        server.wait_closed(1);
        EXPECT_NE(server.finish().find("bad_packet\n"), std::string::npos) << scheme;
    }
    auto options = test_options();
    options.tls.client_ca_file = "no/such/file.pem";
    EventLoop loop;
    const auto missing = gdvar::net::listen(loop, "tls://127.0.0.1:0", options, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Errc::io);
    EXPECT_NE(missing.error().text.find("no/such/file.pem"), std::string::npos);
}

TEST(AllowedTransports, OthersAreRefusedByName) {
    const net::Transports all[] = {
        transports::tcp,       transports::tls,           transports::local, transports::udp,
        transports::websocket, transports::websocket_tls, transports::enet};
    for (std::size_t i = 0; i < std::size(all); ++i)
        for (std::size_t k = 0; k < std::size(all); ++k) {
            const auto which = static_cast<Transport>(k);
            EXPECT_EQ(all[i].find(which) != nullptr, i == k);
            EXPECT_EQ(all[i].find(which), i == k ? transports::all.find(which) : nullptr);
        }
    const auto two = transports::tcp | transports::websocket;
    EventLoop loop;
    const auto server = gdvar::net::listen(loop, "ws://127.0.0.1:0", test_options(), {}, two);
    ASSERT_TRUE(server) << server.error().text;
    const auto refused = gdvar::net::listen(loop, "wss://127.0.0.1:0", test_options(), {}, two);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::bad_syntax);
    EXPECT_EQ(refused.error().text, "this program does not open URLs with wss");
    EXPECT_FALSE(gdvar::net::connect(loop, "udp://127.0.0.1:1", {}, {}, two));
    const auto client = Connection::connect("enet://127.0.0.1:1", {}, two);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, Errc::bad_syntax);
}

TEST(WebSocket, SubprotocolPathAndText) {
    auto options = test_options();
    options.protocols = {"chat", "game"};
    PeerHandlers handlers;
    handlers.connected = [](Peer& peer) {
        EXPECT_TRUE(peer.put_packet(as_bytes(std::string_view(peer.path() + " " + peer.protocol())),
                                    {.text = true}));
    };
    Server server("ws://127.0.0.1:0", options, handlers);
    options.protocols = {"other", "game"};
    auto client = Connection::connect(server.url() + "/lobby?x=1", options);
    ASSERT_TRUE(client) << client.error().text;
    const auto first = client->get_packet();
    ASSERT_TRUE(first);
    EXPECT_EQ(std::string(first->begin(), first->end()), "/lobby?x=1 game");
    EXPECT_TRUE(client->packet_flags().text);
    EXPECT_EQ(client->peer().protocol(), "game");
}

TEST(WebSocket, AFailedHandshakeLeavesNothingToDo) {
    // Takes the request for a length, and goes.
    EchoServer server("tcp://127.0.0.1:0", test_options());
    auto options = test_options();
    options.connect_timeout = 60s;
    EventLoop loop;
    const auto peer =
        gdvar::net::connect(loop, "ws://127.0.0.1:" + std::to_string(server.port()), options, {});
    ASSERT_TRUE(peer);
    const auto begin = std::chrono::steady_clock::now();
    loop.run();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

/// A client that is gone without a word, with and without TLS.
TEST(WebSocket, GoneWithoutGoodbyeIsTheSameOverTls) {
    for (const char* url : {"ws://127.0.0.1:0", "wss://127.0.0.1:0"}) {
        EchoServer server(url, test_options());
        {
            auto client = Connection::connect(server.url(), test_options());
            ASSERT_TRUE(client) << client.error().text;
            ASSERT_TRUE(client->put_var(1));
            ASSERT_TRUE(client->get_var());
        }
        server.wait_closed(1);
        EXPECT_EQ(server.finish(), "ok\n") << url;
    }
}

TEST(ENet, ChannelsFlagsAndConnectData) {
    auto options = test_options();
    options.enet_connect_data = 77;
    PeerHandlers handlers;
    handlers.packet = [](Peer& peer, ByteView packet) {
        EXPECT_EQ(peer.connect_data(), 77u);
        EXPECT_TRUE(peer.put_packet(packet, peer.packet_flags()));
    };
    for (const bool coder : {false, true}) {
        options.enet_range_coder = coder;
        Server server("enet://127.0.0.1:0", options, handlers);
        auto client = Connection::connect(server.url(), options);
        ASSERT_TRUE(client) << client.error().text;
        const PacketFlags flags{.channel = 3, .reliable = false, .unsequenced = true};
        ASSERT_TRUE(client->put_var(5, flags));
        EXPECT_EQ(client->get_var<int>(), 5);
        EXPECT_EQ(client->packet_flags().channel, 3);
        EXPECT_FALSE(client->packet_flags().reliable);
        EXPECT_TRUE(client->packet_flags().unsequenced);
        // Longer than a datagram.
        const std::vector<std::byte> big(300'000, std::byte{7});
        ASSERT_TRUE(client->put_packet(big));
        EXPECT_EQ(to_bytes(*client->get_packet()), big);
    }
}

// ---- URLs ---------------------------------------------------------------------------------------

TEST(Urls, PartsAndMistakes) {
    const auto url = parse_url("wss://[::1]:443/game?room=2");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host, "::1");
    EXPECT_EQ(url->port, 443);
    EXPECT_EQ(url->path, "/game?room=2");
    EXPECT_EQ(parse_url("unix:/tmp/x")->host, "/tmp/x");
    for (const std::string bad :
         {"", "tcp", "tcp:/x:1", "tcp://host", "tcp://host:99999", "tcp://:1", "http://x:1",
          "tcp://a:b:1", "udp://h:1/x", "unix:", "ws://h:1/a b", "tcp://h:-1"})
        EXPECT_FALSE(parse_url(bad)) << bad;
    EXPECT_FALSE(parse_url("unix:" + std::string(108, 'x')));
    EventLoop loop;
    EXPECT_FALSE(gdvar::net::connect(loop, "tcp://127.0.0.1:0", {}, {}));
    EXPECT_FALSE(gdvar::net::listen(loop, "tls://127.0.0.1:0", {}, {})) << "without a certificate";
}

}  // namespace
}  // namespace gdvar::test
