// Tables, frames, golden bytes.
#include <gtest/gtest.h>

#include <set>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

TEST(Dialects, AreThirteenWithNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const Dialect* dialect : all_dialects()) {
        EXPECT_TRUE(names.insert(dialect->name).second);
        if (!dialect->alias.empty()) {
            EXPECT_TRUE(names.insert(dialect->alias).second);
        }
        EXPECT_EQ(find_dialect(dialect->name), dialect);
        EXPECT_FALSE(dialect->title.empty());
    }
    EXPECT_EQ(all_dialects().size(), 13u);
    EXPECT_EQ(find_dialect("godot4"), &dialects::godot_4_4);
    ASSERT_NE(find_dialect("godot-2-text"), nullptr);
    EXPECT_EQ(find_dialect("godot-2-text")->name, "godot-2-text") << "in no list, found by name";
    EXPECT_EQ(find_dialect(""), nullptr);
}

TEST(Dialects, AReleaseIsAName) {
    const std::pair<std::string_view, const Dialect*> names[] = {
        {"godot-4.6", &dialects::godot_4_4},
        {"godot-4.5", &dialects::godot_4_4},
        {"godot-4.6.3", &dialects::godot_4_4},
        {"godot-4.4.1", &dialects::godot_4_4},
        {"godot-4.3.0", &dialects::godot_4_3},
        {"godot-4.2", &dialects::godot_4_0},
        {"godot-4.1", &dialects::godot_4_0},
        {"godot-3.6", &dialects::godot_3_1},
        {"godot-3.5.3", &dialects::godot_3_1},
        {"godot-3.0.6", &dialects::godot_3_0},
        {"godot-2.1", &dialects::godot_2},
        {"godot-1.0", &dialects::godot_2},
        {"godot-1", &dialects::godot_2},
        {"pandemonium-5.3", &dialects::pandemonium_5},
        {"pandemonium-4.0", &dialects::pandemonium_3_8},
        {"pandemonium-4", &dialects::pandemonium_3_8},
        {"pandemonium-3.9", &dialects::pandemonium_3_8},
        {"pandemonium-3.6", &dialects::pandemonium_3_5},
    };
    for (const auto& [name, dialect] : names)
        EXPECT_EQ(find_dialect(name), dialect) << name;
    // Not released, several dialects, or no number.
    for (const char* name :
         {"godot-4.7",  "godot-5.0",   "godot-3.7",     "godot-2.2",       "godot-0.9",
          "godot-4",    "godot-3",     "pandemonium-3", "pandemonium-3.4", "pandemonium-6.0",
          "page-4.0",   "godot-",      "godot-4.",      "godot-4.5.",      "godot-4.5.1.2",
          "godot-4.5x", "godot-4.500", "godot-.5",      "godot--4.5",      "-4.5",
          "4.5",        "godot-4.+5",  "godot4.5"})
        EXPECT_EQ(find_dialect(name), nullptr) << name;
    for (const Dialect* dialect : all_dialects())
        EXPECT_EQ(dialect->releases.engine.empty(),
                  dialect->documented || dialect == &dialects::godot_4_dev)
            << dialect->name;
}

TEST(Dialects, ANameStandsForAFamilyOfTexts) {
    EXPECT_EQ(named_family("godot-4.4"), TextFamily::godot_4_0);
    EXPECT_EQ(named_family("godot-4.4.1"), TextFamily::godot_4_0);
    for (const char* name : {"godot4", "godot-4.5", "godot-4.6.3"})
        EXPECT_EQ(named_family(name), TextFamily::godot_4) << name;
    EXPECT_EQ(named_family("godot-4.3"), TextFamily::godot_4_0);
    EXPECT_EQ(named_family("godot-2"), TextFamily::godot_2);
    EXPECT_EQ(named_family("auto"), std::nullopt);
    for (std::size_t i = 0; i < text_family_count; ++i) {
        const auto family = static_cast<TextFamily>(i);
        EXPECT_EQ(is_godot_4(newest_dialect(family).family), is_godot_4(family));
    }
}

