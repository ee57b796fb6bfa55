// Godot's text form: what `var_to_str` and `var2str` print, and a lossless form of our own.
// Room: text.
#pragma once

#include <expected>
#include <string>

#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// Exactly what that engine family prints for the value: keys sorted its way, floats with its
/// digits, containers too deep for it (over 100) left empty (wire-format 6.1). Text is cut at a
/// NUL and loses a byte order mark, as the engine's own reader does; equal keys are not merged
/// (see read_as in inspect/engine.hpp). Cost: linear but for the sorting. Errors: no_memory.
std::expected<std::string, Error> to_text(const View& view, TextFamily family);
/// The family that the view's dialect belongs to.
std::expected<std::string, Error> to_text(const View& view);
/// As above, for an owning value. Errors: also those of `encode` for values that no dialect has.
std::expected<std::string, Error> to_text(const Variant& value,
                                          TextFamily family = TextFamily::godot_4);

/// Our own form, in which nothing is lost: wire order, every digit, ids, widths; see docs/text.md.
/// On one line unless `indent` is positive. Errors: no_memory.
std::expected<std::string, Error> to_text_full(const View& view, int indent = 0);
std::expected<std::string, Error> to_text_full(const Variant& value, int indent = 0);

}  // namespace gdvar
