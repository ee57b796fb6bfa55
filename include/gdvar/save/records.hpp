// Records: the packets of a save, each behind its length, as `store_var` writes them.
// Room: save. Rules: wire-format 4.2.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/save/target.hpp"
#include "gdvar/wire/frame.hpp"

namespace gdvar {

/// The least size of a record that holds a value, in bytes: its length and the value's header.
/// Fewer bytes after the last record are not a record.
constexpr std::size_t least_record = 8;

/// One record. `packet` is borrowed from the reader until its next call.
struct Record {
    std::uint64_t offset = 0;  ///< of the length, in the whole stream
    ByteView packet;
};

/// Reads a file that was written with `store_var` and its companions, in any mixture, front to
/// back. Memory: the largest record, whatever the file's size; a lying length costs only what is
/// really there. After an error every call returns that error. Offsets in errors count from the
/// start of the stream. Errors of all: io, no_memory, truncated (`need`: the bytes missing).
class RecordReader {
public:
    /// `source` is borrowed. `max_record` bounds the length of a record.
    explicit RecordReader(Source& source, ByteOrder order = ByteOrder::little,
                          std::uint64_t max_record = 0x7FFF'FFFF)
        : source_(source), order_(order), max_record_(max_record) {}

    /// Passes over bytes; for files that begin with something else.
    [[nodiscard]] std::expected<void, Error> skip(std::uint64_t bytes);
    /// The next record, or nothing at the end. Also: bad_length, size_limit.
    [[nodiscard]] std::expected<std::optional<Record>, Error> next();
    /// What `store_pascal_string` wrote: u32 length, UTF-8. Also: bad_length, size_limit, bad_utf8.
    [[nodiscard]] std::expected<std::string, Error> get_pascal_string();
    [[nodiscard]] std::expected<std::uint8_t, Error> get_8();
    [[nodiscard]] std::expected<std::uint16_t, Error> get_16();
    [[nodiscard]] std::expected<std::uint32_t, Error> get_32();
    [[nodiscard]] std::expected<std::uint64_t, Error> get_64();
    [[nodiscard]] std::expected<float, Error> get_float();
    [[nodiscard]] std::expected<double, Error> get_double();
    /// How many bytes have been taken.
    std::uint64_t position() const noexcept { return position_; }
    /// For what follows: a game may switch in the middle of a file.
    void set_order(ByteOrder order) noexcept { order_ = order; }

private:
    [[nodiscard]] std::expected<std::size_t, Error> fill(std::size_t wanted);
    [[nodiscard]] std::expected<ByteView, Error> take(std::uint64_t wanted, std::uint64_t start);
    template <class T>
    [[nodiscard]] std::expected<T, Error> number();
    [[nodiscard]] std::expected<std::uint32_t, Error> length(std::uint64_t start);
    std::unexpected<Error> fail(Errc code, std::uint64_t offset, std::uint64_t need = 0);

    Source& source_;
    ByteOrder order_;
    std::uint64_t max_record_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0, end_ = 0;  ///< what of the buffer is filled and not taken
    std::uint64_t position_ = 0;
    bool at_end_ = false;
    std::optional<Error> broken_;
};

/// Writes what RecordReader reads, as the engine would. After an error every call returns that
/// error. Offsets in errors count what was written. Errors of all: those of the target.
class RecordWriter {
public:
    /// `target` is borrowed; nothing is held back from it.
    explicit RecordWriter(Target& target, ByteOrder order = ByteOrder::little)
        : target_(target), order_(order) {}
    /// A packet behind its length. Also: too_large from 2 GiB on.
    [[nodiscard]] std::expected<void, Error> store_packet(ByteView packet);
    /// Also: too_large from 2 GiB on.
    [[nodiscard]] std::expected<void, Error> store_pascal_string(std::string_view text);
    [[nodiscard]] std::expected<void, Error> store_8(std::uint8_t value);
    [[nodiscard]] std::expected<void, Error> store_16(std::uint16_t value);
    [[nodiscard]] std::expected<void, Error> store_32(std::uint32_t value);
    [[nodiscard]] std::expected<void, Error> store_64(std::uint64_t value);
    [[nodiscard]] std::expected<void, Error> store_float(float value);
    [[nodiscard]] std::expected<void, Error> store_double(double value);
    /// How many bytes have been written.
    std::uint64_t position() const noexcept { return position_; }
    void set_order(ByteOrder order) noexcept { order_ = order; }

private:
    template <class T>
    [[nodiscard]] std::expected<void, Error> number(T value);
    [[nodiscard]] std::expected<void, Error> framed(ByteView bytes);
    [[nodiscard]] std::expected<void, Error> put(ByteView bytes);

    Target& target_;
    ByteOrder order_;
    std::uint64_t position_ = 0;
    std::optional<Error> broken_;
};

}  // namespace gdvar
