#include "names.hpp"

#include <algorithm>

#include "base/sort.hpp"

namespace gdvar::detail {

void MemberNames::expect(std::vector<std::string_view>& names) {
    detail::sort(names);
    watching_ = std::adjacent_find(names.begin(), names.end()) != names.end();
}

std::string_view MemberNames::unique(std::string_view name, std::string& made) {
    if (!watching_)
        return name;
    const auto [entry, fresh] = seen_.try_emplace(std::string(name), 2u);
    if (fresh)
        return name;
    std::uint32_t& next = entry->second;  // the reference stays valid when the table grows
    // Each number is tried at most once for a name. So there are as many tries as members in all.
    do {
        made = std::string(name) + " (" + std::to_string(next++) + ")";
    } while (!seen_.try_emplace(made, 2u).second);
    return made;
}

}  // namespace gdvar::detail
