// Scanner: what it refuses it leaves untouched; types that are added to a dialect.
#include "gdvar/wire/detail/scanner.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "gdvar/value/binding.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using detail::Scanner;
using detail::Unobserved;

/// The words, little-endian.
std::vector<std::byte> bytes_of(std::initializer_list<std::uint32_t> words) {
    std::vector<std::byte> out(words.size() * 4);
    std::byte* to = out.data();
    for (const std::uint32_t word : words) {
        detail::store(to, word);
        to += 4;
    }
    return out;
}

/// `take`, at the start of each beginning of `bytes`: false, and nothing changed, but for the
/// whole.
template <class Take>
void refuses_beginnings(const std::vector<std::byte>& bytes, Take&& take) {
    for (std::size_t n = 0; n <= bytes.size(); ++n) {
        // Memory of its own size, so that a sanitizer sees reads behind it; with a header before it
        // and eight bytes that are owed to others.
        std::vector<std::byte> some(n + 12);
        std::copy_n(bytes.begin(), n, some.begin() + 4);
        Scanner scanner{
            some.data() + 4, some.data(), some.data() + some.size(), n, 0, 100, 1, false};
        const Scanner before = scanner;
        ASSERT_EQ(take(scanner), n == bytes.size()) << n;
        if (n == bytes.size()) {
            EXPECT_EQ(scanner.at, before.at + n);
            EXPECT_EQ(scanner.slack, 0u);
            continue;
        }
        ASSERT_EQ(scanner.at, before.at) << n;
        ASSERT_EQ(scanner.value, before.value) << n;
        ASSERT_EQ(scanner.slack, before.slack) << n;
        ASSERT_EQ(scanner.nodes, before.nodes) << n;
        ASSERT_EQ(scanner.left, before.left) << n;
    }
}

