// Prints JSON: typed, in the shape of Godot's `JSON.from_native`, and plain.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/losses.hpp"
#include "gdvar/value/text_pieces.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Options of printed JSON.
struct JsonOptions {
    /// Spaces for each level, at most 64 in a line. 0: one line.
    int indent = 0;
};

/// The text as a JSON string, in quotes. Bytes that are not UTF-8 become \udc80 to \udcff.
std::string json_string(std::string_view text);

/// Typed JSON (wire-format 6.2): `"i:1"`, `"s:text"`, `{"type":"Vector2","args":[1.0,2.0]}`. Every
/// value of every dialect. It keeps what Godot's own printer loses: floats are written in full, and
/// members that Godot ignores hold ids, 64-bit components and the like (docs/json.md). Errors: the
/// view's own, no_memory.
[[nodiscard]] std::expected<std::string, Error> to_json(const View& view,
                                                        const JsonOptions& options = {});
[[nodiscard]] std::expected<std::string, Error> to_json(const Variant& value,
                                                        const JsonOptions& options = {});
/// The same, piece by piece.
[[nodiscard]] std::expected<void, Error> print_json(const View& view, const JsonOptions& options,
                                                    const TextPieces& to);

/// Plain JSON for other tools. Values without a form in JSON are written by the rules of
/// docs/json.md, and counted in `losses` if given. Time: n log n. Errors: the view's own,
/// no_memory.
[[nodiscard]] std::expected<std::string, Error> to_plain_json(const View& view,
                                                              const JsonOptions& options = {},
                                                              Losses* losses = nullptr);
[[nodiscard]] std::expected<std::string, Error> to_plain_json(const Variant& value,
                                                              const JsonOptions& options = {},
                                                              Losses* losses = nullptr);
/// The same, piece by piece.
[[nodiscard]] std::expected<void, Error> print_plain_json(const View& view,
                                                          const JsonOptions& options,
                                                          const TextPieces& to,
                                                          Losses* losses = nullptr);

}  // namespace gdvar
