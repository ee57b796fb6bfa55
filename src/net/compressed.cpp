#include <array>
#include <limits>

#include "fields.hpp"
#include "gdvar/net/multiplayer.hpp"

namespace gdvar::net {
namespace {

constexpr unsigned type_bits = 0x3F, bool_bit = 0x80;

std::uint8_t wire_id(const Dialect& dialect, Type type) noexcept {
    return dialect.id_of[static_cast<std::size_t>(type)];
}

/// The engine's width for the number: 8, 16, 32 or 64 bits, as 0 to 3.
unsigned mode_of(std::int64_t v) noexcept {
    const auto fits = [v](auto as) {
        return v >= std::numeric_limits<decltype(as)>::min() &&
               v <= std::numeric_limits<decltype(as)>::max();
    };
    return fits(std::int8_t{}) ? 0 : fits(std::int16_t{}) ? 1 : fits(std::int32_t{}) ? 2 : 3;
}

std::expected<Decoded, Error> compressed_int(ByteView bytes, unsigned mode, bool strict) {
    const std::size_t size = 1 + (std::size_t{1} << mode);
    if (bytes.size() < size)
        return std::unexpected(Error{Errc::truncated, Type::integer, 0, size - bytes.size()});
    const std::byte* at = bytes.data() + 1;
    const std::int64_t v = mode == 0   ? detail::load<std::int8_t>(at)
                           : mode == 1 ? detail::load<std::int16_t>(at)
                           : mode == 2 ? detail::load<std::int32_t>(at)
                                       : detail::load<std::int64_t>(at);
    if (strict && mode != mode_of(v))
        return std::unexpected(Error{Errc::wide_number, Type::integer, 0, 0});
    return Decoded{Variant(v), size};
}

}  // namespace

namespace detail {

std::expected<Decoded, Error> decode_compressed_first(ByteView bytes, const DecodeOptions& options,
                                                      std::uint64_t& nodes_left) {
    if (bytes.empty())
        return std::unexpected(Error{Errc::truncated, Type::nil, 0, 1});
    const auto first = static_cast<unsigned>(bytes[0]);
    const unsigned id = first & type_bits, mode = first >> 6;
    if (id == wire_id(*options.dialect, Type::boolean)) {
        if (options.strict && mode & 1)
            return std::unexpected(Error{Errc::unknown_flags, Type::boolean, 0, 0});
        --nodes_left;
        return Decoded{Variant((first & bool_bit) != 0), 1};
    }
    if (id == wire_id(*options.dialect, Type::integer)) {
        --nodes_left;
        return compressed_int(bytes, mode, options.strict);
    }
    if (mode)
        return std::unexpected(Error{Errc::unknown_type, Type::nil, 0, 0});
    // Engines send a freed object as its header and nothing else.
    if (bytes.size() == 4 && detail::load<std::uint32_t>(bytes.data()) == id &&
        id == wire_id(*options.dialect, Type::object))
        return Decoded{Variant(Object()), 4};
    return decode_first(bytes, options, nodes_left);
}

}  // namespace detail

std::expected<Decoded, Error> decode_compressed(ByteView bytes, const DecodeOptions& options) {
    std::uint64_t nodes_left = options.limits.max_nodes;
    if (bytes.size() > options.limits.max_bytes)
        return std::unexpected(Error{Errc::size_limit, Type::nil, 0, 0});
    if (nodes_left == 0)
        return std::unexpected(Error{Errc::node_limit, Type::nil, 0, 0});
    return detail::decode_compressed_first(bytes, options, nodes_left);
}

std::expected<std::size_t, Error> append_compressed(PackedByteArray& to, const Variant& value,
                                                    const EncodeOptions& options) {
    detail::FieldWriter out(to, options);
    const auto head = [&](Type type, unsigned mode) {
        out.number(static_cast<std::uint8_t>(wire_id(*options.dialect, type) | mode << 6));
    };
    if (const bool* flag = value.get_if<bool>()) {
        head(Type::boolean, *flag ? 2 : 0);
    } else if (const std::int64_t* number = value.get_if<std::int64_t>()) {
        const unsigned mode = mode_of(*number);
        head(Type::integer, mode);
        std::array<std::byte, 8> all;
        detail::store(all.data(), *number);
        out.put(ByteView(all).first(std::size_t{1} << mode));
    } else {
        out.outcome(encode_to(to, value, options));
    }
    if (auto done = out.finish(); !done)
        return std::unexpected(done.error());
    return out.size();
}

}  // namespace gdvar::net
