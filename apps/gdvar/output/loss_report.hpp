#pragma once

#include <string>

#include "gdvar/value/losses.hpp"
#include "input/input.hpp"

namespace gdvar::app {

/// The losses of plain JSON or another dialect, over all packets of a file. Prints one line on
/// stderr for each kind, or with --verbose for each value.
class LossReport {
public:
    explicit LossReport(bool verbose);
    LossReport(const LossReport&) = delete;
    /// Begins the next value. `prefix` precedes its paths.
    void at(const Input& input, std::string prefix);
    void say_all() const;

    Losses losses;

private:
    std::string name_;
};

}  // namespace gdvar::app
