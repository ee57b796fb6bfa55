// A document that was read from a file or out of a layer, with what is needed to write it back.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <vector>

#include "gdvar/file/save_document.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar {

struct LoadOptions {
    std::uint64_t skip = 0;  ///< bytes of the source before the document
    std::uint64_t max_bytes = 256u << 20;
    std::uint64_t max_text = UINT64_MAX;    ///< of a kind of text; `max_bytes` counts, too
    std::uint64_t max_values = UINT64_MAX;  ///< of a kind of text
    const Dialect* dialect = nullptr;       ///< null: guessed
    std::optional<bool> godot_4{};          ///< as DocumentOptions::godot_4
    bool strict = false;                    ///< a few bytes behind the last record are refused
};

struct LoadedDocument {
    std::vector<std::byte> content;          ///< as it was read, without `behind`
    std::vector<std::byte> behind;           ///< bytes behind the last record, too few for another
    std::unique_ptr<SaveDocument> document;  ///< in `content`
    const Dialect* dialect = &dialects::godot_4_4;  ///< of its packets

    /// A text's, which has its dialect.
    static LoadedDocument of(std::vector<std::byte> content,
                             std::unique_ptr<SaveDocument> document) {
        LoadedDocument out{
            .content = std::move(content), .behind = {}, .document = std::move(document)};
        out.dialect = out.document->dialect();
        return out;
    }
    /// Reads a document of that kind from the start of the source. Errors: size_limit, those of the
    /// source and of DocumentKind::open. Throws bad_alloc.
    static std::expected<LoadedDocument, FileError> load(Source& source, const DocumentKind& kind,
                                                         const LoadOptions& options);
};

/// The error with the line and column of its offset in the text.
FileError error_in_text(const Error& error, ByteView text) noexcept;

/// The number of the item that a path names. Errors: missing_key (no such setting; no number,
/// although there are several values), index_out_of_range.
std::expected<std::size_t, Error> item_at(std::span<const SaveItem> items, const SavePath& at);
/// `past_end`: whether the place behind the last item is meant, too.
std::expected<std::size_t, Error> item_at(std::span<const SaveItem> items, std::int64_t number,
                                          bool past_end = false);

}  // namespace gdvar
