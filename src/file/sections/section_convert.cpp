#include <algorithm>
#include <new>
#include <utility>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "file/sections/section_changes.hpp"
#include "file/sections/section_names.hpp"
#include "file/sections/section_syntax.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/convert_for.hpp"
#include "text/constructors.hpp"

namespace gdvar {
namespace {

using detail::refused;
using inspect::RewriteError;
using Converted = std::expected<SectionsConversion, RewriteError>;
using Done = std::expected<void, RewriteError>;

DecodeOptions decoding(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}
EncodeOptions encoding(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}

/// Whether the text begins with the name of a type that the target's engines print otherwise.
bool has_foreign_name(std::string_view text, TextFamily from, TextFamily to) noexcept {
    const std::string_view name = text.substr(0, text.find_first_of("( \t"));
    const auto what = detail::find_construct(name, detail::text_rules(from));
    return what && what->kind == detail::Construct::value &&
           detail::text_rules(to).type_name(what->type) != name;
}

/// Prints anew what the target's engines would not read alike, or not print so.
class Speller {
public:
    Speller(inspect::TextEdits& edits, std::string_view text, const Outline& outline,
            TextFamily from, TextFamily to)
        : edits_(edits), text_(text), nodes_(outline.nodes), from_(from), to_(to) {}

    void run() {
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            const OutlineNode& node = nodes_[i];
            if (node.kind == OutlineKind::leaf)
                spell(node.begin, node.end);
            if (node.kind == OutlineKind::array)
                spell_typed(node);
            if (node.kind == OutlineKind::section)
                for (std::uint32_t child = i + 1; child < node.next; child = nodes_[child].next)
                    spell_key(nodes_[child].key_begin, nodes_[child].key_end);
            if (node.kind == OutlineKind::dictionary)
                for (std::uint32_t child = i + 1; child < node.next; child = nodes_[child].next)
                    spell(nodes_[child].key_begin, nodes_[child].key_end);
        }
    }

private:
    std::expected<Variant, TextError> read(std::string_view text, TextFamily family) const {
        // A color at the end of the text is none to an engine.
        return parse_text(std::string(text) + " ",
                          {.family = family, .whole = true, .file = true, .resources = true});
    }
    void spell(std::size_t begin, std::size_t end) {
        const std::string_view part = text_.substr(begin, end - begin);
        const auto old = read(part, from_);
        if (!old)
            return;
        if (!has_foreign_name(part, from_, to_)) {
            const auto same = read(part, to_);
            if (same && identical(*same, *old))
                return;
        }
        const std::size_t line = text_.find('\n');
        const bool crlf = line != text_.npos && line && text_[line - 1] == '\r';
        auto made =
            to_file_text(*old, {.family = to_, .newline = crlf ? "\r\n" : "\n", .resources = true});
        if (made)
            edits_.replace(begin, end, *made);
    }

    /// `Array[int]([1, 2])` or `TypedArray( int , 1, 2 )`: what stands around the elements.
    void spell_typed(const OutlineNode& node) {
        if (text_[node.begin] == '[')
            return;
        const bool brackets = text_[node.inner - 1] == '[';
        const auto none = std::string(text_.substr(node.begin, node.inner - node.begin)) +
                          (brackets ? "])" : ")");
        const auto old = read(none, from_);
        const auto same = read(none, to_);
        if (!old || (same && identical(*same, *old)))
            return;
        const auto made = to_file_text(*old, {.family = to_, .resources = true});
        if (!made || !made->ends_with(')'))
            return;
        const std::size_t close = brackets ? text_.rfind(']', node.end - 1) : node.end - 1;
        const std::size_t tail = made->size() - 2;  // "])" or " )"
        edits_.begin(node.begin, node.end);
        edits_.put(std::string_view(*made).substr(0, tail));
        edits_.keep(node.inner, close);
        edits_.put(std::string_view(*made).substr(tail));
    }

