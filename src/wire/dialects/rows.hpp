#pragma once

#include <initializer_list>

#include "gdvar/wire/dialect.hpp"

namespace gdvar::rows {

inline constexpr std::uint32_t bit16 = 0x1'0000;
inline constexpr std::uint32_t bits16_17 = 0x3'0000;
inline constexpr std::uint32_t bits16_19 = 0xF'0000;

constexpr TypeRow nothing(Type type, std::string_view name = {}) {
    return {.type = type, .shape = Shape::nothing, .name = name.empty() ? type_name(type) : name};
}
constexpr TypeRow unsupported(Type type) {
    return {.type = type, .shape = Shape::unsupported, .name = type_name(type)};
}
constexpr TypeRow boolean() {
    return {.type = Type::boolean, .shape = Shape::boolean, .bytes = 4, .least = 8, .name = "bool"};
}
/// 32 bits, or 64 by header bit 16.
constexpr TypeRow integer() {
    return {.type = Type::integer,
            .shape = Shape::integer,
            .bytes = 4,
            .wide_bytes = 8,
            .least = 8,
            .flags = bit16,
            .name = "int"};
}
constexpr TypeRow real(std::string_view name = "float") {
    return {.type = Type::real,
            .shape = Shape::real,
            .bytes = 4,
            .wide_bytes = 8,
            .least = 8,
            .flags = bit16,
            .name = name};
}
/// A number of that many bytes, without a flag.
constexpr TypeRow unflagged(TypeRow row, std::uint8_t bytes) {
    row.bytes = bytes;
    row.wide_bytes = 0;
    row.least = static_cast<std::uint8_t>(4 + bytes);
    row.flags = 0;
    return row;
}
constexpr TypeRow string() {
    return {.type = Type::string, .shape = Shape::string, .least = 8, .name = "String"};
}
constexpr TypeRow string_name() {
    return {
        .type = Type::string_name, .shape = Shape::string_name, .least = 8, .name = "StringName"};
}
constexpr TypeRow math(Type type, std::string_view name = {}) {
    const TypeInfo& info = type_info(type);
    const auto bytes = static_cast<std::uint8_t>(info.components * 4);
    return {.type = type,
            .shape = Shape::math,
            .component = info.component,
            .components = info.components,
            .bytes = bytes,
            .least = static_cast<std::uint8_t>(4 + bytes),
            .name = name.empty() ? info.name : name};
}
/// 64-bit components, where a dialect or an option allows them.
constexpr TypeRow widened(TypeRow row) {
    row.wide_bytes = static_cast<std::uint8_t>(row.bytes * 2);
    return row;
}
/// 64-bit components by header bit 16 (Godot 4).
constexpr TypeRow flagged(TypeRow row) {
    row = widened(row);
    row.flags = bit16;
    return row;
}
constexpr TypeRow miscounted(TypeRow row, std::uint8_t counts, std::uint8_t demands,
                             std::string_view note) {
    row.engine_counts = counts;
    row.engine_demands = demands;
    row.note = note;
    return row;
}
constexpr TypeRow noted(TypeRow row, std::string_view note) {
    row.note = note;
    return row;
}
constexpr TypeRow node_path() {
    return {.type = Type::node_path, .shape = Shape::node_path, .least = 16, .name = "NodePath"};
}
constexpr TypeRow rid() {
    return {.type = Type::rid,
            .shape = Shape::rid,
            .components = 1,
            .bytes = 8,
            .least = 12,
            .name = "RID"};
}
constexpr TypeRow object() {
    return {
        .type = Type::object, .shape = Shape::object, .least = 8, .flags = bit16, .name = "Object"};
}
constexpr TypeRow signal() {
    return {.type = Type::signal,
            .shape = Shape::signal,
            .components = 1,
            .least = 16,
            .name = "Signal"};
}
constexpr TypeRow dictionary(std::uint32_t flags = 0) {
    return {.type = Type::dictionary,
            .shape = Shape::dictionary,
            .least = 8,
            .flags = flags,
            .name = "Dictionary"};
}
constexpr TypeRow array(std::uint32_t flags = 0) {
    return {
        .type = Type::array, .shape = Shape::array, .least = 8, .flags = flags, .name = "Array"};
}
constexpr TypeRow typed_array(Type type, std::string_view name) {
    return {.type = type, .shape = Shape::typed_array, .least = 12, .flags = bit16, .name = name};
}
constexpr TypeRow packed(Type type, std::string_view name = {}) {
    const TypeInfo& info = type_info(type);
    const auto element =
        static_cast<std::uint8_t>(info.components * component_bytes(info.component));
    return {.type = type,
            .shape = info.component == ComponentType::u8 ? Shape::packed_bytes : Shape::packed,
            .component = info.component,
            .components = info.components,
            .bytes = element,
            .least = 8,
            .name = name.empty() ? info.name : name};
}
constexpr TypeRow packed_strings(std::string_view name = {}) {
    return {.type = Type::packed_string_array,
            .shape = Shape::packed_strings,
            .least = 8,
            .name = name.empty() ? type_name(Type::packed_string_array) : name};
}
constexpr TypeRow image() {
    return {.type = Type::image, .shape = Shape::image, .least = 24, .name = "Image"};
}
constexpr TypeRow input_event() {
    return {
        .type = Type::input_event, .shape = Shape::input_event, .least = 16, .name = "InputEvent"};
}

/// Fills `rows` and the index of a dialect with all other members set. A row's id is its position.
constexpr Dialect with(Dialect dialect, std::initializer_list<TypeRow> rows) {
    for (const TypeRow& row : rows)
        dialect.rows[dialect.row_count++] = row;
    dialect.index_types();
    return dialect;
}
constexpr Dialect and_then(Dialect dialect, std::initializer_list<TypeRow> rows) {
    return with(dialect, rows);
}

}  // namespace gdvar::rows
