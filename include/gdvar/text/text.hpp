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

/// How an owning value is printed.
struct TextOptions {
    TextFamily family = TextFamily::godot_4;
    /// The type ids of this dialect order keys of different types. Null: the family's newest
    /// dialect.
    const Dialect* dialect = nullptr;
    /// The texts are as an engine holds them, for example from `read_as`: a byte order mark at the
    /// front is part of the text. By default one mark is dropped, as an engine does on reading.
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
[[nodiscard]] std::expected<void, Error> print_text(const View& view, TextFamily family,
                                                    const TextPieces& to);
[[nodiscard]] std::expected<void, Error> print_text(const Variant& value,
                                                    const TextOptions& options,
                                                    const TextPieces& to);

/// Our own lossless form: wire order, every digit, ids, widths (docs/text.md). One line, unless
/// `indent` is positive: then indented by at most 64 columns. Errors: the view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_text_full(const View& view, int indent = 0);
[[nodiscard]] std::expected<std::string, Error> to_text_full(const Variant& value, int indent = 0);
/// The same, piece by piece.
[[nodiscard]] std::expected<void, Error> print_text_full(const View& view, const TextPieces& to,
                                                         int indent = 0);

}  // namespace gdvar
