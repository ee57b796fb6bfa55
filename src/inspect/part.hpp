// Parts of math values and packed arrays, as paths name them.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>

#include "gdvar/inspect/lookup.hpp"

namespace gdvar::detail {

/// Some components of a math value, or of one element of a packed array.
struct Part {
    Type type = Type::nil;    ///< integer, real, string or a math type
    std::size_t element = 0;  ///< of the packed array
    std::size_t first = 0;    ///< component
    std::size_t stride = 1;   ///< from one component to the next
    std::size_t components() const noexcept {
        return type_info(type).components ? type_info(type).components : 1;
    }
};

bool has_parts(const View& view) noexcept;
/// The number of a packed array's elements, also of a PackedStringArray.
std::size_t element_count(const View& packed) noexcept;
/// The type of a packed array's elements; nil for any other type.
Type element_type(const View& packed) noexcept;
/// The part that the steps, at least one, lead to. Errors: wrong_type, missing_key (no such
/// component), index_out_of_range.
std::expected<Part, Error> part_at(const View& view, std::span<const Path::Step> steps);
/// A step in messages: `hp` for `.hp`, otherwise as printed.
std::string said(const Path::Step& step);
/// The component that a step names in a math value, if there is one.
std::optional<Part> component_at(const View& math, const Path::Step& step) noexcept;
std::expected<inspect::Found, Error> make_value(const View& view, const Part& part);
/// A String that `view` holds, as a value of its own. Errors: no_memory.
std::expected<inspect::Found, Error> make_text(const View& view, std::string_view text);
/// The size of a property's name, right before its value: length, text, padding.
constexpr std::size_t name_bytes(std::string_view name) noexcept {
    return 4 + name.size() + padding_of(name.size());
}
/// The offset of a container's count from the start of its header.
std::optional<std::size_t> count_place(const View& container);

}  // namespace gdvar::detail
