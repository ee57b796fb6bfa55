// set, erase, diff, patch, statistics: on random values and on damaged ideas.
#include <gtest/gtest.h>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

/// A place in a value: its path, and the value there.
void places(const View& root, std::vector<Match>& out) {
    std::vector<Match> left{{"$", root}};
    while (!left.empty()) {
        const Match at = left.back();
        left.pop_back();
        out.push_back(at);
        const auto all = lookup_all(at.value, "$[*]");
        if (!all)
            continue;
        for (const Match& inner : *all)
            if (!inner.value.part())
                left.push_back({at.path + inner.path.substr(1), inner.value});
    }
}

TEST(Edit, SetsAnyPlaceAndNothingElse) {
    Random random(31);
    std::size_t edits = 0;
    for (int round = 0; round < 400; ++round) {
        const Variant value = any_value(random, 4);
        const auto packet = encode(value, writing_all);
        if (!packet)
            continue;
        auto document = Document::parse(as_bytes(*packet), reading_all());
        ASSERT_TRUE(document);
        std::vector<Match> all;
        places(std::as_const(*document).root(), all);
        const Match& at = all[below(random, all.size())];
        const auto found = lookup(std::as_const(*document).root(), at.path);
        ASSERT_TRUE(found) << at.path;
        if (found->offset() != at.value.offset())
            continue;  // a key that comes twice: the last one counts
        const Variant put = any_leaf(random);
        const auto inner = encode(put, writing_all);
        if (!inner)
            continue;
        const auto changed = set_value(as_bytes(*packet), at.path, put, reading_all());
        if (!changed) {
            EXPECT_EQ(changed.error().code, Errc::wrong_type)
                << at.path;  // inside of a typed container
            continue;
        }
        // Before and behind it: the same bytes.
        const std::size_t start = at.value.offset(), end = start + at.value.raw().size();
        const std::string before(reinterpret_cast<const char*>(packet->data()), packet->size());
        const std::string after(reinterpret_cast<const char*>(changed->data()), changed->size());
        const std::string middle(reinterpret_cast<const char*>(inner->data()), inner->size());
        EXPECT_EQ(after, before.substr(0, start) + middle + before.substr(end)) << at.path;
        ++edits;
    }
    EXPECT_GT(edits, 150u);
}

TEST(Edit, ErasesAndAddsBack) {
    Random random(32);
    std::size_t erased = 0;
    for (int round = 0; round < 2000; ++round) {
        const Variant value = any_value(random, 4);
        const auto packet = encode(value, writing_all);
        if (!packet)
            continue;
        auto document = Document::parse(as_bytes(*packet), reading_all());
        std::vector<Match> all;
        places(std::as_const(*document).root(), all);
        const Match& at = all[below(random, all.size())];
        const auto smaller = erase_value(as_bytes(*packet), at.path, reading_all());
        if (at.path == "$") {
            EXPECT_EQ(smaller.error().code, Errc::misplaced);
            continue;
        }
        ASSERT_TRUE(smaller) << at.path << to_string(smaller.error());
        EXPECT_EQ(validate(as_bytes(*smaller), reading_all()).value(), smaller->size()) << at.path;
        EXPECT_LT(smaller->size(), packet->size());
        ++erased;
    }
    EXPECT_GT(erased, 200u);
}

Variant after(const Variant& value, std::string_view path, const Variant& put) {
    const auto changed = set_value(as_bytes(packed(value)), path, put, reading_all());
    EXPECT_TRUE(changed) << path << " " << to_string(changed.error());
    return changed ? *decode(as_bytes(*changed), reading_all()) : Variant();
}
Errc refused(const Variant& value, std::string_view path, const Variant& put) {
    const auto changed = set_value(as_bytes(packed(value)), path, put, reading_all());
    return changed ? Errc::ok : changed.error().code;
}

