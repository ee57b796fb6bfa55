// The same value into every kind of output, with room that ends at every possible byte.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "gdvar/value/binding.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

enum class Gait { walk, run_very_fast_indeed };
struct Parts {
    bool alive = true;
    std::int8_t tiny = -3;
    std::uint64_t large = 1ull << 40;
    float half = 0.5f;
    double tenth = 0.1;
    std::string name = "no longer than thirty-two bytes.";
    std::string_view view = "a text of more than thirty-two bytes, by itself";
    String held = "\xC3\xA4\xC3\xB6";
    StringName interned = StringName("three");
    Gait gait = Gait::run_very_fast_indeed;
    Vector3 single{1, 2, 3};
    Transform3D frame{};
    std::optional<std::int64_t> none;
    std::optional<std::tuple<int, std::string>> maybe{{7, "x"}};
    std::vector<std::string> between{"a", "bc"};
    std::tuple<std::pair<double, std::string>, bool> nested{{0.1, "inner"}, false};
    std::tuple<std::string, double> last{"", 0.5};
};
struct Numbers {
    double a = 0.5, b = 0.1;
    std::optional<double> c = 0.25;
    std::int64_t d = 1;
};
struct Rows {
    Untyped<std::vector<double>> reals{std::vector<double>(90, 0.1)};
    Untyped<std::vector<std::int64_t>> integers{std::vector<std::int64_t>(90, 1ll << 40)};
    TypedArray<std::vector<std::int32_t>> typed{std::vector<std::int32_t>(3, -1)};
    std::vector<std::uint64_t> large{0, 1, ~0ull >> 1};
    std::vector<bool> bits = std::vector<bool>(130, true);
    std::vector<std::optional<float>> gaps{0.5f, std::nullopt, 0.1f};
    Untyped<std::array<Vector3, 2>> points{{{{1, 2, 3}, {4, 5, 6}}}};
    std::vector<Gait> gaits{Gait::walk, Gait::run_very_fast_indeed};
    std::vector<std::tuple<>> nothing = std::vector<std::tuple<>>(2);
};
struct Texts {
    std::string a = "", b = "1", c = "1234567", d = "sixteen bytes, so", e = "\xE6\x97\xA5";
};

}  // namespace gdvar::test

template <>
struct gdvar::meta<gdvar::test::Gait> {
    static constexpr auto values =
        std::array{gdvar::value("walk", gdvar::test::Gait::walk),
                   gdvar::value("run very fast indeed", gdvar::test::Gait::run_very_fast_indeed)};
};

