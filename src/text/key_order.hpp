// The order in which the engines print a Dictionary's keys.
#pragma once

#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/dialect.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {

/// Whose order.
struct KeyOrder {
    TextFamily family;
    const Dialect* dialect;  ///< its ids order the types; null: those of Godot 4.4
    bool held;               ///< texts are as an engine holds them: a byte order mark is text
};

/// Sorts the pairs as that family's `var_to_str` does (wire-format 6.1), by the same steps, because
/// some of the engines' comparisons are no strict weak order. Such a comparison can take the
/// engine's sort n^2 steps: past 2^22 + 8 n log n of them the result is false and the pairs are
/// in no order. `Pair`: View::Pair or Held::Pair. May throw bad_alloc.
template <class Pair>
[[nodiscard]] bool sort_keys(std::vector<Pair>& pairs, const KeyOrder& order);

}  // namespace gdvar::detail
