// TextEdits: changes to a text, collected in any order and made in one pass.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// Parts of a text that are to be replaced. A replacement is made of new text and of parts of the
/// old text, which keep the edits inside them: so parts can move and change at once.
///
///     edits.replace(4, 7, "new");             // the bytes [4, 7)
///     edits.begin(10, 30);                    // swaps [10, 15) and [20, 30)
///     edits.keep(20, 30), edits.put(", "), edits.keep(10, 15);
///
/// Two edits may not overlap, unless one is inside a part that the other keeps. An edit inside what
/// another replaces and does not keep is dropped. An edit that replaces nothing (`insert`) belongs
/// to what surrounds its position: a part that is kept has it only if it stands strictly inside.
/// `append` belongs to what ends there: the innermost kept part, if any. Several at one position
/// are made in the order in which they were added. Positions are bytes of the old text, which is
/// shorter than 4 GiB.
///
/// May throw bad_alloc.
class TextEdits {
public:
    /// Replaces [begin, end).
    void replace(std::size_t begin, std::size_t end, std::string_view text) {
        this->begin(begin, end);
        put(text);
    }
    void insert(std::size_t at, std::string_view text) { replace(at, at, text); }
    void append(std::size_t at, std::string_view text) {
        insert(at, text);
        edits_.back().appended = true;
    }
    void remove(std::size_t begin, std::size_t end) { this->begin(begin, end); }

    /// Begins an edit that replaces [begin, end) by what follows: `put` and `keep`, up to the next
    /// edit.
    void begin(std::size_t begin, std::size_t end);
    void put(std::string_view text);
    /// A part of the old text: inside [begin, end) of the edit.
    void keep(std::size_t begin, std::size_t end);

    bool empty() const noexcept { return edits_.empty(); }
    std::size_t size() const noexcept { return edits_.size(); }

    /// The text with all edits made. Iterative. Time: n log n in the number of edits, linear in the
    /// old and the new text. Errors: misplaced (edits overlap, or lie outside of the text);
    /// no_memory.
    [[nodiscard]] std::expected<std::string, Error> apply(std::string_view text) const;

private:
    struct Edit {
        std::uint32_t begin, end;
        std::uint32_t first_part, parts;
        bool appended = false;
    };
    /// A range of the old text, or of `added_`.
    struct Part {
        std::size_t begin, end;
        bool added;
    };
    class Maker;

    std::vector<Edit> edits_;
    std::vector<Part> parts_;
    std::string added_;
};

}  // namespace inspect
}  // namespace gdvar