    /// The key of an assignment. Only escapes, and what is not UTF-8, do the families read
    /// otherwise.
    void spell_key(std::size_t begin, std::size_t end) {
        const std::string_view part = text_.substr(begin, end - begin);
        const bool bytes = part.starts_with('"') && !valid_text(part, Utf8Rule::strict);
        if (part.find('\\') == part.npos && !bytes)
            return;
        const auto key_in = [&](TextFamily family, std::string& key) {
            const SectionsOptions options{.family = family};
            const std::string line = std::string(part) + "=";
            detail::SectionScanner scan(line, options);
            detail::SectionScanner::Item item{};
            const bool read = scan.next(item) && item == detail::SectionScanner::Item::pair;
            key = scan.key();
            return read;
        };
        std::string old, same;
        if (!key_in(from_, old) || (key_in(to_, same) && same == old))
            return;
        std::string made;
        detail::append_key(made, old);
        edits_.replace(begin, end, made);
    }

    inspect::TextEdits& edits_;
    std::string_view text_;
    const std::vector<OutlineNode>& nodes_;
    const TextFamily from_, to_;
};

/// A conversion on its way: the value that the text is to have.
struct Step {
    SectionsConversion out;
    Variant value;
};

/// Converts the value.
std::expected<Step, RewriteError> convert_value(const View& value, TextFamily from,
                                                const Dialect& to, const inspect::Renames& renames,
                                                inspect::ConversionReport* report) {
    auto done = inspect::convert_for(true, value.raw(), decoding(sections_dialect(from)),
                                     encoding(to), renames, report);
    if (!done)
        return refused("$", done.error());
    Step step;
    step.out.losses = std::move(done->losses);
    step.out.renames = std::move(done->renames);
    auto read = decode(as_bytes(done->bytes), decoding(to));
    if (!read)
        return refused("$", read.error());
    step.value = *std::move(read);
    if (!is_godot_4(to.family))
        detail::lose_rids(step.value, {step.out.losses, step.out.renames, report});
    if (from != to.family && from == dialects::godot_2.family)
        detail::lose_events(step.value, {step.out.losses, step.out.renames, report});
    return step;
}

using Read = std::expected<SectionsText, TextError> (*)(std::string_view, const SectionsOptions&);

/// What there is to a conversion besides the value.
struct Job {
    std::string_view text;
    const Outline& outline;
    const View& before;
    const Dialect& to;
    const SectionsOptions& options;
};

/// A value as the target's engines write it. A tree takes many times the memory of its packet,
/// which is kept instead while the text is read again.
std::expected<PackedByteArray, RewriteError> packet_of(const Variant& value, const Dialect& to) {
    auto packet = encode(value, encoding(to));
    if (!packet)
        return refused("$", packet.error());
    return *std::move(packet);
}

/// Makes the edits for the packet `edited` and those of the spelling.
std::expected<std::string, RewriteError> apply(const Job& job, ByteView edited,
                                               const detail::SectionSyntax& syntax,
                                               inspect::TextEdits& edits) {
    const auto after = Document::parse(edited, decoding(job.to));
    if (!after)
        return refused("$", after.error());
    if (auto done =
            inspect::plan_rewrite(edits, job.text, job.outline, job.before, after->root(), syntax);
        !done)
        return std::unexpected(std::move(done.error()));
    syntax.finish(edits);
    Speller(edits, job.text, job.outline, job.options.family, job.to.family).run();
    auto made = edits.apply(job.text);
    if (!made)
        return refused("$", made.error());
    return *std::move(made);
}

/// Applies the edits, and reads the text as the target: it must have the value `expected`.
std::expected<std::string, RewriteError> converted(const Job& job, ByteView edited,
                                                   ByteView expected, Read read,
                                                   const detail::SectionSyntax& syntax,
                                                   inspect::TextEdits& edits) {
    auto made = apply(job, edited, syntax, edits);
    if (!made)
        return std::unexpected(std::move(made.error()));
    const auto again =
        read(*made, SectionsOptions{.family = job.to.family, .limits = job.options.limits});
    if (!again) {
        const Error why{again.error().code, again.error().type};
        const std::string_view detail = again.error().detail;
        return refused("$", detail.empty() ? why : why.about_reason(detail.data()));
    }
    const auto got = packet_of(again->value, job.to);
    if (!got)
        return std::unexpected(got.error());
    if (!std::ranges::equal(as_bytes(*got), expected))
        return std::unexpected(detail::other_value(
            decode(expected, decoding(job.to)).value_or(Variant()), again->value, job.to.family,
            "the engine would read the converted text as another value"));
    return *std::move(made);
}

/// Headers whose names the target would read otherwise.
Done spell_headers(const Job& job, const detail::ConfigSyntax& syntax, inspect::TextEdits& edits) {
    const SectionsOptions as{.family = job.to.family};
    std::uint32_t node = 1;
    for (const auto& pair : job.before.pairs()) {
        for (const OutlineSpan& span : job.outline.spans_of(node)) {
            detail::SectionScanner scan(job.text.substr(span.begin, span.end - span.begin), as);
            std::string name, made;
            const bool alike =
                scan.section_name(name) && scan.header().end == span.end - span.begin;
            if (alike && name == pair.key.text())
                continue;
            if (auto done = syntax.append_name(made, pair.key); !done) {
                done.error().path = "$" + inspect::name_step(pair.key.text());
                return done;
            }
            edits.replace(span.begin + 1, span.end - 1, made);
        }
        node = job.outline.nodes[node].next;
    }
    return {};
}

}  // namespace

