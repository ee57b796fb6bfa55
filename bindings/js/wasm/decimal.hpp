#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gdvar::wasm {

/// mantissa * 2^power.
struct Binary {
    std::uint64_t mantissa;
    int power;
};

/// Digits of a decimal number, `before` of them before the point (0 and less: below 1). Borrowed.
struct Digits {
    const char* text;
    int size, before;
    /// The digit at a place from the first one on; outside of them 0.
    char operator[](int place) const noexcept {
        return place >= 0 && place < size ? text[place] : '0';
    }
    int exponent() const noexcept { return before - 1; }
    void drop_zeros() noexcept {
        while (size > 1 && text[size - 1] == '0')
            --size;
    }
};

/// All decimal digits of a float: up to 770 of them.
class Decimal {
public:
    explicit Decimal(Binary value) noexcept {
        std::uint64_t mantissa = value.mantissa;
        int power = value.power;
        while (mantissa && power < 0 && mantissa % 2 == 0) {
            mantissa /= 2;
            ++power;
        }
        for (; mantissa; mantissa /= limit)
            words_[count_++] = static_cast<std::uint32_t>(mantissa % limit);
        if (power >= 0) {
            times(2, power, 29);
        } else {  // m / 2^p is m * 5^p / 10^p
            times(5, -power, 12);
            point_ = -power;
        }
        print();
    }

    Digits digits() const noexcept { return {digits_, size_, size_ ? size_ - point_ : 1}; }
    /// Rounds to that many digits, at least one, half to even.
    void round(int keep) noexcept {
        if (keep >= size_)
            return;
        const bool up = rounds_up(keep);
        point_ -= size_ - keep;
        size_ = keep;
        if (!up)
            return;
        int place = size_;
        while (--place >= 0 && digits_[place] == '9')
            digits_[place] = '0';
        if (place >= 0) {
            ++digits_[place];
        } else {  // 999 becomes 1000
            std::memmove(digits_ + 1, digits_, static_cast<std::size_t>(size_));
            digits_[0] = '1';
            ++size_;
        }
    }

private:
    static constexpr std::uint32_t limit = 1'000'000'000;

    void times(std::uint32_t base, int power, int most) noexcept {
        while (power > 0) {
            std::uint64_t factor = 1;
            const int now = power < most ? power : most;
            for (int i = 0; i < now; ++i)
                factor *= base;
            power -= now;
            std::uint64_t carry = 0;
            for (int i = 0; i < count_; ++i) {
                carry += words_[i] * factor;
                words_[i] = static_cast<std::uint32_t>(carry % limit);
                carry /= limit;
            }
            if (carry)
                words_[count_++] = static_cast<std::uint32_t>(carry);
        }
    }
    void print() noexcept {
        for (int i = count_ - 1; i >= 0; --i)
            for (std::uint32_t unit = limit / 10; unit; unit /= 10) {
                const auto digit = static_cast<char>('0' + words_[i] / unit % 10);
                if (size_ || digit != '0')
                    digits_[size_++] = digit;
            }
    }
    bool rounds_up(int keep) const noexcept {
        if (digits_[keep] != '5')
            return digits_[keep] > '5';
        for (int i = keep + 1; i < size_; ++i)
            if (digits_[i] != '0')
                return true;
        return (digits_[keep - 1] - '0') % 2 == 1;
    }

    std::uint32_t words_[90]{};  // 2^55 * 5^1076 has 770 digits
    int count_ = 0;
    char digits_[90 * 9 + 1];
    int size_ = 0;
    int point_ = 0;  // number of digits behind the point
};

}  // namespace gdvar::wasm
