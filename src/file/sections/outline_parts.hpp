// Building the Outline of a document out of parts that are kept in the order of the text.
#pragma once

#include <cstdint>

#include "file/sections/section_scanner.hpp"
#include "gdvar/value/outline.hpp"

namespace gdvar::detail {

/// Nodes that follow each other: so many trees.
struct PartRange {
    std::uint32_t first = 0, end = 0;
    std::uint32_t count = 0;
};

/// Makes an Outline of nodes of its own and of ranges of another one.
class OutlineMaker {
public:
    OutlineMaker(Outline& to, const Outline& parts) : to_(to), parts_(parts) {}

    std::uint32_t open(OutlineKind kind, TextSpan value, TextSpan key = {},
                       std::uint32_t inner = 0) {
        return to_.open({.kind = kind,
                         .begin = value.begin,
                         .end = value.end,
                         .key_begin = key.begin,
                         .key_end = key.end,
                         .inner = inner});
    }
    /// Adds a range as children of the node.
    void add(std::uint32_t node, const PartRange& range) {
        const auto shift = static_cast<std::uint32_t>(to_.nodes.size()) - range.first;
        for (std::uint32_t i = range.first; i < range.end; ++i) {
            to_.nodes.push_back(parts_.nodes[i]);
            to_.nodes.back().next += shift;
        }
        to_.nodes[node].count += range.count;
    }
    void add_span(std::uint32_t node, TextSpan span) {
        to_.spans.push_back({node, span.begin, span.end});
    }
    /// Ends a node: its children are complete. It counts as a child of `parent`.
    void close(std::uint32_t node, std::uint32_t parent) {
        to_.nodes[node].next = static_cast<std::uint32_t>(to_.nodes.size());
        if (parent != node)
            ++to_.nodes[parent].count;
    }

private:
    Outline& to_;
    const Outline& parts_;
};

}  // namespace gdvar::detail
