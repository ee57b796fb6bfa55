// The dialect of values that come out of resources.
// Room: file, private.
#pragma once

#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// The same dialect, in which any value may be the script of an Object in full: scripts of
/// resources are references, and no engine sends such Objects. Lives as long as the program.
const Dialect& with_any_script(const Dialect& dialect);

}  // namespace gdvar::detail
