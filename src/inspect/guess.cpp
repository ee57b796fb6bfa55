#include "gdvar/inspect/guess.hpp"

#include <charconv>

namespace gdvar {
namespace {

/// Counts what engines do not write.
struct OddityCounter : NullSink {
    std::size_t count = 0;
    void quirk(Quirk quirk, std::size_t) {
        // Garbage in padding is what most engines leave; it tells nothing.
        const Errc strict = quirk_info(quirk).strict;
        count += strict != Errc::ok && strict != Errc::nonzero_padding;
    }
};

std::string hex(std::uint64_t value) {
    char text[20];
    return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

Candidate try_dialect(const Dialect& dialect, std::span<const ByteView> packets) {
    Candidate out;
    out.dialect = &dialect;
    out.fits = true;
    OddityCounter counter;
    const DecodeOptions options{.dialect = &dialect, .allow_objects = true};
    for (std::size_t i = 0; i < packets.size() && out.fits; ++i) {
        auto size = read(packets[i], options, counter);
        if (size && *size == packets[i].size()) continue;
        out.fits = false;
        out.packet = i;
        out.error = size ? Error{Errc::trailing_bytes, Type::nil, *size, 0} : size.error();
    }
    out.oddities = counter.count;
    const std::string name(dialect.name);
    if (out.fits) {
        out.reason = "decodes as " + name + " with nothing left";
        if (out.oddities) out.reason += ", but holds " + std::to_string(out.oddities) +
                                        (out.oddities == 1 ? " thing" : " things") +
                                        " that its engines do not write";
    } else {
        out.reason = "as " + name + " fails";
        if (packets.size() > 1) out.reason += " in packet #" + std::to_string(out.packet);
        out.reason += " at " + hex(out.error.offset) + ": " +
                      (out.error.code == Errc::trailing_bytes
                           ? std::to_string(packets[out.packet].size() - out.error.offset) +
                                 " bytes left over"
                           : to_string(out.error));
    }
    return out;
}

}  // namespace

Guess guess_dialect(std::span<const ByteView> packets) {
    Guess guess;
    const Candidate* best = nullptr;
    std::size_t fitting = 0;
    for (const Dialect* dialect : all_dialects())
        if (!dialect->documented) guess.candidates.push_back(try_dialect(*dialect, packets));
    for (const Candidate& candidate : guess.candidates) {
        if (!candidate.fits) continue;
        ++fitting;
        if (!best || (best->oddities && !candidate.oddities)) best = &candidate;
    }
    if (best) guess.dialect = best->dialect;
    guess.ambiguous = fitting > 1;
    return guess;
}

}  // namespace gdvar
