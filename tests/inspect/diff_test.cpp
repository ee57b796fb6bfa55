// The findings of diff, and the effect of a patch on a packet's bytes.
#include <gtest/gtest.h>

#include "gdvar/gdvar.hpp"
#include "support/allocations.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

struct Encoded {
    PackedByteArray bytes;
    Document document;
    explicit Encoded(const Variant& value) : Encoded(encode(value).value()) {}
    explicit Encoded(PackedByteArray&& from)
        : bytes(std::move(from)), document(Document::parse(as_bytes(bytes)).value()) {}
    View root() const { return std::as_const(document).root(); }
};
PackedByteArray from_hex(const char* text) {
    PackedByteArray out;
    for (const std::byte byte : unhex(text))
        out.push_back(std::to_integer<std::uint8_t>(byte));
    return out;
}

/// "0 $.a" for each difference: its kind and path.
std::vector<std::string> lines(const Encoded& from, const Encoded& to,
                               const DiffOptions& options = {}) {
    std::vector<std::string> out;
    const auto done = each_difference(from.root(), to.root(), options, [&](const Difference& d) {
        out.push_back(std::to_string(d.kind) + " " + std::string(d.path));
        return true;
    });
    EXPECT_TRUE(done);
    EXPECT_EQ(done.value_or(0), out.size());
    return out;
}
using Lines = std::vector<std::string>;

TEST(Diff, ValuesInOtherBytesAreTheSame) {
    // [5, "a", -0.0]: the int in 4 and in 8 bytes, the text's padding zero and not, a float in 4
    // and in 8.
    const Encoded narrow(
        from_hex("1c00000003000000"
                 "0200000005000000"
                 "040000000100000061000000"
                 "0300000000000080"));
    const Encoded wide(
        from_hex("1c00000003000000"
                 "020001000500000000000000"
                 "040000000100000061ffffff"
                 "030001000000000000000080"));
    EXPECT_EQ(lines(narrow, wide), Lines());
    EXPECT_EQ(lines(narrow, wide, {.encodings = true}), (Lines{"4 $[0]", "4 $[1]", "4 $[2]"}));
    EXPECT_EQ(lines(wide, wide, {.encodings = true}), Lines());
    // The count's top bit, and what is around a value that differs.
    const Encoded shared(
        from_hex("1c00000003000080"
                 "0200000006000000"
                 "040000000100000061000000"
                 "0300000000000080"));
    EXPECT_EQ(lines(narrow, shared), (Lines{"0 $[0]"}));
}

TEST(Diff, TellsApartWhatIdenticalDoes) {
    EXPECT_EQ(lines(Encoded(Variant(0.0)), Encoded(Variant(-0.0))), (Lines{"0 $"}));
    EXPECT_EQ(lines(Encoded(Variant("a")), Encoded(Variant(StringName("a")))), (Lines{"0 $"}));
    EXPECT_EQ(lines(Encoded(Variant(Vector3{1, 2, 3})), Encoded(Variant(Vector3d{1, 2, 3}))),
              (Lines{"0 $"}));
    EXPECT_EQ(lines(Encoded(Variant(1)), Encoded(Variant(1.0))), (Lines{"0 $"}));
    Array typed(ContainerType{ContainerKind::builtin, Type::integer, {}});
    EXPECT_EQ(lines(Encoded(Variant(Array())), Encoded(Variant(typed))), (Lines{"0 $"}));
}

TEST(Diff, SaysWhichContainerOfTheFirstValueItIsIn) {
    // Kind and size of the container that has, had or gets the value; 0 at the root.
    const auto containers = [](const char* from, const char* to) {
        const Encoded one(parse_text_full(from).value()), other(parse_text_full(to).value());
        std::vector<std::string> out;
        (void)each_difference(one.root(), other.root(), {true}, [&](const Difference& d) {
            out.push_back(std::to_string(d.kind) + " " + std::string(d.path) + " " +
                          (d.container ? to_text_full(d.container).value() : "none"));
            return true;
        });
        return out;
    };
    EXPECT_EQ(containers("1", "2"), (Lines{"0 $ none"}));
    EXPECT_EQ(containers("[1, [2, 3]]", "[1, [4]]"),
              (Lines{"2 $[1][1] [2, 3]", "0 $[1][0] [2, 3]"}));
    EXPECT_EQ(containers("[1]", "[7, 1, [2]]"), (Lines{"1 $[1] [1]", "1 $[0] [1]"}));
    EXPECT_EQ(
        containers("{\"a\": 1, \"b\": {\"c\": 2}}", "{\"b\": {\"d\": 1, \"c\": 3}, \"a\": 1}"),
        (Lines{"3 $ none", "1 $.b.d {\"c\": 2}", "3 $.b {\"a\": 1, \"b\": {\"c\": 2}}",
               "0 $.b.c {\"c\": 2}"}));
}

