// Compiled by compile_fail_test.py, with one wrong thing at a time.
#include <functional>
#include <memory>
#include <stack>

#include "gdvar/value/binding.hpp"

struct Release {
    void operator()(int* owned) const;
};
struct Parent {
#ifdef BASE
    int id = 0;
#endif
};

struct Sound
#if defined(BASE) || defined(EMPTY_BASE)
    : Parent
#endif
{
    int hp = 0;
#ifdef POINTER
    int* next = nullptr;
#endif
#ifdef FUNCTION
    std::function<void()> call;
#endif
#ifdef DELETER
    std::unique_ptr<int, Release> pooled;
#endif
#ifdef STACK
    std::stack<int> tags;
#endif
#ifdef CHARACTER
    char letter = 'a';
#endif
#ifdef BYTE
    std::byte byte{};
#endif
#ifdef C_ARRAY
    std::string name;
    float position[3];
    int level = 0;
#endif
#ifdef LAST_C_ARRAY
    char name[64];
#endif
#ifdef MANY
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9;
#endif
};

struct Named {
    int first = 0;
    int second = 0;
};
enum class Mood { calm, wild };
template <>
struct gdvar::meta<Named> {
    static constexpr auto fields = std::tuple(gdvar::field("first", &Named::first)
#if defined(SAME_NAMES)
                                                  ,
                                              gdvar::field("first", &Named::second)
#elif !defined(LEFT_OUT)
                                                  ,
                                              gdvar::field("second", &Named::second)
#if defined(SAME_ALIAS)
                                                  .aliases("other", "first")
#endif
#endif
    );
};
template <>
struct gdvar::meta<Mood> {
#ifdef SAME_VALUES
    static constexpr auto values =
        std::array{gdvar::value("calm", Mood::calm), gdvar::value("calm", Mood::wild)};
#else
    static constexpr auto values =
        std::array{gdvar::value("calm", Mood::calm), gdvar::value("wild", Mood::wild)};
#endif
};
#if defined(RANGE_OF_TEXT) || defined(UNREADABLE)
struct Limited {
    std::string text;
    const int fixed = 0;
};
template <>
struct gdvar::meta<Limited> {
#ifdef RANGE_OF_TEXT
    static constexpr auto fields = std::tuple(gdvar::field("text", &Limited::text).range(1, 16));
    static constexpr auto left_out = std::tuple(&Limited::fixed);
#else
    static constexpr auto fields =
        std::tuple(gdvar::field("text", &Limited::text), gdvar::field("fixed", &Limited::fixed));
#endif
};
#endif
struct Row {
    int id = 0;
    gdvar::Dictionary more;
};
enum class Size { small, large };
#ifdef MISSPELT_VALUES
template <>
struct gdvar::meta<Size> {
    static constexpr auto value = std::array{gdvar::value("small", Size::small)};
};
#endif
#ifdef MISSPELT_FIELDS
template <>
struct gdvar::meta<Row> {
    static constexpr auto field = std::tuple(gdvar::field("id", &Row::id));
};
#endif
#ifdef MISSPELT_OPTION
template <>
struct gdvar::meta<Row> {
    static constexpr gdvar::StructOptions<Row> options{.unknow_keys = gdvar::UnknownKeys::refuse};
};
#endif
#ifdef OPTIONS_BESIDE
template <>
struct gdvar::meta<Row> {
    static constexpr auto unknown_keys = gdvar::UnknownKeys::refuse;
    static constexpr auto fields =
        std::tuple(gdvar::field("id", &Row::id), gdvar::field("more", &Row::more));
};
#endif
#ifdef OTHER_OPTIONS
template <>
struct gdvar::meta<Row> {
    static constexpr gdvar::BindOptions options{};
};
#endif
#ifdef ARRAY_WITH_REST
template <>
struct gdvar::meta<Row> {
    static constexpr auto fields = std::tuple(gdvar::field("id", &Row::id));
    static constexpr auto rest = &Row::more;
    static constexpr gdvar::StructOptions<Row> options{.as_array = true};
};
#endif
enum class Pid : std::uint32_t {};
class Tag32 {
public:
    Tag32() = default;
    explicit Tag32(std::int32_t value) : value_(value) {}
    explicit operator std::int64_t() const { return value_; }

private:
    std::int32_t value_ = 0;
};
template <>
struct gdvar::Bind<Pid> : gdvar::BindAs<Pid, std::int64_t> {};
template <>
struct gdvar::Bind<Tag32> : gdvar::BindAs<Tag32, std::int64_t> {};
struct Undefaulted {
    explicit Undefaulted(int value) : id(value) {}
    int id;
};
template <>
struct gdvar::meta<Undefaulted> {
    static constexpr auto fields = std::tuple(gdvar::field("id", &Undefaulted::id));
};
struct Borrowed {
    std::vector<std::string_view> names;
    std::vector<Borrowed> more;
};

int main() {
    const gdvar::PackedByteArray bytes;
#if defined(DANGLING_ROOT)
    return gdvar::Document::parse(gdvar::as_bytes(bytes)).value().root().is_nil();
#elif defined(DANGLING_KEY)
    return gdvar::Document()["key"].is_nil();
#elif defined(DANGLING_OPTIONS)
    gdvar::CountOutput output;
    gdvar::Encoder<gdvar::CountOutput> encoder(output, gdvar::EncodeOptions{});
#endif
#if defined(NO_DEFAULT)
    return gdvar::decode<Undefaulted>(gdvar::as_bytes(bytes)).has_value();
#elif defined(NO_DEFAULT_ELEMENT)
    return gdvar::decode<std::vector<Undefaulted>>(gdvar::as_bytes(bytes)).has_value();
#elif defined(CUT_ENUM)
    return gdvar::decode<Pid>(gdvar::as_bytes(bytes)).has_value();
#elif defined(CUT_CLASS)
    return gdvar::decode<Tag32>(gdvar::as_bytes(bytes)).has_value();
#elif defined(RANGE_OF_TEXT) || defined(UNREADABLE)
    return gdvar::decode<Limited>(gdvar::as_bytes(bytes)).has_value();
#elif defined(BORROWED)
    return gdvar::Variant().get<Borrowed>().has_value();
#endif
    Undefaulted there(1);
    Mood mood{};
    Named named;
    if (!gdvar::decode_to(there, gdvar::as_bytes(bytes)) ||
        !gdvar::decode_to(mood, gdvar::as_bytes(bytes)) ||
        !gdvar::decode_to(named, gdvar::as_bytes(bytes)))
        return 1;
    if (!gdvar::encode(Row()) || !gdvar::encode(Size::small))
        return 1;
    Sound sound;
    return gdvar::decode_to(sound, gdvar::as_bytes(bytes)) && gdvar::encode(sound);
}
