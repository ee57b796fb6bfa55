#pragma once

#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// A value's memory, for freeing and copying.
enum class Owning : std::uint8_t { nothing, text, container, box, more };
struct OwningTable {
    Owning of[128]{};  ///< by type; from 64 on for wide types
    constexpr OwningTable() {
        for (unsigned i = 0; i < 128; ++i) {
            const TypeInfo& info = type_table[i % 64 < type_count ? i % 64 : 0];
            const std::uint64_t trivial = i < 64 ? trivial_narrow : trivial_wide;
            if (!(trivial >> i % 64 & 1))
                of[i] = info.components && !info.packed ? Owning::box : Owning::more;
        }
        for (const Type t : {Type::string, Type::string_name})
            of[static_cast<unsigned>(t)] = Owning::text;
        for (const Type t : {Type::array, Type::packed_typed_array, Type::dictionary, Type::object})
            of[static_cast<unsigned>(t)] = Owning::container;
    }
};
inline constexpr OwningTable owning;
static_assert(type_count <= 64);

inline Owning owning_of(const Variant& v) noexcept {
    return owning.of[static_cast<unsigned>(v.type()) + v.wide() * 64u];
}

}  // namespace gdvar::detail
