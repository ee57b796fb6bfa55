// Binary resources: those that real engines wrote, made ones, damaged ones.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "file/documents/resource_maker.hpp"
#include "gdvar/file/binary_resource.hpp"
#include "gdvar/gdvar.hpp"
#include "support/allocations.hpp"
#include "support/case_name.hpp"
#include "support/engine_resources.hpp"
#include "support/small_stack.hpp"

namespace gdvar::test {
namespace {

using Bytes = std::vector<std::byte>;

class Resources : public testing::TestWithParam<const char*> {
protected:
    ResourceFolder folder() const { return {data_dir() / "resources" / GetParam(), GetParam()}; }
};

TEST_P(Resources, EveryValueIsWhatTheEngineSaved) {
    folder().check_values();
}

TEST_P(Resources, TreesHaveTheShapeOfTextResources) {
    folder().check_trees();
}

TEST_P(Resources, ThePacketIsTheVariant) {
    for (const auto& path : folder().files()) {
        SCOPED_TRACE(path);
        const Bytes bytes = read_bytes(path);
        const auto read = read_binary_resource(bytes);
        ASSERT_TRUE(read) << to_string(read.error());
        const DecodeOptions options{.dialect = read->dialect, .allow_objects = true};
        const auto value = decode(read->packet, options);
        ASSERT_TRUE(value) << to_string(value.error());
        EXPECT_TRUE(identical(*value, decode_binary_resource(bytes).value()));
        EXPECT_EQ(encode(*value, {.dialect = read->dialect, .allow_objects = true}).value(),
                  read->packet);
    }
}

/// Whether the error is one that damage may lead to, at a place in the file.
void expect_plausible(const Error& error) {
    EXPECT_NE(error.code, Errc::ok);
    EXPECT_NE(error.code, Errc::no_memory);
    EXPECT_NE(error.code, Errc::not_in_dialect) << to_string(error);
}

TEST_P(Resources, CutFilesAreRefused) {
    for (const auto& path : folder().files()) {
        SCOPED_TRACE(path);
        const Bytes bytes = read_bytes(path);
        const Variant whole = decode_binary_resource(bytes).value();
        const bool compressed = static_cast<bool>(whole["header"]["compressed"]);
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            const auto cut = decode_binary_resource(ByteView(bytes).first(n));
            if (n + 4 < bytes.size()) {
                ASSERT_FALSE(cut) << n;
                expect_plausible(cut.error());
            } else if (cut) {  // engines do not look at the mark at the end
                EXPECT_EQ((*cut)["header"]["no_end_mark"].get<bool>().value_or(false), !compressed);
            }
        }
    }
}

TEST_P(Resources, DamagedFilesAreRefusedOrRead) {
    std::mt19937_64 random(7);
    std::size_t refused = 0, read = 0;
    for (const auto& path : folder().files()) {
        SCOPED_TRACE(path);
        const Bytes bytes = read_bytes(path);
        for (int round = 0; round < 1000; ++round) {
            Bytes damaged = bytes;
            for (std::uint64_t n = 1 + random() % 3; n; --n) {
                const std::size_t at = random() % damaged.size();
                constexpr std::uint8_t often[] = {0, 1, 0x7F, 0x80, 0xFF};
                damaged[at] = random() % 2 ? static_cast<std::byte>(random())
                                           : static_cast<std::byte>(often[random() % 5]);
            }
            std::expected<BinaryResource, Error> out;
            const Recorder taken =
                counted([&] { out = read_binary_resource(damaged, {.max_bytes = 1 << 20}); });
            ASSERT_LT(taken.peak, (std::size_t{2} << 20) + 64 * damaged.size());
            if (!out) {
                ++refused;
                expect_plausible(out.error());
                continue;
            }
            ++read;
            const DecodeOptions options{.dialect = out->dialect, .allow_objects = true};
            const auto value = decode(out->packet, options);
            ASSERT_TRUE(value) << to_string(value.error());
        }
    }
    EXPECT_GT(refused, 1000u);
    EXPECT_GT(read, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Engines, Resources,
                         testing::Values("godot-3.2.3", "godot-3.6.2", "godot-4.6.3"), case_name);

TEST(ResourceSaves, AreReadByPathAndNotWritten) {
    const std::string path = (data_dir() / "resources/godot-4.6.3/tree_compressed.res").string();
    auto save = open_save(path);
    ASSERT_TRUE(save) << to_string(save.error());
    EXPECT_EQ(save->kind().seen_as, InputKind::binary_resource);
    EXPECT_EQ(save->dialect().name, "godot-4.4");
    EXPECT_EQ(save->get<int>("$.resource.health").value(), 42);
    EXPECT_TRUE(save->save());  // nothing has changed
    const auto set = save->set("$.resource.health", 43);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().code, Errc::unsupported_type);
    EXPECT_EQ(save->get<int>("$.resource.health").value(), 42);
    EXPECT_EQ(open_save(path, {.max_bytes = 1000}).error().code, Errc::size_limit);
    EXPECT_EQ(find_document_kind(InputKind::binary_resource)
                  ->write({}, dialects::godot_4_4)
                  .error()
                  .error.code,
              Errc::unsupported_type);
}

// ---- made by hand

std::expected<Variant, Error> value_of(const MadeResource& made) {
    auto all = decode_binary_resource(made.bytes());
    if (!all)
        return std::unexpected(all.error());
    return Variant((*all)["resource"].get<Object>().value().find("value")
                       ? *(*all)["resource"].get<Object>().value().find("value")
                       : Variant());
}

Errc refused(const MadeResource& made) {
    const auto read = decode_binary_resource(made.bytes());
    return read ? Errc::ok : read.error().code;
}

TEST(MadeResources, RealsOf64Bits) {
    MadeResource made{.flags = 5};
    made.properties.u32s({0, 10}).number(0.1).number(-2.5);
    EXPECT_EQ(value_of(made).value(), Variant(Vector2d{0.1, -2.5}));
    made.anew().u32s({0, 4}).number(0.1);
    EXPECT_EQ(value_of(made).value(), Variant(0.1));
    made.anew().u32s({0, 35, 1}).number(0.1).number(0.2).number(0.3);
    EXPECT_EQ(value_of(made).value(), Variant(PackedVector3dArray{{0.1, 0.2, 0.3}}));
    made.anew().u32s({0, 20}).number(0.5f).number(0.25f).number(1.0f).number(1.0f);
    EXPECT_EQ(value_of(made).value(), Variant(Color{0.5f, 0.25f, 1, 1}));
    EXPECT_EQ(
        decode_binary_resource(made.bytes()).value()["header"]["double_precision"].get<bool>(),
        true);
    const auto packet = read_binary_resource(made.bytes()).value();
    EXPECT_EQ(packet.dialect->name, "godot-4.4");
}

TEST(MadeResources, UidsAreTheEnginesTexts) {
    std::size_t count = 0;
    for (const Json& line :
         lines_with(data_dir() / "resources/godot-4.6.3/expected.ndjson", "uid")) {
        MadeResource made{.flags = 3, .uid = std::stoll(line["uid"].get<std::string>())};
        made.properties.u32s({0, 1});
        const Variant header = decode_binary_resource(made.bytes()).value()["header"];
        if (made.uid == -1)  // none
            EXPECT_FALSE(header["uid"]);
        else
            EXPECT_EQ(header["uid"].get<std::string>(), line["text"].get<std::string>());
        ++count;
    }
    EXPECT_EQ(count, 9u);
}

TEST(MadeResources, BigEndian) {
    MadeResource made{.big = true};
    made.anew().u32s({0, 32, 2, 1, 0xFFFF'FFFEu});
    EXPECT_EQ(value_of(made).value(), Variant(PackedInt32Array{1, -2}));
    made.anew().u32s({0, 48, 1}).number(std::int64_t{-3});
    EXPECT_EQ(value_of(made).value(), Variant(PackedInt64Array{-3}));
    made.anew().u32s({0, 31, 3}).raw({"\1\2\3\0", 4});
    EXPECT_EQ(value_of(made).value(), Variant(PackedByteArray{1, 2, 3}));
}

TEST(MadeResources, OldNodePathsHaveAProperty) {
    MadeResource made{.major = 2, .format = 2, .flags = 0, .names = {"value", "A", "p", ""}};
    made.properties.u32s({0, 22}).number(std::uint16_t{1}).number(std::uint16_t{0x8000});
    made.properties.u32s({1, 2});
    EXPECT_EQ(value_of(made).value(), Variant(NodePath("/A:p")));
    made.properties.bytes().resize(made.properties.bytes().size() - 4);
    made.properties.u32(3);  // without one it is an empty text
    EXPECT_EQ(value_of(made).value(), Variant(NodePath("/A")));
    made.properties.bytes().resize(made.properties.bytes().size() - 4);
    made.properties.u32(0x8000'0000u + 2).raw({"q\0", 2});  // not in the table
    EXPECT_EQ(value_of(made).value(), Variant(NodePath("/A:q")));
}

TEST(MadeResources, Godot2Images) {
    MadeResource made{.major = 2, .format = 1, .flags = 0};
    made.properties.u32s({0, 21, 1, 2, 1, 0, 3, 3}).raw({"abc\0", 4});
    const Object image = value_of(made).value().get<Object>().value();
    EXPECT_EQ(image.class_name(), "Image");
    EXPECT_EQ(*image.find("width"), Variant(2));
    EXPECT_EQ(*image.find("format"), Variant(3));
    EXPECT_EQ(*image.find("data"), Variant(PackedByteArray{'a', 'b', 'c'}));
    made.anew().u32s({0, 21, 0});
    EXPECT_EQ(value_of(made).value(), Variant());
    made.anew().u32s({0, 21, 2, 4}).raw("PNG ");
    EXPECT_EQ(*value_of(made).value().get<Object>().value().find("encoding"), Variant("lossless"));
    made.anew().u32s({0, 21, 4, 0});
    EXPECT_EQ(refused(made), Errc::bad_reference);
    made.format = 4;
    EXPECT_EQ(refused(made), Errc::unknown_type);
}

TEST(MadeResources, PandemoniumHasIdsOfItsOwn) {
    MadeResource made{.major = 3, .format = 3, .flags = 0};
    made.properties.u32s({0, 42, 7, 8});
    EXPECT_EQ(value_of(made).value(), Variant(Vector2i{7, 8}));
    EXPECT_EQ(read_binary_resource(made.bytes()).value().dialect, &dialects::pandemonium_5);
    made.anew().u32s({0, 3, 7});
    EXPECT_EQ(read_binary_resource(made.bytes()).value().dialect, &dialects::godot_3_1);
    made.major = 5;
    EXPECT_EQ(read_binary_resource(made.bytes()).value().dialect, &dialects::pandemonium_5);
    made.anew().u32s({0, 53}).raw("\2").u32s({2, 3, 1, 3, 2});
    Array ints{1, 2};
    ints.set_element_type(ContainerType::of(Type::integer));
    EXPECT_TRUE(identical(value_of(made).value(), Variant(ints)));
    made.anew().u32s({0, 53}).raw("\xC8").u32(0);
    EXPECT_EQ(refused(made), Errc::bad_container_type);
    made.major = 4;
    made.format = 4;
    EXPECT_EQ(refused(made), Errc::truncated);  // 53 is a PackedVector4Array there
}

TEST(MadeResources, ReferencesAreObjects) {
    MadeResource made;
    made.subs.push_back({"local://Curve_1", 0, {}});
    made.properties.u32s({0, 24, 2, 0});
    const Variant all = decode_binary_resource(made.bytes()).value();
    EXPECT_EQ(all["sub"]["Curve_1"].get<Object>().value().class_name(), "Resource");
    EXPECT_EQ(all["resource"]["value"]["id"].get<String>(), String("Curve_1"));
    made.anew().u32s({0, 24, 2, 2});
    EXPECT_EQ(refused(made), Errc::bad_reference);
    made.anew().u32s({0, 24, 3, 9});  // engines warn and read null
    EXPECT_EQ(value_of(made).value()["id"].get<int>(), 9);
    made.anew().u32s({0, 24, 1}).text("Texture").text("a.png");
    EXPECT_EQ(value_of(made).value()["path"].get<String>(), String("a.png"));
    made.anew().u32s({0, 24, 0});
    EXPECT_EQ(value_of(made).value(), Variant());
    made.anew().u32s({0, 24, 4, 0});
    EXPECT_EQ(refused(made), Errc::bad_reference);
}

TEST(MadeResources, FaultsAreNamed) {
    const auto with = [](std::initializer_list<std::uint32_t> words) {
        MadeResource made;
        made.properties.u32s(words);
        return refused(made);
    };
    EXPECT_EQ(with({0, 1}), Errc::ok);
    EXPECT_EQ(with({7, 1}), Errc::bad_reference);  // no such name
    EXPECT_EQ(with({0, 6}), Errc::unknown_type);   // no such id
    EXPECT_EQ(with({0, 25}), Errc::unknown_type);  // InputEvent
    EXPECT_EQ(with({0, 999'999}), Errc::unknown_type);
    EXPECT_EQ(with({0, 5, 0x8000'0000u}), Errc::bad_length);  // text
    EXPECT_EQ(with({0, 5, 1000}), Errc::truncated);
    EXPECT_EQ(with({0, 30, 1000}), Errc::truncated);          // Array
    EXPECT_EQ(with({0, 26, 0x7FFF'FFFFu}), Errc::truncated);  // Dictionary
    EXPECT_EQ(with({0, 32, 0x7FFF'FFFFu}), Errc::truncated);  // PackedInt32Array
    EXPECT_EQ(with({0, 34, 0x1000'0000u}), Errc::truncated);  // PackedStringArray
    EXPECT_EQ(with({0x8000'0000u, 1}), Errc::bad_reference);  // a property without a name
    MadeResource made;
    made.properties.u32s({0, 1});
    made.format = 7;
    EXPECT_EQ(refused(made), Errc::not_recognised);
    made.format = 6;
    made.type = "";
    EXPECT_EQ(refused(made), Errc::bad_reference);
    made.type = "\xFF";
    EXPECT_EQ(refused(made), Errc::bad_utf8);
    EXPECT_EQ(decode_binary_resource(as_bytes("RSR")).error().code, Errc::truncated);
    EXPECT_EQ(decode_binary_resource(as_bytes("RSR?")).error().code, Errc::bad_magic);
    EXPECT_EQ(decode_binary_resource(as_bytes("")).error().code, Errc::truncated);
}

TEST(MadeResources, PartsThatOverlapAreRefused) {
    MadeResource made;
    made.properties.u32s({0, 31, 4000}).raw(std::string(4000, 'x'));
    Bytes bytes = made.bytes();
    // A table of 5000 resources at the same place would make 20 MB of 64 kB.
    MadeResource many = made;
    for (int i = 0; i < 5000; ++i)
        many.subs.push_back({"", 0, {}});
    bytes = many.bytes();
    const std::uint64_t main = bytes.size() - 4 - (13 + 4 + 12 + 4000);
    const std::string at_main(reinterpret_cast<const char*>(&main), 8);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t table = text.find(std::string("\1\0\0\0\0", 5), 100);
    for (std::size_t i = 0; i < 5000; ++i)
        text.replace(table + i * 13 + 5, 8, at_main);
    const auto read = decode_binary_resource(as_bytes(text));
    ASSERT_FALSE(read);
    EXPECT_EQ(to_string(read.error()), "error[size_limit]: resources that overlap");
}

TEST(MadeResources, NamesCantBeRepeatedWithoutEnd) {
    MadeResource made{.names = {std::string(100'000, 'n')}, .count = 20'000};
    for (std::uint32_t i = 0; i < made.count; ++i)
        made.properties.u32s({0, 1});
    Errc code = Errc::ok;
    const Recorder taken = counted([&] { code = refused(made); });
    EXPECT_EQ(code, Errc::size_limit);
    EXPECT_LT(taken.peak, 32u << 20);
    made.names = {"a_name_of_forty_characters_as_real_ones_"};
    EXPECT_EQ(refused(made), Errc::ok);
}

TEST(MadeResources, DepthTakesNoStack) {
    on_small_stack([] {
        MadeResource made;
        made.properties.u32(0);
        for (int i = 0; i < 100'000; ++i)
            made.properties.u32s({30, 1});
        made.properties.u32(1);
        EXPECT_EQ(refused(made), Errc::depth_limit);
        const auto deep = decode_binary_resource(made.bytes(), {.max_depth = 200'000});
        ASSERT_TRUE(deep) << to_string(deep.error());
        const auto packet = read_binary_resource(made.bytes(), {.max_depth = 200'000});
        ASSERT_TRUE(packet) << to_string(packet.error());
    });
}

TEST(MadeResources, UnknownBytesAreCounted) {
    MadeResource made;
    made.properties.u32s({0, 1});
    Bytes bytes = made.bytes();
    EXPECT_FALSE(decode_binary_resource(bytes).value()["header"]["unread"]);
    bytes.resize(bytes.size() + 10);
    const Variant header = decode_binary_resource(bytes).value()["header"];
    EXPECT_EQ(header["unread"].get<int>(), 14);
    EXPECT_EQ(header["no_end_mark"].get<bool>(), true);
}

TEST(MadeResources, ImportOfGodot2) {
    MadeResource made{.major = 2, .format = 1, .flags = 0};
    made.properties.u32s({0, 1});
    Bytes bytes = made.bytes();
    const std::uint64_t at = bytes.size();
    ResourceMaker import;
    import.text("texture_2d").u32(1).text("res://a.png").text("0123").u32(1).text("quality");
    import.u32s({4}).number(0.5f);
    bytes.insert(bytes.end(), import.bytes().begin(), import.bytes().end());
    const std::size_t field = 4 + 8 + 12 + 4 + 9;
    detail::store(bytes.data() + field, at);
    const Variant all = decode_binary_resource(bytes).value();
    EXPECT_EQ(all["import"]["editor"].get<String>(), String("texture_2d"));
    EXPECT_EQ(all["import"]["sources"][0]["path"].get<String>(), String("res://a.png"));
    EXPECT_EQ(all["import"]["options"]["quality"].get<double>(), 0.5);
}

TEST(MadeResources, MemoryIsLinear) {
    // The costliest for its bytes: a reference, of 12 bytes, is an Object.
    MadeResource made;
    made.subs.push_back({"local://s", 0, {}});
    made.properties.u32s({0, 30, 100'000});
    for (int i = 0; i < 100'000; ++i)
        made.properties.u32s({24, 2, 0});
    const Bytes bytes = made.bytes();
    const Recorder value = counted([&] { ASSERT_TRUE(decode_binary_resource(bytes)); });
    EXPECT_LT(value.peak, 20 * bytes.size());
    const Recorder packet = counted([&] { ASSERT_TRUE(read_binary_resource(bytes)); });
    EXPECT_LT(packet.peak, 20 * bytes.size());
}

TEST(MadeResources, NoMemoryIsAnError) {
    const Bytes bytes = read_bytes(data_dir() / "resources/godot-4.6.3/tree_compressed.res");
    for (std::size_t k = 0;; ++k) {
        std::expected<BinaryResource, Error> out;
        const Recorder taken = counted([&] { out = read_binary_resource(bytes); }, k);
        if (taken.count <= k) {
            EXPECT_TRUE(out);
            break;
        }
        ASSERT_FALSE(out) << k;
        EXPECT_EQ(out.error().code, Errc::no_memory) << k;
    }
}

}  // namespace
}  // namespace gdvar::test
