// Looking into large containers: the same answers as searching one by one, and far fewer steps.
#include <gtest/gtest.h>

#include <thread>

#include "gdvar/value/codec.hpp"
#include "gdvar/value/document.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

/// As the first searches do it, without an index.
View one_by_one(const View& dictionary, std::string_view key) {
    View found;
    for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
        if ((pair.key.is(Type::string) || pair.key.is(Type::string_name)) && pair.key.text() == key)
            found = pair.value;
    return found;
}

TEST(DocumentIndex, FindsWhatASearchFinds) {
    Random random(41);
    for (const std::size_t size : {63u, 64u, 65u, 1000u}) {
        for (int round = 0; round < 20; ++round) {
            Dictionary big;
            Array list;
            for (std::size_t i = 0; i < size; ++i) {
                const std::string key = "k" + std::to_string(below(random, size));
                if (below(random, 8) == 0)
                    big.append(any_leaf(random), any_value(random, 2));
                else if (below(random, 4) == 0)
                    big.append(StringName(key), any_value(random, 2));
                else
                    big.append(key, any_value(random, 2));
                list.push_back(any_value(random, 2));
            }
            const auto packet = encode(Variant(Array{big, list}), {.allow_objects = true});
            if (!packet)
                continue;
            DecodeOptions options;
            options.allow_objects = true;
            const auto document = Document::parse(as_bytes(*packet), options);
            ASSERT_TRUE(document);
            const View root = document->root(), dictionary = root[0], array = root[1];
            for (std::size_t i = 0; i < size + 10; ++i) {
                const std::string key = "k" + std::to_string(i);
                const View expected = one_by_one(dictionary, key);
                const View found = dictionary[key];
                ASSERT_EQ(bool(found), bool(expected)) << key;
                if (expected) {
                    ASSERT_EQ(found.offset(), expected.offset()) << key;
                }
            }
            std::size_t i = 0;
            for (const auto all = array.elements(); const View& element : all)
                ASSERT_EQ(array[i++].offset(), element.offset());
            EXPECT_FALSE(array[size]);
            EXPECT_FALSE(array[-1]);
        }
    }
}

TEST(DocumentIndex, AHundredThousandKeysAreFoundInNoTime) {
    // One by one this would take 5,000,000,000 comparisons, which no timeout lets pass.
    Dictionary big;
    Array list;
    for (int i = 0; i < 100'000; ++i) {
        big.append("key_" + std::to_string(i), i);
        list.push_back(Array{i});
    }
    const PackedByteArray packet = *encode(Variant(Array{std::move(big), std::move(list)}));
    const auto document = Document::parse(as_bytes(packet));
    const View root = document->root();
    for (int i = 0; i < 100'000; ++i) {
        ASSERT_EQ(root[0]["key_" + std::to_string(i)].get<int>().value(), i);
        ASSERT_EQ(root[1][i][0].get<int>().value(), i);
    }
    auto value = decode(as_bytes(packet));
    const Dictionary& dictionary = *(*value)[0].get_if<Dictionary>();
    for (int i = 0; i < 100'000; ++i)
        ASSERT_EQ(dictionary.find("key_" + std::to_string(i))->integer(), i);
}

TEST(DictionaryIndex, EqualKeysHaveNumbersButNoSlots) {
    Dictionary pairs;
    for (int i = 0; i < 20; ++i)
        pairs.append("key_" + std::to_string(i), i);
    ASSERT_EQ(pairs.find("key_3")->integer(), 3);  // makes the index
    for (int i = 0; i < 5000; ++i) {
        pairs.append("key_3", i);
        ASSERT_EQ(pairs.find("key_3")->integer(), i);
        ASSERT_EQ(pairs.find("key_7")->integer(), 7);
    }
    EXPECT_FALSE(pairs.contains("key_20"));
}

TEST(DocumentIndex, ThreadsShareIt) {
    Dictionary big;
    for (int i = 0; i < 5000; ++i)
        big.append("key_" + std::to_string(i), i);
    const PackedByteArray packet = *encode(Variant(std::move(big)));
    for (int round = 0; round < 20; ++round) {
        const auto document = Document::parse(as_bytes(packet));
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = t; i < 5000; i += 7)
                    wrong += document->root()["key_" + std::to_string(i)].get_or(-1) != i;
            });
        for (std::thread& thread : threads)
            thread.join();
        EXPECT_EQ(wrong, 0);
    }
}

