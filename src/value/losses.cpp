#include "gdvar/value/losses.hpp"

namespace gdvar {

std::string in_words(const Losses::Kind& kind) {
    std::string out = kind.count == 1 ? "1 value, at " : std::to_string(kind.count) + " values, ";
    if (kind.count > 1)
        out += kind.count > kind.paths.size() ? "the first at " : "at ";
    for (std::size_t i = 0; i < kind.paths.size(); ++i) {
        if (i)
            out += i + 1 == kind.paths.size() ? " and " : ", ";
        out += kind.paths[i];
    }
    return out;
}

}  // namespace gdvar
