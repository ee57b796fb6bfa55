// Godot 3's multiplayer packets and its transports' headers, without sockets.
#include <rapidcheck.h>

#include <map>

#include "messages.hpp"

namespace gdvar::test {

using namespace net;
namespace {

const Dialect& dialect_3 = dialects::godot_3_1;

std::expected<mp3::Message, Error> read_message(ByteView bytes) {
    DecodeOptions decoding = reading(dialect_3);
    decoding.limits = Limits::network();
    return mp3::decode(bytes, decoding);
}

std::expected<void, Error> write_message(PackedByteArray& to, const mp3::Message& message) {
    return mp3::append(to, message, writing(dialect_3));
}

/// Bytes as the engine's source lays them out (wire-format 4.4), and the message they are.
struct Laid {
    const char* hex;
    mp3::Message message;
};

TEST(Multiplayer3, Layouts) {
    const Laid cases[] = {
        {"00"
         "07000000"
         "66756e6300"
         "02"
         "0100000001000000"
         "0200000005000000",
         mp3::Rpc{.node = 7, .method = "func", .arguments = Array{true, 5}}},
        {"00"
         "0c000080"
         "6600"
         "01"
         "00000000"
         "00",
         mp3::Rpc{.path = String(""), .method = "f", .arguments = Array{Variant()}}},
        {"01"
         "07000000"
         "787900"
         "0200000005000000",
         mp3::RemoteSet{.node = 7, .property = "xy", .value = 5}},
        {"01"
         "0f000080"
         "7800"
         "0200000005000000"
         "612f6200",
         mp3::RemoteSet{.path = String("a/b"), .property = "x", .value = 5}},
        {"02"
         "03000000"
         "612f6200",
         mp3::SimplifyPath{3, "a/b"}},
        {"03"
         "612f6200",
         mp3::ConfirmPath{"a/b"}},
        {"04"
         "0102",
         mp3::Raw{PackedByteArray{1, 2}}},
        {"04", mp3::Raw{}},
    };
    for (const Laid& one : cases) {
        PackedByteArray bytes;
        ASSERT_TRUE(write_message(bytes, one.message)) << one.hex;
        EXPECT_EQ(hex(as_bytes(bytes)), one.hex);
        const auto there = read_message(as_bytes(bytes));
        ASSERT_TRUE(there) << one.hex;
        EXPECT_EQ(there->index(), one.message.index());
        EXPECT_TRUE(identical(mp3::describe(*there), mp3::describe(one.message))) << one.hex;
        constexpr std::array names{"rpc", "remote_set", "simplify_path", "confirm_path", "raw"};
        const Variant said = mp3::describe(*there);
        EXPECT_EQ(said["command"].get<std::string_view>(), names[there->index()]);
    }
}

// ---- what Godot 3 sent ----------------------------------------------------------------------

/// Checks the recorded packets against the step, which the server sent before them.
class Transcript3 {
public:
    void line(const Json& record) {
        const PackedByteArray packet = packed(record["packet"]);
        peer_ = record["peer"];
        if (record["channel"] == 0) {
            const auto notice = mp3::decode_enet_notice(as_bytes(packet));
            ASSERT_TRUE(notice);
            PackedByteArray again;
            ASSERT_TRUE(mp3::append_enet_notice(again, *notice));
            EXPECT_EQ(again, packet);
            ++notices[notice->kind];
            EXPECT_EQ(notice->peer, peer_ == 2 ? 3u : 2u);
            return;
        }
        const auto header = mp3::decode_enet(as_bytes(packet));
        ASSERT_TRUE(header);
        EXPECT_EQ(header->source, 1);
        target_ = header->target;
        const auto message = read_message(header->payload);
        ASSERT_TRUE(message) << record.dump();
        PackedByteArray again, payload;
        ASSERT_TRUE(mp3::append(payload, *message));
        ASSERT_TRUE(mp3::append_enet(again, {1, target_, as_bytes(payload)}));
        EXPECT_EQ(again, packet);
        channel_ = record["channel"];
        ++counts[message->index()];
        std::visit(*this, *message);
    }
    void operator()(const mp3::Raw& m) {
        const ByteView text = as_bytes(m.bytes);
        auto& step = steps_[peer_];
        EXPECT_TRUE(step.is_null()) << "nothing of " << step.dump();
        step = Json::parse(gdvar::detail::as_text(text.data(), text.size()));
        if (step["step"] == "leave")
            step = nullptr;
    }
    void operator()(const mp3::SimplifyPath& m) { paths_[{peer_, m.id}] = m.path; }
    void operator()(const mp3::ConfirmPath&) {
        ADD_FAILURE() << "the server has nothing to confirm";
    }
    void operator()(const mp3::Rpc& m) {
        Json& step = steps_[peer_];
        ASSERT_TRUE(step.contains("method")) << step.dump();
        EXPECT_EQ(m.method.view(), std::string(step["method"]));
        Array expected;
        for (const Json& one : step["arguments"])
            expected.push_back(decode(unhex(one), reading(dialect_3)).value());
        EXPECT_TRUE(identical(Variant(m.arguments), Variant(expected))) << step.dump();
        EXPECT_EQ(channel_, step["step"] == "unreliable" ? 2 : 1);
        receiver(m, step);
    }
    void operator()(const mp3::RemoteSet& m) {
        Json& step = steps_[peer_];
        ASSERT_EQ(step["step"], "rset");
        EXPECT_EQ(m.property.view(), std::string(step["property"]));
        EXPECT_TRUE(identical(m.value, decode(unhex(step["value"]), reading(dialect_3)).value()));
        receiver(m, step);
    }
    std::map<std::size_t, std::size_t> counts, notices;
    std::size_t by_path = 0;  ///< calls whose receiver had no id yet

private:
    template <class Call>
    void receiver(const Call& call, Json& step) {
        const String path = call.path ? *call.path : paths_[{peer_, call.node}];
        EXPECT_EQ(path.view(), "Level/Caller");
        by_path += call.path.has_value();
        step = nullptr;
    }
    int peer_ = 0, channel_ = 0;
    std::int32_t target_ = 0;
    std::map<int, Json> steps_;
    std::map<std::pair<int, std::uint32_t>, String> paths_;
};

TEST(Multiplayer3, ReadsWhatTheEngineSent) {
    Transcript3 transcript;
    for (const Json& line :
         lines_with(data_dir() / "captures" / "multiplayer-godot-3.2.3.ndjson", "packet"))
        transcript.line(line);
    // Calls, sets, paths and bytes; a peer that came to each and one that left.
    EXPECT_EQ(transcript.counts.size(), 4u);
    EXPECT_EQ(transcript.notices[mp3::ENetNotice::add_peer], 2u);
    EXPECT_EQ(transcript.notices[mp3::ENetNotice::remove_peer], 1u);
    EXPECT_GT(transcript.by_path, 0u);
}

mp3::Message any_message_3(Random& random) {
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    const auto receiver = [&](auto message) {
        if (below(random, 2))
            message.path = any_name(random);
        else
            message.node = word() & 0x7FFF'FFFF;
        return message;
    };
    switch (below(random, 5)) {
        case 0:
            return receiver(mp3::Rpc{.method = any_name(random),
                                     .arguments = any_arguments(random, dialect_3)});
        case 1:
            return receiver(mp3::RemoteSet{.property = any_name(random),
                                           .value = any_writable(random, dialect_3)});
        case 2:
            return mp3::SimplifyPath{word(), any_name(random)};
        case 3:
            return mp3::ConfirmPath{any_name(random)};
        default:
            return mp3::Raw{any_bytes(random)};
    }
}

TEST(Multiplayer3, AnyMessageComesBack) {
    rc::check("append and decode", [](std::uint64_t seed) {
        Random random(seed);
        for (int i = 0; i < 10; ++i) {
            const mp3::Message message = any_message_3(random);
            PackedByteArray packet{9, 9}, again;
            RC_ASSERT(write_message(packet, message).has_value());
            const auto there = read_message(as_bytes(packet).subspan(2));
            RC_ASSERT(there.has_value());
            RC_ASSERT(there->index() == message.index());
            RC_ASSERT(identical(mp3::describe(*there), mp3::describe(message)));
            RC_ASSERT(write_message(again, *there).has_value());
            RC_ASSERT(std::ranges::equal(as_bytes(again), as_bytes(packet).subspan(2)));
            if (packet.size() < 200)
                damage(again, read_message, write_message, mp3::describe);
        }
    });
}

TEST(Multiplayer3, Refuses) {
    struct Case {
        const char* hex;
        Errc code;
        std::uint64_t offset;
    };
    const Case cases[] = {
        {"", Errc::truncated, 0},
        {"05", Errc::bad_packet, 1},
        {"ff", Errc::bad_packet, 1},
        {"00070000", Errc::truncated, 1},
        {"00070000006600", Errc::truncated, 7},    // no count
        {"0007000000660001", Errc::truncated, 8},  // no argument
        {"000700000066000000", Errc::trailing_bytes, 8},
        {"000000008066000061", Errc::bad_packet, 5},       // a path in the header
        {"00ffffffff66000061", Errc::bad_packet, 5},       // outside the packet
        {"000800008066000061", Errc::truncated, 8},        // without its NUL
        {"00080000806600006100ff", Errc::bad_packet, 10},  // with something behind it
        {"0006000080666100", Errc::bad_packet, 5},         // the method's name ends in the path
        {"0203000000ff00", Errc::bad_utf8, 5},
        {"03", Errc::truncated, 1},
    };
    for (const Case& one : cases) {
        const auto there = read_message(unhex(one.hex));
        ASSERT_FALSE(there) << one.hex;
        EXPECT_EQ(there.error().code, one.code) << one.hex;
        EXPECT_EQ(there.error().offset, one.offset) << one.hex;
    }
    PackedByteArray to{1};
    Array many;
    for (int i = 0; i < 256; ++i)
        many.push_back(i);
    const auto refused = [&](const mp3::Message& message) {
        const auto done = mp3::append(to, message);
        EXPECT_EQ(to, PackedByteArray{1});
        return done ? Errc::ok : done.error().code;
    };
    EXPECT_EQ(refused(mp3::Rpc{.arguments = many}), Errc::too_many_items);
    EXPECT_EQ(refused(mp3::Rpc{.node = 0x8000'0000}), Errc::number_out_of_range);
    EXPECT_EQ(refused(mp3::RemoteSet{.value = Vector4i()}), Errc::not_in_dialect);
    EXPECT_EQ(refused(mp3::ConfirmPath{String(std::string_view("\0", 1))}), Errc::bad_utf8);
}

TEST(Multiplayer3, ENetHeaders) {
    const auto packet = unhex("02000000feffffff0102");
    const auto there = mp3::decode_enet(packet);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->source, 2);
    EXPECT_EQ(there->target, -2);
    EXPECT_EQ(hex(there->payload), "0102");
    PackedByteArray again;
    ASSERT_TRUE(mp3::append_enet(again, *there));
    EXPECT_EQ(hex(as_bytes(again)), hex(packet));
    for (std::size_t n = 0; n < 8; ++n)
        EXPECT_EQ(mp3::decode_enet(ByteView(packet).first(n)).error().code, Errc::truncated);
    EXPECT_TRUE(mp3::decode_enet(ByteView(packet).first(8))->payload.empty());

    again.clear();
    ASSERT_TRUE(mp3::append_enet_notice(again, {mp3::ENetNotice::remove_peer, 0x89ABCDEF}));
    EXPECT_EQ(hex(as_bytes(again)), "01000000efcdab89");
    EXPECT_EQ(mp3::decode_enet_notice(as_bytes(again))->peer, 0x89ABCDEF);
    EXPECT_EQ(mp3::decode_enet_notice(as_bytes(again))->kind, mp3::ENetNotice::remove_peer);
    for (std::size_t n = 0; n < 8; ++n)
        EXPECT_EQ(mp3::decode_enet_notice(as_bytes(again).first(n)).error().code, Errc::truncated);
    EXPECT_EQ(mp3::decode_enet_notice(unhex("0200000001000000")).error().code, Errc::bad_packet);
    EXPECT_EQ(mp3::decode_enet_notice(unhex("010000000100000000")).error().code, Errc::bad_packet);
    // Longer than any packet of values: a header has no limit of its own.
    const std::vector<std::byte> big(2u << 20);
    EXPECT_EQ(mp3::decode_enet(big)->payload.size(), big.size() - 8);
}

TEST(Multiplayer3, WebSocketHeaders) {
    const auto packet = unhex("0002000000000000000304");
    const auto there = mp3::decode_websocket(packet);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->from, 2);
    EXPECT_EQ(there->to, 0);
    EXPECT_EQ(hex(there->payload), "0304");
    PackedByteArray again;
    ASSERT_TRUE(mp3::append_websocket(again, *there));
    EXPECT_EQ(hex(as_bytes(again)), hex(packet));
    again.clear();
    const mp3::WebSocketHeader yours{.kind = mp3::WebSocketHeader::your_id, .from = 1, .peer = 77};
    ASSERT_TRUE(mp3::append_websocket(again, yours));
    EXPECT_EQ(hex(as_bytes(again)), "0301000000000000004d000000");
    EXPECT_EQ(mp3::decode_websocket(as_bytes(again))->peer, 77);
    for (std::size_t n = 0; n < again.size(); ++n)
        EXPECT_EQ(mp3::decode_websocket(as_bytes(again).first(n)).error().code, Errc::truncated);
    again.push_back(0);
    EXPECT_EQ(mp3::decode_websocket(as_bytes(again)).error().code, Errc::bad_packet);
    EXPECT_EQ(mp3::decode_websocket(unhex("040200000000000000")).error().code, Errc::bad_packet);
    EXPECT_EQ(mp3::append_websocket(again, {.kind = 4}).error().code, Errc::bad_packet);
}

}  // namespace
}  // namespace gdvar::test
