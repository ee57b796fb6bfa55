// Godot 4's multiplayer packets and compressed variants, without sockets.
#include <rapidcheck.h>

#include <map>
#include <set>

#include "messages.hpp"

namespace gdvar::test {

using namespace net;
namespace {

const Dialect& dialect_4 = dialects::godot_4_4;

mp4::Options options() {
    mp4::Options out;
    out.decoding.allow_objects = true;
    return out;
}

struct Golden {
    Variant value;
    const char* hex;
};

TEST(Compressed, GoldenBytes) {
    const Golden cases[] = {
        {0, "0200"},
        {127, "027f"},
        {-128, "0280"},
        {128, "428000"},
        {-129, "427fff"},
        {32767, "42ff7f"},
        {32768, "8200800000"},
        {2147483647, "82ffffff7f"},
        {2147483648, "c20000008000000000"},
        {INT64_MIN, "c20000000000000080"},
        {true, "81"},
        {false, "01"},
        {1.5, "030000000000c03f"},
        {Variant(), "00000000"},
        {"ab", "040000000200000061620000"},
    };
    for (const Golden& one : cases) {
        PackedByteArray bytes{7};
        const std::size_t size = append_compressed(bytes, one.value).value();
        EXPECT_EQ(size, bytes.size() - 1);
        EXPECT_EQ(hex(as_bytes(bytes).subspan(1)), one.hex);
        const auto there = decode_compressed(unhex(one.hex));
        ASSERT_TRUE(there) << one.hex;
        EXPECT_TRUE(identical(there->value, one.value)) << one.hex;
        EXPECT_EQ(there->size, bytes.size() - 1);
        // Each prefix lacks the rest, or says at least how much more.
        for (std::size_t n = 0; n < bytes.size() - 1; ++n) {
            const auto less = decode_compressed(as_bytes(bytes).subspan(1, n));
            ASSERT_FALSE(less) << one.hex << " cut at " << n;
            EXPECT_EQ(less.error().code, Errc::truncated);
            EXPECT_GE(less.error().need, 1u);
            EXPECT_LE(less.error().need, bytes.size() - 1 - n);
        }
    }
}

TEST(Compressed, Refuses) {
    EXPECT_EQ(decode_compressed(unhex("430000c03f")).error().code, Errc::unknown_type);
    EXPECT_EQ(decode_compressed(unhex("8400000000000000")).error().code, Errc::unknown_type);
    EXPECT_EQ(decode_compressed(unhex("3f000000")).error().code, Errc::unknown_type);
    // A freed object: a lone header at the end. Anything behind it belongs to an object.
    const auto freed = decode_compressed(unhex("18000000"));
    ASSERT_TRUE(freed);
    EXPECT_TRUE(freed->value.is(Type::object));
    EXPECT_EQ(freed->size, 4u);
    EXPECT_EQ(decode_compressed(unhex("1800000000")).error().code, Errc::objects_forbidden);
    PackedByteArray to{5};
    EXPECT_EQ(append_compressed(to, Array{Object("Node")}).error().code, Errc::objects_forbidden);
    EXPECT_EQ(to, PackedByteArray{5});
}

TEST(Compressed, AllRecordedValues) {
    std::size_t count = 0;
    for (const Vector& vector : vectors_of(recordings[0])) {
        const auto value = decode(vector.bytes, reading(dialect_4));
        if (!value)
            continue;
        ++count;
        PackedByteArray bytes;
        ASSERT_TRUE(append_compressed(bytes, *value, writing(dialect_4))) << vector.name;
        if (!value->is(Type::boolean) && !value->is(Type::integer)) {
            EXPECT_EQ(bytes, encode(*value, writing(dialect_4)).value()) << vector.name;
        }
        bytes.push_back(0);
        const auto there = decode_compressed(as_bytes(bytes), reading(dialect_4));
        ASSERT_TRUE(there) << vector.name;
        EXPECT_EQ(there->size, bytes.size() - 1) << vector.name;
        EXPECT_TRUE(identical(there->value, *value)) << vector.name;
    }
    EXPECT_GT(count, 400u);
}

TEST(Compressed, StrictRefusesWhatNoEngineWrites) {
    const DecodeOptions strict{.strict = true};
    for (const char* good : {"0200", "428000", "81", "01", "c20000008000000000"})
        EXPECT_TRUE(decode_compressed(unhex(good), strict)) << good;
    for (const char* wide : {"420100", "82ff7f0000", "c2ffffff7f00000000"}) {
        EXPECT_TRUE(decode_compressed(unhex(wide))) << wide;
        EXPECT_EQ(decode_compressed(unhex(wide), strict).error().code, Errc::wide_number) << wide;
    }
    EXPECT_TRUE(decode_compressed(unhex("41")));
    EXPECT_EQ(decode_compressed(unhex("41"), strict).error().code, Errc::unknown_flags);
}

/// Several values in one packet, read strictly.
TEST(Multiplayer4, StrictReadsArgumentsInARow) {
    mp4::Options strict;
    strict.decoding.strict = true;
    PackedByteArray packet;
    const mp4::Rpc call{.node = 1, .arguments = Array{1.5, "abc", 7, Array{1, 2}, true}};
    ASSERT_TRUE(mp4::append(packet, call));
    const auto there = mp4::decode(as_bytes(packet), strict);
    ASSERT_TRUE(there) << to_string(there.error());
    EXPECT_TRUE(identical(mp4::describe(*there), mp4::describe(call)));
}

TEST(Multiplayer4, ObservedCall) {
    const PackedByteArray packet = packed(
        "20080000800001"
        "81"
        "466f6f00");
    const auto there = mp4::decode(as_bytes(packet));
    ASSERT_TRUE(there);
    const auto& call = std::get<mp4::Rpc>(*there);
    EXPECT_EQ(call.path, String("Foo"));
    EXPECT_EQ(call.node, 0u);
    EXPECT_EQ(call.method, 0);
    EXPECT_FALSE(call.bytes_only);
    EXPECT_TRUE(identical(Variant(call.arguments), Variant(Array{true})));
    PackedByteArray again;
    ASSERT_TRUE(mp4::append(again, *there));
    EXPECT_EQ(again, packet);
}

// ---- what Godot 4.6.3 sent ----------------------------------------------------------------------

Array values_of(const Json& hexes) {
    Array out;
    for (const Json& one : hexes)
        out.push_back(decode(unhex(one), reading(dialect_4)).value());
    return out;
}

std::string text_of(const PackedByteArray& bytes) {
    return std::string(gdvar::detail::as_text(as_bytes(bytes).data(), bytes.size()));
}

/// Checks the recorded packets against the step in which they were sent.
class Transcript {
public:
    void line(const Json& record) {
        if (record.contains("step")) {
            finish_step();
            step_ = record;
            matched_ = 0;
            return;
        }
        packet(packed(record["packet"]), record["from"], record["to"]);
    }
    void finish_step() {
        if (step_.is_null() || step_["step"] == "start")
            return;
        EXPECT_GT(matched_, 0) << "nothing of " << step_.dump();
        step_ = nullptr;
    }
    std::map<std::size_t, std::size_t> counts;  ///< by kind of message

private:
    void packet(const PackedByteArray& bytes, int from, int to) {
        const auto message = mp4::decode(as_bytes(bytes));
        ASSERT_TRUE(message) << step_.dump() << ": " << hex(as_bytes(bytes));
        PackedByteArray again;
        ASSERT_TRUE(mp4::append(again, *message, writing(dialect_4)));
        // A freed object's bare header is the only thing that is not written as it was.
        if (step_["step"] != "freed") {
            EXPECT_EQ(again, bytes) << hex(as_bytes(bytes));
        }
        EXPECT_TRUE(mp4::describe(*message).is(Type::dictionary));
        ++counts[message->index()];
        from_ = from;
        to_ = to;
        std::visit(*this, *message);
    }
    bool in(const char* step) const { return text("step") == step; }
    std::string text(const char* key) const { return step_[key].get<std::string>(); }
    void match(bool same) {
        EXPECT_TRUE(same) << step_.dump();
        ++matched_;
    }

public:
    void operator()(const mp4::Rpc& call) {
        // A path, or an id that the same sender gave to one.
        const std::string path(call.path ? call.path->view() : paths_[{from_, call.node}].view());
        EXPECT_FALSE(path.empty());
        if (in("confirm")) {
            EXPECT_EQ(call.method, 1);
            return match(call.arguments.empty() && call.bytes_only && path == text("path"));
        }
        Array expected = values_of(step_["arguments"]);
        if (in("freed")) {
            expected[expected.size() - 1] = Variant(Object());
            return match(identical(Variant(call.arguments), Variant(expected)));
        }
        ASSERT_TRUE(in("rpc"));
        EXPECT_EQ(path, text("path"));
        EXPECT_EQ(call.method, step_["id"]);
        const auto* only = expected.size() == 1 ? expected[0].get_if<PackedByteArray>() : nullptr;
        EXPECT_EQ(call.bytes_only, only || expected.empty());
        // The engine's own loss: one empty PackedByteArray is sent as no argument.
        if (only && only->empty())
            expected.clear();
        match(identical(Variant(call.arguments), Variant(expected)));
    }
    void operator()(const mp4::SimplifyPath& m) { paths_[{from_, m.id}] = m.path; }
    void operator()(const mp4::ConfirmPath& m) {
        EXPECT_TRUE(m.valid);
        // Confirms what the receiver has sent.
        EXPECT_TRUE(paths_.contains({to_, m.id}));
    }
    void operator()(const mp4::Raw& m) {
        match(in("send_bytes") && hex(as_bytes(m.bytes)) == text("bytes"));
    }
    void operator()(const mp4::Spawn& m) {
        EXPECT_GT(m.node, 0u);
        EXPECT_EQ(paths_[std::pair(from_, m.spawner)].view(), "Spawner");
        if (in("custom_spawn")) {
            const Variant data = decode(unhex(step_["data"]), reading(dialect_4)).value();
            EXPECT_EQ(m.scene, 255);
            return match(m.custom && identical(*m.custom, data) && m.state.empty());
        }
        EXPECT_EQ(m.scene, 0);
        EXPECT_EQ(m.synchronizers.size(), 1u);
        EXPECT_EQ(m.name.view(), text("name"));
        match(in("spawn") && !m.custom &&
              identical(Variant(m.state), Variant(values_of(step_["state"]))));
    }
    void operator()(const mp4::Despawn& m) {
        EXPECT_GT(m.node, 0u);
        match(in("despawn"));
    }
    void operator()(const mp4::Sync& m) {
        Array values;
        for (const auto& entry : m.entries)
            for (const Variant& value : entry.values)
                values.push_back(value);
        EXPECT_FALSE(values.empty());
        // State is sent each frame; only what belongs to the step is compared.
        if (in("sync") && !m.delta) {
            EXPECT_GT(m.time, 0);
            match(identical(Variant(values), Variant(values_of(step_["values"]))));
        }
        if (in("delta") && m.delta) {
            ASSERT_EQ(m.entries.size(), 1u);
            EXPECT_EQ(m.entries[0].mask, step_["mask"]);
            match(identical(Variant(values), Variant(values_of(step_["values"]))));
        }
    }
    void operator()(const mp4::System& m) {
        if (m.kind == mp4::System::relay) {
            // To the server it names the target, from it the source.
            if (from_ == 1)
                from_ = m.peer;
            const auto inner = mp4::decode(as_bytes(m.bytes));
            ASSERT_TRUE(inner);
            return std::visit(*this, *inner);
        }
        if (m.kind == mp4::System::remove_peer)
            return match(in("leave") && m.peer == 20);
        ASSERT_TRUE(in("connect"));
        if (m.kind == mp4::System::add_peer)
            return match(m.peer == (to_ == 20 ? 300000 : 20));
        const std::string said = text_of(m.bytes);
        match(said.empty() || said == (from_ == 1 ? "who are you?" : "secret"));
    }

private:
    Json step_ = nullptr;
    int from_ = 0, to_ = 0, matched_ = 0;
    std::map<std::pair<int, std::uint32_t>, String> paths_;
};

TEST(Multiplayer4, ReadsWhatTheEngineSent) {
    Transcript transcript;
    std::istringstream in(read_text(data_dir() / "captures" / "multiplayer-godot-4.6.3.ndjson"));
    for (std::string line; std::getline(in, line);)
        transcript.line(Json::parse(line));
    transcript.finish_step();
    // Every command is there.
    EXPECT_EQ(transcript.counts.size(), std::variant_size_v<mp4::Message>);
}

TEST(Multiplayer4, DamagedRecordings) {
    const auto lines =
        lines_with(data_dir() / "captures" / "multiplayer-godot-4.6.3.ndjson", "packet");
    ASSERT_GT(lines.size(), 500u);
    std::set<std::size_t> sizes[8];
    for (const Json& line : lines) {
        const PackedByteArray packet = packed(line["packet"]);
        // One of each command and size is enough.
        if (packet.size() > 300 || !sizes[packet[0] & 7].insert(packet.size()).second)
            continue;
        damage(
            packet, [](ByteView b) { return mp4::decode(b, options()); },
            [](auto& to, const auto& m) { return mp4::append(to, m, writing(dialect_4)); },
            mp4::describe);
    }
}

// ---- messages of all kinds ----------------------------------------------------------------------

mp4::Message any_message_4(Random& random) {
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    switch (below(random, 8)) {
        case 0: {
            mp4::Rpc out;
            const std::uint8_t widths[] = {1, 2, 4};
            out.node_width = widths[below(random, 3)];
            if (below(random, 3) == 0) {
                out.node_width = 4;
                out.path = any_name(random);
            } else {
                out.node = word() >> (33 - 8 * out.node_width);
            }
            out.method_width = below(random, 2) ? 1 : 2;
            out.method =
                static_cast<std::uint16_t>(word() & (out.method_width == 1 ? 0xFF : 0xFFFF));
            out.bytes_only = below(random, 4) == 0;
            if (!out.bytes_only)
                out.arguments = any_arguments(random, dialect_4);
            else if (PackedByteArray bytes = any_bytes(random); !bytes.empty())
                out.arguments.push_back(Variant(bytes));
            return out;
        }
        case 1:
            return mp4::SimplifyPath{"0123456789abcdef0123456789abcdef", word(), any_name(random)};
        case 2:
            return mp4::ConfirmPath{below(random, 2) == 0, word(), std::nullopt};
        case 3:
            return mp4::Raw{any_bytes(random)};
        case 4: {
            mp4::Spawn out{static_cast<std::uint8_t>(below(random, 255)),
                           word(),
                           word(),
                           {},
                           any_name(random),
                           std::nullopt,
                           any_arguments(random, dialect_4)};
            for (std::uint64_t n = below(random, 4); n; --n)
                out.synchronizers.push_back(word());
            if (below(random, 2)) {
                out.scene = 255;
                out.custom = any_writable(random, dialect_4);
            }
            return out;
        }
        case 5:
            return mp4::Despawn{word()};
        case 6: {
            mp4::Sync out;
            out.delta = below(random, 2);
            if (!out.delta)
                out.time = static_cast<std::uint16_t>(word());
            for (std::uint64_t n = below(random, 4); n; --n)
                out.entries.push_back(
                    {word(), out.delta ? random() : 0, any_arguments(random, dialect_4)});
            return out;
        }
        default: {
            mp4::System out;
            out.kind = static_cast<mp4::System::Kind>(below(random, 4));
            if (out.kind != mp4::System::authentication)
                out.peer = static_cast<std::int32_t>(word());
            if (out.kind == mp4::System::authentication || out.kind == mp4::System::relay)
                out.bytes = any_bytes(random);
            return out;
        }
    }
}

TEST(Multiplayer4, AnyMessageComesBack) {
    rc::check("append and decode", [](std::uint64_t seed) {
        Random random(seed);
        for (int i = 0; i < 10; ++i) {
            const mp4::Message message = any_message_4(random);
            PackedByteArray packet{9, 9}, again;
            RC_ASSERT(mp4::append(packet, message, writing(dialect_4)).has_value());
            const auto there = mp4::decode(as_bytes(packet).subspan(2), options());
            RC_ASSERT(there.has_value());
            RC_ASSERT(there->index() == message.index());
            RC_ASSERT(identical(mp4::describe(*there), mp4::describe(message)));
            RC_ASSERT(mp4::append(again, *there, writing(dialect_4)).has_value());
            RC_ASSERT(std::ranges::equal(as_bytes(again), as_bytes(packet).subspan(2)));
            if (packet.size() < 200)
                damage(
                    again, [](ByteView b) { return mp4::decode(b, options()); },
                    [](auto& to, const auto& m) { return mp4::append(to, m, writing(dialect_4)); },
                    mp4::describe);
        }
    });
}

TEST(Multiplayer4, ConfirmsByPathAsGodot40Does) {
    mp4::Options old;
    old.confirms_by_path = true;
    const mp4::ConfirmPath confirm{true, 0, String("a/b")};
    PackedByteArray packet;
    ASSERT_TRUE(mp4::append(packet, confirm));
    EXPECT_EQ(hex(as_bytes(packet)), "0201612f6200");
    const auto there = mp4::decode(as_bytes(packet), old);
    ASSERT_TRUE(there);
    EXPECT_TRUE(identical(mp4::describe(*there), mp4::describe(confirm)));
    // Read as 4.3's it is an id, and no more may follow.
    EXPECT_EQ(std::get<mp4::ConfirmPath>(mp4::decode(as_bytes(packet)).value()).id, 0x00622F61u);
}

Errc append_error(const mp4::Message& message) {
    PackedByteArray to{1, 2};
    const auto done = mp4::append(to, message);
    EXPECT_EQ(to.size(), done ? to.size() : 2);
    return done ? Errc::ok : done.error().code;
}

TEST(Multiplayer4, RefusesToWriteWhatCannotBeRead) {
    EXPECT_EQ(append_error(mp4::Rpc{.node = 256, .node_width = 1}), Errc::number_out_of_range);
    EXPECT_EQ(append_error(mp4::Rpc{.node = 65536, .node_width = 2}), Errc::number_out_of_range);
    EXPECT_EQ(append_error(mp4::Rpc{.node = 0x80000000}), Errc::number_out_of_range);
    EXPECT_EQ(append_error(mp4::Rpc{.method = 256}), Errc::number_out_of_range);
    EXPECT_EQ(append_error(mp4::Rpc{.bytes_only = true, .arguments = Array{1}}), Errc::wrong_type);
    EXPECT_EQ(append_error(mp4::Rpc{.path = String(std::string_view("a\0b", 3))}), Errc::bad_utf8);
    Array many;
    for (int i = 0; i < 256; ++i)
        many.push_back(i);
    EXPECT_EQ(append_error(mp4::Rpc{.arguments = many}), Errc::too_many_items);
    EXPECT_EQ(append_error(mp4::SimplifyPath{"short", 1, "a"}), Errc::length_out_of_range);
    EXPECT_EQ(append_error(mp4::Spawn{.scene = 255}), Errc::misplaced);
    EXPECT_EQ(append_error(mp4::Spawn{.scene = 1, .custom = Variant(1)}), Errc::misplaced);
    EXPECT_EQ(append_error(mp4::Rpc{.arguments = Array{Object("Node")}}), Errc::objects_forbidden);
    EXPECT_EQ(append_error(mp4::Rpc{.node = 255, .node_width = 1}), Errc::ok);
}

struct Refused {
    const char* hex;
    Errc code;
    std::uint64_t offset;
};

TEST(Multiplayer4, RefusesBadPackets) {
    const Refused cases[] = {
        {"", Errc::truncated, 0},
        {"30", Errc::bad_packet, 1},                        // no such width of node ids
        {"0001", Errc::truncated, 2},                       // no method
        {"0001020181ff", Errc::trailing_bytes, 5},          // more than the arguments
        {"000102ff", Errc::truncated, 4},                   // 255 arguments that are not there
        {"2008000080000281616200", Errc::bad_packet, 8},    // a path in the middle of arguments
        {"200500008000018146", Errc::bad_packet, 5},        // one that begins in the header
        {"20ffffffff000181466f6f00", Errc::bad_packet, 5},  // and one outside the packet
        {"2008000080000181466f6f", Errc::truncated, 8},     // without its NUL
        {"200800008000018146c3ff00", Errc::bad_utf8, 8},
        {"2008000080000181466f6f0000", Errc::bad_packet, 12},  // with something behind it
        {"0201010000", Errc::truncated, 2},
        {"020101000000ff", Errc::trailing_bytes, 6},
        {"04000000000001000000ffffffff01000000", Errc::truncated, 18},  // 4 G synchronizers
        {"0400000000000100000000000000020000006100", Errc::ok, 0},
        {"0400000000000100000000000000030000006100", Errc::bad_packet, 20},  // another name length
        {"060100010000000500000002010203", Errc::truncated, 11},  // state that is not all there
        {"0601000100000003000000020142", Errc::bad_packet, 13},   // ends inside its size
        {"0704", Errc::bad_packet, 2},
        {"07010000", Errc::truncated, 2},
    };
    for (const Refused& one : cases) {
        const auto there = mp4::decode(unhex(one.hex));
        ASSERT_EQ(there.has_value(), one.code == Errc::ok) << one.hex;
        if (!there) {
            EXPECT_EQ(there.error().code, one.code) << one.hex;
            EXPECT_EQ(there.error().offset, one.offset) << one.hex;
        }
    }
}

TEST(Multiplayer4, PeerIds) {
    PackedByteArray bytes;
    ASSERT_TRUE(mp4::append_peer_id(bytes, 0x12345678));
    EXPECT_EQ(hex(as_bytes(bytes)), "78563412");
    EXPECT_EQ(mp4::decode_peer_id(as_bytes(bytes)), 0x12345678);
    EXPECT_EQ(mp4::decode_peer_id(unhex("785634")).error().code, Errc::bad_packet);
    EXPECT_EQ(mp4::decode_peer_id(unhex("7856341200")).error().code, Errc::bad_packet);
}

}  // namespace
}  // namespace gdvar::test
