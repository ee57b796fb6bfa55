// What typed containers take. Engines write no container with an element of another type; other
// programs do.
// Room: inspect, private.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdvar/wire/type.hpp"

namespace gdvar::detail {

/// The types that open containers have for the values in them, as a sink sees these.
class WantedTypes {
public:
    /// A Dictionary with those types of keys and values, an Array with its type twice, or a
    /// container of anything.
    void open(const ContainerType& first = {}, const ContainerType& second = {}) {
        open_.push_back({first, second});
    }
    void close() noexcept { open_.pop_back(); }
    /// The next value in the innermost container: the type that the container has for it, if it is
    /// of another type; else nil.
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
