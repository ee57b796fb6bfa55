// Which keys of a Dictionary engines merge: all ordered pairs of the keys that were recorded.
#include <gtest/gtest.h>

#include <set>

#include "gdvar/gdvar.hpp"
#include "support.hpp"
#include "support/data.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

/// The packet of a Dictionary with these two keys.
std::vector<std::byte> pair_of(const Engine& engine, ByteView a, ByteView b) {
    std::vector<std::byte> out(8);
    detail::store(out.data(),
                  std::uint32_t{engine.dialect->id_of[static_cast<std::size_t>(Type::dictionary)]});
    detail::store(out.data() + 4, std::uint32_t{2});
    for (const ByteView key : {a, b}) {
        out.insert(out.end(), key.begin(), key.end());
        out.insert(out.end(), {std::byte{2}, {}, {}, {}, {}, {}, {}, {}});
    }
    return out;
}

/// Whether a packet says all that decides which keys merge: items that the engine converts, and
/// pairs inside of a key that it merges, are seen by `read_as` alone.
bool plain(const Engine& engine, ByteView key) {
    const auto read = read_as(engine, key);
    for (const std::string& change : read.value().changes)
        if (change.contains("converted") || change.contains("dropped") || change.contains("merged"))
            return false;
    return true;
}

TEST(Keys, EachPairMergesAsInTheEngine) {
    std::size_t pairs = 0, merging = 0, by_dialect = 0;
    for (const Json& line : lines_with(data_dir() / "keys.ndjson", "keys")) {
        // "godot-4.6.3" is "Godot 4.6.3" in messages.
        const Engine* engine = engine_named("Godot " + line["engine"].get<std::string>().substr(6));
        ASSERT_NE(engine, nullptr) << line["engine"];
        const bool of_dialect = engine->family == engine->dialect->family;
        std::vector<std::vector<std::byte>> keys;
        std::vector<bool> are_plain;
        for (const Json& key : line["keys"]) {
            keys.push_back(unhex(key));
            are_plain.push_back(plain(*engine, keys.back()));
        }
        ASSERT_GE(keys.size(), 150u);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto with = line["merged"][i].get<std::set<std::size_t>>();
            merging += with.size();
            for (std::size_t j = 0; j < keys.size(); ++j, ++pairs) {
                const auto packet = pair_of(*engine, keys[i], keys[j]);
                const auto read = read_as(*engine, packet);
                ASSERT_TRUE(read) << to_string(read.error());
                EXPECT_EQ(read->value.size() == 1, with.contains(j))
                    << engine->name << ": " << hex(packet);
                EXPECT_FALSE(with.contains(j) && keeps_all(*engine, packet)) << hex(packet);
                if (!of_dialect || !are_plain[i] || !are_plain[j])
                    continue;
                ++by_dialect;
                EXPECT_EQ(!check_keys(packet, reading(*engine->dialect)), with.contains(j))
                    << engine->dialect->name << ": " << hex(packet);
            }
        }
    }
    EXPECT_GE(pairs, 3u * 150 * 150);
    EXPECT_GE(merging, 900u);
    EXPECT_GE(by_dialect, 2u * 150 * 150);
}

}  // namespace
}  // namespace gdvar::test
