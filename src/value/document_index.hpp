// Finds children in a Document's containers: by a linear search, and through an index in large
// containers that are searched repeatedly.
#pragma once

#include <string_view>

#include "base/index.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// For an Arena with that many nodes.
constexpr std::size_t bytes_for(std::size_t nodes) noexcept {
    return sizeof(Arena) + nodes * sizeof(Node);
}
/// True if the node's children (elements, pairs or properties) follow it.
inline bool has_children(const Node& node) noexcept {
    return node.type == Type::array || node.type == Type::dictionary ||
           node.type == Type::packed_typed_array ||
           (node.type == Type::object && (node.flags & Node::full));
}
/// The node after this one and its descendants.
inline std::uint32_t node_behind(const Arena& arena, std::uint32_t i) noexcept {
    const Node& node = arena.nodes()[i];
    return has_children(node) || (node.flags & Node::copied) ? node.span.end : i + 1;
}

/// The node of the last key with that text in a Dictionary, or of the last property with that name
/// in an Object; else `Index::none`. A text or int key is always one node.
std::uint32_t find_key(const Arena& arena, std::uint32_t node, std::string_view key) noexcept;
std::uint32_t find_key(const Arena& arena, std::uint32_t node, std::int64_t key) noexcept;
std::uint32_t element_at(const Arena& arena, std::uint32_t node, std::uint32_t i) noexcept;

void free_indexes(Arena& arena) noexcept;
/// Frees them because nodes have moved. Searches are counted anew.
void drop_indexes(Arena& arena) noexcept;
/// A Dictionary or Object has a further key, the node `key`, which is its last one: its index gets
/// it, or is dropped.
void add_to_index(Arena& arena, std::uint32_t node, std::uint32_t key) noexcept;

}  // namespace gdvar::detail
