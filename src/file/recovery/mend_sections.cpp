#include "file/recovery/mend_sections.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/sort.hpp"
#include "file/sections/resource_text.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/value/path.hpp"

namespace gdvar::recovering {
namespace {

using detail::SectionScanner;

/// So many bytes that are no text may have been a header.
constexpr std::size_t hides_header = 8;

constexpr std::string_view odd_comment = "a comment with bytes that are no text";

/// White space of undamaged texts. To engines other control characters are white space, too.
bool is_line_blank(char c) {
    return detail::is_space(c) && c != '\n';
}
bool is_control(char c) {
    return static_cast<unsigned char>(c) < 32 && !detail::is_space(c);
}
/// Characters of names in games.
bool is_plain(char c) {
    return detail::is_letter(c) || detail::is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("./ -").find(c) != std::string_view::npos;
}
bool all_plain(std::string_view name) {
    return !name.empty() && name[0] != ' ' && std::ranges::all_of(name, is_plain);
}

/// A step to that name, as paths print it.
std::string step_to(std::string_view name) {
    Path::Step step;
    step.text = name;
    return step.to_string();
}

/// The path of what stands below a tag.
std::string owner_of(std::string_view tag, const Dictionary& attributes) {
    if (tag == "node") {
        const Variant* name = attributes.find("name");
        const Variant* parent = attributes.find("parent");
        if (!name || !name->is(Type::string) ||
            (parent && !parent->is(Type::string) && !parent->is(Type::node_path)))
            return "$.node";
        return "$.node" + step_to(detail::node_path_of(attributes)) + ".properties";
    }
    const Variant* id = attributes.find("id");
    if (tag == "sub_resource" && id && id->is(Type::integer))
        return "$.sub[" + std::to_string(id->integer()) + "]";
    if (tag == "sub_resource" && id && id->is(Type::string))
        return "$.sub" + step_to(id->text());
    return tag == "resource" ? "$.resource" : "$";
}

/// Whether engines may have a class of that name: they refuse a file with another one.
bool is_class(const Variant* type) {
    if (!type || !(type->is(Type::string) || type->is(Type::string_name)))
        return true;
    return std::ranges::all_of(type->text(), [](char c) {
        return is_plain(c) && static_cast<unsigned char>(c) < 0x80 &&
               std::string_view("./ -").find(c) == std::string_view::npos;
    });
}

class SectionsMender {
public:
    SectionsMender(std::string_view text, const SectionsMending& how)
        : text_(text),
          how_(how),
          rules_(detail::text_rules(how.family)),
          out_{PatchedText(text), {}, 0, 0, 0, false, false, false},
          budget_(16 * static_cast<std::uint64_t>(text.size()) + 65536) {
        sections_.family = how.family;
        sections_.limits = how.limits;
        owner_ = how.resource ? "$" : "$[\"\"]";
    }

