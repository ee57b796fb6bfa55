// The colours of `gdvar show`, for every screen.
#pragma once

#include <cstdint>
#include <iterator>

#include "browse/canvas.hpp"

namespace gdvar::app::browse {

/// How a piece of text looks.
struct Look {
    /// The sum of 1 for red, 2 for green and 4 for blue; 0: the terminal's own.
    std::uint8_t color = 0;
    bool bold = false, dim = false, reverse = false;
};

inline Look look_of(Style style) {
    constexpr std::uint8_t red = 1, green = 2, blue = 4;
    // In the order of Role.
    static constexpr Look looks[] = {
        {},
        {.dim = true},
        {.bold = true},
        {green + blue},
        {green},
        {red + green},
        {red + blue},
        {blue},
        {.color = red, .bold = true},
        {.color = red + blue, .bold = true},
        {.reverse = true},
        {.bold = true},
        {green},
    };
    static_assert(std::size(looks) == static_cast<std::size_t>(Role::good) + 1);
    if (style.selected)
        return {.bold = style.role == Role::label, .reverse = true};
    return looks[static_cast<std::size_t>(style.role)];
}

}  // namespace gdvar::app::browse
