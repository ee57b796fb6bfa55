#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>

#include "output/messages.hpp"

namespace gdvar::app {
namespace {

/// CLI::IsMember that suggests a similar name.
CLI::Validator member_of(const std::vector<std::string>& names) {
    const std::string all = "{" + CLI::detail::join(names) + "}";
    return CLI::Validator(
        [names, all](std::string& word) {
            if (std::find(names.begin(), names.end(), word) != names.end())
                return std::string();
            return word + " not in " + all + did_you_mean(word, {names.begin(), names.end()});
        },
        all);
}

/// The same for the parts of a row separated by `>`. The words of `alone` can't be parts.
CLI::Validator row_of(const std::vector<std::string>& words,
                      const std::vector<std::string>& alone) {
    std::vector<std::string> all = words;
    all.insert(all.end(), alone.begin(), alone.end());
    const CLI::Validator whole = member_of(all), part = member_of(words);
    return CLI::Validator(
        [whole, part](std::string& text) {
            if (text.find('>') == std::string::npos)
                return whole(text);
            std::string wrong;
            for (std::size_t at = 0; wrong.empty() && at <= text.size();) {
                const std::size_t end = std::min(text.find('>', at), text.size());
                std::string word = CLI::detail::trim_copy(text.substr(at, end - at));
                wrong = part(word);
                at = end + 1;
            }
            return wrong;
        },
        whole.get_description());
}

/// Neither NaN, nor negative, nor too large for a timer.
const CLI::Validator timer(
    [](std::string& text) {
        double value = -1;
        const bool good = CLI::detail::lexical_cast(text, value) && value >= 0 && value <= 1e9;
        return good ? std::string() : "not a number from 0 to 1e9: " + text;
    },
    "", "seconds");

}  // namespace

Argument& Argument::required() {
    option_->required();
    return *this;
}
Argument& Argument::one_of(const std::vector<std::string>& words) {
    option_->check(member_of(words));
    return *this;
}
Argument& Argument::stack_of(const std::vector<std::string>& words,
                             const std::vector<std::string>& alone) {
    option_->check(row_of(words, alone));
    return *this;
}
Argument& Argument::one_of_numbers(const std::vector<int>& numbers) {
    option_->check(CLI::IsMember(numbers));
    return *this;
}
Argument& Argument::value_or(const char* without) {
    option_->expected(0, 1)->default_str(without);
    return *this;
}
Argument& Argument::range(int from, int to) {
    option_->check(CLI::Range(from, to));
    return *this;
}
Argument& Argument::sizes() {
    option_->transform(CLI::AsSizeValue(false));
    return *this;
}
Argument& Argument::seconds() {
    option_->check(timer);
    return *this;
}
Argument& Argument::value(const char* name) {
    option_->type_name(name);
    return *this;
}
Argument& Argument::excludes(Argument other) {
    option_->excludes(other.option_);
    return *this;
}
Argument& Argument::show_default() {
    option_->capture_default_str();
    return *this;
}

Argument& Argument::repeated() {
    option_->allow_extra_args(false);
    return *this;
}

template <class T>
Argument Arguments::option(const char* names, T& to, const char* what) {
    return Argument(app_.add_option(names, to, what));
}
template Argument Arguments::option(const char*, std::string&, const char*);
template Argument Arguments::option(const char*, std::vector<std::string>&, const char*);
template Argument Arguments::option(const char*, int&, const char*);
template Argument Arguments::option(const char*, unsigned&, const char*);
template Argument Arguments::option(const char*, std::uint64_t&, const char*);
template Argument Arguments::option(const char*, double&, const char*);
template Argument Arguments::option(const char*, std::optional<std::uint64_t>&, const char*);

Argument Arguments::flag(const char* names, bool& to, const char* what) {
    return Argument(app_.add_flag(names, to, what));
}

}  // namespace gdvar::app
