// VariantStep: the result of a subscript on a Variant or a Dictionary. Included by variant.hpp.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar GDVAR_EXPORT {

namespace detail {

/// The key of a step: a text, an index, or a key of another type. Borrowed.
class Key {
public:
    template <std::convertible_to<std::string_view> Text>
    Key(const Text& text GDVAR_LIFETIMEBOUND) noexcept : text_(text), kind_(Kind::text) {}
    template <std::integral T>
        requires(!std::same_as<T, bool>)
    Key(T index) noexcept
        : index_(std::in_range<std::int64_t>(index) ? static_cast<std::int64_t>(index) : INT64_MAX),
          kind_(Kind::index) {}
    Key(const StringName& key GDVAR_LIFETIMEBOUND) noexcept
        : text_(key), kind_(Kind::text), name_(true) {}
    Key(const Variant& key GDVAR_LIFETIMEBOUND) noexcept;

    bool is_text() const noexcept { return kind_ == Kind::text; }
    bool is_index() const noexcept { return kind_ == Kind::index; }
    std::string_view text() const noexcept { return text_; }
    std::int64_t index() const noexcept { return index_; }
    /// The key as in a Dictionary: a text becomes a String, a StringName stays one.
    Variant to_variant() const;
    const Variant* find_in(const Dictionary& dictionary) const noexcept;

private:
    enum class Kind : std::uint8_t { text, index, other };
    union {
        std::string_view text_;
        std::int64_t index_;
        const Variant* other_;
    };
    Kind kind_;
    bool name_ = false;  ///< the text is a StringName's
};

/// The value that a step leads to. Null, with the reason in `why`, if there is none. Errors:
/// missing_key, index_out_of_range, wrong_type.
const Variant* step_into(const Variant& in, const Key& key, Error& why) noexcept;
Variant* step_into(Variant& in, const Key& key, Error& why) noexcept;
/// Adds the pair. If `made` is null, it is set to the pair's value.
void put_pair(Dictionary& into, const Key& key, Variant& value, Variant*& made);
/// Replaces `value` by a Dictionary with one pair: `key` and the old value. The Dictionary's block
/// keeps its address when the Dictionary is moved.
void wrap(const Key& key, Variant& value, Variant*& made);

/// Two functions, so that files compiled with and without exceptions can be linked together.
#if defined(__cpp_exceptions)
inline constexpr bool has_exceptions = true;
template <bool exceptions>
[[noreturn]] void throw_lost(const Error& error) {
    throw std::out_of_range(to_string(error));
}
#else
inline constexpr bool has_exceptions = false;
template <bool exceptions>
[[noreturn]] void throw_lost(const Error&) {
    (void)std::string().at(0);  // ends the program, as the standard containers do
    __builtin_unreachable();
}
#endif

/// The reading part of a step. `V` is Variant, const or not.
template <class V>
class BasicStep {
public:
    /// True if the step leads to a value.
    explicit operator bool() const noexcept { return at_ != nullptr; }
    /// The error of the first step that failed. Its type is the type of the value in which the step
    /// failed; its offset is 0.
    const Error& error() const noexcept { return error_; }

    /// The value itself. A step that leads nowhere throws std::out_of_range with the error's
    /// message (without exceptions the program ends, like the `at` of a standard container).
    operator V&() const {
        if (!at_)
            throw_lost<has_exceptions>(error_);
        return *at_;
    }
    /// The same, unchecked, for callers that have checked. A debug build asserts that a value
    /// exists.
    V& operator*() const noexcept {
        assert(at_);
        return *at_;
    }
    V* operator->() const noexcept {
        assert(at_);
        return at_;
    }

    Type type() const noexcept { return at_ ? at_->type() : Type::nil; }
    bool is(Type type) const noexcept { return at_ && at_->is(type); }
    bool is_nil() const noexcept { return is(Type::nil); }
    /// True if the real components have 64 bits.
    bool wide() const noexcept { return at_ && at_->wide(); }
    std::size_t size() const noexcept { return at_ ? at_->size() : 0; }
    template <class T>
    bool holds() const noexcept {
        return get_if<T>() != nullptr;
    }
    /// As Variant::get_if; null if the step leads nowhere.
    template <class T>
    std::conditional_t<std::is_const_v<V>, const T, T>* get_if() const noexcept {
        return at_ ? at_->template get_if<T>() : nullptr;
    }
    /// As Variant's. Errors: that of the first step that failed, too.
    template <class T>
    [[nodiscard]] std::expected<T, Error> get() const {
        if (!at_)
            return std::unexpected(error_);
        return at_->template get<T>();
    }
    template <class T>
    T get_or(T otherwise) const {
        auto value = get<T>();
        return value ? *std::move(value) : std::move(otherwise);
    }
    /// A text, or a copy of `otherwise`.
    std::string get_or(const char* otherwise) const { return get_or(std::string(otherwise)); }
    /// As Variant::visit. A step that leads nowhere fails like the conversion to V&.
    template <class F>
    auto visit(F&& f) const {
        const Variant& value = *this;
        return value.visit(std::forward<F>(f));
    }

