#include "output/loss_report.hpp"

#include "output/messages.hpp"

namespace gdvar::app {

LossReport::LossReport(bool verbose) {
    if (verbose)
        losses.each = [this](std::string_view path, std::string_view what) {
            say(name_ + ": " + std::string(path) + ": " + std::string(what));
        };
}

void LossReport::at(const Input& input, std::string prefix) {
    name_ = input.name();
    losses.prefix = std::move(prefix);
}

void LossReport::say_all() const {
    if (losses.each)
        return;
    for (const Losses::Kind& kind : losses.kinds())
        say(name_ + ": " + kind.what + ": " + in_words(kind));
}

}  // namespace gdvar::app
