// The documentation page's editions to the letter: every row of their tables, both directions.
#include <gtest/gtest.h>

#include "gdvar/value/binding.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/cursor.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

/// A packet put together the way the page's tables go: offset by offset.
class Packet {
public:
    explicit Packet(std::uint32_t header) { word(header); }
    Packet& word(std::uint32_t value) { return put(value); }
    Packet& wide(std::int64_t value) { return put(value); }
    Packet& f32(std::initializer_list<float> values) {
        for (const float value : values)
            put(value);
        return *this;
    }
    Packet& f64(std::initializer_list<double> values) {
        for (const double value : values)
            put(value);
        return *this;
    }
    Packet& string(std::string_view text) {
        word(static_cast<std::uint32_t>(text.size()));
        for (const char c : text)
            bytes_.push_back(static_cast<std::byte>(c));
        while (bytes_.size() % 4)
            bytes_.push_back(std::byte{0});
        return *this;
    }
    Packet& raw(std::initializer_list<int> values) {
        for (const int value : values)
            bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }
    const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    template <class T>
    Packet& put(T value) {
        std::byte bytes[sizeof value];
        detail::store(bytes, value);
        for (const std::byte byte : bytes)
            bytes_.push_back(byte);
        return *this;
    }
    std::vector<std::byte> bytes_;
};

struct Case {
    Packet packet;
    Variant value;
};

void expect_both_ways(const Dialect& dialect, const std::vector<Case>& cases,
                      std::uint8_t real_width = 4) {
    for (const Case& c : cases) {
        const std::string what = std::string(dialect.name) + " " + hex(c.packet.bytes());
        std::size_t size = 0;
        auto value =
            decode(c.packet.bytes(),
                   {.dialect = &dialect, .allow_objects = true, .real_width = real_width}, &size);
        ASSERT_TRUE(value) << what << ": " << to_string(value.error());
        EXPECT_TRUE(identical(*value, c.value)) << what;
        EXPECT_EQ(size, c.packet.bytes().size()) << what;
        auto bytes =
            encode(c.value, {.dialect = &dialect, .allow_objects = true, .real_width = real_width});
        ASSERT_TRUE(bytes) << what << ": " << to_string(bytes.error());
        EXPECT_EQ(hex(as_bytes(*bytes)), hex(c.packet.bytes())) << what;
    }
}

constexpr std::uint32_t flag = 0x10000;

