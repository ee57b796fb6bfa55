#pragma once

#include <algorithm>
#include <string_view>

namespace gdvar::detail {

inline constexpr std::string_view game_folder = "res://";

/// True if a part between slashes is `..`.
inline bool leads_out(std::string_view path) noexcept {
    for (;;) {
        const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
        if (path.substr(0, end) == "..")
            return true;
        if (end == path.size())
            return false;
        path.remove_prefix(end + 1);
    }
}

}  // namespace gdvar::detail
