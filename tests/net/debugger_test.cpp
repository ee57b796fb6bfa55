// DebuggerReader over what real engines said, and over what nobody should say.
#include "gdvar/net/debugger.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"
#include "support/padding.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using Bytes = std::vector<std::byte>;

struct Capture {
    const char* file;
    const Dialect* dialect;
    DebuggerProtocol protocol;
    std::size_t packets;  ///< as the captures' README counts them; 0: not said there
};
const Capture captures[] = {
    {"godot-3.2.3.from-engine.bin", &dialects::godot_3_1, DebuggerProtocol::godot_3, 407},
    {"godot-3.2.3.to-engine.bin", &dialects::godot_3_1, DebuggerProtocol::godot_3_command, 0},
    {"godot-4.6.3.from-engine.bin", &dialects::godot_4_4, DebuggerProtocol::godot_4, 258},
    {"godot-4.6.3.to-engine.bin", &dialects::godot_4_4, DebuggerProtocol::godot_4, 0},
};

Bytes stream_of(const Capture& capture) {
    return read_bytes(data_dir() / "captures" / capture.file);
}

/// The stream's packets, cut without the framer.
std::vector<ByteView> packets_of(ByteView stream) {
    std::vector<ByteView> out;
    while (!stream.empty()) {
        const auto size = gdvar::detail::load<std::uint32_t>(stream.data());
        out.push_back(stream.subspan(4, size));
        stream = stream.subspan(4 + size);
    }
    return out;
}

struct Messages {
    std::vector<DebuggerMessage> messages;
    Error error;
    DebuggerProtocol protocol = DebuggerProtocol::unknown;
};

/// Reads `stream` in the pieces that `piece()` chooses.
template <class Piece>
Messages read(ByteView stream, const DecodeOptions& decoding, DebuggerProtocol protocol,
              Piece&& piece) {
    StreamFramer framer;
    DebuggerReader reader(decoding, protocol);
    Messages out;
    const auto note = [&](const auto& done) {
        if (!done && out.error.code == Errc::ok)
            out.error = done.error();
        return done.has_value();
    };
    bool good = true;
    while (good && !stream.empty()) {
        const std::size_t n = std::clamp<std::size_t>(piece(), 1, stream.size());
        good = note(framer.feed(stream.first(n)));
        stream = stream.subspan(n);
        while (good) {
            auto packet = framer.next();
            if (!(good = note(packet)) || !*packet)
                break;
            auto message = reader.packet(**packet);
            if ((good = note(message)) && *message)
                out.messages.push_back(std::move(**message));
        }
    }
    note(reader.finish());
    note(framer.finish());
    out.protocol = reader.protocol();
    return out;
}

Messages read_whole(ByteView stream, const DecodeOptions& decoding,
                    DebuggerProtocol protocol = DebuggerProtocol::unknown) {
    return read(stream, decoding, protocol, [] { return SIZE_MAX; });
}

bool same(const DebuggerMessage& a, const DebuggerMessage& b) {
    return a.protocol == b.protocol && a.name == b.name && a.thread == b.thread &&
           identical(Variant(a.arguments), Variant(b.arguments));
}

bool same(const Messages& a, const Messages& b) {
    return a.error == b.error && a.protocol == b.protocol &&
           std::ranges::equal(a.messages, b.messages,
                              [](const auto& x, const auto& y) { return same(x, y); });
}

/// The packets from which the message was made.
std::size_t packets_in(const DebuggerMessage& message) {
    return message.protocol == DebuggerProtocol::godot_3 ? 2 + message.arguments.size() : 1;
}

TEST(Debugger, ReadsWhatEnginesSaid) {
    for (const Capture& capture : captures) {
        SCOPED_TRACE(capture.file);
        const Bytes stream = stream_of(capture);
        const auto packets = packets_of(stream);
        if (capture.packets) {
            EXPECT_EQ(packets.size(), capture.packets);
        }
        const DecodeOptions decoding = reading(*capture.dialect);
        const Messages there = read_whole(stream, decoding);
        EXPECT_EQ(there.error, Error{});
        EXPECT_EQ(there.protocol, capture.protocol);
        // Each message against its packets, decoded one by one.
        std::size_t at = 0;
        for (const DebuggerMessage& message : there.messages) {
            ASSERT_LE(at + packets_in(message), packets.size());
            Array values;
            for (std::size_t i = 0; i < packets_in(message); ++i)
                values.push_back(decode(packets[at++], decoding).value());
            Array expected{Variant(message.name)};
            if (capture.protocol == DebuggerProtocol::godot_3)
                expected.push_back(Variant(message.arguments.size()));
            if (capture.protocol == DebuggerProtocol::godot_4) {
                expected.push_back(message.thread);
                expected.push_back(Variant(message.arguments));
            } else {
                for (const Variant& argument : message.arguments)
                    expected.push_back(argument);
            }
            const Variant given =
                capture.protocol == DebuggerProtocol::godot_3 ? Variant(values) : values[0];
            EXPECT_TRUE(identical(given, Variant(expected)));
        }
        EXPECT_EQ(at, packets.size());
    }
}

