// What a save holds inside its layers: a row of values, each with a number or a name.
// Room: file.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// One value of a save, with its name. Borrowed from the bytes that were read, or from the
/// SaveFile.
struct SaveItem {
    /// A setting's key, as it stands in the file: some engines end it with NULs. Empty for all
    /// other values.
    std::string_view key{};
    ByteView packet{};
    std::uint64_t offset = 0;  ///< where the packet was read
};

/// A kind of document, which says how its values follow each other: a row of a table.
struct DocumentKind {
    InputKind seen_as;  ///< what `recognise` says of such bytes
    bool several;       ///< whether there may be any number of values
    bool named;         ///< whether they are found by name
    /// All values, borrowed from `bytes`. Errors: truncated, bad_length, bad_magic, trailing_bytes,
    /// no_memory.
    std::expected<std::vector<SaveItem>, Error> (*read)(ByteView bytes);
    /// The bytes of a document of these values. Unchanged values give the bytes that were read.
    /// Errors: too_large, no_memory.
    std::expected<std::vector<std::byte>, Error> (*write)(std::span<const SaveItem> items);
};

/// All kinds: packet, records, records-be, project.
std::span<const DocumentKind> document_kinds() noexcept;
/// The row for a result of `recognise`; null if that is no document.
const DocumentKind* find_document_kind(InputKind seen) noexcept;

/// A setting's name: the key without the NULs at its end.
std::string_view setting_name(std::string_view key) noexcept;

/// Which value is meant, and where in it. As text:
///
///     $.players[3]                   in a save with one value
///     #2 $.players[3]   #-1   #*     the third record, the last one, all
///     application/config/name        a setting
///     input/jump $.deadzone          a place in a setting
///     $["input/jump"].deadzone       the same: settings are also a Dictionary by name
struct SavePath {
    std::optional<std::int64_t> number{};  ///< of the record; negative: from the end
    bool every = false;                    ///< all records are meant
    std::optional<std::string> name{};     ///< of a setting
    Path path{};                           ///< inside the value; its `records` are not set
};

/// Parses the text of a path. `named`: whether the values are found by name.
/// The error says what is wrong and where in the text.
[[nodiscard]] std::expected<SavePath, PathError> parse_save_path(std::string_view text, bool named);

/// The name of a value in messages: "#2 ", "input/jump "; empty if there is only one value.
std::string item_label(const DocumentKind& kind, std::size_t number, std::string_view key);

}  // namespace gdvar