TEST(Dialects, RowsAreSane) {
    const std::pair<const Dialect*, int> counts[] = {
        {&dialects::godot_4_4, 39},       {&dialects::godot_4_3, 39},
        {&dialects::godot_4_0, 38},       {&dialects::godot_4_dev, 35},
        {&dialects::godot_3_1, 27},       {&dialects::godot_3_0, 27},
        {&dialects::godot_2, 29},         {&dialects::pandemonium_5, 40},
        {&dialects::pandemonium_3_8, 38}, {&dialects::pandemonium_3_5, 33},
        {&dialects::page_3, 27},          {&dialects::page_4, 29},
        {&dialects::page_4_dev, 29}};
    for (const auto& [dialect, count] : counts) {
        EXPECT_EQ(dialect->row_count, count) << dialect->name;
        for (std::size_t id = 0; id < dialect->row_count; ++id) {
            const TypeRow& row = dialect->rows[id];
            EXPECT_NE(row.shape, Shape::absent) << dialect->name << " " << id;
            EXPECT_FALSE(row.name.empty());
            EXPECT_GE(row.least, 4);
            EXPECT_EQ(row.flags & 0xFFFF, 0u);
        }
    }
    EXPECT_EQ(dialects::pandemonium_5.id_of[static_cast<int>(Type::vector2)], 7);
    EXPECT_EQ(dialects::godot_4_4.id_of[static_cast<int>(Type::packed_vector4_array)], 38);
}

TEST(Golden, BytesOfTheEnginesBothWays) {
    std::istringstream in(read_text(data_dir() / "golden.tsv"));
    std::size_t count = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#'))
            continue;
        const std::size_t tab = line.find('\t');
        const Dialect* dialect = find_dialect(line.substr(0, tab));
        ASSERT_NE(dialect, nullptr) << line;
        const std::string digits = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
        std::size_t size = 0;
        auto value = decode(unhex(digits), reading(*dialect), &size);
        ASSERT_TRUE(value) << line;
        EXPECT_EQ(size * 2, digits.size());
        auto bytes = encode(*value, writing(*dialect));
        ASSERT_TRUE(bytes) << line;
        EXPECT_EQ(hex(as_bytes(*bytes)), digits) << line;
        ++count;
    }
    EXPECT_GT(count, 120u);
}

TEST(Frames, EitherByteOrder) {
    const auto little = unhex("080000000200000007000000");
    const auto big = unhex("000000080200000007000000");
    auto a = read_frame(little, ByteOrder::little), b = read_frame(big, ByteOrder::big);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->packet.size(), 8u);
    EXPECT_EQ(b->size, 12u);
    EXPECT_EQ(read_frame(ByteView(little).first(3), ByteOrder::little).error().need, 1u);
    EXPECT_EQ(read_frame(ByteView(little).first(6), ByteOrder::little).error().need, 6u);
    EXPECT_EQ(read_frame(big, ByteOrder::little).error().code, Errc::truncated);
    EXPECT_EQ(read_frame(unhex("ffffffff"), ByteOrder::little).error().code, Errc::bad_length);
    EXPECT_EQ(read_frame(little, ByteOrder::little, 4).error().code, Errc::size_limit);
}

TEST(Limits, AreKept) {
    std::vector<std::byte> nested;
    const auto array_of_one = unhex("1c00000001000000");
    for (int i = 0; i < 1024; ++i)
        nested.insert(nested.end(), array_of_one.begin(), array_of_one.end());
    auto deep = nested;
    nested.resize(nested.size() + 4);
    EXPECT_TRUE(validate(nested));
    deep.insert(deep.end(), array_of_one.begin(), array_of_one.end());
    deep.resize(deep.size() + 4);
    EXPECT_EQ(validate(deep).error().code, Errc::depth_limit);
    EXPECT_EQ(validate(nested, {.limits = Limits::network()}).error().code, Errc::depth_limit);
    DecodeOptions few;
    few.limits.max_nodes = 3;
    EXPECT_TRUE(validate(unhex("1c000000020000000000000000000000"), few));
    EXPECT_EQ(validate(unhex("1c00000003000000000000000000000000000000"), few).error().code,
              Errc::node_limit);
    few.limits.max_bytes = 7;
    EXPECT_EQ(validate(unhex("0200000001000000"), few).error().code, Errc::size_limit);
}

