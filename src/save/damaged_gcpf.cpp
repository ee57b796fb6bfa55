// A damaged GCPF: header, table and blocks confirm each other. Where they differ, the majority
// counts.
#include <algorithm>
#include <new>

#include "base/coding.hpp"
#include "base/exceptions.hpp"
#include "gdvar/save/damaged.hpp"
#include "save/codec.hpp"
#include "save/io.hpp"
#include "save/partial.hpp"

namespace gdvar::save {
namespace {

constexpr std::uint64_t prefix_size = 16;
constexpr std::uint32_t engines_block = 4096;

struct BlockTable {
    Compression mode = Compression::zstd;
    std::uint32_t block_size = engines_block;
    std::uint64_t blocks = 0;
    std::optional<std::uint64_t> total{};  ///< none: the size of all blocks
    const char* note = nullptr;            ///< the correction, in words

    std::uint64_t blocks_at() const { return prefix_size + 4 * blocks; }
};

std::uint32_t word(ByteView file, std::uint64_t at) {
    return detail::load<std::uint32_t>(file.data() + at);
}

class Blocks {
public:
    Blocks(ByteView file, std::uint64_t end, const BlockTable& shape, std::uint64_t max_bytes)
        : file_(file), end_(end), shape_(shape), max_bytes_(max_bytes) {}

