// What gdvar-core.wasm has in place of larger things.
#include "gdvar/save/file_error.hpp"

/// There are no files, so no texts for errors of the system either.
std::string gdvar::to_string(const FileError& error) {
    return to_string(error.error);
}
