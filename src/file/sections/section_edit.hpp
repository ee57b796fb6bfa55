// Changing a text of sections: it is read again, and has the value that it should have.
#pragma once

#include <expected>
#include <functional>
#include <string>

#include "file/sections/section_syntax.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::detail {

inline DecodeOptions decoding(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}
/// A value as a packet.
std::expected<PackedByteArray, inspect::RewriteError> packet_of(const Variant& value,
                                                                const Dialect& dialect);

struct SectionsEdit {
    std::string_view text;
    const Outline& outline;
    const View& before;               ///< the value that was read from the text
    const Dialect& dialect;           ///< of both packets
    const PackedByteArray& edited;    ///< the value that the text is to be changed to
    const PackedByteArray& expected;  ///< the value that the changed text is read to
    const Limits& limits;
    const SectionSyntax& syntax;
    /// `read_config` or `read_resource`.
    std::expected<SectionsText, TextError> (*read)(std::string_view, const SectionsOptions&);
    const char* refusal;  ///< of a text that would be read as another value: static text
};

/// The text with these edits, those that lead to the value `edited`, and those that `more` adds
/// behind them. Errors: those of `plan_rewrite` and `read`; not_in_dialect with the path of what
/// would be read otherwise than `expected`. May throw bad_alloc.
[[nodiscard]] std::expected<std::string, inspect::RewriteError> edited_text(
    const SectionsEdit& edit, inspect::TextEdits edits = {},
    const std::function<void(inspect::TextEdits&)>& more = {});

}  // namespace gdvar::detail
