// Which bytes of a save's content belong to which value, and which value a byte belongs to.
#include <algorithm>
#include <new>
#include <ranges>
#include <utility>

#include "base/exceptions.hpp"
#include "file/save_file_state.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {
namespace {

using detail::refuse;

/// A value of a text, and its node in the outline.
struct Both {
    View value;
    std::uint32_t node = 0;
    bool is_key = false;  ///< the key of that value is meant
};

/// Whether the children of a value are those of its node, one by one.
bool is_parallel(const Both& at, const Outline& outline) {
    const OutlineNode& node = outline.nodes[at.node];
    return node.kind != OutlineKind::leaf && node.count != 0 && node.count == at.value.size();
}

/// Calls `use(child, node, begin)` for the children of a value and of its node, where `begin` is
/// the first byte of the child, or of its key, in the packet. `use` returns whether that is enough.
template <class Use>
void each_child(const Both& at, const Outline& outline, Use&& use) {
    std::uint32_t node = at.node + 1;
    for (detail::Children all(at.value); !all.done();) {
        const detail::Child child = all.next_value();
        const std::uint32_t its = std::exchange(node, outline.nodes[node].next);
        const View& first = child.key_view ? child.key_view : child.view;
        if (use(child.view, its, first.offset()))
            return;
    }
}

/// The innermost node whose value holds that place of the packet.
Both find_node(const View& root, const Outline& outline, std::uint64_t offset) {
    Both at{root};
    while (!at.is_key && is_parallel(at, outline)) {
        std::optional<Both> inside;
        each_child(at, outline, [&](const View& child, std::uint32_t node, std::size_t begin) {
            if (begin > offset)
                return true;
            inside = Both{child, node, offset < child.offset()};
            return false;
        });
        if (!inside)
            break;
        at = *inside;
    }
    return at;
}

/// The value of a node: the way to it is counted in the outline.
View find_value(const View& root, const Outline& outline, std::uint32_t wanted) {
    Both at{root};
    while (at.node != wanted && is_parallel(at, outline)) {
        std::optional<Both> inside;
        each_child(at, outline, [&](const View& child, std::uint32_t node, std::size_t) {
            if (wanted >= outline.nodes[node].next)
                return false;
            inside = Both{child, node};
            return true;
        });
        if (!inside)
            break;
        at = *inside;
    }
    return at.value;
}

struct Span {
    std::size_t begin = 0, end = 0;
    bool holds(std::size_t at) const { return begin <= at && at < end; }
};

/// The range of a node. Nodes of documents (sections, tags) have headers elsewhere.
Span span_of(const Outline& outline, std::uint32_t number) {
    const OutlineNode& node = outline.nodes[number];
    Span span{node.begin, node.end};
    if (is_bracketed(node.kind) || node.kind == OutlineKind::leaf)
        return span;
    const auto cover = [&span](std::size_t begin, std::size_t end) {
        if (begin == end)
            return;
        span = span.begin == span.end ? Span{begin, end}
                                      : Span{std::min(span.begin, begin), std::max(span.end, end)};
    };
    for (const OutlineSpan& header : outline.spans_of(number))
        cover(header.begin, header.end);
    for (std::uint32_t i = number + 1; i < node.next; ++i) {
        cover(outline.nodes[i].key_begin, outline.nodes[i].key_end);
        cover(outline.nodes[i].begin, outline.nodes[i].end);
    }
    return span;
}

/// The key, what stands between it and the value, and the value.
Span pair_of(const OutlineNode& node) {
    const bool has_key = node.key_end > node.key_begin && node.key_end <= node.begin;
    return {has_key ? node.key_begin : node.begin, node.end};
}

/// The innermost node around a place of the text.
std::uint32_t node_at(const Outline& outline, std::size_t at) {
    std::uint32_t best = 0;
    std::size_t least = SIZE_MAX;
    for (std::uint32_t i = 0; i < outline.nodes.size(); ++i) {
        const Span span = pair_of(outline.nodes[i]);
        // The inner of equal ones comes later and wins.
        if (span.holds(at) && span.end - span.begin <= least) {
            best = i;
            least = span.end - span.begin;
        }
    }
    if (best != 0)
        return best;
    // A header, or what stands between the pairs of a section: the last header that begins before.
    std::size_t last = 0;
    for (const OutlineSpan& header : outline.spans)
        if (header.begin <= at && header.begin >= last) {
            best = header.node;
            last = header.begin;
        }
    return best;
}

/// Where a child begins in the packet: with its key or name, if it has one.
std::size_t begin_of(const detail::Child& child) {
    if (child.role == detail::Child::value)
        return child.key_view.offset();
    if (child.role == detail::Child::property)
        return child.view.offset() -
               (4 + child.name.size() + detail::padding_of(child.name.size()));
    return child.view.offset();
}

/// The path of the innermost value that holds that place of the packet.
std::string path_of(const View& root, std::uint64_t offset) {
    std::string path = "$";
    View at = root;
    while (detail::is_container(at)) {
        std::optional<detail::Child> inside;
        for (detail::Children all(at); !all.done();) {
            const detail::Child child = all.next_value();
            if (begin_of(child) > offset)
                break;
            inside = child;
        }
        if (!inside)
            break;
        detail::append_step(path, *inside);
        if (offset < inside->view.offset())
            break;  // in its key
        at = inside->view;
    }
    return path;
}

/// The path in the whole save of what `path` names in a value. A setting whose name would be read
/// otherwise ("a $b") goes by its number.
std::string path_in(const DocumentKind& kind, std::size_t number, std::string_view key,
                    const std::string& path) {
    std::string out = item_label(kind, number, key) + path;
    if (!kind.named)
        return out;
    const auto at = parse_save_path(out, true);
    return at && at->name == setting_name(key) ? out : '#' + std::to_string(number) + ' ' + path;
}

/// The first value that ends behind the byte: a frame stands before its packet. The document has
/// values; the last one has all that stands behind.
std::size_t value_around(const SaveDocument& document, std::uint64_t offset) {
    const std::vector<SaveItem>& all = document.items();
    const auto ends_before = [&](std::size_t i) {
        return (document.kind().text ? document.text_place(i).end
                                     : all[i].offset + all[i].packet.size()) <= offset;
    };
    const auto numbers = std::views::iota(std::size_t{0}, all.size() - 1);
    return static_cast<std::size_t>(std::ranges::partition_point(numbers, ends_before) -
                                    numbers.begin());
}

/// Where a byte of a text stands: the node that `node_at` gives for it.
struct NodePlace {
    std::shared_ptr<const Outline> outline;
    std::uint32_t node = 0;
    bool inside = false;  ///< in the node itself or its key, and not between
};
std::expected<NodePlace, Error> node_in_text(const SaveDocument& document, std::size_t item,
                                             std::uint64_t offset) {
    auto outline = document.outline(item);
    if (!outline)
        return std::unexpected(outline.error());
    const TextPlace text = document.text_place(item);
    const std::size_t at = offset < text.begin ? 0 : static_cast<std::size_t>(offset) - text.begin;
    const std::uint32_t node = node_at(**outline, at);
    const bool inside =
        pair_of((*outline)->nodes[node]).holds(at) ||
        std::ranges::any_of((*outline)->spans_of(node), [at](const OutlineSpan& span) {
            return Span{span.begin, span.end}.holds(at);
        });
    return NodePlace{*std::move(outline), node, inside};
}

std::unexpected<FileError> no_such(std::uint64_t number, std::size_t count) {
    return std::unexpected(FileError(
        Error{Errc::index_out_of_range}.about_index(static_cast<std::int64_t>(number), count)));
}

}  // namespace

