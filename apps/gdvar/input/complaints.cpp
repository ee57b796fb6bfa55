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

}  // namespace gdvar::app