TEST(Debugger, WritesTheEnginesBytes) {
    for (const Capture& capture : captures) {
        SCOPED_TRACE(capture.file);
        const Bytes stream = stream_of(capture);
        // But for the padding in NodePaths, which Godot 3 leaves as it finds the memory.
        PackedByteArray expected, again;
        for (const ByteView packet : packets_of(stream))
            ASSERT_TRUE(append_frame(
                expected, with_clean_paths({packet.begin(), packet.end()}, *capture.dialect)));
        for (const DebuggerMessage& message :
             read_whole(stream, reading(*capture.dialect)).messages)
            ASSERT_TRUE(append_debugger_message(again, message, writing(*capture.dialect)));
        EXPECT_EQ(again, expected);
        if (capture.dialect == &dialects::godot_4_4) {
            EXPECT_TRUE(std::ranges::equal(as_bytes(again), stream));
        }
    }
}

TEST(Debugger, AnySplitGivesTheSame) {
    for (const Capture& capture : captures) {
        const Bytes stream = stream_of(capture);
        const DecodeOptions decoding = reading(*capture.dialect);
        const Messages expected = read_whole(stream, decoding);
        rc::check("split and cut short", [&](std::uint64_t seed) {
            Random random(seed);
            const std::uint64_t most = 1 + below(random, 1 + (seed & 0xFFF));
            const auto piece = [&] { return std::size_t{1} + below(random, most); };
            RC_ASSERT(same(read(stream, decoding, capture.protocol, piece), expected));
            // Cut anywhere: the messages before it, and truncated unless it fell between two.
            const ByteView part = ByteView(stream).first(below(random, stream.size()));
            const Messages there = read(part, decoding, capture.protocol, piece);
            RC_ASSERT(there.messages.size() <= expected.messages.size());
            for (std::size_t i = 0; i < there.messages.size(); ++i)
                RC_ASSERT(same(there.messages[i], expected.messages[i]));
            PackedByteArray before;
            for (const DebuggerMessage& message : there.messages)
                RC_ASSERT(append_debugger_message(before, message, writing(*capture.dialect))
                              .has_value());
            RC_ASSERT(there.error.code ==
                      (before.size() == part.size() ? Errc::ok : Errc::truncated));
        });
    }
}

TEST(Debugger, AnyMessageComesBack) {
    using enum DebuggerProtocol;
    rc::check("append and read", [](std::uint64_t seed) {
        Random random(seed);
        for (const auto protocol : {DebuggerProtocol::godot_3, DebuggerProtocol::godot_3_command,
                                    DebuggerProtocol::godot_4}) {
            const Dialect& dialect =
                protocol == DebuggerProtocol::godot_4 ? dialects::godot_4_4 : dialects::godot_3_1;
            PackedByteArray stream;
            std::vector<DebuggerMessage> messages;
            for (std::uint64_t n = 1 + below(random, 5); n; --n) {
                DebuggerMessage message{protocol, String(any_text(random)), 0, Array()};
                if (protocol == godot_4)
                    message.thread = static_cast<std::int64_t>(random());
                for (std::uint64_t k = below(random, 5); k; --k)
                    message.arguments.push_back(any_value(random, 2));
                const PackedByteArray before = stream;
                if (append_debugger_message(stream, message, writing(dialect)))
                    messages.push_back(std::move(message));
                else
                    RC_ASSERT(stream == before);
            }
            const Messages there = read(as_bytes(stream), reading(dialect), protocol,
                                        [&] { return std::size_t{1} + below(random, 50); });
            RC_ASSERT(there.error.code == Errc::ok);
            RC_ASSERT(there.messages.size() == messages.size());
            PackedByteArray again;
            for (std::size_t i = 0; i < messages.size(); ++i) {
                RC_ASSERT(there.messages[i].name == messages[i].name);
                RC_ASSERT(there.messages[i].thread == messages[i].thread);
                RC_ASSERT(append_debugger_message(again, there.messages[i], writing(dialect))
                              .has_value());
            }
            RC_ASSERT(again == stream);
        }
    });
}

/// The answers of a reader of `protocol` to packets of these values, in order.
Error refusal(DebuggerProtocol protocol, std::initializer_list<Variant> values,
              const DecodeOptions& decoding = {}) {
    DebuggerReader reader(decoding, protocol);
    for (const Variant& value : values) {
        const PackedByteArray packet = encode(value).value();
        auto message = reader.packet(as_bytes(packet));
        if (!message) {
            EXPECT_EQ(reader.packet(as_bytes(packet)).error(), message.error());
            EXPECT_EQ(reader.finish().error(), message.error());
            return message.error();
        }
    }
    auto end = reader.finish();
    return end ? Error{} : end.error();
}

