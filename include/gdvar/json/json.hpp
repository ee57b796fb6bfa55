// JSON: typed, in the shape of Godot's `JSON.from_native`, and plain.
// Room: json.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

struct JsonOptions {
    int indent = 0;  ///< spaces a level; 0: all on one line
};

/// Typed JSON (wire-format 6.2): `"i:1"`, `"s:text"`, `{"type":"Vector2","args":[1.0,2.0]}`. Every
/// value of every dialect; what Godot's own printer loses is kept: floats in full, and members that
/// Godot ignores for ids, 64-bit lanes and the like (docs/json.md). Errors: no_memory.
std::expected<std::string, Error> to_json(const View& view, const JsonOptions& options = {});
std::expected<std::string, Error> to_json(const Variant& value, const JsonOptions& options = {});

/// Plain JSON for other tools. What JSON has no form for is written as docs/json.md says, and
/// `losses`, if given, becomes one line for each value that can't be read back: "$.a: ...".
/// Errors: no_memory.
std::expected<std::string, Error> to_plain_json(const View& view, const JsonOptions& options = {},
                                                std::vector<std::string>* losses = nullptr);

}  // namespace gdvar
