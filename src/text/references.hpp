// References to resources as Objects: `ExtResource("1_abc")`, `SubResource( 1 )`,
// `Resource("res://x.tres")` (ParseOptions::resources).
#pragma once

#include <string>
#include <string_view>

#include "escape.hpp"
#include "gdvar/wire/views.hpp"
#include "rules.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {

bool is_reference_name(std::string_view name) noexcept;

/// Appends the Object as a reference in that family's form. False, with nothing appended, if it has
/// other properties. `Value`: View or Held.
template <class Value>
bool append_reference(std::string& out, const Value& object, const TextRules& rules) {
    const std::string_view name = object.class_name();
    if (!is_reference_name(name))
        return false;
    const std::size_t size = out.size();
    const bool modern = rules.uids, by_path = name == "Resource";
    out += name;
    out += modern ? "(" : "( ";
    bool path = false, uid = false, refused = object.size() == 0;
    std::size_t count = 0;
    for (const auto all = object.properties(); const auto& property : all) {
        const bool text = property.value.is(Type::string);
        if (by_path) {
            bool& seen = property.name == "uid" ? uid : path;
            refused = refused || seen || !text || (&seen == &path && property.name != "path") ||
                      (modern && property.value.text().starts_with("uid://") != (&seen == &uid));
            seen = true;
        } else {
            refused = property.name != "id" || (!text && !property.value.is(Type::integer));
        }
        refused = refused || (count && (!by_path || !modern));
        if (refused)
            break;
        if (count++)
            out += ", ";
        if (text) {
            out += '"';
            append_multiline(out, property.value.text());
            out += '"';
        } else {
            out += std::to_string(property.value.integer());
        }
    }
    if (refused || (uid && !modern)) {
        out.resize(size);
        return false;
    }
    // Godot 3 writes no space behind a path.
    out += modern || by_path ? ")" : " )";
    return true;
}

}  // namespace gdvar::detail
