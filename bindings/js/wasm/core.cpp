// Small replacements for larger parts in gdvar-core.wasm.
#include "gdvar/save/file_error.hpp"
#include "gdvar/wire/detail/any_sink.hpp"

/// Without files, there are no texts for the system's errors either.
std::string gdvar::to_string(const FileError& error) {
    return to_string(error.error);
}

/// No field is shown by itself.
const bool gdvar::detail::some_sink_hears_raw = false;
