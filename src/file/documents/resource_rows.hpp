// How binary resources store Variants: a row for each id, with the format versions that have it.
// Room: file, private. Rules: wire-format 8.3.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>

#include "gdvar/wire/type.hpp"

namespace gdvar::detail {

/// The bytes behind the id of a value.
enum class ResourceShape : std::uint8_t {
    absent,  ///< there is no such id
    nothing,
    boolean,    ///< u32
    integer,    ///< i32
    rid,        ///< u32, which engines read as an int
    integer64,  ///< i64
    real,       ///< real_t
    real64,     ///< f64
    string,     ///< text
    math,       ///< components of real_t or i32
    node_path,  ///< u16 names, u16 subnames, then names
    object,     ///< u32 kind, then a number or texts
    dictionary,
    array,
    typed_array,  ///< Pandemonium: u8 type, class, count, values
    packed,       ///< count, elements; bytes are padded to a multiple of four
    packed_strings,
    image  ///< Godot 1 and 2
};

/// One id in one family of formats.
struct ResourceRow {
    std::uint8_t id;
    ResourceShape shape;
    Type type;
    bool single = false;  ///< components have 32 bits whatever real_t has
};

namespace resource_rows {

using enum ResourceShape;

/// In every format. Those from 40 on came with format 2.
inline constexpr ResourceRow common[] = {
    {1, nothing, Type::nil},
    {2, boolean, Type::boolean},
    {3, integer, Type::integer},
    {4, real, Type::real},
    {5, string, Type::string},
    {10, math, Type::vector2},
    {11, math, Type::rect2},
    {12, math, Type::vector3},
    {13, math, Type::plane},
    {14, math, Type::quaternion},
    {15, math, Type::aabb},
    {16, math, Type::basis},
    {17, math, Type::transform3d},
    {18, math, Type::transform2d},
    {20, math, Type::color, true},
    {22, node_path, Type::node_path},
    {23, rid, Type::integer},
    {24, object, Type::object},
    {26, dictionary, Type::dictionary},
    {30, array, Type::array},
    {31, packed, Type::packed_byte_array},
    {32, packed, Type::packed_int32_array},
    {33, packed, Type::packed_float32_array},
    {34, packed_strings, Type::packed_string_array},
    {35, packed, Type::packed_vector3_array},
    {36, packed, Type::packed_color_array, true},
    {37, packed, Type::packed_vector2_array},
    {40, integer64, Type::integer},
    {41, real64, Type::real},
};

/// Formats 0 to 3: Godot 1 to 3, and Pandemonium, which alone has those from 42 on.
inline constexpr ResourceRow old[] = {
    {21, image, Type::image},
    {42, math, Type::vector2i},
    {43, math, Type::rect2i},
    {44, math, Type::vector3i},
    {45, packed, Type::packed_vector3i_array},
    {46, packed, Type::packed_vector2i_array},
    {47, string, Type::string_name},
    {48, math, Type::vector4},
    {49, math, Type::vector4i},
    {50, math, Type::projection},
    {51, packed, Type::packed_vector4_array},
    {52, packed, Type::packed_vector4i_array},
    {53, typed_array, Type::array},
    {54, typed_array, Type::packed_typed_array},
};
inline constexpr std::uint8_t first_of_pandemonium = 42;

/// Formats 4 to 6: Godot 4. The last one came with format 6.
inline constexpr ResourceRow godot_4[] = {
    {42, nothing, Type::callable},
    {43, nothing, Type::signal},
    {44, string, Type::string_name},
    {45, math, Type::vector2i},
    {46, math, Type::rect2i},
    {47, math, Type::vector3i},
    {48, packed, Type::packed_int64_array},
    {49, packed, Type::packed_float64_array},
    {50, math, Type::vector4},
    {51, math, Type::vector4i},
    {52, math, Type::projection},
    {53, packed, Type::packed_vector4_array},
};

using Index = std::array<ResourceRow, 64>;

template <std::size_t n>
constexpr Index index_of(const ResourceRow (&own)[n]) {
    Index out{};
    for (const ResourceRow& row : common)
        out[row.id] = row;
    for (const ResourceRow& row : own)
        out[row.id] = row;
    return out;
}
inline constexpr Index old_index = index_of(old), godot_4_index = index_of(godot_4);

}  // namespace resource_rows

/// The row of an id in files of that format; null if there is none.
constexpr const ResourceRow* resource_row(std::uint32_t id, std::uint32_t format) noexcept {
    const auto& index = format >= 4 ? resource_rows::godot_4_index : resource_rows::old_index;
    return id < index.size() && index[id].shape != ResourceShape::absent ? &index[id] : nullptr;
}

}  // namespace gdvar::detail
