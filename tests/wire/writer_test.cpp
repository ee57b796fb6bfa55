// The checking Writer: same bytes as the Encoder, and every wrong sequence refused where it goes
// wrong.
#include "gdvar/wire/writer.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gdvar/value/codec.hpp"
#include "support/generate.hpp"

namespace gdvar::test {
namespace {

using W = Writer<BufferOutput>;

/// Forgets the counts that its source announces.
struct WithoutCounts : W {
    using W::W;
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t) {
        return W::begin_array(type, element, unknown_count);
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& item, std::uint32_t) {
        return W::begin_dictionary(key, item, unknown_count);
    }
    Errc begin_object(std::string_view name, std::uint32_t) {
        return W::begin_object(name, unknown_count);
    }
    Errc begin_packed_strings(std::uint32_t) { return W::begin_packed_strings(unknown_count); }
};

template <class Sink>
std::expected<PackedByteArray, Error> write_with(const Variant& value,
                                                 const EncodeOptions& options) {
    PackedByteArray out;
    BufferOutput output(out);
    Sink writer(output, options);
    detail::Walker<Sink>(writer).run(value);
    const auto size = writer.finish();
    if (!size)
        return std::unexpected(size.error());
    output.flush();
    EXPECT_EQ(*size, out.size());
    return out;
}

TEST(Writer, GivesTheEncodersBytesWithAndWithoutCounts) {
    Random random(20);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        const Variant value = any_value(random, 4);
        for (const Dialect* dialect : all_dialects()) {
            const EncodeOptions options{.dialect = dialect, .allow_objects = true};
            const auto expected = encode(value, options);
            for (const auto& made :
                 {write_with<W>(value, options), write_with<WithoutCounts>(value, options)}) {
                ASSERT_EQ(made.has_value(), expected.has_value()) << dialect->name;
                if (made) {
                    ASSERT_EQ(*made, *expected);
                } else {
                    ++refused;
                    ASSERT_EQ(made.error().code, expected.error().code) << dialect->name;
                    ASSERT_EQ(made.error().offset, expected.error().offset) << dialect->name;
                }
            }
        }
    }
    EXPECT_GT(refused, 1000);  // the older dialects lack types
}

struct Misuse {
    const char* what;
    std::function<void(W&)> steps;
    Errc code;
    std::uint64_t offset;
    const char* path;
};

TEST(Writer, RefusesWrongSequencesWhereTheyGoWrong) {
    const Misuse all[] = {
        {"a second root",
         [](W& w) {
             w.nil();
             w.nil();
         },
         Errc::misplaced, 4, "$"},
        {"end of nothing", [](W& w) { w.end(); }, Errc::misplaced, 0, "$"},
        {"end after the root",
         [](W& w) {
             w.begin_array();
             w.end();
             w.end();
         },
         Errc::misplaced, 8, "$"},
        {"nothing at all", [](W&) {}, Errc::too_few_items, 0, "$"},
        {"left open",
         [](W& w) {
             w.begin_array();
             w.nil();
         },
         Errc::unclosed_container, 12, "$[1]"},
        {"more than announced",
         [](W& w) {
             w.begin_array({}, 1);
             w.nil();
             w.nil();
         },
         Errc::too_many_items, 12, "$[0]"},
        {"fewer than announced",
         [](W& w) {
             w.begin_array({}, 2);
             w.nil();
             w.end();
         },
         Errc::too_few_items, 12, "$[1]"},
        {"a key without a value",
         [](W& w) {
             w.begin_dictionary();
             w.string("hp");
             w.end();
         },
         Errc::too_few_items, 20, "$.hp"},
        {"more pairs than announced",
         [](W& w) {
             w.begin_dictionary({}, {}, 1);
             w.string("a");
             w.nil();
             w.string("b");
         },
         Errc::too_many_items, 24, "$.a"},
        {"a property outside of an Object",
         [](W& w) {
             w.begin_array();
             w.property("x");
         },
         Errc::misplaced, 8, "$[0]"},
        {"a value without its property",
         [](W& w) {
             w.begin_object("Node");
             w.nil();
         },
         Errc::misplaced, 16, "$"},
        {"two properties",
         [](W& w) {
             w.begin_object("Node");
             w.property("a");
             w.property("b");
         },
         Errc::misplaced, 24, "$.a"},
        {"an Object that ends in a property",
         [](W& w) {
             w.begin_object("Node");
             w.property("a");
             w.end();
         },
         Errc::too_few_items, 24, "$.a"},
        {"a value among packed strings",
         [](W& w) {
             w.begin_packed_strings();
             w.string("x");
         },
         Errc::misplaced, 8, "$[0]"},
        {"a packed string in an Array",
         [](W& w) {
             w.begin_array();
             w.packed_string("x");
         },
         Errc::misplaced, 8, "$[0]"},
        {"too many packed strings",
         [](W& w) {
             w.begin_packed_strings(1);
             w.packed_string("x");
             w.packed_string("y");
         },
         Errc::too_many_items, 16, "$[0]"},
        {"text that is no UTF-8",
         [](W& w) {
             w.begin_array();
             w.string("a");
             w.string("\xFF");
         },
         Errc::bad_utf8, 20, "$[1]"},
    };
    for (const Misuse& misuse : all) {
        SCOPED_TRACE(misuse.what);
        PackedByteArray out;
        BufferOutput output(out);
        W writer(output, EncodeOptions{.allow_objects = true});
        misuse.steps(writer);
        const auto size = writer.finish();
        ASSERT_FALSE(size);
        EXPECT_EQ(error_name(size.error().code), error_name(misuse.code));
        EXPECT_EQ(size.error().offset, misuse.offset);
        EXPECT_EQ(writer.path(), misuse.path);
        // Nothing is written after an error.
        const std::size_t before = writer.size();
        EXPECT_EQ(writer.integer(1), misuse.code);
        EXPECT_EQ(writer.begin_array(), misuse.code);
        EXPECT_EQ(writer.size(), before);
    }
}

TEST(Writer, FillsASpanAndSaysWhatItLacks) {
    std::byte room[16];
    SpanOutput output(room);
    Writer writer(output, EncodeOptions{});
    writer.begin_array();
    writer.integer(1);
    writer.math(Vector3{1, 2, 3});
    EXPECT_EQ(writer.error().code, Errc::buffer_full);
    EXPECT_EQ(writer.error().offset, 16u);
    EXPECT_EQ(writer.error().need, 16u);
    EXPECT_EQ(writer.path(), "$[1]");
}

TEST(Writer, CountsWithoutStoring) {
    CountOutput output;
    Writer writer(output, EncodeOptions{});
    writer.begin_dictionary();
    writer.string("tiles");
    const std::int32_t tiles[] = {1, 2, 3};
    writer.packed(std::span<const std::int32_t>(tiles));
    writer.end();
    EXPECT_EQ(writer.finish().value(), 8 + 16 + 8 + 12u);
}

TEST(Writer, DepthIsTheEncoders) {
    const EncodeOptions options{.max_depth = 3};
    for (const bool counted : {false, true}) {
        PackedByteArray out;
        BufferOutput output(out);
        W writer(output, options);
        for (int i = 0; i < 4; ++i)
            writer.begin_array({}, counted ? 1u : W::unknown_count);
        writer.nil();
        EXPECT_EQ(writer.error().code, Errc::depth_limit);
    }
}

}  // namespace
}  // namespace gdvar::test
