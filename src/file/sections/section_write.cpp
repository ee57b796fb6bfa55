#include <algorithm>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "file/sections/resource_changes.hpp"
#include "file/sections/section_edit.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "inspect/differing.hpp"
#include "wire/any_script.hpp"

namespace gdvar {
namespace {

using detail::refused;
using inspect::RewriteError;
using Text = std::expected<std::string, RewriteError>;

constexpr const char* other_value = "the engine would read the changed text as another value";

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
/// it is not there. `headed`: it has a header, `[]`.
void place_unnamed(Variant& config, bool headed) {
    Dictionary& sections = *config.get_if<Dictionary>();
    Variant* unnamed = sections.find("");
    if (!unnamed)
        return;
    const bool gone = !headed && unnamed->is(Type::dictionary) && unnamed->size() == 0;
    if (!gone && identical(sections.begin()[0].key, Variant("")))
        return;
    Dictionary made;
    made.reserve(sections.size());
    if (!gone)
        made.append("", std::move(*unnamed));
    for (Dictionary::Pair& pair : sections)
        if (!pair.key.is(Type::string) || !pair.key.text().empty())
            made.append(pair.key, std::move(pair.value));
    sections = std::move(made);
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

const Dialect& sections_dialect(TextFamily family) noexcept {
    const Dialect& newest = newest_dialect(family);
    if (is_godot_4(family))
        return detail::with_any_script(newest);
    if (&newest == &dialects::godot_2)
        return dialects::godot_2_text;
    if (newest.family == family)
        return newest;
    // A changed text is read again as its own family does, and 3.2 reads bytes of headers otherwise
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
    place_unnamed(*is, outline.nodes.size() > 1 && !outline.spans_of(1).empty());
    const Dialect& dialect = sections_dialect(options.family);
    return detail::edited_text({text, outline, before, dialect, options.limits,
                                detail::ConfigSyntax(options.family), read_config, other_value},
                               *std::move(is));
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

Text rewrite_resource(std::string_view text, const Outline& outline, const View& before,
                      const View& after, const SectionsOptions& options) GDVAR_TRY {
    const auto was = before.get<Variant>();
    auto is = after.get<Variant>();
    if (!was || !is)
        return refused("$", was ? is.error() : was.error());
    auto change = detail::complete_resource(*was, *std::move(is));
    if (!change)
        return std::unexpected(change.error());
    const Dialect& dialect = sections_dialect(options.family);
    return detail::edited_text({text, outline, before, dialect, options.limits,
                                detail::ResourceSyntax(options.family), read_resource, other_value},
                               std::move(change->edited), std::move(change->expected));
}
GDVAR_CATCH_NO_MEMORY(return refused({}, Error{Errc::no_memory}))

}  // namespace gdvar
