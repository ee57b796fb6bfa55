// PackedByteArray and the other packed arrays of numbers: read-only, with the buffer protocol.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include "call.hpp"
#include "make.hpp"
#include "packed.hpp"
#include "search.hpp"

namespace gdvar_py {
namespace {

PackedArray* self_of(PyObject* self) noexcept {
    return reinterpret_cast<PackedArray*>(self);
}

/// The buffer protocol's format of a component, in the host's order.
const char* format_of(const PackedArray& array) noexcept {
    static constexpr const char* formats[] = {"", "B", "i", "q", "f", "d"};  // by gdvar_component
    return formats[array.component()];
}

/// A new array over `data`, which is in `owner`.
PyObject* new_view(PyTypeObject* type, std::uint8_t variant, bool wide, PyObject* owner,
                   const void* data, Py_ssize_t count) {
    auto* made = reinterpret_cast<PackedArray*>(PyType_GenericAlloc(type, 0));
    if (!made)
        return nullptr;
    made->owner = Py_NewRef(owner);
    made->data = data;
    made->type = variant;
    made->wide = wide;
    made->shape[0] = count;
    made->shape[1] = made->components();
    made->strides[0] = made->stride();
    made->strides[1] = static_cast<Py_ssize_t>(component_size(made->component()));
    return reinterpret_cast<PyObject*>(made);
}

/// A bytes object for `count` elements, and the address to fill.
Ref new_storage(std::uint8_t variant, bool wide, Py_ssize_t count, char** to) {
    const PackedArray like = PackedArray::like(variant, wide);
    if (count > PY_SSIZE_T_MAX / like.stride()) {
        PyErr_NoMemory();
        return {};
    }
    Ref bytes(PyBytes_FromStringAndSize(nullptr, count * like.stride()));
    Py_ssize_t size;
    if (bytes && PyBytes_AsStringAndSize(bytes.get(), to, &size) < 0)
        return {};
    return bytes;
}

// ---- making one ----

/// The type of a class: `Packed...Array` or a subclass.
std::uint8_t variant_of(PyTypeObject* type) noexcept {
    for (; type; type = static_cast<PyTypeObject*>(PyType_GetSlot(type, Py_tp_base)))
        for (int i = 0; i < GDVAR_TYPE_COUNT; ++i)
            if (state.packed[i] == type)
                return static_cast<std::uint8_t>(i);
    return GDVAR_NIL;
}

/// "(n, 3)"
std::string shape_of(int dimensions, Py_ssize_t components) {
    return dimensions == 1   ? "(n,)"
           : dimensions == 2 ? "(n, " + std::to_string(components) + ")"
                             : "of " + std::to_string(dimensions) + " dimensions";
}

/// The exception for a buffer of another kind.
std::nullptr_t refuse_buffer(const Buffer& buffer, const PackedArray& like, std::uint8_t variant,
                             bool wide) {
    const int dimensions = like.components() == 1 ? 1 : 2;
    const bool shaped =
        buffer.dimensions() == dimensions && buffer.components() == like.components();
    const bool doubles =
        shaped && !wide && buffer.component() == GDVAR_F64 && gdvar_describe_type(variant).widens;
    PyErr_Format(PyExc_TypeError,
                 "%s%s takes a buffer of format '%s' and shape %s, not '%s' and %s%s",
                 type_name(variant).c_str(), wide ? "(wide=True)" : "", format_of(like),
                 shape_of(dimensions, like.components()).c_str(), buffer.format(),
                 shape_of(buffer.dimensions(), buffer.components()).c_str(),
                 doubles  ? "; use wide=True, or numpy's a.astype('f4')"
                 : shaped ? "; numpy: a.astype(...)"
                          : "");
    return nullptr;
}

/// Copies a buffer's elements, whose kind must be that of the array.
PyObject* from_buffer(PyTypeObject* type, std::uint8_t variant, bool wide, PyObject* object) {
    Buffer buffer;
    if (!buffer.take(object))
        return nullptr;
    const PackedArray like = PackedArray::like(variant, wide);
    if (!buffer.fits(like))
        return refuse_buffer(buffer, like, variant, wide);
    char* to = nullptr;
    const Ref bytes = new_storage(variant, wide, buffer.length(), &to);
    if (!bytes || !buffer.copy(to))
        return nullptr;
    return new_view(type, variant, wide, bytes.get(), to, buffer.length());
}

/// Packs an element, given as a number or as a sequence of numbers.
bool pack_element(const PackedArray& like, PyObject* item, char* to) {
    const int components = like.components();
    if (components == 1)
        return pack_component(item, like.component(), to);
    const Ref parts(PySequence_Tuple(item));
    if (!parts)
        return false;
    if (PyTuple_Size(parts.get()) != components) {
        PyErr_Format(PyExc_ValueError, "an element of %s has %d numbers, not %zd",
                     type_name(like.type).c_str(), components, PyTuple_Size(parts.get()));
        return false;
    }
    for (int i = 0; i < components; ++i)
        if (!pack_component(PyTuple_GetItem(parts.get(), i), like.component(),
                            to + static_cast<std::size_t>(i) * component_size(like.component())))
            return false;
    return true;
}

PyObject* from_iterable(PyTypeObject* type, std::uint8_t variant, bool wide, PyObject* object) {
    const Ref items(PySequence_Tuple(object));
    if (!items)
        return nullptr;
    const PackedArray like = PackedArray::like(variant, wide);
    const Py_ssize_t count = PyTuple_Size(items.get());
    char* to = nullptr;
    const Ref bytes = new_storage(variant, wide, count, &to);
    if (!bytes)
        return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!pack_element(like, PyTuple_GetItem(items.get(), i), to + i * like.stride()))
            return nullptr;
    return new_view(type, variant, wide, bytes.get(), to, count);
}

/// Checks that the type has the width. False with a ValueError.
bool has_width(std::uint8_t variant, bool wide) {
    if (!wide || gdvar_describe_type(variant).widens)
        return true;
    PyErr_Format(PyExc_ValueError, "%s has no 64-bit width", type_name(variant).c_str());
    return false;
}

PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* names) {
    static const char* keywords[] = {"items", "wide", nullptr};
    PyObject* items = nullptr;
    int wide = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "|O$p", const_cast<char**>(keywords), &items,
                                     &wide))
        return nullptr;
    const std::uint8_t variant = variant_of(type);
    if (variant == GDVAR_NIL) {
        PyErr_SetString(PyExc_TypeError, "make a packed array of a type, such as PackedByteArray");
        return nullptr;
    }
    if (!has_width(variant, wide != 0))
        return nullptr;
    const Ref none(items ? nullptr : PyTuple_New(0));
    if (!items)
        items = none.get();
    return PyObject_CheckBuffer(items) ? from_buffer(type, variant, wide != 0, items)
                                       : from_iterable(type, variant, wide != 0, items);
}