Converted convert_config(std::string_view text, const Outline& outline, const View& value,
                         const Dialect& engines, const SectionsOptions& options,
                         const inspect::Renames& renames,
                         inspect::ConversionReport* report) GDVAR_TRY {
    const Dialect& to = sections_dialect(engines);
    auto step = convert_value(value, options.family, to, renames, report);
    if (!step)
        return std::unexpected(std::move(step.error()));
    if (to.family != options.family)
        detail::lose_references(step->value, {step->out.losses, step->out.renames, report});
    const Job job{text, outline, value, to, options};
    const detail::ConfigSyntax syntax(to.family);
    inspect::TextEdits edits;
    if (auto done = spell_headers(job, syntax, edits); !done)
        return std::unexpected(std::move(done.error()));
    const auto packet = packet_of(std::exchange(step->value, {}), to);
    if (!packet)
        return std::unexpected(packet.error());
    auto made = converted(job, as_bytes(*packet), as_bytes(*packet), read_config, syntax, edits);
    if (!made)
        return std::unexpected(std::move(made.error()));
    step->out.text = *std::move(made);
    return std::move(step->out);
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

Converted convert_resource(std::string_view text, const Outline& outline, const View& value,
                           const Dialect& engines, const SectionsOptions& options,
                           const inspect::Renames& renames,
                           inspect::ConversionReport* report) GDVAR_TRY {
    const Dialect& to = sections_dialect(engines);
    auto step = convert_value(value, options.family, to, renames, report);
    if (!step)
        return std::unexpected(std::move(step.error()));
    const detail::ConversionNotes notes{step->out.losses, step->out.renames, report};
    detail::ResourceNames names(options.family, to.family, renames, notes);
    Dictionary& document = *step->value.get_if<Dictionary>();
    names.convert(document);

    // Tags are found by their old keys; those of sub_resources stand in the text.
    Variant expected = step->value;
    Dictionary& wanted = *expected.get_if<Dictionary>();
    detail::set_tag_keys(wanted);
    inspect::TextEdits edits;
    const detail::ResourceSyntax syntax(to.family);
    Dictionary& subs = *wanted.find("sub")->get_if<Dictionary>();
    Dictionary renumbered;
    std::uint32_t node = outline.nodes[outline.nodes[1].next].next + 1;
    for (Dictionary::Pair& pair : subs) {
        Variant id = names.sub_id(pair.key);
        const OutlineNode& at = outline.nodes[node];
        if (auto printed = to_file_text(id, {.family = to.family});
            printed && !identical(id, pair.key))
            edits.replace(at.key_begin, at.key_end, *printed);
        renumbered.append(std::move(id), std::move(pair.value));
        node = at.next;
    }
    subs = std::move(renumbered);

    const Job job{text, outline, value, to, options};
    const auto edited = packet_of(std::exchange(step->value, {}), to);
    if (!edited)
        return std::unexpected(edited.error());
    const auto whole = packet_of(std::exchange(expected, {}), to);
    if (!whole)
        return std::unexpected(whole.error());
    auto made = converted(job, as_bytes(*edited), as_bytes(*whole), read_resource, syntax, edits);
    if (!made)
        return std::unexpected(std::move(made.error()));
    step->out.text = *std::move(made);
    return std::move(step->out);
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

}  // namespace gdvar
