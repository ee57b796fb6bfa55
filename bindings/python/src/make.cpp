#include "make.hpp"

#include <algorithm>

namespace gdvar_py {

PyObject* new_tuple(PyTypeObject* type, Py_ssize_t count) {
    if (type == &PyTuple_Type)
        return PyTuple_New(count);
    // From 3.14 on a tuple keeps its hash, and one that was only allocated would have the hash 0.
    // tuple's own tp_new handles that; it copies a tuple of so many None.
    static const bool keeps_hash = Py_Version >= 0x030E0000;
    if (!keeps_hash)
        return PyType_GenericAlloc(type, count);
    static const auto make = reinterpret_cast<newfunc>(PyType_GetSlot(&PyTuple_Type, Py_tp_new));
    static PyObject* templates[5];  // the arguments of `make`, by the number of items
    const bool kept = static_cast<std::size_t>(count) < std::size(templates);
    if (kept && templates[count])
        return make(type, templates[count], nullptr);
    const Ref nones(PyTuple_New(count));
    for (Py_ssize_t i = 0; nones && i < count; ++i)
        PyTuple_SetItem(nones.get(), i, Py_NewRef(Py_None));
    Ref args(nones ? PyTuple_Pack(1, nones.get()) : nullptr);
    PyObject* made = args ? make(type, args.get(), nullptr) : nullptr;
    if (kept)
        templates[count] = args.release();
    return made;
}

PyObject* fill_tuple(PyTypeObject* type, std::initializer_list<PyObject*> owned) {
    const bool whole = type && std::ranges::all_of(owned, [](PyObject* item) { return item; });
    Ref made(whole ? new_tuple(type, static_cast<Py_ssize_t>(owned.size())) : nullptr);
    Py_ssize_t at = 0;
    for (PyObject* item : owned) {
        if (made)
            PyTuple_SetItem(made.get(), at++, item);
        else
            Py_XDECREF(item);
    }
    return made.release();
}

PyObject* new_atoms(PyTypeObject* type, Py_ssize_t count) {
    PyObject* made = new_tuple(type, count);
    if (made)
        PyObject_GC_UnTrack(made);
    return made;
}

namespace {

template <class T>
PyObject* make_number(T number) {
    if constexpr (std::is_floating_point_v<T>)
        return make_real(double{number});
    else
        return PyLong_FromLong(number);
}

/// A math type's parts as named tuples, with the position of reading.
template <class T>
struct MathMaker {
    const std::byte* at;
    bool wide, host_order;

    PyObject* number() {
        PyObject* made = make_number(load_number<T>(at, host_order));
        at += sizeof(T);
        return made;
    }
    // Recursion is bounded: types consist of types at most three deep.
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
    const auto* from = static_cast<const std::byte*>(data);
    if (wide)
        return MathMaker<double>{from, true, host_order}.make(type);
    if (state.about[type].component == GDVAR_F32)
        return MathMaker<float>{from, false, host_order}.make(type);
    return MathMaker<std::int32_t>{from, false, host_order}.make(type);
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
    return with_component(data, state.about[packed_type].component, host_order,
                          [](auto number) -> PyObject* {
                              if constexpr (std::is_floating_point_v<decltype(number)>)
                                  return PyFloat_FromDouble(double{number});
                              else
                                  return PyLong_FromLongLong(number);
                          });
}

}  // namespace gdvar_py