/// `from_bytes(data, wide=False)`: adjacent elements, in the host's order.
PyObject* from_bytes(PyObject* type, PyObject* args, PyObject* names) {
    static const char* keywords[] = {"data", "wide", nullptr};
    PyObject* data = nullptr;
    int wide = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|p", const_cast<char**>(keywords), &data,
                                     &wide))
        return nullptr;
    const std::uint8_t variant = variant_of(reinterpret_cast<PyTypeObject*>(type));
    const PackedArray like = PackedArray::like(variant, wide != 0);
    Bytes bytes;
    if (variant == GDVAR_NIL || !has_width(variant, wide != 0) || !bytes.take(data))
        return nullptr;
    const auto size = static_cast<Py_ssize_t>(bytes.size());
    if (size % like.stride()) {
        PyErr_Format(PyExc_ValueError, "%zd bytes are no whole number of elements of %zd bytes",
                     size, like.stride());
        return nullptr;
    }
    char* to = nullptr;
    const Ref copy = new_storage(variant, wide != 0, size / like.stride(), &to);
    if (!copy)
        return nullptr;
    std::memcpy(to, bytes.view().data, bytes.size());
    return new_view(reinterpret_cast<PyTypeObject*>(type), variant, wide != 0, copy.get(), to,
                    size / like.stride());
}