TEST(Debugger, RefusesWhatIsNoMessage) {
    using enum DebuggerProtocol;
    const Error ok{};
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1, Array{}}}), ok);
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1, Array{}, 2}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4, {Array{1, 1, Array{}}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1.5, Array{}}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1, 2}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4, {"a"}),
              (Error{.code = Errc::bad_packet, .type = Type::string, .offset = 0, .need = 0}));
    EXPECT_EQ(refusal(godot_4_0, {Array{"a", Array{}}}), ok);
    EXPECT_EQ(refusal(godot_4_0, {Array{"a", 1}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_4_0, {Array{"a", 1, Array{}}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(unknown, {Array{"a", Array{}}, Array{"b", 2}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_3_command, {Array{"a"}}), ok);
    EXPECT_EQ(refusal(godot_3_command, {Array{}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_3_command, {Array{1}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_3, {"a", 0}), ok);
    EXPECT_EQ(refusal(godot_3, {"a", 2, 1, 2}), ok);
    EXPECT_EQ(refusal(godot_3, {"a", 2, 1}).code, Errc::truncated);
    EXPECT_EQ(refusal(godot_3, {"a"}).code, Errc::truncated);
    EXPECT_EQ(refusal(godot_3, {1}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_3, {"a", "b"}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(godot_3, {"a", -1}).code, Errc::bad_packet);
    // The first packet tells; then it stays.
    EXPECT_EQ(refusal(unknown, {"a", 0, "b", 1, Array{"c", 1, Array{}}}), ok);
    EXPECT_EQ(refusal(unknown, {Array{"a", 1, Array{}}, Array{"b", 2}}).code, Errc::bad_packet);
    EXPECT_EQ(refusal(unknown, {Array{"a", 2}, Array{"b", 1, Array{}}}), ok);
    EXPECT_EQ(refusal(unknown, {5}).code, Errc::bad_packet);
    PackedByteArray to{1};
    EXPECT_EQ(append_debugger_message(to, {}).error().code, Errc::misplaced);
    EXPECT_EQ(append_debugger_message(to, {godot_3, "a", 0, Array{1, Object("Node")}}).error().code,
              Errc::objects_forbidden);
    EXPECT_EQ(to, PackedByteArray{1});
}

TEST(Debugger, LimitsHoldForTheMessage) {
    using enum DebuggerProtocol;
    const DecodeOptions tight{.limits = {.max_depth = 2, .max_bytes = 100, .max_nodes = 10}};
    // The name and the count are values, too.
    EXPECT_EQ(refusal(godot_3, {"a", 8}, tight).code, Errc::truncated);
    EXPECT_EQ(refusal(godot_3, {"a", 9}, tight).code, Errc::node_limit);
    EXPECT_EQ(refusal(godot_3, {"a", INT64_MAX}, tight).code, Errc::node_limit);
    // 12 and 8 bytes, then 12 each: the seventh is over.
    const Variant wide = std::int64_t{1} << 40;
    EXPECT_EQ(refusal(godot_3, {"a", 8, wide, wide, wide, wide, wide, wide}, tight).code,
              Errc::truncated);
    EXPECT_EQ(refusal(godot_3, {"a", 8, wide, wide, wide, wide, wide, wide, wide}, tight).code,
              Errc::size_limit);
    // Values inside the arguments count with them.
    const Variant three(Array{1, 2});
    EXPECT_EQ(refusal(godot_3, {"a", 2, three, three}, tight), Error{});
    EXPECT_EQ(refusal(godot_3, {"a", 3, three, three, three}, tight).code, Errc::node_limit);
    // A new message begins to count anew.
    EXPECT_EQ(refusal(godot_3, {"a", 3, 1, 1, 1, "a", 3, 1, 1, 1, "a", 3, 1, 1, 1}, tight),
              Error{});
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1, Array{Variant(Array{})}}}, tight).code, Errc::ok);
    EXPECT_EQ(
        refusal(godot_4, {Array{"a", 1, Array{Variant(Array{Variant(Array{})})}}}, tight).code,
        Errc::depth_limit);
    EXPECT_EQ(refusal(godot_4, {Array{"a", 1, Array{1, 2, 3, 4, 5, 6, 7, 8}}}, tight).code,
              Errc::node_limit);
}

TEST(Debugger, Describes) {
    using enum DebuggerProtocol;
    const DebuggerMessage four{godot_4, "output", 7, Array{1, "x"}};
    EXPECT_TRUE(identical(
        four.describe(),
        Variant(Dictionary{{"name", "output"}, {"thread", 7}, {"data", Variant(Array{1, "x"})}})));
    const DebuggerMessage three{godot_3, "output", 7, Array{1, "x"}};
    EXPECT_TRUE(identical(three.describe(), Variant(Dictionary{{"name", "output"},
                                                               {"data", Variant(Array{1, "x"})}})));
}

}  // namespace
}  // namespace gdvar::test
