// The hash of a text, for the indexes of Dictionaries.
// Room: value, private.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace gdvar::detail {

/// Every byte of the text has a say in every bit: what keys differ in, "item_1041" and "item_1042",
/// mostly stands at their end. Good keys are spread; who chooses them can still make them meet, so
/// indexes count their probes. `seed` is not to be foreseen.
inline std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed) noexcept {
    const char* p = text.data();
    const std::size_t n = text.size();
    std::uint64_t hash = seed ^ n * 0x9E37'79B9'7F4A'7C15u;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0xBF58'476D'1CE4'E5B9u;
        hash ^= hash >> 32;
    };
    const auto word = [](const char* from) {
        std::uint64_t out;
        std::memcpy(&out, from, 8);
        return out;
    };
    if (n >= 8) {
        for (std::size_t i = 0; i + 8 <= n; i += 8)
            mix(word(p + i));
        if (n % 8)
            mix(word(p + n - 8));
    } else if (n >= 4) {
        std::uint32_t ends[2];
        std::memcpy(&ends[0], p, 4);
        std::memcpy(&ends[1], p + n - 4, 4);
        mix(std::uint64_t{ends[1]} << 32 | ends[0]);
    } else if (n) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(p[i]); };
        mix(std::uint64_t{byte(0)} | std::uint64_t{byte(n / 2)} << 8 |
            std::uint64_t{byte(n - 1)} << 16);
    }
    // The end of Stafford's 13th mix.
    hash = (hash ^ hash >> 30) * 0xBF58'476D'1CE4'E5B9u;
    hash = (hash ^ hash >> 27) * 0x94D0'49BB'1331'11EBu;
    return hash ^ hash >> 31;
}

}  // namespace gdvar::detail