// ---- methods ----

void destroy(PyObject* self) {
    if (self_of(self)->weak_references)
        PyObject_ClearWeakRefs(self);
    Py_XDECREF(self_of(self)->owner);
    free_object(self);
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
    PackedArray& array = *self_of(self);
    const bool columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS &&
                         array.components() > 1 && array.count() > 1;
    if (flags & PyBUF_WRITABLE || columns) {
        view->obj = nullptr;
        PyErr_SetString(PyExc_BufferError, columns ? "packed arrays lie in the order of rows"
                                                   : "packed arrays are read-only");
        return -1;
    }
    *view = {};
    view->buf = const_cast<void*>(array.data);
    view->obj = Py_NewRef(self);
    view->len = array.size();
    view->itemsize = array.strides[1];
    view->readonly = 1;
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format_of(array)) : nullptr;
    if (!(flags & PyBUF_ND)) {
        view->ndim = 1;
        return 0;
    }
    const bool flat = array.components() == 1;
    view->ndim = flat ? 1 : 2;
    view->shape = array.shape;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
        view->strides = array.strides;
    return 0;
}

Py_ssize_t length(PyObject* self) {
    return self_of(self)->count();
}

PyObject* element(const PackedArray& array, Py_ssize_t i) {
    return make_element(array.type, array.wide,
                        static_cast<const char*>(array.data) + i * array.stride(), true);
}

PyObject* item(PyObject* self, Py_ssize_t i) {
    const PackedArray& array = *self_of(self);
    if (i < 0 || i >= array.count()) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return nullptr;
    }
    return element(array, i);
}

PyObject* slice(PyObject* self, PyObject* range) {
    const PackedArray& array = *self_of(self);
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(range, &start, &stop, &step) < 0)
        return nullptr;
    const Py_ssize_t count = PySlice_AdjustIndices(array.count(), &start, &stop, step);
    const char* from = static_cast<const char*>(array.data);
    if (step == 1)
        return new_view(Py_TYPE(self), array.type, array.wide, array.owner,
                        from + start * array.stride(), count);
    char* to = nullptr;
    const Ref bytes = new_storage(array.type, array.wide, count, &to);
    if (!bytes)
        return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i)
        std::memcpy(to + i * array.stride(), from + (start + i * step) * array.stride(),
                    static_cast<std::size_t>(array.stride()));
    return new_view(Py_TYPE(self), array.type, array.wide, bytes.get(), to, count);
}

PyObject* subscript(PyObject* self, PyObject* key) {
    if (PySlice_Check(key))
        return slice(self, key);
    const Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred())
        return nullptr;
    return item(self, i < 0 ? i + length(self) : i);
}

PyObject* to_list(PyObject* self) {
    const PackedArray& array = *self_of(self);
    return make_list(static_cast<std::size_t>(array.count()),
                     [&](std::size_t i) { return element(array, static_cast<Py_ssize_t>(i)); });
}

PyObject* to_bytes(PyObject* self) {
    const PackedArray& array = *self_of(self);
    return PyBytes_FromStringAndSize(static_cast<const char*>(array.data), array.size());
}

PyObject* copy(PyObject* self) {
    const PackedArray& array = *self_of(self);
    const Ref bytes(to_bytes(self));
    char* data = nullptr;
    Py_ssize_t size;
    if (!bytes || PyBytes_AsStringAndSize(bytes.get(), &data, &size) < 0)
        return nullptr;
    return new_view(Py_TYPE(self), array.type, array.wide, bytes.get(), data, array.count());
}

PyObject* reduce(PyObject* self) {
    const Ref make(
        PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(self)), "from_bytes"));
    return make ? Py_BuildValue("O(NO)", make.get(), to_bytes(self),
                                self_of(self)->wide ? Py_True : Py_False)
                : nullptr;
}

