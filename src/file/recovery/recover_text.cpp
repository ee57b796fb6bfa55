#include "file/recovery/recover_text.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/sort.hpp"
#include "file/documents/text_formats.hpp"
#include "file/recovery/mend_sections.hpp"
#include "file/recovery/mend_value.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/wire/path.hpp"
#include "text/tokens.hpp"
#include "wire/repeated_keys.hpp"

namespace gdvar::recovering {
namespace {

/// A text that was made of what can be kept.
struct Mended {
    InputKind kind = InputKind::unknown;
    std::string text{};
    std::vector<LostRange> lost{};
    std::vector<std::string> notes{};
    std::vector<TextItem> items{};     ///< of those that the text has; a text of sections: one
    const Dialect* dialect = nullptr;  ///< that it was read in
    std::size_t kept = 0;              ///< bytes of the original, as far as they say something
    bool plausible = false;            ///< it is no accident that something could be kept
    bool in_lines = false;             ///< several lines begin with a value of their own
};

struct Mending {
    std::string_view text;
    const SaveOptions& options;
    Limits limits{};
    mutable bool too_many = false;  ///< values
    DocumentOptions reading() const { return {.dialect = options.dialect, .limits = limits}; }
};

/// Rules of Godot's texts.
const TextRules& rules_of(const Mending& how) {
    const Dialect* dialect = how.options.dialect;
    return detail::text_rules(dialect ? dialect->family : guess_family(how.text).family);
}

/// Behind byte order marks and bytes that are no text at the start.
std::string_view start_of(std::string_view text) {
    for (;;) {
        const auto first =
            std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) > 32; });
        text.remove_prefix(static_cast<std::size_t>(first - text.begin()));
        if (!text.starts_with(utf8::byte_order_mark))
            return text;
        text.remove_prefix(utf8::byte_order_mark.size());
    }
}

std::size_t mark_of(std::string_view text) {
    return text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0;
}

TextError text_error(const Error& error) {
    TextError out;
    out.code = error.code;
    out.type = error.type;
    out.offset = error.offset;
    return out;
}

/// Whether a document of that kind can be made of the text; else why not.
TextCheck check_as(InputKind kind, const DocumentOptions& options) {
    return [=](std::string_view text) -> std::expected<void, TextError> {
        const DocumentKind& row = *find_document_kind(kind);
        const auto opened = row.open(row, as_bytes(text), options);
        if (opened)
            return {};
        // The reader of the text has more words for what is wrong.
        if (auto read = detail::text_format(kind).read(text, options);
            !read && read.error().code == opened.error().code)
            return std::unexpected(read.error());
        return std::unexpected(text_error(opened.error()));
    };
}

/// A text that some engine reads is not damaged: Godot 3 takes any character behind a backslash.
/// Godot 4 is asked alone where its dialect is named.
TextCheck check_json(const Mending& how) {
    JsonParseOptions options = detail::document_json(nullptr, how.limits);
    const Dialect* dialect = how.options.dialect;
    options.any_escape = !dialect || !is_godot_4(dialect->family);
    return [options](std::string_view text) -> std::expected<void, TextError> {
        if (auto read = parse_plain_json(text, options); !read)
            return std::unexpected(read.error());
        return {};
    };
}

bool is_json(InputKind kind) {
    return kind == InputKind::json || kind == InputKind::json_lines;
}

/// Whether that holds for the values of a sound document of that kind.
bool is_sound_json(const Mending& how, InputKind kind) {
    const TextCheck check = check_json(how);
    const std::string_view text = how.text;
    if (is_json(kind) && !valid_text(text, Utf8Rule::strict))
        return false;
    if (kind == InputKind::json) {
        const auto done = check(text);
        how.too_many = how.too_many || (!done && done.error().code == Errc::node_limit);
        return done.has_value();
    }
    for (std::size_t begin = 0; kind == InputKind::json_lines && begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (line.find_first_not_of(detail::space_characters) != line.npos && !check(line))
            return false;
        begin = end + 1;
    }
    return true;
}

/// A value and what of it is lost, from a part of the text that begins at `begin`.
struct OneValue {
    std::string text;
    TextItem item;
    std::vector<LostRange> lost;
    std::size_t kept = 0;    ///< bytes of the part
    std::size_t values = 0;  ///< of those that were mended
    bool container = false;
    bool cut = false;  ///< brackets were closed
};

