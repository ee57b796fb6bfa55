// The member names of a JSON object that has keys of any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdvar/wire/hash.hpp"

namespace gdvar::detail {

/// Adds a number to each repeated name: "1 (2)".
class MemberNames {
public:
    /// Must be called with all names first, if all keys are texts. Names are stored only if two of
    /// them are equal. May reorder `names`.
    void expect(std::vector<std::string_view>& names);
    /// Must be called first, if not all keys are texts.
    void expect_any() noexcept {
        watching_ = true;
        seen_.clear();
    }
    /// The name to write for the next member: `name`, or a new one that is kept in `made`.
    std::string_view unique(std::string_view name, std::string& made);

private:
    bool watching_ = false;
    std::vector<std::uint64_t> marks_;
    /// Each name with the number that the next equal name tries first.
    std::unordered_map<std::string, std::uint32_t, KeyedHash> seen_;
};

}  // namespace gdvar::detail
