#include "file/sections/section_edit.hpp"

#include <algorithm>
#include <utility>

#include "file/sections/resource.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::detail {

namespace {

/// Takes the tree, which needs many times the memory of its packet.
std::expected<PackedByteArray, RewriteError> packet_of(Variant value, const Dialect& dialect) {
    auto packet = encode(value, {.dialect = &dialect, .allow_objects = true});
    if (!packet)
        return refused("$", packet.error());
    return *std::move(packet);
}

/// Why the changed text can't be read.
std::unexpected<RewriteError> unreadable(const TextError& error, const PackedByteArray& expected,
                                         const Dialect& dialect) {
    if (error.code == Errc::bad_reference) {
        const auto wanted = decode(as_bytes(expected), decoding(dialect));
        const Dictionary* document = wanted ? wanted->get_if<Dictionary>() : nullptr;
        if (auto lost = document ? find_lost_reference(*document, text_rules(dialect.family))
                                 : std::nullopt)
            return refused(std::move(lost->path), Errc::bad_reference, lost->why, lost->type);
    }
    const Error why{error.code, error.type};
    return refused("$", error.detail.empty() ? why : why.about_reason(error.detail.data()));
}

}  // namespace

std::expected<std::string, RewriteError> edited_text(const SectionsEdit& edit, Variant edited,
                                                     std::optional<Variant> expected,
                                                     TextEdits edits,
                                                     const std::function<void(TextEdits&)>& more) {
    const bool same = !expected;
    const auto packet = packet_of(std::move(edited), edit.dialect);
    const auto other = packet_of(same ? Variant() : *std::move(expected), edit.dialect);
    if (!packet || !other)
        return std::unexpected((packet ? other : packet).error());
    const PackedByteArray& wanted = same ? *packet : *other;
    const DecodeOptions how = decoding(edit.dialect);
    const auto after = Document::parse(as_bytes(*packet), how);
    if (!after)
        return refused("$", after.error());
    if (auto done = inspect::plan_rewrite(edits, edit.text, edit.outline, edit.before,
                                          after->root(), edit.syntax);
        !done)
        return std::unexpected(std::move(done.error()));
    edit.syntax.finish(edits);
    if (more)
        more(edits);
    else if (edits.empty())
        return std::string(edit.text);
    auto made = edits.apply(edit.text);
    if (!made)
        return refused("$", made.error());
    auto again = edit.read(*made, {.family = edit.dialect.family, .limits = edit.limits});
    if (!again)
        return unreadable(again.error(), wanted, edit.dialect);
    const auto got = packet_of(std::move(again->value), edit.dialect);
    if (!got)
        return std::unexpected(got.error());
    if (std::ranges::equal(as_bytes(*got), as_bytes(wanted)))
        return *std::move(made);
    std::string path = "$";
    const auto is = Document::parse(as_bytes(*got), how);
    const auto should = Document::parse(as_bytes(wanted), how);
    if (is && should)
        (void)inspect::each_difference(should->root(), is->root(), {},
                                       [&](const inspect::Difference& difference) {
                                           path = difference.path;
                                           return false;
                                       });
    return refused(std::move(path), Errc::not_in_dialect, edit.refusal);
}

}  // namespace gdvar::detail
