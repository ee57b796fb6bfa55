// The words of an Error, which are safe to print.
#include "gdvar/wire/error.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gdvar/value/codec.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar {
namespace {

TEST(ErrorText, NamesWhatIsMissing) {
    EXPECT_EQ(to_string(Error{Errc::missing_key, Type::dictionary, 8}.about_key("child")),
              "error[missing_key]: no key \"child\"");
    EXPECT_EQ(to_string(Error{Errc::missing_key, Type::dictionary, 8, 0, "child"}),
              "error[missing_key]: no key \"child\"");
    EXPECT_EQ(to_string(Error{Errc::missing_key}.about_key("")), "error[missing_key]: no key \"\"");
    EXPECT_EQ(to_string(Error{Errc::index_out_of_range, Type::array}.about_index(-4, 3)),
              "error[index_out_of_range]: no element -4: there are 3");
    EXPECT_EQ(to_string(Error{Errc::missing_key, Type::dictionary}),
              "error[missing_key]: The Dictionary or Object does not have the key (Dictionary)");
    EXPECT_EQ(to_string(Error{Errc::unknown_key}.about_key("hq")),
              "error[unknown_key]: nothing is bound to the key \"hq\"");
    EXPECT_EQ(to_string(Error{Errc::repeated_key}.about_key("hp")),
              "error[repeated_key]: the key \"hp\" is there more than once");
    EXPECT_EQ(to_string(Error{Errc::objects_forbidden, Type::object}.about_key("Node")),
              "error[objects_forbidden]: an Object of class \"Node\", while allow_objects is off");
    EXPECT_EQ(to_string(Error{Errc::unknown_type}.about_type_id(123)),
              "error[unknown_type]: the dialect has no type 123");
}

TEST(ErrorText, SaysExpectedAndFound) {
    const Error error{Errc::wrong_type, Type::string};
    EXPECT_EQ(to_string(error.about_types(Type::integer)),
              "error[wrong_type]: expected an int, found a String");
    EXPECT_EQ(to_string(error.about_types(Type::integer, Type::real).in_field("hp")),
              "error[wrong_type]: hp: expected an int or a float, found a String");
    EXPECT_EQ(to_string(Error{Errc::wrong_type, Type::array}.about_key("hp").about_types(
                  Type::dictionary)),
              "error[wrong_type]: expected a Dictionary for \"hp\", found an Array");
    EXPECT_EQ(to_string(Error{Errc::wrong_type, Type::nil}.about_types(0b111110)),
              "error[wrong_type]: expected a bool, an int, a float, a String, ..., found null");
    EXPECT_EQ(to_string(error.about_types(~std::uint64_t{0})), to_string(error));
}

TEST(ErrorText, SaysValueAndRange) {
    const Error error{Errc::number_out_of_range, Type::integer};
    EXPECT_EQ(to_string(error.about_integer(300, 0, 255)),
              "error[number_out_of_range]: 300 is not in 0 to 255");
    EXPECT_EQ(to_string(error.about_integer(-129, -128, 127).in_field("x")),
              "error[number_out_of_range]: x: -129 is not in -128 to 127");
    EXPECT_EQ(to_string(error.about_natural(std::numeric_limits<std::uint64_t>::max(), 0, 9)),
              "error[number_out_of_range]: 18446744073709551615 is not in 0 to 9");
    EXPECT_EQ(to_string(error.about_real(1.5, 0, 1)),
              "error[number_out_of_range]: 1.5 is not in 0 to 1");
    EXPECT_EQ(to_string(error.about_fraction(1.5)),
              "error[number_out_of_range]: 1.5 is not a whole number");
    EXPECT_EQ(to_string(error.about_inexact(0.1)),
              "error[number_out_of_range]: 0.1 can't be held exactly");
    EXPECT_EQ(to_string(Error{Errc::length_out_of_range}.about_length(5, 3, 3)),
              "error[length_out_of_range]: a length of 5 is not 3");
    EXPECT_EQ(to_string(Error{Errc::length_out_of_range}.about_length(40, 0, 32).in_field("name")),
              "error[length_out_of_range]: name: a length of 40 is not in 0 to 32");
}

TEST(ErrorText, ListsChoicesAndNamesTheDialect) {
    EXPECT_EQ(
        to_string(Error{Errc::unknown_name, Type::string}.about_choices("foo", "join, leave, say")),
        "error[unknown_name]: \"foo\" is none of join, leave, say");
    const Error error{Errc::not_in_dialect, Type::vector4};
    EXPECT_EQ(to_string(error.about_dialect("godot-3.1")),
              "error[not_in_dialect]: godot-3.1 has no Vector4");
    EXPECT_EQ(to_string(error.about_dialect("godot-4.4").in_field("with 64-bit components")),
              "error[not_in_dialect]: godot-4.4 has no Vector4 with 64-bit components");
    EXPECT_EQ(to_string(error.about_dialect("my fork\x1b[31m")),
              "error[not_in_dialect]: \"my fork\\u001b[31m\" has no Vector4");
}

TEST(ErrorText, CopiesAndCutsForeignText) {
    std::string key = "a key that is longer than what fits";
    const Error error = Error{Errc::missing_key}.about_key(key);
    key.assign(key.size(), '?');
    EXPECT_EQ(to_string(error), "error[missing_key]: no key \"a key that is longer tha\"...");
    // Not through the middle of a character.
    const Error cut = Error{Errc::missing_key}.about_key("12345678901234567890123\xE2\x82\xAC");
    EXPECT_EQ(to_string(cut), "error[missing_key]: no key \"12345678901234567890123\"...");
    // Bytes that are no text at all.
    const Error bytes = Error{Errc::missing_key}.about_key(std::string(64, '\x80'));
    EXPECT_EQ(to_string(bytes).find('\x80'), std::string::npos);
}

TEST(ErrorText, EqualityLeavesTheWordsOut) {
    const Error error{Errc::missing_key, Type::dictionary, 8};
    EXPECT_EQ(error, error.about_key("child").in_field("x"));
    EXPECT_LE(sizeof(Error), 64u);
    static constexpr Error at_compile_time =
        Error{Errc::missing_key}.about_key("a").about_types(Type::array);
    static_assert(at_compile_time.about_text() == "a" && at_compile_time.expected_count == 1);
}

TEST(ErrorTable, EveryCodeHasItsRowAndKind) {
    for (const ErrorInfo& row : error_table()) {
        EXPECT_EQ(&error_info(row.code), &row) << row.name;
        EXPECT_EQ(row.kind == ErrorKind::none, row.code == Errc::ok) << row.name;
        EXPECT_EQ(row.kind == ErrorKind::stopped, row.code == Errc::stopped) << row.name;
    }
    EXPECT_EQ(error_info(Errc::missing_key).kind, ErrorKind::request);
    EXPECT_EQ(error_info(static_cast<Errc>(9999)).code, Errc::ok);
    EXPECT_EQ(error_info(static_cast<Errc>(150)).code, Errc::ok);
    EXPECT_EQ(error_kind_name(ErrorKind::text), "text");
}

/// Has enough after the first element.
struct FirstElement : NullSink {
    std::int64_t first = 0;
    Errc integer(std::int64_t v) {
        first = v;
        return Errc::stopped;
    }
};

TEST(Stopping, IsNoRefusal) {
    Array items{7, 8};
    const auto bytes = encode(Variant(items));
    FirstElement sink;
    const auto size = read(as_bytes(*bytes), {}, sink);
    ASSERT_FALSE(size);
    EXPECT_EQ(size.error().code, Errc::stopped);
    EXPECT_EQ(sink.first, 7);
}

}  // namespace
}  // namespace gdvar