    /// Decompresses all. Errc: size_limit, no_memory.
    Errc read(DamagedContent& to) {
        at_ = behind_ = shape_.blocks_at();
        std::uint64_t sum = at_;
        for (std::uint64_t i = 0; i < shape_.blocks; ++i)
            sum += word(file_, prefix_size + 4 * i);
        surplus_ = static_cast<std::int64_t>(end_) - static_cast<std::int64_t>(sum);
        for (std::uint64_t i = 0; i < shape_.blocks; ++i) {
            const auto shifted = static_cast<std::int64_t>(at_) + surplus_;
            if (at_ >= end_ && behind_ >= end_ && shifted >= static_cast<std::int64_t>(end_))
                break;
            const std::uint64_t expected =
                shape_.total
                    ? std::min<std::uint64_t>(shape_.block_size, *shape_.total - to.bytes.size())
                    : shape_.block_size - is_last(i);
            if (expected || !shape_.total)
                if (const Errc code = block(i, expected, to); code != Errc::ok)
                    return code;
            at_ += word(file_, prefix_size + 4 * i);
        }
        // A loss at the end needs no zeros.
        if (!to.parts.empty() && !to.parts.back().doubtful &&
            to.parts.back().end == to.bytes.size())
            to.bytes.resize(static_cast<std::size_t>(to.parts.back().begin));
        const std::uint64_t reached =
            std::max<std::uint64_t>(to.bytes.size(), to.parts.empty() ? 0 : to.parts.back().end);
        if (shape_.total && reached < *shape_.total)
            to.parts.push_back({reached, *shape_.total, false, Errc::truncated,
                                "the file ends before these blocks"});
        return Errc::ok;
    }
    std::uint64_t kept() const noexcept { return kept_; }

private:
    struct Place {
        std::uint64_t begin = 0, size = 0;
    };
    struct Attempt {
        Place place;
        Partial partial;
        bool cut = false;  ///< the file ends inside the block
    };
    /// Tries the possible places of the block. `whole` is set if one gives all of it, which then is
    /// in the content; else the result is the progress of the likeliest one.
    std::expected<Attempt, Errc> best_attempt(std::uint64_t number, std::uint64_t expected,
                                              DamagedContent& to, bool& whole) {
        const std::uint32_t size = word(file_, prefix_size + 4 * number);
        const std::uint64_t at = to.bytes.size();
        const bool known = shape_.total.has_value() || !is_last(number);
        const std::uint64_t most_work = 6 * file_.size() + 65536;
        std::optional<Attempt> best;
        for (const Place& place : places(size)) {
            if (best && work_ > most_work)
                break;
            const std::uint64_t there = std::min(place.size, end_ - place.begin);
            to.bytes.resize(
                static_cast<std::size_t>(at + std::min(expected, most_output(shape_.mode, there))));
            auto tried = attempt(place, std::span(to.bytes).subspan(static_cast<std::size_t>(at)));
            if (!tried)
                return tried;
            const Partial& partial = tried->partial;
            if (partial.end == Errc::ok && (partial.produced == expected || !known)) {
                whole = true;
                return tried;
            }
            // Other places may give more output, but from bytes of something else.
            if (!best || best->partial.produced == 0 ||
                (place.begin == best->place.begin && partial.produced > best->partial.produced))
                best = *tried;
        }
        to.bytes.resize(static_cast<std::size_t>(at + (best ? best->partial.produced : 0)));
        if (!best)
            return Attempt{{std::min(at_, end_), size}, {0, 0, Errc::bad_block}, false};
        // The last attempt may have been another one.
        if (best->partial.produced)
            (void)attempt(best->place, std::span(to.bytes).subspan(static_cast<std::size_t>(at)));
        return *best;
    }
    Errc block(std::uint64_t number, std::uint64_t expected, DamagedContent& to) {
        const std::uint64_t at = to.bytes.size();
        if (expected > max_bytes_ - std::min(max_bytes_, at))
            return Errc::size_limit;
        bool whole = false;
        const auto best = best_attempt(number, expected, to, whole);
        if (!best)
            return best.error();
        const Place& place = best->place;
        if (whole) {
            to.bytes.resize(static_cast<std::size_t>(at + best->partial.produced));
            kept_ += best->partial.produced;
            behind_ = place.begin + best->partial.consumed;
            if (place.begin != at_ && place.begin == at_ + static_cast<std::uint64_t>(surplus_))
                shifted_ = true;
            return Errc::ok;
        }
        // A few bytes may claim blocks of gigabytes.
        if (invented_ + expected > 64 * file_.size() + (1u << 20))
            return Errc::size_limit;
        to.bytes.resize(static_cast<std::size_t>(at + expected));
        lose(number, *best, at, expected, to);
        behind_ = place.begin + place.size;
        return Errc::ok;
    }
    /// Possible places of the next block, the likeliest first.
    std::vector<Place> places(std::uint32_t size) const {
        std::vector<Place> out;
        const auto add = [&](std::int64_t begin, std::int64_t bytes) {
            const auto from = static_cast<std::int64_t>(shape_.blocks_at());
            if (begin < from || begin >= static_cast<std::int64_t>(end_) || bytes <= 0)
                return;
            const Place place{static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(bytes)};
            const auto same = [&](const Place& other) {
                return other.begin == place.begin && other.size == place.size;
            };
            if (std::ranges::none_of(out, same))
                out.push_back(place);
        };
        const auto at = static_cast<std::int64_t>(at_);
        add(shifted_ ? at + surplus_ : at, size);
        add(shifted_ ? at : at + surplus_, size);
        // The size itself may be wrong; all streams but FastLZ mark their end.
        add(at, size + surplus_);
        if (shape_.mode != Compression::fastlz) {
            const auto most =
                static_cast<std::int64_t>(shape_.block_size) + shape_.block_size / 2 + 64;
            add(static_cast<std::int64_t>(behind_), most);
            add(at, most);
        }
        return out;
    }
    std::expected<Attempt, Errc> attempt(Place place, std::span<std::byte> to) {
        Attempt out{place, {}, place.size > end_ - place.begin};
        const std::uint64_t size = std::min(place.size, end_ - place.begin);
        work_ += size;
        auto partial = decode_to_break(
            shape_.mode,
            file_.subspan(static_cast<std::size_t>(place.begin), static_cast<std::size_t>(size)),
            to);
        if (!partial)
            return std::unexpected(partial.error());
        out.partial = *partial;
        return out;
    }
    /// Notes the loss of a block, and keeps the part before the break in the content.
    void lose(std::uint64_t number, Attempt best, std::uint64_t at, std::uint64_t expected,
              DamagedContent& to) {
        // So many parts take more memory than they are worth.
        if (to.parts.size() > 1024 + file_.size() / 64)
            best.partial.produced = 0;
        const bool cut = best.cut && best.partial.end == Errc::truncated;
        const Errc code = cut ? Errc::truncated : Errc::bad_block;
        const std::uint64_t end = std::min(best.place.begin + best.place.size, end_);
        const std::uint64_t there = at + best.partial.produced;
        std::fill(to.bytes.begin() + static_cast<std::ptrdiff_t>(there), to.bytes.end(),
                  std::byte{});
        kept_ += best.partial.produced;
        invented_ += expected - best.partial.produced;
        const bool goes_on = there == at && !to.parts.empty() && !to.parts.back().doubtful &&
                             to.parts.back().end == at && to.parts.back().code == code;
        if (!goes_on)
            lost_from_ = {number, best.place.begin};
        const std::string what = (goes_on ? "blocks " + std::to_string(lost_from_.number) + " to " +
                                                std::to_string(number)
                                          : "block " + std::to_string(number)) +
                                 " of " + std::string(compression_name(shape_.mode)) + ", bytes " +
                                 detail::hex_number(lost_from_.begin) + " to " +
                                 detail::hex_number(std::max(end, lost_from_.begin));
        if (goes_on) {
            to.parts.back().end = at + expected;
            to.parts.back().what = what;
            return;
        }
        if (there > at && !cut)
            to.parts.push_back({at, there, true, code, what});
        if (there < at + expected)
            to.parts.push_back({there, at + expected, false, code, what});
    }
    bool is_last(std::uint64_t number) const { return number + 1 == shape_.blocks; }