std::expected<ByteView, FileError> SaveFile::State::shown_content() {
    if (!changed && !saved)
        return content;
    if (!shown) {
        auto written = document->write(items);
        if (!written)
            return std::unexpected(FileError(written.error().error));
        shown = Shown{*std::move(written), nullptr};
    }
    return shown->content;
}

std::expected<const SaveDocument*, FileError> SaveFile::State::shown_document() {
    const auto written = shown_content();
    if (!written)
        return std::unexpected(written.error());
    if (!changed && !saved)
        return document.get();
    if (!shown->document) {
        auto again = kind->open(*kind, *written, {.dialect = dialect});
        if (!again)
            return std::unexpected(FileError(again.error()));
        shown->document = *std::move(again);
    }
    return shown->document.get();
}

std::expected<ByteView, FileError> SaveFile::content() GDVAR_TRY {
    return state_->shown_content();
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<ContentPlace, FileError> SaveFile::place(std::size_t index,
                                                       std::uint64_t offset) GDVAR_TRY {
    const auto shown = state_->shown_document();
    if (!shown)
        return std::unexpected(shown.error());
    if (index >= items().size())
        return no_such(index, items().size());
    const SaveItem& item = (*shown)->items()[index];
    if (kind().text) {
        const auto value = state_->parsed(index);
        if (!value)
            return std::unexpected(FileError(value.error()));
        const auto outline = (*shown)->outline(index);
        if (!outline)
            return std::unexpected(FileError(outline.error()));
        const TextPlace text = (*shown)->text_place(index);
        const Both found = find_node((*value)->root(), **outline, offset);
        const OutlineNode& node = (*outline)->nodes[found.node];
        const Span span = span_of(**outline, found.node);
        ContentPlace place{text.begin + span.begin, text.begin + span.end};
        if (node.key_end > node.key_begin) {
            place.key_begin = text.begin + node.key_begin;
            place.key_end = text.begin + node.key_end;
        }
        return place;
    }
    if (kind().made)
        return ContentPlace{};
    // A whole packet may be broken, or more than its value.
    if (offset == 0)
        return ContentPlace{item.offset, item.offset + item.packet.size()};
    if (offset >= item.packet.size())
        return no_such(offset, item.packet.size());
    DecodeOptions options = decoding();
    options.strict = false;  // or what follows the value would be refused
    const auto size = validate(item.packet.subspan(static_cast<std::size_t>(offset)), options);
    if (!size)
        return std::unexpected(FileError(size.error()));
    return ContentPlace{item.offset + offset, item.offset + offset + *size};
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<ContentPlace, FileError> SaveFile::place(std::string_view path) GDVAR_TRY {
    auto at = parse_save_path(path, kind().named);
    if (!at)
        return std::unexpected(FileError(detail::bad_path(path, at.error())));
    const auto index = state_->index_of(*at);
    if (!index)
        return std::unexpected(FileError(index.error()));
    const auto value = state_->parsed(*index);
    if (!value)
        return std::unexpected(FileError(value.error()));
    auto found = inspect::lookup((*value)->root(), at->path);
    for (; found && found->part(); found = inspect::lookup((*value)->root(), at->path))
        at->path.steps.pop_back();
    if (!found)
        return std::unexpected(FileError(found.error()));
    return place(*index, found->offset());
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<PacketPlace, FileError> SaveFile::value_at(std::uint64_t offset) GDVAR_TRY {
    const auto shown = state_->shown_document();
    if (!shown)
        return std::unexpected(shown.error());
    const std::size_t size = content()->size();
    const std::vector<SaveItem>& all = (*shown)->items();
    if (offset >= size || all.empty())
        return no_such(offset, all.empty() ? 0 : size);
    const std::size_t low = value_around(**shown, offset);
    if (!kind().text) {
        const std::uint64_t first = all[low].offset;
        if (kind().made || offset < first || all[low].packet.empty())
            return PacketPlace{low, 0};
        return PacketPlace{low,
                           std::min<std::uint64_t>(offset - first, all[low].packet.size() - 1)};
    }
    const auto value = state_->parsed(low);
    if (!value)
        return std::unexpected(FileError(value.error()));
    const auto at = node_in_text(**shown, low, offset);
    if (!at)
        return std::unexpected(FileError(at.error()));
    return PacketPlace{low, find_value((*value)->root(), *at->outline, at->node).offset()};
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::expected<std::string, FileError> SaveFile::path_at(std::uint64_t offset) GDVAR_TRY {
    const auto found = value_at(offset);
    if (!found)
        return std::unexpected(found.error());
    const auto value = state_->parsed(found->index);
    if (!value)
        return std::unexpected(FileError(value.error()));
    return path_in(kind(), found->index, items()[found->index].key,
                   path_of((*value)->root(), found->offset));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

std::string path_in_text(const SaveDocument& document, std::uint64_t offset) GDVAR_TRY {
    if (!document.kind().text || document.items().empty())
        return {};
    const std::size_t number = value_around(document, offset);
    const SaveItem& item = document.items()[number];
    const auto value =
        Document::parse(item.packet, {.dialect = document.dialect(), .allow_objects = true});
    const auto at = node_in_text(document, number, offset);
    if (!value || !at || at->node == 0 || !at->inside)
        return {};
    return path_in(
        document.kind(), number, item.key,
        path_of(value->root(), find_value(value->root(), *at->outline, at->node).offset()));
}
GDVAR_CATCH_NO_MEMORY(return {})

}  // namespace gdvar
