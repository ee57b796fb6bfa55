// The strict UTF-8 check, 16 bytes at a time, for WebAssembly with SIMD. The method:
// utf8_errors.hpp. Only utf8.cpp includes it.
#pragma once

#if defined(__wasm_simd128__)
#define GDVAR_UTF8_WASM 1

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

#include "base/utf8_errors.hpp"

namespace gdvar::detail {

class Utf8Wasm : Utf8Errors {
public:
    /// 16 bytes behind the text must be readable.
    static bool valid(const unsigned char* p, std::size_t n) noexcept {
        v128_t error = wasm_i8x16_splat(0), before = error;
        for (; n >= 16; p += 16, n -= 16)
            block(wasm_v128_load(p), before, error);
        // The zeros behind the text are ASCII, so a sequence that the end cuts off is an error.
        const v128_t places =
            wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const v128_t is_text = wasm_i8x16_lt(places, wasm_i8x16_splat(static_cast<std::int8_t>(n)));
        block(wasm_v128_and(wasm_v128_load(p), is_text), before, error);
        return !wasm_v128_any_true(error);
    }

private:
    static v128_t entry(const std::uint8_t (&table)[16], v128_t index) noexcept {
        return wasm_i8x16_swizzle(wasm_v128_load(table), index);
    }
    static void block(v128_t now, v128_t& before, v128_t& error) noexcept {
        if (wasm_i8x16_bitmask(wasm_v128_or(now, before))) {
            const v128_t first = wasm_i8x16_shuffle(before, now, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                                    24, 25, 26, 27, 28, 29, 30);
            const v128_t special = wasm_v128_and(
                wasm_v128_and(entry(first_high, wasm_u8x16_shr(first, 4)),
                              entry(first_low, wasm_v128_and(first, wasm_i8x16_splat(0x0F)))),
                entry(second_high, wasm_u8x16_shr(now, 4)));
            // A third or fourth byte must be a continuation after a continuation, and nothing else
            // may be.
            const v128_t third =
                wasm_u8x16_sub_sat(wasm_i8x16_shuffle(before, now, 14, 15, 16, 17, 18, 19, 20, 21,
                                                      22, 23, 24, 25, 26, 27, 28, 29),
                                   wasm_i8x16_splat(0xE0 - 0x80));
            const v128_t fourth =
                wasm_u8x16_sub_sat(wasm_i8x16_shuffle(before, now, 13, 14, 15, 16, 17, 18, 19, 20,
                                                      21, 22, 23, 24, 25, 26, 27, 28),
                                   wasm_i8x16_splat(0xF0 - 0x80));
            const v128_t due = wasm_v128_and(wasm_v128_or(third, fourth),
                                             wasm_i8x16_splat(static_cast<std::int8_t>(0x80)));
            error = wasm_v128_or(error, wasm_v128_xor(due, special));
        }
        before = now;
    }
};

}  // namespace gdvar::detail
#endif
