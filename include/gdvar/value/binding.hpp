// Structs and other C++ types in and out of packets, without a tree between.
// Room: value.
#pragma once

#include <new>

#include "gdvar/value/bind.hpp"
#include "gdvar/value/bind_std.hpp"
#include "gdvar/value/bind_struct.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {

namespace detail {

/// T's own members may throw when memory can't be had; a caller of decode_to gets no_memory.
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

/// Reads one packet from the start of `bytes` into `out`; returns how many bytes it took. T is an
/// aggregate (its members' names are the keys of a Dictionary), or what `meta` or `Bind` say of it,
/// or a number, text, math type, container, std::variant or Variant of such. Views in T
/// (std::string_view, PackedSpan, std::span) point into `bytes`. What `out` holds is reused:
/// vectors and strings keep their memory, and fields that `meta` calls optional their values: in
/// `out` and in structs that are its members, not in elements of containers, which start anew.
/// After an error `out` holds a part of the packet.
///
/// Numbers are never cut: number_out_of_range. Nothing is allocated but by T's own members, whose
/// memory is bounded by the packet's size times what one element of T takes.
///
/// Errors: those of `read` (wire/reader.hpp) at the same offsets; wrong_type, number_out_of_range,
/// missing_key, unknown_key, repeated_key, length_out_of_range, unknown_name, depth_limit,
/// node_limit (std::variants that make too much be read again), no_memory. Error::name is the field
/// of missing_key and of what `meta` refuses; `error_path(bytes, options, error)` gives the path.
template <class T>
std::expected<std::size_t, Error> decode_to(T& out, ByteView bytes,
                                            const DecodeOptions& options = default_decode_options,
                                            const BindOptions& choices = default_bind_options) {
    BindCursor cursor(bytes, options, choices);
    if (!detail::read_catching(cursor, out)) {
        // A Bind of one's own may have refused without saying why.
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

/// The same into a new T.
template <class T>
std::expected<T, Error> decode(ByteView bytes,
                               const DecodeOptions& options = default_decode_options,
                               const BindOptions& choices = default_bind_options) {
    std::expected<T, Error> out;
    const auto size = decode_to(*out, bytes, options, choices);
    if (!size)
        out = std::unexpected(size.error());
    return out;
}

namespace detail {

template <class Output, class T>
std::expected<std::size_t, Error> encode_bound(Output& output, const T& value,
                                               const EncodeOptions& options) {
    Encoder<Output> encoder(output, options);
    const Errc code = write_value<Style::packed>(encoder, value);
    if (code == Errc::ok)
        return output.size();
    return std::unexpected(
        Error{code, Type::nil, output.size(), code == Errc::buffer_full ? output.need() : 0});
}

}  // namespace detail

/// Appends the value's packet to `to`, which keeps its memory from call to call; returns the
/// packet's size. After an error `to` is as it was.
/// Errors: those of `encode` for a Variant; number_out_of_range (unsigned over INT64_MAX, or over a
/// field's range), length_out_of_range, unknown_name (an enumerator that `meta` does not list).
template <class T>
requires(!std::same_as<T, Variant>) std::expected<std::size_t, Error> encode_to(
    PackedByteArray& to, const T& value, const EncodeOptions& options = default_encode_options) {
    const std::size_t before = to.size();
    std::expected<std::size_t, Error> size;
    {
        BufferOutput output(to);
        const std::pair what{&value, &options};
        output.expect(
            [](const void* of) {
                const auto& [v, o] =
                    *static_cast<const std::pair<const T*, const EncodeOptions*>*>(of);
                CountOutput count;
                return detail::encode_bound(count, *v, *o).value_or(0);
            },
            &what);
        size = detail::encode_bound(output, value, options);
    }
    if (!size)
        to.set_size(before);
    return size;
}
/// Fills `to` from its start. Errors: as above, and buffer_full with the bytes that it lacks at
/// least; `to` then holds a part of the packet.
template <class T>
requires(!std::same_as<T, Variant>) std::expected<std::size_t, Error> encode_to(
    std::span<std::byte> to, const T& value,
    const EncodeOptions& options = default_encode_options) {
    SpanOutput output(to);
    return detail::encode_bound(output, value, options);
}
/// The value's packet.
template <class T>
requires(!std::same_as<T, Variant>) std::expected<PackedByteArray, Error> encode(
    const T& value, const EncodeOptions& options = default_encode_options) {
    PackedByteArray out;
    const auto size = encode_to(out, value, options);
    if (!size)
        return std::unexpected(size.error());
    detail::give_back(out);
    return out;
}
/// How many bytes the packet will have: the same walk, of which nothing is kept.
template <class T>
requires(!std::same_as<T, Variant>) std::expected<std::size_t, Error> encoded_size(
    const T& value, const EncodeOptions& options = default_encode_options) {
    ScratchOutput output;
    return detail::encode_bound(output, value, options);
}

/// The path of what encoding refused with `error`.
template <class T>
requires(!std::same_as<T, Variant>) std::string
    error_path(const T& value, const EncodeOptions& options, const Error& error) {
    PackedByteArray out;
    BufferOutput output(out);
    (void)detail::encode_bound(output, value, options);
    DecodeOptions reading;
    reading.dialect = options.dialect;
    reading.allow_objects = true;
    reading.real_width = options.real_width;
    const std::size_t at = std::min<std::size_t>(output.size(), error.offset);
    return detail::path_of_next(output.written().first(at), reading);
}

}  // namespace gdvar
