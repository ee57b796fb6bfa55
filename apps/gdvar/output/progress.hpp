#pragma once

#include <cstdint>
#include <string>

namespace gdvar::app {

/// A line on stderr, if that is a terminal, once work has taken half a second: bytes, rate,
/// remaining time. Removed when the work is done.
class Progress {
public:
    Progress(const std::string& name, std::uint64_t size);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Reports progress. Cheap to call often.
    void at(std::uint64_t bytes);

private:
    void print(std::uint64_t bytes, double seconds);
    std::string name_;
    std::uint64_t size_, calls_ = 0;
    std::int64_t start_ = 0, last_ = 0;  ///< nanoseconds
    bool wanted_ = false, shown_ = false;
};

}  // namespace gdvar::app
