// Reads and writes the fields of multiplayer packets.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "gdvar/base/utf8.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::net::detail {

using namespace gdvar::detail;

/// Counts values as Limits::max_nodes does.
struct NodeCounter : NullSink {
    std::uint64_t nodes = 1;
    Errc begin_object(std::string_view, std::uint32_t n) { return add(n); }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t n) {
        return add(std::uint64_t{n} * 2);
    }
    Errc begin_array(Type, const ContainerType&, std::uint32_t n) { return add(n); }
    Errc begin_packed_strings(std::uint32_t) { return Errc::ok; }

private:
    Errc add(std::uint64_t n) {
        nodes += n;
        return Errc::ok;
    }
};

/// Like `decode`, with limits on several packets together: `nodes_left` is the number of values
/// still allowed, and is reduced.
inline std::expected<Decoded, Error> decode_counted(ByteView bytes, DecodeOptions options,
                                                    std::uint64_t& nodes_left) {
    const bool bounded = options.limits.max_nodes != UINT64_MAX;
    options.limits.max_nodes = nodes_left;
    Decoded out;
    auto value = decode(bytes, options, &out.size);
    if (!value)
        return std::unexpected(value.error());
    out.value = std::move(*value);
    if (!bounded)
        return out;
    NodeCounter counter;
    if (drive(out.value, counter) != Errc::ok)
        return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
    nodes_left -= std::min(nodes_left, counter.nodes);
    return out;
}

/// The same for a packet at the start of longer bytes.
inline std::expected<Decoded, Error> decode_first(ByteView bytes, const DecodeOptions& options,
                                                  std::uint64_t& nodes_left) {
    if (!options.strict)
        return decode_counted(bytes, options, nodes_left);
    // In strict reading the packet must take all bytes.
    DecodeOptions loose = options;
    loose.strict = false;
    loose.limits.max_nodes = nodes_left;
    auto size = validate(bytes, loose);
    if (!size)
        return std::unexpected(size.error());
    return decode_counted(bytes.first(std::min(*size, bytes.size())), options, nodes_left);
}

/// The same for a compressed value.
std::expected<Decoded, Error> decode_compressed_first(ByteView bytes, const DecodeOptions& options,
                                                      std::uint64_t& nodes_left);

/// A cursor with a sticky error.
class FieldReader {
public:
    FieldReader(ByteView bytes, const DecodeOptions& options) noexcept
        : bytes_(bytes), options_(options), values_left_(options.limits.max_nodes) {
        if (bytes.size() > options.limits.max_bytes)
            fail(Errc::size_limit);
    }
    bool good() const noexcept { return error_.code == Errc::ok; }
    const Error& error() const noexcept { return error_; }
    std::size_t left() const noexcept { return end() - at_; }
    std::size_t at() const noexcept { return at_; }
    ByteView rest() noexcept {
        const ByteView all = bytes_.subspan(at_, left());
        at_ = end();
        return all;
    }
    void fail(Errc code, std::uint64_t need = 0) noexcept { fail_as({code, Type::nil, at_, need}); }
    void fail_as(const Error& error) noexcept {
        if (good())
            error_ = error;
        if (closed_ && error_.code == Errc::truncated)
            error_ = {Errc::bad_packet, error_.type, error_.offset, 0};
        at_ = end();
    }
    /// The number of values that the limits still allow.
    std::uint64_t values_left() const noexcept { return values_left_; }
    void values_left(std::uint64_t n) noexcept { values_left_ = n; }

