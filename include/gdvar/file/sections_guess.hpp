// A guess at a text of sections, without reading it whole: whether it may be a ConfigFile or a
// resource, and which engine family wrote it.
// Room: file. Rules: wire-format 9.
#pragma once

#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

/// The text from the first character that is neither white space nor in a comment (`; ...`).
std::string_view without_comments(std::string_view text) noexcept;

/// Whether a text looks like one of a kind, and why or why not, in words.
struct SectionsSign {
    bool fits = false;
    std::string why;
};

/// Whether the text may be a ConfigFile: its first line that is neither empty nor a comment is a
/// header, `[audio]`, or an assignment, `volume=`. Looks at the first 4 KiB. JSON and resources do
/// not fit. May throw bad_alloc.
SectionsSign looks_like_config(std::string_view text);
/// Whether the text may be a text resource or scene, whole or broken: its first tag is gd_resource
/// or gd_scene, also behind a byte order mark. Looks at the first 4 KiB. May throw bad_alloc.
SectionsSign looks_like_resource(std::string_view text);

/// Which engine family wrote a text of sections.
struct FamilyGuess {
    TextFamily family = newest_text_family;
    bool certain = false;       ///< something in the text shows it
    std::string_view reason{};  ///< static text: "PoolIntArray and the like"
};

/// Tells the families apart by what only one of them writes: the `format` of a resource's header;
/// names of constructors outside of strings and comments; `&"..."` and `@"..."`; spaces inside of
/// brackets. For any release of Godot 3 it gives godot_3_6. Time: linear.
FamilyGuess guess_family(std::string_view text) noexcept;

}  // namespace gdvar
