// Recognises which kind of text document a text is.
// Room: file.
#pragma once

#include <expected>
#include <memory>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar GDVAR_EXPORT {

/// The kinds that a text may be, and those that it is not.
struct TextReadings {
    /// The kinds of documents that the whole text is, the one to take first: a resource, JSON, JSON
    /// lines, a ConfigFile, a value in Godot's form. `reason` says what was found: "a JSON object
    /// with 3 members".
    std::vector<Reading> fits{};
    /// The other kinds of text documents. `reason` says why not, and where: "12:3: expected ':'".
    std::vector<Reading> ruled_out{};
    /// The document of the first kind that fits. It borrows the text.
    std::unique_ptr<SaveDocument> first{};
};

/// Reads the text as each kind of text document. A lone number, boolean, null or String is none:
/// too many texts that mean something else would be. `all`: go on behind the first kind that it is.
/// Time: one reading for each kind. Memory: that of two documents. Errors: no_memory; node_limit
/// (more values than `options.limits` allow).
[[nodiscard]] std::expected<TextReadings, Error> readings_of_text(
    ByteView text, const DocumentOptions& options = {}, bool all = true);

struct LoadedDocument;  // private

/// Adds what room save's `recognise` can't know: of a text that it calls foreign, the kinds of
/// documents that it is (without `options.all`: the first one), in front, and to
/// `options.ruled_out` those that it is not. `readings` is the result of `recognise` for the same
/// source and options. The same for what `recognise` knows nothing whole of, if it is UTF-8 without
/// a NUL, has control characters only between double quotes and in the names of sections, where
/// engines write them as they are, and is such a document to its end. A document up to a NUL goes
/// to `options.ruled_out`, too. Texts of more than `options.max_load` bytes or
/// `options.max_values` values stay foreign, and nothing is added. Leaves the source rewound.
/// `loaded`, if given, gets the document of the first kind that was added. Errors: as `recognise`.
[[nodiscard]] std::expected<void, FileError> add_text_readings(
    Source& source, const RecogniseOptions& options, std::vector<Reading>& readings,
    std::shared_ptr<LoadedDocument>* loaded = nullptr);

}  // namespace gdvar
