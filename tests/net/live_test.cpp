// Real engines on the other side of every transport.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gdvar/net/multiplayer3.hpp"
#include "net/support.hpp"
#include "support/live.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

/// The engines' scripts' name of a transport, and ours.
struct Kind {
    const char* name;
    const char* scheme;
    ByteOrder order = ByteOrder::little;
    bool coder = false;
    bool multiplayer = false;  ///< Godot 3's ENet has its own header
};

struct Engine {
    const char* name;
    const char* script;
    const Recording& recording;
    std::vector<Kind> kinds;
    /// How many values the script sends.
    std::size_t values;
};

const std::vector<Kind> godot_3{{"tcp", "tcp"},
                                {"tcp_big", "tcp", ByteOrder::big},
                                {"packets", "tcp"},
                                {"tls", "tls"},
                                {"udp", "udp"},
                                {"ws", "ws"},
                                {"enet", "enet", ByteOrder::little, false, true},
                                {"enet_coder", "enet", ByteOrder::little, true, true}};

const Engine engines[] = {
    {"godot-4.6.3",
     "peers4.gd",
     recordings[0],
     {{"tcp", "tcp"},
      {"tcp_big", "tcp", ByteOrder::big},
      {"packets", "tcp"},
      {"tls", "tls"},
      {"unix", "unix"},
      {"udp", "udp"},
      {"ws", "ws"},
      {"wss", "wss"},
      {"enet", "enet"},
      {"enet_coder", "enet", ByteOrder::little, true}},
     56},
    {"godot-3.6.2", "peers3.gd", recordings[1], godot_3, 38},
    {"godot-3.2.3", "peers3.gd", recordings[2], godot_3, 38},
};

NetOptions options_for(const Engine& engine, const Kind& kind) {
    NetOptions out = test_options();
    out.decoding.dialect = out.encoding.dialect = engine.recording.dialect;
    out.decoding.allow_objects = false;
    out.order = kind.order;
    out.enet_range_coder = kind.coder;
    out.enet_channels = 4;
    out.enet_connect_data = 4711;
    return out;
}

/// Decodes what comes and sends the value back; what is refused is answered with the error's name.
PeerHandlers answering(const Kind& kind) {
    PeerHandlers out;
    out.packet = [multiplayer = kind.multiplayer](Peer& peer, ByteView packet) {
        mp3::ENetHeader header;
        if (multiplayer) {
            // Channel 0 carries notices, which only servers send.
            const auto there = mp3::decode_enet(packet);
            ASSERT_TRUE(there);
            EXPECT_EQ(static_cast<std::uint32_t>(there->source), peer.connect_data());
            EXPECT_EQ(there->target, 1);
            header = {1, there->source, there->payload};
            packet = there->payload;
        }
        const auto value = peer.decode(packet);
        const Variant answer = value ? *value : Variant(error_name(value.error().code));
        if (!multiplayer) {
            EXPECT_TRUE(peer.put_var(answer, peer.packet_flags()));
            return;
        }
        const auto bytes = encode(answer, peer.options().encoding);
        ASSERT_TRUE(bytes);
        header.payload = as_bytes(*bytes);
        PackedByteArray whole;
        ASSERT_TRUE(mp3::append_enet(whole, header));
        EXPECT_TRUE(peer.put_packet(as_bytes(whole), peer.packet_flags()));
    };
    return out;
}

