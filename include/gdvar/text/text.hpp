// Printing of text: Godot's form, as `var_to_str` and `var2str` print it, and our own lossless
// form.
// Room: text.
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

/// How a value is printed.
struct TextOptions {
    TextFamily family = TextFamily::godot_4;
    /// The type ids of this dialect order keys of different types. Null: the family's newest
    /// dialect; of a view always its own.
    const Dialect* dialect = nullptr;
    /// The texts are as an engine holds them, for example from `read_as`: a byte order mark at the
    /// front is part of the text. By default one mark is dropped, as an engine does on reading.
    /// Quicker where a text has no mark and no NUL (`inspect::keeps_all`).
    bool held = false;
};

/// Exactly the text that the engine family prints for the value: its order of keys, its digits of
/// floats, and empty containers beyond its depth limit of 100 (wire-format 6.1). Text is cut at a
/// NUL and loses one byte order mark, as in the engine's own reader. Equal keys are not merged (see
/// read_as in inspect/engine.hpp). Time: n log n. If the engine's own sort would need n^2 steps,
/// the keys stay in wire order (docs/text.md). Errors: the view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_text(const View& view, TextFamily family);
/// The family that the view's dialect belongs to.
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

/// How a value is printed that is to stand in a file: a ConfigFile, a `.tres`, a text of one value.
struct FileText {
    TextFamily family = TextFamily::godot_4;
    /// The end of a line, where the printer begins a new one. Texts keep their own.
    std::string_view newline = "\n";
    /// PackedByteArrays as Base64, `PackedByteArray("AQID")`, as `.tres` files of format 4 have
    /// them. Pandemonium's always are; Godot 3 reads no such text.
    bool base64_bytes = false;
    /// Each float has its shortest digits, which a reader that reads exactly needs
    /// (`ParseOptions::strict_numbers`) and an engine may not.
    bool exact_digits = false;
    /// If positive, for people: pairs, properties, and elements of Arrays that hold containers
    /// stand on lines of their own, indented by at most 64 columns.
    int indent = 0;
    /// Objects that stand for references to resources (`ParseOptions::resources`) are printed as
    /// such: `ExtResource("1_abc")`, in Godot 3 `ExtResource( 1 )`.
    bool resources = true;
};

/// The text that the engine family writes for the value into files, but for what its own reader
/// would not read back. Pairs keep their order. Floats have as many digits as that reader needs to
/// give the same float; so have components and elements. Control characters stand as they are where
/// the engine's escape for them is read as another character. Nesting has no limit.
///
/// What the family has no text for is printed all the same, and would be read back as something
/// else: 64-bit components, ids, a NUL in a String, StringNames in Godot 3; and one of 70 doubles
/// of 17 digits, which the engines' reader gives for no digits. It gets its shortest digits. Check
/// by parsing; `inspect::rewrite` does. Errors: the view's own, no_memory.
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
