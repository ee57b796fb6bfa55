// Godot 3 and Godot 2: data only. Sources: marshalls.cpp of every tag from 1.0 to 3.2.2, of 3.5.3
// and 3.6; running 3.2.3 and 3.6.2 (wire-format 1.2, 2, 2.10).
#include "rows.hpp"

// The tables are laid out by hand: a row a line.
// clang-format off
namespace gdvar::dialects {
namespace {
using namespace gdvar::rows;

constexpr Dialect godot_3(Dialect dialect) {
    dialect.family = TextFamily::godot_3_6;
    dialect.utf8 = Utf8Rule::lenient;
    return with(dialect, {
                             nothing(Type::nil),
                             boolean(),
                             integer(),
                             real("float"),
                             string(),
                             math(Type::vector2),
                             math(Type::rect2),
                             math(Type::vector3),
                             math(Type::transform2d),
                             math(Type::plane),
                             math(Type::quaternion, "Quat"),
                             math(Type::aabb),
                             math(Type::basis),
                             math(Type::transform3d, "Transform"),
                             math(Type::color),
                             node_path(),
                             nothing(Type::rid),
                             object(),
                             dictionary(),
                             array(),
                             packed(Type::packed_byte_array, "PoolByteArray"),
                             packed(Type::packed_int32_array, "PoolIntArray"),
                             packed(Type::packed_float32_array, "PoolRealArray"),
                             packed_strings("PoolStringArray"),
                             packed(Type::packed_vector2_array, "PoolVector2Array"),
                             packed(Type::packed_vector3_array, "PoolVector3Array"),
                             packed(Type::packed_color_array, "PoolColorArray"),
                         });
}

}  // namespace

constexpr Dialect godot_3_1 =
    godot_3({.name = "godot-3.1",
             .alias = "godot3",
             .title = "Godot 3.1 to 3.6",
             .releases = {"godot", {3, 1}, {3, 6}}});

constexpr Dialect godot_3_0 = [] {
    Dialect dialect = godot_3({.name = "godot-3.0",
                               .title = "Godot 3.0",
                               .releases = {"godot", {3, 0}, {3, 0}},
                               .numbers = NumberWidth::wide_integers});
    dialect.family = TextFamily::godot_3_2;
    return dialect;
}();

constexpr Dialect godot_2 = with(
    {.name = "godot-2",
     .title = "Godot 1.0 to 2.1",
     .releases = {"godot", {1, 0}, {2, 1}},
     .family = TextFamily::godot_2,
     .type_mask = 0xFFFF'FFFFu,
     .numbers = NumberWidth::narrow,
     .utf8 = Utf8Rule::lenient,
     .objects = ObjectForm::header_only,
     .node_path_property = true},
    {
        nothing(Type::nil),
        boolean(),
        unflagged(integer(), 4),
        unflagged(real("real"), 4),
        string(),
        math(Type::vector2),
        math(Type::rect2),
        math(Type::vector3),
        math(Type::transform2d, "Matrix32"),
        math(Type::plane),
        math(Type::quaternion, "Quat"),
        math(Type::aabb),
        math(Type::basis, "Matrix3"),
        math(Type::transform3d, "Transform"),
        math(Type::color),
        image(),
        node_path(),
        nothing(Type::rid),
        nothing(Type::object),
        input_event(),
        dictionary(),
        array(),
        packed(Type::packed_byte_array, "RawArray"),
        packed(Type::packed_int32_array, "IntArray"),
        packed(Type::packed_float32_array, "RealArray"),
        packed_strings("StringArray"),
        packed(Type::packed_vector2_array, "Vector2Array"),
        packed(Type::packed_vector3_array, "Vector3Array"),
        packed(Type::packed_color_array, "ColorArray"),
    });

constexpr Dialect godot_2_text = [] {
    Dialect dialect = godot_2;
    dialect.name = "godot-2-text";
    dialect.title = "texts of Godot 1.0 to 2.1";
    for (const Type type : {Type::integer, Type::real, Type::object})
        dialect.rows[dialect.id_of[static_cast<std::size_t>(type)]] = *godot_3_1.row(type);
    dialect.type_mask = godot_3_1.type_mask;
    dialect.numbers = godot_3_1.numbers;
    dialect.objects = godot_3_1.objects;
    dialect.index_types();
    return dialect;
}();

}  // namespace gdvar::dialects
// clang-format on
