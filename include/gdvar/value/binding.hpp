// Decodes packets into structs and other C++ types and encodes these, without a tree between.
#pragma once

#include <new>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind.hpp"
#include "gdvar/value/bind_more.hpp"
#include "gdvar/value/bind_std.hpp"
#include "gdvar/value/bind_struct.hpp"
#include "gdvar/value/bind_variant.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/detail/borrows.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

inline constexpr std::uint32_t any_depth = 0xFFFF'FFFF;

/// T's own members may throw when memory runs out; a caller of decode_to gets no_memory.
template <class T>
bool read_catching(BindCursor& cursor, T& out) {
#if defined(__cpp_exceptions)
    try {
        return Bind<T>::read(cursor, out);
    } catch (const std::bad_alloc&) {
        return cursor.refuse(Errc::no_memory, Type::nil, cursor.offset());
    }
#else
    return Bind<T>::read(cursor, out);
#endif
}

}  // namespace detail

/// Reads one packet from the start of `bytes` into `out`; returns its size in bytes. T is an
/// aggregate (its members' names are the keys of a Dictionary), or described by `meta` or `Bind`,
/// or a number, text, math type, container, std::variant or Variant of such. Views in T
/// (std::string_view, PackedSpan, std::span) point into `bytes`. The memory of `out` is reused, its
/// content is not: a field without a key gets its default, so the result is that of `decode`
/// (except with MissingKeys::keep). Members that `meta` leaves out are not touched. After an error
/// `out` holds a part of the packet.
///
/// Numbers are never cut: number_out_of_range. Only T's own members allocate; their memory is
/// bounded by the packet's size times that of one element of T.
///
/// Errors: those of `read` (wire/reader.hpp) at the same offsets; wrong_type, number_out_of_range,
/// missing_key, unknown_key, repeated_key, length_out_of_range, unknown_name, refused, depth_limit,
/// node_limit (std::variants that make too much be read again), no_memory. Error::name is the field
/// of missing_key and of refusals by `meta`; `error_path(bytes, options, error)` gives the path.
template <class T>
[[nodiscard]] std::expected<std::size_t, Error> decode_to(
    T& out, ByteView bytes, const DecodeOptions& options = default_decode_options,
    const BindOptions& choices = default_bind_options) {
    BindCursor cursor(bytes, options, choices);
    if (!detail::read_catching(cursor, out)) {
        // A user's Bind may have refused without an error.
        if (cursor.ok())
            cursor.refuse(Errc::wrong_type, Type::nil, cursor.last_offset());
        return std::unexpected(cursor.error());
    }
    // Not copied: see `validate`.
    if (!options.strict)
        return cursor.finish();
    const auto size = cursor.finish();
    if (size)
        if (auto clash = check_keys(bytes.first(*size), options); !clash)
            return std::unexpected(clash.error());
    return size;
}

template <class T, OtherByteRange Bytes>
[[nodiscard]] std::expected<std::size_t, Error> decode_to(
    T& out, const Bytes& bytes, const DecodeOptions& options = default_decode_options,
    const BindOptions& choices = default_bind_options) {
    return decode_to(out, as_bytes(bytes), options, choices);
}
/// A T that points into the packet must not outlive the bytes, so the bytes can't be a temporary.
template <class T, ByteRange Bytes>
    requires(!std::is_lvalue_reference_v<Bytes>) && (!std::ranges::enable_borrowed_range<Bytes>) &&
                (detail::borrows<T>())
void decode_to(T& out, Bytes&& bytes, const DecodeOptions& options = default_decode_options,
               const BindOptions& choices = default_bind_options) = delete;

/// The same into a new T.
template <class T>
[[nodiscard]] std::expected<T, Error> decode(ByteView bytes,
                                             const DecodeOptions& options = default_decode_options,
                                             const BindOptions& choices = default_bind_options) {
    static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);
    std::expected<T, Error> out;
    const auto size = decode_to(*out, bytes, options, choices);
    if (!size)
        out = std::unexpected(size.error());
    return out;
}

template <class T, OtherByteRange Bytes>
[[nodiscard]] std::expected<T, Error> decode(const Bytes& bytes,
                                             const DecodeOptions& options = default_decode_options,
                                             const BindOptions& choices = default_bind_options) {
    return decode<T>(as_bytes(bytes), options, choices);
}
template <class T, ByteRange Bytes>
    requires(!std::is_lvalue_reference_v<Bytes>) && (!std::ranges::enable_borrowed_range<Bytes>) &&
                (detail::borrows<T>())
void decode(Bytes&& bytes, const DecodeOptions& options = default_decode_options,
            const BindOptions& choices = default_bind_options) = delete;

namespace detail {

/// A value to be written, without its type.
struct AnyValue {
    const void* object;
    Errc (*write)(AnyWriter& sink, const void* object);
};
template <class T>
AnyValue any_value(const T& value) noexcept {
    return {&value, [](AnyWriter& sink, const void* object) {
                return write_value<Style::packed>(sink, *static_cast<const T*>(object));
            }};
}
/// The size of the packet, or the reason why there is none.
[[nodiscard]] std::expected<std::size_t, Error> count_bound(const AnyValue& value,
                                                            const EncodeOptions& options);
/// The error with which an Encoder refused the value, with its reason.
Error explained(const Error& error, const AnyValue& value, const EncodeOptions& options);
[[nodiscard]] std::expected<Variant, Error> variant_of(const AnyValue& value,
                                                       const Dialect& dialect);
std::string refused_path(const AnyValue& value, const EncodeOptions& options, const Error& error);

template <Output To, class T>
[[nodiscard]] std::expected<std::size_t, Error> encode_bound(To& output, const T& value,
                                                             const EncodeOptions& options) {
    Encoder<To> encoder(output, options);
    const Errc code = write_value<Style::packed>(encoder, value);
    if (code == Errc::ok)
        return output.size();
    return std::unexpected(
        explained(encoder.refusal(code, output.size()), any_value(value), options));
}

}  // namespace detail

