#include "file/recovery/recover_rows.hpp"

#include <algorithm>

#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/path.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::recovering {
namespace {

// Bits of evidence, as Evidence counts them.
constexpr int nothing_left = 48;   ///< what `weigh` adds for a packet that ends where it should
constexpr int length_fits = 8;     ///< a length before it
constexpr int ends_with_all = 24;  ///< records up to the very end
/// Bits of evidence that a row of records needs to be found behind a break. A Dictionary with two
/// entries has more; of lonely ints or bools, three in a row are needed.
constexpr std::int64_t convincing_bits = 72;
constexpr std::int64_t misaligned = 24;  ///< more, where no engine would have put it
/// A part of a value whose length may be wrong.
constexpr std::int64_t plausible_part = 40;
/// A value whose length is wrong, and behind which a record follows.
constexpr std::int64_t plausible_value = 20;
constexpr std::uint64_t values_weighed = 64;
constexpr int most_links = 32;  ///< broken records in a row that are passed by their lengths

/// Whether something is in a container. One in which nothing is left says nothing.
bool has_values(ByteView packet, DecodeOptions options) {
    options.limits.max_nodes = 1;
    return !validate(packet, options).has_value();
}

std::string in_words(const Error& error, bool around = false) {
    if (error.code != Errc::trailing_bytes)
        return to_string(error);
    return around ? "with them the value ends too early" : "bytes behind the end of the value";
}

/// Whether nothing follows but zeros, as a crash leaves them.
bool only_zeros(ByteView bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

/// What is left of a broken packet. `work`: what may be done to look behind the damage; 0 if the
/// packet need not end where the bytes end.
std::optional<inspect::Salvaged> kept_of(ByteView packet, std::uint64_t& work,
                                         const DecodeOptions& options) {
    const auto size = validate(packet, options);
    inspect::Salvaged out;
    if (size) {
        // A value that ends before its length does: engines ignore what follows.
        out.error = Error{Errc::trailing_bytes, Type::nil, *size, 0};
        out.packet.assign(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(*size));
        out.begin = *size;
        out.end = packet.size();
        if (only_zeros(packet.subspan(*size)))
            return out;
    }
    auto up_to = size ? std::optional(std::move(out)) : inspect::up_to_break(packet, options);
    auto around = work ? inspect::around_break(packet, options, work) : std::nullopt;
    if (!around || !has_values(around->packet, options))
        return up_to;
    // The end of a value that breaks off may be missing instead.
    const bool whole = around->packet.size() == packet.size();
    const bool cut = !size && size.error().code == Errc::truncated;
    if (whole ? up_to && up_to->packet == around->packet
              : cut && up_to && around->packet.size() <= up_to->packet.size())
        return up_to;
    return around;
}

/// The path of what alone is lost of a packet.
std::string path_around(ByteView packet, const inspect::Salvaged& kept,
                        const DecodeOptions& options) {
    return kept.around ? detail::path_of_next(packet.first(*kept.around), options) : std::string();
}

class RowReader {
public:
    RowReader(const Holed& holed, InputKind kind, const RowsOptions& options)
        : holed_(holed),
          bytes_(holed.bytes()),
          framing_(kind),
          options_(options),
          budget_(32 * static_cast<std::uint64_t>(holed.size()) + 65536),
          around_(options.around ? work_around(holed.size()) : 0) {}

    Rows read();

private:
    bool whole(const Framed& framed);
    std::optional<std::int64_t> sound_bits(const std::optional<Framed>& framed);
    bool leads_on(std::size_t at);
    bool convinces(std::size_t at, std::int64_t wanted, int least);
    bool may_begin(std::size_t at) const;
    bool inside_value(std::size_t at) const;
    std::size_t find(std::size_t from, std::size_t aligned_to);
    std::size_t mend(std::size_t at);
    /// A value that was read without looking at its length.
    struct Unsized {
        Framed framed;            ///< up to the end of the bytes
        Error error;              ///< if it is not whole
        std::size_t reached = 0;  ///< bytes of the value, or up to its break
        bool whole = false;
        std::int64_t bits = 0;
    };
    std::optional<Unsized> unsized(std::size_t at);
    bool resize(std::size_t at, const Unsized& open);
    bool cut_short(const Unsized& open) const;
    void salvage(std::size_t at, const Framed& framed, std::int64_t least, bool ends = false);
    void lose(std::size_t begin, std::size_t end, Errc code, std::string why, std::string at = {});
    void lose(std::size_t begin, std::size_t end, const Error& error) {
        lose(begin, end, error.code, in_words(error));
    }
    /// Bytes that no item was found in.
    void lose_unknown(std::size_t begin, std::size_t end) {
        lose(begin, end, Errc::bad_length, "no sound length, and no value that could be found");
    }
    bool spend(std::uint64_t work);

    const Holed& holed_;
    ByteView bytes_;
    const Framing framing_;
    const RowsOptions& options_;
    std::uint64_t budget_;  ///< bytes that may still be looked at in searches
    std::uint64_t around_;  ///< steps of the searches inside of values
    bool found_again_ = false;
    Rows out_;
};

bool RowReader::spend(std::uint64_t work) {
    if (work <= budget_) {
        budget_ -= work;
        return true;
    }
    budget_ = 0;
    out_.gave_up = true;
    return false;
}

/// Whether the packet is all there and ends where its length says.
bool RowReader::whole(const Framed& framed) {
    if (holed_.hole(framed.packet) < framed.end())
        return false;
    const auto size = validate(bytes_.subspan(framed.packet, framed.size), options_.decoding);
    if (size && *size == framed.size)
        return true;
    (void)spend(size ? *size : std::min<std::uint64_t>(size.error().offset, framed.size));
    return false;
}

/// Bits of evidence for the item there; nothing if it is not sound.
std::optional<std::int64_t> RowReader::sound_bits(const std::optional<Framed>& framed) {
    if (!framed || holed_.hole(framed->packet) < framed->end() || !spend(16))
        return std::nullopt;
    const Evidence evidence = weigh(bytes_.subspan(framed->packet, framed->size),
                                    *options_.decoding.dialect, {.max_values = values_weighed});
    (void)spend(evidence.read);
    if (!evidence.whole || evidence.oddities)
        return std::nullopt;
    return evidence.score - nothing_left + length_fits + framing_.bits(*framed);
}

/// Whether lengths lead from there to a sound item or to the end.
bool RowReader::leads_on(std::size_t at) {
    for (int link = 0; link < most_links; ++link) {
        if (at == bytes_.size() || holed_.only_padding(at))
            return true;
        const auto framed = framing_.at(bytes_, at);
        if (!framed)
            return false;
        if (sound_bits(framed))
            return true;
        at = framed->end();
    }
    return false;
}

/// Whether the bytes there can be the header of a value.
bool RowReader::may_begin(std::size_t at) const {
    const auto header = detail::load<std::uint32_t>(bytes_.data() + at);
    const Dialect& dialect = *options_.decoding.dialect;
    const std::uint32_t id = header & dialect.type_mask;
    if (id >= dialect.row_count)
        return false;
    const TypeRow& row = dialect.rows[id];
    return row.shape != Shape::absent && row.shape != Shape::unsupported &&
           (header & ~(dialect.type_mask | row.flags)) == 0;
}

/// Whether what looks like a length there may be an int: a value of the broken item, which happens
/// to be the size of the value behind it.
bool RowReader::inside_value(std::size_t at) const {
    if (at < 4)
        return false;
    const auto before = detail::load<std::uint32_t>(bytes_.data() + at - 4);
    const Dialect& dialect = *options_.decoding.dialect;
    return before == dialect.id_of[static_cast<std::size_t>(Type::integer)];
}

/// Whether the items from there on are no accident: so many bits and so many items, or the rest of
/// the bytes.
bool RowReader::convinces(std::size_t at, std::int64_t wanted, int least) {
    std::int64_t bits = 0;
    for (int items = 0; bits < wanted || items < least; ++items) {
        const auto framed = framing_.at(bytes_, at);
        const auto more = sound_bits(framed);
        // A value that speaks against itself, or for nothing, ends the row.
        if (!more || *more <= 0)
            return false;
        bits += *more;
        at = framed->end();
        if (at == bytes_.size())
            return bits + ends_with_all >= wanted;
    }
    return true;
}

/// The next place from which on there are items; the end if there is none.
std::size_t RowReader::find(std::size_t from, std::size_t aligned_to) {
    std::size_t hole = from;
    for (std::size_t at = from; at + least_record <= bytes_.size(); ++at) {
        if (at >= hole) {
            at = holed_.past_hole(at);
            hole = holed_.hole(at);
            if (at + least_record > bytes_.size())
                break;
        }
        const auto framed = framing_.at(bytes_, at);
        // Engines fill packets up to whole words.
        if (!framed || framed->size % 4 || !may_begin(framed->packet))
            continue;
        const bool odd = (at - aligned_to) % 4 != 0 && !framed->key_size;
        if (convinces(at, convincing_bits + (odd ? misaligned : 0), inside_value(at) ? 2 : 1))
            return at;
        if (out_.gave_up)
            break;
    }
    return bytes_.size();
}

void RowReader::lose(std::size_t begin, std::size_t end, Errc code, std::string why,
                     std::string at) {
    if (begin >= end || holed_.only_padding(begin))
        return;
    if (!out_.lost.empty() && out_.lost.back().end == begin && out_.lost.back().reason == why)
        out_.lost.back().end = end;
    else
        out_.lost.push_back({begin, end, code, std::move(why), 0, std::move(at)});
}

/// Keeps what comes before the break of the item there, which ends with `framed` at the latest, or
/// what is around it, if it `ends` there. The rest is lost. `least`: bits that it must bring.
void RowReader::salvage(std::size_t at, const Framed& framed, std::int64_t least, bool ends) {
    const std::size_t there = std::min(framed.end(), holed_.hole(framed.packet));
    const ByteView packet = bytes_.subspan(framed.packet, there - framed.packet);
    std::uint64_t none = 0;
    auto kept = kept_of(packet, ends && there == framed.end() ? around_ : none, options_.decoding);
    if (!kept)
        return lose(at, framed.end(), validate(packet, options_.decoding).error());
    const bool broken = kept->error.code != Errc::trailing_bytes;
    if ((broken && !has_values(kept->packet, options_.decoding)) ||
        bits_of(kept->packet, *options_.decoding.dialect) < least)
        return lose_unknown(at, framed.end());
    if (!options_.partial)
        return lose(at, framed.end(), kept->error);
    const std::string path = path_around(packet, *kept, options_.decoding);
    lose(framed.packet + kept->begin, path.empty() ? framed.end() : framed.packet + kept->end,
         kept->error.code, in_words(kept->error, !path.empty()), path);
    Row row{framed, Recovered::partial, std::exchange(found_again_, false)};
    row.framed.size = there - framed.packet;
    out_.parts.push_back({out_.rows.size(), kept->error, std::move(kept->packet), path});
    out_.rows.push_back(row);
}

/// Whether only the document's end breaks the item there: its length says as much as its value
/// lacks.
bool RowReader::cut_short(const Unsized& open) const {
    if (open.error.code != Errc::truncated || open.framed.end() != bytes_.size())
        return false;
    const std::uint64_t length = framing_.length(bytes_, open.framed);
    return length >= open.framed.size + open.error.need && length <= 0x7FFF'FFFFu;
}

/// Reads the value there as if its length were not known.
std::optional<RowReader::Unsized> RowReader::unsized(std::size_t at) {
    const auto framed = framing_.unsized(bytes_, at);
    if (!framed || out_.gave_up || holed_.hole(at) < framed->packet + 4)
        return std::nullopt;
    Unsized out{*framed, {}, 0, false};
    const std::size_t there = holed_.hole(framed->packet);
    const ByteView packet = bytes_.subspan(framed->packet, there - framed->packet);
    const auto size = validate(packet, options_.decoding);
    out.whole = size.has_value();
    if (!size)
        out.error = size.error();
    out.reached =
        size
            ? *size
            : static_cast<std::size_t>(std::min<std::uint64_t>(size.error().offset, packet.size()));
    if (!spend(2 * out.reached))
        return std::nullopt;
    out.bits = framing_.bits(*framed) +
               bits_of(packet.first(out.reached), *options_.decoding.dialect, true);
    return out;
}

/// Keeps a value that is whole, although the length before it is not.
bool RowReader::resize(std::size_t at, const Unsized& open) {
    if (!open.whole)
        return false;
    Framed framed = open.framed;
    framed.size = open.reached;
    const bool follows = framed.end() == bytes_.size() || holed_.only_padding(framed.end()) ||
                         sound_bits(framing_.at(bytes_, framed.end()));
    const auto sized = framing_.at(bytes_, at);
    const bool shorter = sized && sized->size > framed.size;
    if (open.bits < (follows && !shorter ? plausible_value : convincing_bits))
        return false;
    out_.rows.push_back({framed, Recovered::resized, std::exchange(found_again_, false)});
    return true;
}

/// Reads on at a place where no sound item is. Returns where the next one may be.
std::size_t RowReader::mend(std::size_t at) {
    if (out_.gave_up) {
        lose_unknown(at, bytes_.size());
        return bytes_.size();
    }
    const auto framed = framing_.at(bytes_, at);
    if (framed && leads_on(framed->end())) {
        salvage(at, *framed, 1, true);
        return framed->end();
    }
    const auto open = unsized(at);
    if (open && resize(at, *open))
        return out_.rows.back().framed.end();
    if (open && cut_short(*open)) {
        salvage(at, open->framed, 1);
        return bytes_.size();
    }
    // An item that makes sense up to its break is not searched.
    const bool sensible = open && open->bits >= plausible_part;
    const std::size_t next = find(sensible ? open->framed.packet + open->reached : at + 1, at);
    if (open && open->framed.packet < next) {
        Framed part = open->framed;
        part.size = std::min(next, framed ? framed->end() : next) - part.packet;
        salvage(at, part, plausible_part);
        lose_unknown(part.end(), next);
    } else {
        lose_unknown(at, next);
    }
    found_again_ = next < bytes_.size();
    return next;
}

Rows RowReader::read() {
    std::size_t at = std::min(framing_.start(), bytes_.size());
    while (at < bytes_.size() && !holed_.only_padding(at)) {
        const auto framed = framing_.at(bytes_, at);
        if (framed && whole(*framed)) {
            out_.rows.push_back({*framed, Recovered::whole, std::exchange(found_again_, false)});
            at = framed->end();
        } else {
            at = mend(at);
        }
    }
    out_.each(bytes_, [&](const Row& row, ByteView packet, const Part*) {
        out_.score += bits_of(packet, *options_.decoding.dialect) + framing_.bits(row.framed) +
                      (row.state == Recovered::whole ? nothing_left : 0);
    });
    return std::move(out_);
}

}  // namespace

std::uint64_t work_around(std::uint64_t size) noexcept {
    return 64 * size + 1024 * std::min<std::uint64_t>(size, 65536) + 65536;
}

std::int64_t bits_of(ByteView packet, const Dialect& dialect, bool cut) noexcept {
    const Evidence evidence = weigh(packet, dialect, {.cut = cut, .max_values = values_weighed});
    return evidence.score - (evidence.whole ? nothing_left : 0);
}

namespace {

std::uint32_t length_at(ByteView bytes, std::size_t at, ByteOrder order) {
    const auto length = detail::load<std::uint32_t>(bytes.data() + at);
    return order == ByteOrder::big ? detail::byteswap(length) : length;
}

}  // namespace

std::optional<Framed> Framing::at(ByteView bytes, std::size_t offset) const {
    auto framed = unsized(bytes, offset);
    if (!framed)
        return std::nullopt;
    const std::uint64_t size = length(bytes, *framed);
    if (size < 4 || size > framed->size)
        return std::nullopt;
    framed->size = static_cast<std::size_t>(size);
    return framed;
}

std::optional<Framed> Framing::unsized(ByteView bytes, std::size_t offset) const {
    if (!named_)
        return bytes.size() - offset < least_record
                   ? std::nullopt
                   : std::optional(Framed{offset + 4, bytes.size() - offset - 4});
    constexpr std::size_t longest_key = 1024;
    if (bytes.size() - offset < 4)
        return std::nullopt;
    const std::size_t size = length_at(bytes, offset, order_);
    if (size == 0 || size > longest_key || bytes.size() - offset - 4 < size + 8)
        return std::nullopt;
    const std::string_view key =
        detail::as_text(bytes.data(), bytes.size()).substr(offset + 4, size);
    const std::string_view name = setting_name(key);
    const auto is_letter = [](char c) { return static_cast<unsigned char>(c) >= ' '; };
    if (name.empty() || name.size() + 4 < key.size() || !std::ranges::all_of(name, is_letter))
        return std::nullopt;
    const std::size_t packet = offset + 8 + size;
    return Framed{packet, bytes.size() - packet, static_cast<std::uint32_t>(size)};
}

std::uint64_t Framing::length(ByteView bytes, const Framed& framed) const {
    return length_at(bytes, framed.packet - 4, order_);
}

Holed::Holed(ByteView bytes, std::span<const DamagedPart> parts, bool padded)
    : bytes_(bytes), padded_(padded) {
    for (const DamagedPart& part : parts)
        if (part.begin < bytes.size())
            (part.doubtful ? doubts_ : holes_)
                .push_back(
                    {static_cast<std::size_t>(part.begin),
                     static_cast<std::size_t>(std::min<std::uint64_t>(part.end, bytes.size()))});
}

namespace {
/// The first range that ends behind that place.
auto first_after(const std::vector<Holed::Range>& ranges, std::size_t at) {
    return std::ranges::partition_point(ranges,
                                        [&](const Holed::Range& range) { return range.end <= at; });
}
}  // namespace

std::size_t Holed::hole(std::size_t from) const noexcept {
    const auto next = first_after(holes_, from);
    return next == holes_.end() ? std::max(from, bytes_.size()) : std::max(from, next->begin);
}

std::size_t Holed::past_hole(std::size_t from) const noexcept {
    for (auto next = first_after(holes_, from); next != holes_.end() && next->begin <= from; ++next)
        from = next->end;
    return from;
}

bool Holed::doubtful(std::size_t begin, std::size_t end) const noexcept {
    const auto next = first_after(doubts_, begin);
    return next != doubts_.end() && next->begin < end;
}

bool Holed::only_padding(std::size_t from) const noexcept {
    return padded_ && from < bytes_.size() && bytes_.size() - from < 16 &&
           std::ranges::all_of(bytes_.subspan(from), [](std::byte b) { return b == std::byte{}; });
}

namespace {

/// Packets without lengths, up to a break: behind it, a value of the packet that breaks can't be
/// told from a packet. `several`: else there is only one.
Rows read_bare(const Holed& holed, bool several, const RowsOptions& options) {
    Rows out;
    const auto lose = [&](std::size_t from, std::size_t to, const Error& error, std::string path) {
        if (from < holed.size() && !holed.only_padding(from))
            out.lost.push_back(
                {from, to, error.code, in_words(error, !path.empty()), 0, std::move(path)});
    };
    std::size_t at = 0;
    do {
        const ByteView packet = holed.bytes().subspan(at, holed.hole(at) - at);
        const auto size = validate(packet, options.decoding);
        const bool ends = options.around && !several && packet.size() == holed.size();
        std::uint64_t work = ends ? work_around(packet.size()) : 0;
        auto kept = options.partial && (!size || (ends && *size < packet.size()))
                        ? kept_of(packet, work, options.decoding)
                        : std::nullopt;
        if (size && (!kept || !kept->around)) {
            out.rows.push_back({{at, *size, 0}, Recovered::whole, false});
            at += *size;
            continue;
        }
        if (!kept || !has_values(kept->packet, options.decoding)) {
            lose(at, holed.size(), size.error(), {});
            break;
        }
        std::string path = path_around(packet, *kept, options.decoding);
        lose(at + kept->begin, path.empty() ? holed.size() : at + kept->end, kept->error, path);
        out.parts.push_back(
            {out.rows.size(), kept->error, std::move(kept->packet), std::move(path)});
        out.rows.push_back({{at, packet.size(), 0}, Recovered::partial, false});
        break;
    } while (several && at < holed.size() && !holed.only_padding(at));
    if (out.rows.empty())
        return out;
    if (!several) {
        if (out.parts.empty())
            lose(at, holed.size(), Error{Errc::trailing_bytes, Type::nil, at, 0}, {});
        out.score = weigh(holed.bytes(), *options.decoding.dialect).score;
        return out;
    }
    out.each(holed.bytes(), [&](const Row&, ByteView packet, const Part*) {
        out.score += bits_of(packet, *options.decoding.dialect);
    });
    out.score += out.lost.empty() && out.parts.empty() ? nothing_left : 0;
    return out;
}

}  // namespace

Rows read_rows(const Holed& holed, InputKind kind, const RowsOptions& options) {
    if (kind == InputKind::packet || kind == InputKind::packets)
        return read_bare(holed, kind == InputKind::packets, options);
    return RowReader(holed, kind, options).read();
}

}  // namespace gdvar::recovering