/// Mends a value that `check` refuses. Nothing if nothing can be kept.
std::optional<OneValue> mend_one(std::string_view text, std::size_t begin, const TextRules& rules,
                                 const TextCheck& check, bool partial) {
    OneValue out;
    if (const auto read = check(text); read) {
        out.text = text;
        out.container = cut_before(text, text.size(), rules).container;
        out.kept = text.size();
    } else if (read.error().code == Errc::node_limit) {
        return std::nullopt;
    } else {
        auto mended = mend_value(text, rules, read.error(), check);
        if (!mended || (!partial && !mended->cut.whole))
            return std::nullopt;
        const std::size_t reached = mended->cut.keep;
        out.text = std::move(mended->text);
        out.container = mended->cut.container;
        out.values = mended->cut.values;
        out.kept = reached;
        const auto broken = [&](const TextError& error, const std::string& at) {
            const Error why{error.code, error.type, error.offset, 0};
            if (!out.item.broken)
                out.item.broken = std::make_unique<RecoveredBreak>(why, at);
        };
        for (const MendedValue::Hole& hole : mended->holes) {
            broken(hole.error, hole.at);
            LostRange lost{begin + hole.begin, begin + hole.end, hole.error.code, reason_of(hole)};
            out.kept -= static_cast<std::size_t>(lost.end - lost.begin);
            lost.at = hole.at;
            out.lost.push_back(std::move(lost));
        }
        out.cut = !mended->cut.whole;
        if (out.cut)
            broken(mended->error, mended->cut.at);
        LostRange rest{
            begin + reached, begin + text.size(), mended->error.code,
            mended->cut.whole ? "more stands behind the value" : reason_of(mended->error)};
        if (!mended->cut.whole)
            rest.at = mended->cut.at;
        const bool says =
            text.substr(reached).find_first_not_of(detail::space_characters) != text.npos;
        // Where only brackets are missing, no byte is lost.
        if (rest.begin < rest.end && (says || !mended->cut.whole))
            out.lost.push_back(std::move(rest));
    }
    out.item.offset = begin;
    return out;
}

/// A text of one value.
std::optional<Mended> mend_single(const Mending& how, InputKind kind) {
    const bool json = kind == InputKind::json;
    auto one =
        mend_one(how.text, 0, json ? detail::json_text_rules : rules_of(how),
                 json ? check_json(how) : check_as(kind, how.reading()), how.options.partial);
    if (!one || !one->container)
        return std::nullopt;
    Mended out{.kind = kind};
    out.text = std::move(one->text);
    if ((!one->lost.empty() || one->item.broken) && how.text.find('\n') != how.text.npos &&
        !out.text.ends_with('\n'))
        out.text += '\n';
    out.kept = one->kept;
    // `[]` before something else says nothing.
    out.plausible = one->lost.empty() || one->values > 1 || one->cut;
    out.lost = std::move(one->lost);
    out.items.push_back(std::move(one->item));
    return out;
}

std::optional<Mended> mend_lines(const Mending& how) {
    Mended out{.kind = InputKind::json_lines};
    const TextCheck check = check_json(how);
    std::size_t sound = 0, begun = 0, all = 0;
    for (std::size_t begin = 0; begin < how.text.size();) {
        const std::size_t end = std::min(how.text.find('\n', begin), how.text.size());
        const std::size_t next = std::min(end + 1, how.text.size());
        const std::string_view line = how.text.substr(begin, end - begin);
        const std::size_t first = line.find_first_not_of(detail::space_characters, mark_of(line));
        if (first == line.npos) {
            out.text += how.text.substr(begin, next - begin);
            begin = next;
            continue;
        }
        if (++all > how.limits.max_nodes) {
            how.too_many = true;
            return std::nullopt;
        }
        const bool opens = line[first] == '{' || line[first] == '[';
        const std::string_view value =
            line.substr(0, line.find_last_not_of(detail::space_characters) + 1);
        const auto why = check(value);
        if (why) {
            out.text += how.text.substr(begin, next - begin);
            out.items.push_back({.offset = begin});
            out.kept += line.size();
            sound += opens && value.size() - first > 2;
            begun += opens && first == mark_of(line) && value.size() - first > 2;
        } else if (auto one = opens ? mend_one(value, begin, detail::json_text_rules, check,
                                               how.options.partial)
                                    : std::nullopt) {
            out.text.append(one->text).append("\n");
            // A comma behind it: an element of an Array, which has begun above.
            begun += first == mark_of(line) && value.back() != ',' &&
                     why.error().code != Errc::trailing_bytes;
            out.items.push_back(std::move(one->item));
            std::ranges::move(one->lost, std::back_inserter(out.lost));
            out.kept += one->kept;
        } else {
            out.lost.push_back({begin, next, why.error().code, reason_of(why.error())});
        }
        begin = next;
    }
    // Nobody breaks the lines of one value so that they begin with others, without an indent.
    out.in_lines = begun > 1 && begun * 2 >= all;
    out.plausible = out.in_lines || (sound && all > 1 && sound * 2 >= all);
    return out;
}

