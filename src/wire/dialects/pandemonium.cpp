// Pandemonium: data only. Sources: its full history from v3.5.0 to v5.3-dev, and a running
// 5.3-dev (wire-format 1.2, 2.9).
#include "rows.hpp"

// The tables are laid out by hand: a row a line.
// clang-format off
namespace gdvar::dialects {
namespace {
using namespace gdvar::rows;

constexpr Dialect base(std::string_view name, std::string_view alias, std::string_view title,
                       std::array<std::uint8_t, 2> first, std::array<std::uint8_t, 2> last) {
    return {.name = name,
            .alias = alias,
            .title = title,
            .releases = {"pandemonium", first, last},
            .family = TextFamily::pandemonium};
}

constexpr Dialect from_3_8(Dialect dialect, bool typed) {
    dialect = with(
        dialect,
        {
            nothing(Type::nil),
            boolean(),
            integer(),
            real(),
            string(),
            math(Type::rect2),
            math(Type::rect2i),
            math(Type::vector2),
            math(Type::vector2i),
            math(Type::vector3),
            math(Type::vector3i),
            miscounted(math(Type::vector4), 12, 0,
                       "the reader counts 12 of the 16 bytes: what follows in a container is misread"),
            miscounted(math(Type::vector4i), 12, 0,
                       "the reader counts 12 of the 16 bytes: what follows in a container is misread"),
            math(Type::plane),
            math(Type::quaternion),
            math(Type::aabb),
            math(Type::basis),
            math(Type::transform3d, "Transform"),
            math(Type::transform2d),
            miscounted(math(Type::projection), 0, 248,
                       "the reader demands 248 bytes after the header, though it uses 64"),
            math(Type::color),
            node_path(),
            nothing(Type::rid),
            object(),
            string_name(),
            dictionary(),
            array(),
        });
    if (typed)
        dialect = and_then(dialect,
                           {
                               typed_array(Type::array, "TypedArray"),
                               typed_array(Type::packed_typed_array, "PackedTypedArray"),
                           });
    return and_then(
        dialect, {
                     packed(Type::packed_byte_array, "PoolByteArray"),
                     packed(Type::packed_int32_array, "PoolIntArray"),
                     packed(Type::packed_float32_array, "PoolRealArray"),
                     packed_strings("PoolStringArray"),
                     packed(Type::packed_vector2_array, "PoolVector2Array"),
                     packed(Type::packed_vector2i_array, "PoolVector2iArray"),
                     packed(Type::packed_vector3_array, "PoolVector3Array"),
                     packed(Type::packed_vector3i_array, "PoolVector3iArray"),
                     noted(packed(Type::packed_vector4_array, "PoolVector4Array"),
                           "the reader puts z into w"),
                     noted(packed(Type::packed_vector4i_array, "PoolVector4iArray"),
                           "the writer puts z into w, and so does the reader: w is lost"),
                     packed(Type::packed_color_array, "PoolColorArray"),
                 });
}

}  // namespace

constexpr Dialect pandemonium_5 = from_3_8(
    base("pandemonium-5", "pandemonium", "Pandemonium 5", {5, 0}, {5, Releases::any}), true);
constexpr Dialect pandemonium_3_8 = from_3_8(
    base("pandemonium-3.8", "", "Pandemonium 3.8 to 4.9", {3, 8}, {4, Releases::any}), false);
constexpr Dialect pandemonium_3_5 = with(
    base("pandemonium-3.5", "", "Pandemonium 3.5 to 3.7", {3, 5}, {3, 7}),
    {
        nothing(Type::nil),
        boolean(),
        integer(),
        real(),
        string(),
        math(Type::vector2),
        math(Type::vector2i),
        math(Type::rect2),
        math(Type::rect2i),
        math(Type::vector3),
        math(Type::vector3i),
        math(Type::transform2d),
        math(Type::plane),
        math(Type::quaternion),
        math(Type::aabb),
        math(Type::basis),
        math(Type::transform3d, "Transform"),
        math(Type::color),
        node_path(),
        nothing(Type::rid),
        object(),
        string_name(),
        dictionary(),
        array(),
        packed(Type::packed_byte_array, "PoolByteArray"),
        packed(Type::packed_int32_array, "PoolIntArray"),
        packed(Type::packed_float32_array, "PoolRealArray"),
        packed_strings("PoolStringArray"),
        packed(Type::packed_vector2_array, "PoolVector2Array"),
        packed(Type::packed_vector2i_array, "PoolVector2iArray"),
        packed(Type::packed_vector3_array, "PoolVector3Array"),
        packed(Type::packed_vector3i_array, "PoolVector3iArray"),
        packed(Type::packed_color_array, "PoolColorArray"),
    });

}  // namespace gdvar::dialects
// clang-format on