    MendedSections run();

private:
    /// How a row could be read.
    struct Attempt {
        bool header = false;
        bool ok = false;
        bool ends_well = false;  ///< nothing but a comment follows on its line
        std::size_t value = 0;   ///< where the value begins; 0: the key can't be read
        std::size_t end = 0;     ///< of the value or the tag
        bool container = false;
        TextError error{};  ///< counted from `value`
        std::string key;    ///< of an assignment
        std::string owner;  ///< of a header: the path of what is below it
    };
    Attempt read_pair(std::string_view row);
    Attempt read_tag(std::string_view row);
    Attempt read_header(std::string_view row) const;
    Attempt read_row(std::string_view row) {
        if (row[0] != '[')
            return read_pair(row);
        return how_.resource ? read_tag(row) : read_header(row);
    }
    bool may_begin_row(std::size_t at) const;
    static bool is_assignment(std::string_view line);
    /// Known for the line that was asked for last, which may be long and have many assignments.
    std::size_t line_end(std::size_t at) const {
        if (at < line_from_ || at > line_to_) {
            line_from_ = at;
            line_to_ = std::min(text_.find('\n', at), text_.size());
        }
        return line_to_;
    }
    /// Behind the first of many zeros, which a lost block or a crash leaves: no row is read over
    /// them. The zero shows that the row is not all there. Places rise.
    std::size_t hole_from(std::size_t at) {
        if (!hole_ || *hole_ < at)
            hole_ = text_.find(std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), at);
        return *hole_ == text_.npos ? text_.size() : *hole_ + 1;
    }
    std::size_t next_line(std::size_t at) const { return std::min(line_end(at) + 1, text_.size()); }
    /// The line end, if nothing but a comment stands before it.
    std::optional<std::size_t> row_end(std::string_view text, std::size_t at) const;
    std::size_t row(std::size_t begin, std::size_t at);
    void accept(std::size_t begin, std::size_t at, std::size_t end, const Attempt& attempt);
    std::size_t broken(std::size_t begin, std::size_t at);
    bool keep_part(std::size_t begin, std::size_t at, std::size_t next, std::string_view row,
                   const Attempt& attempt);
    void lose(std::size_t begin, std::size_t end, Errc code, std::string_view why,
              std::string at = {});
    void note_owner(std::size_t begin, std::size_t end);
    void fresh_line(std::size_t origin);
    bool has_owner(std::size_t begin, std::size_t end);
    std::string path_of(const Attempt& attempt) const;
    bool spend(std::uint64_t work) {
        out_.gave_up = out_.gave_up || work > budget_;
        budget_ -= std::min(work, budget_);
        return !out_.gave_up;
    }
    TextCheck check_value() const;

