#include "gdvar/wire/detail/any_sink.hpp"

#include "gdvar/value/walk.hpp"

#if defined(GDVAR_SMALL)
namespace gdvar::detail {

Errc drive_any(const Variant& value, AnySink& sink) {
    return Walker<AnySink>(sink).run(value);
}

}  // namespace gdvar::detail
#endif
