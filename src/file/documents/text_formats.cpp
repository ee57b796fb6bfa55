#include "file/documents/text_formats.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "file/documents/json_escapes.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/text/parse.hpp"
#include "inspect/convert_for.hpp"
#include "text/rules.hpp"

namespace gdvar::detail {
namespace {

using Read = std::expected<TextValue, TextError>;

/// Notes why the engine that the user has named refuses the text. `replaced`: the offset of the
/// first bytes that are not UTF-8.
void note_refusals(TextValue& out, std::string_view text, const DocumentOptions& options,
                   std::optional<std::uint64_t> replaced) {
    if (!options.dialect)
        return;
    // Halves of characters are UTF-8 to Godot 3.
    if (detail::text_rules(options.dialect->family).utf8 == Utf8Rule::lenient && replaced &&
        !valid_text(text, Utf8Rule::lenient))
        out.notes.push_back(
            {*replaced, "Godot 3 reads nothing of a text with such bytes", Errc::bad_utf8});
    if (!is_godot_4(options.dialect->family))
        return;
    for (const std::uint32_t at : odd_escapes(text))
        out.notes.push_back(
            {at, "Godot 4 refuses the whole text for this escape", Errc::bad_escape});
}

/// Whether a JSON number is an int that a float may not hold.
bool beyond_floats(std::string_view number) noexcept {
    constexpr std::string_view most = "9007199254740992";  // 2^53
    number.remove_prefix(number.starts_with('-'));
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number.find_first_not_of("0123456789") == number.npos &&
           (number.size() > most.size() || (number.size() == most.size() && number > most));
}

/// Engines read each JSON number as a float.
void note_large_ints(TextValue& out, std::string_view text) {
    for (const OutlineNode& node : out.outline.nodes)
        if (node.kind == OutlineKind::leaf &&
            beyond_floats(text.substr(node.begin, node.end - node.begin)))
            out.notes.push_back(
                {node.begin, "an int beyond 2^53, which engines read as a float and may round"});
}

/// JSON has no dialect. Its values have the types of Godot 4, where a JSON number is an int or a
/// float as it is written.
Read read_json(std::string_view text, const DocumentOptions& options) {
    TextValue out{.end = text.size(),
                  .dialect = options.dialect ? options.dialect : &dialects::godot_4_4};
    constexpr std::size_t most_words = 1000;
    std::optional<std::uint64_t> replaced;
    const TextLoss loss = [&](std::uint64_t offset, std::string_view what) {
        replaced = replaced.value_or(offset);
        if (out.words.size() == most_words)
            what = "bytes that are not UTF-8, as above";
        else
            what = out.words.emplace_back(what);
        out.notes.push_back({offset, what});
    };
    JsonParseOptions how = document_json(&out.outline, options.limits);
    how.loss = &loss;
    auto value = parse_plain_json(text, how);
    if (!value)
        return std::unexpected(value.error());
    out.value = *std::move(value);
    note_large_ints(out, text);
    note_refusals(out, text, options, replaced);
    return out;
}

/// Reads the text as the family does that seems to have written it, else as one after the other
/// does; or only as that of `options.dialect`. Godot 4 also reads most of what Godot 3 writes, so
/// that it can read a text says little. The error is that of the family that gets furthest.
template <class ReadAs>
Read in_a_family(std::string_view text, const DocumentOptions& options, ReadAs&& read) {
    std::vector<const Dialect*> order;
    bool certain = true;
    if (options.dialect) {
        order = {options.dialect};
    } else {
        const FamilyGuess guess = guess_family(text);
        certain = guess.certain || options.godot_4 == true;
        order = {&newest_dialect(guess.family)};
        for (const Dialect* dialect : newest_dialects())
            if (dialect != order[0])
                order.push_back(dialect);
        // Clang refuses std::ranges::stable_partition of libstdc++ for what it calls.
        if (options.godot_4) {
            std::vector<const Dialect*> others;
            std::erase_if(order, [&](const Dialect* dialect) {
                const bool other = *options.godot_4 != is_godot_4(dialect->family);
                if (other)
                    others.push_back(dialect);
                return other;
            });
            order.insert(order.end(), others.begin(), others.end());
        }
    }
    std::optional<TextError> furthest;
    for (const Dialect* dialect : order) {
        std::vector<DocumentNote> notes;
        const TextLoss note = [&](std::uint64_t offset, std::string_view what) {
            notes.push_back({offset, what});
        };
        Read done = read(dialect->family, note);
        if (done) {
            done->dialect = dialect;
            done->certain = certain;
            done->notes = std::move(notes);
            return done;
        }
        if (!furthest || done.error().offset > furthest->offset)
            furthest = done.error();
        if (done.error().code == Errc::no_memory)
            break;
    }
    return std::unexpected(*furthest);
}

Read read_godot_text(std::string_view text, const DocumentOptions& options) {
    const std::size_t begin =
        text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0;
    return in_a_family(text, options, [&](TextFamily family, const TextLoss& note) -> Read {
        TextValue out{.begin = begin, .end = text.size()};
        const TextLoss loss = [&](std::uint64_t offset, std::string_view what) {
            note(begin + offset, what);
        };
        auto value = parse_text(text.substr(begin), {.family = family,
                                                     .wrong_elements = WrongElements::kept,
                                                     .strict_numbers = true,
                                                     .whole = true,
                                                     .resources = true,
                                                     .outline = &out.outline,
                                                     .loss = &loss,
                                                     .limits = options.limits});
        if (!value) {
            const TextError& why = value.error();
            return std::unexpected(
                text_error_at(text, begin + why.offset, why.code, why.type, why.detail));
        }
        out.value = *std::move(value);
        return out;
    });
}

template <auto read>
Read read_sections(std::string_view text, const DocumentOptions& options) {
    auto out = in_a_family(text, options, [&](TextFamily family, const TextLoss& note) -> Read {
        auto done =
            read(text, SectionsOptions{.family = family, .limits = options.limits, .note = &note});
        if (!done)
            return std::unexpected(done.error());
        return TextValue{0, text.size(), std::move(done->value), std::move(done->outline)};
    });
    if (out)
        out->dialect = &sections_dialect(out->dialect->family);
    return out;
}

template <auto change>
NewText rewrite_sections(std::string_view text, const Outline& outline, const View& before,
                         const View& after, TextFamily family) {
    return change(text, outline, before, after, SectionsOptions{.family = family});
}

template <auto syntax>
NewText rewrite_value(std::string_view text, const Outline& outline, const View& before,
                      const View& after, TextFamily family) {
    return inspect::rewrite(text, outline, before, after, *syntax(family));
}

std::unique_ptr<inspect::TextSyntax> json_syntax(TextFamily) {
    return std::make_unique<inspect::PlainJson>();
}

std::unique_ptr<inspect::TextSyntax> godot_syntax(TextFamily family) {
    return std::make_unique<inspect::GodotText>(
        inspect::GodotText::Options{.family = family,
                                    .resources = true,
                                    .strict_numbers = true,
                                    .wrong_elements = WrongElements::kept});
}

/// Syntax of the values of a ConfigFile: ConfigSyntax.
std::unique_ptr<inspect::TextSyntax> config_values(TextFamily family) {
    return std::make_unique<inspect::GodotText>(inspect::GodotText::Options{
        .family = family, .resources = true, .wrong_elements = WrongElements::kept});
}

template <auto convert_to>
NewText convert_sections(std::string_view text, const Outline& outline, const View& value,
                         const Dialect& to, const inspect::Renames& renames,
                         inspect::ConversionReport& report) {
    const TextFamily from = value.options().dialect->family;
    auto done = convert_to(text, outline, value, to, {.family = from}, renames, &report);
    if (!done)
        return std::unexpected(std::move(done.error()));
    return std::move(done->text);
}

/// The value is printed anew.
NewText convert_value(std::string_view, const Outline&, const View& value, const Dialect& to,
                      const inspect::Renames& renames, inspect::ConversionReport& report) {
    const auto packet =
        inspect::convert_for(true, value.raw(), value.options(),
                             {.dialect = &to, .allow_objects = true}, renames, &report);
    if (!packet)
        return std::unexpected(inspect::RewriteError{packet.error(), "$"});
    auto out = print_value(*godot_syntax(to.family), as_bytes(packet->bytes), to, true);
    if (out)
        *out += "\n";
    return out;
}

/// Only what Godot 4 does not read of Godot 3's JSON changes.
NewText convert_json(std::string_view text, const Outline& outline, const View& value,
                     const Dialect& to, const inspect::Renames&,
                     inspect::ConversionReport& report) {
    if (!is_godot_4(to.family))
        return std::string(text);
    auto out = without_odd_escapes(text, outline, value, report);
    // Its reading has joined them, and told so.
    if (auto joined = out ? utf8::with_joined_halves(*out) : std::nullopt)
        return *std::move(joined);
    return out;
}

constexpr std::size_t never = SIZE_MAX;

constexpr TextFormat formats[] = {
    {InputKind::json, false, read_json, rewrite_value<json_syntax>, convert_json, json_syntax,
     nullptr, json_syntax, 0},
    {InputKind::json_lines, true, read_json, rewrite_value<json_syntax>, convert_json, json_syntax,
     nullptr, json_syntax, 0},
    {InputKind::config, false, read_sections<read_config>, rewrite_sections<rewrite_config>,
     convert_sections<convert_config>, nullptr, "", config_values, 2},
    {InputKind::resource, false, read_sections<read_resource>, rewrite_sections<rewrite_resource>,
     convert_sections<convert_resource>, nullptr, nullptr, nullptr, never},
    {InputKind::text, false, read_godot_text, rewrite_value<godot_syntax>, convert_value,
     godot_syntax, nullptr, godot_syntax, 0},
};

}  // namespace

JsonParseOptions document_json(Outline* outline, const Limits& limits) noexcept {
    // As Godot 3 does, which reads all that Godot 4 reads, as the same values.
    return {.trailing_commas = true,
            .loose_numbers = true,
            .any_escape = true,
            .any_bytes = true,
            .outline = outline,
            .limits = limits};
}

NewText print_value(const inspect::TextSyntax& syntax, ByteView packet, const Dialect& dialect,
                    bool lines) {
    const auto document = Document::parse(packet, {.dialect = &dialect, .allow_objects = true});
    if (!document)
        return std::unexpected(inspect::RewriteError{document.error(), {}});
    return print_value(syntax, document->root(), lines);
}

NewText print_value(const inspect::TextSyntax& syntax, const View& value, bool lines) {
    inspect::TextLayout layout = syntax.usual_layout();
    layout.lines = layout.lines && lines;
    std::string out;
    if (auto done = syntax.value(out, value, {.layout = layout, .indent = {}, .old = {}}); !done)
        return std::unexpected(inspect::RewriteError{done.error().error, "$" + done.error().path});
    return out;
}

const TextFormat& text_format(InputKind kind) noexcept {
    for (const TextFormat& format : formats)
        if (format.kind == kind)
            return format;
    return formats[std::size(formats) - 1];
}

}  // namespace gdvar::detail
