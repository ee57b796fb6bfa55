// A dialect that has every type of every dialect, to bring a Variant to where a View is needed.
#pragma once

#include "gdvar/wire/options.hpp"

namespace gdvar::detail {

/// Godot 4.4's rows, then those that only other engines have.
inline constexpr Dialect make_native() {
    Dialect all;
    all.name = "native";
    for (std::size_t i = 0; i < type_count; ++i) {
        const Type type = static_cast<Type>(i);
        const TypeInfo& info = type_info(type);
        TypeRow& row = all.rows[i];
        row.type = type;
        row.name = info.name;
        row.lane = info.lane;
        row.lanes = info.lanes;
        const auto bytes = static_cast<std::uint8_t>(info.lanes * lane_bytes(info.lane));
        row.bytes = bytes;
        if (info.lanes) {
            row.shape = info.lane == Lane::u8 ? Shape::packed_bytes
                        : info.packed         ? Shape::packed
                                              : Shape::math;
            if (info.widens) {
                row.wide_bytes = static_cast<std::uint8_t>(bytes * 2);
                row.flags = 0x1'0000;
            }
            continue;
        }
        switch (type) {
            case Type::boolean: row.shape = Shape::boolean; break;
            case Type::integer:
            case Type::real:
                row.shape = type == Type::real ? Shape::real : Shape::integer;
                row.bytes = 4;
                row.wide_bytes = 8;
                row.flags = 0x1'0000;
                break;
            case Type::string: row.shape = Shape::string; break;
            case Type::string_name: row.shape = Shape::string_name; break;
            case Type::node_path: row.shape = Shape::node_path; break;
            case Type::rid: row.shape = Shape::rid; break;
            case Type::object:
                row.shape = Shape::object;
                row.flags = 0x1'0000;
                break;
            case Type::signal: row.shape = Shape::signal; break;
            case Type::dictionary:
                row.shape = Shape::dictionary;
                row.flags = 0xF'0000;
                break;
            case Type::array:
                row.shape = Shape::array;
                row.flags = 0x3'0000;
                break;
            case Type::packed_string_array: row.shape = Shape::packed_strings; break;
            case Type::packed_typed_array:
                row.shape = Shape::typed_array;
                row.flags = 0x1'0000;
                break;
            case Type::image: row.shape = Shape::image; break;
            case Type::input_event: row.shape = Shape::input_event; break;
            default: row.shape = Shape::nothing; break;
        }
    }
    all.row_count = static_cast<std::uint8_t>(type_count);
    all.utf8 = Utf8Rule::lenient;
    all.node_path_property = true;
    all.index_types();
    return all;
}

inline constexpr Dialect native = make_native();
inline constexpr DecodeOptions native_decoding{
    .dialect = &native, .limits = {UINT32_MAX, UINT64_MAX, UINT64_MAX}, .allow_objects = true};
inline constexpr EncodeOptions native_encoding{
    .dialect = &native, .allow_objects = true, .max_depth = UINT32_MAX};

}  // namespace gdvar::detail
