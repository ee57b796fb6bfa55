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

/// The fields of a header.
struct Layout {
    Wrapping kind;
    Digest md5{};
    std::array<std::byte, 16> iv{};
    std::uint64_t size = 0;

    std::size_t md5_at() const { return kind == Wrapping::gdec_3 ? 8 : 4; }
    std::size_t size_at() const { return md5_at() + 16; }
    /// Bytes before the encrypted ones.
    std::size_t header() const { return kind == Wrapping::gdec_3 ? 32 : longest_header; }
    std::uint64_t end() const { return header() + padded(size); }
};

/// `head` has the bytes of such a header.
inline Layout layout_of(Wrapping kind, const std::byte* head) {
    Layout layout{.kind = kind};
    std::memcpy(layout.md5.data(), head + layout.md5_at(), 16);
    layout.size = detail::load<std::uint64_t>(head + layout.size_at());
    if (kind == Wrapping::gdec_4)
        std::memcpy(layout.iv.data(), head + layout.size_at() + 8, 16);
    return layout;
}
/// The reverse.
inline void put_header(const Layout& layout, std::byte* head) {
    std::memcpy(head, "GDEC", 4);
    if (layout.kind == Wrapping::gdec_3)
        detail::store(head + 4, std::uint32_t{1});
    std::memcpy(head + layout.md5_at(), layout.md5.data(), 16);
    detail::store(head + layout.size_at(), layout.size);
    if (layout.kind == Wrapping::gdec_4)
        std::memcpy(head + layout.size_at() + 8, layout.iv.data(), 16);
}

}  // namespace gdvar::save
