#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdvar::app {

/// Shortens paths that would make the output many times as large as the input. A path of a thousand
/// steps is cut to its ends.
class PathCutter {
public:
    /// Cuts every long path, unless `full`.
    static PathCutter for_people(bool full) { return {full, 0}; }
    /// Keeps long paths whole until they take 50 times the bytes of the input (at least 8 MB); then
    /// cuts, unless `full`.
    static PathCutter for_programs(bool full, std::uint64_t input_bytes);

    std::string operator()(std::string_view path);
    /// Prints a sentence on stderr if a path was cut.
    void say_if_cut() const;

private:
    PathCutter(bool full, std::uint64_t whole) : full_(full), left_(whole) {}
    bool full_, cut_ = false;
    std::uint64_t left_;  ///< bytes of long paths that may be printed whole
};

}  // namespace gdvar::app
