#include "gdvar/wire/detail/any_sink.hpp"

#include "gdvar/wire/reader.hpp"

#if defined(GDVAR_SMALL)
namespace gdvar::detail {

[[gnu::weak]] const bool some_sink_hears_raw = true;

std::expected<std::size_t, Error> read_any(ByteView bytes, const DecodeOptions& options,
                                           AnySink& sink) {
    return Reader<AnySink>(bytes, options, sink).run();
}

}  // namespace gdvar::detail
#endif
