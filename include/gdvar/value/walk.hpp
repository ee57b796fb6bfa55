// Variant as a source: drives any sink with its content.
#pragma once

#include "gdvar/base/export.hpp"
#include "gdvar/value/detail/walker.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/detail/any_sink.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {
Errc drive_any(const Variant& value, AnySink& sink);
}

/// Drives `sink` with `value`. The sink's arguments are borrowed from the Variant. Iterative;
/// allocates only with more than 32 open containers. A sink may have
/// `bool emit_otherwise(const Variant&)`: it returns true if it has handled that value with all its
/// content. Errors: the sink's, no_memory.
template <class S>
Errc drive(const Variant& value, S&& sink) {
    using Given = std::remove_reference_t<S>;
    if constexpr (
        detail::MayBeAnySink<Given> && !requires { sink.emit_otherwise(value); } &&
        !requires {
            sink.with_headroom(std::size_t{}, [](auto&, std::size_t) { return Errc::ok; });
        }) {
        detail::SinkAsAny<Given> any(sink);
        return detail::drive_any(value, any);
    } else {
        return detail::Walker<Given>(sink).run(value);
    }
}

}  // namespace gdvar