std::uint16_t free_port(int type) {
    const int fd = ::socket(AF_INET, type, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    socklen_t size = sizeof at;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
    ::close(fd);
    return ntohs(at.sin_port);
}

std::vector<std::string> lines_of(const fs::path& path) {
    std::vector<std::string> out;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

class Live : public ::testing::TestWithParam<int> {
protected:
    const Engine& engine() const { return engines[GetParam()]; }
    void copy_certificates(const fs::path& to) {
        for (const char* name : {"server.pem", "server.key"})
            fs::copy_file(certificates() / name, to / name);
        fs::rename(to / "server.pem", to / "server.crt");  // engines go by the suffix
    }
};

TEST_P(Live, EngineAsClient) {
    std::string why;
    auto live = LiveEngine::find(engine().name, why);
    if (!live)
        GTEST_SKIP() << engine().name << ": " << why;
    copy_certificates(live->folder());
    std::vector<std::unique_ptr<Server>> servers;
    std::string arguments = "client %D/out.txt %D/server.crt";
    for (const Kind& kind : engine().kinds) {
        const bool local = std::string(kind.scheme) == "unix";
        const std::string url = local ? "unix:" + (live->folder() / "socket").string()
                                      : std::string(kind.scheme) + "://127.0.0.1:0";
        servers.push_back(
            std::make_unique<Server>(url, options_for(engine(), kind), answering(kind)));
        arguments += std::string(" ") + kind.name + "=" +
                     (local ? "%D/socket" : std::to_string(servers.back()->port()));
    }
    live->run(source_dir() / "tests/net" / engine().script, arguments, 100);
    const auto lines = lines_of(live->folder() / "out.txt");
    for (const std::string& line : lines)
        if (line.find(':') != line.npos)
            ADD_FAILURE() << line;
    for (const Kind& kind : engine().kinds) {
        const std::string expected =
            std::string(kind.name) + " " + std::to_string(engine().values) + " objects_forbidden";
        EXPECT_TRUE(std::ranges::find(lines, expected) != lines.end())
            << engine().name << " " << kind.name;
    }
}

/// The client's side of one transport against an engine's echo: every recorded value.
struct Outcome {
    std::size_t sent = 0, same = 0;
    std::string trouble;
};

class EngineClient {
public:
    EngineClient(const Engine& engine, const Kind& kind, const std::string& url)
        : kind_(kind), options_(options_for(engine, kind)) {
        // The engine's server of this transport comes up when the one before is done.
        const auto until = std::chrono::steady_clock::now() + 20s;
        options_.connect_timeout = 2s;
        options_.tls.server_name = "localhost";
        do {
            connection_ = Connection::connect(url, options_);
            if (!connection_)
                std::this_thread::sleep_for(50ms);
        } while (!connection_ && std::chrono::steady_clock::now() < until);
    }
    const auto& connection() const { return connection_; }

    bool put(ByteView packet) {
        if (!kind_.multiplayer)
            return connection_->put_packet(packet).has_value();
        PackedByteArray whole;
        const auto own = static_cast<std::int32_t>(options_.enet_connect_data);
        return mp3::append_enet(whole, {own, 1, packet}) &&
               connection_->put_packet(as_bytes(whole), {.channel = 1});
    }
    /// Nothing when nothing came.
    std::optional<std::vector<std::byte>> get() {
        for (;;) {
            const auto time = kind_.scheme == std::string("udp") ? 1s : 5s;
            const auto packet = connection_->get_packet(time);
            if (!packet)
                return std::nullopt;
            auto bytes = to_bytes(*packet);
            if (!kind_.multiplayer)
                return bytes;
            if (connection_->packet_flags().channel == 0)
                continue;  // who came and went
            const auto header = mp3::decode_enet(bytes);
            if (!header)
                return std::nullopt;
            return std::vector<std::byte>(header->payload.begin(), header->payload.end());
        }
    }
    /// Without what was in memory where Godot 3 pads a NodePath.
    std::vector<std::byte> rewritten(const std::vector<std::byte>& bytes) const {
        const auto value = decode(bytes, options_.decoding);
        const auto again = value ? encode(*value, options_.encoding) : std::unexpected(Error{});
        return again ? to_bytes(*again) : bytes;
    }
    Outcome round(const std::vector<Vector>& vectors) {
        Outcome out;
        for (const Vector& vector : vectors) {
            ++out.sent;
            if (!put(vector.bytes))
                return out.trouble = vector.name + " can't be sent", out;
            const auto back = get();
            if (!back)
                return out.trouble = vector.name + ": no answer", out;
            if (rewritten(*back) == vector.bytes)
                ++out.same;
            else
                out.trouble += vector.name + " ";
        }
        return out;
    }
    void quit() {
        const auto bytes = encode(Variant("quit"), options_.encoding);
        put(as_bytes(*bytes));
        // Some engines forget packets that arrive together with the close.
        (void)connection_->get_packet(300ms);
        (void)connection_->close(2s);
    }

private:
    const Kind& kind_;
    NetOptions options_;
    std::expected<Connection, NetError> connection_ = std::unexpected(NetError{});
};

/// Values that can be sent there and come back as the same bytes: not objects in full, nor the
/// padding of Godot 3's NodePaths, which holds whatever was in memory.
std::vector<Vector> sendable(const Recording& recording, const Kind& kind) {
    std::vector<Vector> out;
    DecodeOptions reading;
    reading.dialect = recording.dialect;
    EncodeOptions writing;
    writing.dialect = recording.dialect;
    for (Vector& vector : vectors_of(recording)) {
        if (std::string(kind.scheme) == "udp" && vector.bytes.size() > 30'000)
            continue;
        const auto value = decode(vector.bytes, reading);
        if (!value)
            continue;
        const auto again = encode(*value, writing);
        if (!again || to_bytes(*again) != vector.bytes)
            continue;
        // Without objects in full an engine makes these EncodedObjectAsID, and sends that.
        if (vector.name == "object_as_id" || vector.name.ends_with("_full"))
            continue;
        out.push_back(std::move(vector));
    }
    return out;
}

TEST_P(Live, EngineAsServer) {
    std::string why;
    auto live = LiveEngine::find(engine().name, why);
    if (!live)
        GTEST_SKIP() << engine().name << ": " << why;
    copy_certificates(live->folder());
    std::string arguments = "server %D/out.txt %D/server.crt %D/server.key";
    std::vector<std::string> urls;
    for (const Kind& kind : engine().kinds) {
        const std::string scheme = kind.scheme;
        if (scheme == "unix") {
            arguments += std::string(" ") + kind.name + "=%D/socket";
            urls.push_back("unix:" + (live->folder() / "socket").string());
            continue;
        }
        const auto port = std::to_string(
            free_port(scheme == "udp" || scheme == "enet" ? SOCK_DGRAM : SOCK_STREAM));
        arguments += std::string(" ") + kind.name + "=" + port;
        urls.push_back(scheme + "://127.0.0.1:" + port);
    }
    std::thread running(
        [&] { live->run(source_dir() / "tests/net" / engine().script, arguments, 100); });
    for (std::size_t i = 0; i < urls.size(); ++i) {
        const Kind& kind = engine().kinds[i];
        const auto vectors = sendable(engine().recording, kind);
        EngineClient client(engine(), kind, urls[i]);
        if (!client.connection()) {
            ADD_FAILURE() << kind.name << ": " << client.connection().error().text;
            break;
        }
        if (std::string(kind.scheme) == "udp") {
            // The server may not be there yet, and nobody says so.
            const auto probe = encode(Variant(0), options_for(engine(), kind).encoding);
            for (int n = 0; n < 20; ++n) {
                client.put(as_bytes(*probe));
                if (client.get())
                    break;
            }
        }
        const Outcome outcome = client.round(vectors);
        EXPECT_GT(outcome.sent, 250u);
        EXPECT_EQ(outcome.same, outcome.sent) << kind.name << ": " << outcome.trouble;
        RecordProperty(kind.name, static_cast<int>(outcome.same));
        client.quit();
    }
    running.join();
}

INSTANTIATE_TEST_SUITE_P(All, Live, ::testing::Range(0, 3), [](const auto& one) {
    std::string name = engines[one.param].name;
    std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
});

}  // namespace
}  // namespace gdvar::test
