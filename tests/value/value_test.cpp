// Variant, Document, the three equalities, memory.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include "gdvar/value/binding.hpp"
#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"
#include "support/generate.hpp"
#include "support/small_stack.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

TEST(Variant, ReadsWell) {
    Variant v = Dictionary{{"name", "Ada"}, {"pos", Vector3{1, 2, 3}}};
    EXPECT_EQ(v["name"].get<std::string>(), "Ada");
    EXPECT_EQ(v["pos"].get<Vector3>()->y, 2);
    v["hp"] = 100;
    v["tags"] = Array{"a", 1, 2.5, nullptr};
    EXPECT_EQ(v["tags"][1].get<int>(), 1);
    EXPECT_EQ(v["tags"].get<std::vector<int>>().error().code, Errc::wrong_type);
    EXPECT_EQ(Variant(std::vector<int>{1, 2}).get<std::vector<int>>().value(),
              (std::vector<int>{1, 2}));
    const std::map<std::string, int> map = {{"a", 1}, {"b", 2}};
    EXPECT_EQ((Variant(map).get<std::map<std::string, int>>().value()), map);
    EXPECT_EQ(Variant(300).get<std::uint8_t>().error().code, Errc::number_out_of_range);
    EXPECT_EQ(Variant(0.1).get<float>(), 0.1f);
    EXPECT_EQ(Variant(1e300).get<float>().error().code, Errc::number_out_of_range);
    EXPECT_EQ(Variant(1).get<double>(), 1.0);
    EXPECT_EQ(Variant(1.0).get<int>(), 1);
    EXPECT_EQ(Variant(1.5).get<int>().error().code, Errc::number_out_of_range);
    EXPECT_EQ(Variant(true).get<int>().error().code, Errc::wrong_type);
    EXPECT_EQ(Variant(PackedInt32Array{1, 2}).get<std::vector<std::int32_t>>()->size(), 2u);
    EXPECT_EQ(std::as_const(v)["missing"].type(), Type::nil);
    EXPECT_LE(sizeof(Variant), 24u);
}

TEST(Variant, GodotsOwnNames) {
    const Variant v = Array{1, "x"};
    const auto bytes = var_to_bytes(v);
    ASSERT_TRUE(bytes);
    EXPECT_TRUE(identical(*bytes_to_var(*bytes), v));
    PackedByteArray buffer;
    buffer.resize(40);
    auto size = encode_var(buffer, 4, v);
    ASSERT_TRUE(size);
    EXPECT_EQ(*size, bytes->size());
    EXPECT_TRUE(identical(*decode_var(as_bytes(buffer), 4), v));
    EXPECT_EQ(decode_var_size(as_bytes(buffer), 4), *size);
    EXPECT_EQ(encode_var(buffer, 38, v).error().code, Errc::buffer_full);
    EXPECT_EQ(encode_var(buffer, 100, v).error().need, *size);
    Object object("Node");
    EXPECT_EQ(var_to_bytes(object).error().code, Errc::objects_forbidden);
    const auto full = var_to_bytes_with_objects(object);
    ASSERT_TRUE(full);
    EXPECT_EQ(bytes_to_var(*full).error().code, Errc::objects_forbidden);
    EXPECT_TRUE(identical(*bytes_to_var_with_objects(*full), Variant(object)));
    std::byte small[6];
    EXPECT_EQ(encode_to(std::span(small), v).error().code, Errc::buffer_full);
}

TEST(Equality, ThreeKinds) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(identical(nan, nan));
    EXPECT_FALSE(Variant(nan) == Variant(nan));
    EXPECT_TRUE(same_key(nan, nan));
    EXPECT_FALSE(same_key(Array{nan}, Array{nan}));
    EXPECT_FALSE(identical(0.0, -0.0));
    EXPECT_TRUE(Variant(0.0) == Variant(-0.0));
    EXPECT_TRUE(same_key(0.0, -0.0));
    EXPECT_TRUE(Variant(1) == Variant(1.0));
    EXPECT_FALSE(same_key(1, 1.0));
    EXPECT_TRUE(Variant("a") == Variant(StringName("a")));
    EXPECT_TRUE(same_key("a", StringName("a")));
    EXPECT_FALSE(identical("a", StringName("a")));
    EXPECT_FALSE(same_key(Array{"a"}, Array{StringName("a")}));
    EXPECT_TRUE(Variant(Dictionary{{1, 2}, {3, 4}}) == Variant(Dictionary{{3, 4}, {1, 2}}));
    EXPECT_FALSE(same_key(Dictionary{{1, 2}, {3, 4}}, Dictionary{{3, 4}, {1, 2}}));
    EXPECT_FALSE(identical(Vector3{1, 2, 3}, Vector3d{1, 2, 3}));
    EXPECT_EQ(hash_key("a"), hash_key(StringName("a")));
    EXPECT_EQ(hash_key(0.0), hash_key(-0.0));
}

