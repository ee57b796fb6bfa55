// Outline: the positions of a text's values. Filled by the parsers of text and JSON and by the
// readers of documents; read by `inspect::rewrite`, which changes values and leaves all other bytes
// unchanged.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// The form of a node in the text.
enum class OutlineKind : std::uint8_t {
    /// A value that is rewritten as a whole: a number, a String, `Vector2(1, 2)`, a packed array,
    /// `ExtResource("1_abc")`. Its value may be of any type, a container included; it has no
    /// children.
    leaf,
    /// Elements in brackets, separated by commas.
    array,
    /// Pairs in braces, `key: value`, separated by commas.
    dictionary,
    /// `Object(Class,"name":value,...)`: properties separated by commas.
    object,

    // Kinds of documents. Only the syntax of that document knows the layout of their children; each
    // has a Dictionary or an Object as its value.

    sections,    ///< a whole document of sections or tags; the keys are their names
    section,     ///< `key=value` lines under a header
    group,       ///< parts gathered under one key, such as all `[ext_resource]` tags
    attributes,  ///< `key=value` pairs in a tag: `[gd_resource type="X" format=3]`
};

/// True if the node's children are in brackets, separated by commas.
constexpr bool is_bracketed(OutlineKind kind) noexcept {
    return kind == OutlineKind::array || kind == OutlineKind::dictionary ||
           kind == OutlineKind::object;
}

/// One value of a text: 32 bytes. Positions are bytes from the start of the text, which is shorter
/// than 4 GiB.
struct OutlineNode {
    OutlineKind kind = OutlineKind::leaf;
    /// For kinds of documents: data of their syntax. Else 0.
    std::uint8_t detail = 0;
    /// [begin, end) is the value, with a head such as `Array[int](` and without spaces around it.
    /// For kinds of documents the reader defines it; may be empty.
    std::uint32_t begin = 0, end = 0;
    /// [key_begin, key_end) is the key of a pair or the name of a property, as written (with
    /// quotes). Both 0 if there is none: elements, the root, names that a document derives.
    std::uint32_t key_begin = 0, key_end = 0;
    /// Bracketed kinds: the position behind the opening bracket; of an object: behind the comma
    /// after its class. For kinds of documents the reader defines it.
    std::uint32_t inner = 0;
    std::uint32_t count = 0;  ///< elements, pairs or properties; each is one node
    std::uint32_t next = 0;   ///< the node after the last descendant
    friend constexpr bool operator==(const OutlineNode&, const OutlineNode&) = default;
};
static_assert(sizeof(OutlineNode) == 32);

/// A further place in the text that belongs to a node: the header of a section, and each header of
/// a repeated one.
struct OutlineSpan {
    std::uint32_t node = 0;
    std::uint32_t begin = 0, end = 0;
    friend constexpr bool operator==(const OutlineSpan&, const OutlineSpan&) = default;
};

/// The values of a text as a flat tree. Node 0 is the root. The children of a node follow it, in
/// the order of the value, and the node after its last descendant is its next sibling.
///
/// The outline is parallel to the value that was read with it: a node has as many children as the
/// value has elements, pairs or properties, in the same order. So Dictionaries keep every pair of
/// the text, repeated keys included. Keys have no nodes. The value of a node of kind `leaf` may be
/// a container, without nodes for its children.
///
/// Spans of children rise and lie inside their container's, except below kinds of documents: the
/// pairs of a repeated section are children of one node.
struct Outline {
    std::vector<OutlineNode> nodes;
    /// Sorted by node.
    std::vector<OutlineSpan> spans;

    bool empty() const noexcept { return nodes.empty(); }
    void clear() noexcept {
        nodes.clear();
        spans.clear();
    }

    // ---- reading

    /// The further places of a node. Time: log n.
    std::span<const OutlineSpan> spans_of(std::uint32_t node) const noexcept;

    // ---- building. May throw bad_alloc.

    /// Adds a node behind all others and returns its number. It is open until `close`; nodes that
    /// are added meanwhile are its descendants. The caller keeps the stack and counts the children.
    std::uint32_t open(const OutlineNode& node) {
        nodes.push_back(node);
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }
    /// Ends a node at that position of the text.
    void close(std::uint32_t node, std::size_t end) noexcept {
        nodes[node].end = static_cast<std::uint32_t>(end);
        nodes[node].next = static_cast<std::uint32_t>(nodes.size());
    }
    /// Adds the nodes and spans of another outline behind all others, with all positions raised by
    /// `shift`: `part` was made for the text that begins there. Keys that are (0, 0) stay so.
    /// Returns the new number of the part's root. The caller counts it as a child and closes open
    /// nodes.
    std::uint32_t append(const Outline& part, std::size_t shift = 0);
};

}  // namespace gdvar
