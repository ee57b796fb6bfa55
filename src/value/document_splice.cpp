#include "value/document_splice.hpp"

#include <algorithm>
#include <cstring>

#include "value/document_index.hpp"

namespace gdvar::detail {
namespace {

/// Calls `use` for the nodes from number `i` on, without the components that stand among them.
template <class Use>
void each_node(Node* nodes, std::uint32_t i, std::uint32_t end, Use&& use) noexcept {
    while (i < end) {
        const std::uint32_t next = nodes[i].flags & Node::copied ? nodes[i].span.end : i + 1;
        use(nodes[i]);
        i = next;
    }
}
bool has_end(const Node& node) noexcept {
    return has_children(node) || (node.flags & Node::copied);
}

}  // namespace

DocumentSplice DocumentSplice::replacing(const View& old) noexcept {
    DocumentSplice out;
    out.first = old.node_;
    out.gone = node_behind(*old.arena_, old.node_) - old.node_;
    out.at = old.offset();
    out.size = old.raw().size();
    return out;
}

std::optional<std::size_t> DocumentSplice::begin_of(const View& container,
                                                    const View& value) noexcept {
    if (!container.is(Type::dictionary) && !container.is(Type::object))
        return value.offset();
    const Node& key = value.arena_->nodes()[value.node_ - 1];
    // Else it may be the end of a larger key, or a component.
    const bool alone =
        (key.type == Type::string || key.type == Type::string_name || key.type == Type::integer) &&
        value.node_ - 1 > container.node_;
    if (!alone || container.is(Type::dictionary) == ((key.flags & Node::property) != 0))
        return std::nullopt;
    return key.offset;
}

std::optional<DocumentSplice> DocumentSplice::erasing(const View& container,
                                                      const View& value) noexcept {
    const auto begin = begin_of(container, value);
    if (!begin)
        return std::nullopt;
    DocumentSplice out = replacing(value);
    const bool keyed = *begin != out.at;
    out.first -= keyed;
    out.gone += keyed;
    out.size += out.at - *begin;
    out.at = *begin;
    out.around = container.node_;
    out.count = -1;
    return out;
}

std::optional<DocumentSplice> DocumentSplice::adding(const View& container) noexcept {
    if (!has_children(container.node()) || container.is(Type::object))
        return std::nullopt;
    DocumentSplice out;
    out.first = node_behind(*container.arena_, container.node_);
    out.around = container.node_;
    out.count = 1;
    out.at = container.offset() + container.raw().size();
    return out;
}

bool DocumentSplice::take(ByteView value, std::size_t begin, const DecodeOptions& how) noexcept {
    Document& to = made[parts];
    if (!to.read(value, how) || to.packet_size() != value.size())
        return false;
    made_at[parts++] = begin;
    return true;
}

std::uint32_t DocumentSplice::come() const noexcept {
    std::uint32_t out = 0;
    for (std::uint32_t i = 0; i < parts; ++i)
        out += made[i].arena_->count;
    return out;
}

bool DocumentSplice::reserve(Document& document) const noexcept {
    Arena* const old = document.arena_;
    const std::uint64_t needed = std::uint64_t{old->count} - gone + come();
    if (needed <= old->capacity)
        return true;
    const std::uint64_t more = std::min<std::uint64_t>(needed + needed / 2 + 16, UINT32_MAX);
    if (needed > more)
        return false;
    auto* const grown = static_cast<Arena*>(
        ::operator new(bytes_for(static_cast<std::size_t>(more)), std::nothrow));
    if (!grown)
        return false;
    std::memcpy(static_cast<void*>(grown), old, bytes_for(old->count));
    grown->capacity = static_cast<std::uint32_t>(more);
    ::operator delete(std::exchange(document.arena_, grown));
    return true;
}

/// Gives the nodes around the place, and those behind it, their new numbers and offsets.
void DocumentSplice::shift(Arena& arena, std::size_t bytes) const noexcept {
    Node* const nodes = arena.nodes();
    const std::uint32_t nodes_by = come() - gone, behind = first + gone;
    const auto bytes_by = static_cast<std::uint32_t>(bytes - size);
    if (nodes_by) {
        // New nodes stand behind the nodes of their container.
        const bool adds = gone == 0;
        const std::uint32_t inner = adds ? around : first;
        for (std::uint32_t i = 0; i < inner;) {
            const bool holds = has_children(nodes[i]) && nodes[i].span.end > inner;
            const std::uint32_t next = holds ? i + 1 : node_behind(arena, i);
            if (holds)
                nodes[i].span.end += nodes_by;
            i = next;
        }
        if (adds)
            nodes[around].span.end += nodes_by;
    }
    if (nodes_by || bytes_by)
        each_node(nodes, behind, arena.count, [&](Node& node) {
            node.offset += bytes_by;
            if (has_end(node))
                node.span.end += nodes_by;
        });
    if (nodes_by)
        std::memmove(nodes + first + come(), nodes + behind, (arena.count - behind) * sizeof(Node));
    arena.count += nodes_by;
    arena.size += bytes - size;
}

void DocumentSplice::put(Arena& arena) const noexcept {
    Node* const nodes = arena.nodes();
    std::uint32_t to = first;
    for (std::uint32_t i = 0; i < parts; ++i) {
        const Arena& from = *made[i].arena_;
        std::memcpy(nodes + to, from.nodes(), from.count * sizeof(Node));
        const auto offset = static_cast<std::uint32_t>(at + made_at[i]);
        const std::uint32_t number = to;
        each_node(nodes + to, 0, from.count, [&](Node& node) {
            node.offset += offset;
            node.place = 0;
            if (has_end(node))
                node.span.end += number;
        });
        to += from.count;
    }
}

void DocumentSplice::apply(Document& document, const std::byte* bytes,
                           std::size_t come_bytes) const noexcept {
    Arena& arena = *document.arena_;
    Node* const nodes = arena.nodes();
    const bool at_end = first + gone == arena.count;
    // Indexes hold numbers of nodes.
    bool stale = come() != gone && (gone || !at_end);
    each_node(nodes, first, first + gone, [&](const Node& node) { stale |= node.place != 0; });
    if (stale)
        drop_indexes(arena);
    arena.bytes = bytes;
    shift(arena, come_bytes);
    put(arena);
    if (around == nowhere)
        return;
    nodes[around].span.count += static_cast<std::uint32_t>(count);
    if (count > 0)
        add_to_index(arena, around, first);
}

void DocumentSplice::move_to(Document& document, const std::byte* bytes) noexcept {
    document.arena_->bytes = bytes;
}

}  // namespace gdvar::detail
