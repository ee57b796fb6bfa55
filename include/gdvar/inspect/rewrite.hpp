// Lossless editing of text: the differences of two values, applied to the text that holds the
// first. Comments, order, spacing, line ends and the spelling of numbers stay.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/inspect/detail/side.hpp"
#include "gdvar/inspect/text_edits.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {
struct TextRules;
}
namespace inspect {

/// Why a text could not be rewritten.
struct RewriteError {
    Error error;
    std::string path;  ///< of the value that was refused: `$.players[3].pos`
};
/// "$.players[3].pos: error[not_in_dialect]: ..."
std::string to_string(const RewriteError& error);

/// The result of a syntax's function. The path of a refusal goes from the value that the function
/// was called for: "" for that value itself, `.pos` for one inside.
using Rewritten = std::expected<void, RewriteError>;

/// How a text is laid out, found by looking at it.
struct TextLayout {
    std::string newline = "\n";  ///< "\n" or "\r\n"
    bool lines = false;          ///< the items of containers stand on lines of their own
    std::string unit;            ///< by what each level is indented, where they do
    std::string space = " ";     ///< behind a comma, where they do not
    std::string colon = ": ";    ///< between key and value
};

/// Where a value or a key is printed.
struct TextSpot {
    const TextLayout& layout;  ///< `lines`: whether the items of a container are to have lines
    std::string_view indent;   ///< at the front of the line on which the value begins
    std::string_view old;      ///< the text that it replaces; empty for a new one
};

/// A node whose value changes.
struct ChangedNode {
    std::string_view text;
    const Outline& outline;
    std::uint32_t node;
    View before, after;
    const TextLayout& layout;
    std::string_view indent;  ///< at the front of the line on which it begins

    const OutlineNode& place() const noexcept { return outline.nodes[node]; }
};

/// A container that gets, loses or reorders children.
struct ChangedChildren : ChangedNode {
    static constexpr std::uint32_t none = UINT32_MAX;

    const detail::Side& from;                 ///< the children of `before`
    const detail::Side& to;                   ///< of `after`
    const std::vector<std::uint32_t>& nodes;  ///< the node of each child of `from`
    /// For each child of `to`: the child of `from` that it is, or `none` if it is new. Those of
    /// `from` that are named nowhere go. A pair or property that is renamed counts as the same.
    const std::vector<std::uint32_t>& partner;
};

/// How values stand in texts of a kind: what `rewrite` has to know. Derive from `GodotText` for
/// documents whose values are Godot's text, and implement `children`, and what else the document
/// allows, for the kinds of nodes that it has beyond values (`is_bracketed` is false for them).
///
/// All functions may throw bad_alloc.
class TextSyntax {
public:
    virtual ~TextSyntax() = default;

    // ---- values

    /// Appends the text of a value, such that reading it gives an identical value. Refuses what
    /// the text can't express; never replaces it.
    virtual Rewritten value(std::string& out, const View& value, const TextSpot& spot) const = 0;
    /// Appends the key of a pair, or the name of a property, of a node of kind `in`.
    virtual Rewritten key(std::string& out, const detail::Child& child, OutlineKind in) const = 0;
    /// White space and comments.
    virtual const detail::TextRules& rules() const noexcept = 0;
    /// The layout where nothing in the text shows one.
    virtual TextLayout usual_layout() const = 0;
    /// Changes the class in the head of an Object in brackets. False if that can't be done; the
    /// Object is then replaced as a whole.
    virtual bool rename_class(TextEdits& edits, const ChangedNode& node) const;

    // ---- documents

