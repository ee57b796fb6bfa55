// Messages that may be numerous for one file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "gdvar/value/losses.hpp"

namespace gdvar::app {

/// Prints the first messages of each kind and counts the others: a hundred thousand broken records
/// take a few lines.
class Complaints {
public:
    /// `all`: every message is printed.
    explicit Complaints(bool all) : all_(all) {}
    /// `kind` is common to the messages: "error[truncated]". `at` is the place of this one: "#3".
    /// `line` is called only if the message is printed.
    void add(std::string_view kind, const std::string& at,
             const std::function<std::string()>& line);
    /// Prints the counts of that file's unprinted messages, and resets them.
    void say_rest(const std::string& name);

private:
    bool all_;
    std::map<std::string, std::uint64_t, std::less<>> counts_;  ///< messages of each kind
    Losses rest_;
};

/// The losses of plain JSON or another dialect, over all packets of a file. Prints one line on
/// stderr for each kind, or with --verbose for each value.
class LossReport {
public:
    /// `mark`: before each loss, as "note: ".
    explicit LossReport(bool verbose, const char* mark = "");
    LossReport(const LossReport&) = delete;
    /// Begins the next value. `name`: of its file; `prefix` precedes its paths.
    void at(const std::string& name, std::string prefix);
    void say_all() const;

    Losses losses;

private:
    const std::string mark_;
    std::string name_;
};

}  // namespace gdvar::app
