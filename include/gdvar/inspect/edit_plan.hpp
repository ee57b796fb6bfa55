// Whether a value may be put at a place of a save, and as which type. Mistakes are refused before
// anything is written.
// Room: inspect.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// Permits more than replacing a value by another one of the same type.
struct SetRules {
    bool create = false;  ///< add a key or property that is not there
    bool whole = false;   ///< the root may be replaced like any other value, as for a setting
    std::optional<Type> type{};  ///< the value's new type; the old one does not count
};

/// The effect that a change would have.
struct SetPlan {
    /// The value to give to `set_value`: in its final type, with floats rounded to the width of the
    /// place.
    Variant value;
    bool added = false;  ///< a pair, property or element that was not there
    Found before{};      ///< else what stands there; valid as long as the View that was given
    /// The value as it was asked for, if rounding to 32 bits changed a float so that it also reads
    /// differently: 16777217 becomes 16777216, but 0.1 stays 0.1.
    std::optional<Variant> asked{};
};

/// The permission that a refused change needs.
enum class SetNeeds : std::uint8_t {
    another_value,  ///< no rule helps: the value does not fit the place
    create,         ///< SetRules::create
    type,           ///< SetRules::type
    append,         ///< `[+]` instead of an index past the end
    another_path,   ///< no rule helps: the path leads nowhere
};

/// Why a change is refused.
struct SetRefusal {
    SetNeeds needs = SetNeeds::another_value;
    Error error{};          ///< its offset is that of the value at `at`
    std::string at;         ///< the path of what is there: "$.speed"
    std::string what;       ///< in words: "this is a float, the value is a String"
    Type type = Type::nil;  ///< with SetNeeds::type: the value's
};

/// The value converted to the type, if nothing is lost: an int to a float that holds it, a float
/// without a fraction to an int, a text to String, StringName or NodePath, a vector of ints to one
/// of floats and back, single-precision components to double. Nothing if it does not fit.
std::optional<Variant> in_type(const Variant& value, Type type, bool wide = false);

/// Checks whether `value` may be put at `path` below `root`. It is converted to the type of the
/// value that is there, if it fits (`in_type`), or to the element type of the typed container
/// around it. A new Array or Dictionary keeps the element types of the old one. Another type and a
/// new root need SetRules::type, which a typed container around it does not allow. A new key or
/// property needs SetRules::create. An element at the end needs the step `[+]`. Errors in
/// SetRefusal: those of `lookup`; wrong_type, missing_key, number_out_of_range, no_memory.
std::expected<SetPlan, SetRefusal> plan_set(const View& root, std::string_view path,
                                            const Variant& value, const SetRules& rules = {});
std::expected<SetPlan, SetRefusal> plan_set(const View& root, const Path& path,
                                            const Variant& value, const SetRules& rules = {});

/// The beginning of a text, `most` bytes of it at most, in whole characters of UTF-8; `...` follows
/// if more was cut off.
std::string cut_text(std::string text, std::size_t most = 100);
/// A value on one line for messages: in gdvar's text form, shortened. A large value gives only its
/// type and size.
std::string brief_value(const View& value);
/// As above; a part that is a float of 32 bits is printed with its shortest digits of that width.
std::string brief_value(const Found& value);
/// As above; the Variant is printed whole before it is shortened.
std::string brief_value(const Variant& value);

}  // namespace inspect
}  // namespace gdvar
