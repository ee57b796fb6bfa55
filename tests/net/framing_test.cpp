// StreamFramer, StreamWriter and StreamReader: bytes without sockets.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "gdvar/net/stream_buffer.hpp"
#include "gdvar/value/binding.hpp"
#include "support/generate.hpp"
#include "support/outcome.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

using namespace net;
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(ByteView bytes) {
    return {bytes.begin(), bytes.end()};
}

/// Feeds `stream` in the pieces that `piece(bytes left)` chooses, through `feed` or `prepare`.
template <class Piece>
Outcome cut(ByteView stream, ByteOrder order, std::uint64_t most, Piece&& piece) {
    StreamFramer framer(order, most);
    Outcome out;
    const auto take_all = [&]() -> bool {
        for (;;) {
            auto packet = framer.next();
            if (!packet)
                out.error = packet.error();
            if (!packet || !*packet)
                return packet.has_value();
            out.packets.push_back(bytes_of(**packet));
        }
    };
    bool good = take_all();
    while (good && !stream.empty()) {
        const std::size_t n = std::clamp<std::size_t>(piece(stream.size()), 1, stream.size());
        if (n % 2) {
            EXPECT_TRUE(framer.feed(stream.first(n)));
        } else {
            auto space = framer.prepare(n);
            EXPECT_TRUE(space && space->size() >= n);
            std::ranges::copy(stream.first(n), space->begin());
            framer.commit(n);
        }
        stream = stream.subspan(n);
        good = take_all();
    }
    out.finish(framer);
    // A broken stream stays broken, with the same error.
    if (!good) {
        EXPECT_EQ(framer.feed(stream).error(), out.error);
        EXPECT_EQ(framer.prepare(1).error(), out.error);
        EXPECT_EQ(framer.next().error(), out.error);
    }
    return out;
}

Outcome whole(ByteView stream, ByteOrder order, std::uint64_t most = 1u << 20) {
    return cut(stream, order, most, [](std::size_t left) { return left; });
}

