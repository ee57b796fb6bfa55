// GDEC 3:  "GDEC", u32 1, 16 bytes MD5, u64 size, then AES-256-ECB of the bytes, zeros up to 16.
// GDEC 4:  "GDEC", 16 bytes MD5, u64 size, 16 bytes IV, then AES-256-CFB of the same.
#pragma once

#include <array>
#include <cstring>

#include "save/crypto.hpp"

namespace gdvar::save {

constexpr std::size_t longest_header = 44;

constexpr std::uint64_t padded(std::uint64_t size) noexcept {
    return (size + 15) / 16 * 16;
}

/// The fields of a header, read as one of the two layouts.
struct Layout {
    Wrapping kind;
    Digest md5{};
    std::array<std::byte, 16> iv{};
    std::uint64_t size = 0;
    std::uint64_t header = 0;  ///< bytes before the encrypted ones

    std::uint64_t md5_at() const { return kind == Wrapping::gdec_3 ? 8 : 4; }
    std::uint64_t end() const { return header + padded(size); }
};

/// `head` has 32 bytes.
inline Layout layout_3(const std::byte* head) {
    Layout layout{.kind = Wrapping::gdec_3, .header = 32};
    std::memcpy(layout.md5.data(), head + 8, 16);
    layout.size = detail::load<std::uint64_t>(head + 24);
    return layout;
}

/// `head` has 44 bytes.
inline Layout layout_4(const std::byte* head) {
    Layout layout{.kind = Wrapping::gdec_4, .header = longest_header};
    std::memcpy(layout.md5.data(), head + 4, 16);
    layout.size = detail::load<std::uint64_t>(head + 20);
    std::memcpy(layout.iv.data(), head + 28, 16);
    return layout;
}

}  // namespace gdvar::save
