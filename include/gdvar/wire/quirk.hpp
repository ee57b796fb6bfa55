// Quirks: irregular bytes that are accepted nevertheless. One table drives notes, strict acceptance
// and docs/errors.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// The Reader notes all but the last three, which need several values or an engine to find:
/// `inspect::find_quirks` finds these, too.
enum class Quirk : std::uint8_t {
    header_bits,
    shared_bit,
    wide_integer,
    wide_real,
    narrow_nan,
    bool_value,
    nonzero_padding,
    missing_padding,
    embedded_nul,
    byte_order_mark,
    lenient_text,
    no_final_nul,
    node_path_flags,
    node_path_property,
    node_path_text,
    negative_properties,
    builtin_nil,
    unknown_element_type,
    event_length,
    engine_miscounts,
    duplicate_key,
    trailing_bytes,
    engine_rewrites,
};

/// A row of `quirk_table`. Points to static text.
struct QuirkInfo {
    Quirk quirk;
    std::string_view name;
    Errc strict;  ///< its error in strict acceptance; `ok`: engines write it, too
    std::string_view meaning;
};

/// All quirks in order.
std::span<const QuirkInfo> quirk_table() noexcept;
const QuirkInfo& quirk_info(Quirk quirk) noexcept;
/// `QuirkInfo::strict` alone: a program that needs no more does not link the texts.
Errc strict_code(Quirk quirk) noexcept;

}  // namespace gdvar