/// Frames of random sizes; now and then a length that lies, or an end in the middle.
PackedByteArray any_stream(Random& random, ByteOrder order) {
    PackedByteArray out;
    for (std::uint64_t n = below(random, 12); n; --n) {
        const Bytes packet(below(random, below(random, 8) ? 40 : 3000),
                           static_cast<std::byte>(random()));
        EXPECT_TRUE(append_frame(out, packet, order));
    }
    if (below(random, 3) == 0) {
        const std::uint32_t lies[] = {0xFFFF'FFFFu, 0x8000'0000u, 0x7FFF'FFFFu, 5000, 4001, 4};
        StreamWriter writer(out, order);
        EXPECT_TRUE(writer.put_u32(lies[below(random, std::size(lies))]));
        EXPECT_TRUE(writer.put_u16(7));
    }
    if (below(random, 3) == 0 && !out.empty())
        out.set_size(out.size() - below(random, std::min<std::size_t>(out.size(), 9)));
    return out;
}

constexpr ByteOrder both[] = {ByteOrder::little, ByteOrder::big};

TEST(StreamFramer, AnySplitGivesTheSame) {
    rc::check("any split gives the same packets and the same error", [](std::uint64_t seed) {
        Random random(seed);
        for (const ByteOrder order : both) {
            const PackedByteArray stream = any_stream(random, order);
            const Outcome expected = whole(as_bytes(stream), order, 4000);
            const std::uint64_t most = 1 + below(random, 70);
            RC_ASSERT(cut(as_bytes(stream), order, 4000,
                          [&](std::size_t) { return 1 + below(random, most); }) == expected);
            RC_ASSERT(cut(as_bytes(stream), order, 4000, [](std::size_t) { return 1; }) ==
                      expected);
        }
    });
}

TEST(StreamFramer, ReadsRecordedPacketsInBothOrders) {
    for (const Recording& recording : recordings) {
        for (const ByteOrder order : both) {
            PackedByteArray stream;
            std::vector<Bytes> packets;
            for (const Vector& vector : vectors_of(recording)) {
                ASSERT_TRUE(append_frame(stream, vector.bytes, order));
                packets.push_back(vector.bytes);
            }
            ASSERT_GT(packets.size(), 100u);
            const Outcome there = whole(as_bytes(stream), order);
            EXPECT_EQ(there.packets, packets);
            EXPECT_EQ(there.error.code, Errc::ok);
            EXPECT_EQ(there.position, stream.size());
        }
    }
}

struct Bad {
    const char* hex;  ///< of a little-endian stream
    Errc code;
    std::uint64_t need;
};

TEST(StreamFramer, RefusesAndWaits) {
    const Bad cases[] = {
        {"ffffffff", Errc::bad_length, 0},  // -1
        {"00000080", Errc::bad_length, 0},  // the least
        {"00000080aabbccdd", Errc::bad_length, 0},
        {"ffffff7f", Errc::size_limit, 0},  // 2 GiB - 1
        {"41000000", Errc::size_limit, 0},  // one over the limit
        {"40000000", Errc::truncated, 64},  // the limit itself
        {"40000000aa", Errc::truncated, 63},
        {"", Errc::ok, 0},
        {"01", Errc::truncated, 3},
        {"010000", Errc::truncated, 1},
        {"01000000", Errc::truncated, 1},
        {"00000000", Errc::ok, 0},
    };
    for (const Bad& one : cases) {
        for (const ByteOrder order : both) {
            // Behind a good frame, so that the offset counts from the stream's start.
            PackedByteArray stream;
            ASSERT_TRUE(append_frame(stream, Bytes(5), order));
            Bytes bytes = unhex(one.hex);
            if (order == ByteOrder::big && bytes.size() >= 4)
                std::reverse(bytes.begin(), bytes.begin() + 4);
            ASSERT_TRUE(StreamWriter(stream).put_data(bytes));
            const Outcome there = whole(as_bytes(stream), order, 64);
            EXPECT_EQ(there.error.code, one.code) << one.hex;
            EXPECT_EQ(there.error.need, one.need) << one.hex;
            EXPECT_EQ(there.error.offset, one.code == Errc::ok ? 0u : 9u) << one.hex;
            const bool empty_packet = one.hex == std::string_view("00000000");
            EXPECT_EQ(there.packets.size(), empty_packet ? 2u : 1u) << one.hex;
        }
    }
}

TEST(StreamFramer, NeedIsEnough) {
    StreamFramer framer;
    EXPECT_EQ(framer.need(), 0u);
    EXPECT_FALSE(framer.started());
    const auto feed = [&](const char* hex) {
        EXPECT_TRUE(framer.feed(unhex(hex)));
        auto packet = framer.next();
        EXPECT_TRUE(packet);
        return packet->has_value();
    };
    EXPECT_FALSE(feed("03"));
    EXPECT_EQ(framer.need(), 3u);
    EXPECT_TRUE(framer.started());
    EXPECT_FALSE(feed("000000"));
    EXPECT_EQ(framer.need(), 3u);
    EXPECT_FALSE(feed("aabb"));
    EXPECT_EQ(framer.need(), 1u);
    EXPECT_TRUE(feed("cc01"));
    EXPECT_EQ(framer.position(), 7u);
    EXPECT_TRUE(framer.started());
    EXPECT_FALSE(feed(""));
    EXPECT_EQ(framer.need(), 3u);
}

/// The message of the first error, whole or byte by byte.
std::string said_of(ByteView stream, ByteOrder order = ByteOrder::little, std::size_t step = 1) {
    StreamFramer framer(order);
    for (std::size_t at = 0; at < stream.size(); at += step) {
        EXPECT_TRUE(framer.feed(stream.subspan(at, std::min(step, stream.size() - at))));
        for (;;) {
            const auto packet = framer.next();
            if (!packet)
                return to_string(packet.error());
            if (!*packet)
                break;
        }
    }
    const auto end = framer.finish();
    return end ? "" : to_string(end.error());
}

TEST(StreamFramer, SaysWhatALengthSeemsToBe) {
    const auto text = [](std::string_view bytes) { return std::as_bytes(std::span(bytes)); };
    const std::string no_length =
        "; on a stream each packet has its length in front, which put_var writes and put_data does "
        "not";
    const std::pair<std::string_view, std::string> cases[] = {
        {"test message",
         "error[size_limit]: a length of 1953719668 is not in 0 to 1048576: it is the text "
         "\"test\"" +
             no_length},
        {"GET / HTTP/1.1\r\n",
         "error[size_limit]: a length of 542393671 is not in 0 to 1048576: it is the text \"GET "
         "\", "
         "as HTTP has it; ws:// and wss:// alone answer that"},
        {std::string_view("\x1f\x8b\x08\0\0\0", 6), ""},
        {"\x28\xb5\x2f\xfd....",
         "error[bad_length]: a length of 4247762216 is not in 0 to 1048576: it is "
         "Zstandard-compressed data" +
             no_length},
        {std::string_view("\x16\x03\x01\x02\0", 5),
         "error[size_limit]: a length of 33620758 is not in 0 to 1048576; the first bytes, 16 03, "
         "look like TLS"},
        {std::string_view("\0\0\0\x1c....", 8),
         "error[size_limit]: a length of 469762048 is not in 0 to 1048576; in the other byte order "
         "it is 28"},
        {"\xff\xff\xff\xff", "error[bad_length]: a length of 4294967295 is not in 0 to 1048576"},
    };
    for (const auto& [bytes, message] : cases) {
        if (message.empty())
            continue;
        for (const std::size_t step : {1u, 100u})
            EXPECT_EQ(said_of(text(bytes), ByteOrder::little, step), message);
    }
    // gzip's first bytes are a plausible length, so that the stream has to end.
    EXPECT_EQ(said_of(text(cases[2].first)),
              "error[truncated]: need 559901 more bytes; it is gzip-compressed data");
    EXPECT_TRUE(said_of(text("test message"), ByteOrder::big)
                    .starts_with("error[size_limit]: a length of 1952805748 is not in 0 to "
                                 "1048576: it is the text \"test\";"));
    EXPECT_EQ(said_of(text("hi\n")), "error[truncated]: need 1 more byte; it is plain text");
}

TEST(StreamFramer, SaysThatALengthIsMissing) {
    const auto packet = encode(Dictionary{{"a", 1}});
    ASSERT_TRUE(packet);
    EXPECT_TRUE(said_of(as_bytes(*packet)).find("the length may be missing") != std::string::npos)
        << said_of(as_bytes(*packet));
    // The end of a packet that has its length is no such mistake.
    PackedByteArray framed;
    ASSERT_TRUE(append_frame(framed, as_bytes(*packet)));
    EXPECT_EQ(said_of(as_bytes(framed).first(framed.size() - 4)),
              "error[truncated]: need 4 more bytes");
}

TEST(PacketHint, NamesTheLikelyMistake) {
    const auto packet = encode(Dictionary{{"a", 1}, {"b", 2}});
    ASSERT_TRUE(packet);
    const auto hint = [](ByteView bytes, bool stream) {
        const char* text = packet_hint(bytes, stream);
        return std::string(text ? text : "");
    };
    for (const ByteOrder order : both) {
        PackedByteArray framed;
        ASSERT_TRUE(append_frame(framed, as_bytes(*packet), order));
        EXPECT_EQ(hint(as_bytes(framed), false),
                  "its first 4 bytes are the length of the rest, which packets on streams alone "
                  "have in front");
        EXPECT_EQ(hint(as_bytes(framed), true),
                  "its first 4 bytes are the length of the rest: it was written twice");
    }
    const std::string_view text = "hello, this is text";
    EXPECT_EQ(hint(std::as_bytes(std::span(text)), false), "it is plain text");
    // A header that was taken for a length, and the first bytes of the value.
    const ByteView whole = as_bytes(*packet);
    const ByteView behind = whole.subspan(4, 27);  // the id of Dictionary
    EXPECT_NE(hint(behind, true), "");
    EXPECT_EQ(hint(behind, false), "");
    EXPECT_EQ(hint(whole.first(20), true), "");
    EXPECT_EQ(hint(whole, false), "");
}

TEST(StreamFramer, BelievesNoLength) {
    // With 2 GiB allowed, a length alone costs nothing, and each byte behind it its place.
    for (const char* lie : {"ffffff7f", "00000040", "00001000"}) {
        StreamFramer framer(ByteOrder::little, 0x7FFF'FFFF);
        ASSERT_TRUE(framer.feed(unhex(lie)));
        std::size_t fed = 4;
        for (int i = 0; i < 3000; ++i) {
            auto packet = framer.next();
            ASSERT_TRUE(packet && !*packet);
            EXPECT_LE(framer.memory(), 2 * fed + 7);
            ASSERT_TRUE(framer.feed(Bytes(7)));
            fed += 7;
        }
    }
}

TEST(StreamFramer, MemoryStaysWithinTheLargestPacket) {
    StreamFramer framer;
    Random random(5);
    for (int i = 0; i < 2000; ++i) {
        PackedByteArray frame;
        const std::size_t size = below(random, i % 100 ? 100 : 40000);
        ASSERT_TRUE(append_frame(frame, Bytes(size)));
        for (ByteView left = as_bytes(frame); !left.empty();) {
            const std::size_t n = std::min<std::size_t>(left.size(), 512);
            ASSERT_TRUE(framer.feed(left.first(n)));
            left = left.subspan(n);
            EXPECT_LE(framer.memory(), 2 * (frame.size() + 512) + 2048);
            while (*framer.next()) {
            }
        }
    }
    // When all has been taken, only what it may keep is left.
    ASSERT_TRUE(framer.feed({}));
    EXPECT_LE(framer.memory(), 2048u);
}

TEST(ByteQueue, RoomThatCannotBeIsNoMemory) {
    ByteQueue queue;
    ASSERT_TRUE(queue.append(Bytes(3)));
    for (const std::size_t n : {SIZE_MAX, SIZE_MAX - 2, SIZE_MAX - 3, SIZE_MAX / 2}) {
        auto space = queue.prepare(n);
        ASSERT_FALSE(space) << n;
        EXPECT_EQ(space.error().code, Errc::no_memory);
        EXPECT_EQ(queue.size(), 3u);
    }
    ByteQueue other = std::move(queue);
    EXPECT_EQ(other.size(), 3u);
    EXPECT_TRUE(queue.empty());  // NOLINT: what it was moved from is empty
    queue = std::move(other);
    EXPECT_EQ(queue.size(), 3u);
}

TEST(AppendFrame, FailsWhole) {
    PackedByteArray to{1, 2, 3};
    const EncodeOptions strict;
    EXPECT_EQ(append_var_frame(to, Object("Node"), strict).error().code, Errc::objects_forbidden);
    EXPECT_EQ(append_var_frame(to, Array{1, Object("Node")}, strict).error().code,
              Errc::objects_forbidden);
    EXPECT_EQ(append_var(to, Object("Node"), strict).error().code, Errc::objects_forbidden);
    EXPECT_EQ(to, (PackedByteArray{1, 2, 3}));
}

TEST(AppendFrame, SameOfViewAndVariant) {
    for (const Recording& recording : recordings) {
        const EncodeOptions encoding = writing(*recording.dialect);
        for (const Vector& vector : vectors_of(recording)) {
            auto document = Document::parse(vector.bytes, reading(*recording.dialect));
            auto value = decode(vector.bytes, reading(*recording.dialect));
            if (!document || !value)
                continue;
            const Document& tree = *document;
            for (const ByteOrder order : both) {
                PackedByteArray a{9}, b{9};
                auto one = append_var_frame(a, *value, encoding, order);
                auto two = append_var_frame(b, tree.root(), encoding, order);
                ASSERT_EQ(one.has_value(), two.has_value()) << vector.name;
                EXPECT_EQ(a, b) << vector.name;
            }
        }
    }
}

/// Every twin: what `put` writes is `hex` (big-endian), `get` takes all of it or nothing.
template <class Put, class Get, class T>
void twin(const char* hex_big, T value, Put&& put, Get&& get) {
    for (const ByteOrder order : both) {
        PackedByteArray bytes;
        StreamWriter writer(bytes, order);
        ASSERT_TRUE(put(writer, value));
        Bytes expected = unhex(hex_big);
        if (order == ByteOrder::little)
            std::ranges::reverse(expected);
        EXPECT_EQ(bytes_of(as_bytes(bytes)), expected);
        ByteQueue queue;
        StreamReader reader(queue, order);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            auto early = get(reader);
            ASSERT_FALSE(early);
            EXPECT_EQ(early.error(), (Error{Errc::truncated, Type::nil, 0, bytes.size() - i}));
            EXPECT_EQ(reader.available_bytes(), i);
            ASSERT_TRUE(queue.append(as_bytes(bytes).subspan(i, 1)));
        }
        auto there = get(reader);
        ASSERT_TRUE(there);
        EXPECT_EQ(std::memcmp(&*there, &value, sizeof value), 0);
        EXPECT_TRUE(queue.empty());
    }
}

#define TWIN(hex, value, what)                                               \
    twin(                                                                    \
        hex, value, [](StreamWriter& w, auto v) { return w.put_##what(v); }, \
        [](StreamReader& r) { return r.get_##what(); })

TEST(StreamTwins, Numbers) {
    TWIN("81", std::int8_t{-127}, 8);
    TWIN("fe", std::uint8_t{254}, u8);
    TWIN("8001", std::int16_t{-32767}, 16);
    TWIN("fe01", std::uint16_t{0xFE01}, u16);
    TWIN("80000102", std::int32_t{-2147483390}, 32);
    TWIN("fe010203", std::uint32_t{0xFE010203}, u32);
    TWIN("8000000000000102", std::int64_t{INT64_MIN + 0x102}, 64);
    TWIN("fe01020304050607", std::uint64_t{0xFE01020304050607}, u64);
    TWIN("3fc00000", 1.5f, float);
    TWIN("bff8000000000001", std::bit_cast<double>(0xBFF8000000000001), double);
    TWIN("7fc00123", std::bit_cast<float>(0x7FC00123), float);  // a NaN keeps its payload
}
#undef TWIN

/// Gives `reader` the bytes one by one; before the last each `get` is truncated and takes nothing.
template <class Get>
auto one_by_one(ByteView bytes, ByteOrder order, Get&& get) {
    ByteQueue queue;
    StreamReader reader(queue, order);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto early = get(reader);
        EXPECT_FALSE(early);
        const std::size_t need = i < 4 ? 4 - i : bytes.size() - i;
        EXPECT_EQ(early.error(), (Error{Errc::truncated, Type::nil, 0, need}));
        EXPECT_EQ(reader.available_bytes(), i);
        EXPECT_TRUE(queue.append(bytes.subspan(i, 1)));
    }
    auto there = get(reader);
    EXPECT_TRUE(queue.empty());
    return there;
}

struct Greeting {
    std::string text;
    int times = 0;
};
TEST(StreamTwins, Structs) {
    for (const ByteOrder order : both) {
        PackedByteArray as_struct, as_tree, as_view;
        StreamWriter writer(as_struct, order);
        ASSERT_TRUE(writer.put_var(Greeting{"hello", 2}));
        ASSERT_TRUE(writer.put_var({}));
        StreamWriter trees(as_tree, order);
        const Variant tree{Dictionary{{"text", "hello"}, {"times", 2}}};
        ASSERT_TRUE(trees.put_var(tree));
        ASSERT_TRUE(trees.put_var(Variant()));
        EXPECT_EQ(as_struct, as_tree);
        const auto refused = writer.put_var(Greeting{"\xFF"});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::bad_utf8);
        EXPECT_EQ(as_struct, as_tree);
        const auto packet = *encode(tree);
        const auto document = *Document::parse(as_bytes(packet));
        ASSERT_TRUE(StreamWriter(as_view, order).put_var(document.root()));
        EXPECT_EQ(hex(as_bytes(as_view)), hex(as_bytes(as_tree).first(as_view.size())));
    }
}
TEST(StreamTwins, Texts) {
    for (const ByteOrder order : both) {
        PackedByteArray bytes;
        StreamWriter writer(bytes, order);
        ASSERT_TRUE(writer.put_string("plain"));
        EXPECT_EQ(hex(as_bytes(bytes)),
                  order == ByteOrder::big ? "00000005706c61696e" : "05000000706c61696e");
        EXPECT_EQ(one_by_one(as_bytes(bytes), order, [](auto& r) { return r.get_string(); }),
                  "plain");
        EXPECT_EQ(writer.put_string("é").error().code, Errc::bad_utf8);
        EXPECT_EQ(writer.put_utf8_string("\xC0\x80").error().code, Errc::bad_utf8);
        EXPECT_EQ(bytes.size(), 9u);
        bytes.clear();
        ASSERT_TRUE(writer.put_utf8_string("é👾"));
        EXPECT_EQ(one_by_one(as_bytes(bytes), order, [](auto& r) { return r.get_utf8_string(); }),
                  "é👾");
        // Latin-1, as the engine reads a plain string.
        EXPECT_EQ(one_by_one(as_bytes(bytes), order, [](auto& r) { return r.get_string(); }),
                  "Ã©ð\u009f\u0091¾");
        bytes.clear();
        ASSERT_TRUE(writer.put_string(""));
        EXPECT_EQ(one_by_one(as_bytes(bytes), order, [](auto& r) { return r.get_string(); }), "");
    }
}

TEST(StreamTwins, Data) {
    ByteQueue queue;
    StreamReader reader(queue, ByteOrder::little, 8);
    ASSERT_TRUE(queue.append(unhex("0102030405060708090a")));
    EXPECT_EQ(reader.get_data(9).error().code, Errc::size_limit);
    EXPECT_EQ(reader.get_data(0)->size(), 0u);
    EXPECT_EQ(*reader.get_data(8), (PackedByteArray{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(reader.get_data(5).error(), (Error{Errc::truncated, Type::nil, 0, 3}));
    EXPECT_EQ(*reader.get_data(2), (PackedByteArray{9, 10}));
}

TEST(StreamTwins, Values) {
    for (const Recording& recording : recordings) {
        const auto decoding = reading(*recording.dialect);
        for (const Vector& vector : vectors_of(recording)) {
            auto value = decode(vector.bytes, decoding);
            if (!value)
                continue;
            for (const ByteOrder order : both) {
                PackedByteArray bytes;
                StreamWriter writer(bytes, order);
                if (!writer.put_var(*value, writing(*recording.dialect)))
                    continue;
                auto there = one_by_one(as_bytes(bytes), order,
                                        [&](auto& r) { return r.get_var(decoding); });
                ASSERT_TRUE(there) << vector.name;
                EXPECT_TRUE(identical(*there, *value)) << vector.name;
            }
        }
    }
}

TEST(StreamTwins, BadLengthsAndPackets) {
    struct Case {
        const char* bytes;
        Errc code;
        std::uint64_t offset;
        std::size_t left;  ///< a bad packet is taken, a bad length is not
    };
    const Case cases[] = {
        {"ffffffff00000000", Errc::bad_length, 0, 8},
        {"000001000000", Errc::size_limit, 0, 6},
        {"0400000002000000", Errc::bad_packet, 4, 0},  // an int without its number
        {"08000000020000000700000000000000", Errc::ok, 0, 4},
        {"0c00000002000000070000000000000055", Errc::ok, 0, 1},  // a surplus is passed over
        {"04000000ff00000011", Errc::unknown_type, 4, 1},
        {"0100000000", Errc::bad_packet, 4, 0},
        {"00000000", Errc::bad_packet, 4, 0},  // a frame without a packet
    };
    for (const Case& one : cases) {
        ByteQueue queue;
        StreamReader reader(queue, ByteOrder::little, 4096);
        ASSERT_TRUE(queue.append(unhex(one.bytes)));
        auto value = reader.get_var();
        ASSERT_EQ(value.has_value(), one.code == Errc::ok) << one.bytes;
        if (value) {
            EXPECT_EQ(value->integer(), 7);
        } else {
            EXPECT_EQ(value.error().code, one.code) << one.bytes;
            EXPECT_EQ(value.error().offset, one.offset) << one.bytes;
            EXPECT_EQ(value.error().need, 0u) << one.bytes;
        }
        EXPECT_EQ(reader.available_bytes(), one.left) << one.bytes;
    }
}

}  // namespace
}  // namespace gdvar::test
