// Limits of a decoder's work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {

/// Limits of decoding. All are checked before anything is allocated.
struct Limits {
    /// Containers (Array, Dictionary, Object) that may be open around a value; the top-level
    /// value has 0. Engines since Godot 3.5: 1024 (wire-format 2.6).
    std::uint32_t max_depth = 1024;
    /// Bytes of one packet. Document takes only packets under 4 GiB in any case.
    std::uint64_t max_bytes = 0xFFFF'FFFFu;
    /// Values in one packet: every element, key, value and property counts one.
    std::uint64_t max_nodes = UINT64_MAX;

    /// The engines' limits.
    static constexpr Limits engine() noexcept { return {}; }
    /// Tight, for packets from untrusted peers: depth 64, 1 MiB, 65,536 values.
    static constexpr Limits network() noexcept { return {64, 1u << 20, 1u << 16}; }
    /// None, for trusted bytes: a packet may make as many values as it has bytes for.
    static constexpr Limits none() noexcept { return {UINT32_MAX, UINT64_MAX, UINT64_MAX}; }
};

}  // namespace gdvar
