#include "gdvar/inspect/guess.hpp"

#include <algorithm>
#include <utility>

#include "base/coding.hpp"
#include "gdvar/wire/evidence.hpp"

namespace gdvar::inspect {
namespace {

Candidate try_dialect(const Dialect& dialect, std::span<const ByteView> packets, bool cut) {
    Candidate out;
    out.dialect = &dialect;
    out.fits = true;
    // Packets after a broken one count, too: each record starts anew.
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const Evidence evidence =
            weigh(packets[i], dialect, {.cut = cut && i + 1 == packets.size()});
        out.score += evidence.score;
        out.oddities += evidence.oddities;
        if (evidence.whole || !std::exchange(out.fits, false))
            continue;
        out.packet = i;
        out.error = evidence.error;
    }
    const std::string name(dialect.name);
    if (out.fits) {
        out.reason = "decodes as " + name + " with nothing left";
        if (out.oddities)
            out.reason += ", but holds " + std::to_string(out.oddities) +
                          (out.oddities == 1 ? " thing" : " things") +
                          " that its engines do not write";
    } else {
        out.reason = "as " + name + " fails";
        if (packets.size() > 1)
            out.reason += " in packet #" + std::to_string(out.packet);
        out.reason += " at " + detail::hex_number(out.error.offset) + ": " +
                      (out.error.code == Errc::trailing_bytes
                           ? std::to_string(packets[out.packet].size() - out.error.offset) +
                                 " bytes left over"
                           : to_string(out.error));
    }
    return out;
}

/// True if an engine of the dialect may have written the packets, as far as known.
bool may_be(const Dialect& dialect, std::optional<bool> godot_4) {
    return !godot_4 || *godot_4 == is_godot_4(dialect.family);
}

}  // namespace

Guess guess_dialect(std::span<const ByteView> packets, const GuessOptions& options) {
    Guess guess;
    const Candidate *fitting = nullptr, *likely = nullptr;
    std::size_t count = 0;
    for (const Dialect* dialect : all_dialects())
        if (!dialect->documented)
            guess.candidates.push_back(try_dialect(*dialect, packets, options.cut));
    const bool known = std::ranges::any_of(guess.candidates, [&](const Candidate& candidate) {
        return candidate.fits && may_be(*candidate.dialect, options.godot_4);
    });
    for (const Candidate& candidate : guess.candidates) {
        if (known && !may_be(*candidate.dialect, options.godot_4))
            continue;
        if (!likely || candidate.score > likely->score)
            likely = &candidate;
        if (!candidate.fits)
            continue;
        ++count;
        if (!fitting || candidate.score > fitting->score)
            fitting = &candidate;
    }
    if (fitting)
        guess.dialect = fitting->dialect;
    // A reading that fits by chance, such as a few meaningless numbers, or a typed Array of what
    // its type does not take, says less than a long part that is valid up to one damaged byte.
    constexpr std::int64_t much = 64;
    const bool by_chance = fitting && likely->score > std::max<std::int64_t>(fitting->score, 0) &&
                           (fitting->score < 0 || (fitting->oddities && !likely->oddities));
    if (fitting && !by_chance && likely->score < fitting->score + much)
        likely = fitting;
    if (likely && (likely->fits || likely->score > 0))
        guess.likely = likely->dialect;
    guess.ambiguous = count > 1;
    return guess;
}

}  // namespace gdvar::inspect
