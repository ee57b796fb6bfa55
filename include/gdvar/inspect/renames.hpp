// Classes and properties that have another name in another generation of the engine.
// Room: inspect. The rows: data/renames_3_to_4.txt; their format: docs/converting.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// A table of old and new names, to be used in both directions.
class Renames {
public:
    /// Old to new (Godot 3 to 4), or back.
    enum class Direction : unsigned char { to_new, to_old };

    /// Why a line of a table was refused. Owns its text.
    struct Problem {
        std::size_t line = 0;  ///< from 1
        std::string what;
    };
    /// The new name.
    struct Name {
        std::string_view name;  ///< what was asked for, or owned by the table
        /// Where the old names are several, all of them; `name` is the first. Else empty.
        std::vector<std::string_view> candidates;
        /// Not empty: the name stays, since its values mean nothing to the other engine, which has
        /// this property in its place. Owned by the table.
        std::string_view differs{};
        /// The property's numbers are keys: `key` gives the other engine's.
        bool keys = false;
    };

    /// An empty table: names stay.
    Renames() = default;
    /// The table that comes with gdvar. Lives as long as the program. May throw std::bad_alloc when
    /// it is first used.
    static const Renames& godot_3_to_4();

    /// Adds rows: `class Old New`, `merge Old New` (one way), `property Class old new`,
    /// `differs Class old new` (two properties whose values differ), `keys Class old new` (two
    /// whose values are numbers of keys), `key old new`, `inherits Class Heir...`; `#`
    /// begins a comment. They override those that are there; a name that becomes itself is a rename
    /// switched off. On a problem nothing has been added.
    [[nodiscard]] std::expected<void, Problem> add(std::string_view text);

    Name class_name(std::string_view name, Direction direction) const;
    /// `old_class` is the class's name in Godot 3; properties are inherited.
    Name property(std::string_view old_class, std::string_view name, Direction direction) const;
    /// The number of a key. Keys with a character have its number in both engines. Nothing for one
    /// that the other engine lacks.
    std::optional<std::int64_t> key(std::int64_t number, Direction direction) const;
    bool empty() const noexcept { return classes_.forward.empty() && properties_.empty(); }

private:
    /// Names of one scope.
    struct Names {
        std::map<std::string, std::string, std::less<>> forward;
        /// The old names of one new name: several where names were merged. Owned by the table.
        struct Back {
            std::size_t layer = 0;  ///< of the call to `add` that the names came with
            std::vector<std::string> names;
        };
        std::map<std::string, Back, std::less<>> backward;
        void add(const std::string& from, const std::string& to, bool both_ways, std::size_t layer);
        Name find(std::string_view name, Direction direction) const;
    };
    std::string row(std::string_view line);

    Names classes_;
    std::map<std::string, Names, std::less<>> properties_;  ///< by the class's old name
    /// Properties whose values differ, by the class's old name: old names, and new ones.
    struct Differing {
        std::map<std::string, std::string, std::less<>> forward, backward;
    };
    std::map<std::string, Differing, std::less<>> differing_;
    std::set<std::pair<std::string, std::string>> keyed_;  ///< `keys` rows: classes, old names
    std::map<std::int64_t, std::int64_t> new_keys_, old_keys_;
    std::map<std::string, std::string, std::less<>> parents_;
    std::size_t layer_ = 0;
};

}  // namespace inspect
}  // namespace gdvar
