// The laws of rewriting, on generated values in generated layouts.
#include <gtest/gtest.h>

#include "support/case_name.hpp"
#include "support/messy_text.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

/// The node of an outline at that place, and its parent.
std::pair<std::uint32_t, std::uint32_t> node_at(const Outline& outline,
                                                const std::vector<std::size_t>& place) {
    std::uint32_t node = 0, parent = 0;
    for (const std::size_t i : place) {
        parent = node;
        ++node;
        for (std::size_t left = i; left; --left)
            node = outline.nodes[node].next;
    }
    return {node, parent};
}

/// Whether the container at that place has equal keys.
bool repeats(const Variant& value, const std::vector<std::size_t>& place) {
    const Variant* at = &value;
    for (const std::size_t i : place) {
        if (const auto* array = at->get_if<Array>())
            at = &(*array)[i];
        else if (const auto* pairs = at->get_if<Dictionary>())
            at = &pairs->begin()[i].value;
        else
            at = &at->get_if<Object>()->begin()[i].value;
    }
    std::vector<Variant> keys;
    if (const auto* pairs = at->get_if<Dictionary>())
        for (const auto& pair : *pairs)
            keys.push_back(pair.key);
    if (const auto* object = at->get_if<Object>(); object && object->kind() == ObjectKind::full)
        for (const auto& property : *object)
            keys.push_back(Variant(property.name));
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (identical(keys[i], keys[j]))
                return true;
    return false;
}

struct Tally {
    int texts = 0, changed = 0, refused = 0, spliced = 0, set = 0;
};

/// Whether all bytes of `text` outside [begin, end) are in `made`, in front and behind.
bool surrounds(std::string_view text, std::size_t begin, std::size_t end, std::string_view made) {
    return made.size() >= begin + (text.size() - end) && made.starts_with(text.substr(0, begin)) &&
           made.ends_with(text.substr(end));
}

void check_one(const Named& named, Random& random, Tally& tally) {
    Maker make(random, named);
    Messy messy(random, named);
    const Variant value = make(4);
    messy.gap();
    messy.print(value);
    messy.gap();
    const std::string& text = messy.out;
    Outline outline;
    const auto before = named.kind.read(text, &outline);
    // A Dictionary that merges typed keys, and the like, is another value.
    if (!before || !identical(*before, value))
        return;
    ++tally.texts;
    // (a) No difference: the same bytes.
    const auto same = named.kind.rewritten(text, value);
    ASSERT_TRUE(same && *same) << text;
    ASSERT_EQ(**same, text);
    Variant after = value;
    auto choose = [&](std::size_t n) { return below(random, n); };
    auto make_small = [&] { return make(1); };
    Mutation mutation(choose, make_small);
    mutation.run(after);
    const auto made = named.kind.rewritten(text, after);
    if (!made)
        return;
    if (!*made) {
        ++tally.refused;
        return;
    }
    ++tally.changed;
    // (b) The new text has the new value.
    const auto read = named.kind.read(**made);
    ASSERT_TRUE(read) << text << "\n----\n" << **made;
    ASSERT_TRUE(identical(*read, after)) << text << "\n----\n" << **made;
    // (c) What is outside of what changed stays.
    const auto [node, parent] = node_at(outline, mutation.place);
    if (mutation.kind == decltype(mutation)::set) {
        ++tally.set;
        const OutlineNode& at = outline.nodes[node];
        tally.spliced += surrounds(text, at.begin, at.end, **made);
    } else {
        const OutlineNode& at = outline.nodes[node];
        // A leaf is an Object in the form of a reference, which is written anew.
        if (at.kind != OutlineKind::leaf) {
            EXPECT_TRUE(surrounds(text, at.begin, at.end, **made)) << text << "\n----\n" << **made;
        }
        // The first of equal keys stays the first: their values, not their places, may change.
        if (mutation.kind != decltype(mutation)::erase && !repeats(value, mutation.place) &&
            !repeats(after, mutation.place)) {
            for (int i = 0; i < messy.comments; ++i)
                EXPECT_NE((*made)->find("; c" + std::to_string(i) + "."), std::string::npos)
                    << i << "\n"
                    << text << "\n----\n"
                    << **made;
        }
    }
}

class RewriteLaws : public testing::TestWithParam<Named> {};

TEST_P(RewriteLaws, HoldForOneChange) {
    Tally tally;
    for (std::uint64_t seed = 0; seed < 3000 && !HasFatalFailure(); ++seed) {
        Random random(seed);
        check_one(GetParam(), random, tally);
    }
    EXPECT_GT(tally.texts, 1500);
    EXPECT_GT(tally.changed, tally.texts * 8 / 10);
    // The rest: elements that became like others beside them.
    EXPECT_GT(tally.spliced, tally.set * 95 / 100);
}

TEST_P(RewriteLaws, HoldForManyChanges) {
    const Named& named = GetParam();
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 1000 && !HasFatalFailure(); ++seed) {
        Random random(seed);
        Maker make(random, named);
        Messy messy(random, named);
        messy.print(make(4));
        const auto before = named.kind.read(messy.out);
        if (!before)
            continue;
        Variant after = *before;
        auto choose = [&](std::size_t n) { return below(random, n); };
        auto make_small = [&] { return make(2); };
        for (std::uint64_t n = 2 + below(random, 8); n; --n)
            Mutation(choose, make_small).run(after);
        const auto made = named.kind.rewritten(messy.out, after);
        if (!made || !*made)
            continue;
        const auto read = named.kind.read(**made);
        ASSERT_TRUE(read) << messy.out << "\n----\n" << **made;
        ASSERT_TRUE(identical(*read, after)) << messy.out << "\n----\n" << **made;
        ++changed;
    }
    EXPECT_GT(changed, 500);
}

/// Any value into any text: refused, or what is read back.
TEST_P(RewriteLaws, NothingIsReplacedInSilence) {
    const Named& named = GetParam();
    int refused = 0, written = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        Random random(seed);
        const Variant after{Array{1, any_value(random, 3)}};
        const auto made = named.kind.rewritten("[1, 2]", after);
        if (!made || !*made) {
            if (made) {
                EXPECT_TRUE(made->error().path.starts_with("$[1]")) << made->error().path;
                EXPECT_NE(made->error().error.code, Errc::ok);
            }
            ++refused;
            continue;
        }
        const auto read = named.kind.read(**made);
        ASSERT_TRUE(read && identical(*read, after)) << **made;
        ++written;
    }
    EXPECT_GT(refused, 300);
    EXPECT_GT(written, 200);
}

INSTANTIATE_TEST_SUITE_P(All, RewriteLaws, testing::ValuesIn(kinds), case_name);

}  // namespace
}  // namespace gdvar::test
