// The three equalities, and the hash for key equality.
#include <bit>
#include <cmath>

#include "gdvar/value/variant.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/hash.hpp"
#include "value/key_hash.hpp"
#include "wire/key_hash.hpp"

namespace gdvar {
namespace {

enum class Rule : std::uint8_t { identical, engine, key };

bool is_text(const Variant& v) noexcept {
    return v.is(Type::string) || v.is(Type::string_name);
}
bool is_number(const Variant& v) noexcept {
    return v.is(Type::integer) || v.is(Type::real);
}

/// Compares two real components. In a key, also as a component or an element of a packed array, all
/// NaNs are equal.
bool same_real(double a, double b, Rule rule, bool nan_same) noexcept {
    if (rule == Rule::identical)
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    return a == b || (nan_same && a != a && b != b);
}

bool same_components(const Variant& a, const Variant& b, Rule rule, bool nan_same) noexcept {
    const MathView x = a.math(), y = b.math();
    if (rule == Rule::identical)
        return a.wide() == b.wide() && std::memcmp(x.data, y.data, x.size()) == 0;
    for (std::size_t i = 0; i < x.components(); ++i)
        if (x.integral() ? x.integer(i) != y.integer(i)
                         : !same_real(x.real(i), y.real(i), rule, nan_same))
            return false;
    return true;
}

bool same_packed(const Variant& a, const Variant& b, Rule rule, bool nan_same) noexcept {
    const PackedView x = a.packed(), y = b.packed();
    if (x.count != y.count)
        return false;
    if (rule == Rule::identical && x.wide != y.wide)
        return false;
    const std::size_t components = x.count * x.components();
    const bool real = x.component() == ComponentType::f32 || x.component() == ComponentType::f64;
    if (rule == Rule::identical || !real)
        return x.size() == 0 || std::memcmp(x.data, y.data, x.size()) == 0;
    const auto at = [](const PackedView& v, std::size_t i) {
        return v.component() == ComponentType::f64 ? v.component_at<double>(i)
                                                   : static_cast<double>(v.component_at<float>(i));
    };
    for (std::size_t i = 0; i < components; ++i)
        if (!same_real(at(x, i), at(y, i), rule, nan_same))
            return false;
    return true;
}

bool same_container_type(const ContainerType& a, const ContainerType& b, Rule rule) noexcept {
    return rule != Rule::identical || a == b;
}

/// Two containers in comparison, and the progress.
struct Pending {
    const Variant* a;
    const Variant* b;
    std::uint32_t next;
};

class Comparison {
public:
    explicit Comparison(Rule rule) noexcept : rule_(rule) {}

    bool run(const Variant& a, const Variant& b) {
        if (!values(a, b))
            return false;
        while (!stack_.empty()) {
            Pending& top = stack_.top();
            const std::uint32_t i = top.next++;
            if (i >= top.a->size()) {
                stack_.pop();
                continue;
            }
            const Variant &x = *top.a, &y = *top.b;  // `top` may move when children are pushed
            if (!child(x, y, i))
                return false;
        }
        return true;
    }

private:
    bool child(const Variant& a, const Variant& b, std::uint32_t i) {
        if (a.is(Type::dictionary))
            return pair(*a.get_if<Dictionary>(), *b.get_if<Dictionary>(), i);
        if (a.is(Type::object)) {
            const auto& x = a.get_if<Object>()->begin()[i];
            const auto& y = b.get_if<Object>()->begin()[i];
            return x.name == y.name && values(x.value, y.value);
        }
        return values((*a.get_if<Array>())[i], (*b.get_if<Array>())[i]);
    }

    bool pair(const Dictionary& a, const Dictionary& b, std::uint32_t i) {
        const Dictionary::Pair& x = a.begin()[i];
        if (rule_ == Rule::engine) {
            const Variant* other = b.find(x.key);
            return other && values(x.value, *other);
        }
        const Dictionary::Pair& y = b.begin()[i];
        // A key inside a key is compared as a key, too.
        as_key_ = rule_ == Rule::key;
        return values(x.key, y.key) && values(x.value, y.value);
    }

    bool container(const Variant& a, const Variant& b) {
        if (a.size() != b.size())
            return false;
        if (a.size() == 0)
            return true;
        if (!stack_.push({&a, &b, 0}))
            detail::throw_no_memory();
        return true;
    }

    bool different_types(const Variant& a, const Variant& b, bool as_key) const noexcept {
        if (rule_ == Rule::identical)
            return false;
        if (is_text(a) && is_text(b))
            return (rule_ == Rule::engine || as_key) && a.text() == b.text();
        if (rule_ == Rule::engine && is_number(a) && is_number(b))
            return a.is(Type::integer) ? static_cast<double>(a.integer()) == b.real()
                                       : a.real() == static_cast<double>(b.integer());
        return false;
    }

    bool objects(const Variant& a, const Variant& b) {
        const Object &x = *a.get_if<Object>(), &y = *b.get_if<Object>();
        if (x.kind() != y.kind())
            return false;
        if (x.kind() != ObjectKind::full)
            return x.id() == y.id();
        return x.class_name() == y.class_name() && container(a, b);
    }