TEST(Edit, AddsKeysElementsAndProperties) {
    const Variant value = Dictionary{{"a", Array{1, 2}}, {"empty", Dictionary{}}};
    EXPECT_TRUE(identical(after(value, "$.b", 3),
                          Dictionary{{"a", Array{1, 2}}, {"empty", Dictionary{}}, {"b", 3}}));
    EXPECT_TRUE(identical(after(value, "$.a[2]", "x"),
                          Dictionary{{"a", Array{1, 2, "x"}}, {"empty", Dictionary{}}}));
    EXPECT_TRUE(identical(after(value, "$.a[+]", "x"),
                          Dictionary{{"a", Array{1, 2, "x"}}, {"empty", Dictionary{}}}));
    EXPECT_TRUE(identical(after(value, "$.a[-1]", "x"),
                          Dictionary{{"a", Array{1, "x"}}, {"empty", Dictionary{}}}));
    EXPECT_TRUE(
        identical(after(value, "$.empty[Vector2i(1, 2)]", 5),
                  Dictionary{{"a", Array{1, 2}}, {"empty", Dictionary{{Vector2i{1, 2}, 5}}}}));
    EXPECT_TRUE(identical(after(value, "$.empty[7]", 5),
                          Dictionary{{"a", Array{1, 2}}, {"empty", Dictionary{{7, 5}}}}));
    EXPECT_TRUE(identical(after(value, "$[\"odd \\\"key\\\"\"]", 1)["odd \"key\""], Variant(1)));
    Object node("Node");
    node.set("x", 1);
    EXPECT_EQ(after(Variant(node), "$.name", "Ada")["name"], "Ada");
    EXPECT_EQ(after(Variant(node), "$.name", "Ada").size(), 2u);
}

TEST(Edit, ChangesElementsOfPackedArrays) {
    EXPECT_TRUE(identical(after(PackedInt32Array{1, 2, 3}, "$[1]", 7), PackedInt32Array{1, 7, 3}));
    EXPECT_TRUE(identical(after(PackedByteArray{1}, "$[+]", 2), PackedByteArray{1, 2}));
    EXPECT_TRUE(
        identical(after(PackedStringArray{"a", "b"}, "$[-1]", "c"), PackedStringArray{"a", "c"}));
    EXPECT_TRUE(identical(after(PackedVector2Array{{1, 2}}, "$[0]", Vector2{3, 4}),
                          PackedVector2Array{{3, 4}}));
    EXPECT_EQ(refused(PackedByteArray{1}, "$[0]", 256), Errc::number_out_of_range);
    EXPECT_EQ(refused(PackedByteArray{1}, "$[2]", 1), Errc::index_out_of_range);
}

TEST(Edit, RefusesWhatDoesNotFit) {
    Array typed(ContainerType::of(Type::integer));
    typed.push_back(1);
    EXPECT_EQ(refused(typed, "$[0]", "text"), Errc::wrong_type);
    EXPECT_EQ(refused(typed, "$[+]", 1.5), Errc::wrong_type);
    EXPECT_EQ(refused(typed, "$[0]", 5), Errc::ok);
    EXPECT_EQ(refused(Array{1}, "$[3]", 1), Errc::index_out_of_range);
    EXPECT_EQ(refused(Array{1}, "$.name", 1), Errc::wrong_type);
    EXPECT_EQ(refused(5, "$.name", 1), Errc::wrong_type);
    EXPECT_EQ(refused(Dictionary{{"a", 1}}, "$.b.c", 1), Errc::missing_key);
    EXPECT_EQ(refused(Dictionary{{"a", 1}}, "$.b[", 1), Errc::bad_path);
    const auto in_godot_3 =
        set_value(as_bytes(*encode(Array{1}, {.dialect = &dialects::godot_3_1})), "$[0]",
                  StringName("x"), {.dialect = &dialects::godot_3_1});
    EXPECT_EQ(in_godot_3.error().code, Errc::not_in_dialect);
}

TEST(Edit, KeepsOddBytesAroundTheChange) {
    // Padding that is not zero, and a final PackedByteArray without any.
    auto bytes = unhex(
        "1c00000002000000"
        "0400000001000000"
        "61ff00ee"
        "1d00000001000000"
        "07");
    const auto set = set_value(bytes, "$[1]", 5);
    ASSERT_TRUE(set);
    EXPECT_EQ(hex(as_bytes(*set)), "1c00000002000000040000000100000061ff00ee0200000005000000");
    const auto added = set_value(bytes, "$[+]", 5);
    ASSERT_TRUE(added);
    EXPECT_EQ(hex(as_bytes(*added)),
              "1c00000003000000040000000100000061ff00ee1d00000001000000070000000200000005000000");
}

