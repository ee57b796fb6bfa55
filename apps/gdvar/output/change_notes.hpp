#pragma once

#include <span>
#include <string>

#include "gdvar/file/save_document.hpp"

namespace gdvar::app {

/// Says what an engine makes of the values that have changed in a text, where that may be another
/// value: of a number in JSON that engines read from no digits, of values in Godot 3's form that
/// Godot 3.2 does not read, and of values that the engine that the text is written for spells as
/// others do not read them, where nothing shows which engine it is. `before` is the document that
/// `items` are written to.
void say_change_notes(const std::string& name, const SaveDocument& before,
                      std::span<const SaveItem> items);

}  // namespace gdvar::app