/// The dialects that a text of sections may be in, the likeliest first.
std::vector<const Dialect*> dialects_of(const Mending& how) {
    if (how.options.dialect)
        return {how.options.dialect};
    const FamilyGuess guess = guess_family(how.text);
    std::vector<const Dialect*> out = {&newest_dialect(guess.family)};
    if (!guess.certain)
        for (const Dialect* dialect : newest_dialects())
            if (dialect != out[0])
                out.push_back(dialect);
    return out;
}

/// A ConfigFile or a text resource.
std::optional<Mended> mend_rows(const Mending& how, InputKind kind) {
    std::optional<Mended> best;
    for (const Dialect* dialect : dialects_of(how)) {
        const SectionsMending rows{.resource = kind == InputKind::resource,
                                   .family = dialect->family,
                                   .partial = how.options.partial,
                                   .limits = how.limits};
        MendedSections sections = mend_sections(how.text, rows);
        Mended out{.kind = kind};
        if (rows.resource) {
            auto text = mend_resource(sections, rows);
            if (!text)
                continue;
            out.text = *std::move(text);
            if (sections.lacks_resource)
                out.notes.emplace_back("the text ends before its [resource], which was added");
        } else {
            out.text = sections.text.take();
        }
        out.dialect = dialect;
        out.lost = std::move(sections.lost);
        out.kept = sections.kept;
        out.plausible =
            rows.resource ||
            (sections.pairs && (sections.begins_well || out.kept * 4 >= how.text.size()));
        TextItem item;
        if (!out.lost.empty() || sections.lacks_resource) {
            const bool any = !out.lost.empty();
            const Error why{any ? out.lost[0].code : Errc::truncated, Type::nil,
                            any ? out.lost[0].begin : how.text.size(), 0};
            item.broken = std::make_unique<RecoveredBreak>(
                why, any && !out.lost[0].at.empty() ? out.lost[0].at : "$");
        }
        out.items.push_back(std::move(item));
        if (!best || out.kept > best->kept)
            best = std::move(out);
        if (best->lost.empty())
            break;
    }
    return best;
}

std::optional<Mended> mend_as(const Mending& how, InputKind kind) {
    switch (kind) {
        case InputKind::json:
        case InputKind::text:
            return mend_single(how, kind);
        case InputKind::json_lines:
            return mend_lines(how);
        default:
            return mend_rows(how, kind);
    }
}

/// Whether a text has what JSON has not: constructors, StringNames.
bool has_constructors(std::string_view text) {
    detail::Tokens tokens(text, detail::text_rules(newest_text_family));
    for (auto token = tokens.next(); token.kind != detail::TokenKind::end; token = tokens.next()) {
        const bool named = token.kind == detail::TokenKind::identifier ||
                           token.kind == detail::TokenKind::bracket_close;
        if (token.kind == detail::TokenKind::string_name ||
            (named && tokens.peek(token.end) == '('))
            return true;
    }
    return false;
}

