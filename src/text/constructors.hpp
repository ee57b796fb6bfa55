// Names that construct values, per engine family (wire-format 6.1).
#pragma once

#include <optional>
#include <string_view>

#include "rules.hpp"

namespace gdvar::detail {

/// The value that a name with brackets constructs. `wide`: 64-bit components, only in our own form.
struct Construct {
    enum Kind : std::uint8_t { value, resource, typed_array, event } kind = value;
    Type type = Type::nil;
    bool wide = false;
};

GDVAR_EXPORT std::optional<Construct> find_construct(std::string_view name,
                                                     const TextRules& rules) noexcept;
/// The same in our own form: Godot 4's names, and every type's own with `d` for 64-bit components.
std::optional<Construct> find_full_construct(std::string_view name) noexcept;

/// A word that is a value: true, null, nan.
struct Word {
    enum Kind : std::uint8_t { none, nil, boolean, real } kind = none;
    bool truth = false;
    double number = 0;
};
Word find_word(std::string_view name, const TextRules& rules) noexcept;

}  // namespace gdvar::detail
