#include "output/path_cutter.hpp"

#include <algorithm>

#include "gdvar/inspect/lookup.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {
constexpr std::size_t longest = 200;
constexpr std::uint64_t least_budget = 8u << 20;
}  // namespace

PathCutter PathCutter::for_programs(bool full, std::uint64_t input_bytes) {
    return {full, std::max(least_budget, 50 * input_bytes)};
}

std::string PathCutter::operator()(std::string_view path) {
    if (full_ || path.size() <= longest)
        return std::string(path);
    if (path.size() <= left_) {
        left_ -= path.size();
        return std::string(path);
    }
    cut_ = true;
    return shortened_path(path, longest);
}

void PathCutter::say_if_cut() const {
    if (cut_)
        say("gdvar: names and paths over " + std::to_string(longest) +
            " bytes were cut in the middle; --full prints them whole");
}

}  // namespace gdvar::app
