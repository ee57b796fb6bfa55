#include "blocks.hpp"
#include "gdvar/value/variant.hpp"
#include "value/dictionary_index.hpp"

namespace gdvar {

// ---- Array --------------------------------------------------------------------------------------

// Constructors that may throw delegate, so that the destructor frees the items made so far.
Array::Array(std::initializer_list<Variant> items) : Array() {
    reserve(items.size());
    for (const Variant& item : items)
        push_back(item);
}

Array::Array(const ContainerType& element) : Array() {
    set_element_type(element);
}

void Array::push_back(Variant value) {
    detail::make_room(block_);
    block_->touch();
    new (block_->items() + block_->size) Variant(std::move(value));
    ++block_->size;
}

void Array::insert(std::size_t at, Variant value) {
    push_back(std::move(value));
    for (std::size_t i = size() - 1; i > at; --i)
        (*this)[i].swap((*this)[i - 1]);
}

void Array::erase(std::size_t at) noexcept {
    for (std::size_t i = at; i + 1 < size(); ++i)
        (*this)[i].swap((*this)[i + 1]);
    (*this)[size() - 1].~Variant();
    --block_->size;
}

void Array::reserve(std::size_t n) {
    if (!detail::reserve_block(block_, n))
        detail::throw_no_memory();
}

void Array::clear() noexcept {
    while (!empty()) {
        (*this)[size() - 1].~Variant();
        --block_->size;
    }
}

ContainerType Array::element_type() const noexcept {
    return block_ ? block_->types() : ContainerType{};
}

void Array::set_element_type(const ContainerType& type) {
    if (!block_ && !type.typed())
        return;
    const String name(type.name);
    if (!block_ && !detail::regrow(block_, 0))
        detail::throw_no_memory();
    block_->kind = type.kind;
    block_->type = type.type;
    block_->name = name;
}

// ---- Dictionary ---------------------------------------------------------------------------------

Dictionary::Dictionary(std::initializer_list<Pair> pairs) : Dictionary() {
    reserve(pairs.size());
    for (const Pair& pair : pairs)
        set(pair.key, pair.value);
}

Dictionary::Dictionary(const ContainerType& key, const ContainerType& value) : Dictionary() {
    set_types(key, value);
}

Variant* Dictionary::find(const Variant& key) noexcept {
    return changeable(std::as_const(*this).find(key));
}
const Variant* Dictionary::find(const Variant& key) const noexcept {
    if (key.is(Type::string) || key.is(Type::string_name))
        return find_text(key.text());
    if (!block_)
        return nullptr;
    const std::uint32_t at = detail::find_pair(*block_, key);
    return at == detail::no_pair ? nullptr : &block_->items()[at].value;
}
const Variant* Dictionary::find_text(std::string_view key) const noexcept {
    if (!block_)
        return nullptr;
    const std::uint32_t at = detail::find_pair(*block_, key);
    return at == detail::no_pair ? nullptr : &block_->items()[at].value;
}

void Dictionary::set(Variant key, Variant value) {
    if (Variant* found = find(key))
        *found = std::move(value);
    else
        append(std::move(key), std::move(value));
}

void Dictionary::append(Variant key, Variant value) {
    detail::make_room(block_);
    block_->touch();
    Variant* pair = block_->run() + std::size_t{block_->size} * 2;
    new (pair) Variant(std::move(key));
    new (pair + 1) Variant(std::move(value));
    ++block_->size;
    detail::index_added(*block_);
}

bool Dictionary::erase(const Variant& key) noexcept {
    Variant* found = find(key);
    if (!found)
        return false;
    detail::drop_index(*block_);
    Pair* pair = begin();
    while (&pair->value != found)
        ++pair;
    pair->~Pair();
    const std::size_t after = static_cast<std::size_t>(end() - pair) - 1;
    std::memmove(static_cast<void*>(pair), static_cast<const void*>(pair + 1),
                 after * sizeof(Pair));
    --block_->size;
    return true;
}

bool Dictionary::rename(const Variant& from, Variant to) {
    const Variant* found = std::as_const(*this).find(from);
    const Variant* other = std::as_const(*this).find(to);
    if (!found || (other && other != found))
        return false;
    block_->touch();
    // A pair is two adjacent Variants.
    const auto number = static_cast<std::uint32_t>((found - block_->run()) / 2);
    detail::rename_pair(*block_, number, std::move(to));
    return true;
}

void Dictionary::reorder(std::vector<std::uint32_t>& order) noexcept {
    if (!block_)
        return;
    detail::drop_index(*block_);
    const auto at = [this](std::uint32_t i) { return static_cast<void*>(block_->items() + i); };
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        if (order[first] == first)
            continue;
        alignas(Pair) char held[sizeof(Pair)];
        std::memcpy(held, at(first), sizeof held);
        std::uint32_t i = first;
        while (order[i] != first) {
            std::memcpy(at(i), at(order[i]), sizeof held);
            i = std::exchange(order[i], i);
        }
        std::memcpy(at(i), held, sizeof held);
        order[i] = i;
    }
}