    /// Compares leaves; pushes containers.
    bool values(const Variant& a, const Variant& b) {
        const bool as_key = std::exchange(as_key_, false);
        if (a.type() != b.type())
            return different_types(a, b, as_key);
        switch (a.type()) {
            case Type::nil:
            case Type::callable:
                return true;
            case Type::boolean:
                return a.boolean() == b.boolean();
            case Type::integer:
                return a.integer() == b.integer();
            case Type::real:
                return same_real(a.real(), b.real(), rule_, rule_ == Rule::key && as_key);
            case Type::string:
            case Type::string_name:
                return a.text() == b.text();
            case Type::node_path:
                return paths(a, b);
            case Type::rid:
                return *a.get_if<RID>() == *b.get_if<RID>();
            case Type::signal:
                return *a.get_if<Signal>() == *b.get_if<Signal>();
            case Type::object:
                return objects(a, b);
            case Type::dictionary: {
                const auto &x = *a.get_if<Dictionary>(), &y = *b.get_if<Dictionary>();
                return same_container_type(x.key_type(), y.key_type(), rule_) &&
                       same_container_type(x.value_type(), y.value_type(), rule_) &&
                       container(a, b);
            }
            case Type::array:
            case Type::packed_typed_array:
                return same_container_type(a.get_if<Array>()->element_type(),
                                           b.get_if<Array>()->element_type(), rule_) &&
                       container(a, b);
            case Type::packed_string_array:
                return *a.get_if<PackedStringArray>() == *b.get_if<PackedStringArray>();
            case Type::image:
                return *a.get_if<Image>() == *b.get_if<Image>();
            case Type::input_event:
                return *a.get_if<InputEvent>() == *b.get_if<InputEvent>();
            default:
                return is_packed(a.type()) ? same_packed(a, b, rule_, rule_ == Rule::key)
                                           : same_components(a, b, rule_, rule_ == Rule::key);
        }
    }

    bool paths(const Variant& a, const Variant& b) const noexcept {
        const NodePath &x = *a.get_if<NodePath>(), &y = *b.get_if<NodePath>();
        return x == y && (rule_ != Rule::identical ||
                          x.view().separate_property() == y.view().separate_property());
    }

    Rule rule_;
    bool as_key_ = true;  ///< the next two values are keys, or the roots
    detail::EntryStack<Pending, 16> stack_;
};

}  // namespace

bool identical(const Variant& a, const Variant& b) {
    return Comparison(Rule::identical).run(a, b);
}
bool same_key(const Variant& a, const Variant& b) {
    return Comparison(Rule::key).run(a, b);
}
bool operator==(const Variant& a, const Variant& b) {
    return Comparison(Rule::engine).run(a, b);
}

// Array, Dictionary and Object lie in a Variant's own bytes, so they can be compared as one. The
// Variant is only borrowed: its destructor must not run.
namespace {
template <class T>
bool equal_as_variants(const T& a, const T& b) {
    struct Borrowed {
        alignas(Variant) unsigned char bytes[sizeof(Variant)];
        explicit Borrowed(const T& value) {
            Variant empty{T()};
            std::memcpy(bytes, static_cast<const void*>(&empty), sizeof bytes);
            std::memcpy(bytes, static_cast<const void*>(&value), sizeof value);
        }
        const Variant& get() const { return *reinterpret_cast<const Variant*>(bytes); }
    };
    return Borrowed(a).get() == Borrowed(b).get();
}
}  // namespace

bool operator==(const Array& a, const Array& b) {
    return equal_as_variants(a, b);
}
bool operator==(const Dictionary& a, const Dictionary& b) {
    return equal_as_variants(a, b);
}
bool operator==(const Object& a, const Object& b) {
    return equal_as_variants(a, b);
}

namespace {

/// A KeyHash that reuses stored hashes. Containers that are keys inside the hashed value store
/// their hashes; missing ones are added.
class KeepingHash : public detail::KeyHash {
public:
    KeepingHash() noexcept : KeyHash(detail::value_key_rules, true) {}

    /// Called by the Walker before each value.
    bool emit_otherwise(const Variant& value) noexcept {
        key_ = at_key() ? VariantAccess::block(value) : nullptr;
        std::uint64_t kept = 0;
        if (!key_ || !key_->kept_hash(kept))
            return false;
        add({{kept, 0}});
        return true;
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t count) {
        return begun(KeyHash::begin_array(type, element, count));
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value,
                          std::uint32_t count) {
        return begun(KeyHash::begin_dictionary(key, value, count));
    }
    Errc begin_object(std::string_view class_name, std::uint32_t count) {
        return begun(KeyHash::begin_object(class_name, count));
    }
    Errc begin_packed_strings(std::uint32_t count) {
        return begun(KeyHash::begin_packed_strings(count));
    }
    Errc end() {
        const Errc code = KeyHash::end();
        if (detail::Block* const key = keys_.pop())
            key->keep_hash(digest().low);
        return code;
    }

private:
    Errc begun(Errc code) { return code != Errc::ok || keys_.push(key_) ? code : Errc::no_memory; }
    detail::Block* key_ = nullptr;  ///< the next value, if it is a container and a key
    detail::EntryStack<detail::Block*, 16> keys_;  ///< the same for the open containers
};

}  // namespace

std::uint64_t detail::key_hash(const Variant& key) {
    if (is_text(key))
        return hash_text(key.text());
    if (key.is(Type::integer))
        return hash_integer(key.integer());
    KeepingHash hash;
    if (drive(key, hash) != Errc::ok)
        throw_no_memory();
    return hash.digest().low;
}
std::uint64_t detail::kept_key_hash(const Variant& key) {
    Block* const block = VariantAccess::block(key);
    std::uint64_t hash = 0;
    if (block && block->kept_hash(hash))
        return hash;
    hash = key_hash(key);
    if (block)
        block->keep_hash(hash);
    return hash;
}

std::size_t hash_key(const Variant& key) {
    return static_cast<std::size_t>(detail::key_hash(key));
}

}  // namespace gdvar
