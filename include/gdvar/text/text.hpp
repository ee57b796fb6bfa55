// Prints text: Godot's form, as `var_to_str` and `var2str` print it, and our own lossless form.
#pragma once

#include <expected>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/text_pieces.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Options of printed text.
struct TextOptions {
    TextFamily family = TextFamily::godot_4;
    /// The type ids of this dialect order keys of different types. Null: the family's newest
    /// dialect; for a view always its own.
    const Dialect* dialect = nullptr;
    /// The texts are as an engine holds them, for example from `read_as`: a leading byte order mark
    /// is part of the text. By default one mark is dropped, as an engine does on reading. Quicker
    /// if no text has a mark or a NUL (`inspect::keeps_all`).
    bool held = false;
};

/// Exactly the text that the engine family prints for the value: its order of keys, its digits of
/// floats, and empty containers beyond its depth limit of 100 (wire-format 6.1). Text is cut at a
/// NUL and loses one byte order mark, as in the engine's own reader. Equal keys are not merged (see
/// read_as in inspect/engine.hpp). Time: n log n. If the engine's own sort would need n^2 steps,
/// the keys stay in wire order (docs/text.md). Errors: the view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_text(const View& view, TextFamily family);
/// With the family of the view's dialect.
[[nodiscard]] std::expected<std::string, Error> to_text(const View& view);
/// As above, for an owning value of any dialect. Errors: no_memory.
[[nodiscard]] std::expected<std::string, Error> to_text(const Variant& value,
                                                        TextFamily family = TextFamily::godot_4);
[[nodiscard]] std::expected<std::string, Error> to_text(const Variant& value,
                                                        const TextOptions& options);

/// The same, piece by piece. Errors: as above.
[[nodiscard]] std::expected<void, Error> print_text(const View& view, const TextOptions& options,
                                                    const TextPieces& to);
[[nodiscard]] std::expected<void, Error> print_text(const Variant& value,
                                                    const TextOptions& options,
                                                    const TextPieces& to);

/// Options of text for a file: a ConfigFile, a `.tres`, a text of one value.
struct FileText {
    TextFamily family = TextFamily::godot_4;
    /// The printer's line break. Texts keep their own.
    std::string_view newline = "\n";
    /// PackedByteArrays as Base64, `PackedByteArray("AQID")`, as in `.tres` files of format 4.
    /// Pandemonium's always are; Godot 3 reads no such text.
    bool base64_bytes = false;
    /// Gives each float its shortest digits, which suit exact readers
    /// (`ParseOptions::strict_numbers`) but perhaps not an engine.
    bool exact_digits = false;
    /// If positive, for people: pairs, properties, and elements of Arrays that hold containers have
    /// lines of their own, indented by at most 64 columns.
    int indent = 0;
    /// Prints Objects of references to resources (`ParseOptions::resources`) as such:
    /// `ExtResource("1_abc")`, in Godot 3 `ExtResource( 1 )`.
    bool resources = true;
};

/// The text that the engine family writes for the value into files, except parts that its own
/// reader would not read back. Pairs keep their order. Floats, components and elements have as many
/// digits as that reader needs to give the same float. Control characters are written literally if
/// the engine's reader misreads its own escape. Nesting has no limit.
///
/// Values without a text in the family are printed nevertheless, and would be read back as
/// something else: 64-bit components, ids, a NUL in a String, StringNames in Godot 3; and one in 70
/// doubles of 17 digits, which the engines' reader gives for no digits: it gets its shortest
/// digits. Check by parsing, as `inspect::rewrite` does. Errors: the view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_file_text(const View& view,
                                                             const FileText& how = {});
[[nodiscard]] std::expected<std::string, Error> to_file_text(const Variant& value,
                                                             const FileText& how = {});

/// Our own lossless form: wire order, every digit, ids, widths (docs/text.md). One line, unless
/// `indent` is positive: then indented by at most 64 columns. Errors: the view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_text_full(const View& view, int indent = 0);
[[nodiscard]] std::expected<std::string, Error> to_text_full(const Variant& value, int indent = 0);
/// The same, piece by piece.
[[nodiscard]] std::expected<void, Error> print_text_full(const View& view, const TextPieces& to,
                                                         int indent = 0);

}  // namespace gdvar
