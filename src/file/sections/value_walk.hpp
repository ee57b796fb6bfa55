// Going through a value and all that is in it.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/losses.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::detail {

/// A key as a step of a path: `.name`, `[3]`; `[?]` for other keys.
inline std::string step(const Variant& key) {
    return key.is(Type::string)    ? inspect::name_step(key.text())
           : key.is(Type::integer) ? "[" + std::to_string(key.integer()) + "]"
                                   : "[?]";
}

/// Gives a value and all that is in it, in order, containers before what they hold. The value that
/// `next` gave last may be replaced. Constant values are walked with the keys of Dictionaries.
/// Memory: that of the depth.
template <class V>  // Variant or const Variant
class ValueWalk {
public:
    /// `path`: that of the value.
    explicit ValueWalk(V& root, std::string path = "$") : at_(&root), path_(std::move(path)) {}

    /// The next value; null behind the last one. May throw bad_alloc.
    V* next() {
        if (!std::exchange(begun_, true))
            return at_;
        if (at_->is(Type::array) || at_->is(Type::dictionary) || at_->is(Type::object))
            open_.push_back({at_, 0});
        for (; !open_.empty(); open_.pop_back()) {
            if (paths_.size() > open_.size())
                paths_.pop_back();
            if (V* child = next_child(open_.back()))
                return at_ = child;
        }
        return nullptr;
    }
    /// The path of that value, shortened, so that long keys are not copied into each.
    std::string path() {
        if (open_.empty())
            return path_;
        if (paths_.empty())
            paths_.push_back(path_);
        while (paths_.size() < open_.size())
            paths_.push_back(below(paths_.size() - 1));
        return below(open_.size() - 1);
    }

private:
    static constexpr bool with_keys = std::is_const_v<V>;
    struct Frame {
        V* container;
        std::size_t next;  ///< child: a key and its value are two where keys are walked
    };

    static V* next_child(Frame& frame) {
        const std::size_t i = frame.next++;
        if (auto* array = frame.container->template get_if<Array>())
            return i < array->size() ? &(*array)[i] : nullptr;
        if (auto* object = frame.container->template get_if<Object>())
            return i < object->size() ? &object->begin()[i].value : nullptr;
        auto& pairs = *frame.container->template get_if<Dictionary>();
        if constexpr (with_keys)
            return i / 2 >= pairs.size() ? nullptr
                   : i % 2               ? &pairs.begin()[i / 2].value
                                         : &pairs.begin()[i / 2].key;
        else
            return i < pairs.size() ? &pairs.begin()[i].value : nullptr;
    }
    /// The path of the child of an open container that was given last.
    std::string below(std::size_t depth) const {
        const Frame& frame = open_[depth];
        const std::size_t i = frame.next - 1;
        std::string name;
        if (const auto* object = frame.container->template get_if<Object>())
            name = inspect::name_step(object->begin()[i].name);
        else if (const auto* pairs = frame.container->template get_if<Dictionary>())
            name = step(pairs->begin()[with_keys ? i / 2 : i].key);
        else
            name = "[" + std::to_string(i) + "]";
        return inspect::shortened_path(paths_[depth] + name, Losses::most_path);
    }

    V* at_;
    std::string path_;
    bool begun_ = false;
    std::vector<Frame> open_;
    std::vector<std::string> paths_;  ///< of the outermost open containers, as far as needed
};

}  // namespace gdvar::detail
