// A container's children, one by one: for walks that keep a stack of their own.
// Room: inspect.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gdvar/value/document.hpp"

namespace gdvar::detail {

/// An element, a property, or a pair's key or value.
struct Child {
    enum Role : std::uint8_t { element, key, value, property };
    Role role = element;
    View view;
    View key_view;          ///< of a pair's value: its key
    std::string_view name;  ///< of a property
    std::size_t ordinal = 0;
};

/// Gives a container's children in order, a pair's key before its value. Constant memory. It cannot
/// be moved: keep it in a deque.
class Children {
public:
    explicit Children(const View& container)
        : elements_(container.elements()),
          element_(elements_.begin()),
          pairs_(container.pairs()),
          pair_(pairs_.begin()),
          properties_(container.properties()),
          property_(properties_.begin()),
          type_(container.type()),
          left_(elements_.size() + pairs_.size() + properties_.size()) {}
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
        if (type_ == Type::object) {
            const View::Property property = *property_;
            ++property_;
            out.role = Child::property;
            out.view = property.value;
            out.name = property.name;
        } else {
            out.view = *element_;
            ++element_;
        }
        return out;
    }
    /// The next child that is not a key. `done` must be false.
    Child next_value() {
        const Child out = next();
        return out.role == Child::key ? next() : out;
    }

private:
    Child next_of_pair() {
        const View::Pair pair = *pair_;
        Child out;
        out.ordinal = ordinal_;
        at_value_ = !at_value_;
        if (at_value_) {
            out.role = Child::key;
            out.view = pair.key;
            return out;
        }
        out.role = Child::value;
        out.view = pair.value;
        out.key_view = pair.key;
        ++pair_;
        ++ordinal_;
        --left_;
        return out;
    }

    View::Elements elements_;
    View::Elements::iterator element_;
    View::Pairs pairs_;
    View::Pairs::iterator pair_;
    View::Properties properties_;
    View::Properties::iterator property_;
    Type type_;
    bool at_value_ = false;  ///< the key has been given
    std::size_t left_, ordinal_ = 0;
};

/// Whether the value is of a kind that can have children.
inline bool is_container(const View& view) noexcept {
    return view.is(Type::array) || view.is(Type::packed_typed_array) || view.is(Type::dictionary) ||
           (view.is(Type::object) && view.object_kind() == ObjectKind::full);
}

/// Appends the path step that leads to the child, which may not be a key.
void append_step(std::string& out, const Child& child);

}  // namespace gdvar::detail