TEST(Dictionary, KeepsEveryPairAndFindsTheLast) {
    Dictionary d;
    d.append(1, "first");
    d.append(StringName("k"), "x");
    d.append(1, "second");
    EXPECT_EQ(d.size(), 3u);
    EXPECT_EQ(d.find(1)->text(), "second");
    EXPECT_EQ(d.find("k")->text(), "x");
    EXPECT_TRUE(d.erase(1));
    EXPECT_EQ(d.find(1)->text(), "first");
    EXPECT_FALSE(d.contains(2));
    const auto bytes = *encode(d);
    EXPECT_EQ(decode(as_bytes(bytes))->get_if<Dictionary>()->size(), 2u);
}

TEST(Dictionary, FindsAmongManyFromSeveralThreads) {
    Dictionary d;
    for (int i = 0; i < 100000; ++i)
        d.append("key " + std::to_string(i), i);
    const Dictionary& shared = d;
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 100000; i += 37) {
                const Variant* found = shared.find("key " + std::to_string(i));
                wrong += !found || found->integer() != i;
            }
        });
    for (auto& thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
    d.set("key 5", "new");
    EXPECT_EQ(d.find("key 5")->text(), "new");
    d.erase("key 4");
    EXPECT_EQ(d.find("key 4"), nullptr);
    EXPECT_EQ(d.find("key 99999")->integer(), 99999);
}

TEST(Document, StepsAndMissingSteps) {
    const auto bytes =
        *encode(Dictionary{{"players", Array{0, Dictionary{{"hp", 7}, {"name", "x"}}}}});
    auto parsed = Document::parse(as_bytes(bytes));
    ASSERT_TRUE(parsed);
    const Document& doc = *parsed;
    EXPECT_EQ(doc["players"][1]["hp"].get<std::int64_t>(), 7);
    EXPECT_EQ(doc["players"][1]["hp"].get<std::string>().error().code, Errc::wrong_type);
    const auto missing = doc["nobody"][3]["hp"].get<int>();
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Errc::missing_key);
    EXPECT_EQ(missing.error().offset, 0u);
    EXPECT_EQ(doc["players"][9]["hp"].get<int>().error().code, Errc::index_out_of_range);
    EXPECT_EQ(doc["players"]["hp"].get<int>().error().code, Errc::wrong_type);
    EXPECT_EQ(doc["players"][1]["hp"].get_or<int>(1), 7);
    EXPECT_EQ(doc["players"][1]["hp"].get_or("a text"), "a text");
    EXPECT_EQ(Variant("found").get_or("a text"), "found");
    EXPECT_EQ(Variant(1).get_or("a text"), "a text");
    const auto raw = doc["players"][1].raw();
    EXPECT_TRUE(identical(*decode(raw), Variant(Dictionary{{"hp", 7}, {"name", "x"}})));
}

TEST(Document, SaysTheSameAsVariantOnEveryRecording) {
    Document document;
    for (const Recording& recording : recordings)
        for (const Vector& vector : vectors_of(recording)) {
            ASSERT_TRUE(document.read(vector.bytes, reading(*recording.dialect)));
            auto from_view = document.root().get<Variant>();
            auto value = decode(vector.bytes, reading(*recording.dialect));
            ASSERT_TRUE(from_view && value) << vector.name;
            EXPECT_TRUE(identical(*from_view, *value)) << vector.name;
            Variant copy = *value;
            EXPECT_TRUE(identical(copy, *value));
            EXPECT_EQ(hash_key(copy), hash_key(*value));
        }
}

// Law 1, for every dialect.
TEST(Laws, DecodeOfEncodeIsIdentityOrAnError) {
    std::mt19937_64 random(20261121);
    std::size_t expressed = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const Variant value = any_value(random, 4);
        for (const Dialect* dialect : all_dialects()) {
            auto bytes = encode(value, writing(*dialect));
            if (!bytes) {
                EXPECT_TRUE(bytes.error().code == Errc::not_in_dialect ||
                            bytes.error().code == Errc::bad_utf8)
                    << to_string(bytes.error());
                EXPECT_TRUE(error_path(value, writing(*dialect), bytes.error()).starts_with('$'));
                ++refused;
                continue;
            }
            auto again = decode(as_bytes(*bytes), reading(*dialect));
            ASSERT_TRUE(again) << dialect->name << " " << to_string(again.error());
            ASSERT_TRUE(identical(*again, value)) << dialect->name << " " << hex(as_bytes(*bytes));
            ASSERT_EQ(encoded_size(value, writing(*dialect)).value(), bytes->size());
            ++expressed;
        }
    }
    EXPECT_GT(expressed, 5000u);
    EXPECT_GT(refused, 1000u);
}

