// Member names of JSON objects made from keys of any type.
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
    /// Call first with all names, if all keys are texts. Names are stored only if two of them are
    /// equal. May reorder `names`.
    void expect(std::vector<std::string_view>& names);
    /// Call first, if not all keys are texts.
    void expect_any() noexcept {
        watching_ = true;
        seen_.clear();
    }
    /// The next member's name: `name`, or a new one that is kept in `made`.
    std::string_view unique(std::string_view name, std::string& made);

private:
    bool watching_ = false;
    std::vector<std::uint64_t> marks_;
    /// Each name, and the number to try for the next equal one.
    std::unordered_map<std::string, std::uint32_t, KeyedHash> seen_;
};

}  // namespace gdvar::detail