/// The kinds that a damaged text may be, by its beginning. `seen` is what it was taken for.
std::vector<InputKind> candidates(std::string_view text, InputKind seen) {
    const std::string_view start = start_of(text);
    if (start.empty())
        return {};
    // A tag whose name is damaged has attributes, a section's header has none.
    const std::string_view tag = without_comments(start);
    const bool attributes = tag.substr(0, tag.find(']')).find('=') != tag.npos;
    // A first tag with a damaged bracket is none of a ConfigFile's keys.
    const std::string_view line = tag.substr(0, tag.find('\n'));
    const bool broken_tag = line.find("gd_resource type=") != line.npos ||
                            line.find("gd_scene load_steps=") != line.npos ||
                            line.find("gd_scene format=") != line.npos;
    if (looks_like_resource(start).fits || broken_tag)
        return {InputKind::resource};
    if (tag.starts_with("[gd_") && attributes)
        return seen == InputKind::config ? std::vector{InputKind::resource, seen}
                                         : std::vector{InputKind::resource};
    std::vector<InputKind> out;
    if (start[0] == '{' || start[0] == '[')
        out = {InputKind::json, InputKind::json_lines, InputKind::text};
    else if (text.find("\n{") != text.npos)
        out = {InputKind::json_lines};
    else if (start.starts_with("Dictionary[") || start.starts_with("Array[") ||
             start.starts_with("Object("))
        out = {InputKind::text};
    if (start[0] != '{')  // no key begins so
        out.push_back(InputKind::config);
    return out;
}

/// Whether a line is a tag of a resource or scene. No header of a ConfigFile has attributes.
/// Engines write the format into the first tag.
bool has_tags(std::string_view text) {
    constexpr std::string_view tags[] = {"[ext_resource ", "[sub_resource ", "[node ",
                                         "[connection ", "[editable "};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (line.starts_with("[gd_") && line.contains(" format="))
            return true;
        for (const std::string_view tag : tags)
            if (line.starts_with(tag) && line.contains('='))
                return true;
        at = end + 1;
    }
    return false;
}

/// Signs of damage in a ConfigFile that engines read.
struct ConfigLook {
    /// It has what engines read and never write: a line without '=', which is a part of the next
    /// key, a header that goes on to a `]` in another line; a byte order mark, a part of a key,
    /// too.
    bool odd = true;
    bool pairs = false;  ///< it has any
    bool tags = false;   ///< headers that are a resource's
};

ConfigLook look_at_config(std::string_view text, TextFamily family) {
    bool odd = mark_of(text) != 0;
    const TextLoss note = [&](std::uint64_t, std::string_view what) {
        odd =
            odd || what == detail::SectionScanner::glued || what == detail::SectionScanner::skipped;
    };
    const auto read = read_config(text, {.family = family, .note = &note});
    if (!read)
        return {};
    bool tags = false;
    for (const OutlineSpan& span : read->outline.spans) {
        const std::string_view header = text.substr(span.begin, span.end - span.begin);
        odd = odd || header.find('\n') != header.npos;
        tags = tags || has_tags(header);
    }
    return {odd, read->outline.nodes.size() > 1 + read->outline.nodes[0].count, tags};
}

/// A text that is all there, as the engines read it.
std::optional<Mended> sound_as(const Mending& how, InputKind kind) {
    if (how.text.find('\0') != how.text.npos)
        return std::nullopt;
    const DocumentKind& row = *find_document_kind(kind);
    const auto read = row.open(row, as_bytes(how.text), how.reading());
    how.too_many = how.too_many || (!read && read.error().code == Errc::node_limit);
    if (!read)
        return std::nullopt;
    if (kind == InputKind::config) {
        const bool control = std::ranges::any_of(how.text, [](char c) {
            return static_cast<unsigned char>(c) < 32 &&
                   detail::space_characters.find(c) == std::string_view::npos;
        });
        const ConfigLook look = look_at_config(how.text, (*read)->dialect()->family);
        if (look.odd || (how.options.as != kind && (control || look.tags || !look.pairs)))
            return std::nullopt;
    }
    Mended out{.kind = kind};
    out.text = how.text;
    out.dialect = (*read)->dialect();
    out.kept = how.text.size();
    out.plausible = true;
    out.items.reserve((*read)->items().size());
    for (const SaveItem& item : (*read)->items())
        out.items.push_back({.offset = item.offset});
    return out;
}