// ---- parts --------------------------------------------------------------------------------------

/// The value at a path, as text.
std::string at(const char* value, std::string_view path,
               const Dialect& dialect = dialects::godot_4_4) {
    const auto packet = encode(*parse_text_full(value), {.dialect = &dialect});
    EXPECT_TRUE(packet) << value;
    const auto document = Document::parse(as_bytes(*packet), {.dialect = &dialect});
    const auto found = lookup(std::as_const(*document).root(), path);
    return found ? *to_text_full(*found) : std::string(error_name(found.error().code));
}

TEST(Parts, AreFoundByGodotsNames) {
    EXPECT_EQ(at("{\"pos\": Vector3(1, 2.5, 3)}", "$.pos.y"), "2.5");
    EXPECT_EQ(at("Vector4i(1, 2, 3, -4)", "$.w"), "-4");
    EXPECT_EQ(at("Rect2(1, 2, 3, 4)", "$.size"), "Vector2(3, 4)");
    EXPECT_EQ(at("Rect2i(1, 2, 3, 4)", "$.size.y"), "4");
    EXPECT_EQ(at("Rect2(1, 2, 3, 4)", "$.end"), "missing_key");
    EXPECT_EQ(at("Plane(1, 2, 3, 4)", "$.normal.z"), "3.0");
    EXPECT_EQ(at("Plane(1, 2, 3, 4)", "$.d"), "4.0");
    EXPECT_EQ(at("Color(0.5, 0.25, 1, 0.75)", "$.a"), "0.75");
    EXPECT_EQ(at("AABB(1, 2, 3, 4, 5, 6)", "$.size.x"), "4.0");
    EXPECT_EQ(at("Transform2D(1, 2, 3, 4, 5, 6)", "$.origin.x"), "5.0");
    EXPECT_EQ(at("Transform2D(1, 2, 3, 4, 5, 6)", "$.y"), "Vector2(3, 4)");
    EXPECT_EQ(at("Vector2(1, 2)", "$.z"), "missing_key");
    EXPECT_EQ(at("Vector2(1, 2)", "$.x.x"), "wrong_type");
    EXPECT_EQ(at("Vector2(1, 2)", "$[0]"), "missing_key");
    EXPECT_EQ(at("PackedInt32Array(1, 2, 3)", "$[-1]"), "3");
    EXPECT_EQ(at("PackedVector3Array(1, 2, 3, 4, 5, 6)", "$[1]"), "Vector3(4, 5, 6)");
    EXPECT_EQ(at("PackedVector3Array(1, 2, 3, 4, 5, 6)", "$[1].z"), "6.0");
    EXPECT_EQ(at("PackedStringArray(\"a\", \"b\")", "$[1]"), "\"b\"");
    EXPECT_EQ(at("PackedInt32Array(1, 2, 3)", "$[3]"), "index_out_of_range");
    EXPECT_EQ(at("PackedInt32Array(1, 2, 3)", "$[0].x"), "wrong_type");
}

