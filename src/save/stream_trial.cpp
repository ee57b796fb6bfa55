#include "save/stream_trial.hpp"

#include <algorithm>

#include "save/io.hpp"
#include "save/stream_codec.hpp"

namespace gdvar::save {
namespace {

/// The result of decoding the first bytes of a stream.
struct Trial {
    enum { ends, goes_on, is_cut, breaks } how = goes_on;
    std::uint64_t taken = 0, made = 0;  ///< bytes, up to a break
    std::uint64_t behind = 0;           ///< bytes after the end
    Errc code = Errc::ok;
};

/// More output says nothing more about the input.
constexpr std::uint64_t enough = 256u << 10;

Trial tried(Wrapping kind, ByteView start, bool all) {
    Trial out;
    auto decoder = stream_decoder(kind, OpenOptions().max_memory);
    if (!decoder)
        return {.how = Trial::breaks, .code = decoder.error()};
    std::vector<std::byte> chunk(step);
    while (out.made < enough) {
        const ByteView rest = start.subspan(static_cast<std::size_t>(out.taken));
        const auto done = (*decoder)->step(rest, chunk);
        if (!done) {
            out.how = Trial::breaks;
            out.code = done.error();
            return out;
        }
        out.taken += done->taken;
        out.made += done->made;
        if (done->ended) {
            const ByteView next = start.subspan(static_cast<std::size_t>(out.taken));
            // A part without content may be a skipped frame.
            if (out.made == 0 && continues_stream(kind, next) && (*decoder)->restart() == Errc::ok)
                continue;
            out.how = Trial::ends;
            out.behind = continues_stream(kind, next) ? 0 : next.size();
            return out;
        }
        if (done->made == 0 && done->taken == rest.size()) {
            out.how = all ? Trial::is_cut : Trial::goes_on;
            return out;
        }
        if (done->made == 0 && done->taken == 0) {
            out.how = Trial::breaks;
            out.code = Errc::bad_block;
            return out;
        }
    }
    return out;
}

struct Candidate {
    Wrapping wrapping;
    InputKind kind;
    /// The strength of the magic: `sure`, nothing else begins so; `likely`; `little`.
    enum { sure, likely, little } magic;
};

// Records begin with gzip's magic if the first has 559,903 bytes; many begin with zlib's header.
constexpr Candidate candidates[] = {
    {Wrapping::gzip, InputKind::gzip, Candidate::likely},
    {Wrapping::zstd, InputKind::zstd, Candidate::sure},
    {Wrapping::zlib, InputKind::zlib, Candidate::little},
};

std::string in_words(const Candidate& candidate, const Trial& trial) {
    const std::string name(wrapping_name(candidate.wrapping));
    const std::string at = std::to_string(trial.taken);
    switch (trial.how) {
        case Trial::ends:
            return "begins like " + name + ", and " + at + " bytes decompress to " +
                   std::to_string(trial.made) +
                   (trial.behind ? ", " + std::to_string(trial.behind) + " follow" : "");
        case Trial::goes_on:
            return "begins like " + name + ", and the first " + at + " bytes decompress";
        case Trial::is_cut:
            return "begins like " + name + ", but ends inside of it";
        default:
            return "begins like " + name + ", but breaks at byte " + at +
                   (trial.code == Errc::bad_checksum ? ": the checksum is wrong" : "");
    }
}

}  // namespace

void try_streams(ByteView start, bool all, std::vector<Reading>& certain,
                 std::vector<Reading>& maybe, std::vector<Reading>* ruled_out) {
    for (const Candidate& candidate : candidates) {
        if (!begins_stream(candidate.wrapping, start))
            continue;
        const Trial trial = tried(candidate.wrapping, start, all);
        Reading reading{.kind = candidate.kind, .reason = in_words(candidate, trial)};
        // A broken stream may also be no stream at all. More output before the break makes that
        // less likely.
        reading.whole = trial.how == Trial::goes_on || (trial.how == Trial::ends && !trial.behind);
        reading.score = static_cast<std::int64_t>(std::min<std::uint64_t>(trial.made / 16, 99));
        // LZ4 has the magic of a frame that zstd skips, too.
        const bool skipped = begins_skipped(candidate.wrapping, start);
        const auto magic = skipped ? Candidate::little : candidate.magic;
        if (magic == Candidate::sure || (trial.how == Trial::ends && (trial.made || !skipped)) ||
            (trial.how == Trial::goes_on && trial.made >= 64))
            certain.push_back(std::move(reading));
        else if (magic == Candidate::likely || reading.score)
            maybe.push_back(std::move(reading));
        else if (ruled_out)
            ruled_out->push_back(std::move(reading));
    }
}

}  // namespace gdvar::save
