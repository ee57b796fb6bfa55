// Finds, by blocks, the few bytes of a text that are not copied unchanged.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "gdvar/base/bytes.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gdvar::detail {

/// Loads up to eight bytes, the first one lowest, with zeros behind them.
inline std::uint64_t load_some(const char* p, std::size_t n) noexcept {
    const auto* bytes = reinterpret_cast<const std::byte*>(p);
    if (n >= 8)
        return load<std::uint64_t>(bytes);
    if (n >= 4)
        return load<std::uint32_t>(bytes) | std::uint64_t{load<std::uint32_t>(bytes + n - 4)}
                                                << 8 * (n - 4);
    if (n == 0)
        return 0;
    const auto at = [=](std::size_t i) {
        return std::uint64_t{static_cast<unsigned char>(p[i])} << 8 * i;
    };
    return at(0) | at(n / 2) | at(n - 1);
}

/// The set of bytes: those below `Low`, and `Others`.
template <unsigned char Low, char... Others>
struct SpecialBytes {
    static constexpr bool has(char c) noexcept {
        return static_cast<unsigned char>(c) < Low || ((c == Others) || ...);
    }

    /// The first position from `at` on; the text's size if there is none.
    static std::size_t find(std::string_view text, std::size_t at) noexcept {
        const std::size_t size = text.size();
        for (; size - at >= block; at += block)
            if (const std::size_t first = in_block(text.data() + at); first < block)
                return at + first;
        if (const std::size_t rest = size - at; rest && size >= block)
            return at + in_last(text.data() + size - block, block - rest);
        return at + in_rest(text.data() + at, size - at);
    }

private:
    static constexpr std::uint64_t ones = 0x0101'0101'0101'0101u, highs = 0x8080'8080'8080'8080u;
    static constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept {
        return (word - ones) & ~word & highs;
    }
    /// The first position in a word whose first byte is the lowest; 8 if there is none.
    static constexpr std::size_t in_word(std::uint64_t word) noexcept {
        // Beyond the first match the sums may be wrong.
        const std::uint64_t found = (((word - ones * Low) & ~word & highs) | ... |
                                     zero_bytes(word ^ ones * static_cast<unsigned char>(Others)));
        return static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }

#if defined(__SSE2__)
    static constexpr std::size_t block = 16;
    static unsigned bits_of(__m128i bytes) noexcept {
        // Saturates to 0 exactly for the bytes below `Low`.
        __m128i found = _mm_setzero_si128();
        if constexpr (Low > 0)
            found = _mm_cmpeq_epi8(_mm_subs_epu8(bytes, _mm_set1_epi8(static_cast<char>(Low - 1))),
                                   found);
        ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(Others)))), ...);
        return static_cast<unsigned>(_mm_movemask_epi8(found)) | 1u << block;
    }
    static __m128i load_block(const char* p) noexcept {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    }
    static std::size_t in_block(const char* p) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bits_of(load_block(p))));
    }
    /// The first position in a block, after its `passed` first bytes.
    static std::size_t in_last(const char* p, std::size_t passed) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bits_of(load_block(p)) >> passed));
    }
    static std::size_t in_rest(const char* p, std::size_t n) noexcept {
        const std::uint64_t high = n > 8 ? load_some(p + n - 8, 8) >> 8 * (block - n) : 0;
        const auto low = load_some(p, n);
#if defined(__x86_64__)
        // _mm_set_epi64x takes the order of memory.
        const __m128i bytes =
            _mm_unpacklo_epi64(_mm_cvtsi64_si128(static_cast<std::int64_t>(low)),
                               _mm_cvtsi64_si128(static_cast<std::int64_t>(high)));
#else
        const __m128i bytes =
            _mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low));
#endif
        return std::min<std::size_t>(static_cast<std::size_t>(std::countr_zero(bits_of(bytes))), n);
    }
#else
    static constexpr std::size_t block = 8;
    static std::size_t in_block(const char* p) noexcept { return in_word(load_some(p, block)); }
    static std::size_t in_last(const char* p, std::size_t passed) noexcept {
        return in_rest(p + passed, block - passed);
    }
    static std::size_t in_rest(const char* p, std::size_t n) noexcept {
        return std::min(in_word(load_some(p, n)), n);
    }
#endif
};

}  // namespace gdvar::detail
