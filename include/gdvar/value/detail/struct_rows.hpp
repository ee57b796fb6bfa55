// A struct's fields as a table, for all that is not worth being instantiated for every struct. Not
// for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// Reading a member: one row for each type of member.
struct MemberReading {
    bool (*read)(BindCursor& c, void* member);
    /// Makes it a new one; null for a type without a default constructor or an assignment.
    void (*renew)(void* member);
    /// Moves the member of a new struct into it. An empty one keeps its memory. Null for a type
    /// without an assignment.
    void (*restore)(void* member, void* fresh);
};

/// The options of a field by `meta`, and the checks that follow from them.
struct FieldRules {
    FieldOptions options{};
    /// False, with the reason, if `range` or a length refuses it. Null: no limits.
    bool (*in_limits)(const void* member, Error& why) = nullptr;
    /// True if it is left out when written. Null: never.
    bool (*omitted)(const void* member) = nullptr;
};
inline constexpr FieldRules no_rules{};

struct FieldRow {
    const std::byte* key;  ///< length, text, zero padding, and a NUL in any case
    /// One of the two: a struct that is only written needs nothing to read it, and the reverse.
    const MemberReading* reading;
    Errc (*write)(AnyWriter& sink, const void* member);
    const FieldRules* rules;
    bool may_miss;
    bool becomes_empty;  ///< a missing one has no value, regardless of a new struct's

    const char* name() const noexcept { return reinterpret_cast<const char*>(key + 4); }
    std::string_view text() const noexcept { return {name(), load<std::uint32_t>(key)}; }
};

struct StructRows {
    const FieldRow* fields;
    std::uint32_t count;
    std::uint32_t least_count;  ///< the least elements of an Array: up to the last required field
    bool as_array;
    std::optional<UnknownKeys> unknown_keys;
    std::optional<MissingKeys> missing_keys;
    void* (*member)(void* object, std::size_t i);
    /// Calls `use` with a new struct. Null if none can be made.
    void (*with_fresh)(void* context, void (*use)(void* context, void* fresh));
    Dictionary* (*rest)(void* object);  ///< null if there is none

    MissingKeys missing(const BindOptions& choices) const noexcept {
        return missing_keys.value_or(choices.missing_keys);
    }
};

/// Reads the value of a field that has limits or a rounding of its own.
bool read_field(BindCursor& c, const FieldRow& row, void* member);
/// The rest of a Dictionary: pairs in any order, then what is missing. `seen` has a bit for each
/// field that was read.
bool read_pairs(BindCursor& c, const StructRows& rows, void* object, std::uint64_t* seen,
                std::size_t start);
/// The elements of an Array of `n` from `next` on.
bool read_elements(BindCursor& c, const StructRows& rows, void* object, std::size_t next,
                   std::uint32_t n, std::size_t start);

/// Writes `n` fields from `first` on.
Errc write_some_rows(AnyWriter& sink, const StructRows& rows, const void* object, std::size_t first,
                     std::size_t n);
/// Writes the struct.
Errc write_rows(AnyWriter& sink, const StructRows& rows, const void* object);

}  // namespace detail
}  // namespace gdvar
