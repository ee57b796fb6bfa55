// Values whose parts share slabs behave as values with memory of their own, whatever is done to
// them, in whatever order and thread their parts are freed. Meant for ASan and TSan, and true
// without them.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "gdvar/value/builder.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using Random = std::mt19937;

std::string some_text(Random& random) {
    return std::string(random() % 3 ? random() % 60 : random() % 600,
                       static_cast<char>('a' + random() % 26));
}

Variant some_leaf(Random& random) {
    switch (random() % 12) {
        case 0:
            return Variant();
        case 1:
            return Variant(static_cast<std::int64_t>(random()));
        case 2:
            return Variant(StringName(some_text(random)));
        case 3:
            return Variant(Transform3D{});
        case 4:
            return Variant(Rect2d{{1, 2}, {3, 4}});
        case 5:
            return Variant(NodePath("a/" + some_text(random) + ":b"));
        case 6:
            return Variant(Signal{String(some_text(random)), random()});
        case 7:
            return Variant(PackedInt32Array{1, 2, 3});
        case 8:
            return Variant(PackedStringArray{"short", some_text(random), "a long text, this"});
        default:
            return Variant(some_text(random));
    }
}

/// A tree made by hand: each part has memory of its own.
Variant some_tree(Random& random, std::size_t depth) {
    const std::size_t n = random() % 9;
    if (depth == 0 || random() % 5 == 0)
        return some_leaf(random);
    if (random() % 6 == 0) {
        Object object("A class of some long name, or not");
        for (std::size_t i = 0; i < n; ++i)
            object.append(some_text(random), some_tree(random, depth - 1));
        return Variant(std::move(object));
    }
    if (random() % 2) {
        Dictionary dictionary;
        if (random() % 4 == 0)
            dictionary.set_types({ContainerKind::class_name, Type::object, "ALongNameOfAClass"},
                                 {});
        for (std::size_t i = 0; i < n; ++i)
            dictionary.append(some_leaf(random), some_tree(random, depth - 1));
        return Variant(std::move(dictionary));
    }
    Array array;
    if (random() % 4 == 0)
        array.set_element_type({ContainerKind::class_name, Type::object, "ALongNameOfAClass"});
    for (std::size_t i = 0; i < n; ++i)
        array.push_back(some_tree(random, depth - 1));
    return Variant(std::move(array));
}

Variant some_large_tree(Random& random) {
    Array all;
    for (int i = 0; i < 12; ++i)
        all.push_back(some_tree(random, 4));
    return Variant(std::move(all));
}

/// The same value as decoding makes it: in slabs.
Variant decoded(const Variant& value) {
    const EncodeOptions writing{.allow_objects = true};
    const DecodeOptions reading{.allow_objects = true};
    auto bytes = encode(value, writing);
    EXPECT_TRUE(bytes);
    auto made = decode(as_bytes(*bytes), reading);
    EXPECT_TRUE(made);
    return std::move(*made);
}

/// A place inside the value: the same one for the same random numbers.
Variant& some_place(Variant& root, Random& random) {
    Variant* at = &root;
    for (std::size_t steps = random() % 6; steps--;) {
        const std::size_t i = random();
        if (auto* array = at->get_if<Array>(); array && !array->empty())
            at = &(*array)[i % array->size()];
        else if (auto* pairs = at->get_if<Dictionary>(); pairs && !pairs->empty())
            at = &pairs->begin()[i % pairs->size()].value;
        else if (auto* object = at->get_if<Object>(); object && object->size())
            at = &object->begin()[i % object->size()].value;
    }
    return *at;
}

void change_array(Array& array, Random& random) {
    const std::size_t at = array.empty() ? 0 : random() % array.size();
    switch (random() % 9) {
        case 0:
            array.push_back(some_leaf(random));
            break;
        case 1:
            array.insert(at, some_tree(random, 2));
            break;
        case 2:
            if (!array.empty())
                array.erase(at);
            break;
        case 3:
            array.reserve(array.size() + random() % 20);
            break;
        case 4:
            array.clear();
            break;
        case 5:
            array.set_element_type(
                {ContainerKind::class_name, Type::object, "AnotherLongNameOfAClass"});
            break;
        case 6:
            array = Array(array);
            break;
        case 7:
            if (!array.empty())
                array.push_back(array[at]);
            break;
        default:
            if (!array.empty())
                array[at] = some_leaf(random);
    }
}

void change_dictionary(Dictionary& pairs, Random& random) {
    const std::size_t at = pairs.empty() ? 0 : random() % pairs.size();
    switch (random() % 9) {
        case 0:
            pairs.append(some_leaf(random), some_tree(random, 2));
            break;
        case 1:
            pairs.set(Variant(some_text(random)), some_leaf(random));
            break;
        case 2:
            if (!pairs.empty())
                pairs.erase(Variant(pairs.begin()[at].key));
            break;
        case 3:
            pairs.reserve(pairs.size() + random() % 20);
            break;
        case 4:
            pairs.clear();
            break;
        case 5:
            pairs.set_types({}, {ContainerKind::class_name, Type::object, "AnotherLongClassName"});
            break;
        case 6:
            pairs = Dictionary(pairs);
            break;
        case 7:
            pairs[Variant("a key that is a long text")] = some_leaf(random);
            break;
        default:
            if (!pairs.empty())
                (void)pairs.rename(pairs.begin()[at].key, pairs.begin()->value);
    }
}