/// The rows that all editions share, with ids 0, 1 and 4 to 15.
std::vector<Case> common() {
    const auto basis = Basis::from_columns({1, 2, 3}, {4, 5, 6}, {7, 8, 9});
    return {
        {Packet(0), Variant()},
        {Packet(1).word(0), false},
        {Packet(1).word(1), true},
        {Packet(4).string("abcde"), "abcde"},
        {Packet(5).f32({1, 2}), Vector2{1, 2}},
        {Packet(6).f32({1, 2, 3, 4}), Rect2{{1, 2}, {3, 4}}},
        {Packet(7).f32({1, 2, 3}), Vector3{1, 2, 3}},
        {Packet(8).f32({1, 2, 3, 4, 5, 6}), Transform2D{{1, 2}, {3, 4}, {5, 6}}},
        {Packet(9).f32({1, 2, 3, 4}), Plane{{1, 2, 3}, 4}},
        {Packet(10).f32({1, 2, 3, 4}), Quaternion{1, 2, 3, 4}},
        {Packet(11).f32({1, 2, 3, 4, 5, 6}), AABB{{1, 2, 3}, {4, 5, 6}}},
        // [0][1] of the page is the second component of the first column.
        {Packet(12).f32({1, 2, 3, 4, 5, 6, 7, 8, 9}), basis},
        {Packet(13).f32({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), Transform3D{basis, {10, 11, 12}}},
        {Packet(14).f32({0.25f, 0.5f, 0.75f, 1}), Color{0.25f, 0.5f, 0.75f, 1}},
        {Packet(15).word(0x80000002).word(1).word(1).string("root").string("A").string("b"),
         NodePath("/root/A:b")},
    };
}

std::vector<Case> flagged_numbers() {
    return {
        {Packet(2).word(static_cast<std::uint32_t>(-7)), -7},
        {Packet(2 | flag).wide(5000000000), std::int64_t{5000000000}},
        {Packet(3).f32({0.5f}), 0.5},
        {Packet(3 | flag).f64({0.1}), 0.1},
    };
}

std::vector<Case> containers() {
    return {
        {Packet(18).word(1).word(4).string("k").word(1).word(1), Dictionary{{"k", true}}},
        {Packet(19).word(2).word(0).word(1).word(1), Array{nullptr, true}},
        {Packet(20).word(5).raw({1, 2, 3, 4, 5, 0, 0, 0}), PackedByteArray{1, 2, 3, 4, 5}},
        {Packet(21).word(2).word(1).word(static_cast<std::uint32_t>(-2)), PackedInt32Array{1, -2}},
    };
}

std::vector<Case> tail_of_3() {
    return {
        {Packet(22).word(2).f32({0.5f, 0.25f}), PackedFloat32Array{0.5f, 0.25f}},
        {Packet(23).word(2).string("ab").string(""), PackedStringArray{"ab", ""}},
        {Packet(24).word(1).f32({1, 2}), PackedVector2Array{{1, 2}}},
        {Packet(25).word(1).f32({1, 2, 3}), PackedVector3Array{{1, 2, 3}}},
        {Packet(26).word(1).f32({1, 2, 3, 4}), PackedColorArray{{1, 2, 3, 4}}},
    };
}

std::vector<Case> tail_of_4() {
    return {
        {Packet(22).word(2).wide(1).wide(-2), PackedInt64Array{1, -2}},
        {Packet(23).word(2).f32({0.5f, 0.25f}), PackedFloat32Array{0.5f, 0.25f}},
        {Packet(24).word(1).f64({0.1}), PackedFloat64Array{0.1}},
        {Packet(25).word(2).string("ab").string(""), PackedStringArray{"ab", ""}},
        {Packet(26).word(1).f32({1, 2}), PackedVector2Array{{1, 2}}},
        {Packet(27).word(1).f32({1, 2, 3}), PackedVector3Array{{1, 2, 3}}},
        {Packet(28).word(1).f32({1, 2, 3, 4}), PackedColorArray{{1, 2, 3, 4}}},
    };
}

/// The unflagged double-precision layout: all that the pages type as "Float" is 8 bytes.
std::vector<Case> doubles() {
    const auto basis = Basisd::from_columns({1, 2, 3}, {4, 5, 6}, {7, 8, 9});
    return {
        {Packet(5).f64({1, 2}), Vector2d{1, 2}},
        {Packet(6).f64({1, 2, 3, 4}), Rect2d{{1, 2}, {3, 4}}},
        {Packet(7).f64({1, 2, 0.1}), Vector3d{1, 2, 0.1}},
        {Packet(8).f64({1, 2, 3, 4, 5, 6}), Transform2Dd{{1, 2}, {3, 4}, {5, 6}}},
        {Packet(9).f64({1, 2, 3, 4}), Planed{{1, 2, 3}, 4}},
        {Packet(10).f64({1, 2, 3, 4}), Quaterniond{1, 2, 3, 4}},
        {Packet(11).f64({1, 2, 3, 4, 5, 6}), AABBd{{1, 2, 3}, {4, 5, 6}}},
        {Packet(12).f64({1, 2, 3, 4, 5, 6, 7, 8, 9}), basis},
        {Packet(13).f64({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
         Transform3Dd{basis, {10, 11, 12}}},
        {Packet(14).f64({0.1, 0.2, 0.3, 1}), Colord{0.1, 0.2, 0.3, 1}},
    };
}

TEST(Pages, EditionForGodot3) {
    const Dialect& page = dialects::page_3;
    for (const auto& cases : {common(), flagged_numbers(), containers(), tail_of_3()})
        expect_both_ways(page, cases);
    expect_both_ways(page, doubles(), 8);
    expect_both_ways(page,
                     {{Packet(24).word(1).f64({1, 2}), PackedVector2dArray{{1, 2}}},
                      {Packet(25).word(1).f64({1, 2, 3}), PackedVector3dArray{{1, 2, 3}}},
                      {Packet(26).word(1).f64({1, 2, 3, 4}), PackedColordArray{{1, 2, 3, 4}}},
                      {Packet(22).word(1).f32({0.5f}), PackedFloat32Array{0.5f}}},
                     8);
}

TEST(Pages, EditionForGodot4) {
    const Dialect& page = dialects::page_4;
    for (const auto& cases : {common(), flagged_numbers(), containers(), tail_of_4()})
        expect_both_ways(page, cases);
    expect_both_ways(page, doubles(), 8);
    Object full("Node");
    full.set("n", true);
    expect_both_ways(page, {{Packet(17).word(0), Object()},
                            {Packet(17 | flag).wide(77), Object::from_id(77)},
                            {Packet(17).string("Node").word(1).string("n").word(1).word(1), full}});
    // A null Object needs no permission here, an Object in full does.
    EXPECT_TRUE(decode(Packet(17).word(0).bytes(), {.dialect = &page}));
    auto refused = decode(Packet(17).string("Node").word(0).bytes(), {.dialect = &page});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::objects_forbidden);
}

TEST(Pages, DevelopmentEdition) {
    const Dialect& page = dialects::page_4_dev;
    for (const auto& cases : {common(), containers(), tail_of_4()})
        expect_both_ways(page, cases);
    expect_both_ways(page, {{Packet(2).wide(-7), -7},
                            {Packet(2).wide(5000000000), std::int64_t{5000000000}},
                            {Packet(3).f64({0.5}), 0.5},
                            {Packet(3).f64({0.1}), 0.1}});
    expect_both_ways(page, doubles(), 8);
}

TEST(Pages, OldNodePathIsReadAndNeverWritten) {
    for (const Dialect* page : {&dialects::page_3, &dialects::page_4, &dialects::page_4_dev}) {
        auto value = decode(Packet(15).string("/root/A:b").bytes(), {.dialect = page});
        ASSERT_TRUE(value);
        EXPECT_TRUE(identical(*value, NodePath("/root/A:b")));
        auto document = Document::parse(Packet(15).string("/root/A:b").bytes(), {.dialect = page});
        ASSERT_TRUE(document);
    }
    auto refused = decode(Packet(22).string("/root/A:b").bytes());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::bad_node_path);
    EXPECT_TRUE(decode(Packet(22).string("/root/A:b").bytes(), {.node_path_text = true}));
}

TEST(Pages, WhatTheyCallUnsupportedIsRefused) {
    for (const Dialect* page : {&dialects::page_3, &dialects::page_4, &dialects::page_4_dev}) {
        auto rid = decode(Packet(16).bytes(), {.dialect = page});
        ASSERT_FALSE(rid);
        EXPECT_EQ(rid.error().code, Errc::unsupported_type);
        EXPECT_FALSE(encode(RID{1}, {.dialect = page}));
        if (page == &dialects::page_4)
            continue;
        auto object = decode(Packet(17).word(0).bytes(), {.dialect = page, .allow_objects = true});
        ASSERT_FALSE(object);
        EXPECT_EQ(object.error().code, Errc::unsupported_type);
        EXPECT_FALSE(encode(Object(), {.dialect = page, .allow_objects = true}));
    }
}

TEST(Pages, TypeIsTheLowSixteenBits) {
    auto value = decode(Packet(0x0102).word(1).bytes(), {.dialect = &dialects::page_4});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, Errc::unknown_type);
    EXPECT_TRUE(decode(Packet(0x0102).word(1).bytes()));
}

