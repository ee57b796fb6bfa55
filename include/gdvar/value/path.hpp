// Paths of users: `#2 $.players[3].pos`, parsed once and printed as in messages. docs/paths.md has
// the grammar and a table of all selectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// Why a text is not a path.
struct PathError {
    std::size_t position = 0;  ///< in the text, in bytes
    std::string_view what;     ///< in words; a literal
    bool operator==(const PathError&) const = default;
};

/// A path: the record, and the steps from its value inwards. A value type.
class Path {
public:
    /// `[from:to:step]`, as in Python, but only forwards.
    struct Slice {
        std::optional<std::int64_t> from, to;  ///< negative: from the end
        std::int64_t step = 1;                 ///< at least 1
        /// True if it includes the element of that index, of `size` elements.
        bool takes(std::size_t index, std::size_t size) const noexcept;
        bool operator==(const Slice&) const = default;
    };

    enum class StepKind : std::uint8_t {
        name,    ///< `.hp`, `["odd key"]`: a String or StringName key, or a property
        index,   ///< `[3]`, `[-1]`: an element; an int key
        key,     ///< `[1.5]`, `[Vector2i(1, 2)]`, `[@5]`: a key of another type, as printed
        all,     ///< `[*]`: all elements, values or properties
        slice,   ///< `[1:3]`: some elements
        append,  ///< `[+]`: behind the last element
    };
    /// One step from a value into it. Owns its text.
    struct Step {
        StepKind kind = StepKind::name;
        bool descends = false;   ///< `..`: in the container itself and all below it
        std::string text;        ///< of a name: the name; of a key: the text in the brackets
        std::int64_t index = 0;  ///< of an index
        Slice slice;             ///< of a slice

        /// True if it may lead to several values.
        bool several() const noexcept {
            return descends || kind == StepKind::all || kind == StepKind::slice;
        }
        /// The step as in a printed path: `.hp`, `["odd key"]`, `..hp`.
        std::string to_string() const;
        void append_to(std::string& out) const;
        bool operator==(const Step&) const = default;
    };

    /// The selected records of a save.
    struct Records {
        bool all = false;         ///< `#*`
        std::int64_t number = 0;  ///< `#2`; negative: from the end
        bool operator==(const Records&) const = default;
    };

    /// The most steps from the first `..` on, that step included.
    static constexpr std::size_t most_descending = 63;

    std::optional<Records> records;
    std::vector<Step> steps;

    /// Parses a path. `$` is optional; `.*` is `[*]`. A printed path gives the same Path.
    [[nodiscard]] static std::expected<Path, PathError> parse(std::string_view text);

    /// True if it names the whole value.
    bool whole() const noexcept { return steps.empty(); }
    /// True if it may lead to several values of a record.
    bool several() const noexcept;
    /// "#2 $.players[3].pos"
    std::string to_string() const;
    bool operator==(const Path&) const = default;
};

namespace detail {
/// Parses a path to one value, without a record. Errors: bad_path, with the text from the invalid
/// step.
[[nodiscard]] std::expected<Path, Error> parse_value_path(std::string_view text);
/// The error of an invalid path: bad_path, with the text from the invalid step.
Error bad_path(std::string_view text, const PathError& error) noexcept;
/// The text "$.hp[3]" of steps.
std::string to_string(std::span<const Path::Step> steps);
}  // namespace detail

}  // namespace gdvar
