// Everything that engines wrote: read, written again, cut, damaged.
#include <gtest/gtest.h>

#include <map>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/encoder.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/quirk.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/padding.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// Reader straight into Encoder, in the same dialect.
std::expected<std::vector<std::byte>, Error> rewritten(ByteView bytes, const Dialect& dialect) {
    PackedByteArray out;
    const EncodeOptions encoding = writing(dialect);
    {
        BufferOutput output(out);
        Encoder<BufferOutput> encoder(output, encoding);
        const DecodeOptions decoding = reading(dialect);
        if (auto size = read(bytes, decoding, encoder); !size)
            return std::unexpected(size.error());
    }
    const auto view = as_bytes(out);
    return std::vector<std::byte>(view.begin(), view.end());
}

void expect_same_again(const std::string& what, const std::vector<std::byte>& bytes,
                       const Dialect& dialect) {
    const auto clean = with_clean_paths(bytes, dialect);
    auto again = rewritten(bytes, dialect);
    ASSERT_TRUE(again) << what << ": " << to_string(again.error());
    EXPECT_EQ(hex(*again), hex(clean)) << what;
    auto value = decode(bytes, reading(dialect));
    ASSERT_TRUE(value) << what;
    auto encoded = encode(*value, writing(dialect));
    ASSERT_TRUE(encoded) << what << ": " << to_string(encoded.error());
    EXPECT_EQ(hex(as_bytes(*encoded)), hex(clean)) << what;
    EXPECT_EQ(encoded_size(*value, writing(dialect)).value(), clean.size()) << what;
}

TEST(Vectors, EveryRecordedValueIsWrittenBackTheSame) {
    for (const Recording& recording : recordings) {
        std::size_t count = 0;
        for (const Vector& vector : vectors_of(recording)) {
            expect_same_again(std::string(recording.engine) + " " + vector.name, vector.bytes,
                              *recording.dialect);
            ++count;
        }
        EXPECT_GT(count, 370u) << recording.engine;
    }
}

TEST(Vectors, EveryPlainSaveIsWrittenBackTheSame) {
    for (const Recording& recording : recordings)
        for (const auto& [name, order] : {std::pair("plain.save", ByteOrder::little),
                                          std::pair("plain_big_endian.save", ByteOrder::big)}) {
            const auto file = read_bytes(data_dir() / "saves" / recording.engine / name);
            ByteView rest = file;
            std::size_t records = 0;
            for (; !rest.empty(); ++records) {
                auto frame = read_frame(rest, order);
                ASSERT_TRUE(frame) << recording.engine << " " << name;
                expect_same_again(std::string(recording.engine) + " " + name,
                                  {frame->packet.begin(), frame->packet.end()}, *recording.dialect);
                rest = rest.subspan(frame->size);
            }
            EXPECT_EQ(records, 3u);
        }
}

TEST(Vectors, EveryCapturedPacketIsWrittenBackTheSame) {
    const std::map<std::string, std::pair<const Dialect*, std::size_t>> captures = {
        {"godot-3.2.3.from-engine.bin", {&dialects::godot_3_1, 407}},
        {"godot-3.2.3.to-engine.bin", {&dialects::godot_3_1, 0}},
        {"godot-4.6.3.from-engine.bin", {&dialects::godot_4_4, 258}},
        {"godot-4.6.3.to-engine.bin", {&dialects::godot_4_4, 0}}};
    for (const auto& [name, expected] : captures) {
        const auto file = read_bytes(data_dir() / "captures" / name);
        ByteView rest = file;
        std::size_t packets = 0;
        for (; !rest.empty(); ++packets) {
            auto frame = read_frame(rest, ByteOrder::little);
            ASSERT_TRUE(frame) << name;
            expect_same_again(name, {frame->packet.begin(), frame->packet.end()}, *expected.first);
            rest = rest.subspan(frame->size);
        }
        if (expected.second) {
            EXPECT_EQ(packets, expected.second) << name;
        }
    }
}