/// Appends the value's packet to `to`, which keeps its memory from call to call; returns the
/// packet's size. After an error `to` is unchanged. Errors: those of `encode` for a Variant;
/// number_out_of_range (unsigned over INT64_MAX, or over a field's range), length_out_of_range,
/// unknown_name (an enumerator that `meta` does not list), refused (by a struct's `check`).
template <class T>
    requires(!std::same_as<T, Variant>)
[[nodiscard]] std::expected<std::size_t, Error> encode_to(
    PackedByteArray& to, const T& value, const EncodeOptions& options = default_encode_options) {
    const std::size_t before = to.size();
    std::expected<std::size_t, Error> size;
    {
        BufferOutput output(to);
        const std::pair what{detail::any_value(value), &options};
        output.expect(
            [](const void* of) {
                const auto& [v, o] =
                    *static_cast<const std::pair<detail::AnyValue, const EncodeOptions*>*>(of);
                return detail::count_bound(v, *o).value_or(0);
            },
            &what);
        size = detail::encode_bound(output, value, options);
    }
    if (!size)
        to.set_size(before);
    return size;
}
/// Fills `to` from its start. Errors: as above, and buffer_full with the least number of missing
/// bytes; `to` then holds a part of the packet.
template <class T>
    requires(!std::same_as<T, Variant>)
[[nodiscard]] std::expected<std::size_t, Error> encode_to(
    std::span<std::byte> to, const T& value,
    const EncodeOptions& options = default_encode_options) {
    SpanOutput output(to);
    return detail::encode_bound(output, value, options);
}
/// The value's packet.
template <class T>
    requires(!std::same_as<T, Variant>)
[[nodiscard]] std::expected<PackedByteArray, Error> encode(
    const T& value, const EncodeOptions& options = default_encode_options) {
    PackedByteArray out;
    const auto size = encode_to(out, value, options);
    if (!size)
        return std::unexpected(size.error());
    detail::give_back(out);
    return out;
}
/// The size of the packet: encodes without storing.
template <class T>
    requires(!std::same_as<T, Variant>)
[[nodiscard]] std::expected<std::size_t, Error> encoded_size(
    const T& value, const EncodeOptions& options = default_encode_options) {
    ScratchOutput output;
    return detail::encode_bound(output, value, options);
}

/// Makes a Variant from a C++ value: the same one that encoding and decoding would give, without a
/// packet between. `dialect` decides on packed arrays and element types. Errors: those with which
/// `encode_to` refuses a T (ranges, lengths, names), with the offsets that they would have there.
/// Types that the dialect lacks, and text that is not UTF-8, are refused when the Variant is
/// encoded. `error_path(value, options, error)` gives the path if the options have the same
/// dialect.
template <class T>
    requires(!std::same_as<T, Variant>)
[[nodiscard]] std::expected<Variant, Error> to_variant(
    const T& value, const Dialect& dialect = dialects::godot_4_4) {
    return detail::variant_of(detail::any_value(value), dialect);
}

/// The path of the value that encoding refused with `error`, cut in the middle if it is long. For a
/// byte range `error_path(bytes, {}, error)` means a packet: name the EncodeOptions to have it
/// taken as a value.
template <class T>
    requires(!std::same_as<T, Variant> && !ByteRange<T>)
std::string error_path(const T& value, const EncodeOptions& options, const Error& error) {
    return detail::refused_path(detail::any_value(value), options, error);
}
template <ByteRange T, std::same_as<EncodeOptions> Options>
std::string error_path(const T& value, const Options& options, const Error& error) {
    return detail::refused_path(detail::any_value(value), options, error);
}

namespace detail {

/// The options by which Variant::get writes its packet and reads it back.
inline const EncodeOptions through_packet{
    .dialect = &every_type, .allow_objects = true, .max_depth = any_depth};

template <class T>
struct BoundGet {
    static_assert(std::is_default_constructible_v<T>, GDVAR_NEEDS_DEFAULT);

    [[nodiscard]] static std::expected<T, Error> get(const View& from) {
        DecodeOptions options = from.options();
        options.strict = false;  // the whole packet was checked before
        auto out = decode<T>(from.raw(), options);
        if (!out)
            out.error().offset += from.offset();
        return out;
    }
    [[nodiscard]] static std::expected<T, Error> get(const Variant& from) {
        static_assert(!borrows<T>(),
                      "gdvar: a Variant can't lend the bytes that this type points to; use "
                      "std::string for std::string_view, std::vector for a span");
        auto packet = encode(from, through_packet);
        if (!packet)
            return std::unexpected(packet.error());
        return decode<T>(as_bytes(*packet), reading_back());
    }
    static DecodeOptions reading_back() noexcept {
        return {.dialect = &every_type, .limits = {.max_depth = any_depth}, .allow_objects = true};
    }
};

}  // namespace detail

/// The path of the value at which `variant.get<T>()` failed with `error`.
inline std::string error_path(const Variant& variant, const Error& error) {
    const auto packet = encode(variant, detail::through_packet);
    return packet ? error_path(as_bytes(*packet), detail::BoundGet<Variant>::reading_back(), error)
                  : error_path(variant, detail::through_packet, packet.error());
}

}  // namespace gdvar
