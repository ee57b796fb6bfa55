// Finds the few bytes of a text that are not copied as they stand, by blocks.
// Room: base, private.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gdvar::detail {

/// Which bytes: those below `Low`, and two others.
template <unsigned char Low, char A, char B>
struct SpecialBytes {
    static constexpr bool has(char c) noexcept {
        return static_cast<unsigned char>(c) < Low || c == A || c == B;
    }

    /// The position of the first one from `at` on; the text's size if there is none.
    static std::size_t find(std::string_view text, std::size_t at) noexcept {
        const std::size_t size = text.size();
        while (size - at >= block) {
            if (const std::size_t first = in_block(text.data() + at); first < block)
                return at + first;
            at += block;
        }
        while (at < size && !has(text[at]))
            ++at;
        return at;
    }

private:
#if defined(__SSE2__)
    static constexpr std::size_t block = 16;
    static std::size_t in_block(const char* p) noexcept {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        // Saturates to 0 exactly for the bytes below `Low`.
        const __m128i low = _mm_cmpeq_epi8(
            _mm_subs_epu8(bytes, _mm_set1_epi8(static_cast<char>(Low - 1))), _mm_setzero_si128());
        const __m128i a = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(A));
        const __m128i b = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(B));
        const auto found =
            static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(low, _mm_or_si128(a, b))));
        return found ? static_cast<std::size_t>(std::countr_zero(found)) : block;
    }
#else
    static constexpr std::size_t block = 8;
    static constexpr std::uint64_t ones = 0x0101'0101'0101'0101u, highs = 0x8080'8080'8080'8080u;
    static constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept {
        return (word - ones) & ~word & highs;
    }
    static std::size_t in_block(const char* p) noexcept {
        std::uint64_t word = 0;
        std::memcpy(&word, p, sizeof word);
        const std::uint64_t low = (word - ones * Low) & ~word & highs;
        const std::uint64_t a = zero_bytes(word ^ ones * static_cast<unsigned char>(A));
        const std::uint64_t b = zero_bytes(word ^ ones * static_cast<unsigned char>(B));
        if (!(low | a | b))
            return block;
        // Behind the first one the sums above may be wrong, and on a big-endian host before it.
        std::size_t first = 0;
        while (!has(p[first]))
            ++first;
        return first;
    }
#endif
};

}  // namespace gdvar::detail
