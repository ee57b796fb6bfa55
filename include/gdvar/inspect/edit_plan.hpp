// Whether a value may be put at a place of a save, and as what: mistakes are refused before anything is
// written.
// Room: inspect.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/misstep.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar {

/// What a change may do besides replacing a value by another one of the same type.
struct SetRules {
    bool create = false;  ///< add a key or property that is not there
    bool whole = false;   ///< the root may be replaced like any other value, as for a setting
    std::optional<Type> type{};  ///< the type that the value is to have, whatever was there
};

/// What a change would do.
struct SetPlan {
    /// What to give to `set_value`: of the type that it is to have, with floats rounded to the
    /// width that they have there.
    Variant value;
    bool added = false;    ///< a pair, property or element that was not there
    Found before{};        ///< else what stands there; valid as long as the View that was given
    /// The value that was asked for, where a float of it is another one in 32 bits and also reads
    /// differently there: 16777217 becomes 16777216, but 0.1 stays 0.1.
    std::optional<Variant> asked{};
};

/// What would have to be allowed, or said otherwise, for a refused change.
enum class SetNeeds : std::uint8_t {
    another_value,  ///< no rule helps: the value does not fit the place
    create,         ///< SetRules::create
    type,           ///< SetRules::type
    append,         ///< `[+]` instead of an index past the end
    another_path,   ///< no rule helps: the path leads nowhere
};

struct SetRefusal {
    SetNeeds needs = SetNeeds::another_value;
    Error error{};          ///< its offset is that of the value at `at`
    std::string at;         ///< the path of what is there: "$.speed"
    std::string what;       ///< in words: "this is a float, the value is a String"
    Type type = Type::nil;  ///< with SetNeeds::type: the value's
};

/// The value as that type, if nothing is lost: an int as a float that holds it, a float without a
/// fraction as an int, a text as String, StringName or NodePath, a vector of ints as one of floats
/// and back, single components as double ones. Nothing if it does not fit.
std::optional<Variant> in_type(const Variant& value, Type type, bool wide = false);

/// Whether `value` may be put at `path` below `root`. It takes the type of the value that is there,
/// if it fits
/// (`in_type`), or the element type of the typed container around it. A new Array or Dictionary
/// takes over the element types of the old one. Another type and a new root need SetRules::type, a
/// new key or property SetRules::create, and an element at the end the step `[+]`. Errors in
/// SetRefusal: those of `lookup`; wrong_type, missing_key, number_out_of_range, no_memory.
std::expected<SetPlan, SetRefusal> plan_set(const View& root, std::string_view path,
                                            const Variant& value, const SetRules& rules = {});

/// The beginning of a text, in whole characters of UTF-8, with `...` where there was more.
std::string cut_text(std::string text, std::size_t most = 100);
/// A value on one line for messages: in our own form, shortened; of a large one only its type and size.
std::string brief_value(const View& value);
/// The same; a part that is a float of 32 bits has its shortest digits of that width.
std::string brief_value(const Found& value);
/// The same for a value of one's own, which is printed whole before it is shortened.
std::string brief_value(const Variant& value);

}  // namespace gdvar