TEST(Laws, GodotTwoFloatsBeyondSinglePrecisionAreRefused) {
    const EncodeOptions two{.dialect = &dialects::godot_2};
    EXPECT_TRUE(encode(0.5, two));
    EXPECT_EQ(encode(0.1, two).error().code, Errc::not_in_dialect);
    EXPECT_EQ(encode(1e39, two).error().code, Errc::not_in_dialect);
    EXPECT_EQ(encode(std::int64_t{1} << 40, two).error().code, Errc::not_in_dialect);
}

TEST(Properties, BytesAreReadTheSameByEveryFace) {
    EXPECT_TRUE(rc::check("validate, Document and Variant agree", [](std::vector<std::uint8_t> raw,
                                                                     std::uint8_t pick) {
        if (raw.size() >= 4)
            raw[0] = static_cast<std::uint8_t>(raw[0] % 40), raw[1] = 0;
        const Dialect& dialect = *all_dialects()[pick % all_dialects().size()];
        DecodeOptions options = reading(dialect);
        options.strict = pick & 64;
        const ByteView bytes(reinterpret_cast<const std::byte*>(raw.data()), raw.size());
        auto checked = validate(bytes, options);
        auto value = decode(bytes, options);
        auto document = Document::parse(bytes, options);
        RC_ASSERT(checked.has_value() == value.has_value());
        RC_ASSERT(checked.has_value() == document.has_value());
        if (!checked) {
            RC_ASSERT(checked.error() == value.error());
            RC_ASSERT(checked.error() == document.error());
        } else {
            RC_ASSERT(document->packet_size() == *checked);
        }
    }));
}

TEST(Depth, AHundredThousandOnASmallStack) {
    std::vector<std::byte> bytes;
    const auto array = unhex("1c00000001000000");
    for (int i = 0; i < 100000; ++i)
        bytes.insert(bytes.end(), array.begin(), array.end());
    bytes.resize(bytes.size() + 4);
    DecodeOptions options;
    options.limits.max_depth = UINT32_MAX;
    on_small_stack([&] {
        auto value = decode(bytes, options);
        auto document = Document::parse(bytes, options);
        ASSERT_TRUE(value && document);
        Variant copy = *value;
        EXPECT_TRUE(identical(copy, *value) && copy == *value && same_key(copy, *value));
        auto from_view = std::as_const(*document).root().get<Variant>();
        auto again = encode(copy, {.max_depth = UINT32_MAX});
        ASSERT_TRUE(from_view && again);
        EXPECT_TRUE(identical(*from_view, copy));
        EXPECT_TRUE(std::ranges::equal(as_bytes(*again), ByteView(bytes)));
        EXPECT_EQ(hash_key(copy), hash_key(*value));
    });
    EXPECT_EQ(encode(*decode(bytes, options)).error().code, Errc::depth_limit);
}

/// Keys that share a hash, or whose hashes crowd, are still found, and cost no more than looking
/// through them one by one.
TEST(DictionaryIndex, KeysThatCrowdAreFound) {
    Dictionary crowd;
    constexpr int count = 2000;
    const auto key_of = [](int i) {
        Array key;
        for (int n = 0; n < 8; ++n)
            key.push_back(Array());  // no leaf among the first eight
        key.push_back(i);
        return Variant(std::move(key));
    };
    for (int i = 0; i < count; ++i)
        crowd.append(key_of(i), i);
    for (int i = 0; i < count; i += 97) {
        const Variant* found = crowd.find(key_of(i));
        ASSERT_TRUE(found);
        EXPECT_EQ(*found, Variant(i));
    }
    EXPECT_FALSE(crowd.find(key_of(count)));
    crowd.set(key_of(5), "new");
    crowd.set(key_of(count), "more");
    EXPECT_EQ(*crowd.find(key_of(5)), Variant("new"));
    EXPECT_EQ(*crowd.find(key_of(count)), Variant("more"));
    EXPECT_TRUE(crowd.erase(key_of(7)));
    EXPECT_FALSE(crowd.find(key_of(7)));
    EXPECT_EQ(crowd.size(), static_cast<std::size_t>(count));
}

}  // namespace
}  // namespace gdvar::test
