#pragma once

#include <string>
#include <string_view>

namespace gdvar::detail {

/// Appends names and subnames as one text: "/root/A:b:c". `each(use)` calls
/// `use(std::string_view name, bool is_subname)` for each, names first.
template <class Each>
void append_node_path(std::string& out, bool absolute, Each&& each) {
    if (absolute)
        out += '/';
    bool first = true;
    each([&](std::string_view name, bool subname) {
        if (subname)
            out += ':';
        else if (!first)
            out += '/';
        first = false;
        out += name;
    });
}

/// True if a name can be read back from such a text: it is not empty and has no character that ends
/// a name.
inline bool is_path_name(std::string_view name, bool subname) noexcept {
    return !name.empty() && name.find_first_of(subname ? ":" : "/:") == std::string_view::npos;
}

}  // namespace gdvar::detail
