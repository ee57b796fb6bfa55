#include "constructors.hpp"

#include <limits>

namespace gdvar::detail {
namespace {

enum Families : std::uint8_t {
    f2 = 1 << static_cast<int>(Names::godot_2),
    f32 = 1 << static_cast<int>(Names::godot_3_2),
    f36 = 1 << static_cast<int>(Names::godot_3_6),
    f4 = 1 << static_cast<int>(Names::godot_4),
    fp = 1 << static_cast<int>(Names::pandemonium),
    f3 = f32 | f36,
    later = f3 | f4 | fp,
    all = f2 | later,
};

struct Row {
    std::string_view name;
    Type type;
    std::uint8_t families;
    Construct::Kind kind = Construct::value;
};

constexpr Row rows[] = {
    {"Vector2", Type::vector2, all},
    {"Vector2i", Type::vector2i, f4 | fp},
    {"Rect2", Type::rect2, all},
    {"Rect2i", Type::rect2i, f4 | fp},
    {"Vector3", Type::vector3, all},
    {"Vector3i", Type::vector3i, f4 | fp},
    {"Vector4", Type::vector4, f4 | fp},
    {"Vector4i", Type::vector4i, f4 | fp},
    {"Transform2D", Type::transform2d, later},
    {"Matrix32", Type::transform2d, f2 | f3 | f4},
    {"Plane", Type::plane, all},
    {"Quaternion", Type::quaternion, f4 | fp},
    {"Quat", Type::quaternion, f2 | f3 | f4},
    {"AABB", Type::aabb, all},
    {"Rect3", Type::aabb, later},
    {"Basis", Type::basis, later},
    {"Matrix3", Type::basis, f2 | f3 | f4},
    {"Transform3D", Type::transform3d, f4},
    {"Transform", Type::transform3d, all},
    {"Projection", Type::projection, f4 | fp},
    {"Color", Type::color, all},
    {"NodePath", Type::node_path, all},
    {"RID", Type::rid, all},
    {"Signal", Type::signal, f4},
    {"Callable", Type::callable, f4},
    {"Object", Type::object, later},
    {"Resource", Type::object, all, Construct::resource},
    {"SubResource", Type::object, all, Construct::resource},
    {"ExtResource", Type::object, all, Construct::resource},
    {"Image", Type::image, f2},
    {"InputEvent", Type::input_event, f2},
    {"key", Type::object, f2, Construct::event},
    {"mbutton", Type::object, f2, Construct::event},
    {"jbutton", Type::object, f2, Construct::event},
    {"jaxis", Type::object, f2, Construct::event},
    {"Dictionary", Type::dictionary, f4},
    {"Array", Type::array, f4},
    {"TypedArray", Type::array, fp, Construct::typed_array},
    {"PackedTypedArray", Type::packed_typed_array, fp, Construct::typed_array},
    {"PackedByteArray", Type::packed_byte_array, f36 | f4},
    {"PoolByteArray", Type::packed_byte_array, later},
    {"ByteArray", Type::packed_byte_array, all},
    {"PackedInt32Array", Type::packed_int32_array, f36 | f4},
    {"PackedIntArray", Type::packed_int32_array, f4},
    {"PoolIntArray", Type::packed_int32_array, later},
    {"IntArray", Type::packed_int32_array, all},
    {"PackedInt64Array", Type::packed_int64_array, f4},
    {"PackedInt64Array", Type::packed_int32_array, f36},
    {"PackedFloat32Array", Type::packed_float32_array, f36 | f4},
    {"PackedRealArray", Type::packed_float32_array, f4},
    {"PoolRealArray", Type::packed_float32_array, later},
    {"FloatArray", Type::packed_float32_array, all},
    {"PackedFloat64Array", Type::packed_float64_array, f4},
    {"PackedFloat64Array", Type::packed_float32_array, f36},
    {"PackedStringArray", Type::packed_string_array, f36 | f4},
    {"PoolStringArray", Type::packed_string_array, later},
    {"StringArray", Type::packed_string_array, all},
    {"PackedVector2Array", Type::packed_vector2_array, f36 | f4},
    {"PoolVector2Array", Type::packed_vector2_array, later},
    {"Vector2Array", Type::packed_vector2_array, all},
    {"PackedVector3Array", Type::packed_vector3_array, f36 | f4},
    {"PoolVector3Array", Type::packed_vector3_array, later},
    {"Vector3Array", Type::packed_vector3_array, all},
    {"PackedVector4Array", Type::packed_vector4_array, f4},
    {"PoolVector4Array", Type::packed_vector4_array, f4 | fp},
    {"Vector4Array", Type::packed_vector4_array, f4 | fp},
    {"PackedColorArray", Type::packed_color_array, f36 | f4},
    {"PoolColorArray", Type::packed_color_array, later},
    {"ColorArray", Type::packed_color_array, all},
    {"PoolVector2iArray", Type::packed_vector2i_array, fp},
    {"Vector2iArray", Type::packed_vector2i_array, fp},
    {"PoolVector3iArray", Type::packed_vector3i_array, fp},
    {"Vector3iArray", Type::packed_vector3i_array, fp},
    {"PoolVector4iArray", Type::packed_vector4i_array, fp},
    {"Vector4iArray", Type::packed_vector4i_array, fp},
};

}  // namespace

std::optional<Construct> find_construct(std::string_view name, const TextRules& rules) noexcept {
    const auto bit = static_cast<std::uint8_t>(1 << static_cast<int>(rules.names));
    for (const Row& row : rows)
        if ((row.families & bit) && row.name == name)
            return Construct{row.kind, row.type, false};
    return std::nullopt;
}

std::optional<Construct> find_full_construct(std::string_view name) noexcept {
    if (auto found = find_construct(name, full_text_rules))
        return found;
    if (auto type = type_by_name(name)) {
        // Types that are written as words or literals have no constructor.
        constexpr Type written = Type::string;
        if (*type > written && *type != Type::string_name)
            return Construct{{}, *type, false};
        return std::nullopt;
    }
    // Vector3d, PackedVector3dArray.
    constexpr std::string_view tail = "dArray";
    if (name.size() < 2 || name.size() > 32)
        return std::nullopt;
    char narrow[32];
    const std::size_t size = name.size() - 1;
    const bool packed = name.ends_with(tail);
    if (!packed && !name.ends_with('d'))
        return std::nullopt;
    const std::size_t head = packed ? name.size() - tail.size() : size;
    for (std::size_t i = 0; i < size; ++i)
        narrow[i] = name[i < head ? i : i + 1];
    const auto type = type_by_name({narrow, size});
    if (!type || !type_info(*type).widens || type_info(*type).packed != packed)
        return std::nullopt;
    return Construct{{}, *type, true};
}

Word find_word(std::string_view name, const TextRules& rules) noexcept {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (name == "null" || name == "nil")
        return {Word::nil};
    if (name == "true")
        return {Word::boolean, true};
    if (name == "false")
        return {Word::boolean, false};
    if (name == "inf")
        return {Word::real, false, infinity};
    if (name == "nan")
        return {Word::real, false, std::numeric_limits<double>::quiet_NaN()};
    if (name == "inf_neg" && rules.inf_neg)
        return {Word::real, false, -infinity};
    // In Godot 3.2 the lexer gives these only if they are allowed.
    if (name == "-inf" && (rules.minus_inf || rules.negative_words))
        return {Word::real, false, -infinity};
    if (name == "-nan" && rules.negative_words)
        return {Word::real, false, -std::numeric_limits<double>::quiet_NaN()};
    return {};
}

}  // namespace gdvar::detail
