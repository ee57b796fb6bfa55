// Small replacements for larger parts in gdvar-core.wasm.
#include "gdvar/save/file_error.hpp"

/// Without files, there are no texts for the system's errors either.
std::string gdvar::to_string(const FileError& error) {
    return to_string(error.error);
}
