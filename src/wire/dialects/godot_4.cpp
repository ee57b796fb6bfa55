// Godot 4: data only. Sources: the extension-interface headers of the release tags 4.0 to 4.5,
// marshalls.cpp of 4.2, 4.3, 4.4-dev and 4.6.3, and a running 4.6.3 (wire-format 1.2, 2).
#include "rows.hpp"

// The tables are laid out by hand: a row a line.
// clang-format off
namespace gdvar::dialects {
namespace {
using namespace gdvar::rows;

constexpr Dialect godot_4(std::uint32_t array_flags, std::uint32_t dictionary_flags) {
    return with({.family = TextFamily::godot_4},
                {
                    nothing(Type::nil),
                    boolean(),
                    integer(),
                    real(),
                    string(),
                    flagged(math(Type::vector2)),
                    math(Type::vector2i),
                    flagged(math(Type::rect2)),
                    math(Type::rect2i),
                    flagged(math(Type::vector3)),
                    math(Type::vector3i),
                    flagged(math(Type::transform2d)),
                    flagged(math(Type::vector4)),
                    math(Type::vector4i),
                    flagged(math(Type::plane)),
                    flagged(math(Type::quaternion)),
                    flagged(math(Type::aabb)),
                    flagged(math(Type::basis)),
                    flagged(math(Type::transform3d)),
                    flagged(math(Type::projection)),
                    math(Type::color),
                    string_name(),
                    node_path(),
                    rid(),
                    object(),
                    nothing(Type::callable),
                    signal(),
                    dictionary(dictionary_flags),
                    array(array_flags),
                    packed(Type::packed_byte_array),
                    packed(Type::packed_int32_array),
                    packed(Type::packed_int64_array),
                    packed(Type::packed_float32_array),
                    packed(Type::packed_float64_array),
                    packed_strings(),
                    flagged(packed(Type::packed_vector2_array)),
                    flagged(packed(Type::packed_vector3_array)),
                    packed(Type::packed_color_array),
                });
}

constexpr Dialect named(Dialect dialect, std::string_view name, std::string_view alias,
                        std::string_view title, std::uint8_t first_minor, std::uint8_t last_minor) {
    dialect.releases = {"godot", {4, first_minor}, {4, last_minor}};
    dialect.name = name;
    dialect.alias = alias;
    dialect.title = title;
    if (last_minor < 4)
        dialect.family = TextFamily::godot_4_0;
    return dialect;
}

constexpr Dialect with_vector4_array(Dialect dialect) {
    dialect.script = ScriptForm::resource_path;
    return and_then(dialect, {flagged(packed(Type::packed_vector4_array))});
}

constexpr Dialect dev() {
    return with({.name = "godot-4-dev",
                 .title = "Godot 4.0 development snapshots, February 2020 to about July 2022",
                 .family = TextFamily::godot_4_0},
                {
                    nothing(Type::nil),
                    boolean(),
                    integer(),
                    real(),
                    string(),
                    flagged(math(Type::vector2)),
                    math(Type::vector2i),
                    flagged(math(Type::rect2)),
                    math(Type::rect2i),
                    flagged(math(Type::vector3)),
                    math(Type::vector3i),
                    flagged(math(Type::transform2d)),
                    flagged(math(Type::plane)),
                    flagged(math(Type::quaternion)),
                    flagged(math(Type::aabb)),
                    flagged(math(Type::basis)),
                    flagged(math(Type::transform3d)),
                    math(Type::color),
                    string_name(),
                    node_path(),
                    nothing(Type::rid),
                    object(),
                    nothing(Type::callable),
                    nothing(Type::signal),
                    dictionary(),
                    array(),
                    packed(Type::packed_byte_array),
                    packed(Type::packed_int32_array),
                    noted(packed(Type::packed_int64_array),
                          "until 2021-08-02 the reader took 8 bytes as the count but advanced 4"),
                    packed(Type::packed_float32_array),
                    noted(packed(Type::packed_float64_array),
                          "until 2021-08-02 the reader took 8 bytes as the count but advanced 4"),
                    packed_strings(),
                    flagged(packed(Type::packed_vector2_array)),
                    flagged(packed(Type::packed_vector3_array)),
                    packed(Type::packed_color_array),
                });
}

}  // namespace

constexpr Dialect godot_4_4 =
    named(with_vector4_array(godot_4(bits16_17, bits16_19)), "godot-4.4", "godot4",
          "Godot 4.4, 4.5, 4.6", 4, 6);
constexpr Dialect godot_4_3 =
    named(with_vector4_array(godot_4(bits16_17, 0)), "godot-4.3", "", "Godot 4.3", 3, 3);
constexpr Dialect godot_4_0 =
    named(godot_4(0, 0), "godot-4.0", "", "Godot 4.0, 4.1, 4.2", 0, 2);
constexpr Dialect godot_4_dev = dev();

}  // namespace gdvar::dialects
// clang-format on
