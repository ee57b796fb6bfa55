// Makes Python objects from a packet's texts, numbers, math values, packed arrays.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>

#include "texts.hpp"

namespace gdvar_py {

/// A number at an unaligned place, in the host's order or little-endian.
template <class T>
T load_number(const void* from, bool host_order) noexcept {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof bytes);
    if (!host_order && std::endian::native == std::endian::big)
        for (std::size_t i = 0; i < sizeof(T) / 2; ++i)
            std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}
/// The result of `use` for a component, read as a number of its C++ type.
template <class Use>
auto with_component(const void* from, std::uint8_t component, bool host_order, Use&& use) {
    switch (component) {
        case GDVAR_U8:
            return use(load_number<std::uint8_t>(from, host_order));
        case GDVAR_I32:
            return use(load_number<std::int32_t>(from, host_order));
        case GDVAR_I64:
            return use(load_number<std::int64_t>(from, host_order));
        case GDVAR_F32:
            return use(load_number<float>(from, host_order));
        default:
            return use(load_number<double>(from, host_order));
    }
}
/// A float. Frequent ones are shared.
inline PyObject* make_real(double number) {
    PyObject* known = number == 0.0 && !std::signbit(number) ? state.zero
                      : number == 1.0                        ? state.one
                                                             : nullptr;
    return known ? Py_NewRef(known) : PyFloat_FromDouble(number);
}
constexpr std::size_t component_size(std::uint8_t component) noexcept {
    return component == GDVAR_U8 ? 1 : component == GDVAR_I64 || component == GDVAR_F64 ? 8 : 4;
}

/// A tuple of a class of named tuples, whose `count` items are to be set by PyTuple_SetItem.
PyObject* new_tuple(PyTypeObject* type, Py_ssize_t count);
/// A tuple of that class of owned items, each of which may be null: then null with their exception.
PyObject* fill_tuple(PyTypeObject* type, std::initializer_list<PyObject*> owned);
/// The same without garbage collection: only for atoms.
PyObject* new_atoms(PyTypeObject* type, Py_ssize_t count);
/// A math value from its adjacent components.
PyObject* make_math(std::uint8_t type, bool wide, const void* data, bool host_order);
/// The math value, or number, of a packed array's element.
PyObject* make_element(std::uint8_t packed_type, bool wide, const void* data, bool host_order);
/// The math type of a packed array's elements; GDVAR_NIL: numbers.
std::uint8_t element_type(std::uint8_t packed_type) noexcept;

/// A packed array of numbers. It views `numbers` and keeps `owner`, or copies if there is no owner.
PyObject* make_packed(std::uint8_t type, const gdvar_numbers& numbers, PyObject* owner);

/// An Array or a Dictionary of a list or dict, with the types that the container at a node has.
PyObject* with_types(const Packet& packet, std::uint32_t node, PyTypeObject* type, PyObject* items);
/// A value without children: everything but Arrays, Dictionaries and full Objects.
PyObject* make_leaf(const Packet& packet, std::uint32_t node);
inline bool has_children(const gdvar_node& node) noexcept {
    constexpr std::uint64_t containers = 1ull << GDVAR_ARRAY | 1ull << GDVAR_DICTIONARY |
                                         1ull << GDVAR_PACKED_TYPED_ARRAY | 1ull << GDVAR_OBJECT;
    return containers >> node.type & 1 && (node.type != GDVAR_OBJECT || node.flags & GDVAR_FULL);
}
/// The node behind a value and its content.
inline std::uint32_t node_behind(const gdvar_node* nodes, std::uint32_t node) noexcept {
    return has_children(nodes[node]) || (nodes[node].flags & GDVAR_COPIED) ? nodes[node].as.span.end
                                                                           : node + 1;
}
inline std::string_view text_of(const gdvar_tape& tape, const gdvar_node& node) noexcept {
    return {reinterpret_cast<const char*>(tape.bytes) + node.offset + 8, node.as.span.count};
}

/// Stops the garbage collector while many containers are made: none of them can be garbage yet.
class WithoutGc {
public:
    WithoutGc() noexcept : was_(PyGC_Disable()) {}
    WithoutGc(const WithoutGc&) = delete;
    ~WithoutGc() {
        if (was_)
            PyGC_Enable();
    }

private:
    int was_;
};

/// A document that is kept from call to call for its memory, unless that is large.
class KeptDocument {
public:
    KeptDocument() : document_(std::move(kept)) {
        if (!document_)
            document_ = DocumentHandle(gdvar_document_new());
    }
    KeptDocument(const KeptDocument&) = delete;
    ~KeptDocument() {
        if (document_ && gdvar_document_tape(document_.get()).count <= most_nodes)
            kept = std::move(document_);
    }
    gdvar_document* get() const noexcept { return document_.get(); }

private:
    static constexpr std::size_t most_nodes = 1 << 16;  // 1 MiB
    static inline DocumentHandle kept;
    // Separate while in use: making values may run Python code, which may load something, too.
    DocumentHandle document_;
};

}  // namespace gdvar_py