/// Whether a comment may hold what was a value before a comma or a quote became its mark.
bool hides_values(std::string_view text) {
    detail::Tokens tokens(text, detail::text_rules(newest_text_family));
    for (auto token = tokens.next();; token = tokens.next()) {
        const std::string_view between = text.substr(token.space, token.begin - token.space);
        if (between.find_first_of("\"0123456789") != between.npos)
            return true;
        if (token.kind == detail::TokenKind::end)
            return false;
    }
}

/// The first kind of these that the text is, as a whole; `seen` comes first, unless the text begins
/// as another kind: what is left of a scene without its nodes may be a sound ConfigFile.
std::optional<Mended> sound_one(const Mending& how, std::vector<InputKind> kinds, InputKind seen) {
    const bool resource = !kinds.empty() && kinds[0] == InputKind::resource;
    if (seen != InputKind::unknown && !resource)
        kinds.insert(kinds.begin(), seen);
    for (const InputKind kind : kinds) {
        auto sound = is_sound_json(how, kind) ? sound_as(how, kind) : std::nullopt;
        // Broken JSON may be a whole text of Godot's, for which `;` begins a comment. Recognition
        // does not take it for one.
        if (sound && kind == InputKind::text && how.options.as != kind && seen != kind &&
            !has_constructors(how.text) &&
            (hides_values(how.text) || !valid_text(how.text, Utf8Rule::strict)))
            continue;
        if (sound)
            return sound;
    }
    return std::nullopt;
}

bool is_broken(const TextItem& item) {
    return item.broken != nullptr;
}

/// Where the value that is lost begins, of a range that begins behind the one before it. A line
/// that lacks a comma at its end is that of the one before it.
std::uint64_t place_to_tell(std::string_view text, const LostRange& range) {
    const auto begin = static_cast<std::size_t>(range.begin);
    if (range.at.empty() || begin >= text.size())
        return begin;
    const std::size_t before =
        begin ? text.find_last_not_of(detail::space_characters, begin - 1) : text.npos;
    std::size_t at = text.find_first_not_of(detail::space_characters, begin);
    if (at != text.npos && text[at] == ',')
        at = text.find_first_not_of(detail::space_characters, at + 1);
    else if (before == text.npos || std::string_view("[{(:").find(text[before]) == text.npos)
        return begin;
    return at < range.end ? at : begin;
}

/// Tells of values that no reader gives: where something is lost, their keys are those of later
/// ones.
void note_same_keys(Found& found) {
    const DecodeOptions decoding{.dialect = found.dialect, .allow_objects = true};
    std::size_t count = 0;
    std::string path;
    for (const SaveItem& item : found.made->items()) {
        const auto keys = detail::replaced_keys(item.packet, decoding);
        if (!keys || keys->empty())
            continue;
        if (count == 0)
            path = error_path(item.packet, decoding,
                              Error{Errc::duplicate_key, {}, (*keys)[0].begin, 0});
        count += keys->size();
    }
    if (count)
        found.notes.push_back(
            (count == 1 ? "1 value has" : std::to_string(count) + " values have") +
            " the key of a later one, and only the last one is read: " + path);
}

/// Makes the document of what was mended. False if it is not sound.
bool take(Found& found, Mended mended, const Mending& how) {
    const std::string_view text = how.text;
    const SaveOptions& options = how.options;
    const bool json = is_json(mended.kind);
    const bool repaired = json && !valid_text(mended.text, Utf8Rule::strict);
    if (repaired) {
        const auto joined = utf8::with_joined_halves(mended.text);
        mended.text = utf8::repaired(joined ? *joined : mended.text);
        mended.notes.emplace_back(
            "what is not UTF-8 is U+FFFD now: to Godot 3 a line of JSON that has it is empty");
    }
    const ByteView bytes = as_bytes(std::string_view(mended.text));
    found.text.assign(bytes.begin(), bytes.end());
    const DocumentKind& row = *find_document_kind(mended.kind);
    DocumentOptions reading = how.reading();
    if (mended.dialect)
        reading.dialect = mended.dialect;
    auto made = row.open(row, found.text, reading);
    if (!made || (*made)->items().size() != mended.items.size())
        return false;
    found.made = *std::move(made);
    found.kind = mended.kind;
    found.dialect = found.made->dialect();
    found.certain = options.dialect || json || guess_family(text).certain;
    detail::sort(mended.lost, {},
                 [](const LostRange& range) { return std::pair(range.begin, range.end); });
    Lines lines(text);
    for (LostRange& range : mended.lost)
        range.line = lines.of(place_to_tell(text, range));
    Lines breaks(text);
    for (TextItem& item : mended.items)
        if (item.broken)
            item.broken->line = breaks.of(item.offset + item.broken->error.offset);
    found.rows = {};
    found.rows.lost = std::move(mended.lost);
    found.rows.score = static_cast<std::int64_t>(std::min<std::size_t>(mended.kept, 1 << 20)) * 2;
    found.text_items = std::move(mended.items);
    std::ranges::move(mended.notes, std::back_inserter(found.notes));
    if (repaired || !found.rows.lost.empty() || std::ranges::any_of(found.text_items, &is_broken))
        note_same_keys(found);
    return true;
}

}  // namespace

