// Values and errors in streams and in std::format.
#include "gdvar/text/format.hpp"

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "gdvar/value/codec.hpp"

namespace gdvar::test {
namespace {

template <class T>
std::string streamed(const T& value) {
    std::ostringstream out;
    out << std::setw(8) << std::setfill('.') << value;
    return out.str();
}

TEST(Format, Streams) {
    Variant v = Dictionary{{"a", Array{1, 2.5, "x"}}};
    EXPECT_EQ(streamed(v), to_text_full(v).value());
    EXPECT_EQ(streamed(v["a"]), to_text_full(v["a"]).value());
    EXPECT_EQ(streamed(v["b"][2]), R"(error[missing_key]: no key "b")");
    EXPECT_EQ(streamed(std::as_const(v)["a"][7]),
              "error[index_out_of_range]: no element 7: there are 3");
    EXPECT_EQ(streamed(Variant(5)), ".......5");
    EXPECT_EQ(streamed(String("ab")), "......ab");
    EXPECT_EQ(streamed(StringName("ab")), "......ab");
    EXPECT_EQ(streamed(NodePath("/root/A:b")), "/root/A:b");
    EXPECT_EQ(streamed(Type::vector3), ".Vector3");
    EXPECT_EQ(streamed(Vector3{1, 2.5, 3}), "Vector3(1, 2.5, 3)");
    EXPECT_EQ(streamed(Array{1, "x"}), "[1, \"x\"]");
    EXPECT_EQ(streamed(Dictionary{{"a", nullptr}}), "{\"a\": null}");
    EXPECT_EQ(streamed(PackedInt32Array{1, 2}), "PackedInt32Array(1, 2)");
    EXPECT_EQ(streamed(Errc::truncated), "truncated");
    EXPECT_EQ(streamed(Error{.code = Errc::io}), to_string(Error{.code = Errc::io}));
    const Document document = Document::parse(encode(v).value()).value();
    EXPECT_EQ(streamed(document.root()), to_text_full(v).value());
    EXPECT_EQ(streamed(document["b"]["c"]), R"(error[missing_key]: no key "b")");
}

#if defined(__cpp_lib_format)
TEST(Format, Formats) {
    Variant v = Array{1, "x"};
    EXPECT_EQ(std::format("{}", v), to_text_full(v).value());
    EXPECT_EQ(std::format("{:>6}|{:<4}|", v[0], String("ab")), "     1|ab  |");
    EXPECT_EQ(std::format("{}", v[7]), "error[index_out_of_range]: no element 7: there are 2");
    EXPECT_EQ(std::format("{}", Errc::truncated), "truncated");
}
#endif

}  // namespace
}  // namespace gdvar::test