TEST(Parts, MatricesAreOfColumnsWhateverTheWireHas) {
    // In Godot 4.6.3 Basis(Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 9)) is 1 to 9 on the
    // wire (docs/wire-format.md), and its x is Vector3(1, 4, 7).
    const auto bytes = unhex(
        "110000000000803f000000400000404000008040"
        "0000a0400000c0400000e0400000004100001041");
    const auto document = Document::parse(bytes);
    ASSERT_TRUE(document);
    const auto x = lookup(std::as_const(*document).root(), "$.x");
    ASSERT_TRUE(x);
    EXPECT_EQ(x->get<Vector3>(), Vector3(1, 4, 7));
    EXPECT_TRUE(x->part());
    EXPECT_EQ(lookup(std::as_const(*document).root(), "$.z.y")->get<double>(), 6.0);
    const Variant transform =
        Dictionary{{"m", Transform3D(*decode(bytes)->get<Basis>(), Vector3(10, 11, 12))}};
    for (const Dialect* dialect : all_dialects()) {
        const EncodeOptions to{.dialect = dialect};
        const auto packet = encode(transform, to);
        ASSERT_TRUE(packet) << dialect->name;
        const auto changed =
            set_value(as_bytes(*packet), "$.m.basis.x.z", 70.5, {.dialect = dialect});
        ASSERT_TRUE(changed) << dialect->name;
        std::size_t different = 0;
        ASSERT_EQ(changed->size(), packet->size());
        for (std::size_t i = 0; i < packet->size(); ++i)
            different += (*packet)[i] != (*changed)[i];
        EXPECT_LE(different, 4u) << dialect->name;
        const auto again = Document::parse(as_bytes(*changed), {.dialect = dialect});
        EXPECT_EQ(lookup(std::as_const(*again).root(), "$.m.basis.x")->get<Vector3>(),
                  Vector3(1, 4, 70.5));
        EXPECT_EQ(lookup(std::as_const(*again).root(), "$.m.origin")->get<Vector3>(),
                  Vector3(10, 11, 12));
    }
}

TEST(Parts, AreSetByThemselves) {
    const Variant value = Dictionary{{"pos", Vector3(1, 2, 3)},
                                     {"d", Vector3d(1, 2, 3)},
                                     {"i", Vector2i(1, 2)},
                                     {"box", AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))},
                                     {"bytes", PackedByteArray{1, 2, 3}},
                                     {"points", PackedVector2Array{{1, 2}, {3, 4}}}};
    EXPECT_TRUE(identical(after(value, "$.pos.y", 0.1)["pos"], Vector3(1, 0.1f, 3)));
    EXPECT_TRUE(identical(after(value, "$.pos.y", 7)["pos"], Vector3(1, 7, 3)));
    EXPECT_TRUE(identical(after(value, "$.d.y", 0.1)["d"], Vector3d(1, 0.1, 3)));
    EXPECT_TRUE(identical(after(value, "$.i.x", -9)["i"], Vector2i(-9, 2)));
    EXPECT_TRUE(identical(after(value, "$.box.size", Vector3(7, 8, 9))["box"],
                          AABB(Vector3(1, 2, 3), Vector3(7, 8, 9))));
    EXPECT_TRUE(identical(after(value, "$.bytes[1]", 200)["bytes"], PackedByteArray{1, 200, 3}));
    EXPECT_TRUE(
        identical(after(value, "$.points[-1].y", 5)["points"], PackedVector2Array{{1, 2}, {3, 5}}));
    EXPECT_TRUE(identical(after(value, "$.points[0]", Vector2(8, 9))["points"],
                          PackedVector2Array{{8, 9}, {3, 4}}));
    EXPECT_EQ(refused(value, "$.pos.y", "text"), Errc::wrong_type);
    EXPECT_EQ(refused(value, "$.pos.y", 1e300), Errc::number_out_of_range);
    EXPECT_EQ(refused(value, "$.i.x", 1.5), Errc::number_out_of_range);
    EXPECT_EQ(refused(value, "$.i.x", 1LL << 40), Errc::number_out_of_range);
    EXPECT_EQ(refused(value, "$.box.size", Vector2(7, 8)), Errc::wrong_type);
    EXPECT_EQ(refused(value, "$.box.end", Vector3()), Errc::missing_key);
    EXPECT_EQ(refused(value, "$.pos.y.x", 1), Errc::wrong_type);
    EXPECT_EQ(refused(value, "$.points[2].y", 1), Errc::index_out_of_range);
    EXPECT_EQ(refused(value, "$.points[+].y", 1), Errc::wrong_type);
    const auto packet = packed(value);
    for (const char* path : {"$.pos.y", "$.points[0]", "$.points[0].x"})
        EXPECT_EQ(erase_value(as_bytes(packet), path).error().code, Errc::misplaced) << path;
    EXPECT_EQ(erase_value(as_bytes(packet), "$.pos.q").error().code, Errc::missing_key);
}

