// Lists of names for messages, joined at compile time: "join, leave, say".
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "gdvar/base/export.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

template <class Names>
consteval bool all_differ(const Names& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (names[i] == names[j])
                return false;
    return true;
}

/// The names in `Source::names` (an array of std::string_view) as one NUL-terminated text. A long
/// list is cut after `most` names.
template <class Source>
class Choices {
    static constexpr std::size_t most = 24;
    static constexpr std::string_view between = ", ", more = ", ...";
    static constexpr std::size_t count = Source::names.size() < most ? Source::names.size() : most;
    static constexpr std::size_t size = [] {
        std::size_t n = count < Source::names.size() ? more.size() : 0;
        for (std::size_t i = 0; i < count; ++i)
            n += Source::names[i].size() + (i ? between.size() : 0);
        return n;
    }();

public:
    static constexpr std::array<char, size + 1> text = [] {
        std::array<char, size + 1> out{};
        std::size_t at = 0;
        const auto append = [&](std::string_view part) {
            for (const char c : part)
                out[at++] = c;
        };
        for (std::size_t i = 0; i < count; ++i) {
            append(i ? between : "");
            append(Source::names[i]);
        }
        if (count < Source::names.size())
            append(more);
        return out;
    }();
};

}  // namespace detail
}  // namespace gdvar
