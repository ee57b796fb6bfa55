#include "gdvar/save/recognise.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/pack.hpp"
#include "gdvar/save/size_in_front.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/frame.hpp"
#include "save/foreign.hpp"
#include "save/io.hpp"
#include "save/packet_trial.hpp"
#include "save/printed_bytes.hpp"
#include "save/read_ahead.hpp"
#include "save/stream_trial.hpp"

namespace gdvar {
namespace {

using save::refuse;

/// The shortest packet is a header, and no text of a packet is shorter.
constexpr std::size_t least_packet = 4;

/// How far records follow each other. Only the lengths are read. `left`: the remaining bytes, if
/// known; a length beyond them is not followed.
struct Cover {
    std::uint64_t records = 0, bytes = 0;
    bool exact = false;        ///< to the very end
    std::uint64_t wanted = 0;  ///< length of the incomplete record
};

std::expected<Cover, FileError> cover(Source& source, ByteOrder order, std::uint64_t left) {
    Cover cover;
    for (;;) {
        std::byte length[4];
        auto got = save::read_full(source, length);
        if (!got)
            return std::unexpected(got.error());
        cover.exact = *got == 0 && cover.records;
        if (*got < sizeof length)
            return cover;
        auto size = detail::load<std::uint32_t>(length);
        if (order == ByteOrder::big)
            size = detail::byteswap(size);
        if (size < least_packet || size > 0x7FFF'FFFFu)
            return cover;
        cover.wanted = size;
        if (size + std::uint64_t{4} > left - cover.bytes)
            return cover;
        auto passed = source.skip(size);
        if (!passed)
            return std::unexpected(passed.error());
        if (*passed < size)
            return cover;
        cover.wanted = 0;
        ++cover.records;
        cover.bytes += 4 + std::uint64_t{size};
    }
}

std::string count(std::uint64_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

/// The first bytes of the input: enough for everything except its end.
struct Sample {
    std::vector<std::byte> bytes;
    bool all = false;  ///< these are all the bytes
};

template <class Weigh>
Evidence best_dialect(Weigh&& weigh_as, const Dialect*& best, std::uint64_t* whole = nullptr) {
    Evidence top;
    best = nullptr;
    for (const Dialect* dialect : all_dialects()) {
        if (dialect->documented)
            continue;
        const Evidence evidence = weigh_as(*dialect);
        if (whole)
            *whole += evidence.whole;
        const bool better =
            evidence.whole != top.whole ? evidence.whole : evidence.score > top.score;
        if (best && !better)
            continue;
        best = dialect;
        top = evidence;
    }
    return top;
}

Evidence weigh_records(const Sample& sample, const Dialect& dialect, ByteOrder order) {
    Evidence sum;
    std::uint64_t values = 1 << 16;
    const ByteView bytes = sample.bytes;
    for (std::size_t at = 0; at + 8 <= bytes.size() && values;) {
        auto size = detail::load<std::uint32_t>(bytes.data() + at);
        if (order == ByteOrder::big)
            size = detail::byteswap(size);
        if (size < least_packet || size > 0x7FFF'FFFFu)
            break;
        const std::size_t there = std::min<std::size_t>(size, bytes.size() - at - 4);
        const Evidence one =
            weigh(bytes.subspan(at + 4, there), dialect,
                  {.cut = there < size, .follows = size - there, .max_values = values});
        sum.score += one.score;
        sum.read += one.read;
        values -= std::min<std::uint64_t>(values, 1 + one.read / 8);
        at += 4 + std::size_t{size};
    }
    return sum;
}

// Scores for the end of the input, added to the Evidence of each packet.
constexpr int covers_exactly = 48, each_record = 8, breaks_off = -24;
constexpr std::uint64_t records_that_count = 32;
/// The least score of records with an incomplete end. One header and a few lengths reach it.
constexpr std::int64_t plausible = 24;
/// Records that cover the bytes and hold whole packets exclude other readings.
constexpr std::int64_t certain = 100;

std::expected<void, FileError> try_records(Source& source, std::uint64_t skip, const Sample& sample,
                                           ByteOrder order, std::vector<Reading>& fits) {
    if (auto start = save::go_to(source, skip); !start)
        return start;
    const std::uint64_t left = source.size().value_or(UINT64_MAX) - skip;
    save::ReadAhead ahead(source);
    auto all = cover(ahead, order, left);
    if (!all) {
        // Perhaps only the bytes read ahead are damaged.
        if (auto start = save::go_to(source, skip); !start)
            return start;
        all = cover(source, order, left);
    }
    if (!all)
        return std::unexpected(all.error());
    const Dialect* dialect = nullptr;
    const Evidence evidence =
        best_dialect([&](const Dialect& as) { return weigh_records(sample, as, order); }, dialect);
    Reading out{order == ByteOrder::little ? InputKind::records : InputKind::records_be, ""};
    out.whole = all->exact;
    out.score = evidence.score + (all->exact ? covers_exactly : breaks_off) +
                each_record * static_cast<int>(std::min(all->records, records_that_count));
    if (!out.whole && out.score < plausible)
        return {};
    // If the first record is incomplete, the bytes do not show the length's byte order: the smaller
    // length is likelier.
    const auto wanted = static_cast<std::uint32_t>(all->wanted);
    if (!all->records && detail::byteswap(wanted) < wanted)
        return {};
    const char* how = order == ByteOrder::little ? "" : ", big-endian lengths,";
    if (all->exact)
        out.reason = count(all->records, "record") + how +
                     (all->records == 1 ? " covers the " : " cover the ") +
                     count(all->bytes, "byte") + " exactly";
    else
        out.reason = (all->records ? count(all->records, "record") + how + " and a break at byte " +
                                         std::to_string(skip + all->bytes)
                                   : std::string("part of a record") + how) +
                     " as " + std::string(dialect->name) + " has them";
    fits.push_back(std::move(out));
    return {};
}

/// Loads all bytes. Nothing if there are more than may be loaded.
std::expected<std::optional<std::vector<std::byte>>, FileError> load(
    Source& source, const RecogniseOptions& options) {
    if (auto start = save::go_to(source, options.skip); !start)
        return std::unexpected(start.error());
    auto all = read_all(source, options.max_load);
    if (!all && all.error().code == Errc::size_limit)
        return std::nullopt;
    if (!all)
        return std::unexpected(all.error());
    return *std::move(all);
}

std::expected<void, FileError> try_packet(Source& source, const Sample& sample,
                                          const RecogniseOptions& options,
                                          std::vector<Reading>& fits) {
    const Dialect* best = nullptr;
    std::uint64_t whole = 0;
    std::vector<std::byte> loaded;
    ByteView bytes = sample.bytes;
    const std::uint64_t size =
        source.size() ? *source.size() - std::min(*source.size(), options.skip) : UINT64_MAX;
    const WeighOptions start{.cut = !sample.all, .follows = size - bytes.size()};
    Evidence evidence =
        best_dialect([&](const Dialect& as) { return weigh(bytes, as, start); }, best, &whole);
    const bool loads = size == UINT64_MAX || size <= options.max_load;
    if (!sample.all && evidence.score > 0 && loads) {
        auto everything = load(source, options);
        if (!everything)
            return std::unexpected(everything.error());
        if (*everything) {
            loaded = **std::move(everything);
            bytes = loaded;
            whole = 0;
            evidence =
                best_dialect([&](const Dialect& as) { return weigh(bytes, as); }, best, &whole);
        }
    }
    // A text has no NUL: with one it is a number, and a record of that dialect.
    if (whole && save::is_number_and_records(bytes))
        whole = 0;
    if (!whole && (sample.all || !loaded.empty()))
        save::try_packets(bytes, fits);
    if (!whole && evidence.score <= 0)
        return {};
    Reading out{InputKind::packet, "one packet of " + std::string(best->name)};
    out.whole = whole != 0;
    out.score = evidence.score;
    if (whole > 1)
        out.reason += " and " + count(whole - 1, "other dialect");
    if (whole)
        out.reason += ", nothing left";
    else
        out.reason += ", plausible up to byte " + std::to_string(options.skip + evidence.read);
    fits.push_back(std::move(out));
    return {};
}

/// A way to encode bytes as text.
struct Coding {
    InputKind kind;
    const char* what;
    std::expected<DigitText, TextError> (*decode)(std::string_view text, std::uint64_t most);
};
template <DigitForm::Digits digits>
std::expected<DigitText, TextError> from_digits(std::string_view text, std::uint64_t) {
    return read_digits(text, digits);
}
constexpr Coding codings[] = {
    {InputKind::hex, "hex digits for ", from_digits<DigitForm::Digits::hex>},
    {InputKind::base64, "Base64 for ", from_digits<DigitForm::Digits::base64>},
    {InputKind::byte_text, "printed: ", read_printed_bytes},
};

/// The bytes of a text, up to the first invalid character.
struct Decoding {
    DigitText read{};
    std::optional<TextError> wrong{};
};

Decoding decoded(const Coding& coding, std::string_view text, std::uint64_t most) {
    auto read = coding.decode(text, most);
    Decoding out;
    if (!read)
        out.wrong = read.error();
    for (int digit = 0; !read && digit < 4; ++digit) {
        // The last group of digits may be incomplete.
        const auto good =
            std::min<std::size_t>(static_cast<std::size_t>(read.error().offset), text.size());
        if (good < 8 || good < text.size() / 2)
            return out;
        text = text.substr(0, digit && good == text.size() ? good - 1 : good);
        read = coding.decode(text, most);
    }
    if (read)
        out.read = *std::move(read);
    return out;
}

std::expected<std::vector<Reading>, FileError> readings_of(Source& source,
                                                           const RecogniseOptions& options,
                                                           bool may_be_text);

/// True for a packet without bits that no engine sets; digests have some by chance.
bool is_plain_packet(ByteView bytes) {
    return std::ranges::any_of(all_dialects(), [&](const Dialect* dialect) {
        const Evidence evidence = weigh(bytes, *dialect);
        return !dialect->documented && evidence.score > 0 && evidence.oddities == 0;
    });
}

/// A packet of so many bytes is not a number or word by chance.
constexpr std::size_t least_as_text = 12;

/// True if decoded digits are a layer, records, or a packet that no number is by chance.
bool is_worth_decoding(std::span<const Reading> readings, ByteView bytes,
                       const RecogniseOptions& options) {
    if (readings.empty())
        return false;
    switch (readings[0].kind) {
        case InputKind::foreign:
            return false;
        case InputKind::packet:
            return options.packets_as_text && bytes.size() >= least_as_text &&
                   is_plain_packet(bytes);
        case InputKind::packets:
        case InputKind::records:
        case InputKind::records_be:
            return options.packets_as_text;
        default:
            return true;
    }
}

/// True for a container that opens to its end.
bool opens(ByteView bytes, InputKind kind) {
    MemorySource source(bytes);
    const auto inner =
        open_container(source, {.kind = kind == InputKind::zlib ? Wrapping::zlib : Wrapping::none});
    return inner && (*inner)->skip(UINT64_MAX) && (*inner)->trailing() == 0;
}

/// True for bytes that no list of numbers is by chance. The list is JSON, too.
bool is_no_list(const Reading& reading, ByteView bytes) {
    if (!reading.whole)
        return false;
    switch (reading.kind) {
        case InputKind::gcpf:
        case InputKind::gzip:
        case InputKind::zlib:
        case InputKind::zstd:
            return opens(bytes, reading.kind);
        case InputKind::packet:
        case InputKind::records:
        case InputKind::records_be:
            return save::hold_containers(bytes, reading.kind);
        default:
            return false;
    }
}

/// A reading of the bytes that a text encodes. Numbers and words are often valid digits: then none.
std::optional<Reading> reading_inside(InputKind kind, const Decoding& text,
                                      const RecogniseOptions& options) {
    const ByteView bytes = text.read.bytes;
    if (bytes.size() < (kind == InputKind::byte_text ? least_as_text : least_packet))
        return std::nullopt;
    // Text inside text is not decoded: hex in Base64 in hex could go on for long.
    MemorySource inner(bytes);
    const auto readings = readings_of(inner, {}, false);
    if (!readings || !is_worth_decoding(*readings, bytes, options))
        return std::nullopt;
    Reading out = readings->front();
    out.whole = out.whole && !text.wrong;
    return out;
}

/// Tries one coding. A text that encodes another text goes to `of_text`.
void try_coding(const Coding& coding, std::string_view text, const RecogniseOptions& options,
                std::vector<Reading>& fits, std::vector<Reading>& of_text) {
    const Decoding all = decoded(coding, text, options.max_load);
    const ByteView bytes = all.read.bytes;
    const bool list = all.read.form.digits == DigitForm::Digits::decimal;
    const auto inside = reading_inside(coding.kind, all, options);
    Reading out{.kind = coding.kind, .reason = coding.what + count(bytes.size(), "byte")};
    if (inside && (!list || is_no_list(*inside, bytes))) {
        out.whole = inside->whole;
        out.score = inside->score;
        return fits.push_back(std::move(out));
    }
    const bool whole = !all.wrong && bytes.size() >= least_packet;
    if (whole && !list && save::is_text(bytes)) {
        out.reason += " of text";
        return of_text.push_back(std::move(out));
    }
    // Every text is invalid somewhere as bytes: the place is reported only for prints and dumps.
    if (all.wrong && coding.kind == InputKind::byte_text &&
        (all.wrong->code == Errc::truncated || save::has_offsets(text)))
        out.reason = to_string(*all.wrong);
    else if (whole && inside)
        out.reason += ", but the list is JSON, too; --as byte-text reads them";
    else if (whole && !list)
        out.reason += ", but of nothing that is known";
    else
        return;
    if (options.ruled_out)
        options.ruled_out->push_back(std::move(out));
}

/// Possible readings of text: digits that encode bytes, else a foreign text.
std::expected<void, FileError> try_text(Source& source, const Sample& sample,
                                        const RecogniseOptions& options,
                                        std::vector<Reading>& fits) {
    std::vector<std::byte> loaded;
    if (!sample.all) {
        auto everything = load(source, options);
        if (!everything)
            return std::unexpected(everything.error());
        loaded = (*std::move(everything)).value_or(std::vector<std::byte>());
    }
    const ByteView bytes = sample.all ? sample.bytes : loaded;
    const std::string_view text = detail::as_text(bytes.data(), bytes.size());
    std::vector<Reading> of_text;
    for (const Coding& coding : codings)
        if (options.printed_bytes || coding.kind != InputKind::byte_text)
            try_coding(coding, text, options, fits, of_text);
    if (fits.empty()) {
        fits.push_back(save::foreign_text(text));
        std::ranges::move(of_text, std::back_inserter(fits));
    }
    return {};
}

std::optional<Reading> own_magic(ByteView start) {
    const std::string_view text = detail::as_text(start.data(), start.size()).substr(0, 4);
    if (text == "GDEC")
        return Reading{InputKind::gdec, "begins with GDEC: encrypted"};
    if (text == "GCPF")
        return Reading{InputKind::gcpf, "begins with GCPF: compressed"};
    if (text == "ECFG")
        return Reading{InputKind::project, "begins with ECFG: project settings"};
    if (text == "RSRC")
        return Reading{InputKind::binary_resource, "begins with RSRC: a binary resource"};
    if (text == "RSCC")
        return Reading{InputKind::binary_resource,
                       "begins with RSCC: a compressed binary resource"};
    return std::nullopt;
}

/// A pack, at the start or at the end. `start`: the first bytes.
std::expected<std::optional<Reading>, FileError> try_pack(Source& source, ByteView start,
                                                          const RecogniseOptions& options) {
    const std::string_view magic = detail::as_text(start.data(), start.size()).substr(0, 4);
    if (!options.at_end && magic != "GDPC" && magic != "PEPC")
        return std::nullopt;
    const auto place = find_pack(source, options.skip);
    if (!place && place.error().code != Errc::io && place.error().code != Errc::no_memory)
        return std::nullopt;  // the source is damaged before its end
    if (!place)
        return std::unexpected(place.error());
    if (!*place)
        return std::nullopt;
    Reading out{.kind = InputKind::pack,
                .reason = "begins with the magic of a pack",
                .foreign = "a pack of a Godot game (PCK)"};
    if ((*place)->embedded)
        out.reason = "ends with a pack, which begins at byte " + std::to_string((*place)->offset);
    return out;
}

std::expected<Sample, FileError> take_sample(Source& source, const RecogniseOptions& options) {
    constexpr std::uint64_t most = 1 << 20;
    if (auto start = save::go_to(source, options.skip); !start)
        return std::unexpected(start.error());
    Sample sample;
    if (auto read = save::read_up_to(source, std::min(most, options.max_load), sample.bytes); !read)
        return std::unexpected(read.error());
    std::byte more[1];
    auto got = save::read_full(source, more);
    if (!got)
        return std::unexpected(got.error());
    sample.all = *got == 0;
    return sample;
}

/// A length and a text of that length, to the end: `store_pascal_string`. No record is text, since
/// a packet's header holds zeros.
std::expected<void, FileError> try_pascal(Source& source, const Sample& sample,
                                          const RecogniseOptions& options,
                                          std::vector<Reading>& fits) {
    constexpr std::size_t head = 4;
    ByteView bytes = sample.bytes;
    if (bytes.size() <= head || !save::is_text(bytes.subspan(head)))
        return {};
    const auto length = detail::load<std::uint32_t>(bytes.data());
    const auto size = source.size();
    if (size && *size - std::min(*size, options.skip) != std::uint64_t{head} + length)
        return {};
    std::vector<std::byte> loaded;
    if (!sample.all) {
        auto everything = load(source, options);
        if (!everything)
            return std::unexpected(everything.error());
        loaded = (*std::move(everything)).value_or(std::vector<std::byte>());
        bytes = loaded;
    }
    if (bytes.size() > head && bytes.size() - head == length && save::is_text(bytes.subspan(head)))
        fits.push_back({.kind = InputKind::pascal,
                        .reason = "a length, and a text of " + count(length, "byte")});
    return {};
}

/// A size in front of a container. Its first bytes may look like a foreign magic.
std::expected<std::optional<Reading>, FileError> try_size(Source& source,
                                                          const RecogniseOptions& options) {
    const auto form = find_size(source, options.skip, options.max_load);
    if (!form)
        return std::unexpected(form.error());
    if (!*form)
        return std::nullopt;
    const bool big = (*form)->order == ByteOrder::big;
    return Reading{.kind = InputKind::size,
                   .reason = count((*form)->width, "byte") +
                             (big ? ", big-endian, with" : " with") + " the size of " +
                             ((*form)->unpacked ? "what the layer behind them holds"
                                                : "the layer behind them")};
}

std::expected<std::vector<Reading>, FileError> readings_of(Source& source,
                                                           const RecogniseOptions& options,
                                                           bool may_be_text) {
    std::vector<Reading> fits;
    const auto sample = take_sample(source, options);
    if (!sample)
        return std::unexpected(sample.error());
    if (sample->bytes.empty())
        return fits;
    auto pack = try_pack(source, sample->bytes, options);
    if (!pack)
        return std::unexpected(pack.error());
    if (*pack) {
        fits.push_back(**std::move(pack));
        return fits;
    }
    std::vector<Reading> binary;
    for (const auto& magic : {own_magic(sample->bytes), save::foreign_magic(sample->bytes)})
        if (magic)
            fits.push_back(*magic);
    if (fits.empty() || fits[0].kind == InputKind::foreign) {
        auto size = try_size(source, options);
        if (!size)
            return std::unexpected(size.error());
        if (*size)
            return std::vector{**std::move(size)};
    }
    save::try_streams(sample->bytes, sample->all, fits, binary, options.ruled_out);
    if (!fits.empty() && (!options.all || fits[0].kind == InputKind::foreign))
        return fits;
    const bool is_text = save::is_text(sample->bytes);
    if (fits.empty() && !is_text)
        if (auto tried = try_pascal(source, *sample, options, fits); !tried)
            return std::unexpected(tried.error());
    if (!fits.empty() && fits[0].kind == InputKind::pascal)
        return fits;
    if (fits.empty() && is_text) {
        if (!may_be_text)
            return fits;
        if (auto tried = try_text(source, *sample, options, fits); !tried)
            return std::unexpected(tried.error());
    } else {
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
            if (auto tried = try_records(source, options.skip, *sample, order, binary); !tried)
                return std::unexpected(tried.error());
        // Certain readings come first, whether or not more are tried.
        const bool covered = !binary.empty() && binary[0].whole && binary[0].score >= certain;
        if (options.all || !covered)
            if (auto tried = try_packet(source, *sample, options, binary); !tried)
                return std::unexpected(tried.error());
        detail::sort(std::span(binary).subspan(covered ? 1 : 0),
                     [](const Reading& a, const Reading& b) {
                         return a.score != b.score ? a.score > b.score : a.kind < b.kind;
                     });
        std::ranges::move(binary, std::back_inserter(fits));
        // If no reading takes all bytes, the game's own header may precede them.
        if (options.ruled_out && std::ranges::none_of(fits, &Reading::whole))
            if (auto found = save::behind_header(sample->bytes, !sample->all))
                options.ruled_out->push_back(*std::move(found));
    }
    return fits;
}

}  // namespace

std::string_view input_kind_name(InputKind kind) noexcept {
    constexpr std::string_view names[] = {
        "gdec",    "gcpf",       "gzip",    "zlib",     "deflate",
        "zstd",    "brotli",     "project", "records",  "records-be",
        "packet",  "packets",    "hex",     "base64",   "byte-text",
        "pascal",  "size",       "config",  "resource", "binary-resource",
        "json",    "json-lines", "text",    "pack",     "browser-files",
        "foreign", "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::expected<std::vector<Reading>, FileError> recognise(
    Source& source, const RecogniseOptions& options) GDVAR_TRY {
    auto fits = readings_of(source, options, true);
    if (!fits)
        return fits;
    if (auto back = source.rewind(); !back)
        return std::unexpected(back.error());
    return fits;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

Error not_recognised(std::span<const Reading> readings, bool empty) noexcept {
    const Error error{Errc::not_recognised};
    if (empty)
        return error.about_reason("the input is empty");
    if (!readings.empty() && readings[0].foreign)
        return error.about_input(readings[0].foreign);
    return error.about_reason("neither records, nor a packet of a known dialect, nor text of one");
}

std::vector<InputKind> recognise(ByteView bytes) {
    MemorySource source(bytes);
    std::vector<InputKind> kinds;
    if (auto fits = recognise(source))
        for (const Reading& reading : *fits)
            if (reading.kind != InputKind::foreign)
                kinds.push_back(reading.kind);
    return kinds;
}

}  // namespace gdvar
