// The member names of a JSON object that has keys of any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdvar/wire/hash.hpp"

namespace gdvar::detail {

/// Gives each name that is there already a number: "1 (2)".
class MemberNames {
public:
    /// The names that are coming, all texts: looks whether any two are equal, and only then keeps
    /// them. May reorder `names`.
    void expect(std::vector<std::string_view>& names);
    /// Any may come.
    void expect_any() noexcept { watching_ = true; }
    /// The name to write for the next member: `name`, or a new one that is kept in `made`.
    std::string_view unique(std::string_view name, std::string& made);

private:
    bool watching_ = false;
    /// Each with the number that the next equal one tries first.
    std::unordered_map<std::string, std::uint32_t, KeyedHash> seen_;
};

}  // namespace gdvar::detail
