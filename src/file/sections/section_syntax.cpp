#include "file/sections/section_syntax.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {

std::unexpected<RewriteError> refused(Errc code, const char* why, Type type) {
    return std::unexpected(RewriteError{Error{code, type}.about_reason(why), {}});
}

Rewritten below(const Child& child, Rewritten done) {
    if (!done) {
        std::string step;
        append_step(step, child);
        done.error().path.insert(0, step);
    }
    return done;
}

namespace {

/// The name of a property, or a key that is a text.
std::expected<std::string_view, RewriteError> name_of(const Child& child) {
    if (child.role == Child::property)
        return child.name;
    if (!child.key_view.is(Type::string))
        return refused(Errc::wrong_type, "the keys of a section are Strings",
                       child.key_view.type());
    return child.key_view.text();
}

/// The rows of a node's children, each of which has one.
std::vector<std::vector<Row>> rows_of(const ChangedChildren& change) {
    const LineText text(change.text);
    std::vector<std::vector<Row>> out;
    out.reserve(change.nodes.size());
    for (const std::uint32_t number : change.nodes) {
        const OutlineNode& node = change.outline.nodes[number];
        out.push_back({row_of(text, node.key_begin, node.end)});
    }
    return out;
}

}  // namespace

void append_key(std::string& out, std::string_view key) {
    const bool plain = std::all_of(key.begin(), key.end(), [](char c) {
        return c > 32 && c < 127 && std::string_view("=\";[]").find(c) == std::string_view::npos;
    });
    if (plain && !key.empty()) {
        out += key;
        return;
    }
    out += '"';
    for (const char c : key) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    out += '"';
}

bool is_identifier(std::string_view text) noexcept {
    return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || is_digit(c);
    });
}

Rewritten SectionSyntax::key(std::string& out, const Child& child, OutlineKind in) const {
    if (in != OutlineKind::section && in != OutlineKind::attributes)
        return GodotText::key(out, child, in);
    const auto name = name_of(child);
    if (!name)
        return std::unexpected(name.error());
    if (name->empty())
        return refused(Errc::not_in_dialect, "engines skip a value without a key");
    if (in == OutlineKind::section) {
        append_key(out, *name);
        return {};
    }
    if (!is_identifier(*name))
        return refused(Errc::not_in_dialect, "an attribute's name has letters, digits and _ alone");
    out += *name;
    return {};
}

void SectionSyntax::finish(TextEdits& edits) const {
    for (const LateText& late : late_)
        edits.insert(late.at, late.text);
    late_.clear();
}

std::string_view SectionSyntax::equals_below(const ChangedNode& node) const {
    const auto& nodes = node.outline.nodes;
    const auto of = [&](std::uint32_t section) -> std::string_view {
        if (nodes[section].kind != OutlineKind::section || !nodes[section].count)
            return {};
        const OutlineNode& first = nodes[section + 1];
        const std::string_view between =
            node.text.substr(first.key_end, first.begin - first.key_end);
        return between.find_first_not_of("= \t") == between.npos ? between : std::string_view();
    };
    if (const std::string_view own = of(node.node); !own.empty())
        return own;
    for (std::uint32_t i = 0; i < nodes.size() && !first_equals_; ++i)
        if (const std::string_view other = of(i); !other.empty())
            first_equals_ = other;
    if (!first_equals_)
        first_equals_ = equals_;
    return *first_equals_;
}

Rewritten SectionSyntax::append_pair(std::string& out, const Child& child, OutlineKind in,
                                     const TextLayout& layout, std::string_view equals) const {
    if (auto done = key(out, child, in); !done)
        return below(child, std::move(done));
    out += equals;
    return below(child, value(out, child.view, {layout, {}, {}}));
}

Rewritten SectionSyntax::append_lines(std::string& out, const View& properties,
                                      const TextLayout& layout, std::string_view equals) const {
    for (Children all(properties); !all.done();) {
        if (!out.empty())
            out += layout.newline;
        if (auto done = append_pair(out, all.next_value(), OutlineKind::section, layout, equals);
            !done)
            return done;
    }
    return {};
}

Rewritten SectionSyntax::change_lines(TextEdits& edits, const ChangedChildren& change) const {
    const LineText text(change.text);
    RowChanges changes{edits, change, rows_of(change)};
    const std::string_view equals = equals_below(change);
    changes.make = [&](std::string& out, std::size_t j) {
        return append_pair(out, change.to.step(j), OutlineKind::section, change.layout, equals);
    };
    changes.put_first = [&](std::string made) {
        const auto spans = change.outline.spans_of(change.node);
        const Row header = row_of(text, spans[0].begin, spans[0].end);
        if (header.ends_line)
            edits.append(header.tail, change.layout.newline + made);
        else
            edits.append(header.end, " " + made + " ");
    };
    return change_rows(changes);
}

// ---- ConfigFile -----------------------------------------------------------------------------

