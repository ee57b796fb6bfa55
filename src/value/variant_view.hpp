// A Variant with the interface of a View: one printer for both.
#pragma once

#include "gdvar/value/detail/variant_access.hpp"

namespace gdvar::detail {

/// Borrows the Variant. Access is unchecked, as in a View: callers check type() first.
class Held {
public:
    Held() = default;
    explicit Held(const Variant& value) noexcept : value_(&value) {}
    const Variant& variant() const noexcept { return *value_; }
    bool wide() const noexcept { return value_->wide(); }

    Type type() const noexcept { return value_->type(); }
    bool is(Type type) const noexcept { return value_->is(type); }
    std::size_t size() const noexcept { return value_->size(); }
    bool boolean() const noexcept { return value_->boolean(); }
    std::int64_t integer() const noexcept { return value_->integer(); }
    double real() const noexcept { return value_->real(); }
    std::string_view text() const noexcept { return value_->text(); }
    MathView math() const noexcept { return value_->math(); }
    PackedView packed() const noexcept { return value_->packed(); }
    NodePathView node_path() const noexcept { return as<NodePath>().view(); }
    ImageView image() const noexcept {
        const Image& made = as<Image>();
        const auto* bytes = reinterpret_cast<const std::byte*>(made.data.data());
        return {made.format, made.mipmaps, made.width, made.height, {bytes, made.data.size()}};
    }
    InputEventView input_event() const noexcept { return as<InputEvent>(); }
    std::uint64_t rid() const noexcept { return as<RID>().id; }
    ObjectKind object_kind() const noexcept { return as<Object>().kind(); }
    std::uint64_t object_id() const noexcept { return as<Object>().id(); }
    std::string_view class_name() const noexcept { return as<Object>().class_name(); }
    std::string_view signal_name() const noexcept { return as<Signal>().name; }
    std::uint64_t signal_object() const noexcept { return as<Signal>().object; }
    ContainerType element_type() const noexcept { return as<Array>().element_type(); }
    ContainerType key_type() const noexcept { return as<Dictionary>().key_type(); }
    ContainerType value_type() const noexcept { return as<Dictionary>().value_type(); }

    struct Pair;
    struct Property;
    /// Adjacent Ts in memory, as a range of the items of a View's range.
    template <class T, class Item>
    class Run {
    public:
        class iterator {
        public:
            using value_type = Item;
            using reference = Item;
            using pointer = void;
            using difference_type = std::ptrdiff_t;
            using iterator_category = std::input_iterator_tag;
            iterator() = default;
            explicit iterator(const T* at) noexcept : at_(at) {}
            Item operator*() const noexcept { return Item(*at_); }
            iterator& operator++() noexcept {
                ++at_;
                return *this;
            }
            friend bool operator==(const iterator&, const iterator&) = default;

        private:
            const T* at_ = nullptr;
        };
        Run() = default;
        Run(const T* first, const T* last) noexcept : first_(first), last_(last) {}
        iterator begin() const noexcept { return iterator(first_); }
        iterator end() const noexcept { return iterator(last_); }

    private:
        const T *first_ = nullptr, *last_ = nullptr;
    };
    using Elements = Run<Variant, Held>;
    using Pairs = Run<Dictionary::Pair, Pair>;
    using Properties = Run<Object::Property, Property>;
    using Strings = Run<String, std::string_view>;
    Elements elements() const noexcept { return run<Elements, Array>(); }
    Pairs pairs() const noexcept { return run<Pairs, Dictionary>(); }
    Properties properties() const noexcept { return run<Properties, Object>(); }
    Strings strings() const noexcept { return run<Strings, PackedStringArray>(); }

private:
    template <class T>
    const T& as() const noexcept {
        return VariantAccess::as<T>(*value_);
    }
    template <class Range, class T>
    Range run() const noexcept {
        const T& all = as<T>();
        return {std::to_address(all.begin()), std::to_address(all.end())};
    }

    const Variant* value_ = nullptr;
};

struct Held::Pair {
    Held key, value;
    explicit Pair(const Dictionary::Pair& pair) noexcept : key(pair.key), value(pair.value) {}
};
struct Held::Property {
    std::string_view name;
    Held value;
    explicit Property(const Object::Property& from) noexcept : name(from.name), value(from.value) {}
};

}  // namespace gdvar::detail