TEST(Parts, AnyNumberOfAnyValueChangesOnlyItself) {
    // Every number in random values: put another one there, and only its own bytes may differ.
    Random random(35);
    std::size_t numbers = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto packet = encode(Array{any_value(random, 2)}, writing_all);
        if (!packet)
            continue;
        const auto document = Document::parse(as_bytes(*packet), reading_all());
        std::vector<Match> all;
        places(std::as_const(*document).root(), all);
        for (const Match& match : all) {
            if (!type_info(match.value.type()).components)
                continue;
            for (const char* step :
                 {".x", ".d", ".a", ".size.y", ".origin.x", ".basis.z.x", ".y.w", "[0]", "[0].y"}) {
                const std::string path = match.path + step;
                const auto found = lookup(std::as_const(*document).root(), path);
                if (!found || !(found->is(Type::integer) || found->is(Type::real)))
                    continue;
                const auto changed =
                    set_value(as_bytes(*packet), path,
                              found->is(Type::real) ? Variant(0.5) : Variant(7), reading_all());
                ASSERT_TRUE(changed) << path << " " << to_string(changed.error());
                ASSERT_EQ(changed->size(), packet->size());
                std::size_t first = packet->size(), last = 0;
                for (std::size_t i = 0; i < packet->size(); ++i)
                    if ((*packet)[i] != (*changed)[i]) {
                        first = std::min(first, i);
                        last = i;
                    }
                if (first < packet->size()) {
                    EXPECT_LT(last - first, 8u) << path;
                }
                const auto again = Document::parse(as_bytes(*changed), reading_all());
                EXPECT_EQ(lookup(std::as_const(*again).root(), path)->get<double>(),
                          found->is(Type::real) ? 0.5 : 7);
                ++numbers;
            }
        }
    }
    EXPECT_GT(numbers, 300u);
}

// ---- diff ---------------------------------------------------------------------------------------

Patch differences(const Variant& from, const Variant& to) {
    const PackedByteArray a = packed(from), b = packed(to);
    auto left = Document::parse(as_bytes(a), reading_all()),
         right = Document::parse(as_bytes(b), reading_all());
    return *diff(std::as_const(*left).root(), std::as_const(*right).root());
}

void patches(const Variant& from, const Variant& to) {
    const Patch patch = differences(from, to);
    EXPECT_EQ(patch.empty(), packed(from) == packed(to));
    Variant value = from;
    const auto done = apply_patch(value, patch);
    std::string said;
    for (const Change& change : patch)
        said += std::to_string(change.kind) + " " + path_text(change.at) + "\n";
    ASSERT_TRUE(done) << said << to_string(done.error()) << "\n"
                      << hex(as_bytes(packed(from))) << "\n"
                      << hex(as_bytes(packed(to)));
    EXPECT_TRUE(identical(value, to));
    const PackedByteArray bytes = packed(from);
    const auto made = patch_packet(as_bytes(bytes), patch, reading_all());
    ASSERT_TRUE(made) << said << "change " << made.error().change << " "
                      << to_string(made.error().error);
    EXPECT_EQ(hex(as_bytes(*made)), hex(as_bytes(packed(to)))) << said;
    // A patch is written and read back.
    for (const Change& change : patch) {
        const auto again = change_from(to_variant(change));
        ASSERT_TRUE(again);
        EXPECT_EQ(again->kind, change.kind);
        EXPECT_TRUE(identical(Variant(again->at), Variant(change.at)));
        EXPECT_TRUE(identical(again->value, change.value));
    }
}

/// The value with some places changed.
Variant varied(Variant value, Random& random) {
    for (std::uint64_t n = 1 + below(random, 4); n; --n) {
        Variant* at = &value;
        for (std::uint64_t depth = below(random, 4); depth; --depth) {
            if (Array* array = at->get_if<Array>(); array && !array->empty())
                at = &(*array)[below(random, array->size())];
            else if (Dictionary* pairs = at->get_if<Dictionary>(); pairs && !pairs->empty())
                at = &(pairs->begin() + below(random, pairs->size()))->value;
        }
        Array* array = at->get_if<Array>();
        Dictionary* pairs = at->get_if<Dictionary>();
        if (array && below(random, 2))
            array->insert(below(random, array->size() + 1), any_leaf(random));
        else if (array && !array->empty())
            array->erase(below(random, array->size()));
        else if (pairs && below(random, 2))
            pairs->append(any_text(random), any_leaf(random));
        else if (pairs && !pairs->empty())
            pairs->erase(Variant((pairs->begin() + below(random, pairs->size()))->key));
        else
            *at = any_leaf(random);
    }
    return value;
}

