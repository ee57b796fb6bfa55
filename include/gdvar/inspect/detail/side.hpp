// The children of a container in rows, for comparing two containers.
// Room: inspect.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gdvar/inspect/detail/children.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// One of two containers, its children side by side. Borrows from the Document.
struct Side {
    View container;
    std::vector<View> values, keys;       ///< keys: a Dictionary's
    std::vector<std::string_view> names;  ///< an Object's

    Side() = default;
    explicit Side(const View& view) : container(view) {
        values.reserve(container.size());
        keys.reserve(container.is(Type::dictionary) ? container.size() : 0);
        names.reserve(container.is(Type::object) ? container.size() : 0);
        for (Children all(container); !all.done();) {
            const Child child = all.next_value();
            values.push_back(child.view);
            if (container.is(Type::dictionary))
                keys.push_back(child.key_view);
            if (container.is(Type::object))
                names.push_back(child.name);
        }
    }
    std::size_t size() const noexcept { return values.size(); }
    /// The step to child `i`, which an Array has at `place`.
    Child step(std::size_t i, std::size_t place) const {
        if (!keys.empty())
            return {Child::value, values[i], keys[i], {}, place};
        if (!names.empty())
            return {Child::property, values[i], {}, names[i], place};
        return {Child::element, values[i], {}, {}, place};
    }
    Child step(std::size_t i) const { return step(i, i); }
};

}  // namespace detail
}  // namespace gdvar
