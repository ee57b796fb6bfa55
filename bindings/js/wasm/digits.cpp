// The functions of libc++ that print a float with a given number of digits, without tables.
//
// Those of libc++ (Ryu printf) bring 105 kB of tables, and std::to_chars refers to them even where
// the shortest digits are asked for: it prints whole numbers from 2^53 on with them. These are
// exact, too: they write the float as a whole number times a power of ten.
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

/// All decimal digits of a float: up to 767 of them.
class Decimal {
public:
    explicit Decimal(double value) noexcept {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto exponent = static_cast<int>(bits >> 52 & 0x7FF);
        std::uint64_t mantissa = bits & (std::uint64_t{1} << 52) - 1;
        if (exponent)
            mantissa |= std::uint64_t{1} << 52;
        int power = (exponent ? exponent : 1) - 1075;  // value = mantissa * 2^power
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

    /// How many digits stand before the point: 0 and less for what is below 1.
    int before_point() const noexcept { return size_ - point_; }
    bool zero() const noexcept { return size_ == 0; }
    /// The digit at a place from the first one on; places outside have zeros.
    char operator[](int place) const noexcept {
        return place >= 0 && place < size_ ? digits_[place] : '0';
    }
    /// Keeps the digits up to a place, rounded half to even.
    void round(int keep) noexcept {
        if (keep >= size_)
            return;
        const int cut = size_ - keep;
        const bool up = keep >= 0 && rounds_up(keep);
        size_ = keep < 0 ? 0 : keep;
        point_ -= cut;
        if (keep < 0)
            return;
        int place = size_;
        while (up && --place >= 0 && digits_[place] == '9')
            digits_[place] = '0';
        if (!up)
            return;
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
        return keep > 0 && (digits_[keep - 1] - '0') % 2 == 1;
    }

    std::uint32_t words_[90]{};  // 2^53 * 5^1074 has 767 digits
    int count_ = 0;
    char digits_[90 * 9 + 1];
    int size_ = 0;
    int point_ = 0;  // so many digits stand behind the point
};

/// Writes to [first, last), and remembers that there was too little space.
struct Text {
    char* at;
    char* last;
    bool full = false;
    void put(char c) noexcept {
        if (at == last)
            full = true;
        else
            *at++ = c;
    }
    std::to_chars_result result() const noexcept {
        return full ? std::to_chars_result{last, std::errc::value_too_large}
                    : std::to_chars_result{at, std::errc{}};
    }
};

}  // namespace

// The names and parameters are libc++'s own (src/include/ryu/ryu.h). The float is not negative, and
// is finite.
_LIBCPP_BEGIN_NAMESPACE_STD

to_chars_result __d2fixed_buffered_n(char* first, char* last, double value,
                                     std::uint32_t precision) {
    Decimal digits(value);
    const auto behind = static_cast<int>(precision);
    digits.round(digits.before_point() + behind);
    const int before = digits.before_point();
    Text out{first, last};
    if (before < 1)
        out.put('0');
    for (int i = 0; i < before; ++i)
        out.put(digits[i]);
    if (behind)
        out.put('.');
    for (int i = before; i < before + behind; ++i)
        out.put(digits[i]);
    return out.result();
}

to_chars_result __d2exp_buffered_n(char* first, char* last, double value, std::uint32_t precision) {
    Decimal digits(value);
    const auto behind = static_cast<int>(precision);
    digits.round(behind + 1);
    Text out{first, last};
    out.put(digits[0]);
    if (behind)
        out.put('.');
    for (int i = 1; i <= behind; ++i)
        out.put(digits[i]);
    const int exponent = digits.zero() ? 0 : digits.before_point() - 1;
    out.put('e');
    out.put(exponent < 0 ? '-' : '+');
    const int size = exponent < 0 ? -exponent : exponent;
    if (size >= 100)
        out.put(static_cast<char>('0' + size / 100));
    out.put(static_cast<char>('0' + size / 10 % 10));
    out.put(static_cast<char>('0' + size % 10));
    return out.result();
}

/// Writes that many digits of a number, with zeros in front.
void __append_n_digits(std::uint32_t count, std::uint32_t digits, char* to) {
    for (; count; digits /= 10)
        to[--count] = static_cast<char>('0' + digits % 10);
}
void __append_nine_digits(std::uint32_t digits, char* to) {
    __append_n_digits(9, digits, to);
}

_LIBCPP_END_NAMESPACE_STD
