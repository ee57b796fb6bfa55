#include "save/packet_trial.hpp"

#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/evidence.hpp"
#include "gdvar/wire/frame.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::save {
namespace {

constexpr std::size_t long_packet = 8;  ///< shorter ones may be numbers by chance
constexpr std::size_t least_header = 1, most_header = 64;
constexpr std::size_t sure_bytes = 32;  ///< of packets, which no chance writes
constexpr std::size_t most_bare = 1
                                  << 20;  ///< bytes in which a packet without length is looked for

/// Some packets, as one dialect reads them.
struct Run {
    std::uint64_t packets = 0, bytes = 0;
    std::int64_t score = 0;
};

/// Adds a packet, if the dialect's engines write exactly these bytes.
bool add_written(Run& run, ByteView packet, const Dialect& dialect) {
    const DecodeOptions strict{.dialect = &dialect, .allow_objects = true, .strict = true};
    if (!validate(packet, strict))
        return false;
    const Evidence evidence = weigh(packet, dialect);
    ++run.packets;
    run.bytes += packet.size();
    run.score += evidence.score;
    return evidence.oddities == 0;
}

/// All bytes as packets without lengths.
std::optional<Run> packets_of(ByteView bytes, const Dialect& dialect) {
    const DecodeOptions lenient{.dialect = &dialect, .allow_objects = true};
    Run run;
    std::uint64_t in_short = 0;
    for (ByteView rest = bytes; !rest.empty();) {
        const auto size = validate(rest, lenient);
        if (!size || !add_written(run, rest.first(*size), dialect))
            return std::nullopt;
        in_short += *size > long_packet ? 0 : *size;
        if (in_short > bytes.size() / 2)
            return std::nullopt;
        rest = rest.subspan(*size);
    }
    return run;
}

/// All bytes as records.
std::optional<Run> records_of(ByteView bytes, ByteOrder order, const Dialect& dialect) {
    Run run;
    for (ByteView rest = bytes; !rest.empty();) {
        const auto frame = read_frame(rest, order);
        if (!frame || !add_written(run, frame->packet, dialect))
            return std::nullopt;
        rest = rest.subspan(frame->size);
    }
    return run;
}

/// Whether lengths lead from the start to the end.
bool covers(ByteView bytes, ByteOrder order) {
    while (!bytes.empty()) {
        const auto frame = read_frame(bytes, order);
        if (!frame)
            return false;
        bytes = bytes.subspan(frame->size);
    }
    return true;
}

/// What follows a header, if that is certain.
std::optional<Reading> certain_reading(ByteView bytes) {
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        if (!covers(bytes, order))
            continue;
        for (const Dialect* dialect : all_dialects()) {
            const auto run =
                dialect->documented ? std::nullopt : records_of(bytes, order, *dialect);
            if (run && (run->packets > 1 || run->bytes >= sure_bytes))
                return Reading{
                    .kind = order == ByteOrder::little ? InputKind::records : InputKind::records_be,
                    .reason = run->packets == 1 ? "1 record follows"
                                                : std::to_string(run->packets) + " records follow"};
        }
    }
    if (bytes.size() < sure_bytes || bytes.size() > most_bare)
        return std::nullopt;
    for (const Dialect* dialect : all_dialects())
        if (Run run; !dialect->documented && add_written(run, bytes, *dialect))
            return Reading{.kind = InputKind::packet, .reason = "one packet follows"};
    return std::nullopt;
}

}  // namespace

void try_packets(ByteView bytes, std::vector<Reading>& fits) {
    const Dialect* best = nullptr;
    Run top;
    for (const Dialect* dialect : all_dialects()) {
        const auto run = dialect->documented ? std::nullopt : packets_of(bytes, *dialect);
        if (!run || run->packets < 2 || (best && run->score <= top.score))
            continue;
        best = dialect;
        top = *run;
    }
    if (best)
        fits.push_back({.kind = InputKind::packets,
                        .reason = std::to_string(top.packets) + " packets of " +
                                  std::string(best->name) + " without lengths",
                        .score = top.score});
}

std::optional<Reading> behind_header(ByteView bytes) {
    for (std::size_t header = least_header; header <= most_header && header < bytes.size();
         ++header) {
        auto found = certain_reading(bytes.subspan(header));
        if (!found)
            continue;
        found->reason +=
            " a header of " + std::to_string(header) + (header == 1 ? " byte" : " bytes");
        found->whole = false;
        found->header = header;
        return found;
    }
    return std::nullopt;
}

}  // namespace gdvar::save
