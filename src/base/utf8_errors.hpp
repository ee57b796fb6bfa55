// Tables for the strict UTF-8 check, a block of bytes at a time. Only utf8_x86.hpp and
// utf8_wasm.hpp include it.
//
// The method: Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2021).
// Every error shows in two adjacent bytes, except the number of continuations after a lead byte of
// three or four. Three 16-entry tables, looked up by the first byte's high half, its low half, and
// the second byte's high half, give the errors that each may belong to; an error is found where all
// three agree.
#pragma once

#include <cstdint>

namespace gdvar::detail {

struct Utf8Errors {
    enum : std::uint8_t {
        too_short = 1 << 0,   // a lead byte, then no continuation
        too_long = 1 << 1,    // ASCII, then a continuation
        overlong_3 = 1 << 2,  // E0 80..9F
        surrogate = 1 << 4,   // ED A0..BF
        overlong_2 = 1 << 5,  // C0 or C1
        two_conts = 1 << 7,   // two continuations
        too_large = 1 << 3,   // F4 90.. and over
        too_large_1000 = 1 << 6,
        overlong_4 = 1 << 6  // F0 80..8F
    };

    static constexpr std::uint8_t carry = too_short | too_long | two_conts;
    static constexpr std::uint8_t first_high[16] = {
        too_long,
        too_long,
        too_long,
        too_long,
        too_long,
        too_long,
        too_long,
        too_long,
        two_conts,
        two_conts,
        two_conts,
        two_conts,
        too_short | overlong_2,
        too_short,
        too_short | overlong_3 | surrogate,
        too_short | too_large | too_large_1000 | overlong_4};
    static constexpr std::uint8_t first_low[16] = {carry | overlong_3 | overlong_2 | overlong_4,
                                                   carry | overlong_2,
                                                   carry,
                                                   carry,
                                                   carry | too_large,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000 | surrogate,
                                                   carry | too_large | too_large_1000,
                                                   carry | too_large | too_large_1000};
    static constexpr std::uint8_t second_high[16] = {
        too_short,
        too_short,
        too_short,
        too_short,
        too_short,
        too_short,
        too_short,
        too_short,
        too_long | overlong_2 | two_conts | overlong_3 | too_large_1000 | overlong_4,
        too_long | overlong_2 | two_conts | overlong_3 | too_large,
        too_long | overlong_2 | two_conts | surrogate | too_large,
        too_long | overlong_2 | two_conts | surrogate | too_large,
        too_short,
        too_short,
        too_short,
        too_short};
};

}  // namespace gdvar::detail
