// Rows of a document of sections: assignments, tags, and attributes inside of tags. They come, go
// and change places with their comments; all else of the text stays.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_text.hpp"
#include "file/sections/section_scanner.hpp"
#include "gdvar/inspect/rewrite.hpp"

namespace gdvar::detail {

/// An assignment, or a tag with the lines below it.
///
///     ; comment above     <- `lead`
///     key = value ; more  <- from `begin` to `end`; `tail` is behind the comment
struct Row {
    std::uint32_t lead = 0, begin = 0, end = 0, tail = 0;
    bool own_line = false;   ///< nothing but white space stands before it on its first line
    bool ends_line = false;  ///< nothing but a comment follows on its last line
};

/// The row that has [begin, end).
Row row_of(const LineText& text, std::size_t begin, std::size_t end) noexcept;

/// Text that is put in after all other edits are known: behind what others insert at its place.
struct LateText {
    std::size_t at = 0;
    std::string text;
};

/// Changes of the rows of one container.
struct RowChanges {
    inspect::TextEdits& edits;
    const inspect::ChangedChildren& change;
    /// The rows of each child of `from`: one, or several for a section that stands several times.
    /// Children behind them, as the properties of a node, are no rows.
    std::vector<std::vector<Row>> rows{};
    /// The rows are attributes: they stand in a tag, with spaces between them.
    bool attributes = false;
    /// Where new tags go, which may have empty lines around them. Null: the rows are assignments.
    std::vector<LateText>* late = nullptr;
    /// Whether an empty line stands between two tags, where there are none to be like.
    bool blank = false;
    /// Appends the text of new child `j` of `to`.
    std::function<inspect::Rewritten(std::string& out, std::size_t j)> make{};
    /// Puts text in where there are no rows yet.
    std::function<void(std::string text)> put_first{};
};

/// Makes the edits. Errors: misplaced (a section that stands several times changes places).
[[nodiscard]] inspect::Rewritten change_rows(const RowChanges& changes);

}  // namespace gdvar::detail
