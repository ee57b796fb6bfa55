#include <algorithm>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <set>
#include <vector>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "file/sections/resource_text.hpp"
#include "file/sections/section_changes.hpp"
#include "file/sections/section_syntax.hpp"
#include "gdvar/file/sections.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/differing.hpp"
#include "wire/any_script.hpp"

namespace gdvar {
namespace {

using detail::refused;
using inspect::RewriteError;
using Text = std::expected<std::string, RewriteError>;

/// A value as a Document.
std::expected<Document, RewriteError> parsed(const Variant& value, TextFamily family) {
    const Dialect& dialect = sections_dialect(family);
    auto packet = encode(value, {.dialect = &dialect, .allow_objects = true});
    if (!packet)
        return refused("$", packet.error());
    auto document =
        Document::parse(*std::move(packet), {.dialect = &dialect, .allow_objects = true});
    if (!document)
        return refused("$", document.error());
    return *std::move(document);
}

using Read = std::expected<SectionsText, TextError> (*)(std::string_view, const SectionsOptions&);

/// Plans and makes the edits, and reads the text again.
Text rewritten(std::string_view text, const Outline& outline, const View& before, const View& after,
               const Variant& expected, const detail::SectionSyntax& syntax, Read read,
               SectionsOptions options) {
    inspect::TextEdits edits;
    if (auto done = inspect::plan_rewrite(edits, text, outline, before, after, syntax); !done)
        return std::unexpected(std::move(done.error()));
    syntax.finish(edits);
    if (edits.empty())
        return std::string(text);
    auto made = edits.apply(text);
    if (!made)
        return refused("$", made.error());
    options.note = nullptr;
    const auto again = read(*made, options);
    if (!again) {
        const TextError& error = again.error();
        const Error why{error.code, error.type};
        return refused("$", error.detail.empty() ? why : why.about_reason(error.detail.data()));
    }
    if (!identical(again->value, expected))
        return std::unexpected(
            detail::other_value(expected, again->value, options.family,
                                "the engine would read the changed text as another value"));
    return *std::move(made);
}

/// Where a resource has a reference that leads to nothing above it: engines load no such file. An
/// empty path: nowhere.
class LostReference {
public:
    LostReference(const Dictionary& document, TextFamily family)
        : document_(document), text_ids_(detail::text_rules(family).text_ids) {}

    std::optional<RewriteError> find() {
        for (const Dictionary::Pair& tag : part("ext"))
            ext_.insert(detail::reference_id(tag.key));
        for (const Dictionary::Pair& tag : part("sub")) {
            sub_.insert(detail::reference_id(tag.key));
            look(tag.value, "$.sub" + step(tag.key));
        }
        for (const Dictionary::Pair& each : document_)
            if (each.key.text() != "ext" && each.key.text() != "sub")
                look(each.value, "$" + inspect::name_step(each.key.text()));
        return std::move(found_);
    }

private:
    struct Waiting {
        const Variant* value;
        std::string path;  ///< shortened, so that long keys are not copied into each
    };

    const Dictionary& part(std::string_view name) const {
        static const Dictionary none;
        const Variant* value = document_.find(name);
        const Dictionary* pairs = value ? value->get_if<Dictionary>() : nullptr;
        return pairs ? *pairs : none;
    }
    static std::string step(const Variant& key) {
        return key.is(Type::string)    ? inspect::name_step(key.text())
               : key.is(Type::integer) ? "[" + std::to_string(key.integer()) + "]"
                                       : "[?]";
    }
    void look(const Variant& value, std::string path) {
        std::vector<Waiting> waiting;
        const auto wait = [&](const Variant& item, const std::string& at, std::string name) {
            if (item.is(Type::array) || item.is(Type::dictionary) || item.is(Type::object))
                waiting.push_back(
                    {&item, inspect::shortened_path(at + std::move(name), most_path)});
        };
        wait(value, path, "");
        while (!waiting.empty() && !found_) {
            const Waiting at = std::move(waiting.back());
            waiting.pop_back();
            if (const Object* object = at.value->get_if<Object>()) {
                reference(*object, at.path);
                for (std::size_t i = object->size(); i-- > 0;)
                    wait(object->begin()[i].value, at.path,
                         inspect::name_step(object->begin()[i].name));
            } else if (const Array* array = at.value->get_if<Array>()) {
                for (std::size_t i = array->size(); i-- > 0;)
                    wait((*array)[i], at.path, "[" + std::to_string(i) + "]");
            } else if (const Dictionary* pairs = at.value->get_if<Dictionary>()) {
                for (std::size_t i = pairs->size(); i-- > 0;)
                    wait(pairs->begin()[i].value, at.path, step(pairs->begin()[i].key));
            }
        }
    }
    void reference(const Object& object, const std::string& path) {
        const bool sub = object.class_name() == "SubResource";
        const Variant* id =
            sub || object.class_name() == "ExtResource" ? object.find("id") : nullptr;
        if (!id || (!id->is(Type::integer) && !id->is(Type::string)))
            return;
        const bool named = !text_ids_ && id->is(Type::string);
        if (!named && (sub ? sub_ : ext_).contains(detail::reference_id(*id)))
            return;
        found_ = RewriteError{Error{Errc::bad_reference, Type::object}.about_reason(
                                  named ? "Godot 3 takes a number as id, as in SubResource( 1 )"
                                  : sub ? "no sub_resource above has this id"
                                        : "no ext_resource has this id"),
                              path};
    }

