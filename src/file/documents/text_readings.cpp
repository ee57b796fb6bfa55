#include "gdvar/file/text_readings.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>
#include <string>

#include "base/exceptions.hpp"
#include "file/browser_files.hpp"
#include "file/documents/loaded_document.hpp"
#include "file/documents/text_formats.hpp"
#include "file/layers/rest_source.hpp"
#include "file/sections/section_scanner.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/sections_guess.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/text_error.hpp"

namespace gdvar {
namespace {

using detail::SectionScanner;

std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

/// The only value of a document.
struct Root {
    Type type = Type::nil;
    std::size_t size = 0;
    std::size_t pairs = 0;  ///< of a ConfigFile, in all its sections
    bool named = false;     ///< a section that has pairs has a name
};

Root root_of(const SaveDocument& document) {
    const auto parsed = Document::parse(document.items().at(0).packet,
                                        {.dialect = document.dialect(), .allow_objects = true});
    if (!parsed)
        return {};
    const View root = parsed->root();
    Root out{root.type(), root.size()};
    if (document.kind().seen_as == InputKind::config)
        for (const auto pair : root.pairs()) {
            out.pairs += pair.value.size();
            out.named = out.named || (pair.value.size() && !pair.key.text().empty());
        }
    return out;
}

bool is_scalar(Type type) {
    return type == Type::nil || type == Type::boolean || type == Type::integer ||
           type == Type::real || type == Type::string;
}

/// Whether a ConfigFile was read with that note.
bool tells(const SaveDocument& document, std::string_view what) {
    return std::ranges::any_of(document.notes(),
                               [&](const DocumentNote& note) { return note.what == what; });
}
/// Whether there is text in a ConfigFile that is neither a header nor an assignment. Values that
/// engines change do not count.
bool has_odd_text(const SaveDocument& document) {
    constexpr std::string_view odd[] = {SectionScanner::glued, SectionScanner::skipped,
                                        SectionScanner::marked, SectionScanner::nameless,
                                        SectionScanner::keyless};
    return std::ranges::any_of(odd, [&](std::string_view what) { return tells(document, what); });
}

/// Says what a document is, in words. Empty if it may as well be something else.
std::string describe(const SaveDocument& document) {
    const std::size_t count = document.items().size();
    if (document.kind().seen_as == InputKind::json_lines)
        return count > 1 ? std::to_string(count) + " JSON values, one in each line" : "";
    if (count != 1)
        return {};
    const Root root = root_of(document);
    if (is_scalar(root.type))
        return {};
    switch (document.kind().seen_as) {
        case InputKind::json:
            return root.type == Type::array
                       ? "a JSON array with " + counted(root.size, "element", "elements")
                       : "a JSON object with " + counted(root.size, "member", "members");
        case InputKind::config:
            // Any text without '=' and many with one are read by engines without an error.
            return root.pairs && (root.named || !has_odd_text(document))
                       ? "a ConfigFile with " + counted(root.size, "section", "sections")
                       : "";
        case InputKind::resource:
            return "a resource as text";
        default:
            return "a value in Godot's text form: " + std::string(type_name(root.type));
    }
}

/// Why a document that can be read says nothing of what it is.
std::string why_any_text(const SaveDocument& document) {
    switch (document.kind().seen_as) {
        case InputKind::json_lines:
            return "it has a single value, and lines of JSON have several";
        case InputKind::config:
            if (tells(document, SectionScanner::marked))
                return "behind its byte order mark it may be a ConfigFile; engines take the mark "
                       "for a part of the first key, and --as config reads it so";
            return root_of(document).pairs
                       ? "engines would read it as a ConfigFile, but it has keys in no section, "
                         "and "
                         "text that is no assignment; --as config reads it so"
                       : "engines would read it as a ConfigFile, but it has no section or key as "
                         "in one";
        default:
            return "it is a single text or number, which any file may be";
    }
}

/// Whether the text begins as an object or array of JSON, and JSON could hold all of its value.
/// Godot's own text of such a value is JSON. So a text that is none is broken JSON, and not to be
/// changed by other rules.
bool is_broken_json(const SaveDocument& document, std::string_view text) {
    if (text.starts_with(utf8::byte_order_mark))
        text.remove_prefix(utf8::byte_order_mark.size());
    const auto first = std::ranges::find_if(
        text, [](char c) { return static_cast<unsigned char>(c) > 32; });  // as engines skip them
    if (document.kind().seen_as != InputKind::text || first == text.end() ||
        (*first != '{' && *first != '['))
        return false;
    return detail::print_value(inspect::PlainJson(), document.items().at(0).packet,
                               *document.dialect(), false)
        .has_value();
}

/// Whether bytes that seem to be none may be a text: one with control characters between double
/// quotes and in the names of sections, where engines write them as they are. Bytes that are not
/// UTF-8 may stand anywhere.
bool may_be_text(ByteView bytes) {
    const std::string_view text = detail::as_text(bytes.data(), bytes.size());
    bool quoted = false, header = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool white = c == ' ' || (c >= '\t' && c <= '\r');
        if (c == 0 || (!quoted && !header && (c == 0x7F || (c < 0x20 && !white))))
            return false;
        if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == ']' || c == '\n'))
            header = c == '[' && (i == 0 || text[i - 1] == '\n');
        else if (c == '\\' && quoted && i + 1 < text.size() && text[i + 1] != '\0')
            ++i;
    }
    return true;
}

/// The text in front of a NUL; nothing if there is none. Files end in NULs after a crash, or are
/// padded with them.
ByteView before_nul(ByteView bytes) {
    const auto nul = std::ranges::find(bytes, std::byte{0});
    return nul == bytes.end() ? ByteView()
                              : bytes.first(static_cast<std::size_t>(nul - bytes.begin()));
}