TEST(Vectors, EveryWorkloadIsWrittenBackTheSame) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "workloads" / "g4")) {
        const auto file = read_bytes(entry.path());
        ++files;
        if (entry.path().extension() == ".bin") {
            expect_same_again(entry.path().filename().string(), file, dialects::godot_4_4);
            continue;
        }
        for (ByteView rest = file; !rest.empty();) {
            auto frame = read_frame(rest, ByteOrder::little);
            ASSERT_TRUE(frame);
            auto again = rewritten(frame->packet, dialects::godot_4_4);
            ASSERT_TRUE(again);
            ASSERT_TRUE(std::ranges::equal(*again, frame->packet));
            rest = rest.subspan(frame->size);
        }
    }
    EXPECT_EQ(files, 8u);
}

// Law 5.
TEST(Vectors, EveryProperPrefixIsTruncatedAndNeedIsExact) {
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            if (vector.bytes.size() > 600)
                continue;
            const DecodeOptions options = reading(*recording.dialect);
            const ByteView whole = vector.bytes;
            for (std::size_t n = 0; n < whole.size(); ++n) {
                auto size = validate(whole.first(n), options);
                if (size) {
                    // Only the padding of a final PackedByteArray may be missing.
                    EXPECT_GT(n + 4, whole.size()) << vector.name;
                    continue;
                }
                const Error error = size.error();
                ASSERT_EQ(error.code, Errc::truncated) << vector.name << " at " << n;
                ASSERT_GE(error.need, 1u);
                ASSERT_LE(error.offset, n);
                if (n + error.need > whole.size())
                    continue;
                auto more =
                    validate(whole.first(n + static_cast<std::size_t>(error.need)), options);
                if (!more && more.error().offset == error.offset) {
                    // Further on in the same value; never the same lack again.
                    EXPECT_GT(more.error().need + n + error.need, n + error.need) << vector.name;
                }
                auto fewer =
                    validate(whole.first(n + static_cast<std::size_t>(error.need) - 1), options);
                ASSERT_FALSE(fewer) << vector.name << " " << n << " " << error.need;
                EXPECT_EQ(fewer.error().offset, error.offset) << vector.name;
            }
        }
}

/// Delivers everything up to a truncation, and counts what it heard of.
struct ToTheBreak : NullSink {
    static constexpr bool reads_to_the_break = true;
};

// Law 5 for annotate, salvage and recognition: they get further, and lack no less.
TEST(Vectors, NeedCountsWhatOpenContainersAreOwedUpToTheBreak) {
    std::size_t further = 0, same = 0;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            if (vector.bytes.size() > 600)
                continue;
            const DecodeOptions options = reading(*recording.dialect);
            const ByteView whole = vector.bytes;
            for (std::size_t n = 4; n < whole.size(); ++n) {
                const auto size = validate(whole.first(n), options);
                const auto up_to = read(whole.first(n), options, ToTheBreak());
                ASSERT_EQ(size.has_value(), up_to.has_value()) << vector.name << " at " << n;
                if (size)
                    continue;
                const Error error = up_to.error();
                ASSERT_EQ(error.code, Errc::truncated) << vector.name << " at " << n;
                // The announced bytes are there in the whole packet.
                ASSERT_LE(n + error.need, whole.size()) << vector.name << " at " << n;
                ASSERT_GE(error.need, size.error().need) << vector.name << " at " << n;
                ASSERT_GE(error.offset, size.error().offset) << vector.name << " at " << n;
                further += error.offset > size.error().offset;
                // It is the least, too: with a byte less, something is still cut.
                const auto fewer = static_cast<std::size_t>(n + error.need - 1);
                const auto refused = validate(whole.first(fewer), options);
                ASSERT_TRUE(!refused || fewer + 4 > whole.size()) << vector.name << " at " << n;
                same += error.offset == size.error().offset && error.need == size.error().need;
            }
        }
    EXPECT_GT(further, 100u);
    EXPECT_GT(same, 1000u);
    // Two texts more are announced, of four bytes at least.
    const auto strings = unhex("22000000030000006400000061626364");
    const auto broken = read(ByteView(strings), {}, ToTheBreak());
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().need, 96u + 8u);
    // A key, a value and two elements around it.
    const auto nest = unhex(
        "1c000000030000001b000000020000000400000008000000"
        "61626364");
    const auto inner = read(ByteView(nest), {}, ToTheBreak());
    ASSERT_FALSE(inner);
    EXPECT_EQ(inner.error().need, 4u + 3 * 4 + 2 * 4);
}

