// Bind for math types, packed arrays, Variant and the types that a Variant holds.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind.hpp"

namespace gdvar GDVAR_EXPORT {

// ---- math types and packed arrays

template <MathType T>
struct Bind<T> : detail::BindOne<MathTraits<T>::type> {
    static constexpr std::size_t most_bytes = 4 + 8 * type_info(MathTraits<T>::type).components;
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, T& out) {
        return fast.math(out);
    }
    static bool read(BindCursor& c, T& out) { return c.math(out); }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return sink.math(MathView{MathTraits<T>::type, MathTraits<T>::wide, true,
                                  reinterpret_cast<const std::byte*>(&value)});
    }
};

namespace detail {
template <PackedElement T, class Sink>
Errc write_packed(Sink& sink, const T* data, std::size_t size) {
    if (size > 0x7FFF'FFFFu)
        return refused_size(sink, PackedTraits<T>::type, size);
    return sink.packed(PackedView{PackedTraits<T>::type, PackedTraits<T>::wide, true,
                                  static_cast<std::uint32_t>(size),
                                  reinterpret_cast<const std::byte*>(data)});
}
/// The type of T's components; a number is its own component.
template <class T>
struct ComponentOf {
    using type = T;
};
template <MathType T>
struct ComponentOf<T> {
    using type = typename MathTraits<T>::Component;
};
/// Converts the elements of `from`, the packed array read last, into `to`, which has space for all.
/// False after a refusal.
template <class T>
bool convert_packed(BindCursor& c, const PackedView& from, T* to) {
    if constexpr (PackedElement<T>) {
        if (from.type == PackedTraits<T>::type && from.wide == PackedTraits<T>::wide) {
            PackedSpan<T>(from).copy_to(to);
            return true;
        }
    }
    return to_numbers(from, c.rounds(), to, [&](auto refused) {
        c.refuse_number<typename ComponentOf<T>::type>(refused, from.type);
    });
}
}  // namespace detail

/// Reads a packed array of this element type, of either width, and keeps a copy; writes one of T's
/// width (wire-format 2.5).
template <PackedElement T>
struct Bind<PackedArray<T>> : detail::BindOne<PackedTraits<T>::type> {
    static bool read(BindCursor& c, PackedArray<T>& out) {
        const PackedView from = c.packed_view(PackedTraits<T>::type);
        if (!c.ok())
            return false;
        out.clear();
        if (from.count == 0)
            return true;
        if (!out.try_reserve(from.count))
            return c.refuse(Errc::no_memory, PackedTraits<T>::type, c.last_offset());
        out.set_size(from.count);
        return detail::convert_packed(c, from, out.data());
    }
    template <class Sink>
    static Errc write(Sink& sink, const PackedArray<T>& value) {
        return detail::write_packed<T>(sink, value.data(), value.size());
    }
};

/// The elements, borrowed from the packet.
template <PackedElement T>
struct Bind<PackedSpan<T>> : detail::BindOne<PackedTraits<T>::type> {
    static bool read(BindCursor& c, PackedSpan<T>& out) {
        out = c.packed<T>();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const PackedSpan<T>& value) {
        return sink.packed(value.view());
    }
};

/// The bytes of a PackedByteArray, borrowed from the packet.
template <class T>
    requires std::same_as<T, std::byte> || std::same_as<T, std::uint8_t>
struct Bind<std::span<const T>> : detail::BindOne<Type::packed_byte_array> {
    static bool read(BindCursor& c, std::span<const T>& out) {
        const ByteView bytes = c.packed<std::uint8_t>().bytes();
        out = {reinterpret_cast<const T*>(bytes.data()), bytes.size()};
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, std::span<const T> value) {
        return detail::write_packed(sink, reinterpret_cast<const std::uint8_t*>(value.data()),
                                    value.size());
    }
};

/// Names and subnames, borrowed from the packet.
template <>
struct Bind<NodePathView> : detail::BindOne<Type::node_path> {
    static bool read(BindCursor& c, NodePathView& out) {
        out = c.node_path();
        return c.ok();
    }
    template <class Sink>
    static Errc write(Sink& sink, const NodePathView& value) {
        return sink.node_path(value);
    }
};

// ---- Variant, and what a Variant holds

/// Reads and writes any value. The Variant owns all of it.
template <>
struct Bind<Variant> {
    static bool read(BindCursor& c, Variant& out) {
        VariantBuilder builder(out);
        return c.drive(builder);
    }
    template <class Sink>
    static Errc write(Sink& sink, const Variant& value) {
        return detail::Walker<Sink>(sink).run(value);
    }
};

namespace detail {
template <class T>
concept KeptInVariant = requires { VariantTraits<T>::type; } && !std::is_arithmetic_v<T> &&
                        !MathType<T> && !std::same_as<T, String> && !is_packed_array<T>;
}  // namespace detail

/// Array, Dictionary, Object, NodePath, RID, Signal, Callable, PackedStringArray, ...
template <detail::KeptInVariant T>
struct Bind<T> : detail::BindOne<detail::VariantTraits<T>::type> {
    /// Packed arrays of numbers, texts or math values are not converted to an Array here.
    static constexpr std::uint64_t accepts = detail::kept_types<T>;
    static bool read(BindCursor& c, T& out) {
        const std::size_t start = c.offset();
        Variant value;
        if (!Bind<Variant>::read(c, value))
            return false;
        T* held = value.get_if<T>();
        if (!held)
            return c.refuse(
                Error{Errc::wrong_type, value.type(), start}.about_types(Bind::accepts));
        out = std::move(*held);
        return true;
    }
    template <class Sink>
    static Errc write(Sink& sink, const T& value) {
        return Bind<Variant>::write(sink, Variant(value));
    }
};

}  // namespace gdvar
