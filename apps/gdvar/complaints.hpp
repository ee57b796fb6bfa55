// Messages of which a file may need very many.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "gdvar/value/losses.hpp"

namespace gdvar::app {

/// The first messages of each kind as they are; the others counted, so that a hundred thousand
/// broken records are a few lines.
class Complaints {
public:
    /// `all`: none is only counted.
    explicit Complaints(bool all) : all_(all) {}
    /// `kind` is what they have in common, "error[truncated]"; `at` where this one is, "#3". The
    /// line is made where it is said.
    void add(std::string_view kind, const std::string& at,
             const std::function<std::string()>& line);
    /// What was only counted, about the file of that name. It is forgotten then.
    void say_rest(const std::string& name);

private:
    bool all_;
    std::map<std::string, std::uint64_t, std::less<>> counts_;  ///< that were said
    Losses rest_;
};

}  // namespace gdvar::app