/// The last pair of an int key, and the last property of a name, without an index.
View one_by_one(const View& dictionary, std::int64_t key) {
    View found;
    for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
        if (pair.key.is(Type::integer) && pair.key.integer() == key)
            found = pair.value;
    return found;
}
View property_one_by_one(const View& object, std::string_view name) {
    View found;
    for (const auto all = object.properties(); const View::Property& property : all)
        if (property.name == name)
            found = property.value;
    return found;
}

TEST(DocumentIndex, FindsIntKeysAndProperties) {
    Random random(43);
    Dictionary cells;
    Object node("Node");
    for (int i = 0; i < 500; ++i) {
        const auto key = static_cast<std::int64_t>(below(random, 400)) - 200;
        cells.append(below(random, 5) == 0 ? Variant(std::to_string(key)) : Variant(key), i);
        node.append("p" + std::to_string(below(random, 400)), Array{i, "x"});
    }
    const auto packet = *encode(Variant(Array{cells, node}), {.allow_objects = true});
    const auto document = Document::parse(as_bytes(packet), {.allow_objects = true});
    ASSERT_TRUE(document);
    const View dictionary = document->root()[0], object = document->root()[1];
    for (std::int64_t key = -210; key < 410; ++key) {
        ASSERT_EQ(bool(dictionary[key]), bool(one_by_one(dictionary, key))) << key;
        if (dictionary[key]) {
            ASSERT_EQ(dictionary[key].offset(), one_by_one(dictionary, key).offset()) << key;
        }
        const std::string name = "p" + std::to_string(key);
        const View expected = property_one_by_one(object, name);
        ASSERT_EQ(bool(object[name]), bool(expected)) << name;
        if (expected) {
            ASSERT_EQ(object[name].offset(), expected.offset()) << name;
        }
    }
}

TEST(DocumentIndex, AnObjectThatIsAnIdHasNoProperties) {
    // The id's low half would be a large count.
    const auto packet = *encode(Variant(Object::from_id(0x1'0000'1000u)));
    const auto document = Document::parse(as_bytes(packet));
    for (int i = 0; i < 10; ++i)
        EXPECT_FALSE(document->root()["name"]);
}

TEST(DocumentIndex, TenThousandContainersHaveOneEach) {
    Array all;
    Dictionary one;
    for (int i = 0; i < 64; ++i)
        one.append(i, i);
    for (int i = 0; i < 10'000; ++i)
        all.push_back(one);
    const PackedByteArray packet = *encode(Variant(std::move(all)));
    const auto document = Document::parse(as_bytes(packet));
    for (int i = 0; i < 10'000; ++i)
        for (int k = 0; k < 64; k += 7)
            ASSERT_EQ(document->root()[i][k].get_or(-1), k);
}

TEST(DocumentIndex, GoesWithTheNextPacket) {
    Document document;
    for (int round = 0; round < 5; ++round) {
        Dictionary big;
        for (int i = 0; i < 200; ++i)
            big.append("key_" + std::to_string(i + round), i);
        const PackedByteArray packet = *encode(Variant(std::move(big)));
        ASSERT_TRUE(document.read(as_bytes(packet)));
        for (int i = 0; i < 200; ++i)
            ASSERT_EQ(std::as_const(document)["key_" + std::to_string(i + round)].get_or(-1), i);
        EXPECT_FALSE(std::as_const(document)["key_" + std::to_string(round - 1)]);
    }
}

}  // namespace
}  // namespace gdvar::test
