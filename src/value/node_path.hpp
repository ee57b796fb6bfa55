#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/string.hpp"

namespace gdvar::detail {

/// Sets `to` to the counted strings of the names that `each(use)` passes to
/// `use(name, is_subname)`. `each` is called twice. False when memory runs out.
template <class Each>
bool make_records(PackedByteArray& to, Each&& each) noexcept {
    std::size_t size = 0;
    each([&](std::string_view name, bool) { size += 4 + name.size() + padding_of(name.size()); });
    PackedByteArray records;
    if (size && !records.try_reserve(size))
        return false;
    records.set_size(size);
    auto* at = reinterpret_cast<std::byte*>(records.data());
    each([&](std::string_view name, bool) {
        const std::size_t padded = name.size() + padding_of(name.size());
        store(at, static_cast<std::uint32_t>(name.size()));
        if (padded)
            store(at + padded, std::uint32_t{0});
        if (!name.empty())
            std::memcpy(at + 4, name.data(), name.size());
        at += 4 + padded;
    });
    to = std::move(records);
    return true;
}

/// Sets `to` to the path of these names and subnames; with `property` the last subname is Godot 2's
/// separate property. False when memory runs out.
GDVAR_EXPORT bool assign_names(NodePath& to, const PackedStringArray& names,
                               const PackedStringArray& subnames, bool absolute,
                               bool property) noexcept;

}  // namespace gdvar::detail
