// Documents that change with their bytes are those that reading the new bytes makes.
#include "value/document_splice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

using detail::DocumentSplice;
using Bytes = std::vector<std::byte>;

constexpr DecodeOptions reading{.allow_objects = true};

/// A value as a packet; nothing if the dialect does not have it.
std::optional<Bytes> packet_of(const Variant& value) {
    const auto packet = encode(value, {.allow_objects = true});
    if (!packet || !Document::parse(as_bytes(*packet), reading))
        return std::nullopt;
    return Bytes(as_bytes(*packet).begin(), as_bytes(*packet).end());
}

/// A packet with its Document.
struct Live {
    Bytes bytes;
    Document document;
    explicit Live(Bytes packet) : bytes(std::move(packet)) {
        document = Document::parse(ByteView(bytes), reading).value();
    }
    void make(const DocumentSplice& splice, ByteView come) {
        ASSERT_TRUE(splice.reserve(document));
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(splice.at);
        const auto place = bytes.erase(at, at + static_cast<std::ptrdiff_t>(splice.size));
        bytes.insert(place, come.begin(), come.end());
        splice.apply(document, bytes.data(), come.size());
    }
};

void expect_same(const View& a, const View& b) {
    ASSERT_EQ(a.type(), b.type());
    ASSERT_EQ(a.offset(), b.offset());
    ASSERT_EQ(a.size(), b.size());
    ASSERT_TRUE(std::ranges::equal(a.raw(), b.raw()));
    const auto left = a.elements(), right = b.elements();
    auto other = right.begin();
    for (const View& each : left) {
        expect_same(each, *other);
        ++other;
    }
    const auto pairs = a.pairs(), others = b.pairs();
    auto pair = others.begin();
    for (const auto& [key, value] : pairs) {
        expect_same(key, (*pair).key);
        expect_same(value, (*pair).value);
        ++pair;
    }
}

void expect_sound(const Live& live) {
    const auto again = Document::parse(ByteView(live.bytes), reading);
    ASSERT_TRUE(again);
    EXPECT_EQ(live.document.node_count(), again->node_count());
    EXPECT_EQ(live.document.packet_size(), again->packet_size());
    expect_same(live.document.root(), again->root());
}

Variant any_tree(Random& random, int depth) {
    if (depth == 0 || below(random, 3) == 0)
        return any_leaf(random);
    if (below(random, 2)) {
        Array out;
        for (std::uint64_t n = below(random, 6); n; --n)
            out.push_back(any_tree(random, depth - 1));
        return out;
    }
    Dictionary out;
    for (std::uint64_t n = below(random, 6); n; --n)
        out.append(any_text(random), any_tree(random, depth - 1));
    return out;
}

Bytes any_packet(Random& random, int depth) {
    for (;;)
        if (auto packet = packet_of(any_tree(random, depth)))
            return *std::move(packet);
}

/// All values that are no keys.
void collect(const View& view, std::vector<View>& to) {
    to.push_back(view);
    for (const auto all = view.elements(); const View& each : all)
        collect(each, to);
    for (const auto all = view.pairs(); const auto& pair : all)
        collect(pair.value, to);
}

void set_count(Bytes& bytes, const View& container, std::int32_t by) {
    std::byte* const count = bytes.data() + container.offset() + 4;
    detail::store(count, detail::load<std::uint32_t>(count) + static_cast<std::uint32_t>(by));
}

TEST(DocumentSplice, AnyValueIsReplaced) {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        Live live(any_packet(random, 4));
        for (int change = 0; change < 8; ++change) {
            std::vector<View> all;
            collect(live.document.root(), all);
            const View old = all[below(random, all.size())];
            const Bytes packet = any_packet(random, 2);
            auto splice = DocumentSplice::replacing(old);
            ASSERT_TRUE(splice.take(packet, 0, reading));
            live.make(splice, packet);
            ASSERT_NO_FATAL_FAILURE(expect_sound(live));
        }
    }
}

TEST(DocumentSplice, ValuesComeAndGo) {
    Random random(12);
    int came = 0, went = 0;
    for (int round = 0; round < 300; ++round) {
        Live live(any_packet(random, 4));
        for (int change = 0; change < 8; ++change) {
            std::vector<View> all;
            collect(live.document.root(), all);
            const View in = all[below(random, all.size())];
            if ((!in.is(Type::array) && !in.is(Type::dictionary)) || in.raw().size() % 4)
                continue;
            Bytes come;
            std::optional<DocumentSplice> splice;
            if (in.size() && below(random, 2)) {
                const auto number = below(random, in.size());
                View gone = in.is(Type::array) ? in[number] : View();
                std::uint64_t i = 0;
                for (const auto pairs = in.pairs(); const auto& pair : pairs)
                    if (i++ == number)
                        gone = pair.value;
                splice = DocumentSplice::erasing(in, gone);
                ++went;
            } else {
                splice = DocumentSplice::adding(in);
                for (int i = in.is(Type::array); i < 2; ++i) {
                    const Bytes packet =
                        i ? any_packet(random, 2) : packet_of(any_text(random)).value();
                    ASSERT_TRUE(splice->take(packet, come.size(), reading));
                    come.insert(come.end(), packet.begin(), packet.end());
                }
                ++came;
            }
            ASSERT_TRUE(splice);
            set_count(live.bytes, in, splice->count);
            live.make(*splice, come);
            ASSERT_NO_FATAL_FAILURE(expect_sound(live));
        }
    }
    EXPECT_GT(came, 100);
    EXPECT_GT(went, 100);
}

// Indexes are made by the fifth search, and know what has come since.
TEST(DocumentSplice, KeysAreFoundThatCameLater) {
    Dictionary start;
    for (int i = 0; i < 100; ++i)
        start["k" + std::to_string(i)] = i;
    Live live(packet_of(start).value());
    for (int i = 100; i < 2000; ++i) {
        const View root = live.document.root();
        const std::string key = "k" + std::to_string(i);
        EXPECT_FALSE(root[key]);
        EXPECT_EQ(root["k" + std::to_string(i / 2)].integer(), i / 2);
        EXPECT_EQ(root["k" + std::to_string(i - 1)].integer(), i - 1);
        auto splice = DocumentSplice::adding(root).value();
        Bytes come = packet_of(key).value();
        const Bytes value = packet_of(i).value();
        ASSERT_TRUE(splice.take(come, 0, reading));
        ASSERT_TRUE(splice.take(value, come.size(), reading));
        come.insert(come.end(), value.begin(), value.end());
        set_count(live.bytes, root, 1);
        live.make(splice, come);
        if (i % 500 == 0) {  // nodes move: all indexes are made anew
            const Bytes list = packet_of(Array{1, 2, 3}).value();
            auto other = DocumentSplice::replacing(live.document["k7"]);
            ASSERT_TRUE(other.take(list, 0, reading));
            live.make(other, list);
            EXPECT_EQ(live.document["k7"].size(), 3u);
        }
    }
    ASSERT_NO_FATAL_FAILURE(expect_sound(live));
}

}  // namespace
}  // namespace gdvar::test
