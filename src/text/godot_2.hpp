// Values in texts of Godot 1 and 2 alone (wire-format 6.1): images, and InputEvents in two forms.
//
//     Image( 2, 2, 0, RGBA, 0, 0, ... )        Type::image
//     InputEvent(KEY,32,SC)                    Type::input_event
//     key(Space, SC) mbutton(0, 1)             in engine.cfg. An Object of that class, whose
//     jbutton(0, 0) jaxis(0, 1)                properties are the arguments
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// The properties of `key`, `mbutton`, `jbutton` or `jaxis`; empty for any other name.
GDVAR_EXPORT std::span<const std::string_view> event_properties(std::string_view name) noexcept;

void append_image(std::string& out, const ImageView& image);
void append_input_event(std::string& out, const InputEventView& event);

/// Appends the Object as an InputEvent of engine.cfg. False, with nothing appended, if it is not
/// one. `Value`: View or Held.
template <class Value>
bool append_event(std::string& out, const Value& object) {
    const auto names = event_properties(object.class_name());
    if (names.empty() || object.size() == 0 || object.size() > names.size())
        return false;
    const bool key = object.class_name() == "key";
    if (!key && object.size() != names.size())
        return false;
    const std::size_t size = out.size();
    out.append(object.class_name()) += '(';
    std::size_t i = 0;
    for (const auto all = object.properties(); const auto& property : all) {
        const bool fits =
            property.name == names[i] && property.value.is(key ? Type::string : Type::integer) &&
            (!key || property.value.text().find_first_of(",)\n\"") == std::string_view::npos);
        if (!fits) {
            out.resize(size);
            return false;
        }
        out += i++ ? ", " : "";
        if (key)
            out += property.value.text();
        else
            out += std::to_string(property.value.integer());
    }
    out += ')';
    return true;
}

}  // namespace gdvar::detail
