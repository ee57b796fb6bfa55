// The recipes of docs/networking.md; tests/cookbook_test.py compares the two, and ctest runs them:
// each server below is talked to over the loopback.
//
//     networking FOLDER       with server.pem and server.key in it
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <gdvar/net/connection.hpp>
#include <gdvar/net/multiplayer.hpp>
#include <gdvar/text/text.hpp>
#include <thread>

using namespace gdvar;
using namespace gdvar::net;

static void check(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// --- structs
struct Shot {
    std::string weapon;
    Vector2 from, to;
};
struct Result {
    bool hit = false;
    double damage = 0;
};

PeerHandlers shooting_range() {
    PeerHandlers out;
    out.packet = [](Peer& peer, ByteView packet) {
        const auto shot = decode<Shot>(packet, peer.options().decoding);
        if (!shot)
            return peer.close();  // shot.error() says what, where and in which field
        (void)peer.put_var(Result{shot->to.x > shot->from.x, 12.5});
    };
    return out;
}
// ---

// --- requests of HTTP
PeerHandlers rooms() {
    PeerHandlers out;
    out.request = [](Peer&, const HttpRequest& request) -> std::optional<HttpAnswer> {
        if (request.target == "/health")
            return HttpAnswer{.status = 200, .body = "ok"};
        if (!request.target.starts_with("/room/"))
            return HttpAnswer{.status = 404, .body = "no such room"};
        return std::nullopt;  // goes on: Peer::path() is the target
    };
    out.packet = [](Peer& peer, ByteView packet) { (void)peer.put_packet(packet); };
    return out;
}
// ---

// --- limits
NetOptions for_strangers() {
    NetOptions out;
    out.max_packet = 4096;  // a length above it ends the connection
    out.decoding.limits = {.max_depth = 8, .max_bytes = 4096, .max_nodes = 256};  // of a packet
    out.packets_per_second = 60;       // streams are read more slowly, datagrams dropped
    out.bytes_per_second = 64 * 1024;  // the same
    out.max_queued = 256 * 1024;       // bytes that wait for a slow reader
    out.max_peers = 500;               // of this listener; others are closed at once
    out.max_peers_per_address = 20;    // of those; one router may have many players
    out.connect_timeout = std::chrono::seconds(5);  // handshakes of TLS and WebSocket
    out.idle_timeout = std::chrono::seconds(60);    // without a byte from the peer
    out.write_timeout = std::chrono::seconds(10);   // without progress while something waits
    return out;
}
// ---

// --- back-pressure
struct Download {
    int next = 0;
};
void send_more(Peer& peer) {
    auto& download = *std::static_pointer_cast<Download>(peer.data);
    for (; download.next < 5000; ++download.next)
        if (!peer.put_var(Dictionary{{"row", download.next}, {"text", std::string(100, 'x')}}))
            return;  // buffer_full: `drained` is called when the queue has space
    peer.close();    // after all is sent
}
PeerHandlers downloads() {
    PeerHandlers out;
    out.connected = [](Peer& peer) {
        peer.data = std::make_shared<Download>();
        send_more(peer);
    };
    out.drained = send_more;
    return out;
}
// ---

// --- slow work
PeerHandlers oracle(std::vector<std::jthread>& workers) {
    PeerHandlers out;
    out.packet = [&workers](Peer& peer, ByteView packet) {
        auto question = peer.decode(packet);  // a copy: the packet's bytes are borrowed
        if (!question)
            return peer.close();
        peer.pause_reading();  // the next question waits in the socket
        workers.emplace_back([kept = peer.shared_from_this(), value = *std::move(question)] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            (void)kept->put_var(Array{"the answer to", value});
            kept->resume_reading();
        });
    };
    return out;
}
// ---

// --- threads
void run_in_threads(EventLoop& loop, int count) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&loop] { loop.run(); });
}  // joins the threads, which end at loop.stop()
// ---

// --- tls
NetOptions with_certificate(const std::string& folder) {
    NetOptions out;
    out.tls.certificate_file = folder + "/server.pem";  // PEM, with its chain
    out.tls.key_file = folder + "/server.key";
    return out;
}
NetOptions trusting(const std::string& folder) {
    NetOptions out;
    out.tls.ca_file = folder + "/server.pem";  // trusted CA certificates; empty: the system's
    out.tls.server_name = "localhost";         // empty: the URL's host
    return out;
}
// ---

// --- tls of both sides
NetOptions for_known_clients(const std::string& folder) {
    NetOptions out = with_certificate(folder);
    out.tls.client_ca_file = folder + "/server.pem";  // whoever has no certificate of it is refused
    out.tls.least_version = TlsVersion::tls_1_3;
    return out;
}
NetOptions as_known_client(const std::string& folder) {
    NetOptions out = trusting(folder);
    out.tls.certificate_file = folder + "/server.pem";  // a client's own, in practice
    out.tls.key_file = folder + "/server.key";
    return out;
}
// ---