TEST(Diff, AppliedGivesTheOtherValue) {
    Random random(33);
    for (int i = 0; i < 1500; ++i) {
        const Variant from = any_value(random, 5);
        const Variant to = below(random, 3) ? varied(from, random) : any_value(random, 5);
        if (!encode(from, writing_all) || !encode(to, writing_all))
            continue;
        patches(from, to);
        if (::testing::Test::HasFailure())
            return;
    }
}

TEST(Diff, IsSmall) {
    const Variant from = Dictionary{{"players", Array{Dictionary{{"name", "Ada"}, {"hp", 1}},
                                                      Dictionary{{"name", "Bob"}, {"hp", 2}}}},
                                    {"old", 1}};
    const Variant to = Dictionary{{"players", Array{Dictionary{{"name", "Eve"}, {"hp", 9}},
                                                    Dictionary{{"name", "Ada"}, {"hp", 1}},
                                                    Dictionary{{"name", "Bob"}, {"hp", 3}}}},
                                  {"new", 2}};
    const Patch patch = differences(from, to);
    std::vector<std::string> lines;
    for (const Change& change : patch)
        lines.push_back(std::to_string(change.kind) + " " + path_text(change.at));
    EXPECT_EQ(lines, (std::vector<std::string>{"2 $.old", "1 $.new", "1 $.players[0]",
                                               "0 $.players[2].hp"}));
}

TEST(Diff, AlignsWhatIsTheSame) {
    Array from, to;
    for (int i = 0; i < 1000; ++i)
        from.push_back(Dictionary{{"id", i}});
    to = from;
    to.insert(0, Dictionary{{"id", -1}});
    to.erase(500);
    const Patch patch = differences(from, to);
    EXPECT_EQ(patch.size(), 2u);
}

TEST(Diff, RefusesAPatchThatDoesNotFit) {
    Variant value = Array{1};
    EXPECT_EQ(apply_patch(value, {{Change::set, Array{3}, 1}}).error().code, Errc::bad_path);
    EXPECT_EQ(apply_patch(value, {{Change::insert, Array{}, 1}}).error().code, Errc::bad_path);
    EXPECT_EQ(apply_patch(value, {{Change::order, Array{}, Array{}}}).error().code, Errc::bad_path);
    EXPECT_FALSE(change_from(Dictionary{{"set", 5}, {"value", 1}}));
    EXPECT_FALSE(change_from(Variant(3)));
}

TEST(Statistics, EveryByteIsSomeTypes) {
    Random random(34);
    for (int i = 0; i < 300; ++i) {
        const auto packet = encode(any_value(random, 5), writing_all);
        if (!packet)
            continue;
        auto document = Document::parse(as_bytes(*packet), reading_all());
        Statistics statistics;
        ASSERT_TRUE(statistics.add(std::as_const(*document).root()));
        std::uint64_t sum = 0;
        for (const auto& [type, share] : statistics.by_type)
            sum += share.bytes;
        EXPECT_EQ(sum, packet->size());
        EXPECT_EQ(statistics.bytes, packet->size());
        EXPECT_EQ(statistics.by_path.find("$")->bytes, packet->size());
    }
}

