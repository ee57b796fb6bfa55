#include "file/sections/section_edit.hpp"

#include <algorithm>
#include <utility>

#include "gdvar/inspect/diff.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::detail {

std::expected<PackedByteArray, inspect::RewriteError> packet_of(const Variant& value,
                                                                const Dialect& dialect) {
    auto packet = encode(value, {.dialect = &dialect, .allow_objects = true});
    if (!packet)
        return refused("$", packet.error());
    return *std::move(packet);
}

std::expected<std::string, inspect::RewriteError> edited_text(
    const SectionsEdit& edit, inspect::TextEdits edits,
    const std::function<void(inspect::TextEdits&)>& more) {
    const DecodeOptions how = decoding(edit.dialect);
    const auto after = Document::parse(as_bytes(edit.edited), how);
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
    const auto again = edit.read(*made, {.family = edit.dialect.family, .limits = edit.limits});
    if (!again) {
        const TextError& error = again.error();
        const Error why{error.code, error.type};
        return refused("$", error.detail.empty() ? why : why.about_reason(error.detail.data()));
    }
    // A tree takes many times the memory of its packet.
    const auto got = packet_of(again->value, edit.dialect);
    if (!got)
        return std::unexpected(got.error());
    if (std::ranges::equal(as_bytes(*got), as_bytes(edit.expected)))
        return *std::move(made);
    std::string path = "$";
    const auto is = Document::parse(as_bytes(*got), how);
    const auto should = Document::parse(as_bytes(edit.expected), how);
    if (is && should)
        (void)inspect::each_difference(should->root(), is->root(), {},
                                       [&](const inspect::Difference& difference) {
                                           path = difference.path;
                                           return false;
                                       });
    return refused(std::move(path), Errc::not_in_dialect, edit.refusal);
}

}  // namespace gdvar::detail
