// Records: packets of a save, each preceded by its length, as `store_var` writes them. Rules:
// wire-format 4.2.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/target.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {

/// The least size of a record with a value, in bytes: its length and the value's header. Fewer
/// bytes after the last record are not a record.
constexpr std::size_t least_record = 8;

/// One record. `packet` is borrowed from the reader until its next call.
struct Record {
    std::uint64_t offset = 0;  ///< of the length, in the whole stream
    ByteView packet;
};

/// Reads values of `store_var`, `store_32` and the like in sequence, in any order. Memory: the
/// largest record; a false length costs no more than the existing bytes. After an error every call
/// returns that error. Offsets in errors count from the start of the stream. Errors of all
/// functions: io, no_memory, truncated (`need`: the missing bytes).
class RecordReader {
public:
    /// `source` is borrowed. A length above `max_record` is refused.
    explicit RecordReader(Source& source, ByteOrder order = ByteOrder::little,
                          std::uint64_t max_record = 0x7FFF'FFFF)
        : source_(source), order_(order), max_record_(max_record) {}

    /// Skips bytes, for files with a header.
    [[nodiscard]] std::expected<void, FileError> skip(std::uint64_t bytes);
    /// The next record, or nothing at the end. Also: bad_length, size_limit.
    [[nodiscard]] std::expected<std::optional<Record>, FileError> next();
    /// A text of `store_pascal_string`: u32 length, UTF-8. Also: bad_length, size_limit, bad_utf8.
    [[nodiscard]] std::expected<std::string, FileError> get_pascal_string();
    [[nodiscard]] std::expected<std::uint8_t, FileError> get_8();
    [[nodiscard]] std::expected<std::uint16_t, FileError> get_16();
    [[nodiscard]] std::expected<std::uint32_t, FileError> get_32();
    [[nodiscard]] std::expected<std::uint64_t, FileError> get_64();
    [[nodiscard]] std::expected<float, FileError> get_float();
    [[nodiscard]] std::expected<double, FileError> get_double();
    /// The number of bytes read.
    std::uint64_t position() const noexcept { return position_; }
    /// Sets the byte order of later reads. A game may change it in the middle of a file.
    void set_order(ByteOrder order) noexcept { order_ = order; }

private:
    [[nodiscard]] std::expected<std::size_t, FileError> fill(std::size_t wanted);
    [[nodiscard]] std::expected<ByteView, FileError> take(std::uint64_t wanted,
                                                          std::uint64_t start);
    template <class T>
    [[nodiscard]] std::expected<T, FileError> number();
    [[nodiscard]] std::expected<std::uint32_t, FileError> length(std::uint64_t start);
    std::unexpected<FileError> fail(Errc code, std::uint64_t offset, std::uint64_t need = 0);
    std::unexpected<FileError> fail(FileError error, std::uint64_t offset);

    Source& source_;
    ByteOrder order_;
    std::uint64_t max_record_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0, end_ = 0;  ///< the buffer's filled bytes that are not taken
    std::uint64_t position_ = 0;
    bool at_end_ = false;
    std::optional<FileError> broken_;
};

/// Writes for RecordReader, in the engine's bytes. After an error every call returns that error.
/// Offsets in errors count the bytes written. Errors of all functions: those of the target.
class RecordWriter {
public:
    /// `target` is borrowed. Nothing is buffered.
    explicit RecordWriter(Target& target, ByteOrder order = ByteOrder::little)
        : target_(target), order_(order) {}
    /// Writes a packet and its length before it. Also: too_large from 2 GiB on.
    [[nodiscard]] std::expected<void, FileError> store_packet(ByteView packet);
    /// Also: too_large from 2 GiB on.
    [[nodiscard]] std::expected<void, FileError> store_pascal_string(std::string_view text);
    [[nodiscard]] std::expected<void, FileError> store_8(std::uint8_t value);
    [[nodiscard]] std::expected<void, FileError> store_16(std::uint16_t value);
    [[nodiscard]] std::expected<void, FileError> store_32(std::uint32_t value);
    [[nodiscard]] std::expected<void, FileError> store_64(std::uint64_t value);
    [[nodiscard]] std::expected<void, FileError> store_float(float value);
    [[nodiscard]] std::expected<void, FileError> store_double(double value);
    /// The number of bytes written.
    std::uint64_t position() const noexcept { return position_; }
    void set_order(ByteOrder order) noexcept { order_ = order; }

private:
    template <class T>
    [[nodiscard]] std::expected<void, FileError> number(T value);
    [[nodiscard]] std::expected<void, FileError> framed(ByteView bytes);
    [[nodiscard]] std::expected<void, FileError> put(ByteView bytes);

    Target& target_;
    ByteOrder order_;
    std::uint64_t position_ = 0;
    std::optional<FileError> broken_;
};

/// Consecutive packets without lengths, as `store_buffer(var_to_bytes(v))` writes them. Borrowed
/// from `bytes`. Errors: as `validate`, of the first packet that can't be read, with the offset in
/// `bytes`; no_memory.
[[nodiscard]] std::expected<std::vector<ByteView>, Error> split_packets(
    ByteView bytes, const DecodeOptions& options = default_decode_options);

}  // namespace gdvar
