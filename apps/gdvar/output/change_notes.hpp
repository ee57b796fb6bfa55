#pragma once

#include <span>
#include <string>

#include "gdvar/file/save_document.hpp"

namespace gdvar::app {

/// Warns of changed values in a text that an engine may read differently: numbers in JSON that
/// engines read from no digits, values in Godot 3's form that Godot 3.2 does not read, and values
/// that other engines than the text's read differently, if its engine is not certain. `before` is
/// the document into which `items` are written.
void say_change_notes(const std::string& name, const SaveDocument& before,
                      std::span<const SaveItem> items);

}  // namespace gdvar::app
