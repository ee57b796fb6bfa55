// Paths of losses in a document with several values.
#pragma once

#include <string>
#include <utility>

#include "gdvar/value/losses.hpp"

namespace gdvar::detail {

/// Puts the name of an item before the paths of its losses, as long as it lives.
class Labelled {
public:
    Labelled(Losses& losses, const std::string& label) : losses_(losses), before_(losses.prefix) {
        if (losses_.prefix.empty())
            losses_.prefix = "$";
        losses_.prefix.insert(losses_.prefix.rfind('$'), label);
    }
    Labelled(const Labelled&) = delete;
    ~Labelled() { losses_.prefix = std::move(before_); }

private:
    Losses& losses_;
    std::string before_;
};

}  // namespace gdvar::detail