/// To an array of its own class, and a PackedByteArray to bytes. Other buffers compare themselves.
PyObject* compare(PyObject* self, PyObject* other, int operation) {
    const PackedArray& a = *self_of(self);
    const bool same_class = Py_TYPE(self) == Py_TYPE(other);
    const bool bytes = a.type == GDVAR_PACKED_BYTE_ARRAY && PyBytes_Check(other);
    if ((operation != Py_EQ && operation != Py_NE) || !(same_class || bytes))
        return Py_NewRef(Py_NotImplemented);
    const gdvar_bytes b =
        bytes ? bytes_of(other)
              : gdvar_bytes{self_of(other)->data, static_cast<std::size_t>(self_of(other)->size())};
    const auto size = static_cast<std::size_t>(a.size());
    const bool equal = (bytes || a.wide == self_of(other)->wide) && size == b.size &&
                       std::memcmp(a.data, b.data, size) == 0;
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

/// The elements, for search.hpp.
auto elements_of(const PackedArray& array) {
    return [&array](Py_ssize_t begin) {
        return [&array, i = begin]() mutable { return element(array, i++); };
    };
}

PyObject* count(PyObject* self, PyObject* value) {
    return count_equal(elements_of(*self_of(self)), self_of(self)->count(), value);
}

PyObject* index(const Call& call) {
    const PackedArray& array = *self_of(call.self);
    return index_of_equal(elements_of(array), array.count(), call, "array");
}

/// A method of bytes, for a PackedByteArray.
template <Name name>
PyObject* as_bytes(PyObject* self, PyObject* args, PyObject* names) {
    const Ref bytes(to_bytes(self));
    const Ref function(bytes ? PyObject_GetAttrString(bytes.get(), name.text) : nullptr);
    return function ? PyObject_Call(function.get(), args, names) : nullptr;
}

PyObject* represent(PyObject* self) {
    constexpr Py_ssize_t most = 16;
    const PackedArray& array = *self_of(self);
    const Ref head(array.count() > most ? PySequence_GetSlice(self, 0, most) : Py_NewRef(self));
    const Ref list(head ? to_list(head.get()) : nullptr);
    const Ref name(PyType_GetName(Py_TYPE(self)));
    if (!list || !name)
        return nullptr;
    if (array.count() > most)
        return PyUnicode_FromFormat("<%U of %zd: %R...>", name.get(), array.count(), list.get());
    return PyUnicode_FromFormat("%U(%R%s)", name.get(), list.get(),
                                array.wide ? ", wide=True" : "");
}

PyObject* get_wide(PyObject* self) {
    return PyBool_FromLong(self_of(self)->wide);
}

/// The first are those of PackedByteArray alone.
PyMethodDef methods[] = {
    {"hex", method(as_bytes<"hex">), METH_VARARGS | METH_KEYWORDS,
     R"(hex($self, sep='', bytes_per_sep=1)
--

The bytes as hex digits: as bytes.hex.)"},
    {"decode", method(as_bytes<"decode">), METH_VARARGS | METH_KEYWORDS,
     R"(decode($self, encoding='utf-8', errors='strict')
--

The text that the bytes encode: as bytes.decode.)"},
    {"from_bytes", method(from_bytes), METH_CLASS | METH_VARARGS | METH_KEYWORDS,
     R"(from_bytes($type, data, wide=False)
--

An array of the elements that lie back to back in `data`, in the host's byte order: what
`tobytes` gives.)"},
    row<"tobytes", to_bytes>(R"(tobytes($self)
--

The elements back to back, in the host's byte order.)"),
    row<"tolist", to_list>(R"(tolist($self)
--

A list of the elements: numbers, or named tuples.)"),
    row<"copy", copy>(R"(copy($self)
--

The same array with memory of its own: it keeps no packet alive.)"),
    row<"count", count>(R"(count($self, value, /)
--

How many elements are equal to `value`.)"),
    row<"index", index>(R"(index($self, value, start=0, stop=sys.maxsize)
--

The index of the first element equal to `value`, from `start` to `stop`. ValueError: none is.)"),
    row<"__reduce__", reduce>(),
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    property<"wide", get_wide>("Whether floats have 64 bits in an array that usually has 32."),
    property<"elements", to_list>(
        "As tolist(): for what goes through attributes, such as pandas' to_json."),
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PackedArray, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

constexpr std::ptrdiff_t methods_of_bytes = 2;

constexpr const char* about =
    R"(Numbers or math values back to back, read-only, with the buffer protocol.

`memoryview(array)` and `numpy.asarray(array)` view it without a copy, with shape (n,) or (n, k).
What `loads` gives views the packet and keeps its bytes object alive; `copy()` lets go of it.
Made from numbers, from tuples, or from a buffer of the same kind. `wide`: 64-bit floats.)";

bool add_type(PyObject* module, std::uint8_t type) {
    static std::string names[GDVAR_TYPE_COUNT];  // types keep pointers to theirs
    const bool of_bytes = type == GDVAR_PACKED_BYTE_ARRAY;
    names[type] = "gdvar." + type_name(type);
    const std::string doc = type_name(type) + "(items=(), *, wide=False)\n--\n\n" + about;
    state.packed[type] =
        make_type(module, names[type].c_str(), sizeof(PackedArray), 0,
                  {slot(Py_tp_new, construct),
                   slot(Py_tp_dealloc, destroy),
                   slot(Py_bf_getbuffer, get_buffer),
                   slot(Py_sq_length, length),
                   slot(Py_sq_item, item),
                   slot(Py_mp_length, length),
                   slot(Py_mp_subscript, subscript),
                   slot(Py_tp_richcompare, compare),
                   slot(Py_tp_hash, PyObject_HashNotImplemented),
                   slot(Py_tp_repr, represent),
                   {Py_tp_methods, of_bytes ? methods : methods + methods_of_bytes},
                   {Py_tp_getset, properties},
                   {Py_tp_members, members},
                   {Py_tp_doc, const_cast<char*>(doc.c_str())}});  // copied
    return state.packed[type] && register_as("Sequence", state.packed[type]) &&
           PyModule_AddType(module, state.packed[type]) == 0;
}

}  // namespace

// ---- PackedArray ----

PackedArray PackedArray::like(std::uint8_t type, bool wide) noexcept {
    PackedArray array{};
    array.type = type;
    array.wide = wide;
    return array;
}
int PackedArray::components() const noexcept {
    return gdvar_describe_type(type).components;
}
std::uint8_t PackedArray::component() const noexcept {
    return wide ? std::uint8_t{GDVAR_F64} : gdvar_describe_type(type).component;
}
Py_ssize_t PackedArray::stride() const noexcept {
    return static_cast<Py_ssize_t>(component_size(component())) * components();
}

PyObject* make_packed(std::uint8_t type, const gdvar_numbers& numbers, PyObject* owner) {
    const bool wide = numbers.component != gdvar_describe_type(type).component;
    const bool as_host = numbers.host_order || std::endian::native == std::endian::little;
    if (owner && as_host)
        return new_view(state.packed[type], type, wide, owner, numbers.data, numbers.count);
    char* to = nullptr;
    const Ref bytes = new_storage(type, wide, numbers.count, &to);
    if (!bytes)
        return nullptr;
    const std::size_t step = component_size(numbers.component);
    const std::size_t size = step * numbers.components * numbers.count;
    if (size)
        std::memcpy(to, numbers.data, size);
    if (!as_host)
        for (std::size_t at = 0; at < size; at += step)
            std::reverse(to + at, to + at + step);
    return new_view(state.packed[type], type, wide, bytes.get(), to, numbers.count);
}

bool add_packed(PyObject* module) {
    for (int type = 0; type < GDVAR_TYPE_COUNT; ++type) {
        const gdvar_type_info info = gdvar_describe_type(static_cast<std::uint8_t>(type));
        if (info.packed && info.components && !add_type(module, static_cast<std::uint8_t>(type)))
            return false;
    }
    return true;
}

}  // namespace gdvar_py