namespace gdvar::test {
namespace {

std::vector<std::byte> copy_of(ByteView bytes) {
    return {bytes.begin(), bytes.end()};
}

/// Writers of one value, so that the expectations are no template.
struct Writing {
    template <class T>
    Writing(const T& value, const EncodeOptions& options)
        : fresh([&] { return encode(value, options); }),
          counted([&] { return encoded_size(value, options); }),
          behind([&](PackedByteArray& to) { return encode_to(to, value, options); }),
          into([&](std::span<std::byte> to) { return encode_to(to, value, options); }) {}
    std::function<std::expected<PackedByteArray, Error>()> fresh;
    std::function<std::expected<std::size_t, Error>()> counted;
    std::function<std::expected<std::size_t, Error>(PackedByteArray&)> behind;
    std::function<std::expected<std::size_t, Error>(std::span<std::byte>)> into;
};

/// Into a buffer that has `free` bytes behind what is in it already.
void into_buffer(const Writing& write, ByteView whole, std::size_t free) {
    constexpr std::size_t before = 5;
    PackedByteArray to;
    to.reserve(before + free);
    to.resize(before);
    const auto size = write.behind(to);
    ASSERT_TRUE(size) << free;
    ASSERT_EQ(*size, whole.size()) << free;
    ASSERT_EQ(copy_of(as_bytes(to).subspan(before)), copy_of(whole)) << free;
}

/// Into a span of `n` bytes, behind which others lie that are not its own.
void into_span(const Writing& write, ByteView whole, std::size_t n) {
    constexpr auto untouched = std::byte{0xA5};
    std::vector<std::byte> room(n + 64, untouched);
    const auto size = write.into(std::span(room).first(n));
    for (std::size_t i = n; i < room.size(); ++i)
        ASSERT_EQ(room[i], untouched) << n << " + " << i - n;
    ASSERT_EQ(size.has_value(), n >= whole.size()) << n;
    if (size) {
        ASSERT_EQ(*size, whole.size()) << n;
        ASSERT_EQ(copy_of(ByteView(room).first(*size)), copy_of(whole)) << n;
        return;
    }
    ASSERT_EQ(size.error().code, Errc::buffer_full) << n;
    ASSERT_GE(size.error().need, 1u) << n;
    ASSERT_LE(n + size.error().need, whole.size()) << n;
    const auto done = static_cast<std::size_t>(size.error().offset);
    ASSERT_LE(done, n);
    ASSERT_EQ(copy_of(ByteView(room).first(done)), copy_of(whole.first(done))) << n;
}

void outputs_agree(const Writing& write) {
    const auto whole = write.fresh();
    const auto counted = write.counted();
    ASSERT_EQ(whole.has_value(), counted.has_value());
    std::vector<std::byte> room(1 << 16);
    if (!whole) {
        ASSERT_EQ(whole.error(), counted.error());
        const auto size = write.into(std::span(room));
        ASSERT_FALSE(size);
        if (size.error().code != Errc::buffer_full) {
            ASSERT_EQ(whole.error(), size.error());
        }
        return;
    }
    ASSERT_EQ(*counted, whole->size());
    const ByteView bytes = as_bytes(*whole);
    const std::size_t n = bytes.size(), all = 320;
    for (std::size_t i = n > all ? n - 4 : 0; i <= n + 48; ++i) {
        into_span(write, bytes, i);
        into_buffer(write, bytes, i);
    }
}
template <class T>
void outputs_agree(const T& value, const EncodeOptions& options) {
    outputs_agree(Writing(value, options));
}

TEST(Outputs, AgreeOnRecordedValuesInEveryDialect) {
    std::size_t values = 0;
    for (const Recording& recording : recordings) {
        for (const Vector& vector : vectors_of(recording)) {
            const auto value = decode(vector.bytes, reading(*recording.dialect));
            if (!value)
                continue;
            ++values;
            SCOPED_TRACE(recording.engine + (" " + vector.name));
            for (const Dialect* dialect : all_dialects()) {
                // Every byte in its own dialect; elsewhere what few of the recordings tell.
                if (dialect != recording.dialect && values % 16 != 0)
                    continue;
                outputs_agree(*value, writing(*dialect));
                if (dialect->documented)
                    outputs_agree(*value, EncodeOptions{.dialect = dialect, .real_width = 8});
                if (HasFatalFailure())
                    return;
            }
        }
    }
    EXPECT_GT(values, 1000u);
}

TEST(Outputs, AgreeOnManyPlainValuesInARow) {
    // Room is made for many at once: each kind is to be the one at which it ends.
    const Variant kinds[] = {nullptr,
                             true,
                             1,
                             std::int64_t{1} << 40,
                             0.5,
                             0.1,
                             "",
                             "short",
                             "fifteen bytes..",
                             "thirty-two bytes, no more of it.",
                             "thirty-three bytes, so by itself.",
                             "\xC3\xA4",
                             Vector2{1, 2},
                             Color{1, 2, 3, 4},
                             Vector3d{1, 2, 3},
                             StringName("name"),
                             Array{},
                             Dictionary{}};
    for (const Dialect* dialect : all_dialects()) {
        SCOPED_TRACE(dialect->name);
        for (const Variant& kind : kinds) {
            for (std::size_t before = 0; before < 4; ++before) {
                Array row;
                for (std::size_t i = 0; i < before; ++i)
                    row.push_back("1234567890123");
                for (std::size_t i = 0; i < 6; ++i)
                    row.push_back(kind);
                row.push_back(Array{kind, Dictionary{{kind, row}}});
                outputs_agree(Variant(row), writing(*dialect));
                if (HasFatalFailure())
                    return;
            }
        }
    }
}

TEST(Outputs, AgreeOnStructs) {
    for (const Dialect* dialect : all_dialects()) {
        SCOPED_TRACE(dialect->name);
        for (const std::uint8_t width : {std::uint8_t{4}, std::uint8_t{8}}) {
            const EncodeOptions options{.dialect = dialect, .real_width = width};
            outputs_agree(Parts{}, options);
            outputs_agree(std::vector<Numbers>(3), options);
            outputs_agree(Texts{}, options);
            // A refusal in the middle of fields that are written together.
            Parts refused;
            refused.held = "\xFF";
            outputs_agree(refused, options);
            refused = {};
            refused.large = ~0ull;
            outputs_agree(refused, options);
            if (HasFatalFailure())
                return;
        }
    }
}

TEST(Outputs, AgreeOnItemsInARow) {
    for (const Dialect* dialect : all_dialects()) {
        SCOPED_TRACE(dialect->name);
        for (const std::uint8_t width : {std::uint8_t{4}, std::uint8_t{8}}) {
            const EncodeOptions options{.dialect = dialect, .real_width = width};
            outputs_agree(Rows{}, options);
            if (HasFatalFailure())
                return;
        }
    }
    const Rows rows;
    const EncodeOptions plain;
    const Writing writing_rows(rows, plain);
    const auto whole = writing_rows.fresh();
    ASSERT_TRUE(whole);
    for (std::size_t n = 0; n <= whole->size(); ++n) {
        into_span(writing_rows, as_bytes(*whole), n);
        if (HasFatalFailure())
            return;
    }
}

TEST(Outputs, AgreeOnAnItemThatIsRefused) {
    std::vector<std::uint64_t> values(200, 7);
    values[130] = ~0ull;
    constexpr std::size_t at = 8 + 130 * 8;
    const Error refused{Errc::number_out_of_range, Type::integer, at, 0};
    outputs_agree(values, {});
    const auto whole = encode(values);
    ASSERT_FALSE(whole);
    EXPECT_EQ(whole.error(), refused);
    for (std::size_t n = 0; n < at + 16; ++n) {
        std::vector<std::byte> room(n);
        const auto size = encode_to(std::span(room), values);
        ASSERT_FALSE(size);
        EXPECT_EQ(size.error().code, n < at ? Errc::buffer_full : Errc::number_out_of_range) << n;
    }
    PackedByteArray kept{1, 2, 3};
    ASSERT_FALSE(encode_to(kept, values));
    EXPECT_EQ(kept, (PackedByteArray{1, 2, 3}));
    EXPECT_EQ(error_path(values, {}, refused), "$[130]");
}

TEST(Outputs, AFreshPacketKeepsNoMoreThanTwiceItsSize) {
    for (std::size_t n = 1; n < 2'000'000; n += n / 5 + 1) {
        const auto from_struct = encode(Untyped<std::vector<std::int32_t>>{std::vector(n, 1)});
        ASSERT_TRUE(from_struct);
        EXPECT_LE(from_struct->capacity(), std::max<std::size_t>(4096, 2 * from_struct->size()));
        Array items;
        for (std::size_t i = 0; i < n; ++i)
            items.push_back(Variant(std::int64_t{1}));
        const auto from_variant = encode(Variant(std::move(items)));
        ASSERT_TRUE(from_variant);
        EXPECT_EQ(*from_variant, *from_struct);
        EXPECT_LE(from_variant->capacity(), std::max<std::size_t>(4096, 2 * from_variant->size()));
    }
}

}  // namespace
}  // namespace gdvar::test