    std::string_view text_;
    SectionsMending how_;
    const TextRules& rules_;
    SectionsOptions sections_;
    MendedSections out_;
    std::uint64_t budget_;
    bool searching_ = false;              ///< behind a break: only what looks like a row is one
    std::optional<std::size_t> unknown_;  ///< the header or tag that begins there is broken
    std::string owner_;                   ///< the path of the section or tag
    std::size_t rows_ = 0;                ///< that were sound
    mutable std::size_t line_from_ = 1, line_to_ = 0;  ///< of `line_end`
    std::optional<std::size_t> hole_;  ///< the last one that was found; npos: there is no more
    Lines lines_{text_};
};

std::optional<std::size_t> SectionsMender::row_end(std::string_view text, std::size_t at) const {
    while (at < text.size() && is_line_blank(text[at]))
        ++at;
    if (at < text.size() && text[at] == rules_.comment)
        at = std::min(text.find('\n', at), text.size());
    if (at == text.size() || text[at] == '\n')
        return at;
    return std::nullopt;
}

SectionsMender::Attempt SectionsMender::read_pair(std::string_view row) {
    Attempt out;
    SectionScanner scan(row, sections_);
    SectionScanner::Item item{};
    if (!scan.next(item) || item != SectionScanner::Item::pair ||
        row.substr(0, scan.position()).find('\n') != row.npos) {
        (void)spend(std::min(scan.position(), row.size()));
        out.error.code = Errc::bad_syntax;
        out.error.detail = "no assignment";
        return out;
    }
    const std::string_view key =
        row.substr(scan.key_span().begin, scan.key_span().end - scan.key_span().begin);
    const bool odd = searching_ && !key.starts_with('"') && !all_plain(key);
    // To the engines a control character does not count.
    if (key.empty() || odd || std::ranges::any_of(row.substr(0, scan.position()), is_control)) {
        out.error.code = Errc::bad_syntax;
        out.error.detail = "the key can't be read";
        return out;
    }
    out.key = scan.key();
    out.value = scan.position();
    Variant value;
    out.ok = scan.value(value, 2);
    out.end = scan.position();
    out.container = value.is(Type::array) || value.is(Type::dictionary) || value.is(Type::object);
    if (!out.ok) {
        out.error.code = scan.fault.code;
        out.error.detail = scan.fault.detail;
        out.error.type = scan.fault.type;
        out.error.offset = scan.fault.offset - out.value;
    }
    (void)spend(out.ok ? out.end : scan.fault.offset);
    out.ends_well = out.ok && row_end(row, out.end);
    return out;
}

SectionsMender::Attempt SectionsMender::read_tag(std::string_view row) {
    Attempt out;
    out.header = true;
    SectionScanner scan(row, sections_);
    std::string name;
    Dictionary attributes;
    bool done = false;
    out.ok = scan.tag_name(name);
    while (out.ok && !done) {
        Variant value;
        out.ok = scan.field(done) && (done || scan.value(value, 3));
        if (out.ok && !done)
            attributes.append(Variant(scan.key()), std::move(value));
    }
    out.owner = owner_of(name, attributes);
    out.end = scan.position();
    if (out.ok && !is_class(attributes.find("type")))
        out.ok = scan.fail(Errc::bad_syntax, 0, "no class has such a name");
    out.ends_well = out.ok && row_end(row, out.end);
    if (!out.ok) {
        out.error.code = scan.fault.code;
        out.error.detail = scan.fault.detail;
        out.error.offset = scan.fault.offset;
    } else if (!out.ends_well) {
        out.error.code = Errc::bad_syntax;
        out.error.detail = "more stands behind the tag";
    }
    (void)spend(out.ok ? out.end : scan.fault.offset);
    out.ok = out.ends_well;
    return out;
}

SectionsMender::Attempt SectionsMender::read_header(std::string_view row) const {
    Attempt out;
    out.header = true;
    SectionScanner scan(row.substr(0, row.find('\n')), sections_);
    std::string name;
    out.ok = scan.section_name(name);
    out.end = scan.position();
    const std::string_view spelled = row.substr(1, out.end - 1);
    out.ok = out.ok && std::ranges::none_of(spelled, is_control) &&
             (!searching_ || all_plain(spelled.substr(0, spelled.size() - 1)));
    out.ends_well = out.ok && row_end(row, out.end);
    out.owner = "$" + step_to(name);
    out.error.code = Errc::bad_syntax;
    out.error.detail = "a section's header that can't be read";
    return out;
}

/// Whether a line looks like a header or an assignment.
bool SectionsMender::may_begin_row(std::size_t at) const {
    const std::string_view line = text_.substr(at, line_end(at) - at);
    if (line.starts_with('[') && how_.resource) {
        constexpr std::string_view tags[] = {"[ext_resource ", "[sub_resource ", "[resource]",
                                             "[node ",         "[connection ",   "[editable "};
        return std::ranges::any_of(tags,
                                   [&](std::string_view tag) { return line.starts_with(tag); });
    }
    if (line.starts_with('[')) {
        const std::size_t end = line.find(']');
        if (end == line.npos || !all_plain(line.substr(1, end - 1)))
            return false;
        if (row_end(line, end + 1))
            return true;
        // Engines read on behind the header. The text of a String may have "[b]x=1[/b]".
        std::string_view rest = line.substr(end + 1);
        rest.remove_prefix(detail::behind_space(rest));
        return is_assignment(rest) && rest.find("[/") == rest.npos;
    }
    return is_assignment(line);
}

/// Whether a line looks like an assignment.
bool SectionsMender::is_assignment(std::string_view line) {
    std::size_t end = line.find('=');
    if (end == line.npos)
        return false;
    while (end && line[end - 1] == ' ')
        --end;
    const std::string_view key = line.substr(0, end);
    if (key.starts_with('"'))
        return key.size() > 2 && key.find('"', 1) == key.size() - 1;
    return all_plain(key);
}

void SectionsMender::lose(std::size_t begin, std::size_t end, Errc code, std::string_view why,
                          std::string at) {
    if (begin >= end)
        return;
    // Line ends between them count with them, so that a report is no longer than its text.
    if (!out_.lost.empty() && begin - out_.lost.back().end <= 1 && out_.lost.back().reason == why &&
        at.empty() && out_.lost.back().at.empty()) {
        out_.lost.back().end = end;
        return;
    }
    LostRange range{begin, end, code, std::string(why)};
    range.at = std::move(at);
    out_.lost.push_back(std::move(range));
}

/// The lost text may have been a header, so the section of the next keys is unknown.
void SectionsMender::note_owner(std::size_t begin, std::size_t end) {
    std::size_t first = text_.npos, last = 0;
    for (std::size_t at = begin; at < end; ++at)
        if (is_control(text_[at])) {
            first = std::min(first, at);
            last = at + 1;
        }
    bool header = first != text_.npos && last - first >= hides_header;
    for (std::size_t at = begin; at < end && !header; at = next_line(at)) {
        std::string_view line = text_.substr(at, line_end(at) - at);
        while (!line.empty() && is_line_blank(line.back()))
            line.remove_suffix(1);
        // A bracket alone, or behind white space, ends an Array.
        const bool opens = line.starts_with('[');
        const bool closes = line.size() > 1 && line.ends_with(']') && !is_line_blank(line[0]);
        const bool other = line.find_first_of("=\"{", 1) != line.npos;  // "=name]"
        // No name is empty, or has what stands between values: "}]", "1, 2]".
        const bool named = line.size() > 2 && line.find_first_of("[]{},", 1) == line.size() - 1;
        header = opens ? at == begin || (!closes && !other) : closes && named && !other;
    }
    if (header)
        unknown_ = begin;
}

/// Ends the line that the text so far may end with.
void SectionsMender::fresh_line(std::size_t origin) {
    const std::string& made = out_.text.text();
    if (!made.empty() && made.back() != '\n')
        out_.text.add("\n", origin);
}

/// Whether an assignment can stay, whose section may be lost. `end`: of its row.
bool SectionsMender::has_owner(std::size_t begin, std::size_t end) {
    if (!unknown_)
        return true;
    if (how_.resource) {
        lose(begin, end, Errc::bad_syntax, "the tag above it can't be read");
        return false;
    }
    const std::string name = "recovered-" + std::to_string(lines_.of(*unknown_));
    fresh_line(begin);
    out_.text.add("[" + name + "]\n", begin);
    owner_ = "$" + step_to(name);
    unknown_.reset();
    return true;
}

void SectionsMender::accept(std::size_t begin, std::size_t at, std::size_t end,
                            const Attempt& attempt) {
    searching_ = false;
    out_.begins_well = out_.begins_well || (out_.lost.empty() && !rows_);
    ++rows_;
    if (attempt.header) {
        unknown_.reset();
        owner_ = attempt.owner;
        ++out_.headers;
    } else if (!has_owner(begin, end)) {
        return;
    } else {
        ++out_.pairs;
    }
    out_.kept += end - begin;
    const auto comment = text_.begin() + static_cast<std::ptrdiff_t>(at + attempt.end);
    const auto row_end = text_.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::any_of(comment, row_end, is_control)) {
        out_.text.copy(begin, at + attempt.end);
        fresh_line(end);
        lose(at + attempt.end, end, Errc::bad_syntax, odd_comment);
    } else {
        out_.text.copy(begin, end);
    }
}

