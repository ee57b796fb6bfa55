#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "file/sections/resource.hpp"
#include "file/sections/resource_changes.hpp"
#include "file/sections/resource_convert.hpp"
#include "file/sections/section_edit.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/convert_for.hpp"
#include "text/constructors.hpp"

namespace gdvar {
namespace {

using detail::decoding;
using detail::refused;
using inspect::RewriteError;
using Converted = std::expected<SectionsConversion, RewriteError>;
using Done = std::expected<void, RewriteError>;

/// Whether the text begins with the name of a type that the target's engines print otherwise.
bool has_foreign_name(std::string_view text, TextFamily from, TextFamily to) noexcept {
    const std::string_view name = text.substr(0, text.find_first_of("( \t"));
    const auto what = detail::find_construct(name, detail::text_rules(from));
    return what && what->kind == detail::Construct::value &&
           detail::text_rules(to).type_name(what->type) != name;
}

/// Godot 4.0 to 4.2 read no Base64 in byte arrays, and no resource with a format above 3.
bool is_before_4_3(const Dialect& to) noexcept {
    return to.releases.engine == "godot" && to.releases.last < std::array<std::uint8_t, 2>{4, 3};
}

/// Prints anew what the target's engines would not read alike, or not print so.
class Speller {
public:
    Speller(std::string_view text, const Outline& outline, TextFamily from, const Dialect& to)
        : text_(text),
          nodes_(outline.nodes),
          from_(from),
          to_(to.family),
          base64_(!is_before_4_3(to)) {}

    void operator()(inspect::TextEdits& edits) {
        edits_ = &edits;
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
        const bool refused_bytes =
            !base64_ && old->is(Type::packed_byte_array) && part.contains('"');
        if (!refused_bytes && !has_foreign_name(part, from_, to_)) {
            const auto same = read(part, to_);
            if (same && identical(*same, *old))
                return;
        }
        const std::size_t line = text_.find('\n');
        const bool crlf = line != text_.npos && line && text_[line - 1] == '\r';
        auto made =
            to_file_text(*old, {.family = to_, .newline = crlf ? "\r\n" : "\n", .resources = true});
        if (made)
            edits_->replace(begin, end, *made);
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
        edits_->begin(node.begin, node.end);
        edits_->put(std::string_view(*made).substr(0, tail));
        edits_->keep(node.inner, close);
        edits_->put(std::string_view(*made).substr(tail));
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
        edits_->replace(begin, end, made);
    }

    inspect::TextEdits* edits_ = nullptr;
    std::string_view text_;
    const std::vector<OutlineNode>& nodes_;
    const TextFamily from_, to_;
    const bool base64_;
};

/// A conversion on its way: the value that the text is to have.
struct Step {
    SectionsConversion out;
    Variant value;
};

std::expected<Step, RewriteError> convert_value(const View& value, TextFamily from,
                                                const Dialect& to, const inspect::Renames& renames,
                                                inspect::ConversionReport* report) {
    auto done = inspect::convert_for(true, value.raw(), decoding(sections_dialect(from)),
                                     {.dialect = &to, .allow_objects = true}, renames, report);
    if (!done)
        return refused("$", done.error());
    Step step{{{}, std::move(done->losses), std::move(done->renames)}, {}};
    auto read = decode(as_bytes(done->bytes), decoding(to));
    if (!read)
        return refused("$", read.error());
    step.value = *std::move(read);
    const detail::ConversionNotes notes{step.out.losses, step.out.renames, report};
    if (!is_godot_4(to.family))
        detail::lose_rids(step.value, notes);
    if (from != to.family && from == dialects::godot_2.family)
        detail::lose_events(step.value, notes);
    return step;
}

Converted with_text(SectionsConversion out, std::expected<std::string, RewriteError> text) {
    if (!text)
        return std::unexpected(std::move(text.error()));
    out.text = *std::move(text);
    return out;
}

constexpr const char* read_otherwise = "the engine would read the converted text as another value";

/// Headers whose names the target would read otherwise.
Done spell_headers(std::string_view text, const Outline& outline, const View& value,
                   const detail::ConfigSyntax& syntax, inspect::TextEdits& edits) {
    const SectionsOptions as{.family = syntax.options().family};
    std::uint32_t node = 1;
    for (const auto& pair : value.pairs()) {
        for (const OutlineSpan& span : outline.spans_of(node)) {
            detail::SectionScanner scan(text.substr(span.begin, span.end - span.begin), as);
            std::string name, made;
            const bool alike =
                scan.section_name(name) && scan.header().end == span.end - span.begin;
            if (alike && name == pair.key.text())
                continue;
            if (auto done = syntax.append_name(made, pair.key); !done)
                return refused("$" + inspect::name_step(pair.key.text()), done.error().error);
            edits.replace(span.begin + 1, span.end - 1, made);
        }
        node = outline.nodes[node].next;
    }
    return {};
}

/// Gives sub_resources their new ids, in the value and in the text.
void renumber(Dictionary& subs, const detail::NewIds& ids, const Outline& outline, TextFamily to,
              inspect::TextEdits& edits) {
    Dictionary made;
    std::uint32_t node = outline.nodes[outline.nodes[1].next].next + 1;
    for (Dictionary::Pair& pair : subs) {
        const auto new_id = ids.find(detail::reference_id(pair.key));
        Variant id = new_id == ids.end() ? pair.key : new_id->second;
        const OutlineNode& at = outline.nodes[node];
        if (auto printed = to_file_text(id, {.family = to}); printed && !identical(id, pair.key))
            edits.replace(at.key_begin, at.key_end, *printed);
        made.append(std::move(id), std::move(pair.value));
        node = at.next;
    }
    subs = std::move(made);
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
    const detail::ConfigSyntax syntax(to.family);
    inspect::TextEdits edits;
    if (auto done = spell_headers(text, outline, value, syntax, edits); !done)
        return std::unexpected(std::move(done.error()));
    auto made = detail::edited_text(
        {text, outline, value, to, options.limits, syntax, read_config, read_otherwise},
        std::move(step->value), std::nullopt, std::move(edits),
        Speller(text, outline, options.family, to));
    return with_text(std::move(step->out), std::move(made));
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
    Dictionary& document = *step->value.get_if<Dictionary>();
    const detail::NewIds sub_ids =
        detail::convert_parts(document, options.family, to.family, renames,
                              {step->out.losses, step->out.renames, report});

    Variant* const format = detail::Resource(document).header->find("format");
    if (is_before_4_3(to) && format && format->is(Type::integer))
        *format = std::min<std::int64_t>(format->integer(), 3);
    // Tags are found by their old keys.
    Variant expected = step->value;
    Dictionary& wanted = *expected.get_if<Dictionary>();
    detail::set_tag_keys(wanted);
    inspect::TextEdits edits;
    const detail::ResourceSyntax syntax(to.family);
    renumber(*wanted.find("sub")->get_if<Dictionary>(), sub_ids, outline, to.family, edits);
    auto made = detail::edited_text(
        {text, outline, value, to, options.limits, syntax, read_resource, read_otherwise},
        std::move(step->value), std::move(expected), std::move(edits),
        Speller(text, outline, options.family, to));
    return with_text(std::move(step->out), std::move(made));
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

}  // namespace gdvar
