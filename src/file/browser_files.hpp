// Files that a game has left in a browser, in an export as JSON.
// Emscripten's IDBFS keeps a game's files in IndexedDB: database /userfs, store FILE_DATA, records
// {timestamp, mode, contents} by path. Exporters lay these out in many ways, so the records are
// looked for anywhere in the JSON.
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
    const char* form = nullptr;  ///< of the bytes, in words; null: it is not known
    bool lost = false;           ///< `{}`, which is also what JSON makes of an ArrayBuffer
};

/// Whether it is worth while to look for files in a JSON text.
bool may_hold_browser_files(std::string_view text) noexcept;

/// The files in a JSON text, in their order; none if it is other JSON. Iterative. Time: linear.
/// May throw bad_alloc. Errors: those of parse_plain_json.
std::expected<std::vector<BrowserFile>, TextError> read_browser_files(std::string_view text);

}  // namespace gdvar
