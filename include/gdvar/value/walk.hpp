// Variant as a source: drives any sink with what it holds.
// Room: value.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/walker.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {

/// Drives `sink` with `value`. The sink's arguments are borrowed from the Variant. Iterative;
/// allocates only with more than 32 open containers. A sink may have `bool emit_otherwise(const
/// Variant&)`: it returns true if it has handled that value with everything in it. Errors: the
/// sink's, no_memory.
template <class S>
Errc drive(const Variant& value, S&& sink) {
    return detail::Walker<std::remove_reference_t<S>>(sink).run(value);
}

}  // namespace gdvar
