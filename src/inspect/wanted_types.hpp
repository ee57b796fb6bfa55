// Types of typed containers. Engines write no container with an element of another type; other
// programs do.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdvar/wire/type.hpp"

namespace gdvar::detail {

/// The types of the open containers' values, as seen by a sink.
class WantedTypes {
public:
    /// A Dictionary with those types of keys and values, an Array with its type twice, or an
    /// untyped container.
    void open(const ContainerType& first = {}, const ContainerType& second = {}) {
        open_.push_back({first, second});
    }
    void close() noexcept { open_.pop_back(); }
    /// For the next value in the innermost container: the container's type, if the value has
    /// another; else nil.
    Type misfit(Type type) noexcept {
        if (open_.empty())
            return Type::nil;
        Open& top = open_.back();
        const ContainerType& wanted = std::exchange(top.second, !top.second) ? top.value : top.key;
        return wanted.takes(type) ? Type::nil : wanted.type;
    }

private:
    struct Open {
        ContainerType key, value;
        bool second = false;
    };
    std::vector<Open> open_;
};

inline std::string misfit_in_words(Type type, Type wanted) {
    return "a value of type " + std::string(type_name(type)) + " in a container that takes only " +
           std::string(type_name(wanted));
}
inline constexpr const char* misfit_stays =
    "stays, and engines convert or drop it, or leave the container empty";

}  // namespace gdvar::detail