TextCheck SectionsMender::check_value() const {
    ParseOptions parse;
    parse.family = how_.family;
    parse.whole = true;
    parse.file = true;
    parse.wrong_elements = WrongElements::kept;
    parse.resources = true;
    parse.limits = how_.limits;
    return [parse](std::string_view text) -> std::expected<void, TextError> {
        if (auto read = parse_text(text, parse); !read)
            return std::unexpected(read.error());
        return {};
    };
}

std::string SectionsMender::path_of(const Attempt& attempt) const {
    if (attempt.header || attempt.key.empty())
        return {};
    return owner_ + step_to(attempt.key);
}

/// Keeps what can be kept of a row that ends before `next` at the latest. `row` is its text.
bool SectionsMender::keep_part(std::size_t begin, std::size_t at, std::size_t next,
                               std::string_view row, const Attempt& attempt) {
    std::string made;  // in place of the row
    std::vector<MendedValue::Hole> holes;
    std::size_t reached = 0;  // of `row`
    std::string path = path_of(attempt);
    Errc code = Errc::bad_syntax;
    std::string_view why = "more stands behind the value";
    if (attempt.ok && attempt.ends_well) {
        reached = std::min(*row_end(row, attempt.end) + 1, row.size());
        made = row.substr(0, reached);
        path = {};
    } else if (attempt.header || !attempt.value || !how_.partial) {
        return false;
    } else if (attempt.ok) {
        if (!attempt.container)
            return false;
        reached = attempt.end;
        made = row.substr(0, reached);
    } else {
        const std::string_view value = row.substr(attempt.value);
        (void)spend(3 * value.size());
        const auto part = mend_value(value, rules_, attempt.error, check_value());
        if (!part || !part->cut.container)
            return false;
        holes = part->holes;
        reached = attempt.value + part->cut.keep;
        made.append(row.substr(0, attempt.value)).append(part->text);
        code = part->error.code;
        why = part->error.detail;
        path += part->cut.at.substr(1);
    }
    if (!attempt.header && !has_owner(begin, next))
        return true;
    fresh_line(begin);
    out_.text.copy(begin, at);
    out_.text.add(made, at);
    fresh_line(at + reached);
    if (attempt.header) {
        unknown_.reset();
        owner_ = attempt.owner;
    }
    ++(attempt.header ? out_.headers : out_.pairs);
    out_.kept += reached;
    for (const MendedValue::Hole& hole : holes)
        lose(at + attempt.value + hole.begin, at + attempt.value + hole.end, hole.error.code,
             reason_of(hole), path_of(attempt) + hole.at.substr(1));
    lose(at + reached, next, code, why.empty() ? "the value breaks off" : why, std::move(path));
    return true;
}