    template <class T>
    T number() noexcept {
        if (left() < sizeof(T)) {
            fail(Errc::truncated, sizeof(T) - left());
            return 0;
        }
        const T value = load<T>(bytes_.data() + at_);
        at_ += sizeof(T);
        return value;
    }
    std::uint32_t number_of(unsigned width) noexcept {
        return width == 1   ? number<std::uint8_t>()
               : width == 2 ? number<std::uint16_t>()
                            : number<std::uint32_t>();
    }
    ByteView take(std::size_t n) noexcept {
        if (left() < n) {
            fail(Errc::truncated, n - left());
            return {};
        }
        at_ += n;
        return bytes_.subspan(at_ - n, n);
    }
    /// UTF-8 up to a NUL, which is skipped.
    String text() {
        const ByteView there = bytes_.subspan(at_, left());
        const void* nul = there.empty() ? nullptr : std::memchr(there.data(), 0, there.size());
        if (!nul) {
            fail(Errc::truncated, 1);
            return {};
        }
        const auto size =
            static_cast<std::size_t>(static_cast<const std::byte*>(nul) - there.data());
        const std::string_view found = as_text(there.data(), size);
        if (!valid_text(found, Utf8Rule::strict)) {
            fail(Errc::bad_utf8);
            return {};
        }
        at_ += size + 1;
        return String(found);
    }
    /// The text from `at`, not before the cursor, to the end; later reads end before it.
    String text_at_end(std::size_t at) {
        FieldReader tail(bytes_.subspan(at), options_);
        String out = tail.text();
        if (tail.good() && tail.left())
            tail.fail(Errc::bad_packet);
        if (!tail.good()) {
            Error error = tail.error();
            error.offset += at;
            fail_as(error);
            return out;
        }
        bytes_ = bytes_.first(at);
        close();
        return out;
    }
    /// Other fields follow the bytes: an early end here is final, however much arrives.
    void close() noexcept { closed_ = true; }
    /// One value, by `read` of the packets' kind; like decode_first. Values count together, nested
    /// ones included.
    template <class Read>
    Variant value(Read&& read) {
        if (!good())
            return {};
        if (values_left_ == 0) {
            fail(Errc::node_limit);
            return {};
        }
        std::expected<Decoded, Error> there =
            read(bytes_.subspan(at_, left()), options_, values_left_);
        if (!there) {
            Error error = there.error();
            error.offset += at_;
            fail_as(error);
            return {};
        }
        at_ += std::min(there->size, left());
        return std::move(there->value);
    }
    const DecodeOptions& options() const noexcept { return options_; }

private:
    std::size_t end() const noexcept { return bytes_.size(); }
    ByteView bytes_;
    const DecodeOptions& options_;
    std::uint64_t values_left_;
    std::size_t at_ = 0;
    bool closed_ = false;
    Error error_;
};

/// The result of `read`, whose fields must be the whole packet.
template <class Read>
std::expected<std::invoke_result_t<Read, FieldReader&>, Error> decode_whole(
    ByteView packet, const DecodeOptions& options, Read&& read) try {
    FieldReader in(packet, options);
    auto out = read(in);
    if (in.good() && in.left())
        in.fail(Errc::trailing_bytes);
    if (!in.good())
        return std::unexpected(in.error());
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

/// Appends fields; the first failure sticks.
class FieldWriter {
public:
    FieldWriter(PackedByteArray& to, const EncodeOptions& options) noexcept
        : to_(to), options_(options), before_(to.size()) {}
    template <class T>
    void number(T value) noexcept {
        std::byte bytes[sizeof(T)];
        store(bytes, value);
        put(bytes);
    }
    void number_of(unsigned width, std::uint32_t value) noexcept {
        if (width < 4 && value >> (8 * width))
            return fail(Errc::number_out_of_range);
        if (width == 1)
            number(static_cast<std::uint8_t>(value));
        if (width == 2)
            number(static_cast<std::uint16_t>(value));
        if (width == 4)
            number(value);
    }
    void put(ByteView bytes) noexcept {
        if (good() && !try_append(to_, bytes))
            fail(Errc::no_memory);
    }
    /// With its final NUL; a NUL inside can't be sent.
    void text(std::string_view text) noexcept {
        if (text.find('\0') != text.npos || !valid_text(text, Utf8Rule::strict))
            return fail(Errc::bad_utf8);
        put(as_bytes(text));
        number(std::uint8_t{0});
    }
    void outcome(const std::expected<std::size_t, Error>& done) noexcept {
        if (!done && good())
            error_ = done.error();
    }
    void fail(Errc code) noexcept {
        if (good())
            error_ = {code, Type::nil, to_.size() - before_, 0};
    }
    bool good() const noexcept { return error_.code == Errc::ok; }
    std::size_t size() const noexcept { return to_.size() - before_; }
    /// Sets the word at `at` to a size or place, plus `flag`: too_large if it can't hold both.
    void patch(std::size_t at, std::size_t number, std::uint32_t flag = 0) noexcept {
        if (number > (flag ? flag - 1 : UINT32_MAX))
            fail(Errc::too_large);
        if (good())
            store(reinterpret_cast<std::byte*>(to_.data() + before_ + at),
                  static_cast<std::uint32_t>(number) | flag);
    }
    PackedByteArray& bytes() noexcept { return to_; }
    const EncodeOptions& options() const noexcept { return options_; }
    /// Undoes everything after an error.
    std::expected<void, Error> finish() noexcept {
        if (good())
            return {};
        to_.set_size(before_);
        return std::unexpected(error_);
    }

private:
    PackedByteArray& to_;
    const EncodeOptions& options_;
    std::size_t before_;
    Error error_;
};

}  // namespace gdvar::net::detail
