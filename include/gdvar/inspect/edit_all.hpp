// Changing all values of a packet that a path leads to, at once.
// Room: inspect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// How many values were changed at once.
struct EditCounts {
    std::size_t changed = 0;  ///< values that were set or removed
    std::size_t inside = 0;   ///< matches inside of these, which went with them
    std::size_t earlier = 0;  ///< pairs that went with the last one of their key
    std::size_t rounded = 0;  ///< of those changed: how many have a SetPlan::asked

    EditCounts& operator+=(const EditCounts& other) noexcept {
        changed += other.changed;
        inside += other.inside;
        earlier += other.earlier;
        rounded += other.rounded;
        return *this;
    }
};

/// A packet in which several values were changed.
struct EditedAll : EditCounts {
    PackedByteArray packet;
    std::string rounded_at{};             ///< the path of the first of these
    std::optional<SetPlan> rounded_to{};  ///< its plan, without `before`
};

/// How `set_all` checks and limits.
struct SetAllRules : SetRules {
    /// Called with each different value that is put, as it is put, and the first path at which it
    /// is. If it returns false, nothing is changed: the error is Errc::misplaced at that path.
    std::function<bool(std::string_view path, const Variant& value)> accept{};
    /// Limits the bytes of the new values together. Default: 8 MB, or 50 times those of the packet
    /// and the value if that is more.
    std::optional<std::uint64_t> max_bytes{};
};

/// Sets all values that `lookup_each` finds at the path, each as `plan_set` and `set_value` do, or
/// none. A match inside of another match goes with that one. Adds nothing: `create` has no effect.
/// One pass over the packet. Time: that of `lookup_each`, n log n at most, and the bytes that are
/// put. Memory: the Document, two packets, the result, and 16 bytes for each match. Errors, with
/// the path of the first match that is refused: those of `plan_set` and `set_value`; size_limit.
/// Without a match `changed` is 0.
[[nodiscard]] std::expected<EditedAll, SetRefusal> set_all(
    ByteView packet, const Path& path, const Variant& value, const SetAllRules& rules = {},
    const DecodeOptions& options = default_decode_options);

/// The packet without all pairs, properties and elements that `lookup_each` finds at the path. A
/// match inside of another match goes with that one, and so do earlier pairs of the same key, as in
/// `erase_value`. All other bytes stay. Time and memory: as `set_all`, and 48 bytes for each pair
/// of the containers that are open at a match. Errors, with the path of the first match that is
/// refused: those of `erase_value`. Without a match `changed` is 0.
[[nodiscard]] std::expected<EditedAll, SetRefusal> erase_all(
    ByteView packet, const Path& path, const DecodeOptions& options = default_decode_options);

}  // namespace inspect
}  // namespace gdvar
