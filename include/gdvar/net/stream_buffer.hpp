// StreamWriter and StreamReader: Godot's StreamPeer.put_8 ... put_var and the corresponding get_
// functions. No sockets here. Rules: wire-format 4.1.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/net/framer.hpp"

namespace gdvar GDVAR_EXPORT {
namespace net {

/// Appends the output of StreamPeer's `put_` functions. `big_endian` is ByteOrder::big: it reverses
/// numbers and lengths, never the packets themselves. After an error `to` is unchanged. Errors of
/// all: no_memory.
class StreamWriter {
public:
    /// `to` is borrowed.
    explicit StreamWriter(PackedByteArray& to, ByteOrder order = ByteOrder::little) noexcept
        : to_(to), order_(order) {}
    void set_order(ByteOrder order) noexcept { order_ = order; }

    [[nodiscard]] std::expected<void, Error> put_8(std::int8_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_u8(std::uint8_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_16(std::int16_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_u16(std::uint16_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_32(std::int32_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_u32(std::uint32_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_64(std::int64_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_u64(std::uint64_t value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_float(float value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_double(double value) noexcept {
        return number(value);
    }
    [[nodiscard]] std::expected<void, Error> put_data(ByteView bytes) noexcept;
    /// u32 length and the characters. Also: bad_utf8 when they are not ASCII, too_large.
    [[nodiscard]] std::expected<void, Error> put_string(std::string_view text) noexcept;
    /// u32 length and UTF-8. Also: bad_utf8, too_large.
    [[nodiscard]] std::expected<void, Error> put_utf8_string(std::string_view text) noexcept;
    /// u32 length and packet of a Variant, a View or, with gdvar/value/binding.hpp included, any
    /// other type that `encode` takes: a struct. Also: those of `encode`.
    template <class T = Variant>
    [[nodiscard]] std::expected<void, Error> put_var(
        const T& value, const EncodeOptions& options = default_encode_options) {
        return append_var_frame(to_, value, options, order_);
    }

private:
    template <class T>
    [[nodiscard]] std::expected<void, Error> number(T value) noexcept {
        std::byte bytes[sizeof(T)];
        gdvar::detail::store(bytes,
                             order_ == ByteOrder::big ? gdvar::detail::byteswap(value) : value);
        return put_data(bytes);
    }

    PackedByteArray& to_;
    ByteOrder order_;
};

/// Takes the input of StreamPeer's `get_` functions from the bytes that have arrived. Where Godot
/// would wait, it returns truncated with `need`, and takes nothing: call again after more has
/// arrived. Errors of all: truncated. Their offset counts from the queue's first byte.
class StreamReader {
public:
    /// `from` is borrowed. `max_bytes` bounds the lengths of strings, data and packets.
    explicit StreamReader(ByteQueue& from, ByteOrder order = ByteOrder::little,
                          std::uint64_t max_bytes = Limits::network().max_bytes) noexcept
        : from_(from), order_(order), max_bytes_(max_bytes) {}
    void set_order(ByteOrder order) noexcept { order_ = order; }
    std::size_t available_bytes() const noexcept { return from_.size(); }

    [[nodiscard]] std::expected<std::int8_t, Error> get_8() noexcept {
        return number<std::int8_t>();
    }
    [[nodiscard]] std::expected<std::uint8_t, Error> get_u8() noexcept {
        return number<std::uint8_t>();
    }
    [[nodiscard]] std::expected<std::int16_t, Error> get_16() noexcept {
        return number<std::int16_t>();
    }
    [[nodiscard]] std::expected<std::uint16_t, Error> get_u16() noexcept {
        return number<std::uint16_t>();
    }
    [[nodiscard]] std::expected<std::int32_t, Error> get_32() noexcept {
        return number<std::int32_t>();
    }
    [[nodiscard]] std::expected<std::uint32_t, Error> get_u32() noexcept {
        return number<std::uint32_t>();
    }
    [[nodiscard]] std::expected<std::int64_t, Error> get_64() noexcept {
        return number<std::int64_t>();
    }
    [[nodiscard]] std::expected<std::uint64_t, Error> get_u64() noexcept {
        return number<std::uint64_t>();
    }
    [[nodiscard]] std::expected<float, Error> get_float() noexcept { return number<float>(); }
    [[nodiscard]] std::expected<double, Error> get_double() noexcept { return number<double>(); }
    /// Exactly `n` bytes. Also: size_limit, no_memory.
    [[nodiscard]] std::expected<PackedByteArray, Error> get_data(std::size_t n) noexcept;
    /// The text of `put_string`; bytes over 127 are taken as Latin-1. Also: bad_length, size_limit,
    /// no_memory.
    [[nodiscard]] std::expected<std::string, Error> get_string();
    /// The text of `put_utf8_string`. Also: bad_length, size_limit, bad_utf8, no_memory.
    [[nodiscard]] std::expected<std::string, Error> get_utf8_string();
    /// The value of `put_var`; surplus bytes inside the announced length are skipped, as in the
    /// engine. Also: bad_length, size_limit, those of `decode` (the packet is taken nevertheless).
    [[nodiscard]] std::expected<Variant, Error> get_var(const DecodeOptions& options = {
                                                            .limits = Limits::network()});

private:
    template <class T>
    [[nodiscard]] std::expected<T, Error> number() noexcept {
        const ByteView there = from_.view();
        if (there.size() < sizeof(T))
            return std::unexpected(Error{Errc::truncated, Type::nil, 0, sizeof(T) - there.size()});
        const T value = gdvar::detail::load<T>(there.data());
        from_.take(sizeof(T));
        return order_ == ByteOrder::big ? gdvar::detail::byteswap(value) : value;
    }
    [[nodiscard]] std::expected<Frame, Error> frame() const noexcept;

    ByteQueue& from_;
    ByteOrder order_;
    std::uint64_t max_bytes_;
};

}  // namespace net
}  // namespace gdvar