// --- a peer for tests
/// A Peer without a socket: keeps what is sent to it.
class FakePeer final : public Peer {
public:
    FakePeer() : Peer(1, Transport::udp, {}) { address_ = "a test"; }
    void close() override { closed = true; }
    void shutdown() override { close(); }
    void abort() override { close(); }
    void pause_reading() override { reads = false; }
    void resume_reading() override { reads = true; }
    std::size_t queued() const override { return 0; }
    PeerStatistics statistics() const override { return {}; }

    std::vector<PackedByteArray> sent;
    bool closed = false, reads = true;

private:
    std::expected<void, Error> put_filled(Fill fill, const void* what, PacketFlags) override {
        PackedByteArray packet;
        if (const auto size = fill(packet, what, options().encoding); !size)
            return std::unexpected(size.error());
        sent.push_back(std::move(packet));
        return {};
    }
    std::expected<void, Error> put_raw(
        const std::function<std::expected<void, Error>(StreamWriter&)>& write) override {
        StreamWriter writer(sent.emplace_back(), options().order);
        return write(writer);
    }
};

void test_shooting_range() {
    const PeerHandlers handlers = shooting_range();
    const auto peer = std::make_shared<FakePeer>();
    handlers.packet(*peer, as_bytes(*encode(Shot{"bow", {0, 0}, {3, 4}})));
    check(decode<Result>(as_bytes(peer->sent.at(0)))->hit, "a hit");
    handlers.packet(*peer, as_bytes(*encode(Variant("no shot"))));
    check(peer->closed && peer->sent.size() == 1, "what is no shot ends the connection");
}
// ---

// --- stream
PeerHandlers greeter() {
    PeerHandlers out;
    out.data = [](Peer& peer, StreamReader& in) {
        for (;;) {
            const auto name = in.get_utf8_string();
            if (!name && name.error().code == Errc::truncated)
                return;  // called again when more bytes arrive
            if (!name)
                return peer.abort();
            (void)peer.put([&](StreamWriter& to) { return to.put_utf8_string("hello " + *name); });
        }
    };
    return out;
}
// ---

// --- a stream of your own
/// Hands over each packet that arrives on a connected socket, until the stream ends.
template <class Handle>
std::expected<void, Error> read_packets(int socket, Handle&& handle) {
    StreamFramer framer;  // PacketPeerStream's lengths; packets up to 1 MiB
    for (;;) {
        const auto space = framer.prepare(4096);
        if (!space)
            return std::unexpected(space.error());
        const auto received = ::recv(socket, space->data(), space->size(), 0);
        if (received <= 0)
            return framer.finish();  // truncated: the stream ended inside a packet
        framer.commit(static_cast<std::size_t>(received));
        auto packet = framer.next();
        for (; packet && *packet; packet = framer.next())
            handle(**packet);  // borrowed until the framer's next call
        if (!packet)
            return std::unexpected(packet.error());  // bad_length, size_limit
    }
}
// ---

// --- client
std::expected<Result, NetError> shoot(const std::string& url) {
    auto connection = Connection::connect(url);
    if (!connection)
        return std::unexpected(connection.error());
    if (auto sent = connection->put_var(Shot{"bow", {0, 0}, {3, 4}}); !sent)
        return std::unexpected(sent.error());
    return connection->get_var<Result>(std::chrono::seconds(5));
}
// ---

// --- rpc
std::string what_is_in(ByteView packet) {
    const auto message = mp4::decode(packet);  // Godot 3: mp3::decode
    if (!message)
        return to_string(message.error());
    return to_text(mp4::describe(*message)).value_or("");
}
// ---

// --- closed
PeerHandlers logging(PeerHandlers out) {
    out.closed = [](Peer& peer, const NetError& error) {
        if (error.code != Errc::ok)
            std::printf("%s: %s: %s\n", peer.address().c_str(),
                        std::string(error_name(error.code)).c_str(), error.text.c_str());
    };
    return out;
}
// ---

/// A server in threads of its own, and its URL.
class Running {
public:
    Running(const std::string& scheme, const NetOptions& options, PeerHandlers handlers)
        : listener_(listen(loop_, scheme + "://127.0.0.1:0", options, logging(std::move(handlers)))
                        .value()),
          url_(scheme + "://" + listener_->address()),
          thread_([this] { run_in_threads(loop_, 2); }) {}
    ~Running() { loop_.stop(); }
    const std::string& url() const { return url_; }

private:
    EventLoop loop_;
    std::shared_ptr<Listener> listener_;
    std::string url_;
    std::jthread thread_;
};