bool is_odd_text(std::string_view text, InputKind kind, const Dialect& read_in,
                 const SaveOptions& options) {
    if (kind == InputKind::config) {
        const ConfigLook look = look_at_config(text, read_in.family);
        return look.odd || (look.tags && options.as != kind);
    }
    return !is_sound_json({text, options}, kind);
}

bool is_mostly_text(std::string_view text) {
    std::size_t odd = 0, all = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        std::size_t run = 1;
        while (byte == 0 && at + run < text.size() && text[at + run] == '\0')
            ++run;
        at += run;
        if (run >= 8)
            continue;
        all += run;
        if (byte >= 0x80) {
            odd += utf8::first(text.substr(at - 1)).size == 0 &&
                   (at < 2 || !utf8::continues(text[at - 1]));
            continue;
        }
        if (byte < 32 &&
            detail::space_characters.find(static_cast<char>(byte)) == std::string_view::npos)
            odd += run;
    }
    return all && odd * 2 <= all;
}

std::expected<void, Error> read_text(Found& found, InputKind seen, bool asked,
                                     const SaveOptions& options, std::uint64_t max_values) {
    const std::unexpected<Error> none(Error{Errc::not_recognised});
    const Content& content = found.document;
    const std::string_view all = detail::as_text(content.bytes.data(), content.bytes.size());
    const std::string_view text = all.substr(0, all.find_last_not_of('\0') + 1);
    if (!asked && seen == InputKind::unknown && !is_mostly_text(text))
        return none;
    Mending how{text, options};
    how.limits.max_nodes = max_values;
    const std::vector<InputKind> kinds = asked ? std::vector{seen} : candidates(text, seen);
    auto best = sound_one(how, kinds, asked ? InputKind::unknown : seen);
    for (const InputKind kind : best || how.too_many ? std::vector<InputKind>() : kinds) {
        // No tag is a resource's: what begins as one may be a section's header.
        if (best && best->kind == InputKind::resource)
            break;
        // A resource whose first tag is lost is no ConfigFile.
        if (kind == InputKind::config && !asked && has_tags(text))
            continue;
        auto mended = mend_as(how, kind);
        if (!mended || mended->items.empty() || !(asked || mended->plausible))
            continue;
        const bool also_json =
            kind == InputKind::text && !asked &&
            ((best && best->kind == InputKind::json) ||
             (seen != kind && mended->lost.empty() && !is_broken(mended->items[0])));
        if (also_json && !has_constructors(mended->text))
            continue;
        // The first of many lines is a value by itself, too.
        const bool lines = mended->in_lines && best && best->kind == InputKind::json;
        if (!best || mended->kept > best->kept || (lines && mended->kept == best->kept))
            best = std::move(mended);
    }
    if (how.too_many)
        return std::unexpected(Error{Errc::size_limit}.about_reason(
            "the text has more than one value for each 8 bytes of the limit of its size"));
    if (!best)
        return none;
    if (text.size() < all.size())
        best->lost.push_back({text.size(), all.size(), Errc::truncated, "zeros at the end"});
    for (const DamagedPart& part : content.parts)
        if (!part.doubtful && part.end > all.size())
            best->lost.push_back(
                {std::max<std::uint64_t>(part.begin, all.size()), part.end, part.code, part.what});
    if (!take(found, *std::move(best), how))
        return none;
    return {};
}

}  // namespace gdvar::recovering