/// One element of a PackedStringArray, whose text ends with NULs or not.
Packet texts_of(std::uint32_t header, std::string_view text) {
    return Packet(header).word(1).string(text);
}

TEST(Pages, AFinalNulOfAnElementIsACharacter) {
    using namespace std::string_view_literals;
    for (const Dialect* dialect : all_dialects()) {
        const TypeRow* row = dialect->row(Type::packed_string_array);
        ASSERT_TRUE(row);
        const auto header = static_cast<std::uint32_t>(row - dialect->rows.data());
        for (const std::string_view text : {"\0\0\0\0"sv, "a\0"sv, "\0"sv, "a\0b"sv, ""sv, "a"sv}) {
            const Packet packet = texts_of(header, text);
            const DecodeOptions options{.dialect = dialect};
            const std::string what = std::string(dialect->name) + " " + hex(packet.bytes());
            const auto value = decode(packet.bytes(), options);
            ASSERT_TRUE(value) << what;
            // All faces say the same text.
            const bool cut = dialect->string_array_nul && text.ends_with('\0');
            const std::string_view expected = text.substr(0, text.size() - cut);
            EXPECT_EQ((*value->get_if<PackedStringArray>())[0].view(), expected) << what;
            const auto document = Document::parse(packet.bytes(), options);
            for (const auto all = document->root().strings(); const std::string_view seen : all)
                EXPECT_EQ(seen, expected) << what;
            Cursor cursor(packet.bytes(), options);
            cursor.packed_strings().each(
                [&](std::string_view seen) { EXPECT_EQ(seen, expected) << what; });
            Variant driven;
            VariantBuilder builder(driven);
            Cursor again(packet.bytes(), options);
            ASSERT_TRUE(again.drive(builder)) << what;
            EXPECT_TRUE(identical(driven, *value)) << what;
            const auto bound = decode<std::vector<std::string>>(packet.bytes(), options);
            ASSERT_TRUE(bound) << what;
            EXPECT_EQ((*bound)[0], expected) << what;
            // Law 7: page to page loses nothing.
            const auto back = encode(*value, {.dialect = dialect});
            ASSERT_TRUE(back) << what;
            EXPECT_EQ(hex(as_bytes(*back)),
                      hex(cut || !dialect->string_array_nul
                              ? packet.bytes()
                              : texts_of(header, std::string(text) + '\0').bytes()))
                << what;
        }
    }
}

}  // namespace
}  // namespace gdvar::test
