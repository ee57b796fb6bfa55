#include "names.hpp"

#include <algorithm>

namespace gdvar::detail {

void MemberNames::expect(std::vector<std::string_view>& names) {
    std::sort(names.begin(), names.end());
    watching_ = std::adjacent_find(names.begin(), names.end()) != names.end();
}

std::string_view MemberNames::unique(std::string_view name, std::string& made) {
    if (!watching_)
        return name;
    const auto [place, fresh] = seen_.try_emplace(std::string(name), 2u);
    if (fresh)
        return name;
    std::uint32_t& next = place->second;  // stays where it is when the table grows
    // No number is tried twice for one name, so all tries together are as many as there are members.
    do {
        made = std::string(name) + " (" + std::to_string(next++) + ")";
    } while (!seen_.try_emplace(made, 2u).second);
    return made;
}

}  // namespace gdvar::detail
