#include "rules.hpp"

#include "base/ascii.hpp"

namespace gdvar::detail {
namespace {

/// To engines every character up to the space is white space, except NUL, which ends a text.
constexpr CharSet engine_blanks{0x1'FFFF'FFFE};

constexpr PrintedName names_2[] = {
    {Type::transform2d, "Matrix32"},
    {Type::quaternion, "Quat"},
    {Type::basis, "Matrix3"},
    {Type::transform3d, "Transform"},
    {Type::packed_byte_array, "ByteArray"},
    {Type::packed_int32_array, "IntArray"},
    {Type::packed_float32_array, "FloatArray"},
    {Type::packed_string_array, "StringArray"},
    {Type::packed_vector2_array, "Vector2Array"},
    {Type::packed_vector3_array, "Vector3Array"},
    {Type::packed_color_array, "ColorArray"},
};
constexpr PrintedName names_3[] = {
    {Type::transform3d, "Transform"},
    {Type::packed_byte_array, "PoolByteArray"},
    {Type::packed_int32_array, "PoolIntArray"},
    {Type::packed_float32_array, "PoolRealArray"},
    {Type::packed_string_array, "PoolStringArray"},
    {Type::packed_vector2_array, "PoolVector2Array"},
    {Type::packed_vector3_array, "PoolVector3Array"},
    {Type::packed_vector4_array, "PoolVector4Array"},
    {Type::packed_color_array, "PoolColorArray"},
    {Type::packed_vector2i_array, "PoolVector2iArray"},
    {Type::packed_vector3i_array, "PoolVector3iArray"},
    {Type::packed_vector4i_array, "PoolVector4iArray"},
    {Type::quaternion, "Quat"},
};
/// Pandemonium has Godot 4's name for the last one.
constexpr std::span<const PrintedName> names_pandemonium(names_3, std::size(names_3) - 1);

constexpr TextRules godot_4{
    .family = TextFamily::godot_4, .blanks = engine_blanks, .name_marks = "&@"};

constexpr TextRules godot_4_0 = [] {
    TextRules rules = godot_4;
    rules.family = TextFamily::godot_4_0;
    rules.floats = FloatDigits::six;
    return rules;
}();

constexpr TextRules godot_3_6{
    .family = TextFamily::godot_3_6,
    .blanks = engine_blanks,
    .name_marks = "",
    .exponent_E = false,
    .minus_alone = true,
    .long_escapes = false,
    .no_nul_escapes = false,
    .escapes_question = true,
    .surrogates = Surrogates::spaces,
    .utf8 = Utf8Rule::lenient,
    .names = Names::godot_3_6,
    .printed = names_3,
    .minus_inf = false,
    .alpha_first = true,
    .base64_bytes = false,
    .rids = false,
    .uids = false,
    .checks_elements = false,
    .reads_on = true,
    .floats = FloatDigits::six_of_float,
    .typed = TypedForm::none,
    .keys = KeySort::godot_3,
    .open = "( ",
    .close = " )",
    .array_open = "[ ",
    .array_close = " ]",
    .empty_lines = 1,
    .named_handles = false,
    .scripts = false,
    .empty_paths = false,
    .header_escapes = false,
    .text_ids = false,
    .plain_metadata = false,
    .format = 2,
};

constexpr TextRules godot_3_2 = [] {
    TextRules rules = godot_3_6;
    rules.family = TextFamily::godot_3_2;
    rules.negative_words = true;
    rules.surrogates = Surrogates::kept;
    rules.names = Names::godot_3_2;
    rules.inf_neg = false;
    rules.special_components = false;
    rules.json_ends = false;
    rules.keys = KeySort::godot_3_2;
    rules.empty_lines = 2;
    rules.max_depth = SIZE_MAX;
    rules.header_bytes = true;
    return rules;
}();

constexpr TextRules godot_2 = [] {
    TextRules rules = godot_3_2;
    rules.family = TextFamily::godot_2;
    rules.names = Names::godot_2;
    rules.printed = names_2;
    rules.format = 1;
    return rules;
}();

constexpr TextRules pandemonium = [] {
    TextRules rules = godot_3_6;
    rules.family = TextFamily::pandemonium;
    rules.name_marks = "@";
    rules.surrogates = Surrogates::paired;
    rules.utf8 = Utf8Rule::strict;
    rules.reads_on = false;
    rules.names = Names::pandemonium;
    rules.printed = names_pandemonium;
    rules.base64_bytes = true;
    rules.typed = TypedForm::arguments;
    rules.string_name = "@";
    rules.prints_base64 = true;
    return rules;
}();

/// In the order of TextFamily.
constexpr const TextRules* families[] = {&godot_3_2,   &godot_3_6, &godot_4,
                                         &pandemonium, &godot_2,   &godot_4_0};
static_assert(std::size(families) == text_family_count);
static_assert([] {
    for (std::size_t i = 0; i < std::size(families); ++i)
        if (families[i]->family != static_cast<TextFamily>(i))
            return false;
    return true;
}());

}  // namespace

const TextRules& text_rules(TextFamily family) noexcept {
    return *families[static_cast<std::size_t>(family)];
}

constexpr TextRules full_text_rules = [] {
    TextRules rules = godot_4;
    rules.nan_bits = true;
    rules.color_at_end = true;
    rules.byte_escapes = true;
    rules.no_nul_escapes = false;
    rules.checks_elements = false;
    return rules;
}();

constexpr TextRules json_text_rules{
    .blanks = engine_blanks, .comment = 0, .json = true, .name_marks = "", .minus_alone = true};

}  // namespace gdvar::detail
