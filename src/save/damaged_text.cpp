// Hex and Base64 with some invalid characters.
#include <array>
#include <new>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "gdvar/save/damaged.hpp"
#include "save/io.hpp"
#include "save/printed_bytes.hpp"

namespace gdvar {
namespace {

constexpr unsigned none = 0xFF;

constexpr auto values_of(std::string_view digits, bool either_case) {
    std::array<unsigned char, 256> out{};
    out.fill(none);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        out[static_cast<unsigned char>(digits[i])] = static_cast<unsigned char>(i);
        if (either_case && digits[i] >= 'a')
            out[static_cast<unsigned char>(digits[i] - 32)] = static_cast<unsigned char>(i);
    }
    return out;
}

constexpr auto hex_values = values_of("0123456789abcdef", true);
constexpr auto base64_values = [] {
    auto out = values_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", false);
    out['-'] = 62;  // the alphabet of URLs
    out['_'] = 63;
    return out;
}();

/// Collects digits of some bits into bytes.
class Digits {
public:
    Digits(unsigned bits, DamagedContent& to) : bits_(bits), to_(to) {}
    void add(unsigned value, std::size_t at) {
        const bool lost = value == none;
        held_ = held_ << bits_ | (lost ? 0 : value);
        lost_ = lost_ << bits_ | (lost ? (1u << bits_) - 1 : 0);
        count_ += bits_;
        if (lost)
            wrong_at_ = at;
        while (count_ >= 8) {
            count_ -= 8;
            const bool missing = (lost_ >> count_ & 0xFF) != 0;
            if (missing)
                lose();
            to_.bytes.push_back(missing ? std::byte{} : static_cast<std::byte>(held_ >> count_));
        }
        held_ &= (1u << count_) - 1;
        lost_ &= (1u << count_) - 1;
    }

private:
    void lose() {
        const std::uint64_t at = to_.bytes.size();
        if (!to_.parts.empty() && to_.parts.back().end == at) {
            ++to_.parts.back().end;
            return;
        }
        to_.parts.push_back({at, at + 1, false, bits_ == 4 ? Errc::bad_hex : Errc::bad_base64,
                             "character " + std::to_string(wrong_at_) + " is no digit"});
    }
    unsigned bits_;
    DamagedContent& to_;
    std::uint32_t held_ = 0, lost_ = 0;
    unsigned count_ = 0;
    std::size_t wrong_at_ = 0;
};

template <std::size_t size>
std::expected<DamagedContent, Error> read_digits(
    std::string_view text, WrongDigits wrong, unsigned bits,
    const std::array<unsigned char, size>& values) GDVAR_TRY {
    DamagedContent out;
    out.bytes.reserve(text.size() * bits / 8 + 1);
    Digits digits(bits, out);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const unsigned value = values[static_cast<unsigned char>(text[i])];
        if (value != none ||
            (wrong == WrongDigits::replaced && !save::white_space.contains(text[i])))
            digits.add(value, i);
    }
    return out;
}
GDVAR_CATCH_NO_MEMORY(return save::refuse(Errc::no_memory))

}  // namespace

std::expected<DamagedContent, Error> read_damaged_hex(std::string_view text, WrongDigits wrong) {
    const std::size_t start = detail::behind_space(text);
    if (text.substr(start).starts_with("0x"))
        text.remove_prefix(start + 2);
    return read_digits(text, wrong, 4, hex_values);
}

std::expected<DamagedContent, Error> read_damaged_base64(std::string_view text, WrongDigits wrong) {
    // The padding has no content.
    while (!text.empty() && (text.back() == '=' || save::white_space.contains(text.back())))
        text.remove_suffix(1);
    return read_digits(text, wrong, 6, base64_values);
}

}  // namespace gdvar
