// Options, flags and positional arguments of a command, declared into the variables that they fill.
// A thin layer over CLI11, whose header takes seconds to compile: only arguments.cpp and the files
// that print help include it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gdvar::app {

/// Names of values in the help. They tell the completions to offer dialects or types.
inline constexpr const char* dialect_value = "DIALECT";
inline constexpr const char* dialect_or_auto = "DIALECT|auto";
inline constexpr const char* type_value = "TYPE";

/// One option or positional argument. Each function returns the argument itself.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}
    Argument& required();
    /// Accepts only these words, which the completions offer. Suggests a similar one.
    Argument& one_of(const std::vector<std::string>& words);
    /// Accepts one of these words, or several of the first ones separated by `>`: "base64 > gzip".
    Argument& stack_of(const std::vector<std::string>& words,
                       const std::vector<std::string>& alone);
    Argument& one_of_numbers(const std::vector<int>& numbers);
    Argument& range(int from, int to);
    /// A number of bytes, also as `1MB`.
    Argument& sizes();
    /// A number of seconds from 0 to 1e9, no NaN.
    Argument& seconds();
    /// Sets the value's name in the help.
    Argument& value(const char* name);
    Argument& excludes(Argument other);
    Argument& show_default();
    /// Makes the value optional; `without` is the default.
    Argument& value_or(const char* without);
    /// For a vector: may be given several times, each time with one value. Without this it takes
    /// all following words.
    Argument& repeated();

private:
    CLI::Option* option_;
};

class Arguments {
public:
    explicit Arguments(CLI::App& app) : app_(app) {}
    /// `names`: "-o,--output", or the name of a positional argument. `T`: std::string, a vector of
    /// them, an integer, a double, or an optional std::uint64_t.
    template <class T>
    Argument option(const char* names, T& to, const char* what);
    Argument flag(const char* names, bool& to, const char* what);

private:
    CLI::App& app_;
};

}  // namespace gdvar::app
