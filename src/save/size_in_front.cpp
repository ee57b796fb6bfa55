#include "gdvar/save/size_in_front.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

#include "base/exceptions.hpp"
#include "gdvar/save/container.hpp"
#include "save/gdec_layout.hpp"
#include "save/io.hpp"
#include "save/stream_codec.hpp"

namespace gdvar {
namespace {

using save::refuse;

constexpr std::uint8_t widths[] = {4, 8};
constexpr std::size_t most_numbers = 2;
constexpr std::size_t most_head = most_numbers * sizeof(std::uint64_t);

std::uint64_t number_at(ByteView bytes, SizeForm form) noexcept {
    const bool swapped = form.order == ByteOrder::big;
    if (form.width == sizeof(std::uint32_t)) {
        const auto number = detail::load<std::uint32_t>(bytes.data());
        return swapped ? detail::byteswap(number) : number;
    }
    const auto number = detail::load<std::uint64_t>(bytes.data());
    return swapped ? detail::byteswap(number) : number;
}

/// The container by its magic, if any. GCPF also stands for GDEC.
std::optional<Wrapping> magic_of(ByteView start) noexcept {
    const std::string_view text = detail::as_text(start.data(), start.size());
    if (text.starts_with("GCPF"))
        return Wrapping::gcpf;
    if (text.starts_with("GDEC"))
        return Wrapping::gdec_4;
    for (const Wrapping kind : {Wrapping::gzip, Wrapping::zstd, Wrapping::zlib})
        if (save::begins_stream(kind, start))
            return kind;
    return std::nullopt;
}

bool is_fault_of_machine(const FileError& error) noexcept {
    return error.code == Errc::io || error.code == Errc::no_memory;
}

/// A container's sizes, if it can be opened.
struct Measured {
    bool opens = false;
    std::optional<std::uint64_t> unpacked{};
    std::optional<std::uint64_t> other{};  ///< the same for the other kind of GDEC
};

/// GDEC's size is not encrypted. The kind matters only for its place.
std::expected<Measured, FileError> measure_gdec(Source& source, std::uint64_t at,
                                                std::uint64_t packed) {
    if (auto there = save::go_to(source, at); !there)
        return std::unexpected(there.error());
    std::byte head[save::longest_header]{};
    const auto got = save::read_full(source, head);
    if (!got)
        return std::unexpected(got.error());
    Measured out;
    for (const Wrapping kind : {Wrapping::gdec_3, Wrapping::gdec_4}) {
        const save::Layout layout = save::layout_of(kind, head);
        if (packed < layout.header() || layout.size > packed - layout.header() ||
            layout.end() > packed)
            continue;
        out.opens = true;
        if (layout.end() == packed)
            (out.unpacked ? out.other : out.unpacked) = layout.size;
    }
    return out;
}

/// Opens the container, and reads a stream to its end, up to `most` bytes.
std::expected<Measured, FileError> measure(Source& source, std::uint64_t at, Wrapping kind,
                                           std::uint64_t most) {
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    const auto inner = open_container(
        source, {.kind = is_stream(kind) ? kind : Wrapping::none, .skip = at, .max_bytes = most});
    if (!inner && is_fault_of_machine(inner.error()))
        return std::unexpected(inner.error());
    Measured out;
    if (!inner)
        return out;
    out.opens = true;
    if (!is_stream(kind)) {
        if (!(*inner)->trailing())
            out.unpacked = (*inner)->size();
        return out;
    }
    std::vector<std::byte> part(save::step);
    std::uint64_t made = 0;
    for (;;) {
        const auto got = (*inner)->read(part);
        if (!got && is_fault_of_machine(got.error()))
            return std::unexpected(got.error());
        if (!got) {
            out.opens = made || kind != Wrapping::zlib;  // whose magic is too weak
            return out;
        }
        if (*got == 0) {
            if (!(*inner)->trailing())
                out.unpacked = made;
            return out;
        }
        made += *got;
    }
}

/// The number's form, if it is one of the sizes.
std::optional<SizeForm> form_of(ByteView bytes, SizeForm form, std::uint64_t packed,
                                const Measured& inside) {
    const std::uint64_t number = number_at(bytes, form);
    form.unpacked = number == inside.unpacked || number == inside.other;
    return form.unpacked || number == packed ? std::optional(form) : std::nullopt;
}

/// The form of the first number in `head`, if each number in it is one of the sizes.
std::optional<SizeForm> form_of_all(ByteView head, SizeForm form, std::uint64_t packed,
                                    const Measured& inside) {
    std::optional<SizeForm> first;
    for (std::size_t at = 0; at < head.size(); at += form.width) {
        const auto one = form_of(head.subspan(at), form, packed, inside);
        if (!one)
            return std::nullopt;
        first = first.value_or(*one);
    }
    return first;
}

/// The forms of numbers that fill so many bytes.
std::vector<SizeForm> forms_of(std::size_t bytes) {
    std::vector<SizeForm> out;
    for (const std::uint8_t width : widths)
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
            if (bytes % width == 0 && bytes / width <= most_numbers)
                out.push_back({width, order});
    return out;
}

/// The numbers that end where a container begins, after `before` bytes of `head`.
std::expected<std::optional<SizeForm>, FileError> find(Source& source, std::uint64_t skip,
                                                       ByteView head, std::size_t before,
                                                       std::uint64_t max_bytes) {
    const auto kind = head.size() < before ? std::nullopt : magic_of(head.subspan(before));
    if (!kind)
        return std::nullopt;
    const auto packed = save::size_from(source, skip + before);
    if (!packed)
        return std::unexpected(packed.error());
    const std::vector<SizeForm> forms = forms_of(before);
    std::uint64_t largest = 0;
    for (const SizeForm form : forms)
        for (std::size_t at = 0; at < before; at += form.width)
            largest = std::max(largest, number_at(head.subspan(at), form));
    const auto inside = *kind == Wrapping::gdec_4
                            ? measure_gdec(source, skip + before, *packed)
                            : measure(source, skip + before, *kind, std::min(largest, max_bytes));
    if (!inside)
        return std::unexpected(inside.error());
    for (const SizeForm form : forms)
        if (inside->opens)
            if (const auto found = form_of_all(head.first(before), form, *packed, *inside))
                return found;
    return std::nullopt;
}

InputKind input_kind_of(Wrapping container) noexcept {
    switch (container) {
        case Wrapping::gcpf:
            return InputKind::gcpf;
        case Wrapping::gzip:
            return InputKind::gzip;
        case Wrapping::zstd:
            return InputKind::zstd;
        case Wrapping::zlib:
            return InputKind::zlib;
        default:
            return InputKind::gdec;
    }
}

}  // namespace

std::optional<NumberInFront> number_in_front(ByteView start) noexcept {
    for (const std::uint8_t width : widths) {
        if (start.size() < most_numbers * width)
            break;
        const ByteView next = start.subspan(width);
        const auto container = magic_of(next);
        const bool two = number_at(next, {width}) && magic_of(next.subspan(width));
        if (!container && !two)
            continue;
        const std::uint64_t little = number_at(start, {width, ByteOrder::little});
        const std::uint64_t big = number_at(start, {width, ByteOrder::big});
        if (little)
            return NumberInFront{std::min(little, big),
                                 {width, little <= big ? ByteOrder::little : ByteOrder::big},
                                 container ? input_kind_of(*container) : InputKind::size};
    }
    return std::nullopt;
}

std::expected<std::optional<SizeForm>, FileError> find_size(Source& source, std::uint64_t skip,
                                                            std::uint64_t max_bytes) GDVAR_TRY {
    if (auto there = save::go_to(source, skip); !there)
        return std::unexpected(there.error());
    std::byte start[most_head + save::most_magic];
    const auto got = save::read_full(source, start);
    if (!got)
        return std::unexpected(got.error());
    const ByteView head = ByteView(start).first(*got);
    std::optional<SizeForm> out;
    for (const std::size_t before : {std::size_t{4}, std::size_t{8}, most_head}) {
        auto found = find(source, skip, head, before, max_bytes);
        if (!found)
            return found;
        if (out = *found; out)
            break;
    }
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    return out;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
