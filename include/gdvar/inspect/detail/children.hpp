// A container's children, one by one: for walks that keep a stack of their own.
// Room: inspect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>

#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

/// An element, a property, or a pair's key or value.
struct Child {
    enum Role : std::uint8_t { element, key, value, property };
    Role role = element;
    View view;
    View key_view;          ///< of a pair's value: its key
    std::string_view name;  ///< of a property
    std::size_t ordinal = 0;
};

/// A range and a place in it. The iterator points to the range.
template <class Range>
struct RangeWalk {
    Range all;
    typename Range::iterator at;
    explicit RangeWalk(const Range& range) : all(range), at(all.begin()) {}
    RangeWalk(const RangeWalk&) = delete;
    RangeWalk& operator=(const RangeWalk&) = delete;
    std::size_t size() const noexcept { return all.size(); }
    auto next() {
        auto item = *at;
        ++at;
        return item;
    }
};

/// Gives a container's children in order, a pair's key before its value. Constant memory. It cannot
/// be moved: keep it in a deque.
class Children {
public:
    explicit Children(const View& container) : type_(container.type()) {
        std::size_t count;
        if (type_ == Type::dictionary)
            count = range_.emplace<Pairs>(container.pairs()).size();
        else if (type_ == Type::object)
            count = range_.emplace<Properties>(container.properties()).size();
        else
            count = range_.emplace<Elements>(container.elements()).size();
        left_ = static_cast<std::uint32_t>(count);  // counts are 32 bits wide
    }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;

    bool done() const noexcept { return left_ == 0; }
    /// How many elements, pairs or properties have not been given yet.
    std::size_t left() const noexcept { return left_; }
    Type type() const noexcept { return type_; }
    /// The next child. `done` must be false.
    Child next() {
        if (type_ == Type::dictionary)
            return next_of_pair();
        Child out;
        out.ordinal = ordinal_++;
        --left_;
        if (auto* properties = std::get_if<Properties>(&range_)) {
            const View::Property property = properties->next();
            out.role = Child::property;
            out.view = property.value;
            out.name = property.name;
        } else {
            out.view = std::get_if<Elements>(&range_)->next();
        }
        return out;
    }
    /// The next child that is not a key. `done` must be false.
    Child next_value() {
        const Child out = next();
        return out.role == Child::key ? next() : out;
    }

private:
    using Elements = RangeWalk<View::Elements>;
    using Pairs = RangeWalk<View::Pairs>;
    using Properties = RangeWalk<View::Properties>;

    Child next_of_pair() {
        Pairs* pairs = std::get_if<Pairs>(&range_);
        Child out;
        out.ordinal = ordinal_;
        at_value_ = !at_value_;
        if (at_value_) {
            out.role = Child::key;
            out.view = (*pairs->at).key;
            return out;
        }
        const View::Pair pair = pairs->next();
        out.role = Child::value;
        out.view = pair.value;
        out.key_view = pair.key;
        ++ordinal_;
        --left_;
        return out;
    }

    std::variant<std::monostate, Elements, Pairs, Properties> range_;
    Type type_;
    bool at_value_ = false;  ///< the key has been given
    std::uint32_t left_ = 0, ordinal_ = 0;
};

/// Whether the value is of a kind that can have children.
inline bool is_container(const View& view) noexcept {
    return view.is(Type::array) || view.is(Type::packed_typed_array) || view.is(Type::dictionary) ||
           (view.is(Type::object) && view.object_kind() == ObjectKind::full);
}

/// Appends the path step that leads to the child, which may not be a key.
void append_step(std::string& out, const Child& child);

/// A container on the stack of a walk, and the child of it that the walk has come to.
struct OpenContainer {
    Children children;
    Child child{};
    bool at_child = false;  ///< there is such a child
    explicit OpenContainer(const View& view) : children(view) {}
    /// The next child that is not a key. The children must not be done.
    const Child& next_value() {
        child = children.next_value();
        at_child = true;
        return child;
    }
};
/// Appends the steps that lead to where the walk is.
inline void append_path(std::string& out, const std::deque<OpenContainer>& open) {
    for (const OpenContainer& each : open)
        if (each.at_child)
            append_step(out, each.child);
}

}  // namespace detail
}  // namespace gdvar
