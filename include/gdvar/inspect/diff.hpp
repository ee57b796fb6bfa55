// What differs between two values, as a list of changes that can be applied.
// Room: inspect. The patch file: docs/patch.md.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar {

/// One change. `at` is where: keys of Dictionaries as they are, indices of Arrays as ints, names of
/// properties as Strings, from the root in. Indices are those at the time when all changes before
/// this one have been made.
struct Change {
    enum Kind : std::uint8_t {
        set,     ///< the value there becomes `value`
        insert,  ///< a new element before that index, or a new pair or property at the end
        remove,  ///< that element, pair or property goes
        order    ///< the pairs of the Dictionary there get the order of the keys in `value` (an
                 ///< Array)
    };
    Kind kind = set;
    Array at;
    Variant value;
};

using Patch = std::vector<Change>;

/// The changes that make `to` out of `from`, the identical one (NaNs, widths and types included).
/// Elements of Arrays are aligned: what is the same in both stays, what stands between is changed
/// in place, inserted and removed. Dictionaries go by key; those that hold a key twice are replaced
/// whole. Iterative. Time: linear in the size for each level of containers, and at most 4 million
/// comparisons for an Array's alignment, beyond which elements are compared by place. Errors:
/// no_memory.
std::expected<Patch, Error> diff(const View& from, const View& to);

/// Makes the changes, in order. Errors: bad_path (a step that leads nowhere, an index that is not
/// there, an order of other keys; offset: the number of the change); `value` is then part changed.
std::expected<void, Error> apply_patch(Variant& value, const Patch& patch);

/// A change as a Dictionary: `{"set": [path...], "value": ...}`, and back. Errors: bad_syntax.
Variant to_variant(const Change& change);
std::expected<Change, Error> change_from(const Variant& value);

/// "$.players[3].hp"
std::string path_text(const Array& at);

}  // namespace gdvar