TEST(Damaged, AcceptsRefusesAndConsumesAsTheEngine) {
    std::map<std::string, int> deliberate;
    std::size_t packets = 0;
    for (const Json& line :
         lines_with(data_dir() / "vectors" / "godot-4.6.3-damaged.ndjson", "b")) {
        ++packets;
        const auto bytes = unhex(line["b"]);
        const std::size_t engine = line["n"];
        auto size = validate(bytes);
        if (!size && engine > 0) {
            ++deliberate[std::string(error_name(size.error().code))];
            continue;
        }
        ASSERT_EQ(size.has_value(), engine > 0) << line["b"];
        if (!size)
            continue;
        EXPECT_EQ(*size, std::min(engine, bytes.size())) << line["b"];
        EXPECT_EQ(decode_var_size(bytes, 0).value(), engine) << line["b"];
    }
    EXPECT_EQ(packets, 8670u);
    // wire-format, "Where gdvar deliberately differs from the engines".
    const std::map<std::string, int> expected = {{"bad_node_path", 1}, {"bad_length", 3}};
    EXPECT_EQ(deliberate, expected);
}

// Law 4 on damage: one bit, and whole words.
TEST(Damaged, EveryFaceGivesTheSameVerdict) {
    std::size_t refused = 0;
    for (const Recording& recording : recordings) {
        const DecodeOptions options = reading(*recording.dialect);
        std::size_t taken = 0;
        for (const Vector& vector : vectors_of(recording)) {
            if (vector.bytes.size() > 160 || ++taken > 120)
                continue;
            for (std::size_t bit = 0; bit < vector.bytes.size() * 8; ++bit) {
                auto bytes = vector.bytes;
                bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
                auto checked = validate(bytes, options);
                auto value = decode(bytes, options);
                auto document = Document::parse(bytes, options);
                ASSERT_EQ(checked.has_value(), value.has_value()) << hex(bytes);
                ASSERT_EQ(checked.has_value(), document.has_value()) << hex(bytes);
                if (checked)
                    continue;
                ++refused;
                ASSERT_EQ(checked.error(), value.error()) << hex(bytes);
                ASSERT_EQ(checked.error(), document.error()) << hex(bytes);
                ASSERT_FALSE(error_path(bytes, options, checked.error()).empty());
            }
        }
    }
    EXPECT_GT(refused, 1000u);
}

TEST(Strict, TakesWhatEnginesWriteAndNothingElse) {
    const Recording& recording = recordings[0];
    DecodeOptions strict = reading(*recording.dialect);
    strict.strict = true;
    for (const Vector& vector : vectors_of(recording)) {
        auto size = validate(vector.bytes, strict);
        EXPECT_TRUE(size) << vector.name << ": " << to_string(size.error());
    }
    const std::pair<const char*, Errc> odd[] = {
        {"0205000007000000", Errc::unknown_flags},
        {"020001000700000000000000", Errc::wide_number},
        {"03000100000000000000e03f", Errc::wide_number},
        {"0100000002000000", Errc::not_canonical},
        {"030000000000c07f", Errc::not_canonical},
        {"040000000100000061ff0000", Errc::nonzero_padding},
        {"1d0000000100000061", Errc::missing_padding},
        {"0000000000", Errc::trailing_bytes},
        {"1c00000000000080", Errc::not_canonical},
        {"220000000100000002000000616200 00", Errc::not_canonical},
        {"1b00000002000000020000000100000000000000020000000100000000000000", Errc::duplicate_key},
        {"1b00000002000000040000000100000061000000000000001500000001000000610000000000 0000",
         Errc::duplicate_key},
    };
    for (auto [text, code] : odd) {
        std::string digits(text);
        std::erase(digits, ' ');
        const auto bytes = unhex(digits);
        EXPECT_TRUE(validate(bytes)) << text;
        auto size = validate(bytes, strict);
        ASSERT_FALSE(size) << text;
        EXPECT_EQ(size.error().code, code) << text << " " << to_string(size.error());
        auto value = decode(bytes, strict);
        ASSERT_FALSE(value);
        EXPECT_EQ(value.error(), size.error());
        auto document = Document::parse(bytes, strict);
        ASSERT_FALSE(document);
        EXPECT_EQ(document.error(), size.error());
    }
}

}  // namespace
}  // namespace gdvar::test
