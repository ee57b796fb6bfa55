// Paths in the output: shortened where they would make it many times the input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdvar::app {

/// Paths on their way to the output. A path of a thousand steps says nothing more than its ends do, and one before every
/// value is many times the input.
class PathCutter {
public:
    /// Cuts what is longer than people read, unless `full`.
    static PathCutter for_people(bool full) { return {full, 0}; }
    /// Keeps paths whole until there are 50 times as many bytes of them as of input (and 8 MB), unless `full`.
    static PathCutter for_programs(bool full, std::uint64_t input_bytes);

    std::string operator()(std::string_view path);
    /// A sentence on stderr, if a path was cut.
    void say_if_cut() const;

private:
    PathCutter(bool full, std::uint64_t whole) : full_(full), left_(whole) {}
    bool full_, cut_ = false;
    std::uint64_t left_;  ///< bytes of long paths that may be printed whole
};

}  // namespace gdvar::app
