// Cursor and struct binding against the other faces: same verdict, code and offset; and what is
// read into structs comes out the same.
#include <map>

#include "fast_path.hpp"
#include "gdvar/value/binding.hpp"
#include "gdvar/wire/cursor.hpp"
#include "gdvar/wire/validate.hpp"
#include "packet.hpp"

using namespace gdvar;

namespace {

struct Inner {
    std::string name;
    std::optional<int> count;
    std::vector<double> numbers;
};
struct Tagged {
    Tag<"a"> tag;
    std::int64_t value = 0;
};
struct Sample {
    std::optional<bool> flag;
    std::optional<std::uint8_t> small;
    std::optional<float> real;
    std::optional<std::string> text;
    std::optional<Vector3> a;
    std::optional<Transform3D> b;
    std::optional<std::vector<Inner>> items;
    std::optional<std::vector<Vector2>> points;
    std::optional<std::vector<std::string>> names;
    std::optional<std::map<std::string, Variant>> rest;
    std::optional<
        std::variant<std::int64_t, std::vector<std::variant<Tagged, Inner, Variant>>, Inner>>
        either;
};
struct Tree {
    std::optional<Variant> key;
    std::vector<Tree> children;
};

/// Reads whatever comes, by hand.
std::expected<std::size_t, Error> by_hand(ByteView bytes, const DecodeOptions& options) {
    Cursor cursor(bytes, options);
    std::size_t depth = 0;
    do {
        const Event& event = cursor.next();
        depth += event.type == Type::array || event.type == Type::dictionary ||
                 event.type == Type::packed_typed_array ||
                 (event.type == Type::object && event.object == ObjectKind::full);
        for (; cursor && depth && !cursor.more(); --depth)
            cursor.end();
        if (cursor.at_property())
            (void)cursor.property();
    } while (cursor && depth);
    return cursor.finish();
}

void same(const std::expected<std::size_t, Error>& got,
          const std::expected<std::size_t, Error>& expected, const char* law) {
    fuzz::require(got.has_value() == expected.has_value(), law);
    fuzz::require(got ? *got == *expected : got.error() == expected.error(), law);
}

template <class T>
void into(const fuzz::Input& input, bool sound) {
    T value{};
    const auto size = decode_to(value, input.bytes, input.decoding);
    fuzz::require(sound || !size, "no struct is read from bytes that are not sound");
    if (!size) {
        fuzz::require(size.error().offset <= input.bytes.size(), "the offset lies in the bytes");
        fuzz::require(error_path(input.bytes, input.decoding, size.error())[0] == '$', "a path");
        return;
    }
    const auto packet = encode(value, input.encoding);
    if (!packet)
        return;  // a type that this dialect reads and does not write
    fuzz::require(*encoded_size(value, input.encoding) == packet->size(), "encoded_size");
    DecodeOptions again = input.decoding;
    again.strict = false;
    const auto back = decode<T>(as_bytes(*packet), again);
    fuzz::require(back.has_value(), "what was written is read");
    fuzz::require(*encode(*back, input.encoding) == *packet, "and is the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Input input(data, size);
    const auto by_reader = read(input.bytes, input.decoding, NullSink{});
    same(by_hand(input.bytes, input.decoding), by_reader, "Cursor agrees with the Reader");
    {
        Cursor cursor(input.bytes, input.decoding);
        NullSink nothing;
        cursor.drive(nothing);
        same(cursor.finish(), by_reader, "Cursor::drive agrees with the Reader");
    }
    const auto checked = validate(input.bytes, input.decoding);
    Variant tree;
    same(decode_to(tree, input.bytes, input.decoding), checked,
         "a bound Variant agrees with validate");
    std::variant<std::vector<Variant>, std::map<std::string, Variant>, Variant> open;
    same(decode_to(open, input.bytes, input.decoding), checked,
         "a bound std::variant agrees with validate");
    into<Sample>(input, checked.has_value());
    into<std::vector<Sample>>(input, checked.has_value());
    into<Tree>(input, checked.has_value());
    into<std::map<std::string, Inner>>(input, checked.has_value());
    fuzz::fast_path(input);
    return 0;
}
