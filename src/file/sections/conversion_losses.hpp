// Values that texts of other engines can't hold, and where losses and renames are told.
#pragma once

#include <string>
#include <vector>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

struct ConversionNotes {
    std::vector<inspect::Loss>& losses;
    std::vector<inspect::Rename>& renames;
    inspect::ConversionReport* report;  ///< null: they go to the lists

    void lose(const std::string& path, Type type, std::string what, std::string becomes) const;
    void rename(const std::string& path, std::string_view from, std::string_view to) const;
};

/// Godot 3 has RIDs, but no text for them: null takes their place. May throw bad_alloc.
void lose_rids(Variant& value, const ConversionNotes& notes);
/// Godot 2's InputEvents, `key(Space)`, become null.
void lose_events(Variant& value, const ConversionNotes& notes);

/// References to resources in a ConfigFile, which has no list of them: Godot 3.6.2 and 4.6.3 load
/// what is at the path that is given, and end with an error where nothing is. They stay as they
/// are; with `to_null`, for what is no text, they become null. May throw bad_alloc.
void lose_references(Variant& value, const ConversionNotes& notes, bool to_null = false);

}  // namespace gdvar::detail