DocumentOptions limited(const RecogniseOptions& options) {
    DocumentOptions out;
    out.limits.max_nodes = options.max_values;
    return out;
}

/// Says of a text that a document stands in it up to a NUL.
std::expected<void, Error> rule_out_padded(ByteView text, const RecogniseOptions& options) {
    if (!options.ruled_out || text.empty() || !may_be_text(text))
        return {};
    auto found = readings_of_text(text, limited(options), false);
    if (!found && found.error().code == Errc::node_limit)
        return {};
    if (!found)
        return std::unexpected(found.error());
    if (found->fits.empty())
        return {};
    Reading& reading = found->fits.front();
    reading.whole = false;
    reading.text = true;
    reading.reason = "up to byte " + std::to_string(options.skip + text.size()) + " it is " +
                     reading.reason + ", then a NUL comes";
    options.ruled_out->insert(options.ruled_out->begin(), std::move(reading));
    return {};
}

/// The first bytes. Most of what is no text has a NUL among them, and need not be read as a whole.
/// Leaves the source rewound.
std::expected<std::vector<std::byte>, FileError> begin_of(Source& source, std::uint64_t skip) {
    std::vector<std::byte> start(4096);
    if (auto passed = source.skip(skip); !passed)
        return std::unexpected(passed.error());
    const auto size = source.read(start);
    if (!size)
        return std::unexpected(size.error());
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    start.resize(*size);
    return start;
}

/// Files of a browser, if the text is JSON and has some.
std::optional<Reading> browser_reading(std::string_view text) {
    if (!may_hold_browser_files(text))
        return std::nullopt;
    const auto files = read_browser_files(text);
    if (!files || files->empty())
        return std::nullopt;
    return Reading{.kind = InputKind::browser_files,
                   .reason = "JSON with records of Emscripten's file system (IDBFS)",
                   .foreign = "an export of the files that a game has left in a browser"};
}

}  // namespace

std::expected<TextReadings, Error> readings_of_text(ByteView text, const DocumentOptions& options,
                                                    bool all) GDVAR_TRY {
    TextReadings out;
    // An engine that is told to reads a broken resource as a ConfigFile, too; nobody means that.
    const bool is_resource = looks_like_resource(detail::as_text(text.data(), text.size())).fits;
    for (const DocumentKind& kind : document_kinds()) {
        if (!kind.text || (!all && !out.fits.empty()))
            continue;
        if (kind.seen_as == InputKind::config && is_resource) {
            Reading no{.kind = kind.seen_as, .reason = "it begins as a resource or a scene"};
            no.whole = false;
            out.ruled_out.push_back(std::move(no));
            continue;
        }
        auto document = kind.open(kind, text, options);
        if (!document &&
            (document.error().code == Errc::no_memory || document.error().code == Errc::node_limit))
            return std::unexpected(document.error());
        Reading reading{.kind = kind.seen_as, .reason = {}};
        const bool json = std::ranges::any_of(out.fits, [](const Reading& fit) {
            return fit.kind == InputKind::json || fit.kind == InputKind::json_lines;
        });
        const bool broken = document && !json &&
                            is_broken_json(**document, detail::as_text(text.data(), text.size()));
        if (document && !broken)
            reading.reason = describe(**document);
        if (!reading.reason.empty()) {
            if (out.fits.empty())
                out.first = *std::move(document);
            out.fits.push_back(std::move(reading));
            continue;
        }
        reading.whole = false;
        if (!document)
            reading.broken = document.error();
        reading.reason =
            broken     ? "JSON could hold this value, but the text is no JSON"
            : document ? why_any_text(**document)
                       : to_string(document.error(), detail::as_text(text.data(), text.size()));
        out.ruled_out.push_back(std::move(reading));
    }
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

std::expected<void, FileError> add_text_readings(
    Source& source, const RecogniseOptions& options, std::vector<Reading>& readings,
    std::shared_ptr<LoadedDocument>* loaded) GDVAR_TRY {
    const bool text = !readings.empty() && readings[0].text;
    if (!text) {
        if (std::ranges::any_of(readings, &Reading::whole))
            return {};
        const auto start = begin_of(source, options.skip);
        if (!start)
            return std::unexpected(start.error());
        if (std::ranges::find(*start, std::byte{0}) != start->end())
            return rule_out_padded(before_nul(*start), options);
    }
    auto all = read_rest(source, options.skip, options.max_load);
    if (auto back = source.rewind(); !back)
        return back;
    if (!all && all.error().code == Errc::size_limit)
        return {};
    if (!all)
        return std::unexpected(all.error());
    if (!text && !may_be_text(*all))
        return rule_out_padded(before_nul(*all), options);
    auto found = readings_of_text(*all, limited(options), options.all);
    if (!found && found.error().code == Errc::node_limit)
        return {};
    if (!found)
        return std::unexpected(found.error());
    if (!text && found->fits.empty())
        return {};
    readings.insert(readings.begin(), std::move_iterator(found->fits.begin()),
                    std::move_iterator(found->fits.end()));
    const bool json = readings[0].kind == InputKind::json;
    if (json)
        if (auto files = browser_reading(detail::as_text(all->data(), all->size())))
            readings.insert(readings.begin(), *std::move(files));
    if (options.ruled_out)
        std::ranges::move(found->ruled_out, std::back_inserter(*options.ruled_out));
    if (readings[0].kind == InputKind::foreign)
        return rule_out_padded(before_nul(*all), options);
    if (loaded && found->first)
        *loaded = std::make_shared<LoadedDocument>(
            LoadedDocument::of(*std::move(all), std::move(found->first)));
    return {};
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

}  // namespace gdvar