    /// Makes the edits that insert, remove and reorder children of a node of a document. `rewrite`
    /// then goes on with the children that stay: their keys (`rename`) and their values. So this
    /// function leaves those alone, but may `keep` them at another place. By default refuses.
    virtual Rewritten children(TextEdits& edits, const ChangedChildren& change) const;
    /// Whether a child of a node of that kind can get another key in place. If not, it counts as
    /// removed and inserted. True by default for nodes in brackets.
    virtual bool renames(OutlineKind in) const;
    /// Gives child `i` of `to`, which stays, its other key. By default replaces
    /// [key_begin, key_end) by what `key` prints.
    virtual Rewritten rename(TextEdits& edits, const ChangedChildren& change, std::size_t i) const;
    /// A node of a document gets a value of another type or class. If that is a container of the
    /// same type, `rewrite` then goes on with its children. By default refuses.
    virtual Rewritten retype(TextEdits& edits, const ChangedNode& node) const;
};

/// Godot's text, as one engine family reads it: `parse_text` with these options gives the same
/// value again.
class GodotText : public TextSyntax {
public:
    struct Options {
        TextFamily family = newest_text_family;
        /// References to resources are written, and were read, as such (ParseOptions::resources).
        bool resources = false;
        /// PackedByteArrays are written as Base64. One that was Base64 stays so in any case.
        bool base64_bytes = false;
        /// The text is read with ParseOptions::strict_numbers, which takes each number for the
        /// nearest float. So every float can be written. The engine reads the digits as the same
        /// float, too, if there are such; else as one near it.
        bool strict_numbers = false;
        /// Without `strict_numbers`: floats that the engine's reader does not give for any digits
        /// (one of 70 doubles of 17 digits) are written in their shortest digits, which it reads as
        /// a float near it. By default they are refused.
        bool round_floats = false;
        /// As in ParseOptions: a container with such an element is written only if it is kept.
        WrongElements wrong_elements = WrongElements::refused;
    };
    explicit GodotText(const Options& options) : options_(options) {}
    const Options& options() const noexcept { return options_; }

    Rewritten value(std::string& out, const View& value, const TextSpot& spot) const override;
    Rewritten key(std::string& out, const detail::Child& child, OutlineKind in) const override;
    const detail::TextRules& rules() const noexcept override;
    TextLayout usual_layout() const override { return {}; }
    bool rename_class(TextEdits& edits, const ChangedNode& node) const override;

private:
    Options options_;
};

/// Plain JSON: `parse_plain_json` gives the same value again.
class PlainJson : public TextSyntax {
public:
    struct Options {
        /// A float that is whole is written as `5.0`, as Godot 4.4 and later do; else as `5`, which
        /// is read as an int by whatever tells ints from floats, `parse_plain_json` included.
        bool whole_with_point = true;
    };
    PlainJson() = default;
    explicit PlainJson(const Options& options) : options_(options) {}

    Rewritten value(std::string& out, const View& value, const TextSpot& spot) const override;
    Rewritten key(std::string& out, const detail::Child& child, OutlineKind in) const override;
    const detail::TextRules& rules() const noexcept override;
    TextLayout usual_layout() const override;

private:
    Options options_;
};

/// Adds to `edits` what makes the text of `before` one of `after`. `outline` is that of the text,
/// and `before` the value that was read with it, as a packet.
///
/// Differences are replaced, inserted, removed or reordered; nothing else of the text changes. A
/// leaf is replaced as a whole. New items get the layout of their neighbours: a line of their own
/// or the same one, the same indentation, the same space behind commas and colons. The last item
/// has a comma if the last one had it. An item that goes takes its comma with it, and the line, and
/// the comment behind it on that line; comments on other lines stay. Items that change places take
/// the comments above them, and behind them on their line, along. The n-th of several
/// pairs with the same key stays the n-th.
///
/// Iterative. Time: n log n, and that of `each_difference` for Arrays. Memory: as
/// `each_difference`. Errors: what the syntax refuses (not_in_dialect); wrong_arguments (the
/// outline is that of another value); those of lost Views; no_memory. After an error `edits` holds
/// some of them.
[[nodiscard]] Rewritten plan_rewrite(TextEdits& edits, std::string_view text,
                                     const Outline& outline, const View& before, const View& after,
                                     const TextSyntax& syntax);

/// The text after these edits; the same text if nothing differs. Errors: as above, misplaced (a
/// syntax whose edits overlap).
[[nodiscard]] std::expected<std::string, RewriteError> rewrite(std::string_view text,
                                                               const Outline& outline,
                                                               const View& before,
                                                               const View& after,
                                                               const TextSyntax& syntax);

}  // namespace inspect
}  // namespace gdvar
