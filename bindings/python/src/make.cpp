// Texts, numbers and math values as Python objects.
#include "make.hpp"

#include <array>

namespace gdvar_py {
namespace {

/// Texts seen last, by their bytes. A text has one place; a newer one takes it.
class TextCache {
public:
    static constexpr std::size_t longest = 24;

    /// The object for the text, made by `make` if it is not here. A new reference.
    template <class Make>
    PyObject* take(std::string_view text, Make&& make) {
        if (text.size() > longest)
            return make(text);
        Entry& entry = entries_[place(text)];
        if (entry.object && entry.size == text.size() &&
            std::memcmp(entry.text, text.data(), text.size()) == 0) {
            Py_INCREF(entry.object);
            return entry.object;
        }
        return replace(entry, text, make(text));
    }

private:
    struct Entry {
        PyObject* object;
        std::uint8_t size;
        char text[longest];
    };

    static PyObject* replace(Entry& entry, std::string_view text, PyObject* made) {
        if (!made || PyObject_Hash(made) == -1)
            return made;
        PyObject* old = entry.object;
        Py_INCREF(made);
        entry.object = made;
        entry.size = static_cast<std::uint8_t>(text.size());
        std::memcpy(entry.text, text.data(), text.size());
        Py_XDECREF(old);
        return made;
    }
    static std::size_t place(std::string_view text) noexcept {
        std::uint64_t parts[3] = {0, 0, 0};
        std::memcpy(parts, text.data(), text.size());
        const std::uint64_t mixed = (parts[0] ^ text.size()) * 0x9E3779B97F4A7C15u +
                                    (parts[1] ^ parts[2] * 31) * 0xC2B2AE3D27D4EB4Fu;
        return static_cast<std::size_t>(mixed >> 53);
    }

    std::array<Entry, 2048> entries_{};
};

TextCache keys, names;

}  // namespace

PyObject* make_key(std::string_view text) {
    return keys.take(text, [](std::string_view t) { return make_text(t); });
}
PyObject* make_string_name(std::string_view text) {
    return names.take(text, [](std::string_view t) -> PyObject* {
        const Ref str(make_text(t));
        return str ? PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(state.string_name),
                                                  str.get(), nullptr)
                   : nullptr;
    });
}

PyObject* make_component(const void* from, std::uint8_t component, bool host_order) {
    switch (component) {
        case GDVAR_U8:
            return PyLong_FromLong(load_number<std::uint8_t>(from, host_order));
        case GDVAR_I32:
            return PyLong_FromLong(load_number<std::int32_t>(from, host_order));
        case GDVAR_I64:
            return PyLong_FromLongLong(load_number<std::int64_t>(from, host_order));
        case GDVAR_F32:
            return PyFloat_FromDouble(double{load_number<float>(from, host_order)});
        default:
            return PyFloat_FromDouble(load_number<double>(from, host_order));
    }
}

PyObject* new_atoms(PyTypeObject* type, Py_ssize_t count) {
    PyObject* made = PyType_GenericAlloc(type, count);
    if (made)
        PyObject_GC_UnTrack(made);
    return made;
}

namespace {

/// A math type's parts as named tuples, with the place that it reads from.
struct MathMaker {
    const std::byte* at;
    std::uint8_t component;
    bool wide, host_order;

    PyObject* number() {
        PyObject* made = make_component(at, component, host_order);
        at += component_size(component);
        return made;
    }
    // Goes as deep as types are made of types: three.
    PyObject* make(std::uint8_t type) {
        const MathLayout layout = math_layout(type);
        Ref made(new_atoms(state.math[type][wide], layout.parts));
        if (!made)
            return nullptr;
        for (int i = 0; i < layout.parts; ++i) {
            const std::uint8_t part = i + 1 == layout.parts ? layout.last : layout.part;
            PyObject* item = part == GDVAR_NIL ? number() : make(part);
            if (!item)
                return nullptr;
            PyTuple_SetItem(made.get(), i, item);
        }
        return made.release();
    }
};

}  // namespace

PyObject* make_math(std::uint8_t type, bool wide, const void* data, bool host_order) {
    const std::uint8_t component = gdvar_describe_type(type).component;
    MathMaker maker{static_cast<const std::byte*>(data), wide ? std::uint8_t{GDVAR_F64} : component,
                    wide, host_order};
    return maker.make(type);
}

std::uint8_t element_type(std::uint8_t packed_type) noexcept {
    switch (packed_type) {
        case GDVAR_PACKED_VECTOR2_ARRAY:
            return GDVAR_VECTOR2;
        case GDVAR_PACKED_VECTOR3_ARRAY:
            return GDVAR_VECTOR3;
        case GDVAR_PACKED_VECTOR4_ARRAY:
            return GDVAR_VECTOR4;
        case GDVAR_PACKED_COLOR_ARRAY:
            return GDVAR_COLOR;
        case GDVAR_PACKED_VECTOR2I_ARRAY:
            return GDVAR_VECTOR2I;
        case GDVAR_PACKED_VECTOR3I_ARRAY:
            return GDVAR_VECTOR3I;
        case GDVAR_PACKED_VECTOR4I_ARRAY:
            return GDVAR_VECTOR4I;
        default:
            return GDVAR_NIL;
    }
}

PyObject* make_element(std::uint8_t packed_type, bool wide, const void* data, bool host_order) {
    const std::uint8_t element = element_type(packed_type);
    if (element != GDVAR_NIL)
        return make_math(element, wide, data, host_order);
    const std::uint8_t component = gdvar_describe_type(packed_type).component;
    return make_component(data, component, host_order);
}

}  // namespace gdvar_py
