#include "inspect/differing.hpp"

#include <algorithm>
#include <cstring>

#include "gdvar/inspect/detail/children.hpp"
#include "inspect/fingerprints.hpp"

namespace gdvar::detail {
namespace {

constexpr std::size_t block = 512;

std::size_t same_at_begin(ByteView a, ByteView b) noexcept {
    const std::size_t most = std::min(a.size(), b.size());
    std::size_t same = 0;
    while (most - same >= block && std::memcmp(a.data() + same, b.data() + same, block) == 0)
        same += block;
    while (same < most && a[same] == b[same])
        ++same;
    return same;
}
std::size_t same_at_end(ByteView a, ByteView b) noexcept {
    const std::size_t most = std::min(a.size(), b.size());
    const std::byte *const a_end = a.data() + a.size(), *const b_end = b.data() + b.size();
    std::size_t same = 0;
    while (most - same >= block &&
           std::memcmp(a_end - same - block, b_end - same - block, block) == 0)
        same += block;
    while (same < most && a_end[-1 - std::ptrdiff_t(same)] == b_end[-1 - std::ptrdiff_t(same)])
        ++same;
    return same;
}

/// The only child that differs. Its node stays 0 if there is none, or something else differs.
Changed only_child(const Changed& of, const SameBytes& same_bytes, const Outline& outline) {
    Changed out;
    const OutlineNode& node = outline.nodes[of.node];
    if (node.kind == OutlineKind::leaf || !is_container(of.before) || node.count == 0 ||
        node.count != of.before.size() || !same_node(of.before, of.after))
        return out;
    Children olds(of.before), news(of.after);
    for (std::uint32_t at = of.node + 1; !olds.done(); at = outline.nodes[at].next) {
        const Child was = olds.next_value(), is = news.next_value();
        if (was.role == Child::value && !same_bytes(was.key_view, is.key_view) &&
            !same(was.key_view, is.key_view))
            return {};
        if (was.name != is.name)
            return {};
        if (same_bytes(was.view, is.view))
            continue;
        if (out.node)
            return {};
        out = {was.view, is.view, at};
    }
    return out;
}

}  // namespace

Differing differing(ByteView a, ByteView b) noexcept {
    const std::size_t begin = same_at_begin(a, b);
    const std::size_t end = same_at_end(a.subspan(begin), b.subspan(begin));
    return {begin, a.size() - end, b.size() - end};
}

std::vector<Changed> changed_chain(const View& before, const View& after, const Outline& outline) {
    std::vector<Changed> out;
    if (outline.empty())
        return out;
    const SameBytes same_bytes(before, after);
    for (Changed at{before, after, 0};;) {
        out.push_back(at);
        at = only_child(at, same_bytes, outline);
        if (!at.node)
            return out;
    }
}

}  // namespace gdvar::detail