TEST(Diff, StopsWhenToldTo) {
    const Encoded from{Variant(Array{1, 2, 3})}, to{Variant(Array{4, 5, 6})};
    std::size_t seen = 0;
    const auto done =
        each_difference(from.root(), to.root(), {}, [&](const Difference&) { return ++seen < 2; });
    EXPECT_EQ(seen, 2u);
    EXPECT_TRUE(done);
}

Variant numbers(int first, int count) {
    Array out;
    for (int i = 0; i < count; ++i)
        out.push_back(first + i);
    return out;
}

TEST(Diff, AlignsLongArrays) {
    // Neither row fits a table: an element less in front, one more behind.
    const auto found = lines(Encoded(numbers(0, 20'000)), Encoded(numbers(1, 20'000)));
    EXPECT_EQ(found, (Lines{"1 $[20000]", "2 $[0]"}));
    // The same few values again and again, one put in.
    Array from, to;
    for (int i = 0; i < 20'000; ++i)
        from.push_back(i % 3);
    to = from;
    to.insert(7000, 9);
    EXPECT_EQ(lines(Encoded(Variant(from)), Encoded(Variant(to))), (Lines{"1 $[7000]"}));
}

TEST(Diff, TakesMemoryInProportion) {
    const auto cost = [](const Encoded& from, const Encoded& to) {
        std::size_t found = 0;
        const Recorder taken = counted([&] {
            (void)each_difference(from.root(), to.root(), {},
                                  [&](const Difference&) { return ++found; });
        });
        EXPECT_GT(found, 0u);
        EXPECT_LT(taken.peak, 10 * (from.bytes.size() + to.bytes.size()) + (6u << 20)) << found;
    };
    cost(Encoded(numbers(0, 100'000)), Encoded(numbers(50'000, 100'000)));
    Array nils, trues;
    for (int i = 0; i < 100'000; ++i) {
        nils.push_back(nullptr);
        trues.push_back(true);
    }
    cost(Encoded(Variant(nils)), Encoded(Variant(trues)));
    const std::string name(400'000, 'k');
    cost(Encoded(Dictionary{{name, nils}}), Encoded(Dictionary{{name, trues}}));
    Dictionary keys, others;
    for (int i = 0; i < 50'000; ++i) {
        keys.append(i, nullptr);
        others.append(50'000 - i, true);
    }
    cost(Encoded(Variant(keys)), Encoded(Variant(others)));
}

// ---- patch_packet ---------------------------------------------------------------------------

TEST(PatchPacket, LeavesAllOtherBytes) {
    // {"a": 5 in 8 bytes, "b": [1, 2]} with odd padding in "a" and the shared bit on the Array's
    // count.
    const char* before =
        "1b00000002000000"
        "0400000001000000"
        "61ffffff"
        "020001000500000000000000"
        "0400000001000000"
        "62000000"
        "1c00000002000080"
        "0200000001000000"
        "0200000002000000";
    const char* after =
        "1b00000002000000"
        "0400000001000000"
        "61ffffff"
        "020001000500000000000000"
        "0400000001000000"
        "62000000"
        "1c00000003000080"
        "0200000001000000"
        "0200000007000000"
        "0200000002000000";
    const PackedByteArray packet = from_hex(before);
    const auto made = patch_packet(as_bytes(packet), {{Change::insert, Array{"b", 1}, 7}});
    ASSERT_TRUE(made);
    EXPECT_EQ(hex(as_bytes(*made)), hex(as_bytes(from_hex(after))));
}

TEST(PatchPacket, FollowsChangesMadeBefore) {
    const Variant value = Dictionary{{"list", Array{1, 2}}, {"old", Dictionary{{"x", 1}}}};
    const Patch patch = {
        {Change::insert, Array{"new"}, Dictionary{{"deep", Array{1}}}},
        {Change::insert, Array{"new", "deep", 1}, 2},
        {Change::set, Array{"new", "deep", 0}, "first"},
        {Change::remove, Array{"old"}, {}},
        {Change::insert, Array{"old"}, 3},
        {Change::remove, Array{"old"}, {}},
        {Change::insert, Array{"list", 0}, Array()},
        {Change::insert, Array{"list", 0, 0}, true},
        {Change::order, Array{}, Array{"new", "list"}},
    };
    const PackedByteArray packet = encode(value).value();
    const auto made = patch_packet(as_bytes(packet), patch);
    ASSERT_TRUE(made) << made.error().change;
    const Variant wanted = Dictionary{{"new", Dictionary{{"deep", Array{"first", 2}}}},
                                      {"list", Array{Array{true}, 1, 2}}};
    EXPECT_TRUE(identical(decode(as_bytes(*made)).value(), wanted));
    Variant same = value;
    ASSERT_TRUE(apply_patch(same, patch));
    EXPECT_TRUE(identical(same, wanted));
}

TEST(ApplyPatch, LeavesTheValueWhereAChangeDoesNotFit) {
    const Variant value = Dictionary{{"list", Array{1, Array{2}}}};
    Variant changed = value;
    const auto done = apply_patch(changed, {{Change::insert, Array{"list", 1, 0}, 7},
                                            {Change::set, Array{"list", 1, 1}, 8},
                                            {Change::remove, Array{"other"}, {}}});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error(), PatchError(Error{Errc::bad_path}, 2));
    EXPECT_EQ(to_string(done.error()),
              "change 2: error[bad_path]: Not a path, or a path that leads nowhere");
    EXPECT_TRUE(identical(changed, value));
}

// No older value comes to light, as with `erase_value`.
TEST(PatchPacket, RemovesAllPairsOfAKey) {
    Dictionary pairs;
    pairs.append("a", 1);
    pairs.append("b", 2);
    pairs.append(StringName("a"), 3);
    const Patch patch{{Change::remove, Array{"a"}, {}}, {Change::insert, Array{"a"}, 7}};
    const Dictionary after{{"b", 2}, {"a", 7}};
    const Encoded before{Variant(pairs)};
    const auto made = patch_packet(as_bytes(before.bytes), patch);
    ASSERT_TRUE(made);
    EXPECT_TRUE(identical(decode(as_bytes(*made)).value(), Variant(after)));
    Variant value(pairs);
    ASSERT_TRUE(apply_patch(value, patch));
    EXPECT_TRUE(identical(value, Variant(after)));
}

TEST(PatchPacket, RefusesWhatDoesNotFit) {
    const PackedByteArray packet = encode(Dictionary{{"list", Array{1}}, {"n", 1}}).value();
    const auto refused = [&](const Change& change) {
        const auto made = patch_packet(as_bytes(packet), {{Change::set, Array{"n"}, 2}, change});
        EXPECT_FALSE(made);
        EXPECT_EQ(made.error().change, 1u);
        return made.error().code;
    };
    EXPECT_EQ(refused({Change::insert, Array{"list", 2}, 1}), Errc::bad_path);
    EXPECT_EQ(refused({Change::insert, Array{"list", -1}, 1}), Errc::bad_path);
    EXPECT_EQ(refused({Change::set, Array{"list", "x"}, 1}), Errc::bad_path);
    EXPECT_EQ(refused({Change::insert, Array{"n"}, 1}), Errc::bad_path);
    EXPECT_EQ(refused({Change::remove, Array{"m"}, {}}), Errc::bad_path);
    EXPECT_EQ(refused({Change::set, Array{"n", "x"}, 1}), Errc::bad_path);
    EXPECT_EQ(refused({Change::order, Array{}, Array{"n", "n"}}), Errc::bad_path);
    EXPECT_EQ(refused({Change::remove, Array{}, {}}), Errc::bad_path);
    EXPECT_EQ(patch_packet(as_bytes(packet).first(6), {}).error().change, PatchError::in_packet);
}

TEST(PatchPacket, SaysWhatItKept) {
    const PackedByteArray packet =
        encode(Dictionary{{"a", Array{1, 2, 3}}, {"b", "text"}, {"c", 1}}).value();
    const Patch patches[] = {{},
                             {{Change::set, Array{"b"}, "more text"}},
                             {{Change::insert, Array{"a", 1}, 7}, {Change::remove, Array{"c"}, {}}},
                             {{Change::set, Array{}, 1}},
                             {{Change::order, Array{}, Array{"c", "a", "b"}}}};
    for (const Patch& patch : patches) {
        std::vector<KeptBytes> kept{{9, 9, 9}};
        const auto made = patch_packet(as_bytes(packet), patch, {}, &kept).value();
        const ByteView before = as_bytes(packet), after = as_bytes(made);
        std::uint64_t at = 0, all = 0;
        for (const KeptBytes& part : kept) {
            EXPECT_GE(part.after, at);
            at = part.after + part.size;
            all += part.size;
            EXPECT_TRUE(std::ranges::equal(before.subspan(part.before, part.size),
                                           after.subspan(part.after, part.size)));
        }
        EXPECT_LE(at, after.size());
        EXPECT_LE(kept.size(), 2 * patch.size() + 3);
        if (patch.empty()) {
            EXPECT_EQ(all, packet.size());
        }
    }
}

TEST(PatchPacket, TakesManyChangesInOnePass) {
    constexpr int count = 60'000;
    const PackedByteArray packet = encode(numbers(0, count)).value();
    Patch patch;
    Array wanted;
    for (int i = 0; i < count; ++i) {
        patch.push_back({Change::insert, Array{2 * i}, -i});
        wanted.push_back(-i);
        wanted.push_back(i);
    }
    PackedByteArray out;
    const Recorder taken = counted([&] { out = patch_packet(as_bytes(packet), patch).value(); });
    EXPECT_TRUE(identical(decode(as_bytes(out)).value(), Variant(wanted)));
    Variant value = numbers(0, count);
    ASSERT_TRUE(apply_patch(value, patch));
    EXPECT_TRUE(identical(value, Variant(wanted)));
    // Before, each change moved the elements behind it, and the packet was decoded and encoded
    // whole.
    EXPECT_LT(taken.peak, 16 * (packet.size() + out.size()));
}

TEST(PatchPacket, TakesChangesInManySmallContainers) {
    constexpr int count = 10'000;
    Array from, wanted;
    Patch patch;
    for (int i = 0; i < count; ++i) {
        from.push_back(Array{i});
        wanted.push_back(Array{i, i});
        patch.push_back({Change::insert, Array{i, 1}, i});
    }
    const PackedByteArray packet = encode(Variant(from)).value();
    PackedByteArray out;
    const Recorder taken = counted([&] { out = patch_packet(as_bytes(packet), patch).value(); });
    EXPECT_TRUE(identical(decode(as_bytes(out)).value(), Variant(wanted)));
    // Before, each of them had 8 KB for elements to come.
    EXPECT_LT(taken.peak, 16 * (packet.size() + out.size()) + 500 * count);
}

TEST(Diff, RefusesAPatchThatOutweighsWhatItIsMadeFrom) {
    const auto packet = [](const Variant& element) {
        Array many;
        for (int i = 0; i < 10'000; ++i)
            many.push_back(element);
        return Encoded(Dictionary{{std::string(2000, 'k'), many}});
    };
    const Encoded from = packet(nullptr), to = packet(true);
    std::expected<Patch, Error> patch;
    // Before, each of 10,000 changes had the key, whatever its size.
    const Recorder taken = counted([&] { patch = diff(from.root(), to.root()); });
    EXPECT_EQ(patch.error().code, Errc::size_limit);
    EXPECT_LT(taken.peak, 3 * (8u << 20));
    EXPECT_EQ(diff(from.root(), to.root(), UINT64_MAX)->size(), 10'000u);
    EXPECT_EQ(diff(from.root(), to.root(), 1'000'000).error().code, Errc::size_limit);
}

}  // namespace
}  // namespace gdvar::test
