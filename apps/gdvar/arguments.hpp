// What a command takes: options, flags and positional arguments, declared into the variables that
// they fill. A thin face of CLI11, whose header takes seconds to compile: only arguments.cpp and
// the files that print help include it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gdvar::app {

/// The names of values in the help. The completions know by them that a dialect or a type belongs
/// there.
inline constexpr const char* dialect_value = "DIALECT";
inline constexpr const char* dialect_or_auto = "DIALECT|auto";
inline constexpr const char* type_value = "TYPE";

/// One option or positional argument. Each function returns the argument itself.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}
    Argument& required();
    /// Only one of these words, which the completions offer. A similar one is suggested.
    Argument& one_of(const std::vector<std::string>& words);
    /// One of these words, or several of the first ones with `>` between them: "base64 > gzip".
    Argument& stack_of(const std::vector<std::string>& words,
                       const std::vector<std::string>& alone);
    Argument& one_of_numbers(const std::vector<int>& numbers);
    Argument& range(int from, int to);
    /// A number of bytes, also as `1MB`.
    Argument& sizes();
    /// A number of seconds from 0 to 1e9, no NaN.
    Argument& seconds();
    /// The name of the value in the help.
    Argument& value(const char* name);
    Argument& excludes(Argument other);
    Argument& show_default();
    /// The value may be left out; then it is this one.
    Argument& value_or(const char* without);
    /// Of a vector: it may be given several times, each time with one value. Without this it takes
    /// all words that follow.
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
