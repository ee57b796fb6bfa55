// The document inside a save's layers: a row of values, each with a number or a name.
// Room: file.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/limits.hpp"

namespace gdvar GDVAR_EXPORT {

/// One value of a save, with its name. Borrowed from the document that was read, or from the
/// SaveFile.
struct SaveItem {
    /// Marks a value that did not come with the document.
    static constexpr std::size_t added = SIZE_MAX;

    /// A setting's key, as it stands in the file: some engines end it with NULs. Empty for all
    /// other values.
    std::string_view key{};
    ByteView packet{};
    std::uint64_t offset = 0;    ///< where the value was read
    std::size_t number = added;  ///< its place in the document that was read
};

/// How a document is read.
struct DocumentOptions {
    /// The dialect of the values, if it is known. A text document takes the text family from it.
    const Dialect* dialect = nullptr;
    /// Whether Godot 4 wrote the document, where its encryption shows it (written_by_godot_4): of
    /// the dialects that fit, those of such engines go first.
    std::optional<bool> godot_4{};
    /// For text documents: `max_bytes` limits the text, the others its values.
    Limits limits = Limits::engine();
    /// Limit of the content of a document that is compressed itself (a binary resource), in bytes.
    std::uint64_t max_content = 256u << 20;
};

/// Why a document can't be written.
struct DocumentError {
    Error error{};
    std::size_t item = 0;  ///< in the values that were to be written
    std::string path{};    ///< in that value: `$.players[3].pos`; may be empty
};

/// Where a value of a text stands in it.
struct TextPlace {
    std::size_t begin = 0, end = 0;
};

/// A remark on a text that its values do not show.
struct DocumentNote {
    std::uint64_t offset = 0;  ///< in the text, in bytes
    std::string_view what{};   ///< "engines skip text without '='"; lives as the document does
    Errc refused{};            ///< why the engine that was named refuses the whole text; or ok
};

struct DocumentKind;

/// A document that was read: its values as packets, and what it takes to write them back.
class SaveDocument {
public:
    virtual ~SaveDocument() = default;
    SaveDocument(const SaveDocument&) = delete;
    SaveDocument& operator=(const SaveDocument&) = delete;

    const DocumentKind& kind() const noexcept { return *kind_; }
    /// The values, in their order. Borrowed from this document and from the bytes that were read.
    const std::vector<SaveItem>& items() const noexcept { return items_; }
    /// The dialect of the packets, where the document makes them; null: they may be of any.
    const Dialect* dialect() const noexcept { return dialect_; }
    /// For a text in Godot's form: whether the dialect was given or is certain. Otherwise true.
    bool dialect_certain() const noexcept { return dialect_certain_; }
    /// Remarks on a text, in the order in which they were found.
    const std::vector<DocumentNote>& notes() const noexcept { return notes_; }

    /// In a text (DocumentKind::text): where value `number` of `items` stands.
    virtual TextPlace text_place(std::size_t number) const noexcept;
    /// In a text: the parts of value `number`, with positions that count from the begin of its
    /// place. A line of JSON is read again for it. Errors: misplaced (no text); no_memory.
    [[nodiscard]] virtual std::expected<std::shared_ptr<const Outline>, Error> outline(
        std::size_t number) const;

    /// The bytes of the document with these values in place of those that were read. A value whose
    /// packet has not changed gives the bytes that were read, and so does everything between the
    /// values. A written text has been read again and is identical to the values.
    /// Errors: too_large, trailing_bytes (more than the one value that the document has),
    /// no_memory; of a text: not_in_dialect (a value that it can't express).
    [[nodiscard]] virtual std::expected<std::vector<std::byte>, DocumentError> write(
        std::span<const SaveItem> items) const = 0;

    /// Whether `write` takes a change whatever else is in the values: `value` comes into one of
    /// them, inside of `depth` containers, in place of another (`replaces`) or beside others, with
    /// `key` if that is not lost. A lost `value`: one goes from there. False: `write` alone tells.
    /// May throw bad_alloc.
    [[nodiscard]] virtual bool surely_holds(const View& key, const View& value, std::size_t depth,
                                            bool replaces) const;

    /// The bytes of a text for the engines of another dialect: parts that mean the same to
    /// them stay as they are, comments and layout too. In JSON only those
    /// escapes change that Godot 4 does not read (`report.notes`); one value in Godot's form is
    /// printed anew. Losses and renames go to `report`. Errors: misplaced (no text: convert its
    /// packets with inspect::convert); those of inspect::convert and of `write`.
    [[nodiscard]] virtual std::expected<std::vector<std::byte>, DocumentError> convert(
        const Dialect& to, const inspect::Renames& renames,
        inspect::ConversionReport& report) const;

protected:
    SaveDocument(const DocumentKind& kind, std::vector<SaveItem> items,
                 const Dialect* dialect = nullptr)
        : kind_(&kind), items_(std::move(items)), dialect_(dialect) {}

    const DocumentKind* kind_;
    std::vector<SaveItem> items_;
    std::vector<DocumentNote> notes_;
    const Dialect* dialect_;
    bool dialect_certain_ = true;
};

/// The path of the innermost value of a text in which, or in whose key or header, the byte at
/// `offset` stands, as `SaveFile::path_at` gives it: `$.players[3]`, `#2 $.name`. Empty where there
/// is none, and where memory is short. Time: linear in the value.
[[nodiscard]] std::string path_in_text(const SaveDocument& document, std::uint64_t offset);

/// A kind of document, which says how its values follow each other: a row of a table.
struct DocumentKind {
    InputKind seen_as;  ///< what `recognise` says of such bytes
    bool several;       ///< whether there may be any number of values
    bool named;         ///< whether they are found by name
    bool text;          ///< whether it is text
    /// Reads a document. It borrows `bytes` as long as it lives. Errors: truncated, bad_length,
    /// bad_magic, trailing_bytes, no_memory; of packets without lengths: as `validate`; of a text:
    /// those of its parser, with the offset in the text.
    std::expected<std::unique_ptr<SaveDocument>, Error> (*open)(const DocumentKind& kind,
                                                                ByteView bytes,
                                                                const DocumentOptions& options);
    /// The bytes of a new document of these values, in packets of that dialect. Errors: as
    /// SaveDocument::write; unsupported_type (a kind that is only read).
    std::expected<std::vector<std::byte>, DocumentError> (*write)(std::span<const SaveItem> items,
                                                                  const Dialect& dialect);
    /// Whether its packets are made when it is read, and are no bytes of it. Objects in them are
    /// data.
    bool made = text;
    /// Whether it can't be written: `write` gives the reason.
    bool only_read = false;
};

/// All kinds: packet, packets, records, records-be, project, json, ...
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
