#include "names.hpp"

#include <algorithm>

#include "base/marks.hpp"

namespace gdvar::detail {

namespace {

bool any_twice(std::vector<std::string_view>& all) {
    detail::sort(all);
    return std::adjacent_find(all.begin(), all.end()) != all.end();
}

}  // namespace

void MemberNames::expect(std::vector<std::string_view>& names) {
    seen_.clear();
    marks_.clear();
    for (const std::string_view name : names)
        marks_.push_back(text_mark(name));
    // Numbers sort faster than names, and nearly always suffice.
    watching_ = !all_differ(marks_) && any_twice(names);
}

std::string_view MemberNames::unique(std::string_view name, std::string& made) {
    if (!watching_)
        return name;
    const auto [entry, fresh] = seen_.try_emplace(std::string(name), 2u);
    if (fresh)
        return name;
    std::uint32_t& next = entry->second;  // the reference stays valid when the table grows
    // Each number is tried at most once for a name, so there are at most as many tries as members.
    do {
        made = std::string(name) + " (" + std::to_string(next++) + ")";
    } while (!seen_.try_emplace(made, 2u).second);
    return made;
}

}  // namespace gdvar::detail
