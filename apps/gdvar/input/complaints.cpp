#include "input/complaints.hpp"

#include "output/messages.hpp"

namespace gdvar::app {

void Complaints::add(std::string_view kind, const std::string& at,
                     const std::function<std::string()>& line) {
    constexpr std::uint64_t most_whole = 5;
    auto known = counts_.find(kind);
    if (known == counts_.end())
        known = counts_.emplace(kind, 0).first;
    if (all_ || known->second < most_whole) {
        ++known->second;
        return say(line());
    }
    rest_.add(kind, [&] { return at; });
}

void Complaints::say_rest(const std::string& name) {
    for (const Losses::Kind& kind : rest_.kinds())
        say(name + ": " + kind.what + " again: " + in_words(kind) + " (--verbose lists all)");
    rest_ = Losses();
}

LossReport::LossReport(bool verbose, const char* mark) : mark_(mark) {
    if (verbose)
        losses.each = [this](std::string_view path, std::string_view what) {
            say(name_ + ": " + std::string(path) + ": " + mark_ + std::string(what));
        };
}

void LossReport::at(const std::string& name, std::string prefix) {
    name_ = name;
    losses.prefix = std::move(prefix);
}

void LossReport::say_all() const {
    if (losses.each)
        return;
    for (const Losses::Kind& kind : losses.kinds())
        say(name_ + ": " + mark_ + kind.what + ": " + in_words(kind));
}

}  // namespace gdvar::app
