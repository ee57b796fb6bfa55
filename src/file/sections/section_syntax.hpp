// How values stand in ConfigFiles and text resources, for inspect::rewrite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file/sections/resource.hpp"
#include "file/sections/section_rows.hpp"
#include "gdvar/inspect/rewrite.hpp"

namespace gdvar::detail {

using inspect::ChangedChildren;
using inspect::ChangedNode;
using inspect::RewriteError;
using inspect::Rewritten;
using inspect::TextEdits;
using inspect::TextLayout;

/// A key of an assignment as engines write it: in quotes where they do.
void append_key(std::string& out, std::string_view key);
/// Whether the text is a name, as attributes have them.
bool is_identifier(std::string_view text) noexcept;

inline std::unexpected<RewriteError> refused(std::string path, const Error& error) {
    return std::unexpected(RewriteError{error, std::move(path)});
}
inline std::unexpected<RewriteError> refused(std::string path, Errc code, const char* why,
                                             Type type = Type::nil) {
    return refused(std::move(path), Error{code, type}.about_reason(why));
}
/// A refusal of the value at hand: its path is empty.
std::unexpected<RewriteError> refused(Errc code, const char* why, Type type = Type::nil);
/// The refusal with the step to the child in front of its path.
Rewritten below(const Child& child, Rewritten done);

/// The common part of ConfigFiles and resources. Use one object for one rewriting: it collects
/// the texts of new tags (`finish`).
class SectionSyntax : public inspect::GodotText {
public:
    SectionSyntax(TextFamily family, std::string_view equals)
        : GodotText({.family = family, .resources = true, .wrong_elements = WrongElements::kept}),
          equals_(equals) {}

    Rewritten key(std::string& out, const Child& child, OutlineKind in) const override;
    bool renames(OutlineKind) const override { return true; }
    /// To be called when all other edits have been planned.
    void finish(TextEdits& edits) const;

protected:
    /// Changes of assignments.
    Rewritten change_lines(TextEdits& edits, const ChangedChildren& change) const;
    /// `key = value` lines of a value, each behind a line end.
    Rewritten append_lines(std::string& out, const View& properties, const TextLayout& layout,
                           std::string_view equals) const;
    /// `key=value`
    Rewritten append_pair(std::string& out, const Child& child, OutlineKind in,
                          const TextLayout& layout, std::string_view equals) const;
    /// The sign between key and value of the first assignment below a node, else the first of all,
    /// else the usual one.
    std::string_view equals_below(const ChangedNode& node) const;

    mutable std::vector<LateText> late_;

private:
    mutable std::optional<std::string> first_equals_;  ///< that of the first assignment of all
    std::string_view equals_;
};

/// ConfigFiles: sections below the root, assignments below sections.
class ConfigSyntax final : public SectionSyntax {
public:
    explicit ConfigSyntax(TextFamily family) : SectionSyntax(family, "=") {}
    Rewritten children(TextEdits& edits, const ChangedChildren& change) const override;
    Rewritten rename(TextEdits& edits, const ChangedChildren& change, std::size_t i) const override;
    Rewritten retype(TextEdits& edits, const ChangedNode& node) const override;

    /// A section's name as it stands in a header.
    Rewritten append_name(std::string& out, const View& name) const;

private:
    Rewritten change_sections(TextEdits& edits, const ChangedChildren& change) const;
};

/// Text resources: attributes, tags and assignments.
class ResourceSyntax final : public SectionSyntax {
public:
    explicit ResourceSyntax(TextFamily family) : SectionSyntax(family, " = ") {}
    Rewritten key(std::string& out, const Child& child, OutlineKind in) const override;
    Rewritten children(TextEdits& edits, const ChangedChildren& change) const override;
    Rewritten rename(TextEdits& edits, const ChangedChildren& change, std::size_t i) const override;
    Rewritten retype(TextEdits& edits, const ChangedNode& node) const override;

private:
    Rewritten change_attributes(TextEdits& edits, const ChangedChildren& change) const;
    Rewritten change_group(TextEdits& edits, const ChangedChildren& change) const;
    Rewritten append_tag(std::string& out, ResourcePart part, const ChangedChildren& change,
                         std::size_t j) const;
    Rewritten append_sub(std::string& out, const ChangedChildren& change, std::size_t j) const;
};

}  // namespace gdvar::detail
