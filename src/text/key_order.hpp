// The engines' order of a Dictionary's printed keys.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/dialect.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {

struct KeyOrder {
    TextFamily family;
    const Dialect* dialect;  ///< its type ids order the types; null: those of Godot 4.4
    bool held;               ///< texts as an engine holds them: a byte order mark counts
};

/// A text by its number, and the eight bytes behind the common prefix of all texts. Most
/// comparisons need no more, and small items are cheap to move.
struct TextKey {
    std::uint64_t first;
    std::uint32_t number;
};

/// Keeps its memory from one Dictionary to the next. `Pair`: View::Pair or Held::Pair.
template <class Pair>
class KeySorter {
public:
    /// Sorts the pairs as that family's `var_to_str` does (wire-format 6.1). Takes the same steps,
    /// because some of the engines' comparisons are not a strict weak order. With such a comparison
    /// the engine's sort can need n^2 steps. Beyond 2^22 + 8 n log n steps the result is false and
    /// the order of the pairs is undefined. May throw bad_alloc.
    [[nodiscard]] bool sort(std::span<Pair> pairs, const KeyOrder& order);

private:
    void sort_texts(std::span<Pair> pairs, bool held);
    void order_texts(std::span<Pair> pairs, bool held);

    std::vector<std::string_view> last_;   ///< the keys of the last Dictionary
    std::vector<std::string_view> texts_;  ///< the same as engines see them
    std::vector<TextKey> keys_;            ///< the same, sorted
    std::vector<Pair> sorted_;
};

}  // namespace gdvar::detail
