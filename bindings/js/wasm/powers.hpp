// Powers of ten as 128 bits of mantissa and a power of two. Computed at first use: as constants
// they would take 10 kB in each module.
#pragma once

#include <cstdint>

namespace gdvar::wasm {

__extension__ using Wide = unsigned __int128;

inline constexpr int least_ten = -342, most_ten = 324;

constexpr int log2_of_ten(int power) noexcept {  // floor(log2(10^power))
    return (power * 1741647) >> 19;
}

/// 192 bits of a power of ten, the highest of which is set.
struct Power {
    std::uint32_t words[6];
    void times_ten() noexcept {
        std::uint64_t carry = 0;
        for (std::uint32_t& word : words) {
            carry += std::uint64_t{word} * 5;
            word = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        const int shift = carry & 4 ? 3 : 2;
        for (int i = 6; i-- > 0;) {
            carry = carry << 32 | words[i];
            words[i] = static_cast<std::uint32_t>(carry >> shift);
        }
    }
    Wide high() const noexcept {
        Wide out = 0;
        for (int i = 6; i-- > 2;)
            out = out << 32 | words[i];
        return out;
    }
};

/// 10^power * 2^(127 - log2_of_ten(power)), rounded up.
inline Wide power_of_ten(int power) noexcept {
    static Wide table[most_ten - least_ten + 1];
    if (!table[0]) {
        constexpr int last_exact = 55;  // 5^55 < 2^128
        Power now{{0xBDD5'0E9B, 0xDFBC'7E99, 0x06A1'3B3F, 0x113F'AA29, 0x923B'D65A, 0xEEF4'53D6}};
        for (int i = least_ten; i <= most_ten; ++i, now.times_ten()) {
            if (i == 0)
                now = {{0, 0, 0, 0, 0, 0x8000'0000}};
            table[i - least_ten] = now.high() + (i < 0 || i > last_exact);
        }
    }
    return table[power - least_ten];
}

}  // namespace gdvar::wasm
