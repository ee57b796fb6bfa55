#include "file/sections/section_rows.hpp"

#include <algorithm>
#include <utility>

#include "base/sort.hpp"
#include "file/sections/section_syntax.hpp"

namespace gdvar::detail {
namespace {

using inspect::Rewritten;
constexpr std::uint32_t no_partner = inspect::ChangedChildren::none;

/// Whether the children that stay have kept their order.
bool in_order(const std::vector<std::uint32_t>& partner) {
    std::uint32_t least = 0;
    for (const std::uint32_t i : partner) {
        if (i == no_partner)
            continue;
        if (i < least)
            return false;
        least = i + 1;
    }
    return true;
}

std::vector<bool> staying(const inspect::ChangedChildren& change) {
    std::vector<bool> out(change.from.size());
    for (const std::uint32_t i : change.partner)
        if (i != no_partner)
            out[i] = true;
    return out;
}

}  // namespace

/// Looks at no more of long lines than it must: many rows may stand on one.
Row row_of(const LineText& text, std::size_t begin, std::size_t end) noexcept {
    Row out{0, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), 0};
    std::size_t lead = text.before_blanks(begin);
    out.own_line = lead == 0 || text[lead - 1] == '\n';
    if (!out.own_line)
        lead = begin;
    while (out.own_line && lead) {
        const std::size_t above = text.line_begin(lead - 1);
        if (text[text.behind_blanks(above)] != ';')
            break;
        lead = above;
    }
    out.lead = static_cast<std::uint32_t>(lead);
    const std::size_t behind = text.behind_blanks(end);
    const bool comment = behind < text.size() && text[behind] == ';';
    out.ends_line = comment || behind == text.size() || text.is_line_end(behind);
    out.tail = comment ? static_cast<std::uint32_t>(text.line_end(end)) : out.end;
    return out;
}

namespace {

class RowEditor {
public:
    explicit RowEditor(const RowChanges& changes)
        : all_(changes),
          change_(changes.change),
          text_(change_.text),
          stays_(staying(change_)),
          blank_(changes.blank) {
        if (!all_.late || all_.rows.size() < 2 || !all_.rows[1][0].own_line)
            return;
        const std::size_t lead = all_.rows[1][0].lead;
        blank_ = text_.blank_lines_before(lead) != lead;
    }

    Rewritten run() {
        for (std::size_t i = 0; i < all_.rows.size(); ++i)
            if (!stays_[i])
                for (const Row& row : all_.rows[i])
                    remove(row);
        join_removed();
        if (!in_order(change_.partner))
            return reorder();
        for (const TextSpan& span : removed_)
            all_.edits.remove(span.begin, span.end);
        return insert();
    }

private:
    std::string_view newline() const {
        return all_.attributes ? std::string_view(" ") : change_.layout.newline;
    }
    /// The text between two rows on lines of their own.
    std::string between() const {
        return std::string(newline()).append(blank_ ? newline() : std::string_view());
    }
    std::string indent_of(const Row& row) const {
        return row.own_line ? std::string(text_.part(text_.line_begin(row.begin), row.begin)) : "";
    }

    // ---- what goes