TEST(Scanner, WhatIsTruncatedChangesNothing) {
    constexpr Unobserved log;
    std::int64_t integer;
    double real;
    std::string_view text;
    std::uint32_t n;
    refuses_beginnings(bytes_of({7}), [&](Scanner& s) {
        return s.take_integer(false, integer, log) && integer == 7;
    });
    refuses_beginnings(bytes_of({7, 1}), [&](Scanner& s) {
        return s.take_integer(true, integer, log) && integer == (1ll << 32) + 7;
    });
    refuses_beginnings(bytes_of({0x3F80'0000}),
                       [&](Scanner& s) { return s.take_real(false, real, log) && real == 1; });
    refuses_beginnings(bytes_of({0, 0x3FF0'0000}),
                       [&](Scanner& s) { return s.take_real(true, real, log) && real == 1; });
    refuses_beginnings(bytes_of({5, 0x6C6C'6568, 0x6F}), [&](Scanner& s) {
        return s.take_text(text, Utf8Rule::strict, log) && text == "hello";
    });
    refuses_beginnings(bytes_of({1, 2, 3}), [&](Scanner& s) { return s.take_bytes<12>(12, log); });
    refuses_beginnings(bytes_of({2, 1, 2}),
                       [&](Scanner& s) { return s.take_packed(n, 4, log) && n == 2; });
    // The count of a container, and what its elements take at least.
    Scanner counted;
    const auto pairs = bytes_of({2, 0, 0, 0, 0});
    for (std::uint64_t slack = 0; slack <= pairs.size(); ++slack) {
        counted = {pairs.data(), pairs.data(), pairs.data() + pairs.size(), slack, 0, 4, 1, false};
        ASSERT_EQ(counted.take_count(n, true, log), slack == pairs.size());
        ASSERT_EQ(counted.slack, slack == pairs.size() ? 0 : slack);
        ASSERT_EQ(counted.nodes, slack == pairs.size() ? 0u : 4u);
    }
}

TEST(Scanner, ReadsAheadWithoutGoingOn) {
    const auto bytes = bytes_of({2, 7, 2, 8});
    Scanner scanner{bytes.data(), nullptr, bytes.data() + 16, 8, 0, 0, 2, false};
    EXPECT_FALSE(scanner.next_is(3));
    EXPECT_TRUE(scanner.next_is(2));
    Scanner ahead = scanner.ahead();
    std::int64_t out = 0;
    ASSERT_TRUE(ahead.take_integer(false, out, Unobserved{}));
    EXPECT_EQ(out, 7);
    EXPECT_EQ(scanner.at, bytes.data());
    EXPECT_EQ(scanner.slack, 8u);
    EXPECT_EQ(scanner.left, 2u);
    scanner.accept(ahead);
    EXPECT_EQ(scanner.value, bytes.data());
    EXPECT_EQ(scanner.at, bytes.data() + 8);
    EXPECT_EQ(scanner.slack, 4u);
    EXPECT_EQ(scanner.left, 1u);
    scanner.left = 0;
    EXPECT_FALSE(scanner.next_is(2));
}

// ---- a type of one's own ------------------------------------------------------------------------

/// A Color in one word, 0xAABBGGRR; without alpha it is refused.
bool unpack_color(Scanner& payload, std::byte* components) noexcept {
    std::uint32_t word;
    if (!payload.take_number(word, Unobserved{}) || word >> 24 == 0)
        return false;
    for (unsigned i = 0; i < 4; ++i)
        detail::store(components + 4 * i, static_cast<float>(word >> 8 * i & 0xFF) / 255);
    return true;
}

TEST(MadeUpType, IsOneRowAndOneOperation) {
    Dialect fork = dialects::godot_4_4;
    fork.name = "a fork";
    const std::uint32_t id = fork.row_count++;
    fork.rows[id] = {.type = Type::color,
                     .shape = Shape::math,
                     .component = ComponentType::f32,
                     .components = 4,
                     .bytes = 4,
                     .least = 8,
                     .unpack = unpack_color};
    fork.index_types();
    const DecodeOptions options{.dialect = &fork};
    const std::uint32_t color_id = fork.id_of[static_cast<std::size_t>(Type::color)];
    ASSERT_NE(color_id, id);  // the engine's own Color is the one that is written
    const std::uint32_t array = fork.id_of[static_cast<std::size_t>(Type::array)];
    const std::uint32_t one = 0x3F80'0000;
    const auto packet = bytes_of({array, 2, id, 0xFF00'00FF, color_id, 0, one, 0, one});
    const Color red{1, 0, 0, 1}, green{0, 1, 0, 1};

    const auto value = decode(packet, options);
    ASSERT_TRUE(value) << to_string(value.error());
    EXPECT_TRUE(identical(*value, Array{red, green}));
    const auto document = Document::parse(packet, options);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root()[0].get<Color>(), red);
    EXPECT_EQ(document->root()[1].get<Color>(), green);
    const auto palette = decode<std::vector<Color>>(packet, options);
    ASSERT_TRUE(palette);
    EXPECT_EQ(palette->at(0), red);
    Cursor cursor(packet, options);
    ASSERT_EQ(cursor.begin_array(), 2u);
    EXPECT_EQ(cursor.math<Color>(), red);
    EXPECT_EQ(cursor.math<Color>(), green);
    cursor.end();
    EXPECT_TRUE(cursor.finish());
    EXPECT_EQ(encode(*value, {.dialect = &fork})->size(), 8u + 2 * 20);

    // Truncated and refused like any other.
    const auto cut = validate(ByteView(packet).first(14), options);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, Errc::truncated);
    const auto clear = validate(bytes_of({id, 0x0000'00FF}), options);
    ASSERT_FALSE(clear);
    EXPECT_EQ(clear.error().code, Errc::unsupported_type);
    EXPECT_EQ(clear.error().type, Type::color);
}

TEST(MadeUpType, ThatIsTheOnlyOneOfItsTypeIsReadAndNotWritten) {
    Dialect fork = dialects::godot_4_4;
    TypeRow& row = fork.rows[fork.id_of[static_cast<std::size_t>(Type::color)]];
    row.bytes = 4;
    row.wide_bytes = 0;
    row.flags = 0;
    row.least = 8;
    row.unpack = unpack_color;
    fork.index_types();
    const DecodeOptions options{.dialect = &fork};
    const std::uint32_t id = fork.id_of[static_cast<std::size_t>(Type::color)];
    const auto packet = bytes_of({id, 0xFF00'00FF});
    Cursor cursor(packet, options);
    EXPECT_EQ(cursor.math<Color>(), (Color{1, 0, 0, 1}));
    EXPECT_EQ(cursor.finish(), 8u);
    EXPECT_EQ(decode<Color>(packet, options), (Color{1, 0, 0, 1}));
    const auto value = decode(packet, options);
    ASSERT_TRUE(value);
    const auto written = encode(*value, {.dialect = &fork});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Errc::not_in_dialect);
}

TEST(MadeUpType, WithAShapeThatIsThereIsOneRow) {
    Dialect fork = dialects::godot_4_4;
    const std::uint32_t id = fork.row_count++;
    fork.rows[id] = *dialects::pandemonium_5.row(Type::packed_vector2i_array);
    fork.index_types();
    const Variant value = Array{1, PackedVector2iArray{{1, 2}, {3, 4}}};
    const auto packet = encode(value, {.dialect = &fork});
    ASSERT_TRUE(packet);
    const DecodeOptions options{.dialect = &fork};
    EXPECT_TRUE(identical(*decode(as_bytes(*packet), options), value));
    const auto document = Document::parse(as_bytes(*packet), options);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->root()[1].packed().count, 2u);
}

}  // namespace
}  // namespace gdvar::test