namespace {

/// A key type's rank in the order of `sort_keys`.
unsigned rank_of(const Variant& key) noexcept {
    if (key.is(Type::string_name))
        return static_cast<unsigned>(Type::string);
    return static_cast<unsigned>(key.type());
}

bool before(const Variant& a, const Variant& b) noexcept {
    if (rank_of(a) != rank_of(b))
        return rank_of(a) < rank_of(b);
    switch (a.type()) {
        case Type::boolean:
            return a.boolean() < b.boolean();
        case Type::integer:
            return a.integer() < b.integer();
        case Type::real:
            return a.real() < b.real() || (a.real() == a.real() && b.real() != b.real());
        case Type::string:
        case Type::string_name:
            return a.text() < b.text();
        default:
            return false;
    }
}

}  // namespace

void Dictionary::sort_keys() {
    sort([](const Pair& a, const Pair& b) { return before(a.key, b.key); });
}

void Dictionary::reserve(std::size_t n) {
    if (!detail::reserve_block(block_, n))
        detail::throw_no_memory();
}

void Dictionary::clear() noexcept {
    if (!block_)
        return;
    detail::drop_index(*block_);
    while (!empty()) {
        block_->items()[block_->size - 1].~Pair();
        --block_->size;
    }
}

ContainerType Dictionary::key_type() const noexcept {
    if (!block_)
        return {};
    return {block_->kinds[0], block_->types[0], block_->names[0]};
}
ContainerType Dictionary::value_type() const noexcept {
    if (!block_)
        return {};
    return {block_->kinds[1], block_->types[1], block_->names[1]};
}

void Dictionary::set_types(const ContainerType& key, const ContainerType& value) {
    if (!block_ && !key.typed() && !value.typed())
        return;
    const String names[] = {String(key.name), String(value.name)};
    if (!block_ && !detail::regrow(block_, 0))
        detail::throw_no_memory();
    const ContainerType* types[] = {&key, &value};
    for (const int i : {0, 1}) {
        block_->kinds[i] = types[i]->kind;
        block_->types[i] = types[i]->type;
        block_->names[i] = names[i];
    }
}

// ---- Object -------------------------------------------------------------------------------------

Object Object::from_id(std::uint64_t id) noexcept {
    Object object;
    object.id_ = id;
    object.kind_ = ObjectKind::id;
    return object;
}

Object::Object(std::string_view class_name) {
    String name(class_name);
    auto* made = detail::make_block<detail::ObjectBlock>(4);
    if (!made)
        detail::throw_no_memory();
    made->name = std::move(name);
    id_ = reinterpret_cast<std::uintptr_t>(made);
    kind_ = ObjectKind::full;
}

std::string_view Object::class_name() const noexcept {
    return kind_ == ObjectKind::full ? block()->name.view() : std::string_view();
}

Variant* Object::find(std::string_view name) noexcept {
    return const_cast<Variant*>(std::as_const(*this).find(name));
}
const Variant* Object::find(std::string_view name) const noexcept {
    const Variant* found = nullptr;
    for (const Property& property : *this)
        if (property.name == name)
            found = &property.value;
    return found;
}

void Object::set(std::string_view name, Variant value) {
    if (Variant* found = find(name))
        *found = std::move(value);
    else
        append(name, std::move(value));
}

void Object::append(std::string_view name, Variant value) {
    String copy(name);
    auto* grown = block();
    detail::make_room(grown);
    id_ = reinterpret_cast<std::uintptr_t>(grown);
    new (grown->items() + grown->size) Property{std::move(copy), std::move(value)};
    ++grown->size;
}

}  // namespace gdvar
