// Paths into values: finding what `$.players[3].pos` names.
// Room: inspect. The grammar is in wire/path.hpp.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/value/document.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar::inspect {

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

/// The value at that path below `root`. `$` alone, or nothing, is the root itself; the leading `$`
/// may be left out; `[-1]` counts from an Array's end. Of equal keys the last one counts. Math
/// values have their components, by Godot's names (`.pos.x`, `.xform.basis.x.y`, `.color.a`: of a
/// Basis, x is the first column), packed arrays their elements (`[3]`, `[3].x`). Errors: bad_path
/// (not a path), missing_key, index_out_of_range, wrong_type (a step
/// into what is no container); what `root` was lost for, if it is lost.
[[nodiscard]] std::expected<Found, Error> lookup(const View& root, std::string_view path);

/// A value and where it is.
struct Match {
    std::string path;
    Found value;
};

/// What `lookup_each` gives. Both members are valid only during the call.
struct MatchView {
    std::string_view path;
    const Found& value;
};

/// As `lookup`, with `[*]` steps, which stand for all that a container or packed array holds. Gives
/// every matching value to `use`, in order, until `use` returns false. Returns how many it gave.
/// Time: one pass over the containers on the way. Memory: the longest path, and what is open around
/// a value. Errors: as `lookup`, if nothing matches; no_memory.
[[nodiscard]] std::expected<std::size_t, Error> lookup_each(
    const View& root, std::string_view path, const std::function<bool(const MatchView&)>& use);
/// All matches of `lookup_each` at once. Memory: the sum of their paths. Errors: as `lookup_each`.
[[nodiscard]] std::expected<std::vector<Match>, Error> lookup_all(const View& root,
                                                                  std::string_view path);

/// A key, or a name, as a step of a path: `.hp`, `["odd key"]`, `[3]`, `[Vector2i(1, 2)]`.
std::string key_step(const View& key, std::size_t ordinal);
std::string name_step(std::string_view name);
/// A path for messages. A path of more than `most` bytes is cut in the middle: its two ends stay,
/// in whole characters of UTF-8, with `...` between them.
std::string shortened_path(std::string_view path, std::size_t most);

}  // namespace gdvar::inspect

namespace gdvar::detail {
/// The steps of a path, each as it is printed. Errors: bad_path.
[[nodiscard]] std::expected<std::vector<std::string>, Error> path_steps(std::string_view path);
/// One step on, from a container. Errors: as `lookup`.
[[nodiscard]] std::expected<View, Error> step_into(const View& at, const std::string& step);
}  // namespace gdvar::detail
