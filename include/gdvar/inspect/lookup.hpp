// Paths into values: finding what `$.players[3].pos` names, or all that `$..pos` does.
// Room: inspect. The grammar and all selectors: docs/paths.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/path.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// A value that a path led to. It is a View into the Document, valid as long as that; or, where the
/// path names a part of a value (`.pos.x`, `[3]` of a packed array), a View into a copy of that
/// part, which this shares and keeps.
class Found : public View {
public:
    Found() = default;
    Found(const View& view) : View(view) {}
    Found(const View& view, std::shared_ptr<const void> made, bool narrow = false)
        : View(view), made_(std::move(made)), narrow_(narrow) {}
    /// Whether it is a part of a value: its offset and bytes are then those of the copy.
    bool part() const noexcept { return made_ != nullptr; }
    /// Whether it is a part that is a float of 32 bits where it stands.
    bool narrow() const noexcept { return narrow_; }

private:
    std::shared_ptr<const void> made_;
    bool narrow_ = false;
};

/// The one value at that path below `root`. `$` alone, or nothing, is the root itself; the leading
/// `$` may be left out; `[-1]` counts from an Array's end. If keys are equal the last one counts.
/// Math values have their components, by Godot's names (`.pos.x`, `.xform.basis.x.y`, `.color.a`:
/// of a Basis, x is the first column), packed arrays their elements (`[3]`, `[3].x`). Steps that
/// may lead to several values (`[*]`, `[1:3]`, `..hp`) lead nowhere here. Errors: bad_path (not a
/// path, or one with a record before it), missing_key, index_out_of_range, wrong_type (a step into
/// what is no container); what `root` was lost for, if it is lost.
[[nodiscard]] std::expected<Found, Error> lookup(const View& root, std::string_view path);
/// The same of a path that is parsed. Its record is not looked at.
[[nodiscard]] std::expected<Found, Error> lookup(const View& root, const Path& path);

/// A value and where it is.
struct Match {
    std::string path;
    Found value;
};

/// A match of `lookup_each`. Both members are valid only during the call.
struct MatchView {
    std::string_view path;
    const Found& value;
};

/// As `lookup`, for paths to several values:
///
///     [*]                   all elements, values of a Dictionary, or properties;
///                           of packed arrays, too
///     [1:3] [-2:] [::2]     some elements of an Array or packed array, as in Python
///     ..hp ..["odd key"]    the same in the value itself and in all containers
///     ..[0] ..[*] ..[1:3]   below it
///
/// Gives every matching value to `use`, with its own path, until `use` returns false. Values come
/// in the order of the bytes, a container before what it holds; each comes once, however many ways
/// lead to it. `..` looks into Arrays, Dictionaries and Objects; steps behind it may lead into math
/// values and packed arrays, too (`..pos.x`). Returns how many values it gave. Iterative. Time: one
/// pass over the containers on the way, times the steps from the first `..` on, of which there are
/// at most 63. Memory: the longest path, and at most 150 bytes for each container that is open
/// around a value. Errors: as `lookup`, if no value is found where the path names one; no_memory. A
/// path with `[*]` or a slice may find nothing without an error.
[[nodiscard]] std::expected<std::size_t, Error> lookup_each(
    const View& root, std::string_view path, const std::function<bool(const MatchView&)>& use);
/// `work`, if given, becomes the number of values that were looked at: each counts once for every
/// way in which the path may go on from it, and a search by name counts all items of the container.
[[nodiscard]] std::expected<std::size_t, Error> lookup_each(
    const View& root, const Path& path, const std::function<bool(const MatchView&)>& use,
    std::uint64_t* work = nullptr);
/// All matches of `lookup_each` at once. Their paths can be many times as long as the packet
/// (`$..[0]` in Arrays that are nested deeply); `max_bytes` limits them, beyond it the error is
/// size_limit. Default limit: 8 MB, or 50 times the packet's bytes if that is more. Errors: as
/// `lookup_each`, size_limit.
[[nodiscard]] std::expected<std::vector<Match>, Error> lookup_all(
    const View& root, std::string_view path, std::optional<std::uint64_t> max_bytes = {});
[[nodiscard]] std::expected<std::vector<Match>, Error> lookup_all(
    const View& root, const Path& path, std::optional<std::uint64_t> max_bytes = {});

/// A key, or a name, as a step of a path: `.hp`, `["odd key"]`, `[3]`, `[Vector2i(1, 2)]`.
std::string key_step(const View& key, std::size_t ordinal);
std::string name_step(std::string_view name);
using gdvar::shortened_path;

}  // namespace inspect
}  // namespace gdvar

namespace gdvar GDVAR_EXPORT {
namespace detail {
/// One step on, from a container. Errors: as `lookup`.
[[nodiscard]] std::expected<View, Error> step_into(const View& at, const Path::Step& step);
}  // namespace detail
}  // namespace gdvar