// A program's message on a path that leads nowhere: the step, the range, the types.
TEST(Edit, RenamesAnyKeyAndNothingElse) {
    Random random(77);
    std::size_t returned = 0;
    for (int round = 0; round < 1200; ++round) {
        const auto packet = encode(any_value(random, 4), writing_all);
        if (!packet)
            continue;
        const auto document = Document::parse(as_bytes(*packet), reading_all());
        ASSERT_TRUE(document);
        std::vector<Match> all;
        places(document->root(), all);
        const Match& at = all[below(random, all.size())];
        const auto changed = rename_key(as_bytes(*packet), at.path, "a new key", reading_all());
        if (!changed)
            continue;
        const std::string path = at.path.substr(
            0, Path::parse(at.path)->steps.size() == 1
                   ? 1
                   : at.path.size() - Path::parse(at.path)->steps.back().to_string().size());
        const auto after = Document::parse(as_bytes(*changed), reading_all());
        ASSERT_TRUE(after) << at.path;
        const auto there = lookup(after->root(), path + "[\"a new key\"]");
        const auto was = lookup(document->root(), at.path);
        ASSERT_TRUE(there && was) << at.path;
        EXPECT_TRUE(std::ranges::equal(there->raw(), was->raw())) << at.path;
        // Taking the new key back gives the old packet, whatever the key was.
        const auto container = lookup(document->root(), path);
        ASSERT_TRUE(container);
        std::optional<Variant> old;
        for (const auto pairs = container->pairs(); const View::Pair& pair : pairs)
            if (pair.value == *was)
                old = pair.key.get<Variant>().value();
        for (const auto properties = container->properties();
             const View::Property& property : properties)
            if (property.value == *was)
                old = Variant(property.name);
        ASSERT_TRUE(old);
        const auto back =
            rename_key(as_bytes(*changed), path + "[\"a new key\"]", *old, reading_all());
        if (!back) {  // the random value broke these rules itself
            EXPECT_TRUE(back.error().code == Errc::repeated_key ||
                        back.error().code == Errc::wrong_type)
                << at.path << ": " << to_string(back.error());
            continue;
        }
        ++returned;
        EXPECT_EQ(*back, *packet) << at.path;
    }
    EXPECT_GT(returned, 50u);
}

TEST(Edit, KeysThatMayNotBe) {
    const auto why = [](const Variant& value, std::string_view path, const Variant& key) {
        const auto packet = encode(value, writing_all).value();
        const auto done = rename_key(as_bytes(packet), path, key, reading_all());
        return done ? Errc::ok : done.error().code;
    };
    const Variant two(Dictionary{{"a", 1}, {3, 2}, {Vector2i{1, 2}, 3}});
    EXPECT_EQ(why(two, "$.a", "b"), Errc::ok);
    EXPECT_EQ(why(two, "$.a", StringName("a")), Errc::ok) << "the same key in another form";
    EXPECT_EQ(why(two, "$[3]", "a"), Errc::repeated_key);
    EXPECT_EQ(why(two, "$[3]", StringName("a")), Errc::repeated_key);
    EXPECT_EQ(why(two, "$.a", 3), Errc::repeated_key);
    EXPECT_EQ(why(two, "$.a", Vector2i{1, 2}), Errc::repeated_key);
    EXPECT_EQ(why(two, "$.a", Vector2i{2, 1}), Errc::ok);
    EXPECT_EQ(why(two, "$", "b"), Errc::misplaced);
    EXPECT_EQ(why(two, "$.nowhere", "b"), Errc::missing_key);
    EXPECT_EQ(why(Variant(Array{1}), "$[0]", "b"), Errc::misplaced);
    EXPECT_EQ(why(Variant(Dictionary{{"v", Vector2i{1, 2}}}), "$.v.x", "b"), Errc::misplaced);
    Object node("Node");
    node.set("hp", 1);
    node.set("mp", 2);
    EXPECT_EQ(why(Variant(node), "$.hp", "health"), Errc::ok);
    EXPECT_EQ(why(Variant(node), "$.hp", "mp"), Errc::repeated_key);
    EXPECT_EQ(why(Variant(node), "$.hp", 5), Errc::wrong_type);
}

Dictionary repeated() {
    Dictionary pairs;
    pairs.append("a", 1);
    pairs.append("b", 2);
    pairs.append(StringName("a"), 3);
    pairs.append(Vector2i{1, 2}, 4);
    pairs.append("a", 5);
    pairs.append(Vector2i{1, 2}, 6);
    return pairs;
}

