// The order in which the engines print a Dictionary's keys.
#pragma once

#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// Sorts the pairs as that family's `var_to_str` does (wire-format 6.1).
void sort_keys(std::vector<View::Pair>& pairs, TextFamily family, const Dialect& dialect);

}  // namespace gdvar::detail