namespace {

/// The name as 3.2.3 reads one: each byte of the file is a character. 3.6.2 and 4.6.3 have no such
/// name where these bytes are not UTF-8, so that no text file can hold it.
Rewritten append_bytes(std::string& out, std::string_view name) {
    std::string bytes;
    bool fits = true;
    for (std::string_view rest = name; !rest.empty() && fits;) {
        const utf8::Character c = utf8::first(rest);
        fits = c.size && c.code < 0x100;
        bytes += static_cast<char>(c.code);
        rest.remove_prefix(c.size);
    }
    if (!fits || !valid_text(bytes, Utf8Rule::strict))
        return refused(Errc::not_in_dialect,
                       "Godot 3.2 takes each byte of a section's name for a character, and reads "
                       "this name from no UTF-8 text: use ASCII, or the dialect of Godot 3.6");
    out += bytes;
    return {};
}

}  // namespace

Rewritten ConfigSyntax::append_name(std::string& out, const View& name) const {
    if (!name.is(Type::string))
        return refused(Errc::wrong_type, "the names of sections are Strings", name.type());
    const std::string_view text = name.text();
    const TextRules& rules = text_rules(options().family);
    const auto blank = [&](char c) { return !c || rules.blanks.has(c); };
    if (text.empty())
        return refused(Errc::not_in_dialect, "only the keys before the first header have no name");
    if (blank(text.front()) || blank(text.back()))
        return refused(Errc::not_in_dialect,
                       "engines cut the white space at the ends of a section's name");
    if (rules.header_escapes && text.back() == '\\')
        return refused(Errc::not_in_dialect, "to Godot 4 a header that ends with \\] has no end");
    if (!rules.header_escapes && text.find(']') != text.npos)
        return refused(Errc::not_in_dialect, "Godot 3 has no form for ] in a section's name");
    if (rules.header_bytes)
        return append_bytes(out, text);
    for (const char c : text) {
        if (c == ']')
            out += '\\';
        out += c;
    }
    return {};
}

Rewritten ConfigSyntax::children(TextEdits& edits, const ChangedChildren& change) const {
    return change.place().kind == OutlineKind::sections ? change_sections(edits, change)
                                                        : change_lines(edits, change);
}

Rewritten ConfigSyntax::rename(TextEdits& edits, const ChangedChildren& change,
                               std::size_t i) const {
    if (change.place().kind != OutlineKind::sections)
        return SectionSyntax::rename(edits, change, i);
    const std::uint32_t node = change.nodes[change.partner[i]];
    const auto headers = change.outline.spans_of(node);
    const View& key = change.to.keys[i];
    // The section without a name comes first, without a header.
    if (key.is(Type::string) && key.text().empty() && headers.size() == 1) {
        edits.remove(headers[0].begin, headers[0].end);
        return {};
    }
    std::string name;
    if (auto done = append_name(name, key); !done)
        return done;
    for (const OutlineSpan& header : headers)
        edits.replace(header.begin + 1, header.end - 1, name);
    if (headers.empty())
        edits.insert(0, "[" + name + "]" + change.layout.newline + change.layout.newline);
    return {};
}

Rewritten ConfigSyntax::retype(TextEdits&, const ChangedNode& node) const {
    return refused(Errc::wrong_type, "a section is a Dictionary", node.after.type());
}

/// Sections come, go and change places.
Rewritten ConfigSyntax::change_sections(TextEdits& edits, const ChangedChildren& change) const {
    const LineText text(change.text);
    RowChanges changes{edits, change, {}, false, &late_, true};
    bool space_below = true, seen = false;
    for (const std::uint32_t number : change.nodes) {
        const OutlineNode& node = change.outline.nodes[number];
        const auto headers = change.outline.spans_of(number);
        std::vector<Row>& rows = changes.rows.emplace_back();
        std::uint32_t child = number + 1;
        const auto rows_up_to = [&](std::size_t begin, std::size_t end, std::size_t next) {
            for (; child < node.next && change.outline.nodes[child].begin < next;
                 child = change.outline.nodes[child].next)
                end = change.outline.nodes[child].end;
            rows.push_back(row_of(text, begin, end));
        };
        if (headers.empty())
            rows_up_to(change.outline.nodes[child].key_begin, 0, SIZE_MAX);
        for (std::size_t h = 0; h < headers.size(); ++h)
            rows_up_to(headers[h].begin, headers[h].end,
                       h + 1 < headers.size() ? headers[h + 1].begin : SIZE_MAX);
        if (!seen && !headers.empty() && node.count) {
            const std::size_t below = text.next_line(headers[0].end);
            seen = true;
            space_below = text.blank_lines_behind(below) != below;
        }
    }
    const std::string_view newline = change.layout.newline;
    changes.make = [&](std::string& out, std::size_t j) -> Rewritten {
        const Child child = change.to.step(j);
        if (!child.view.is(Type::dictionary))
            return below(child,
                         refused(Errc::wrong_type, "a section is a Dictionary", child.view.type()));
        const bool unnamed = child.key_view.is(Type::string) && child.key_view.text().empty();
        if (!unnamed || j) {
            out += '[';
            if (auto done = append_name(out, child.key_view); !done)
                return below(child, std::move(done));
            out += ']';
            if (space_below && child.view.size())
                out += newline;
        }
        return below(child, append_lines(out, child.view, change.layout, equals_below(change)));
    };
    changes.put_first = [&](std::string made) {
        const bool open = text.is_open_end(text.size());
        late_.push_back(
            {text.size(), (open ? std::string(newline) : "") + made + std::string(newline)});
    };
    return change_rows(changes);
}

}  // namespace gdvar::detail