TEST(Edit, OfARepeatedKeyNoOlderValueComesToLight) {
    const auto packet = packed(repeated());
    const auto left = [&](std::string_view path, std::size_t count) {
        std::size_t removed = 0;
        const auto made = erase_value(as_bytes(packet), path, reading_all(), &removed);
        EXPECT_EQ(removed, count) << path;
        return made ? to_text_full(decode(as_bytes(*made), reading_all()).value()).value()
                    : to_string(made.error());
    };
    EXPECT_EQ(left("$.a", 3), "{\"b\": 2, Vector2i(1, 2): 4, Vector2i(1, 2): 6}");
    EXPECT_EQ(left("$[Vector2i(1, 2)]", 2), "{\"a\": 1, \"b\": 2, &\"a\": 3, \"a\": 5}");
    EXPECT_EQ(left("$[@2]", 1),
              "{\"a\": 1, \"b\": 2, Vector2i(1, 2): 4, \"a\": 5, Vector2i(1, 2): 6}");
    EXPECT_EQ(left("$.b", 1),
              "{\"a\": 1, &\"a\": 3, Vector2i(1, 2): 4, \"a\": 5, Vector2i(1, 2): 6}");
}

TEST(Edit, ARepeatedKeyIsRenamedWithItsEarlierPairs) {
    const auto packet = packed(repeated());
    const auto made = [&](std::string_view path, const Variant& key) {
        const auto done = rename_key(as_bytes(packet), path, key, reading_all());
        return done ? to_text_full(decode(as_bytes(*done), reading_all()).value()).value()
                    : std::string(error_name(done.error().code));
    };
    EXPECT_EQ(made("$.a", "long_name"),
              "{\"long_name\": 1, \"b\": 2, \"long_name\": 3, Vector2i(1, 2): 4, "
              "\"long_name\": 5, Vector2i(1, 2): 6}");
    EXPECT_EQ(made("$[@0]", "c"),
              "{\"c\": 1, \"b\": 2, &\"a\": 3, Vector2i(1, 2): 4, \"a\": 5, Vector2i(1, 2): 6}");
    EXPECT_EQ(made("$.a", StringName("a")),
              "{\"a\": 1, \"b\": 2, &\"a\": 3, Vector2i(1, 2): 4, &\"a\": 5, Vector2i(1, 2): 6}");
    EXPECT_EQ(made("$.a", "b"), "repeated_key");
    EXPECT_EQ(made("$[@0]", "b"), "repeated_key");
}

TEST(Edit, MessagesNameTheStep) {
    const PackedByteArray packet = encode(Dictionary{{"hp", 5},
                                                     {"list", Array{1, 2}},
                                                     {"bytes", PackedByteArray{1}},
                                                     {"pos", Vector3{1, 2, 3}}})
                                       .value();
    const Document document = Document::parse(as_bytes(packet)).value();
    const std::pair<const char*, const char*> found[] = {
        {"$.hpp", "error[missing_key]: no key \"hpp\""},
        {"$.list[2]", "error[index_out_of_range]: no element 2: there are 2"},
        {"$.list[-3]", "error[index_out_of_range]: no element -3: there are 2"},
        {"$.list.x",
         "error[wrong_type]: expected an Object or a Dictionary for \"x\", found an Array"},
        {"$.hp[0]",
         "error[wrong_type]: expected a Dictionary or an Array for \"[0]\", found an int"},
        {"$.bytes[1]", "error[index_out_of_range]: no element 1: there are 1"},
        {"$.pos.w", "error[missing_key]: no key \"w\""},
        {"$.list[1", "error[bad_path]: Not a path, or a path that leads nowhere: \"[1\""},
    };
    for (const auto& [path, message] : found)
        EXPECT_EQ(to_string(lookup(document.root(), path).error()), message) << path;
    const auto refused = [&](const char* path, const Variant& value) {
        return to_string(set_value(as_bytes(packet), path, value).error());
    };
    EXPECT_EQ(refused("$.list[9]", 1), "error[index_out_of_range]: no element 9: there are 2");
    EXPECT_EQ(refused("$.bytes[0]", 256), "error[number_out_of_range]: 256 is not in 0 to 255");
    EXPECT_EQ(refused("$.bytes[+]", -1), "error[number_out_of_range]: -1 is not in 0 to 255");
    EXPECT_EQ(refused("$.pos.x", "a"),
              "error[wrong_type]: expected an int or a float, found a String");
}

}  // namespace
}  // namespace gdvar::test
