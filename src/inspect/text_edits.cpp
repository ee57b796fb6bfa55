#include "gdvar/inspect/text_edits.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "base/sort.hpp"

namespace gdvar::inspect {

void TextEdits::begin(std::size_t begin, std::size_t end) {
    edits_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      static_cast<std::uint32_t>(parts_.size()), 0});
}

void TextEdits::put(std::string_view text) {
    if (text.empty())
        return;
    const std::size_t from = added_.size();
    added_ += text;
    Edit& edit = edits_.back();
    if (edit.parts && parts_.back().added && parts_.back().end == from) {
        parts_.back().end = added_.size();
        return;
    }
    parts_.push_back({from, added_.size(), true});
    ++edit.parts;
}

void TextEdits::keep(std::size_t begin, std::size_t end) {
    if (begin == end)
        return;
    Edit& edit = edits_.back();
    if (edit.parts && !parts_.back().added && parts_.back().end == begin) {
        parts_.back().end = end;
        return;
    }
    parts_.push_back({begin, end, false});
    ++edit.parts;
}

/// Makes the edits. Its own stack replaces recursion into kept parts.
class TextEdits::Maker {
public:
    Maker(const TextEdits& all, std::string_view text) : text_(text), all_(all) {
        sorted_.reserve(all.edits_.size());
        for (const Edit& edit : all.edits_)
            sorted_.push_back({edit, static_cast<std::uint32_t>(sorted_.size())});
        // Outer edits before inner ones, and insertions first.
        detail::sort(sorted_, [](const Numbered& a, const Numbered& b) {
            if (a.begin != b.begin)
                return a.begin < b.begin;
            const bool nothing = a.begin == a.end, nothing_there = b.begin == b.end;
            if (nothing != nothing_there)
                return nothing;
            return a.end != b.end ? a.end > b.end : a.number < b.number;
        });
    }

    bool run() {
        if (!nested())
            return false;
        ranges_.push_back({0, text_.size(), 0, true});
        while (!ranges_.empty()) {
            if (!parts_.empty() && parts_.back().depth == ranges_.size()) {
                if (!next_part())
                    return false;
            } else if (!next_edit()) {
                return false;
            }
        }
        return true;
    }
    std::string out;

private:
    struct Numbered : Edit {
        std::uint32_t number;
        bool made = false;
    };
    /// A part of the old text that is copied.
    struct Range {
        std::size_t at, end;
        std::size_t edit;  ///< in `sorted_`: the first edit that may lie in the rest
        bool whole;        ///< the whole text, which includes insertions at its ends
    };
    struct Parts {
        std::size_t depth;  ///< of `ranges_`
        std::uint32_t next, left;
        std::size_t begin, end;  ///< of the edit
        std::size_t edit;
    };

    /// True if any two edits are nested or separate.
    bool nested() const {
        std::vector<std::uint32_t> ends;
        for (const Edit& edit : sorted_) {
            while (!ends.empty() && ends.back() <= edit.begin)
                ends.pop_back();
            if (edit.end < edit.begin || edit.end > text_.size() ||
                (!ends.empty() && edit.end > ends.back()))
                return false;
            if (edit.end != edit.begin)
                ends.push_back(edit.end);
        }
        return true;
    }

    bool next_part() {
        Parts& top = parts_.back();
        if (!top.left) {
            parts_.pop_back();
            return true;
        }
        const Part& part = all_.parts_[top.next++];
        --top.left;
        if (part.added) {
            out.append(all_.added_, part.begin, part.end - part.begin);
            return true;
        }
        if (part.begin < top.begin || part.end > top.end || part.begin > part.end)
            return false;
        ranges_.push_back({part.begin, part.end, first_from(part.begin, top.edit + 1), false});
        // Insertions at its front belong to the surrounding text.
        Range& range = ranges_.back();
        while (range.edit < sorted_.size() && sorted_[range.edit].begin == part.begin &&
               sorted_[range.edit].end == part.begin)
            ++range.edit;
        return true;
    }

    /// The next edit of the innermost range, or the end of that range.
    bool next_edit() {
        Range& range = ranges_.back();
        while (range.edit < sorted_.size() && sorted_[range.edit].made)
            ++range.edit;
        Numbered* edit = range.edit < sorted_.size() ? &sorted_[range.edit] : nullptr;
        const bool at_end = edit && edit->begin == range.end && (range.whole || edit->appended);
        if (!edit || (edit->begin >= range.end && !at_end)) {
            out.append(text_, range.at, range.end - range.at);
            ranges_.pop_back();
            return true;
        }
        if (edit->end > range.end)
            return false;
        out.append(text_, range.at, edit->begin - range.at);
        range.at = edit->end;
        edit->made = edit->appended;
        parts_.push_back(
            {ranges_.size(), edit->first_part, edit->parts, edit->begin, edit->end, range.edit});
        range.edit =
            edit->begin == edit->end ? range.edit + 1 : first_from(edit->end, range.edit + 1);
        return true;
    }

    /// The first edit from number `from` on that begins at `at` or later.
    std::size_t first_from(std::size_t at, std::size_t from) const {
        const auto found = std::partition_point(
            sorted_.begin() + static_cast<std::ptrdiff_t>(std::min(from, sorted_.size())),
            sorted_.end(), [&](const Edit& edit) { return edit.begin < at; });
        return static_cast<std::size_t>(found - sorted_.begin());
    }

    std::string_view text_;
    const TextEdits& all_;
    std::vector<Numbered> sorted_;
    std::vector<Range> ranges_;
    std::vector<Parts> parts_;
};

std::expected<std::string, Error> TextEdits::apply(std::string_view text) const GDVAR_TRY {
    Maker maker(*this, text);
    if (!maker.run())
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("two changes of the text overlap"));
    return std::move(maker.out);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

}  // namespace gdvar::inspect
