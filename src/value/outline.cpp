#include "gdvar/value/outline.hpp"

#include <algorithm>

namespace gdvar {

std::span<const OutlineSpan> Outline::spans_of(std::uint32_t node) const noexcept {
    const auto less = [](const OutlineSpan& span, std::uint32_t number) {
        return span.node < number;
    };
    const auto first = std::lower_bound(spans.begin(), spans.end(), node, less);
    const auto last = std::find_if(first, spans.end(),
                                   [&](const OutlineSpan& span) { return span.node != node; });
    return {first, last};
}

std::uint32_t Outline::append(const Outline& part, std::size_t shift) {
    const auto first = static_cast<std::uint32_t>(nodes.size());
    const auto by = static_cast<std::uint32_t>(shift);
    for (OutlineNode node : part.nodes) {
        if (node.key_end) {
            node.key_begin += by;
            node.key_end += by;
        }
        node.begin += by;
        node.end += by;
        node.inner += by;
        node.next += first;
        nodes.push_back(node);
    }
    for (const OutlineSpan& span : part.spans)
        spans.push_back({span.node + first, span.begin + by, span.end + by});
    return first;
}

}  // namespace gdvar