    static constexpr std::size_t most_path = 200;
    const Dictionary& document_;
    const bool text_ids_;
    std::set<std::string, std::less<>> ext_, sub_;
    std::optional<RewriteError> found_;
};

/// The keys whose value is null, each as often as it stands there.
std::vector<std::string> nulls_in(const Variant& config) {
    std::vector<std::string> out;
    for (const Dictionary::Pair& section : *config.get_if<Dictionary>())
        if (const Dictionary* pairs = section.value.get_if<Dictionary>())
            for (const Dictionary::Pair& pair : *pairs)
                if (pair.value.is(Type::nil) && section.key.is(Type::string) &&
                    pair.key.is(Type::string))
                    out.push_back("$" + inspect::name_step(section.key.text()) +
                                  inspect::name_step(pair.key.text()));
    detail::sort(out);
    return out;
}

/// Nulls that a ConfigFile has not had: engines take them for no value.
std::expected<void, RewriteError> refuse_new_nulls(const Variant& before, const Variant& after) {
    if (!after.is(Type::dictionary))
        return refused("$", Error{Errc::wrong_type, after.type()}.about_reason(
                                "a ConfigFile is a Dictionary of sections"));
    const auto old = nulls_in(before), all = nulls_in(after);
    std::vector<std::string> added;
    std::set_difference(all.begin(), all.end(), old.begin(), old.end(), std::back_inserter(added));
    if (added.empty())
        return {};
    return refused(added[0], Error{Errc::not_in_dialect}.about_reason(
                                 "in a ConfigFile null erases the key: remove the key"));
}

/// Keys without a header stand in front of all others: their section comes first, and without keys
/// it is not there. `headed`: it has a header, `[]`. False if nothing was to be done.
bool place_unnamed(Variant& config, bool headed) {
    Dictionary& sections = *config.get_if<Dictionary>();
    Variant* unnamed = sections.find("");
    if (!unnamed)
        return false;
    const bool gone = !headed && unnamed->is(Type::dictionary) && unnamed->size() == 0;
    if (!gone && identical(sections.begin()[0].key, Variant("")))
        return false;
    Dictionary made;
    made.reserve(sections.size());
    if (!gone)
        made.append("", std::move(*unnamed));
    for (Dictionary::Pair& pair : sections)
        if (!pair.key.is(Type::string) || !pair.key.text().empty())
            made.append(pair.key, std::move(pair.value));
    sections = std::move(made);
    return true;
}

/// The text where one value of a ConfigFile changes, and no more than its assignment is read again.
/// Nothing where more changes, or where that does not read as it should.
std::optional<std::string> rewritten_pair(std::string_view text, const Outline& outline,
                                          const View& before, const View& after,
                                          const SectionsOptions& options) {
    constexpr std::size_t pair_level = 2;
    const auto chain = detail::changed_chain(before, after, outline);
    if (chain.size() <= pair_level || chain[pair_level].after.is_nil())
        return std::nullopt;
    const View& pair = chain[pair_level].after;
    const OutlineNode& node = outline.nodes[chain[pair_level].node];
    const detail::ConfigSyntax syntax(options.family);
    inspect::TextEdits edits;
    if (!inspect::plan_rewrite(edits, text, outline, before, after, syntax))
        return std::nullopt;
    syntax.finish(edits);
    auto made = edits.apply(text);
    if (!made)
        return std::nullopt;
    const detail::Differing differ = detail::differing(as_bytes(text), as_bytes(*made));
    if (node.key_end <= node.key_begin || differ.begin < node.begin || differ.end > node.end ||
        !detail::may_end_at(text, node.end))
        return std::nullopt;
    const std::size_t end = made->size() - (text.size() - node.end);
    const auto read =
        read_config(std::string_view(*made).substr(node.key_begin, end - node.key_begin),
                    {.family = options.family});
    const auto wanted = pair.get<Variant>();
    const Dictionary* sections = read ? read->value.get_if<Dictionary>() : nullptr;
    const Variant* section = sections && sections->size() == 1 ? sections->find("") : nullptr;
    const Dictionary* pairs = section ? section->get_if<Dictionary>() : nullptr;
    if (!pairs || pairs->size() != 1 || !wanted || !identical(pairs->begin()->value, *wanted))
        return std::nullopt;
    return *std::move(made);
}

}  // namespace

RewriteError detail::other_value(const Variant& wanted, const Variant& got, TextFamily family,
                                 const char* why) {
    RewriteError out{Error{Errc::not_in_dialect}.about_reason(why), "$"};
    const auto a = parsed(wanted, family), b = parsed(got, family);
    if (a && b)
        (void)inspect::each_difference(a->root(), b->root(), {},
                                       [&](const inspect::Difference& difference) {
                                           out.path = difference.path;
                                           return false;
                                       });
    return out;
}

const Dialect& sections_dialect(TextFamily family) noexcept {
    const Dialect& newest = newest_dialect(family);
    if (is_godot_4(family))
        return detail::with_any_script(newest);
    if (&newest == &dialects::godot_2)
        return dialects::godot_2_text;
    if (newest.family == family)
        return newest;
    // What is written is read again as the same family does, which reads bytes of headers otherwise
    // than 3.6.
    static const Dialect godot_3_2 = [] {
        Dialect out = dialects::godot_3_1;
        out.family = dialects::godot_3_0.family;
        return out;
    }();
    return godot_3_2;
}

const Dialect& sections_dialect(const Dialect& engines) noexcept {
    // Texts have typed Arrays from 4.0 on, packets from 4.3 on.
    static const Dialect godot_4_0 = [] {
        Dialect out = dialects::godot_4_0;
        out.rows[out.id_of[static_cast<std::size_t>(Type::array)]] =
            *dialects::godot_4_3.row(Type::array);
        out.index_types();
        return out;
    }();
    if (&engines == &dialects::godot_4_0)
        return godot_4_0;
    // Texts of Godot 2 and 3.0 have numbers that their packets have not.
    const bool other = engines.numbers != NumberWidth::by_value || engines.documented;
    return other ? sections_dialect(engines.family) : detail::with_any_script(engines);
}

Text rewrite_config(std::string_view text, const Outline& outline, const View& before,
                    const View& after, const SectionsOptions& options) GDVAR_TRY {
    if (auto made = rewritten_pair(text, outline, before, after, options))
        return *std::move(made);
    const auto was = before.get<Variant>();
    auto is = after.get<Variant>();
    if (!was || !is)
        return refused("$", was ? is.error() : was.error());
    if (auto done = refuse_new_nulls(*was, *is); !done)
        return std::unexpected(std::move(done.error()));
    const detail::ConfigSyntax syntax(options.family);
    const bool headed = outline.nodes.size() > 1 && !outline.spans_of(1).empty();
    if (!place_unnamed(*is, headed))
        return rewritten(text, outline, before, after, *is, syntax, read_config, options);
    const auto edited = parsed(*is, options.family);
    if (!edited)
        return std::unexpected(edited.error());
    return rewritten(text, outline, before, edited->root(), *is, syntax, read_config, options);
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

Text rewrite_resource(std::string_view text, const Outline& outline, const View& before,
                      const View& after, const SectionsOptions& options) GDVAR_TRY {
    const auto was = before.get<Variant>();
    auto is = after.get<Variant>();
    if (!was || !is)
        return refused("$", was ? is.error() : was.error());
    const auto change = detail::complete_resource(*was, *std::move(is));
    if (!change)
        return std::unexpected(change.error());
    const auto edited = parsed(change->edited, options.family);
    if (!edited)
        return std::unexpected(edited.error());
    auto made = rewritten(text, outline, before, edited->root(), change->expected,
                          detail::ResourceSyntax(options.family), read_resource, options);
    if (!made && made.error().error.code == Errc::bad_reference && made.error().path == "$")
        if (auto lost =
                LostReference(*change->expected.get_if<Dictionary>(), options.family).find())
            return std::unexpected(*std::move(lost));
    return made;
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

}  // namespace gdvar
