#include "gdvar/net/stream_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "gdvar/base/utf8.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::net {
namespace {

std::unexpected<Error> refuse(Errc code, std::uint64_t need = 0) {
    return std::unexpected(Error{code, Type::nil, 0, need});
}

bool is_ascii(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) > 127; });
}

}  // namespace

std::expected<void, Error> StreamWriter::put_data(ByteView bytes) noexcept {
    if (!detail::try_append(to_, bytes))
        return refuse(Errc::no_memory);
    return {};
}

std::expected<void, Error> StreamWriter::put_string(std::string_view text) noexcept {
    if (!is_ascii(text))
        return refuse(Errc::bad_utf8);
    return append_frame(to_, as_bytes(text), order_);
}

std::expected<void, Error> StreamWriter::put_utf8_string(std::string_view text) noexcept {
    if (!valid_text(text, Utf8Rule::strict))
        return refuse(Errc::bad_utf8);
    return append_frame(to_, as_bytes(text), order_);
}

std::expected<Frame, Error> StreamReader::frame() const noexcept {
    return read_frame(from_.view(), order_, max_bytes_);
}

std::expected<PackedByteArray, Error> StreamReader::get_data(std::size_t n) noexcept {
    if (n > max_bytes_)
        return refuse(Errc::size_limit);
    if (from_.size() < n)
        return refuse(Errc::truncated, n - from_.size());
    PackedByteArray out;
    if (!out.try_reserve(n))
        return refuse(Errc::no_memory);
    if (n)
        std::memcpy(out.data(), from_.view().data(), n);
    out.set_size(n);
    from_.take(n);
    return out;
}

std::expected<std::string, Error> StreamReader::get_string() try {
    auto there = frame();
    if (!there)
        return std::unexpected(there.error());
    std::string out;
    out.reserve(there->packet.size());
    for (const std::byte byte : there->packet) {
        const auto c = static_cast<unsigned char>(byte);
        if (c > 127) {
            out += static_cast<char>(0xC0 | c >> 6);
            out += static_cast<char>(0x80 | (c & 63));
        } else {
            out += static_cast<char>(c);
        }
    }
    from_.take(there->size);
    return out;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<std::string, Error> StreamReader::get_utf8_string() try {
    auto there = frame();
    if (!there)
        return std::unexpected(there.error());
    const std::string_view text = detail::as_text(there->packet.data(), there->packet.size());
    if (!valid_text(text, Utf8Rule::strict))
        return refuse(Errc::bad_utf8);
    std::string out(text);
    from_.take(there->size);
    return out;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::expected<Variant, Error> StreamReader::get_var(const DecodeOptions& options) {
    auto there = frame();
    if (!there)
        return std::unexpected(there.error());
    auto value = decode(there->packet, options);
    from_.take(there->size);
    if (!value) {
        // A packet that ends too early inside its frame is final, however much arrives.
        Error error = value.error();
        error.offset += 4;
        if (error.code == Errc::truncated)
            error = {Errc::bad_packet, error.type, error.offset, 0};
        return std::unexpected(error);
    }
    return value;
}

}  // namespace gdvar::net