    // Unchecked access, as in Variant and View, for callers that have checked type(). A step that
    // leads nowhere gives zeros and empty values.
    bool boolean() const noexcept { return at_ && at_->boolean(); }
    std::int64_t integer() const noexcept { return at_ ? at_->integer() : 0; }
    double real() const noexcept { return at_ ? at_->real() : 0; }
    std::string_view text() const noexcept { return at_ ? at_->text() : std::string_view(); }
    MathView math() const noexcept { return at_ ? at_->math() : MathView{}; }
    PackedView packed() const noexcept { return at_ ? at_->packed() : PackedView{}; }

    /// As Variant's. Errors: that of the first step that failed, too.
    [[nodiscard]] std::expected<std::reference_wrapper<V>, Error> at(const Key& key) const {
        if (!at_)
            return std::unexpected(error_);
        return at_->at(key);
    }
    V* find(const Key& key) const noexcept { return at_ ? at_->find(key) : nullptr; }
    bool contains(const Key& key) const noexcept { return at_ && at_->contains(key); }
    [[nodiscard]] std::expected<std::reference_wrapper<V>, Error> lookup(
        std::string_view path) const {
        if (!at_)
            return std::unexpected(error_);
        return at_->lookup(path);
    }

    /// The engine's `==`. A step that leads nowhere equals nothing.
    friend bool operator==(const BasicStep& a, const Variant& b) { return a.at_ && *a.at_ == b; }
    friend bool operator==(const BasicStep& a, const BasicStep& b) {
        return a.at_ && b.at_ && *a.at_ == *b.at_;
    }

protected:
    BasicStep(V* at, const Error& error) noexcept : error_(error), at_(at) {}
    BasicStep(V& in, const Key& key) noexcept : at_(step_into(in, key, error_)) {}
    BasicStep(const BasicStep&) = default;
    BasicStep& operator=(const BasicStep&) = default;

    Error error_;  // declared before `at_`, whose initializer sets it
    V* at_;
};

}  // namespace detail

/// A step into a const Variant. It borrows only from the Variant, so it may be kept as long as the
/// Variant lives unchanged.
class GDVAR_BORROWER ConstVariantStep : public detail::BasicStep<const Variant> {
public:
    /// The next step. After a step that failed, the result is that failed step.
    ConstVariantStep operator[](const detail::Key& key) const noexcept {
        return at_ ? ConstVariantStep(*at_, key) : *this;
    }

private:
    friend class Variant;
    friend class Dictionary;
    ConstVariantStep(const Variant& in, const detail::Key& key) noexcept : BasicStep(in, key) {}
    ConstVariantStep(const Variant* at, const Error& error) noexcept : BasicStep(at, error) {}
};

/// A step into a Variant. It can be read as long as the Variant lives unchanged. It can be assigned
/// to within the expression that made it:
///
///     save["players"]["Ada"]["hp"] = 100;
///
/// Only an assignment creates missing values: in a Dictionary it adds a pair; Nil becomes a
/// Dictionary with that pair. Such keys must be texts, so that a mistaken index creates no
/// Dictionary. (The first step of a Dictionary's own subscript takes every key.) Arrays do not
/// grow, Objects get no new properties, and a value of another type does not become a container:
/// such an assignment is refused and changes nothing.
class GDVAR_BORROWER VariantStep : public detail::BasicStep<Variant> {
public:
    VariantStep(const VariantStep&) = delete;
    VariantStep operator[](const detail::Key& key) const noexcept {
        return at_ ? VariantStep(*at_, key) : VariantStep(*this, key);
    }

    /// Assigns the value, and returns a reference to it in its new place. Errors: that of the first
    /// step that failed, if the value can't be created. Without memory it behaves as the standard
    /// containers do.
    [[nodiscard]] std::expected<std::reference_wrapper<Variant>, Error> set(Variant value) &&;
    /// The same. A refused assignment throws std::out_of_range with the error's message (without
    /// exceptions the program ends). The right side of the `=` is evaluated first.
    void operator=(Variant value) && {
        if (auto done = std::move(*this).set(std::move(value)); !done)
            detail::throw_lost<detail::has_exceptions>(done.error());
    }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): the value is copied before it is set
    void operator=(const VariantStep& value) && {
        const Variant& held = value;
        std::move(*this) = Variant(held);
    }

private:
    friend class Variant;
    friend class Dictionary;
    VariantStep(Variant& in, const detail::Key& key) noexcept : BasicStep(in, key), key_(key) {
        if (!at_)
            lost_in(in);
    }
    VariantStep(Dictionary& in, const detail::Key& key) noexcept;
    /// A step after a step that failed.
    VariantStep(const VariantStep& before, const detail::Key& key) noexcept
        : BasicStep(nullptr, before.error_), key_(key), before_(&before) {}
    void lost_in(Variant& in) noexcept;

    detail::Key key_;
    const VariantStep* before_ = nullptr;  ///< the previous step, if that failed already
    Dictionary* dictionary_ = nullptr;     ///< the step failed in it, and can add a pair
    Variant* nil_ = nullptr;               ///< the step failed in it; can become a Dictionary
};

template <std::convertible_to<std::string_view> Text>
VariantStep Dictionary::operator[](const Text& key) {
    return VariantStep(*this, detail::Key(key));
}
template <std::convertible_to<std::string_view> Text>
ConstVariantStep Dictionary::operator[](const Text& key) const {
    return step(detail::Key(key));
}

inline VariantStep Variant::operator[](const detail::Key& key) {
    return VariantStep(*this, key);
}
inline ConstVariantStep Variant::operator[](const detail::Key& key) const {
    return ConstVariantStep(*this, key);
}

}  // namespace gdvar
