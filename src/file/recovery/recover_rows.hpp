// Records and settings of a damaged document: those that are whole, and those behind a break.
// Room: file, private.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/file/recover.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar::recovering {

/// The bytes of a document, and which of them are lost.
class Holed {
public:
    /// `bytes` are borrowed. `parts` as in DamagedContent; `padded`: up to 15 zeros at the end may
    /// be no content.
    explicit Holed(ByteView bytes, std::span<const DamagedPart> parts = {}, bool padded = false);
    ByteView bytes() const noexcept { return bytes_; }
    std::size_t size() const noexcept { return bytes_.size(); }
    /// Where the first lost byte at or behind `from` is; the end if there is none.
    std::size_t hole(std::size_t from) const noexcept;
    /// The first byte at or behind `from` that is there; the end if there is none.
    std::size_t past_hole(std::size_t from) const noexcept;
    bool doubtful(std::size_t begin, std::size_t end) const noexcept;
    /// Whether all bytes from there on may be padding.
    bool only_padding(std::size_t from) const noexcept;

    struct Range {
        std::size_t begin, end;
    };

private:
    ByteView bytes_;
    bool padded_;
    std::vector<Range> holes_, doubts_;  ///< in their order; neither overlap
};

/// Where an item of a row stands.
struct Framed {
    std::size_t packet = 0, size = 0;
    std::uint32_t key_size = 0;  ///< of a setting; the key stands before the packet's length
    std::size_t end() const noexcept { return packet + size; }
    std::size_t key() const noexcept { return packet - 4 - key_size; }
};

/// How the items of a row follow each other: records, or the settings of a project.binary
/// (save/project.hpp: u32 length, key, u32 length, packet).
class Framing {
public:
    explicit Framing(InputKind kind) noexcept
        : named_(kind == InputKind::project),
          order_(kind == InputKind::records_be ? ByteOrder::big : ByteOrder::little) {}
    /// The item there, if its lengths can be right.
    std::optional<Framed> at(ByteView bytes, std::size_t offset) const;
    /// The same with a packet up to the end of the bytes, as if its length were not known.
    std::optional<Framed> unsized(ByteView bytes, std::size_t offset) const;
    /// The length in the field before the packet.
    std::uint64_t length(ByteView bytes, const Framed& framed) const;
    /// Bits of evidence of what is around the packet.
    static int bits(const Framed& framed) {
        return static_cast<int>(std::min<std::size_t>(4 * framed.key_size, 64));
    }
    /// Where the first item is.
    std::size_t start() const noexcept { return named_ ? 8 : 0; }

private:
    bool named_;
    ByteOrder order_;
};

/// An item that was recovered. Small, because there may be one for every eight bytes.
struct Row {
    Framed framed;  ///< in the document; of a part, the bytes that were read
    Recovered state = Recovered::whole;
    bool found_again = false;
};

/// A part of an item.
struct Part {
    std::size_t row = 0;
    Error error{};                  ///< its offset counts from the packet
    std::vector<std::byte> packet;  ///< sound
    std::string around{};           ///< the path of what alone is lost; empty: up to the break
};

struct Rows {
    std::vector<Row> rows;
    std::vector<Part> parts;      ///< of the rows that are `partial`, in their order
    std::vector<LostRange> lost;  ///< in the document
    std::int64_t score = 0;       ///< as Evidence has it
    bool gave_up = false;         ///< a search was ended, because it took too long

    /// Calls `use(row, packet, part)` for each; `part` is null for what is not partial.
    template <class Use>
    void each(ByteView bytes, Use&& use) const {
        std::size_t next = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Part* part = nullptr;
            if (next < parts.size() && parts[next].row == i)
                part = &parts[next++];
            const Framed& framed = rows[i].framed;
            use(rows[i], part ? ByteView(part->packet) : bytes.subspan(framed.packet, framed.size),
                part);
        }
    }
};

struct RowsOptions {
    DecodeOptions decoding{};
    bool partial = true;
    /// Whether a packet that ends where it should is kept behind its damage, too. Takes long.
    bool around = false;
};

/// Everything that can be read of a document of that kind: packet, packets, records, records_be or
/// project. Time: linear; the work of searching is limited by the size.
Rows read_rows(const Holed& holed, InputKind kind, const RowsOptions& options);

/// Steps that `inspect::around_break` may take inside of the values of so many bytes.
std::uint64_t work_around(std::uint64_t size) noexcept;

/// How much speaks for a packet, without its end: Evidence's score of its first values. `cut`: its
/// end is not there.
std::int64_t bits_of(ByteView packet, const Dialect& dialect, bool cut = false) noexcept;

}  // namespace gdvar::recovering