TEST(Paths, NameWhatWasRefused) {
    const Variant value =
        Dictionary{{"players", Array{1, Dictionary{{"odd key", 1}, {"pos", Vector3{1, 2, 3}}}}},
                   {Vector2i{1, 2}, Array{"x"}},
                   {2.5, "y"}};
    const auto bytes = *encode(value);
    auto document = Document::parse(as_bytes(bytes));
    ASSERT_TRUE(document);
    const Document& doc = *document;
    const auto path_of = [&](const View& view) {
        return path_at(as_bytes(bytes), {}, view.offset());
    };
    EXPECT_EQ(path_of(doc.root()), "$");
    EXPECT_EQ(path_of(doc["players"][1]["odd key"]), "$.players[1][\"odd key\"]");
    EXPECT_EQ(path_of(doc["players"][1]["pos"]), "$.players[1].pos");
    for (const auto pairs = doc.root().pairs(); const View::Pair& pair : pairs) {
        if (pair.key.is(Type::vector2i)) {
            EXPECT_EQ(path_of(pair.value), "$[Vector2i(1, 2)]");
        }
        if (pair.key.is(Type::real)) {
            EXPECT_EQ(path_of(pair.value), "$[2.5]");
        }
    }
    // Cut in the middle of the last value.
    const ByteView cut = as_bytes(bytes).first(bytes.size() - 2);
    auto error = validate(cut);
    ASSERT_FALSE(error);
    EXPECT_EQ(error_path(cut, {}, error.error()), "$[2.5]");
    // Encoding: from the source's own stack.
    const Variant bad = Dictionary{{"a", Array{1, StringName("x")}}};
    const EncodeOptions three{.dialect = &dialects::godot_3_1};
    auto refused = encode(bad, three);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::not_in_dialect);
    EXPECT_EQ(error_path(bad, three, refused.error()), "$.a[1]");
}

TEST(Path, OfAMissingValueIsItsKeys) {
    const auto bytes = encode(Dictionary{{"a", 1}, {"bb", Dictionary{{2, "text"}}}});
    ASSERT_TRUE(bytes);
    // A reader that goes to the break says where the bytes end.
    const auto to_the_break = [&](std::size_t size, std::size_t offset) {
        return error_path(as_bytes(*bytes).first(size), {},
                          {Errc::truncated, Type::nil, offset, 4});
    };
    EXPECT_EQ(to_the_break(20, 20), "$.a");
    EXPECT_EQ(to_the_break(40, 40), "$.bb");
    EXPECT_EQ(to_the_break(56, 56), "$.bb[2]");
    // A key that breaks off has no name yet.
    for (const std::size_t size : {29u, 36u, 38u})
        EXPECT_EQ(to_the_break(size, 28), "$[@1 key]") << size;
    // One that counts what is owed refuses the key, for what its value would take.
    const std::pair<std::size_t, const char*> counting[] = {
        {36, "$[@1 key]"}, {38, "$[@1 key]"}, {40, "$.bb"}, {56, "$.bb[2]"}};
    for (const auto& [size, path] : counting) {
        const ByteView cut = as_bytes(*bytes).first(size);
        const auto error = validate(cut);
        ASSERT_FALSE(error);
        EXPECT_EQ(error_path(cut, {}, error.error()), path) << size;
    }
}

}  // namespace
}  // namespace gdvar::test
