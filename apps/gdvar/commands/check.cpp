#include <algorithm>

#include "base/ascii.hpp"
#include "command.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/convert_layers.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/engine.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/quirks.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"
#include "input/files.hpp"
#include "input/input.hpp"
#include "output/notes.hpp"
#include "output/output.hpp"
#include "output/printable.hpp"
#include "text/rules.hpp"
#include "text/tokens.hpp"

namespace gdvar::app::commands::check {
namespace {

struct Options : InputOptions, OutputOptions, FilesOptions {
    bool no_code = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading_files(arguments, options, options, options);
    add_dialect(arguments, options.dialect);
    arguments.flag("--no-code", options.no_code,
                   "exit with 1 if engines would run, load or make something: scripts, Objects "
                   "(docs/my-save.md)");
}

/// The result for an input that was read to its end.
struct Verdict {
    std::size_t items = 0, sound = 0, canonical = 0;
    std::size_t with_objects = 0;  ///< refused for that alone
    bool tags_repeat = false;      ///< ids, or paths of nodes
    bool engine_refuses = false;   ///< that of the dialect that was named
    std::string in_words(const Input& input, int exit) const {
        if (!input.recognised())
            return "not recognised";
        if (exit != fine && sound == items && items && input.several())
            return "not sound: " + std::to_string(items) +
                   (items == 1 ? " record is sound, what follows it is not"
                               : " records are sound, what follows them is not");
        if (with_objects && sound + with_objects == items)
            return "refused, as engines do unless told otherwise: " +
                   (input.several() ? std::to_string(with_objects) + " of " +
                                          std::to_string(items) + " with Objects"
                                    : std::string("it holds Objects")) +
                   "; --objects takes them, as data";
        if (sound < items || exit != fine)
            return "not sound" + (input.several() && items
                                      ? ": " + std::to_string(items - sound) + " of " +
                                            std::to_string(items) + " broken"
                                      : std::string());
        if (engine_refuses)
            return "refused by the engines of " + std::string(input.dialect().name) +
                   ", though gdvar reads it";
        if (input.is_made())
            return canonical == items ? "sound"
                   : tags_repeat      ? "sound, but ids or nodes stand several times"
                                      : "sound, but keys stand several times";
        return canonical == items ? "sound and canonical" : "sound, not canonical";
    }
};

/// Checks whether the item can be read, and notes its quirks.
void check_item(const Input& input, const Item& item, bool verbose, Verdict& verdict, Output& out) {
    const DecodeOptions decoding = input.decoding();
    const std::string place = input.name() + ":" + hex(item.offset) + ": " + item.label;
    const auto note = [&](std::uint64_t offset, std::string_view path, std::string_view name,
                          std::string_view meaning) {
        out.line(input.place(item, offset) + shortened_path(path, Quirks::most_path) + ": note[" +
                 std::string(name) + "]: " + std::string(meaning));
    };
    ++verdict.items;
    const auto quirks =
        verbose ? find_quirks(item.packet, decoding, SIZE_MAX) : find_quirks(item.packet, decoding);
    if (!quirks) {
        input.complain(item, quirks.error(), decoding);
        DecodeOptions with = decoding;
        with.allow_objects = true;
        verdict.with_objects +=
            quirks.error().code == Errc::objects_forbidden && find_quirks(item.packet, with);
        return out.line(place + "not sound");
    }
    for (const FoundQuirk& found : quirks->first)
        note(found.offset, found.path, quirk_info(found.quirk).name,
             quirk_info(found.quirk).meaning);
    if (const std::uint64_t more = quirks->count - quirks->first.size())
        out.line(place + "... and " + std::to_string(more) + " more notes");
    const auto strictly = decoding.strict ? validate(item.packet, decoding) : quirks->size;
    if (!strictly)
        input.complain(item, strictly.error(), decoding);
    // Bytes behind the value are said where the item is read.
    const bool sound = strictly && quirks->size == item.packet.size();
    const bool canonical = sound && quirks->count == 0;
    verdict.sound += sound;
    verdict.canonical += canonical;
    out.line(place + (canonical ? "sound and canonical"
                      : sound   ? "sound, not canonical"
                                : "not sound"));
}

constexpr std::size_t most_tags = 20;  ///< that `check` names

/// The same for a value of a text or a resource. Its packet was made, so only its keys tell
/// something.
void check_made_item(const Input& input, const Item& item, Verdict& verdict, Output& out) {
    const DecodeOptions decoding = input.decoding();
    ++verdict.items;
    const auto sound = validate(item.packet, decoding);
    if (!sound)
        input.complain(item, sound.error(), decoding);
    verdict.sound += sound.has_value();
    const auto note = [&](std::string_view path, std::string_view meaning) {
        out.line(input.name() + ": " + item.label + shortened_path(path, Quirks::most_path) +
                 ": note[duplicate_key]: " + std::string(meaning));
    };
    std::vector<RepeatedTag> tags;
    if (input.kind() == InputKind::resource)
        if (const auto value = decode(item.packet, decoding))
            tags = find_repeats(*value, input.dialect().family);
    for (std::size_t i = 0; i < tags.size() && i < most_tags; ++i)
        note(tags[i].path, tags[i].meaning);
    if (tags.size() > most_tags)
        out.line(input.name() + ": " + item.label + "... and " +
                 std::to_string(tags.size() - most_tags) + " more notes");
    verdict.tags_repeat |= !tags.empty();
    const auto keys = check_keys(item.packet, decoding);
    const std::string path = keys ? "" : error_path(item.packet, decoding, keys.error());
    const bool of_tags =
        !tags.empty() && (path.starts_with("$.sub[@") || path.starts_with("$.ext[@"));
    if (!keys && !of_tags)
        note(path, "engines keep only the last of these");
    verdict.canonical += keys.has_value() && tags.empty();
}

/// Why the engines of a dialect can't open what is around the values; empty if they can.
std::string closed_to(const Input& input, const Dialect& dialect) {
    const auto godot_4 = written_by_godot_4(input.layers());
    if (!godot_4 || *godot_4 == is_godot_4(dialect.family))
        return {};
    return "can't open " + std::string(*godot_4 ? "gdec-4" : "gdec-3") + ", only " +
           std::string(encryption_of(dialect).name);
}

bool is_json(const Input& input) {
    return input.kind() == InputKind::json || input.kind() == InputKind::json_lines;
}

/// Whether an engine makes a value of a text that is one, in spite of what is wrong with it.
bool reads_value(const Input& input, TextFamily family) {
    const ByteView content = input.content();
    return input.kind() == InputKind::text &&
           parse_text(gdvar::detail::as_text(content.data(), content.size()),
                      {.family = family, .tolerant = true, .resources = true});
}

/// How an engine's text family reads a text at which gdvar stops.
std::string reading_past(const Input& input, TextFamily family, const Error& error) {
    const auto& rules = gdvar::detail::text_rules(family);
    const ByteView content = input.content();
    const std::string_view text = gdvar::detail::as_text(content.data(), content.size());
    const bool behind = error.code == Errc::trailing_bytes;
    const bool at_nul = error.offset < text.size() && text[error.offset] == '\0';
    const bool of_characters = error.code == Errc::bad_escape || error.code == Errc::bad_utf8;
    const bool of_color = error.code == Errc::bad_syntax && error.type == Type::color;
    const bool loose_json = is_json(input) && !rules.json_ends;
    // To an engine with such JSON the text ends at a byte that is not UTF-8 and at a NUL. It also
    // takes much for a number.
    const bool cut = loose_json && (!valid_text(text, Utf8Rule::strict) || at_nul ||
                                    error.code == Errc::bad_number);
    // A word of JSON has all letters that follow.
    const bool in_word = behind && error.offset && error.offset < text.size() &&
                         gdvar::detail::is_letter(text[error.offset]) &&
                         gdvar::detail::is_letter(text[error.offset - 1]);
    const bool any_value = reads_value(input, family);
    if (behind && (is_json(input) ? !in_word && (loose_json || at_nul) : any_value))
        return "reads it, but nothing behind the first value";
    if ((cut && !in_word) || (rules.reads_on && (of_characters || of_color)))
        return "can't be known here: gdvar stops at " + input.in_text(error);
    if (any_value)
        return "reads it, but not as it is written: " + input.in_text(error);
    return "refuses it: " + input.in_text(error);
}

/// Whether values of a text or a resource name things outside of it.
struct Outside {
    bool game = false;       ///< classes and files that the game may have
    bool resources = false;  ///< those of the file, which a ConfigFile lacks
};
Outside outside_of(const Input& input) {
    Outside out{.game = input.kind() == InputKind::resource};
    if (input.kind() != InputKind::config)
        return out;
    const ByteView content = input.content();
    gdvar::detail::Tokens tokens(gdvar::detail::as_text(content.data(), content.size()),
                                 gdvar::detail::text_rules(input.dialect().family));
    std::string_view word;
    for (auto token = tokens.next(); token.kind != gdvar::detail::TokenKind::end;
         token = tokens.next()) {
        if (token.kind == gdvar::detail::TokenKind::parenthesis_open) {
            out.game = out.game || word == "Resource" || word == "Object";
            out.resources = out.resources || word == "ExtResource" || word == "SubResource";
        }
        word = token.kind == gdvar::detail::TokenKind::identifier ? tokens.text(token)
                                                                  : std::string_view();
    }
    return out;
}

/// How an engine's text family reads a text.
std::string family_reading(const Input& input, TextFamily family, const Outside& outside) {
    const DocumentKind* kind = find_document_kind(input.kind());
    const auto read = kind->open(*kind, input.content(), {.dialect = &sections_dialect(family)});
    if (!read)
        return reading_past(input, family, read.error());
    // JSON that this engine does not read and another one reads.
    std::size_t empty = 0;
    for (const DocumentNote& note : (*read)->notes()) {
        if (note.refused != Errc::ok)
            return "refuses it: " + input.in_text(Error{note.refused, Type::nil, note.offset, 0});
        empty += note.what == left_empty;
    }
    if (outside.resources)
        return "refuses it: a ConfigFile has no resources that ExtResource and SubResource name";
    const std::string reading =
        outside.game ? "reads it, if the game has the classes and files it names" : "reads it";
    return empty ? reading + ", and leaves " + counted(empty, "container") + " empty" : reading;
}

/// How the engines' text families read a text. JSON has no dialect: only differences are printed.
void say_families(const Input& input, Output& out) {
    std::vector<std::string> lines;
    bool refused = false;
    std::vector<TextFamily> said;
    const Outside outside = outside_of(input);
    for (const Engine& engine : all_engines()) {
        const TextFamily family = engine.family;
        const bool asked = engine.observed || family == input.dialect().family;
        if (!asked || std::ranges::find(said, family) != said.end())
            continue;
        said.push_back(family);
        if (const std::string closed = closed_to(input, *engine.dialect); !closed.empty()) {
            lines.push_back("  " + std::string(engine.name) + ": " + closed);
            continue;
        }
        const std::string reading = family_reading(input, family, outside);
        refused = refused || reading != "reads it";
        lines.push_back("  " + std::string(engine.name) + ": " + reading);
    }
    if (is_json(input) && !refused)
        return;
    for (const std::string& line : lines)
        out.line(line);
}

/// The first bytes in hex. Nobody reads a megabyte of digits in the line of each engine.
std::string some_hex(ByteView bytes) {
    constexpr std::size_t most = 1024;
    return to_hex(bytes.first(std::min(bytes.size(), most))) + (bytes.size() > most ? "..." : "");
}

void say_engines(const Input& input, const Item& item, const Options& options, Output& out) {
    for (const Engine& engine : all_engines()) {
        std::string line = "  " + std::string(engine.name) + ": ";
        if (const std::string closed = closed_to(input, *engine.dialect); !closed.empty()) {
            out.line(line + closed);
            continue;
        }
        const auto reading = read_as(engine, item.packet, options.objects);
        if (!reading) {
            out.line(line + "refuses it at " + hex(reading.error().offset) + ": " +
                     to_string(reading.error()));
            continue;
        }
        if (!reading->unknown.empty()) {
            out.line(line + "can't be known here: " + reading->unknown);
            continue;
        }
        const auto back = reencoding(engine, *reading, options.objects);
        const ByteView read = item.packet.first(reading->size);
        const bool same = back && std::ranges::equal(as_bytes(*back), read);
        line +=
            "reads " + std::to_string(read.size()) + " bytes, writes back " +
            (!back   ? "nothing"
             : !same ? std::to_string(back->size()) + " other bytes: " + some_hex(as_bytes(*back))
             : reading->changes.empty() ? "the same"
                                        : "the same, except");
        for (const std::string& change : reading->changes)
            line += (same && &change == reading->changes.data() ? ": " : "; ") + change;
        out.line(line + (engine.observed ? "" : " (from its source)"));
    }
}

/// The stack with the reason for each layer and document, and what was ruled out.
void print_stack(const Input& input, Output& out) {
    out.line(input.name() + ": stack: " + input.stack());
    for (const Finding& finding : input.found().findings) {
        const bool value = finding.kind == InputKind::unknown;
        if (!finding.reason.empty())
            out.line("  " +
                     (value ? std::string() : std::string(input_kind_name(finding.kind)) + ": ") +
                     finding.reason);
        for (const Reading& other : finding.ruled_out)
            out.line("  " + ruled_out_in_words(other));
    }
}

/// Prints the kind of the input and its dialect.
void print_kind(const Input& input, const Options& options, Output& out) {
    out.piece(input.name() + ": " + bytes_in_words(input.size()) +
              (input.recognised() ? ", read as " : ", here taken for a ") +
              std::string(input_kind_name(input.kind())));
    for (const Reading& other :
         std::span(input.readings()).subspan(input.readings().empty() ? 0 : 1))
        if (other.kind != input.kind() && other.kind != InputKind::foreign)
            out.piece(", could also be " + std::string(input_kind_name(other.kind)));
    out.end_line();
    print_stack(input, out);
    const Guess& guess = input.guess();
    for (const Candidate& candidate : guess.candidates)
        out.line("  " + candidate.reason);
    if (is_json(input))
        return;
    out.piece(input.name() + ": dialect " + std::string(input.dialect().name));
    if (input.is_text())
        out.piece(" (text of that family)");
    else if (options.dialect == "auto")
        out.piece(!guess.likely    ? " (none fits; this is the default)"
                  : !guess.dialect ? " (none fits; this one gets furthest)"
                  : guess.likely != guess.dialect
                      ? " (likelier than " + std::string(guess.dialect->name) +
                            ", which fits by chance)"
                  : guess.ambiguous ? " (ambiguous: the most plausible that fits, the newest)"
                                    : " (the only one that fits)");
    out.end_line();
}

int check_file(const Options& options, Output& out) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Verdict verdict;
    Spool held;
    Output details(options, held);  // known before the lines that precede it
    std::uint64_t code = 0;
    const bool brief = options.several && !options.verbose;  // one line for each of several files
    exit = input->each(
        [&](const Item& item) {
            if (input->is_made())
                check_made_item(*input, item, verdict, details);
            else
                check_item(*input, item, options.verbose, verdict, details);
            code += code_notes(*input, item, options.verbose,
                               [&](const std::string& line) { details.line(line); });
            if (!input->is_made() && !input->several() && !brief)
                say_engines(*input, item, options, details);
            return true;
        },
        input->recognised() ? Tail::refuse : Tail::keep);
    if (!input->recognised())
        exit = give_up(refused, input->name() + ": " + input->unrecognised_in_words());
    if (!brief && input->is_text())
        say_families(*input, details);
    verdict.engine_refuses =
        is_json(*input) && options.dialect != "auto" &&
        family_reading(*input, input->dialect().family, {}).starts_with("refuses");
    const std::string found =
        verdict.in_words(*input, exit) + (code ? "; " + counted(code, "place") + " with code" : "");
    if (brief) {
        out.line(input->name() + ": " + found + "; " + input->stack());
    } else {
        out.line(input->name() + ": " + found);
        print_kind(*input, options, out);
        details.flush();
        out.take(held);
    }
    if (exit != fine || verdict.sound < verdict.items)
        return exit != fine ? exit : refused;
    if (options.no_code && code)
        return refused;
    return details.failed() ? io_error : fine;
}

int run(Options& options) {
    options.all_readings = options.any_bytes = true;
    return print_files<Options>(options, check_file);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "check",
         .does =
             "tells whether a file is sound, which dialects fit, what each engine would do with it",
         .examples = "gdvar check game.save\n"
                     "gdvar check --recursive saves"},
        declare, run);
}

}  // namespace gdvar::app::commands::check
