// The strict UTF-8 check, 32 bytes at a time, for x86-64 processors with AVX2. The method:
// utf8_errors.hpp. Only utf8.cpp includes it.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define GDVAR_UTF8_AVX2 1

#include <cpuid.h>
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "base/utf8_errors.hpp"

namespace gdvar::detail {

/// Asks the processor itself for AVX2, and for a system that saves its registers: in zig's runtime
/// __builtin_cpu_supports is always false.
__attribute__((target("xsave"))) inline bool find_avx2() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned saved = bit_OSXSAVE | bit_AVX;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & saved) != saved || (_xgetbv(0) & 6) != 6)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2) != 0;
}

/// The portable way is used until it is set, during the program's start.
inline const bool has_avx2 = find_avx2();

class Utf8Avx2 : Utf8Errors {
public:
    /// For texts under 32 bytes, if 32 bytes are readable.
    __attribute__((target("avx2"))) static bool short_valid(const unsigned char* p,
                                                            std::size_t n) noexcept {
        __m256i error = _mm256_setzero_si256(), before = _mm256_setzero_si256();
        block(first(p, n), before, error);
        return _mm256_testz_si256(error, error);
    }
    /// `readable` bytes from `p` on, at least `n`, may be read.
    __attribute__((target("avx2"))) static bool valid(const unsigned char* p, std::size_t n,
                                                      std::size_t readable) noexcept {
        __m256i error = _mm256_setzero_si256(), before = _mm256_setzero_si256();
        std::size_t i = 0;
        for (; i + 32 <= n; i += 32)
            block(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + i)), before, error);
        // The zeros behind the text are ASCII, so a sequence that the end cuts off is an error.
        block(readable - i >= 32 ? first(p + i, n - i) : copied(p + i, n - i), before, error);
        return _mm256_testz_si256(error, error);
    }

private:
    /// The first `n` bytes, under 32, and zeros.
    __attribute__((target("avx2"))) static __m256i first(const unsigned char* p,
                                                         std::size_t n) noexcept {
        const __m256i place =
            _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                             20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
        const __m256i size = _mm256_set1_epi8(static_cast<char>(n));
        return _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
                                _mm256_cmpgt_epi8(size, place));
    }
    __attribute__((target("avx2"))) static __m256i copied(const unsigned char* p,
                                                          std::size_t n) noexcept {
        alignas(32) unsigned char rest[32] = {};
        if (n)
            std::memcpy(rest, p, n);
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(rest));
    }
    __attribute__((target("avx2"))) static __m256i table(
        const std::uint8_t (&entries)[16]) noexcept {
        return _mm256_broadcastsi128_si256(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(entries)));
    }
    __attribute__((target("avx2"))) static __m256i high_half(__m256i v) noexcept {
        return _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(0x0F));
    }
    /// The bytes `n` places before each of `now`.
    template <int n>
    __attribute__((target("avx2"))) static __m256i earlier(__m256i now, __m256i before) noexcept {
        return _mm256_alignr_epi8(now, _mm256_permute2x128_si256(before, now, 0x21), 16 - n);
    }

    __attribute__((target("avx2"))) static __m256i pairs(__m256i now, __m256i before_1) noexcept {
        const __m256i a = _mm256_shuffle_epi8(table(first_high), high_half(before_1));
        const __m256i b = _mm256_shuffle_epi8(table(first_low),
                                              _mm256_and_si256(before_1, _mm256_set1_epi8(0x0F)));
        const __m256i c = _mm256_shuffle_epi8(table(second_high), high_half(now));
        return _mm256_and_si256(_mm256_and_si256(a, b), c);
    }

    __attribute__((target("avx2"))) static void block(__m256i now, __m256i& before,
                                                      __m256i& error) noexcept {
        if (_mm256_testz_si256(_mm256_or_si256(now, before),
                               _mm256_set1_epi8(static_cast<char>(0x80)))) {
            before = now;
            return;
        }
        const __m256i special = pairs(now, earlier<1>(now, before));
        // A third or fourth byte must be a continuation after a continuation, and nothing else may
        // be.
        const __m256i third = _mm256_subs_epu8(earlier<2>(now, before),
                                               _mm256_set1_epi8(static_cast<char>(0xE0 - 0x80)));
        const __m256i fourth = _mm256_subs_epu8(earlier<3>(now, before),
                                                _mm256_set1_epi8(static_cast<char>(0xF0 - 0x80)));
        const __m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth),
                                             _mm256_set1_epi8(static_cast<char>(0x80)));
        error = _mm256_or_si256(error, _mm256_xor_si256(due, special));
        before = now;
    }
};

}  // namespace gdvar::detail
#endif