static void shots() {
    const Running server("tcp", for_strangers(), shooting_range());
    const auto result = shoot(server.url());
    check(result && result->hit && result->damage == 12.5, "structs");
    auto bad = Connection::connect(server.url());
    check(bad && bad->put_packet(std::vector<std::byte>(5000)), "a packet that is too long");
    check(bad->get_packet().error().code == Errc::closed, "is refused");
}

static void rows() {
    const Running server("ws", for_strangers(), downloads());
    auto client = Connection::connect(server.url());
    check(client.has_value(), "download");
    int count = 0;
    while (const auto row = client->get_var())
        check((*row)["row"].get<int>() == count++, "rows in order");
    check(count == 5000, "all rows");
}

static void questions() {
    std::vector<std::jthread> workers;
    const Running server("tcp", {}, oracle(workers));
    auto client = Connection::connect(server.url());
    check(client && client->put_var(1) && client->put_var(2), "questions");
    check(client->get_var() == Variant(Array{"the answer to", 1}), "first answer");
    check(client->get_var() == Variant(Array{"the answer to", 2}), "second answer");
}

static void secrets(const std::string& folder) {
    for (const char* scheme : {"tls", "wss"}) {
        const Running server(scheme, with_certificate(folder), shooting_range());
        auto client = Connection::connect(server.url(), trusting(folder));
        check(client && client->put_var(Shot{"bow", {0, 0}, {-3, 4}}), scheme);
        check(client->get_var<Result>()->hit == false, "over TLS");
        check(!Connection::connect(server.url()), "nobody vouches for this certificate");
    }
    const Running server("tls", for_known_clients(folder), shooting_range());
    auto known = Connection::connect(server.url(), as_known_client(folder));
    check(known && known->put_var(Shot{"bow", {0, 0}, {3, 4}}), "a known client");
    check(known->get_var<Result>()->hit, "is served");
    auto stranger = Connection::connect(server.url(), trusting(folder));
    check(!stranger || !stranger->get_packet(), "a client without a certificate is not");
}

static void doors() {
    const Running server("ws", for_strangers(), rooms());
    auto client = Connection::connect(server.url() + "/room/7");
    check(client && client->put_var(7) && client->get_var() == Variant(7), "a room");
    check(!Connection::connect(server.url() + "/elsewhere"), "no room");
}

static void greetings() {
    const Running server("tcp", {}, greeter());
    auto client = Connection::connect_stream(server.url());
    check(client && client->write([](StreamWriter& to) { return to.put_utf8_string("Ada"); }),
          "write");
    check(client->read([](StreamReader& in) { return in.get_utf8_string(); }) == "hello Ada",
          "read");
}

static void calls() {
    PackedByteArray packet;
    mp4::Rpc call;
    call.node = 3;
    call.method = 1;
    call.arguments = Array{"hello", Vector2{1, 2}};
    check(mp4::append(packet, call).has_value(), "rpc");
    std::printf("%s\n", what_is_in(as_bytes(packet)).c_str());
    check(what_is_in(as_bytes(packet)).find("hello") != std::string::npos, "described");
}

static void packets() {
    int sockets[2];
    check(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "a pair of sockets");
    PackedByteArray bytes;
    check(append_var_frame(bytes, Variant(1)) && append_var_frame(bytes, Variant("two")), "frames");
    const auto whole = static_cast<ssize_t>(bytes.size());
    check(::write(sockets[0], bytes.data(), bytes.size()) == whole, "write");
    check(::write(sockets[0], bytes.data(), 3) == 3, "a part of a packet");
    ::close(sockets[0]);
    Array got;
    const auto end =
        read_packets(sockets[1], [&](ByteView packet) { got.push_back(decode(packet).value()); });
    ::close(sockets[1]);
    check(got == Array{1, "two"}, "packets");
    check(!end && end.error().code == Errc::truncated, "the end inside a packet");
    // Limits as on the page: one is named, the others are the engine's.
    const Variant nested(Array{Array{Array{}, 1}, 2});  // one element alone may be taken for a copy
    const auto packet = encode(nested).value();
    check(decode(packet, {.limits = {.max_depth = 32}}) == nested, "32 deep");
    check(decode(packet, {.limits = {.max_depth = 1}}).error().code == Errc::depth_limit, "1 deep");
    static_assert(Limits{.max_depth = 32}.max_bytes == Limits::engine().max_bytes);
}

int main(int argc, char** argv) {
    test_shooting_range();
    shots();
    packets();
    rows();
    questions();
    greetings();
    doors();
    calls();
    if (argc > 1)
        secrets(argv[1]);
    return 0;
}