/// Passes over a row that can't be read, up to the next one. Returns where that is.
std::size_t SectionsMender::broken(std::size_t begin, std::size_t at) {
    std::size_t next = next_line(at);
    while (next < text_.size() && !may_begin_row(next))
        next = next_line(next);
    const std::string_view row = text_.substr(at, std::min(next, hole_from(at)) - at);
    const Attempt attempt = read_row(row);
    const bool odd_name = attempt.header && !how_.resource;  // it names nothing then
    if (odd_name || !keep_part(begin, at, next, row, attempt)) {
        lose(begin, next, attempt.error.code,
             (attempt.ok && !attempt.header) || attempt.error.detail.empty()
                 ? "the row can't be read"
                 : attempt.error.detail,
             path_of(attempt));
        note_owner(begin, next);
    }
    fresh_line(next);
    searching_ = true;
    return next;
}

/// Reads a header or an assignment. Returns where the next row begins.
std::size_t SectionsMender::row(std::size_t begin, std::size_t at) {
    const std::string_view rest = text_.substr(at, hole_from(at) - at);
    const Attempt attempt = read_row(rest);
    if (attempt.ok && attempt.ends_well) {
        const std::size_t end = std::min(at + *row_end(rest, attempt.end) + 1, text_.size());
        accept(begin, at, end, attempt);
        return end;
    }
    if (attempt.ok) {
        // An assignment behind a header, or a second one on the line. A header ends by itself.
        std::size_t next = at + attempt.end;
        while (next < text_.size() && is_line_blank(text_[next]))
            ++next;
        if ((attempt.header || next > at + attempt.end) && may_begin_row(next)) {
            accept(begin, at, next, attempt);
            return next;
        }
    }
    return broken(begin, at);
}

