#include "session/entries.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/type.hpp"

namespace gdvar::session {
namespace {

constexpr std::size_t stride = 128;

bool is_packed_array(const View& view) noexcept {
    return view && (type_info(view.type()).packed || view.is(Type::packed_string_array));
}

/// Where the bytes stand in the packet that the View shows; none if they are a copy.
Place place_in(const View& view, const std::byte* begin, std::size_t size) noexcept {
    const ByteView raw = view.raw();
    const std::less<> before;  // of any two pointers
    if (before(begin, raw.data()) || before(raw.data() + raw.size(), begin + size))
        return {};
    return {view.offset() + static_cast<std::size_t>(begin - raw.data()), size};
}

/// The bytes of a counted string with that text.
Place record_place(const View& view, std::string_view text) noexcept {
    const std::byte* const begin = reinterpret_cast<const std::byte*>(text.data()) - 4;
    const auto size = gdvar::detail::record_size(gdvar::detail::load<std::uint32_t>(begin));
    return place_in(view, begin, static_cast<std::size_t>(size));
}

}  // namespace

std::string step_of(const Entry& entry) {
    switch (entry.kind) {
        case Entry::item:
            return {};
        case Entry::pair:
            return inspect::key_step(entry.key, entry.ordinal);
        case Entry::property:
            return inspect::name_step(entry.name);
        default:
            return '[' + std::to_string(entry.ordinal) + ']';
    }
}

std::string exact_step_of(const Entry& entry) {
    if (entry.kind == Entry::pair)
        return "[@" + std::to_string(entry.ordinal) + ']';
    return step_of(entry);
}

std::size_t rows_in(const View& view) noexcept {
    return gdvar::detail::is_container(view) || is_packed_array(view) ? view.size() : 0;
}

Place bytes_of(const Entry& entry) noexcept {
    if (entry.kind != Entry::part)
        return {entry.view.offset(), entry.view.raw().size()};
    if (entry.view.is(Type::packed_string_array))
        return record_place(entry.view, entry.name);
    const PackedView packed = entry.view.packed();
    return place_in(entry.view, packed.data + entry.ordinal * packed.element_size(),
                    packed.element_size());
}

Place key_bytes_of(const Entry& entry) noexcept {
    if (entry.kind == Entry::pair)
        return {entry.key.offset(), entry.key.raw().size()};
    if (entry.kind != Entry::property)
        return {};
    const std::size_t size = static_cast<std::size_t>(
        gdvar::detail::record_size(static_cast<std::uint32_t>(entry.name.size())));
    return {entry.view.offset() - size, size};
}

template <class Range>
auto Entries::Walk<Range>::at(std::size_t ordinal) {
    const std::size_t mark = std::min(ordinal / stride, marks.size() - 1);
    if (near_at > ordinal || near_at < mark * stride) {
        near_at = mark * stride;
        near = marks[mark];
    }
    while (near_at < ordinal) {
        ++near;
        if (++near_at == marks.size() * stride)
            marks.push_back(near);
    }
    return *near;
}

Entries::Entries(const View& container) : container_(container) {
    if (container.is(Type::dictionary))
        walk_.emplace<Pairs>(container.pairs());
    else if (container.is(Type::object))
        walk_.emplace<Properties>(container.properties());
    else if (container.is(Type::packed_string_array))
        walk_.emplace<Strings>(container.strings());
    else if (gdvar::detail::is_container(container))
        walk_.emplace<Elements>(container.elements());
    size_ = rows_in(container);
}

Entry Entries::at(std::size_t ordinal) {
    Entry out{.kind = Entry::element, .ordinal = ordinal};
    if (auto* elements = std::get_if<Elements>(&walk_)) {
        out.view = elements->at(ordinal);
        return out;
    }
    if (auto* pairs = std::get_if<Pairs>(&walk_)) {
        const View::Pair pair = pairs->at(ordinal);
        out.kind = Entry::pair;
        out.view = pair.value;
        out.key = pair.key;
        return out;
    }
    if (auto* properties = std::get_if<Properties>(&walk_)) {
        const View::Property property = properties->at(ordinal);
        out.kind = Entry::property;
        out.view = property.value;
        out.name = property.name;
        return out;
    }
    out.kind = Entry::part;
    out.view = container_;
    if (auto* strings = std::get_if<Strings>(&walk_)) {
        // Finding an element by its path walks over all before it.
        out.name = strings->at(ordinal);
        auto packet = encode(Variant(out.name));
        auto copy = packet ? Document::parse(*std::move(packet))  // which keeps the bytes
                           : std::unexpected(packet.error());
        if (copy) {
            auto kept = std::make_shared<const Document>(*std::move(copy));
            out.copy = inspect::Found(kept->root(), kept);
        }
        return out;
    }
    Path path;
    path.steps.resize(1);
    path.steps[0].kind = Path::StepKind::index;
    path.steps[0].index = static_cast<std::int64_t>(ordinal);
    if (auto found = inspect::lookup(container_, path))
        out.copy = *std::move(found);
    return out;
}

}  // namespace gdvar::session
