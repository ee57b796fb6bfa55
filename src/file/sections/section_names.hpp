// What differs between engine families in the value of a text resource, besides the types of
// values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdvar/inspect/convert.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// Where losses and renames go.
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

/// Makes the value of a resource that `inspect::convert` has converted one of the other family. Its
/// keys stay as they are. Between Godot 4 and the others; else it does nothing. May throw
/// bad_alloc.
class ResourceNames {
public:
    ResourceNames(TextFamily from, TextFamily to, const inspect::Renames& renames,
                  const ConversionNotes& notes)
        : modern_(is_godot_4(to)),
          other_(is_godot_4(from) != modern_),
          renames_(renames),
          notes_(notes) {}

    void convert(Dictionary& document);
    /// The new id of a sub_resource: what its key becomes.
    Variant sub_id(const Variant& id) const;

private:
    using Ids = std::map<std::string, Variant, std::less<>>;

    Ids new_ids(const Dictionary& tags) const;
    void header(Dictionary& document);
    void external(Dictionary& tags);
    void node(const std::string& path, Dictionary& attributes);
    void lose_attributes(const std::string& path, const Dictionary& attributes);
    void metadata(const std::string& path, Variant& properties);
    void references(Variant& value) const;
    void reference(Object& object) const;

    bool modern_, other_;
    const inspect::Renames& renames_;
    const ConversionNotes& notes_;
    Ids ext_ids_, sub_ids_;
};

}  // namespace gdvar::detail
