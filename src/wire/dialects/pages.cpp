// The documentation page "Binary serialization API", each edition to the letter: data only. No
// engine writes these (wire-format 7).
#include "rows.hpp"

namespace gdvar::dialects {
namespace {
using namespace gdvar::rows;

constexpr Dialect page(std::string_view name, std::string_view title) {
    return {.name = name,
            .title = title,
            .type_mask = 0xFFFF,
            .matrix = MatrixOrder::columns,
            .string_array_nul = false,
            .node_path_text = true,
            .documented = true};
}

constexpr Dialect through_color(Dialect dialect, TypeRow integer_row, TypeRow real_row,
                                std::string_view quaternion = {}, std::string_view transform = {}) {
    return with(dialect, {
                             nothing(Type::nil, "null"),
                             boolean(),
                             integer_row,
                             real_row,
                             string(),
                             widened(math(Type::vector2)),
                             widened(math(Type::rect2)),
                             widened(math(Type::vector3)),
                             widened(math(Type::transform2d)),
                             widened(math(Type::plane)),
                             widened(math(Type::quaternion, quaternion)),
                             widened(math(Type::aabb)),
                             widened(math(Type::basis)),
                             widened(math(Type::transform3d, transform)),
                             widened(math(Type::color)),
                             node_path(),
                             unsupported(Type::rid),
                         });
}

constexpr Dialect tail_of_4(Dialect dialect, TypeRow object_row) {
    return and_then(dialect, {
                                 object_row,
                                 dictionary(),
                                 array(),
                                 packed(Type::packed_byte_array),
                                 packed(Type::packed_int32_array),
                                 packed(Type::packed_int64_array),
                                 packed(Type::packed_float32_array),
                                 packed(Type::packed_float64_array),
                                 packed_strings(),
                                 widened(packed(Type::packed_vector2_array)),
                                 widened(packed(Type::packed_vector3_array)),
                                 widened(packed(Type::packed_color_array)),
                             });
}

}  // namespace

constexpr Dialect page_3 = [] {
    Dialect dialect = page("page-3", "the page for Godot 3 and Pandemonium");
    dialect.family = TextFamily::godot_3_6;
    dialect.objects = ObjectForm::unsupported;
    return and_then(through_color(dialect, integer(), real(), "Quat", "Transform"),
                    {
                        unsupported(Type::object),
                        dictionary(),
                        array(),
                        packed(Type::packed_byte_array, "PoolByteArray"),
                        packed(Type::packed_int32_array, "PoolIntArray"),
                        packed(Type::packed_float32_array, "PoolRealArray"),
                        packed_strings("PoolStringArray"),
                        widened(packed(Type::packed_vector2_array, "PoolVector2Array")),
                        widened(packed(Type::packed_vector3_array, "PoolVector3Array")),
                        widened(packed(Type::packed_color_array, "PoolColorArray")),
                    });
}();

constexpr Dialect page_4 = [] {
    Dialect dialect = page("page-4", "the page for Godot 4");
    dialect.null_object_free = true;
    return tail_of_4(through_color(dialect, integer(), real()), object());
}();

constexpr Dialect page_4_dev = [] {
    Dialect dialect = page("page-4-dev", "the page in a Godot 4 development edition");
    dialect.objects = ObjectForm::unsupported;
    dialect.numbers = NumberWidth::eight_unflagged;
    return tail_of_4(through_color(dialect, unflagged(integer(), 8), unflagged(real(), 8)),
                     unsupported(Type::object));
}();

}  // namespace gdvar::dialects