    void remove(const Row& row) {
        std::size_t begin = row.begin, end = row.end;
        const bool last = row.begin == all_.rows.back().back().begin;
        if (row.own_line && row.ends_line) {
            begin = text_.line_begin(begin);
            end = text_.next_line(row.tail);
            // One of the empty lines above and below it is enough. Those above are in the same
            // section, which may take another place. Those below the last row are not.
            const std::size_t next = text_.blank_lines_behind(end);
            if (begin && next != end)
                begin = text_.blank_lines_before(begin);
            else if (!begin && (all_.late || !last))
                end = next;
        } else if (row.own_line && !last) {
            end = text_.behind_blanks(end);
        } else if (!row.own_line) {
            begin = text_.before_blanks(begin);
        }
        removed_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
    void join_removed() {
        detail::sort(removed_,
                     [](const TextSpan& a, const TextSpan& b) { return a.begin < b.begin; });
        std::vector<TextSpan> joined;
        for (const TextSpan& span : removed_)
            if (joined.empty() || span.begin > joined.back().end)
                joined.push_back(span);
            else
                joined.back().end = std::max(joined.back().end, span.end);
        // Behind the last tag no empty line is left.
        if (all_.late && !joined.empty() &&
            text_.blank_lines_behind(joined.back().end) == text_.size())
            joined.back() = {
                static_cast<std::uint32_t>(text_.blank_lines_before(joined.back().begin)),
                static_cast<std::uint32_t>(text_.size())};
        removed_ = std::move(joined);
    }

    // ---- what comes

    Rewritten insert() {
        for (std::size_t j = 0; j < change_.to.size();) {
            if (change_.partner[j] != no_partner) {
                ++j;
                continue;
            }
            const std::size_t first = j;
            std::vector<std::string> made;
            for (; j < change_.to.size() && change_.partner[j] == no_partner; ++j)
                if (auto done = all_.make(made.emplace_back(), j); !done)
                    return done;
            if (all_.rows.empty())
                put_first(made);
            else if (first)
                insert_behind(all_.rows[std::min<std::size_t>(change_.partner[first - 1],
                                                              all_.rows.size() - 1)]
                                  .back(),
                              made);
            else
                insert_before(all_.rows.front().front(), made);
        }
        return {};
    }
    void put(std::size_t at, std::string text) {
        if (all_.late)
            all_.late->push_back({at, std::move(text)});
        else
            all_.edits.append(at, text);
    }
    /// Rows on the line of another one.
    void put_in_line(std::size_t at, const std::vector<std::string>& made) {
        std::string text;
        for (const std::string& each : made)
            text += ' ' + each;
        put(at, std::move(text));
    }
    void insert_behind(const Row& row, const std::vector<std::string>& made) {
        if (!row.ends_line)
            return put_in_line(row.end, made);
        const std::string indent = indent_of(row);
        std::string text;
        if (!all_.late) {
            for (const std::string& each : made)
                text.append(newline()).append(indent).append(each);
            put(row.tail, std::move(text));
            return;
        }
        const std::size_t at = text_.next_line(row.tail);
        if (text_.is_open_end(at))
            text = newline();
        for (const std::string& each : made) {
            text.append(blank_ ? newline() : "").append(indent).append(each);
            text += newline();
        }
        put(at, std::move(text));
    }
    void insert_before(const Row& row, const std::vector<std::string>& made) {
        if (!row.own_line)
            return put_in_line(text_.before_blanks(row.begin), made);
        const std::string indent = indent_of(row);
        std::string text;
        for (const std::string& each : made)
            text.append(indent).append(each).append(between());
        // The row may go, with the empty lines above it.
        const auto gone = std::ranges::find_if(removed_, [&](const TextSpan& span) {
            return span.begin < row.lead && row.lead < span.end;
        });
        if (gone == removed_.end())
            return put(row.lead, std::move(text));
        if (blank_)
            text.resize(text.size() - newline().size());
        put(gone->begin, std::string(newline()) + text);
    }
    void put_first(const std::vector<std::string>& made) {
        std::string text;
        for (const std::string& each : made)
            text.append(text.empty() ? "" : between()).append(each);
        all_.put_first(std::move(text));
    }

    // ---- other places

    /// Behind the row, with the break of its line: so the changes of the lines below a tag are
    /// inside of what is kept of it.
    std::size_t end_of(const Row& row) const {
        return row.ends_line ? text_.next_line(row.tail) : row.tail;
    }
    bool breaks(const Row& row) const { return row.ends_line && !text_.is_open_end(end_of(row)); }
    /// One edit: the rows that stay take the places of the rows that stay, in their new order.
    Rewritten reorder() {
        std::vector<Row> slots;
        for (std::size_t i = 0; i < all_.rows.size(); ++i) {
            if (all_.rows[i].size() != 1)
                return refused(Errc::misplaced,
                               "a section that stands several times can't change its place");
            if (stays_[i])
                slots.push_back(all_.rows[i][0]);
        }
        if (!std::ranges::is_sorted(slots, {}, &Row::begin))
            return refused(Errc::misplaced,
                           "tags with an id that stands several times can't change places");
        const std::size_t begin = std::min<std::size_t>(
            slots.front().lead, removed_.empty() ? SIZE_MAX : removed_.front().begin);
        const std::size_t end =
            std::max<std::size_t>(end_of(slots.back()), removed_.empty() ? 0 : removed_.back().end);
        all_.edits.begin(begin, end);
        at_ = begin;
        next_removed_ = 0;
        std::size_t slot = 0;
        bool broken = slots.front().own_line;  // what comes next begins a line
        std::string made;
        for (std::size_t j = 0; j < change_.to.size(); ++j) {
            if (change_.partner[j] != no_partner) {
                if (change_.partner[j] >= all_.rows.size())
                    continue;
                const Row& from = all_.rows[change_.partner[j]][0];
                gap(slots[slot].lead);
                all_.edits.keep(from.lead, end_of(from));
                broken = breaks(from);
                // A comment would take in what follows on the line.
                if (!broken && (breaks(slots[slot]) || from.tail != from.end)) {
                    all_.edits.put(newline());
                    broken = true;
                }
                at_ = end_of(slots[slot++]);
                continue;
            }
            made.clear();
            if (auto done = all_.make(made, j); !done)
                return done;
            if (!broken)
                made.insert(slot ? 0 : made.size(), between());
            else
                made.append(newline()).insert(slot && blank_ ? 0 : made.size(),
                                              blank_ ? newline() : std::string_view());
            all_.edits.put(made);
        }
        gap(end);
        return {};
    }
    /// Keeps the text up to there, without the rows that go.
    void gap(std::size_t end) {
        for (; next_removed_ < removed_.size() && removed_[next_removed_].begin < end;
             ++next_removed_) {
            const TextSpan& span = removed_[next_removed_];
            if (at_ < span.begin)
                all_.edits.keep(at_, span.begin);
            at_ = std::max<std::size_t>(at_, span.end);
        }
        if (at_ < end)
            all_.edits.keep(at_, end);
        at_ = std::max(at_, end);
    }

    const RowChanges& all_;
    const inspect::ChangedChildren& change_;
    const LineText text_;
    const std::vector<bool> stays_;
    bool blank_;  ///< an empty line stands between two rows
    std::vector<TextSpan> removed_;
    std::size_t at_ = 0, next_removed_ = 0;
};

}  // namespace

Rewritten change_rows(const RowChanges& changes) {
    return RowEditor(changes).run();
}

}  // namespace gdvar::detail
