// Changing a text of sections: it is read again, and has the value that it should have.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "file/sections/section_syntax.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::detail {

inline DecodeOptions decoding(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}
struct SectionsEdit {
    std::string_view text;
    const Outline& outline;
    const View& before;      ///< the value that was read from the text
    const Dialect& dialect;  ///< of the values that the text is changed to
    const Limits& limits;
    const SectionSyntax& syntax;
    /// `read_config` or `read_resource`.
    std::expected<SectionsText, TextError> (*read)(std::string_view, const SectionsOptions&);
    const char* refusal;  ///< of a text that would be read as another value: static text
};

/// The text with these edits, those that lead to the value `edited`, and those that `more` adds
/// behind them. `expected`: the value that the changed text is read to, if that is another. Errors:
/// those of `plan_rewrite` and `read`; not_in_dialect with the path of what would be read otherwise
/// than `expected`. May throw bad_alloc.
[[nodiscard]] std::expected<std::string, RewriteError> edited_text(
    const SectionsEdit& edit, Variant edited, std::optional<Variant> expected = {},
    TextEdits edits = {}, const std::function<void(TextEdits&)>& more = {});

}  // namespace gdvar::detail