void change(Variant& root, Random& random) {
    Variant& at = some_place(root, random);
    if (random() % 3 == 0) {
        Variant& other = some_place(root, random);
        const auto which = &other == &root ? 2 : random() % 4;
        switch (which) {
            case 0:
                root.get_if<Array>()->push_back(at);
                break;
            case 1:
                root.get_if<Array>()->push_back(std::move(other));
                break;
            case 2: {
                Variant copy = at;
                at = std::move(copy);
                break;
            }
            default:
                at = *&at;
                break;
        }
    } else if (auto* array = at.get_if<Array>()) {
        change_array(*array, random);
    } else if (auto* pairs = at.get_if<Dictionary>()) {
        change_dictionary(*pairs, random);
    } else if (auto* object = at.get_if<Object>(); object && object->kind() == ObjectKind::full) {
        object->set(some_text(random), some_leaf(random));
    } else if (auto* text = at.get_if<String>()) {
        if (random() % 2)
            *text = String(some_text(random));
        else
            EXPECT_TRUE(text->try_assign(text->view().substr(text->size() / 2)));
    } else if (auto* texts = at.get_if<PackedStringArray>()) {
        texts->push_back(some_text(random));
    } else {
        at = some_leaf(random);
    }
    if (!root.is(Type::array))
        root = Array{std::move(root)};
}

TEST(Slabs, EveryChangeGivesWhatItGivesWithoutThem) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Variant plain = some_large_tree(random);
        Variant in_slabs = decoded(plain);
        Variant copied = in_slabs;
        ASSERT_TRUE(identical(plain, in_slabs));
        ASSERT_TRUE(identical(plain, copied));
        for (std::uint32_t step = 0; step < 300; ++step) {
            for (Variant* value : {&plain, &in_slabs, &copied}) {
                Random same(seed * 1000 + step);
                change(*value, same);
            }
            if (step % 10 == 0) {
                ASSERT_TRUE(identical(plain, in_slabs)) << seed << ' ' << step;
                ASSERT_TRUE(identical(plain, copied)) << seed << ' ' << step;
            }
        }
    }
}

TEST(Slabs, PartsOutliveTheRest) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Variant whole = decoded(some_large_tree(random));
        std::vector<Variant> parts, copies;
        for (int i = 0; i < 20; ++i) {
            Variant& at = some_place(whole, random);
            if (&at == &whole)
                continue;
            copies.push_back(at);
            parts.push_back(std::move(at));
            at = Variant();
        }
        whole = Variant();
        while (!parts.empty()) {
            const std::size_t i = random() % parts.size();
            ASSERT_TRUE(identical(parts[i], copies[i]));
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
            copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

TEST(Slabs, ThreadsFreePartsOfOneTreeAtOnce) {
    constexpr std::size_t threads = 4;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        Array texts;
        for (int i = 0; i < 400; ++i)
            texts.push_back(Array{some_leaf(random), some_text(random), some_tree(random, 2)});
        Variant whole = decoded(Variant(std::move(texts)));
        const Variant shared = whole;
        std::vector<Variant> piles[threads];
        Array& all = *whole.get_if<Array>();
        for (std::size_t i = 0; i < all.size(); ++i)
            piles[random() % threads].push_back(std::move(all[i]));
        std::vector<std::thread> running;
        for (auto& pile : piles)
            running.emplace_back([&pile, &shared, seed] {
                Random mine(seed);
                std::shuffle(pile.begin(), pile.end(), mine);
                const Variant copy = shared;
                for (Variant& part : pile)
                    if (part.size() > 1)
                        part.get_if<Array>()->push_back((*part.get_if<Array>())[1]);
                pile.clear();
                EXPECT_TRUE(identical(copy, shared));
            });
        whole = Variant();
        for (std::thread& thread : running)
            thread.join();
    }
}

/// Builds whatever comes before the bytes break off.
struct Breaking : VariantBuilder {
    using VariantBuilder::VariantBuilder;
    static constexpr bool reads_to_the_break = true;
};

TEST(Slabs, WhatASourceLeavesHalfDoneIsSoundAndFreed) {
    Random random(1);
    for (int round = 0; round < 6; ++round) {
        const auto bytes =
            encode(Variant(some_tree(random, 4)), EncodeOptions{.allow_objects = true});
        ASSERT_TRUE(bytes);
        const DecodeOptions options{.allow_objects = true};
        for (std::size_t size = 4; size < bytes->size(); size += 4 + size / 400 * 4) {
            Variant half, elsewhere;
            {
                Breaking builder(half);
                (void)read(as_bytes(*bytes).first(size), options, builder);
                if (size % 3 == 0)
                    elsewhere = std::move(half);
                else if (size % 3 == 1)
                    half = Variant();
            }
            for (const Variant* value : {&half, &elsewhere}) {
                const Variant copy = *value;
                ASSERT_TRUE(identical(copy, *value));
            }
        }
    }
}

}  // namespace
}  // namespace gdvar::test
