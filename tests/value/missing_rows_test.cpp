// A dialect without a row: nothing of that type is written, by whichever way one comes to it.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "gdvar/value/binding.hpp"
#include "gdvar/wire/writer.hpp"

namespace gdvar::test {
namespace {

Dialect without(const Dialect& from, Type type) {
    Dialect out = from;
    out.name = "a fork";
    for (std::size_t id = 0; id < out.row_count; ++id)
        if (out.rows[id].type == type)
            out.rows[id].shape = Shape::absent;
    out.index_types();
    return out;
}

struct OfAll {
    std::nullptr_t nothing{};
    bool truth = true;
    std::int64_t whole = 1;
    double number = 0.5;
    String text{"text"};
    Vector2 vector{1, 2};
    StringName name{"name"};
    Array array{1};
    Dictionary pairs{{1, 2}};
    PackedArray<float> floats{1.0f};
};
/// One value of each, with its Type.
std::vector<Variant> samples() {
    const OfAll all;
    return {nullptr,
            true,
            1,
            std::int64_t{1} << 40,
            0.5,
            0.1,
            all.text,
            all.vector,
            all.name,
            all.array,
            all.pairs,
            all.floats,
            NodePath("a:b"),
            RID{7},
            PackedStringArray{"a"},
            Vector3i{},
            Transform3D{},
            Color{},
            PackedArray<std::uint8_t>{1, 2}};
}

Array forty_of(const Variant& value) {
    Array out;
    for (int i = 0; i < 40; ++i)
        out.push_back(value);
    return out;
}

void expect_refused(const std::expected<PackedByteArray, Error>& packet, Type type) {
    ASSERT_FALSE(packet) << type_name(type);
    EXPECT_EQ(packet.error().code, Errc::not_in_dialect) << type_name(type);
    EXPECT_EQ(packet.error().type, type);
    EXPECT_EQ(to_string(packet.error()),
              "error[not_in_dialect]: \"a fork\" has no " + std::string(type_name(type)));
}

TEST(MissingRows, AreRefusedForEveryType) {
    for (const Dialect* from : {&dialects::godot_4_4, &dialects::godot_3_1, &dialects::page_4_dev})
        for (const Variant& value : samples()) {
            const Type type = value.type();
            if (!encode(value, {.dialect = from}))
                continue;
            const Dialect fork = without(*from, type);
            const EncodeOptions options{.dialect = &fork};
            expect_refused(encode(value, options), type);
            EXPECT_FALSE(encoded_size(value, options)) << type_name(type);
            std::byte room[256];
            EXPECT_FALSE(encode_to(room, value, options)) << type_name(type);
            // Inside, where many are written in one room.
            if (type != Type::array)
                expect_refused(encode(forty_of(value), options), type);
            PackedByteArray bytes;
            BufferOutput output(bytes);
            Writer writer(output, options);
            EXPECT_EQ(drive(value, writer), Errc::not_in_dialect) << type_name(type);
            EXPECT_EQ(writer.error().type, type);
        }
}

template <class T>
void expect_member_refused(Type type) {
    const Dialect fork = without(dialects::godot_4_4, type);
    const EncodeOptions options{.dialect = &fork};
    struct Alone {
        T member{};
    };
    expect_refused(encode(Alone(), options), type);
    expect_refused(encode(T{}, options), type);
    expect_refused(encode(std::vector<std::optional<T>>(3, T{}), options), type);
    std::byte room[256];
    EXPECT_FALSE(encode_to(room, Alone(), options)) << type_name(type);
}

TEST(MissingRows, AreRefusedForMembersOfStructs) {
    expect_member_refused<bool>(Type::boolean);
    expect_member_refused<std::int64_t>(Type::integer);
    expect_member_refused<double>(Type::real);
    expect_member_refused<float>(Type::real);
    expect_member_refused<StringName>(Type::string_name);
    expect_member_refused<Vector2>(Type::vector2);
    expect_member_refused<std::map<std::int64_t, bool>>(Type::dictionary);
    expect_member_refused<Transform3D>(Type::transform3d);
    // The keys of a struct are Strings.
    struct Empty {
        Vector2 member;
    };
    const Dialect fork = without(dialects::godot_4_4, Type::string);
    expect_refused(encode(Empty(), {.dialect = &fork}), Type::string);
    expect_refused(encode(std::string("text"), {.dialect = &fork}), Type::string);
}

/// Only the narrow form is there, whatever the width rule says.
TEST(MissingRows, AWideNumberNeedsAWideRow) {
    Dialect fork = dialects::godot_4_4;
    fork.name = "narrow";
    for (TypeRow& row : fork.rows)
        if (row.type == Type::integer || row.type == Type::real)
            row.flags = 0;
    fork.index_types();
    const EncodeOptions options{.dialect = &fork};
    EXPECT_TRUE(encode(7, options));
    EXPECT_TRUE(encode(Variant(0.5), options));
    const auto wide = encode(std::int64_t{1} << 40, options);
    ASSERT_FALSE(wide);
    EXPECT_EQ(to_string(wide.error()), "error[not_in_dialect]: narrow has no int of 64 bits");
    EXPECT_FALSE(encode(Variant(0.1), options));
}

}  // namespace
}  // namespace gdvar::test
