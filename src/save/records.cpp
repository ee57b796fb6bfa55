#include "gdvar/save/records.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar {
namespace {
constexpr std::size_t least_read = 1 << 16;  ///< bytes asked of the source at a time, at least
}

std::unexpected<FileError> RecordReader::fail(Errc code, std::uint64_t offset, std::uint64_t need) {
    return fail(FileError(Error{code, Type::nil, offset, need}), offset);
}
std::unexpected<FileError> RecordReader::fail(FileError error, std::uint64_t offset) {
    error.error.offset = offset;
    broken_ = error;
    return std::unexpected(error);
}

/// Buffers `wanted` bytes, or all that are left; returns their number. The buffer grows with the
/// bytes that arrive, never by a claimed length.
std::expected<std::size_t, FileError> RecordReader::fill(std::size_t wanted) GDVAR_TRY {
    while (end_ - begin_ < wanted && !at_end_) {
        if (begin_ && (begin_ == end_ || buffer_.size() - end_ < least_read)) {
            std::move(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
            end_ -= begin_;
            begin_ = 0;
        }
        if (buffer_.size() - end_ < least_read)
            buffer_.resize(std::max(buffer_.size() * 2, 2 * least_read));
        auto got = source_.read(std::span(buffer_).subspan(end_));
        if (!got)
            return fail(got.error(), position_ + (end_ - begin_));
        at_end_ = *got == 0;
        end_ += *got;
    }
    return std::min(wanted, end_ - begin_);
}
GDVAR_CATCH_NO_MEMORY(return fail(Errc::no_memory, position_))

std::expected<ByteView, FileError> RecordReader::take(std::uint64_t wanted, std::uint64_t start) {
    if (broken_)
        return std::unexpected(*broken_);
    auto there = fill(static_cast<std::size_t>(wanted));
    if (!there)
        return std::unexpected(there.error());
    if (*there < wanted)
        return fail(Errc::truncated, start, wanted - *there);
    const ByteView bytes(buffer_.data() + begin_, static_cast<std::size_t>(wanted));
    begin_ += bytes.size();
    position_ += bytes.size();
    return bytes;
}

std::expected<void, FileError> RecordReader::skip(std::uint64_t bytes) {
    if (broken_)
        return std::unexpected(*broken_);
    const std::uint64_t start = position_;
    const std::uint64_t held = std::min<std::uint64_t>(bytes, end_ - begin_);
    begin_ += static_cast<std::size_t>(held);
    position_ += held;
    // The source may have a quicker way than reading.
    auto passed = source_.skip(bytes - held);
    if (!passed)
        return fail(passed.error(), position_);
    position_ += *passed;
    if (held + *passed < bytes)
        return fail(Errc::truncated, start, bytes - held - *passed);
    return {};
}

template <class T>
std::expected<T, FileError> RecordReader::number() {
    auto bytes = take(sizeof(T), position_);
    if (!bytes)
        return std::unexpected(bytes.error());
    const T value = detail::load<T>(bytes->data());
    return order_ == ByteOrder::big ? detail::byteswap(value) : value;
}

std::expected<std::uint8_t, FileError> RecordReader::get_8() {
    return number<std::uint8_t>();
}
std::expected<std::uint16_t, FileError> RecordReader::get_16() {
    return number<std::uint16_t>();
}
std::expected<std::uint32_t, FileError> RecordReader::get_32() {
    return number<std::uint32_t>();
}
std::expected<std::uint64_t, FileError> RecordReader::get_64() {
    return number<std::uint64_t>();
}
std::expected<float, FileError> RecordReader::get_float() {
    return number<float>();
}
std::expected<double, FileError> RecordReader::get_double() {
    return number<double>();
}

std::expected<std::uint32_t, FileError> RecordReader::length(std::uint64_t start) {
    auto size = number<std::uint32_t>();
    if (!size)
        return size;
    if (*size > 0x7FFF'FFFFu)
        return fail(Errc::bad_length, start);
    if (*size > max_record_)
        return fail(Errc::size_limit, start);
    return size;
}

std::expected<std::optional<Record>, FileError> RecordReader::next() {
    if (broken_)
        return std::unexpected(*broken_);
    auto more = fill(1);
    if (!more)
        return std::unexpected(more.error());
    if (*more == 0)
        return std::optional<Record>();
    const std::uint64_t start = position_;
    auto size = length(start);
    if (!size)
        return std::unexpected(size.error());
    auto packet = take(*size, start);
    if (!packet)
        return std::unexpected(packet.error());
    return Record{start, *packet};
}

std::expected<std::string, FileError> RecordReader::get_pascal_string() GDVAR_TRY {
    const std::uint64_t start = position_;
    auto size = length(start);
    if (!size)
        return std::unexpected(size.error());
    auto bytes = take(*size, start);
    if (!bytes)
        return std::unexpected(bytes.error());
    const std::string_view text = detail::as_text(bytes->data(), bytes->size());
    if (!valid_text(text, Utf8Rule::strict))
        return fail(Errc::bad_utf8, start);
    return std::string(text);
}
GDVAR_CATCH_NO_MEMORY(return fail(Errc::no_memory, position_))

std::expected<void, FileError> RecordWriter::put(ByteView bytes) {
    if (broken_)
        return std::unexpected(*broken_);
    if (auto written = target_.write(bytes); !written) {
        broken_ = written.error();
        broken_->error.offset = position_;
        return std::unexpected(*broken_);
    }
    position_ += bytes.size();
    return {};
}

template <class T>
std::expected<void, FileError> RecordWriter::number(T value) {
    if (order_ == ByteOrder::big)
        value = detail::byteswap(value);
    std::byte bytes[sizeof(T)];
    detail::store(bytes, value);
    return put(bytes);
}

std::expected<void, FileError> RecordWriter::framed(ByteView bytes) {
    if (bytes.size() > 0x7FFF'FFFFu)
        return std::unexpected(Error{Errc::too_large, Type::nil, position_, 0});
    if (auto length = number(static_cast<std::uint32_t>(bytes.size())); !length)
        return length;
    return put(bytes);
}

std::expected<void, FileError> RecordWriter::store_packet(ByteView packet) {
    return framed(packet);
}
std::expected<void, FileError> RecordWriter::store_pascal_string(std::string_view text) {
    return framed(as_bytes(text));
}
std::expected<void, FileError> RecordWriter::store_8(std::uint8_t value) {
    return number(value);
}
std::expected<void, FileError> RecordWriter::store_16(std::uint16_t value) {
    return number(value);
}
std::expected<void, FileError> RecordWriter::store_32(std::uint32_t value) {
    return number(value);
}
std::expected<void, FileError> RecordWriter::store_64(std::uint64_t value) {
    return number(value);
}
std::expected<void, FileError> RecordWriter::store_float(float value) {
    return number(value);
}
std::expected<void, FileError> RecordWriter::store_double(double value) {
    return number(value);
}

std::expected<std::vector<ByteView>, Error> split_packets(ByteView bytes,
                                                          const DecodeOptions& options) GDVAR_TRY {
    DecodeOptions lenient = options;
    lenient.strict = false;
    std::vector<ByteView> packets;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto size = validate(bytes.subspan(at), lenient);
        if (!size) {
            Error error = size.error();
            error.offset += at;
            return std::unexpected(error);
        }
        packets.push_back(bytes.subspan(at, *size));
        at += *size;
    }
    return packets;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

}  // namespace gdvar
