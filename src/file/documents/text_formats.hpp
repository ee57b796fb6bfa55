// Documents of text: their formats, and how they are opened and made.
#pragma once

#include <expected>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/file/save_document.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/inspect/rewrite.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/value/outline.hpp"
#include "gdvar/value/text_error.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// A value that was read from a text.
struct TextValue {
    std::size_t begin = 0, end = 0;  ///< the part of the text that the outline is about
    Variant value{};
    Outline outline{};                 ///< its positions count from `begin`
    const Dialect* dialect = nullptr;  ///< that its packet is to be in
    bool certain = true;               ///< SaveDocument::dialect_certain
    std::vector<DocumentNote> notes{};
    std::list<std::string> words{};  ///< of notes that are not static
};

using NewText = std::expected<std::string, inspect::RewriteError>;

/// A format: a row of a table.
struct TextFormat {
    InputKind kind;
    /// Whether each line has a value, but those of white space.
    bool lines;
    /// Reads the text of a value. May throw bad_alloc.
    std::expected<TextValue, TextError> (*read)(std::string_view text,
                                                const DocumentOptions& options);
    /// Makes the differences between two values in the text: inspect::rewrite. May throw bad_alloc.
    NewText (*rewrite)(std::string_view text, const Outline& outline, const View& before,
                       const View& after, TextFamily family);
    /// Makes the text one for another dialect: that of one value, where there are several. May
    /// throw bad_alloc.
    NewText (*convert)(std::string_view text, const Outline& outline, const View& value,
                       const Dialect& to, const inspect::Renames& renames,
                       inspect::ConversionReport& report);
    /// How a new value is printed; null: only inside of a text that was read.
    std::unique_ptr<inspect::TextSyntax> (*syntax)(TextFamily family);
    /// A text without anything, to which a new value can be added; null: there is none.
    const char* empty;
    /// How values are printed that stand in so many containers or more, where the text takes every
    /// value that this prints: those further out are headers, or say more than a value.
    std::unique_ptr<inspect::TextSyntax> (*inner)(TextFamily family);
    std::size_t inner_from;
};

/// How documents of JSON are read. `outline` may be null.
JsonParseOptions document_json(Outline* outline = nullptr,
                               const Limits& limits = Limits::engine()) noexcept;

/// The text of a packet's value. `lines`: it may have several. May throw bad_alloc.
NewText print_value(const inspect::TextSyntax& syntax, ByteView packet, const Dialect& dialect,
                    bool lines);
NewText print_value(const inspect::TextSyntax& syntax, const View& value, bool lines);

/// The row of a kind of document whose `text` is true.
const TextFormat& text_format(InputKind kind) noexcept;

/// The bytes of a new text of these values: DocumentKind::write.
std::expected<std::vector<std::byte>, DocumentError> write_new_text(const DocumentKind& kind,
                                                                    std::span<const SaveItem> items,
                                                                    const Dialect& dialect);

/// DocumentKind::open of all kinds of text.
std::expected<std::unique_ptr<SaveDocument>, Error> open_text(const DocumentKind& kind,
                                                              ByteView bytes,
                                                              const DocumentOptions& options);

}  // namespace gdvar::detail
