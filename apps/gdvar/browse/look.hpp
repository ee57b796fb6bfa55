// The colours of `gdvar show`, for every screen.
#pragma once

#include <array>
#include <cstdint>

#include "browse/canvas.hpp"

namespace gdvar::app::browse {

/// How a piece of text looks.
struct Look {
    /// The sum of 1 for red, 2 for green and 4 for blue; 0: the terminal's own.
    std::uint8_t color = 0;
    bool bold = false, dim = false, reverse = false;
};

inline Look look_of(Style style) {
    static constexpr auto looks = [] {
        constexpr std::uint8_t red = 1, green = 2, blue = 4;
        std::array<Look, 13> out{};
        const auto set = [&](Role role, Look look) { out[static_cast<std::size_t>(role)] = look; };
        set(Role::dim, {.dim = true});
        set(Role::label, {.bold = true});
        set(Role::type, {green + blue});
        set(Role::text, {green});
        set(Role::number, {red + green});
        set(Role::note, {red + blue});
        set(Role::path, {blue});
        set(Role::error, {.color = red, .bold = true});
        set(Role::changed, {.color = red + blue, .bold = true});
        set(Role::bar, {.reverse = true});
        set(Role::keys, {.bold = true});
        set(Role::good, {green});
        return out;
    }();
    if (style.selected)
        return {.bold = style.role == Role::label, .reverse = true};
    return looks[static_cast<std::size_t>(style.role)];
}

}  // namespace gdvar::app::browse
