#include "gdvar/value/codec.hpp"

#include <utility>

#include "gdvar/value/builder.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/reader.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {
namespace {

template <Output To>
std::expected<std::size_t, Error> encode_into(To& output, const Variant& value,
                                              const EncodeOptions& options) {
    Encoder<To> encoder(output, options);
    const Errc code = drive(value, encoder);
    if (code == Errc::ok)
        return output.size();
    return std::unexpected(encoder.refusal(code, output.size()));
}

std::unexpected<Error> moved(Error error, std::size_t by) {
    error.offset += by;
    return std::unexpected(error);
}

}  // namespace

std::expected<Variant, Error> decode(ByteView bytes, const DecodeOptions& options,
                                     std::size_t* size) {
    Variant value;
    VariantBuilder builder(value);
    auto consumed = read(bytes, options, builder);
    if (!consumed)
        return std::unexpected(consumed.error());
    if (options.strict)
        if (auto clash = check_keys(bytes.first(*consumed), options); !clash)
            return std::unexpected(clash.error());
    if (size)
        *size = *consumed;
    return value;
}

std::expected<std::size_t, Error> encode_to(PackedByteArray& to, const Variant& value,
                                            const EncodeOptions& options) {
    const std::size_t before = to.size();
    auto size = [&] {
        BufferOutput output(to);
        const std::pair what{&value, &options};
        output.expect(
            [](const void* of) {
                const auto& [v, o] =
                    *static_cast<const std::pair<const Variant*, const EncodeOptions*>*>(of);
                return encoded_size(*v, *o).value_or(0);
            },
            &what);
        return encode_into(output, value, options);
    }();
    if (!size)
        to.set_size(before);
    return size;
}

std::expected<std::size_t, Error> encode_to(std::span<std::byte> to, const Variant& value,
                                            const EncodeOptions& options) {
    SpanOutput output(to);
    return encode_into(output, value, options);
}

std::expected<std::size_t, Error> encoded_size(const Variant& value, const EncodeOptions& options) {
    ScratchOutput output;
    return encode_into(output, value, options);
}

std::expected<PackedByteArray, Error> encode(const Variant& value, const EncodeOptions& options) {
    PackedByteArray out;
    if (auto size = encode_to(out, value, options); !size)
        return std::unexpected(size.error());
    detail::give_back(out);
    return out;
}

std::string error_path(const Variant& value, const EncodeOptions& options, const Error&) {
    CountOutput output;
    Encoder<CountOutput> encoder(output, options);
    PathTracker<Encoder<CountOutput>> tracker(encoder);
    (void)drive(value, tracker);
    return shortened_path(tracker.current_path(), most_error_path);
}

// ---- Godot's own names --------------------------------------------------------------------------

std::expected<PackedByteArray, Error> var_to_bytes(const Variant& value, const Dialect& dialect) {
    return encode(value, {.dialect = &dialect});
}
std::expected<PackedByteArray, Error> var_to_bytes_with_objects(const Variant& value,
                                                                const Dialect& dialect) {
    return encode(value, {.dialect = &dialect, .allow_objects = true});
}
std::expected<Variant, Error> bytes_to_var(ByteView bytes, const Dialect& dialect) {
    return decode(bytes, {.dialect = &dialect});
}
std::expected<Variant, Error> bytes_to_var_with_objects(ByteView bytes, const Dialect& dialect) {
    return decode(bytes, {.dialect = &dialect, .allow_objects = true});
}

std::expected<std::size_t, Error> encode_var(PackedByteArray& buffer, std::size_t offset,
                                             const Variant& value, bool allow_objects,
                                             const Dialect& dialect) {
    const EncodeOptions options{.dialect = &dialect, .allow_objects = allow_objects};
    auto size = encoded_size(value, options);
    if (!size)
        return size;
    const std::size_t room = offset < buffer.size() ? buffer.size() - offset : 0;
    if (*size > room)
        return std::unexpected(Error{Errc::buffer_full, Type::nil, 0, *size - room});
    auto* at = reinterpret_cast<std::byte*>(buffer.data() + offset);
    return encode_to(std::span(at, *size), value, options);
}

std::expected<Variant, Error> decode_var(ByteView buffer, std::size_t offset, bool allow_objects,
                                         const Dialect& dialect) {
    const std::size_t start = std::min(offset, buffer.size());
    auto value =
        decode(buffer.subspan(start), {.dialect = &dialect, .allow_objects = allow_objects});
    if (!value)
        return moved(value.error(), start);
    return value;
}

std::expected<std::size_t, Error> decode_var_size(ByteView buffer, std::size_t offset,
                                                  bool allow_objects, const Dialect& dialect) {
    const std::size_t start = std::min(offset, buffer.size());
    auto size =
        validate(buffer.subspan(start), {.dialect = &dialect, .allow_objects = allow_objects});
    if (!size)
        return moved(size.error(), start);
    return *size + detail::padding_of(*size);
}

}  // namespace gdvar
