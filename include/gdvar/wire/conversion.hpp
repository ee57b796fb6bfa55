// The table of conversions from values to C++ types. View, Variant, Cursor and Bind all use it.
// docs/conversions.md is generated from the table here.
#pragma once

#include <cstdint>
#include <utility>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar GDVAR_EXPORT {

/// The check on a value that is converted to a C++ type. A failed check is number_out_of_range.
enum class Check : std::uint8_t {
    never,   ///< not converted: wrong_type
    none,    ///< always taken
    range,   ///< an int: within the range of the C++ type
    whole,   ///< a float: without fraction, within the range of int64_t, then as an int
    exact,   ///< an int: from -2^53 to 2^53, then as a float
    rounds,  ///< a float: float rounds to its nearest, within its range; NaN and infinities pass
    components,  ///< a math struct or an array of them: each component as a float
    elements,    ///< a packed array: each element like a single value
};

/// One row: values of the Type `from` are converted to C++ types that stand for the Type `to`.
/// Every bindable C++ type stands for one Type: bool, integer types (int), float and double
/// (float), std::string, std::string_view and String (String), StringName, a math struct of either
/// width, PackedArray<T>, std::vector and other sequences (Array), maps and structs (Dictionary),
/// ...
struct ConversionRow {
    Type from;
    Type to;
    Check check;
};
/// All rows. A pair without a row is Check::none if the Types are equal, else Check::never.
inline constexpr ConversionRow conversions[] = {
    {Type::integer, Type::integer, Check::range},
    {Type::real, Type::integer, Check::whole},
    {Type::real, Type::real, Check::rounds},
    {Type::integer, Type::real, Check::exact},
    {Type::string_name, Type::string, Check::none},
    {Type::string, Type::string_name, Check::none},
    {Type::vector2, Type::vector2, Check::components},
    {Type::rect2, Type::rect2, Check::components},
    {Type::vector3, Type::vector3, Check::components},
    {Type::transform2d, Type::transform2d, Check::components},
    {Type::vector4, Type::vector4, Check::components},
    {Type::plane, Type::plane, Check::components},
    {Type::quaternion, Type::quaternion, Check::components},
    {Type::aabb, Type::aabb, Check::components},
    {Type::basis, Type::basis, Check::components},
    {Type::transform3d, Type::transform3d, Check::components},
    {Type::projection, Type::projection, Check::components},
    {Type::color, Type::color, Check::components},
    {Type::packed_vector2_array, Type::packed_vector2_array, Check::components},
    {Type::packed_vector3_array, Type::packed_vector3_array, Check::components},
    {Type::packed_color_array, Type::packed_color_array, Check::components},
    {Type::packed_vector4_array, Type::packed_vector4_array, Check::components},
    {Type::packed_typed_array, Type::array, Check::none},
    {Type::packed_byte_array, Type::array, Check::elements},
    {Type::packed_int32_array, Type::array, Check::elements},
    {Type::packed_int64_array, Type::array, Check::elements},
    {Type::packed_float32_array, Type::array, Check::elements},
    {Type::packed_float64_array, Type::array, Check::elements},
    {Type::packed_string_array, Type::array, Check::elements},
    {Type::packed_vector2_array, Type::array, Check::elements},
    {Type::packed_vector3_array, Type::array, Check::elements},
    {Type::packed_color_array, Type::array, Check::elements},
    {Type::packed_vector4_array, Type::array, Check::elements},
    {Type::packed_vector2i_array, Type::array, Check::elements},
    {Type::packed_vector3i_array, Type::array, Check::elements},
    {Type::packed_vector4i_array, Type::array, Check::elements},
};

/// The table's check for a pair of Types.
constexpr Check conversion(Type from, Type to) noexcept {
    for (const ConversionRow& row : conversions)
        if (row.from == from && row.to == to)
            return row.check;
    return from == to ? Check::none : Check::never;
}

/// The Type of a packed array's elements as single values; nil for other Types.
constexpr Type packed_element(Type packed) noexcept {
    constexpr std::pair<Type, Type> elements[] = {
        {Type::packed_byte_array, Type::integer},
        {Type::packed_int32_array, Type::integer},
        {Type::packed_int64_array, Type::integer},
        {Type::packed_float32_array, Type::real},
        {Type::packed_float64_array, Type::real},
        {Type::packed_string_array, Type::string},
        {Type::packed_vector2_array, Type::vector2},
        {Type::packed_vector3_array, Type::vector3},
        {Type::packed_color_array, Type::color},
        {Type::packed_vector4_array, Type::vector4},
        {Type::packed_vector2i_array, Type::vector2i},
        {Type::packed_vector3i_array, Type::vector3i},
        {Type::packed_vector4i_array, Type::vector4i},
    };
    for (const auto& [array, element] : elements)
        if (array == packed)
            return element;
    return Type::nil;
}

}  // namespace gdvar
