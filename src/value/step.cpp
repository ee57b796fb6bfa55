#include "gdvar/value/step.hpp"

#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar {

using detail::Key;

namespace {

Error lost(Errc code, Type in, const Key& key, std::size_t size) noexcept {
    const Error error{.code = code, .type = in};
    if (key.is_text())
        return detail::into_what(error.about_key(key.text()));
    return key.is_index() ? detail::into_what(error.about_index(key.index(), size)) : error;
}

/// Explains in a step's error why an assignment can't add the key, if it is not a text.
Error not_made(Error error, const Key& key) noexcept {
    if (key.is_text())
        return error;
    if (error.code == Errc::missing_key && key.is_index())
        return error.in_field("an assignment creates text keys alone");
    if (error.code == Errc::missing_key)
        return error.about_reason("no such key: an assignment creates text keys alone");
    if (error.type == Type::nil)
        return error.about_reason(
            "null takes text keys alone: an assignment makes a Dictionary of it");
    return error;
}

}  // namespace

Key::Key(const Variant& key) noexcept : other_(&key), kind_(Kind::other) {
    if (key.is(Type::string) || key.is(Type::string_name)) {
        text_ = key.text();
        name_ = key.is(Type::string_name);
        kind_ = Kind::text;
    } else if (key.is(Type::integer)) {
        index_ = key.integer();
        kind_ = Kind::index;
    }
}

Variant Key::to_variant() const {
    if (is_text())
        return name_ ? Variant(StringName(text_)) : Variant(text_);
    return is_index() ? Variant(index_) : *other_;
}

const Variant* Key::find_in(const Dictionary& dictionary) const noexcept {
    if (is_text())
        return dictionary.find(text_);
    return dictionary.find(is_index() ? Variant(index_) : *other_);
}

const Variant* detail::step_into(const Variant& in, const Key& key, Error& why) noexcept {
    Errc code = Errc::wrong_type;
    if (const auto* dictionary = in.get_if<Dictionary>()) {
        if (const Variant* found = key.find_in(*dictionary))
            return found;
        code = Errc::missing_key;
    } else if (const auto* object = in.get_if<Object>(); object && key.is_text()) {
        if (const Variant* found = object->find(key.text()))
            return found;
        code = Errc::missing_key;
    } else if (const auto* array = in.get_if<Array>(); array && key.is_index()) {
        if (key.index() >= 0 && static_cast<std::uint64_t>(key.index()) < array->size())
            return array->begin() + key.index();
        code = Errc::index_out_of_range;
    }
    why = lost(code, in.type(), key, in.size());
    return nullptr;
}

Variant* detail::step_into(Variant& in, const Key& key, Error& why) noexcept {
    const Variant* found = step_into(std::as_const(in), key, why);
    if (found)
        VariantAccess::block(in)->touch();
    return const_cast<Variant*>(found);
}

// ---- assigning ----------------------------------------------------------------------------------

void detail::put_pair(Dictionary& into, const Key& key, Variant& value, Variant*& made) {
    into.append(key.to_variant(), std::move(value));
    if (!made)
        made = &(into.end() - 1)->value;
}
void detail::wrap(const Key& key, Variant& value, Variant*& made) {
    Dictionary around;
    put_pair(around, key, value, made);
    value = std::move(around);
}

void VariantStep::lost_in(Variant& in) noexcept {
    // A missing int key may be an index that was meant for an Array, so it is not added.
    if (!key_.is_text())
        return;
    dictionary_ = in.get_if<Dictionary>();
    if (in.is_nil())
        nil_ = &in;
}

VariantStep::VariantStep(Dictionary& in, const Key& key) noexcept
    : BasicStep(nullptr, {}), key_(key) {
    at_ = in.changeable(key.find_in(in));
    if (at_)
        return;
    dictionary_ = &in;
    error_ = lost(Errc::missing_key, Type::dictionary, key, in.size());
}

std::expected<std::reference_wrapper<Variant>, Error> VariantStep::set(Variant value) && {
    if (at_) {
        *at_ = std::move(value);
        return *at_;
    }
    const VariantStep* first = this;
    for (; first->before_; first = first->before_)
        if (!first->key_.is_text())
            return std::unexpected(
                not_made(lost(Errc::wrong_type, Type::nil, first->key_, 0), first->key_));
    if (!first->dictionary_ && !first->nil_)
        return std::unexpected(not_made(error_, first->key_));
    Variant* made = nullptr;
    for (const VariantStep* step = this; step != first; step = step->before_)
        detail::wrap(step->key_, value, made);
    if (first->dictionary_) {
        detail::put_pair(*first->dictionary_, first->key_, value, made);
    } else {
        detail::wrap(first->key_, value, made);
        *first->nil_ = std::move(value);
    }
    return *made;
}

// ---- the same as expected values and pointers ---------------------------------------------------

std::expected<std::reference_wrapper<Variant>, Error> Variant::at(const Key& key) & {
    Error why;
    if (Variant* found = detail::step_into(*this, key, why))
        return *found;
    return std::unexpected(why);
}
std::expected<std::reference_wrapper<const Variant>, Error> Variant::at(const Key& key) const& {
    Error why;
    if (const Variant* found = detail::step_into(*this, key, why))
        return *found;
    return std::unexpected(why);
}
Variant* Variant::find(const Key& key) & noexcept {
    Error why;
    return detail::step_into(*this, key, why);
}
const Variant* Variant::find(const Key& key) const& noexcept {
    Error why;
    return detail::step_into(*this, key, why);
}
bool Variant::contains(const Key& key) const noexcept {
    return find(key) != nullptr;
}

VariantStep Dictionary::operator[](const Variant& key) {
    return VariantStep(*this, Key(key));
}
ConstVariantStep Dictionary::operator[](const Variant& key) const {
    return step(Key(key));
}
ConstVariantStep Dictionary::step(const Key& key) const noexcept {
    const Variant* found = key.find_in(*this);
    return {found, found ? Error{} : lost(Errc::missing_key, Type::dictionary, key, size())};
}

}  // namespace gdvar
