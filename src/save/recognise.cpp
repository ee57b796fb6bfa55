#include "gdvar/save/recognise.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "gdvar/save/coding.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/validate.hpp"
#include "save/io.hpp"

namespace gdvar {
namespace {

using save::refuse;

/// No packet is shorter than its header, and no text of a packet shorter than that of four bytes.
constexpr std::size_t least_packet = 4;

std::expected<void, Error> to_start(Source& source, std::uint64_t skip) {
    if (auto back = source.rewind(); !back) return back;
    auto passed = source.skip(skip);
    if (!passed) return std::unexpected(passed.error());
    if (*passed < skip) return refuse(Errc::truncated, 0, skip - *passed);
    return {};
}

struct Cover {
    std::uint64_t records = 0, bytes = 0;
};

/// How many records follow each other to the very end; nothing when they do not. Only the lengths
/// are read.
std::expected<std::optional<Cover>, Error> cover(Source& source, ByteOrder order) {
    Cover cover;
    for (;;) {
        std::byte length[4];
        auto got = save::read_full(source, length);
        if (!got) return std::unexpected(got.error());
        if (*got == 0) return cover.records ? std::optional(cover) : std::nullopt;
        if (*got < sizeof length) return std::nullopt;
        auto size = detail::load<std::uint32_t>(length);
        if (order == ByteOrder::big) size = detail::byteswap(size);
        if (size < least_packet || size > 0x7FFF'FFFFu) return std::nullopt;
        auto passed = source.skip(size);
        if (!passed) return std::unexpected(passed.error());
        if (*passed < size) return std::nullopt;
        ++cover.records;
        cover.bytes += 4 + std::uint64_t{size};
    }
}

std::string count(std::uint64_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

void try_packet(ByteView bytes, std::vector<Reading>& fits) {
    const Dialect* first = nullptr;
    std::uint64_t others = 0;
    for (const Dialect* dialect : all_dialects()) {
        auto size = validate(bytes, {.dialect = dialect, .allow_objects = true});
        if (!size || *size != bytes.size()) continue;
        if (first)
            ++others;
        else
            first = dialect;
    }
    if (!first) return;
    std::string reason = "one packet of " + std::string(first->name);
    if (others) reason += " and " + count(others, "other dialect");
    fits.push_back({InputKind::packet, reason + ", nothing left"});
}

void try_text(ByteView bytes, std::vector<Reading>& fits) {
    const std::string_view text = detail::as_text(bytes.data(), bytes.size());
    if (auto raw = from_hex(text); raw && raw->size() >= least_packet)
        fits.push_back({InputKind::hex, "hex digits for " + count(raw->size(), "byte")});
    if (auto raw = from_base64(text); raw && raw->size() >= least_packet)
        fits.push_back({InputKind::base64, "Base64 for " + count(raw->size(), "byte")});
}

/// The first readings, which no size is too large for.
std::expected<void, Error> try_stream(Source& source, std::uint64_t skip,
                                      std::vector<Reading>& fits) {
    std::byte magic[4];
    if (auto start = to_start(source, skip); !start) return start;
    auto got = save::read_full(source, magic);
    if (!got) return std::unexpected(got.error());
    const std::string_view text = detail::as_text(magic, *got);
    if (text == "GDEC") fits.push_back({InputKind::gdec, "begins with GDEC: encrypted"});
    if (text == "GCPF") fits.push_back({InputKind::gcpf, "begins with GCPF: compressed"});
    if (text == "ECFG") fits.push_back({InputKind::project, "begins with ECFG: project settings"});
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        if (auto start = to_start(source, skip); !start) return start;
        auto all = cover(source, order);
        if (!all) return std::unexpected(all.error());
        if (!*all) continue;
        const bool little = order == ByteOrder::little;
        fits.push_back({little ? InputKind::records : InputKind::records_be,
                        count((*all)->records, "record") + (little ? "" : ", big-endian lengths,") +
                            ((*all)->records == 1 ? " covers the " : " cover the ") +
                            count((*all)->bytes, "byte") + " exactly"});
    }
    return {};
}

/// The readings for which all bytes have to be in memory.
std::expected<void, Error> try_loaded(Source& source, const RecogniseOptions& options,
                                      std::vector<Reading>& fits) {
    const auto size = source.size();
    if (size && *size - std::min(*size, options.skip) > options.max_load) return {};
    if (auto start = to_start(source, options.skip); !start) return start;
    auto bytes = read_all(source, options.max_load);
    if (bytes) {
        try_packet(*bytes, fits);
        try_text(*bytes, fits);
    } else if (bytes.error().code != Errc::size_limit) {
        return std::unexpected(bytes.error());
    }
    return {};
}

}  // namespace

std::string_view input_kind_name(InputKind kind) noexcept {
    constexpr std::string_view names[] = {"gdec",   "gcpf", "project", "records", "records-be",
                                          "packet", "hex",  "base64",  "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::expected<std::vector<Reading>, Error> recognise(Source& source,
                                                     const RecogniseOptions& options) try {
    std::vector<Reading> fits;
    if (auto tried = try_stream(source, options.skip, fits); !tried)
        return std::unexpected(tried.error());
    if (options.all || fits.empty())
        if (auto loaded = try_loaded(source, options, fits); !loaded)
            return std::unexpected(loaded.error());
    if (auto back = source.rewind(); !back) return std::unexpected(back.error());
    return fits;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::vector<InputKind> recognise(ByteView bytes) {
    MemorySource source(bytes);
    std::vector<InputKind> kinds;
    if (auto fits = recognise(source))
        for (const Reading& reading : *fits) kinds.push_back(reading.kind);
    return kinds;
}

}  // namespace gdvar
