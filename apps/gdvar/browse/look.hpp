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
        {},                                   // plain
        {.dim = true},                        // dim
        {.bold = true},                       // label
        {green + blue},                       // type
        {green},                              // text
        {red + green},                        // number
        {red + blue},                         // note
        {blue},                               // path
        {.color = red, .bold = true},         // error
        {.color = red + blue, .bold = true},  // changed
        {.reverse = true},                    // bar
        {.bold = true},                       // keys
        {green},                              // good
    };
    static_assert(std::size(looks) == static_cast<std::size_t>(Role::good) + 1);
    if (style.selected)
        return {.bold = style.role == Role::label, .reverse = true};
    return looks[static_cast<std::size_t>(style.role)];
}

}  // namespace gdvar::app::browse
