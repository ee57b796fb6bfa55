#include "shapes.hpp"

namespace gdvar_py {
namespace {

/// Knowledge about Dictionaries with that number of keys and that first one.
struct Known {
    std::unique_ptr<Shape> shape;
    std::uint64_t last = 0;  ///< the keys of the last one learnt
};
// Never destroyed: at the end of the process there is no interpreter to return objects to.
auto& known_shapes = *new std::array<Known, 256>;
// For all shapes together, so that they take a few megabytes at most, whatever packets hold.
constexpr std::size_t most_keys_of_all = 1 << 14;
std::size_t keys_of_all = 0;

/// Forgets shapes until there is room for one of `count` keys.
bool make_room(std::size_t count) noexcept {
    for (Known& known : known_shapes) {
        if (keys_of_all + count <= most_keys_of_all)
            break;
        if (!known.shape || known.shape->in_use())
            continue;
        keys_of_all -= known.shape->count();
        known.shape.reset();
    }
    return keys_of_all + count <= most_keys_of_all;
}

/// Null: the first key is not a short String.
Known* known_of(const Packet& packet, std::uint32_t node) noexcept {
    const gdvar_node& first = packet.tape.nodes[node + 1];
    if (first.type != GDVAR_STRING || first.as.span.count > ShortText::longest)
        return nullptr;
    const std::uint64_t hash = ShortText(text_of(packet.tape, first)).hash() +
                               packet.tape.nodes[node].as.span.count * 0x9E37u;
    return &known_shapes[hash % known_shapes.size()];
}

/// The keys of a dict, by their hashes.
std::uint64_t mix_keys(PyObject* dict) noexcept {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    std::uint64_t mixed = 1;
    while (PyDict_Next(dict, &at, &key, &value))
        mixed = (mixed ^ static_cast<std::uint64_t>(PyObject_Hash(key))) * 0x9E3779B97F4A7C15u;
    return mixed;
}

}  // namespace

std::unique_ptr<Shape> Shape::make(const Packet& packet, std::uint32_t node, PyObject* dict) {
    auto shape = std::make_unique<Shape>();
    shape->dict_ = Ref(PyDict_New());
    PyObject *key, *value;
    Py_ssize_t at = 0;
    std::uint32_t key_node = node + 1;
    while (shape->dict_ && PyDict_Next(dict, &at, &key, &value)) {
        const gdvar_node& n = packet.tape.nodes[key_node];
        if (n.type != GDVAR_STRING || !shape->add(text_of(packet.tape, n), key))
            return nullptr;
        key_node = node_behind(packet.tape.nodes, key_node + 1);
    }
    return shape->dict_ ? std::move(shape) : nullptr;
}

bool Shape::add(std::string_view text, PyObject* key) {
    if (text.size() > ShortText::longest || PyDict_SetItem(dict_.get(), key, Py_None) < 0)
        return false;
    keys_.push_back({.text = ShortText(text), .object = Ref::borrow(key)});
    return true;
}

void Shape::adopt(Key& key, const gdvar_node& node, PyObject* value) noexcept {
    // Another dict in the making was copied before, and has the old value.
    if (uses_ > 1)
        return;
    if (PyDict_SetItem(dict_.get(), key.object.get(), value) < 0)
        return PyErr_Clear();
    key.type = node.type;
    key.bits = node.as.bits;
}

Shape* guess_shape(const Packet& packet, std::uint32_t node) noexcept {
    const std::size_t count = packet.tape.nodes[node].as.span.count;
    if (count == 0 || count > Shape::most_keys)
        return nullptr;
    const Known* known = known_of(packet, node);
    Shape* shape = known ? known->shape.get() : nullptr;
    return shape && shape->count() == count ? shape : nullptr;
}

void learn_shape(const Packet& packet, std::uint32_t node, PyObject* dict) noexcept try {
    const std::size_t count = packet.tape.nodes[node].as.span.count;
    Known* known = count == 0 || count > Shape::most_keys ? nullptr : known_of(packet, node);
    if (!known || (known->shape && known->shape->in_use()))
        return;
    const std::uint64_t keys = mix_keys(dict);
    if (std::exchange(known->last, keys) != keys)
        return;
    if (known->shape)
        keys_of_all -= known->shape->count();
    known->shape.reset();
    if (make_room(count))
        known->shape = Shape::make(packet, node, dict);
    if (known->shape)
        keys_of_all += count;
    PyErr_Clear();
} catch (const std::bad_alloc&) {
    PyErr_Clear();  // then it is not a shape
}

}  // namespace gdvar_py
