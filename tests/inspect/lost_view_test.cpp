// Functions that take a View refuse one that leads nowhere, with the step that failed.
#include <gtest/gtest.h>

#include <functional>

#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/stats.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/net/framer.hpp"
#include "gdvar/net/stream_buffer.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

using namespace inspect;

TEST(LostView, IsRefusedByWhateverTakesAView) {
    const Document document =
        Document::parse(encode(Dictionary{{"id", 1}, {"inner", Dictionary{}}}).value()).value();
    const View root = document.root(), lost = document["inner"]["child"]["further"];
    PackedByteArray bytes;
    Statistics statistics;
    std::vector<std::function<std::expected<void, Error>(const View&)>> all{
        [&](const View& v) { return statistics.add(v); },
        [&](const View& v) { return net::append_var_frame(bytes, v); },
        [&](const View& v) { return net::StreamWriter(bytes).put_var(v); },
    };
    const auto add = [&](auto call) {
        all.push_back([call](const View& v) -> std::expected<void, Error> {
            if (auto done = call(v); !done)
                return std::unexpected(done.error());
            return {};
        });
    };
    add([](const View& v) { return to_text(v); });
    add([](const View& v) { return to_text(v, TextFamily::godot_4); });
    add([](const View& v) { return to_text_full(v); });
    add([](const View& v) { return to_json(v); });
    add([](const View& v) { return to_plain_json(v); });
    add([](const View& v) { return lookup(v, "$"); });
    add([](const View& v) { return lookup(v, ""); });
    add([](const View& v) { return lookup_all(v, "$"); });
    add([&](const View& v) { return diff(v, root); });
    add([&](const View& v) { return diff(root, v); });
    add([&](const View& v) { return net::append_var(bytes, v); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(all[i](root)) << i;
        const auto refused = all[i](lost);
        ASSERT_FALSE(refused) << i;
        EXPECT_EQ(refused.error(), lost.error()) << i;
        EXPECT_EQ(refused.error().about_text(), "child") << i;
        EXPECT_EQ(all[i](View()).error().code, Errc::missing_key) << i;
    }
    EXPECT_EQ(statistics.bytes, root.raw().size());
}

}  // namespace
}  // namespace gdvar::test
