// A game's files from a browser, exported as JSON. Emscripten's IDBFS keeps them in IndexedDB:
// database /userfs, store FILE_DATA, records {timestamp, mode, contents} by path. Exporters lay
// these out in many ways, so the records are searched in the whole JSON.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/value/text_error.hpp"

namespace gdvar {

struct BrowserFile {
    std::string name;  ///< the path; empty if the export has none
    std::vector<std::byte> bytes;
    const char* form = nullptr;  ///< the bytes' form, in words; null: unknown
    bool lost = false;           ///< `{}`, by which JSON also writes an ArrayBuffer
};

/// A quick check: false if a JSON text has no files.
bool may_hold_browser_files(std::string_view text) noexcept;

/// The files in a JSON text, in their order; none if it is other JSON. Iterative. Time: linear. May
/// throw bad_alloc. Errors: those of parse_plain_json.
std::expected<std::vector<BrowserFile>, TextError> read_browser_files(std::string_view text);

}  // namespace gdvar