    ByteView file_;
    std::uint64_t end_;  ///< of the blocks
    const BlockTable& shape_;
    std::uint64_t max_bytes_;
    std::uint64_t at_ = 0;        ///< of the next block, by the table's sizes
    std::uint64_t behind_ = 0;    ///< end of the last block that was read
    std::int64_t surplus_ = 0;    ///< the file's size, less the table's sum
    bool shifted_ = false;        ///< blocks now begin `surplus_` later than in the table
    std::uint64_t work_ = 0;      ///< bytes of examined blocks
    std::uint64_t invented_ = 0;  ///< zeros in place of lost bytes
    std::uint64_t kept_ = 0;
    struct {
        std::uint64_t number = 0, begin = 0;
    } lost_from_;  ///< the first of a run of lost blocks
};

Compression mode_of(ByteView block) {
    const auto at = [&](std::size_t i) {
        return i < block.size() ? std::to_integer<unsigned>(block[i]) : 0u;
    };
    if (at(0) == 0x28 && at(1) == 0xB5 && at(2) == 0x2F)
        return Compression::zstd;
    if (at(0) == 0x1F && at(1) == 0x8B)
        return Compression::gzip;
    if ((at(0) & 0x0F) == 8 && (at(0) << 8 | at(1)) % 31 == 0)
        return Compression::deflate;
    return Compression::fastlz;
}

/// The table's number of blocks if it and the blocks fill the file exactly; else 0.
std::uint64_t blocks_that_fit(ByteView file) {
    std::uint64_t sum = 0;
    for (std::uint64_t n = 1; prefix_size + 4 * n + 4 <= file.size(); ++n) {
        sum += word(file, prefix_size + 4 * (n - 1));
        const std::uint64_t all = prefix_size + 4 * n + sum + 4;
        if (all == file.size())
            return n;
        if (sum > file.size())
            break;
    }
    return 0;
}

/// Possible meanings of header and table, the likeliest first.
std::vector<BlockTable> shapes(ByteView file) {
    const std::uint32_t mode = word(file, 4), block_size = word(file, 8), total = word(file, 12);
    const std::uint64_t entries = (file.size() - prefix_size) / 4;
    const std::uint64_t fit = blocks_that_fit(file);
    std::vector<BlockTable> out;
    const auto add = [&](std::uint32_t bytes, std::uint64_t blocks, bool sized, const char* note) {
        if (blocks == 0 || blocks > entries)
            return;
        BlockTable shape{.block_size = bytes, .blocks = blocks, .note = note};
        if (sized)
            shape.total = total;
        const Compression seen = mode_of(file.subspan(
            static_cast<std::size_t>(std::min<std::uint64_t>(shape.blocks_at(), file.size()))));
        if (mode <= static_cast<std::uint32_t>(Compression::brotli)) {
            shape.mode = static_cast<Compression>(mode);
            out.push_back(shape);
        }
        if (shape.mode != seen || out.empty() || out.back().blocks != blocks) {
            shape.mode = seen;
            shape.note = "the header names another compression than the blocks are in";
            out.push_back(shape);
        }
    };
    const auto blocks_of = [&](std::uint32_t bytes) { return total / std::uint64_t{bytes} + 1; };
    if (block_size)
        add(block_size, blocks_of(block_size), true, nullptr);
    if (block_size != engines_block)
        add(engines_block, blocks_of(engines_block), true, "the header's block size is wrong");
    if (fit) {
        if (block_size && blocks_of(block_size) != fit)
            add(block_size, fit, false, "the header's size is wrong");
        if (block_size != engines_block && blocks_of(engines_block) != fit)
            add(engines_block, fit, false, "the header's sizes are wrong");
    }
    return out;
}

}  // namespace
}  // namespace gdvar::save

namespace gdvar {

std::expected<DamagedContent, Error> read_damaged_gcpf(ByteView bytes,
                                                       std::uint64_t max_bytes) GDVAR_TRY {
    using namespace save;
    if (bytes.size() < prefix_size)
        return refuse(Errc::truncated, bytes.size(), prefix_size - bytes.size());
    const bool closed = bytes.size() >= prefix_size + 4 &&
                        detail::as_text(bytes.data() + bytes.size() - 4, 4) == "GCPF";
    DamagedContent best;
    std::uint64_t kept = 0;
    Errc code = Errc::bad_block;
    for (const BlockTable& shape : shapes(bytes)) {
        DamagedContent content;
        Blocks blocks(bytes, bytes.size() - (closed ? 4 : 0), shape, max_bytes);
        if (const Errc failed = blocks.read(content); failed != Errc::ok) {
            if (failed == Errc::no_memory)
                return refuse(failed);
            code = failed;
            continue;
        }
        if (blocks.kept() <= kept)
            continue;
        kept = blocks.kept();
        best = std::move(content);
        best.kind = Wrapping::gcpf;
        best.compression = shape.mode;
        best.block_size = shape.block_size;
        best.notes.clear();
        if (shape.note)
            best.notes.emplace_back(shape.note);
        if (best.parts.empty())
            break;
    }
    if (!kept)
        return refuse(code);
    if (!closed)
        best.notes.emplace_back("the magic at the end is missing");
    return best;
}
GDVAR_CATCH_NO_MEMORY(return save::refuse(Errc::no_memory))

}  // namespace gdvar