MendedSections SectionsMender::run() {
    const std::size_t all = text_.size();
    text_ = text_.substr(0, text_.find_last_not_of('\0') + 1);
    std::size_t at = 0;
    while (at < text_.size() && !out_.gave_up) {
        std::size_t first = at;
        while (first < text_.size() && is_line_blank(text_[first]))
            ++first;
        if (!out_.headers && !out_.pairs &&
            text_.substr(first).starts_with(utf8::byte_order_mark)) {
            const std::size_t begin = std::exchange(at, first + utf8::byte_order_mark.size());
            lose(begin, at, Errc::bad_syntax, "a byte order mark, which engines take for text");
            continue;
        }
        const char c = first < text_.size() ? text_[first] : '\n';
        const std::size_t end = next_line(first);
        if (c == rules_.comment &&
            std::ranges::any_of(text_.substr(first, end - first), is_control)) {
            lose(at, end, Errc::bad_syntax, odd_comment);
            at = end;
        } else if (c == '\n' || c == rules_.comment) {
            out_.text.copy(at, end);
            at = end;
        } else if (is_control(c)) {
            const std::size_t begin = at;
            for (at = first; at < text_.size() && is_control(text_[at]);)
                ++at;
            lose(begin, at, Errc::bad_syntax, "bytes that are no text");
            if (at - begin >= hides_header)
                unknown_ = begin;
            fresh_line(at);
        } else {
            at = row(at, first);
        }
    }
    lose(at, text_.size(), Errc::bad_syntax,
         "the search for more was ended: it would take too long");
    lose(text_.size(), all, Errc::bad_syntax, "zeros at the end");
    return std::move(out_);
}

}  // namespace

void PatchedText::copy(std::size_t begin, std::size_t end) {
    if (begin >= end)
        return;
    if (!parts_.empty() && parts_.back().copied &&
        parts_.back().origin + (text_.size() - parts_.back().at) == begin) {
        text_ += from_.substr(begin, end - begin);
        return;
    }
    parts_.push_back({text_.size(), begin, true});
    text_ += from_.substr(begin, end - begin);
}

void PatchedText::add(std::string_view text, std::size_t origin) {
    if (text.empty())
        return;
    parts_.push_back({text_.size(), origin, false});
    text_ += text;
}

std::size_t PatchedText::original(std::size_t at) const noexcept {
    const auto next = std::ranges::upper_bound(parts_, at, {}, &Part::at);
    if (next == parts_.begin())
        return at;
    const Part& part = *std::prev(next);
    return part.copied ? part.origin + (at - part.at) : part.origin;
}

MendedSections mend_sections(std::string_view text, const SectionsMending& how) {
    return SectionsMender(text, how).run();
}

std::optional<std::string> mend_resource(MendedSections& sections, const SectionsMending& how) {
    const std::string& text = sections.text.text();
    SectionsOptions options;
    options.family = how.family;
    options.limits = how.limits;
    detail::ResourceReader reader(text, options);
    std::vector<detail::RefusedRow> refused;
    reader.refused = &refused;
    if (!reader.run())
        return std::nullopt;
    std::string out;
    std::size_t at = 0;
    for (const detail::RefusedRow& row : refused) {
        out.append(text, at, std::max(at, row.begin) - at);
        at = std::max(at, row.end);
        const std::size_t begin = sections.text.original(row.begin);
        const std::size_t end = sections.text.original(row.end - 1) + 1;
        sections.kept -= std::min(sections.kept, row.end - row.begin);
        if (begin < end)
            sections.lost.push_back({begin, end, row.code, std::string(row.why)});
    }
    out.append(text, at);
    detail::sort(sections.lost, {},
                 [](const LostRange& range) { return std::pair(range.begin, range.end); });
    if (reader.lacks_resource()) {
        if (!out.ends_with('\n'))
            out += '\n';
        out += "[resource]\n";
        sections.lacks_resource = true;
    }
    return out;
}

}  // namespace gdvar::recovering
