// SipHash (Aumasson and Bernstein): a keyed hash, for tables with keys from an attacker.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "gdvar/base/bytes.hpp"

namespace gdvar::detail {

struct SipKey {
    std::uint64_t low, high;
};

/// Two independent hashes of the same bytes.
struct Digest {
    std::uint64_t low, high;
    friend bool operator==(const Digest&, const Digest&) = default;
    friend auto operator<=>(const Digest&, const Digest&) = default;
};

/// SipHash-c-d. Hash tables use `Sip<1, 3>`; the paper recommends `Sip<2, 4>` for everything else.
/// Trivially copyable: a copied state can be continued later.
template <int compression, int finalisation>
class Sip {
public:
    Sip() = default;
    explicit Sip(const SipKey& key) noexcept
        : v0_(key.low ^ 0x736F'6D65'7073'6575u),
          v1_(key.high ^ 0x646F'7261'6E64'6F6Du),
          v2_(key.low ^ 0x6C79'6765'6E65'7261u),
          v3_(key.high ^ 0x7465'6462'7974'6573u) {}

    void word(std::uint64_t word) noexcept {
        v3_ ^= word;
        rounds<compression>();
        v0_ ^= word;
    }
    /// Adds the whole words of the text, then the remaining bytes in one more word, whose last byte
    /// is `tail`.
    void text(std::string_view text, std::uint8_t tail) noexcept {
        const auto* at = reinterpret_cast<const std::byte*>(text.data());
        std::size_t left = text.size();
        for (; left >= 8; left -= 8, at += 8)
            word(load<std::uint64_t>(at));
        word(last(at, left) | std::uint64_t{tail} << 56);
    }
    /// The published function uses 0xFF for `mark`. Another mark keeps hashes apart from it.
    std::uint64_t finish(std::uint8_t mark = 0xFF) noexcept {
        v2_ ^= mark;
        rounds<finalisation>();
        return v0_ ^ v1_ ^ v2_ ^ v3_;
    }
    /// Makes the second half as SipHash-128 does.
    Digest finish_twice(std::uint8_t mark = 0xFF) noexcept {
        const std::uint64_t low = finish(mark);
        v1_ ^= 0xDD;
        rounds<finalisation>();
        return {low, v0_ ^ v1_ ^ v2_ ^ v3_};
    }

private:
    /// The first `n` bytes as a word; `n` is below 8. No byte behind them is read.
    static std::uint64_t last(const std::byte* at, std::size_t n) noexcept {
        if (n >= 4) {
            const std::uint64_t high = load<std::uint32_t>(at + n - 4);
            return load<std::uint32_t>(at) | high << 8 * (n - 4);
        }
        if (n == 0)
            return 0;
        const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(at[i]) << 8 * i; };
        return byte(0) | byte(n / 2) | byte(n - 1);
    }

    template <int count>
    void rounds() noexcept {
        for (int i = 0; i < count; ++i) {
            v0_ += v1_;
            v2_ += v3_;
            v1_ = std::rotl(v1_, 13) ^ v0_;
            v3_ = std::rotl(v3_, 16) ^ v2_;
            v0_ = std::rotl(v0_, 32);
            v2_ += v1_;
            v0_ += v3_;
            v1_ = std::rotl(v1_, 17) ^ v2_;
            v3_ = std::rotl(v3_, 21) ^ v0_;
            v2_ = std::rotl(v2_, 32);
        }
    }

    std::uint64_t v0_ = 0, v1_ = 0, v2_ = 0, v3_ = 0;
};

/// The published function: a text's hash under a key.
template <int compression, int finalisation>
std::uint64_t siphash(const SipKey& key, std::string_view text) noexcept {
    Sip<compression, finalisation> state(key);
    state.text(text, static_cast<std::uint8_t>(text.size()));
    return state.finish();
}

}  // namespace gdvar::detail
