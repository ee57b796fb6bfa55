// Paths into values: finding what `$.players[3].pos` names.
// Room: inspect. The grammar is in wire/path.hpp.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar {

/// The value at that path below `root`. `$` alone, or nothing, is the root itself; the leading `$`
/// may be left out; `[-1]` counts from an Array's end. Of equal keys the last one counts.
/// Errors: bad_path (not a path: the offset is the character), missing_key, index_out_of_range,
/// wrong_type (a step into what is no container).
std::expected<View, Error> lookup(const View& root, std::string_view path);

/// A key, or a name, as a step of a path: `.hp`, `["odd key"]`, `[3]`, `[Vector2i(1, 2)]`.
std::string key_step(const View& key, std::size_t ordinal);
std::string name_step(std::string_view name);

}  // namespace gdvar
