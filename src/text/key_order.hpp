// The order in which the engines print a Dictionary's keys.
#pragma once

#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/dialect.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {

/// Selects an engine's order of keys.
struct KeyOrder {
    TextFamily family;
    const Dialect* dialect;  ///< its type ids order the types; null: those of Godot 4.4
    bool held;               ///< texts are as an engine holds them: a byte order mark counts
};

/// Sorts the pairs as that family's `var_to_str` does (wire-format 6.1). Takes the same steps,
/// because some of the engines' comparisons are no strict weak order. With such a comparison the
/// engine's sort can need n^2 steps. Beyond 2^22 + 8 n log n steps the result is false and the
/// order of the pairs is undefined. `Pair`: View::Pair or Held::Pair. May throw bad_alloc.
template <class Pair>
[[nodiscard]] bool sort_keys(std::vector<Pair>& pairs, const KeyOrder& order);

}  // namespace gdvar::detail
