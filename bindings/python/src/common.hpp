// Shared by the files of the extension: references, arguments, errors, and values looked up once.
//
// The extension uses only gdvar.h and the limited API of CPython 3.11, so that one build serves
// 3.11 and all later versions.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>  // PyMemberDef, before 3.12

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdvar/gdvar.h"

namespace gdvar_py {

// ---- references and handles ----

/// Owns a reference to a Python object, or none.
class Ref {
public:
    Ref() = default;
    explicit Ref(PyObject* owned) noexcept : object_(owned) {}
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref&& other) noexcept {
        PyObject* old = std::exchange(object_, std::exchange(other.object_, nullptr));
        Py_XDECREF(old);
        return *this;
    }
    ~Ref() { Py_XDECREF(object_); }

    static Ref borrow(PyObject* object) noexcept {
        Py_XINCREF(object);
        return Ref(object);
    }
    PyObject* get() const noexcept { return object_; }
    PyObject* release() noexcept { return std::exchange(object_, nullptr); }
    explicit operator bool() const noexcept { return object_ != nullptr; }

private:
    PyObject* object_ = nullptr;
};

template <class T, void (*free)(T*)>
class Handle {
public:
    Handle() = default;
    explicit Handle(T* owned) noexcept : handle_(owned) {}
    Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Handle& operator=(Handle&& other) noexcept {
        free(std::exchange(handle_, std::exchange(other.handle_, nullptr)));
        return *this;
    }
    ~Handle() { free(handle_); }
    T* get() const noexcept { return handle_; }
    T* release() noexcept { return std::exchange(handle_, nullptr); }
    T** out() noexcept { return &handle_; }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    T* handle_ = nullptr;
};
using DocumentHandle = Handle<gdvar_document, gdvar_document_free>;
using BufferHandle = Handle<gdvar_buffer, gdvar_buffer_free>;
using SaveHandle = Handle<gdvar_save, gdvar_save_free>;

/// A buffer to write to. Throws bad_alloc.
class Output {
public:
    Output() : buffer_(gdvar_buffer_new()) {
        if (!buffer_)
            throw std::bad_alloc();
    }
    gdvar_buffer* get() const noexcept { return buffer_.get(); }
    gdvar_bytes bytes() const noexcept { return gdvar_buffer_bytes(get()); }
    std::string_view text() const noexcept {
        return {static_cast<const char*>(bytes().data), bytes().size};
    }

private:
    BufferHandle buffer_;
};

/// A stack whose memory is kept from call to call, unless it is large. Each call uses its own: it
/// may run Python code that calls this, too.
template <class T>
class KeptStack : public std::vector<T> {
public:
    KeptStack() noexcept : std::vector<T>(std::move(kept)) {}
    KeptStack(const KeptStack&) = delete;
    ~KeptStack() {
        this->clear();
        if (this->capacity() * sizeof(T) <= most_kept)
            kept = std::move(*this);
    }

private:
    static constexpr std::size_t most_kept = 1 << 16;
    static inline std::vector<T> kept;
};

/// Lets other Python threads run while it lives. Python objects must not be used meanwhile.
class WithoutGil {
public:
    WithoutGil() noexcept : state_(PyEval_SaveThread()) {}
    WithoutGil(const WithoutGil&) = delete;
    ~WithoutGil() { PyEval_RestoreThread(state_); }

private:
    PyThreadState* state_;
};

/// The least number of bytes for which reading lets other threads run. Only for bytes that nobody
/// can change meanwhile: those of bytes objects.
inline constexpr std::size_t gil_free_size = 1 << 16;

/// The bytes of an object with the buffer protocol, held while this lives.
class Bytes {
public:
    Bytes() = default;
    Bytes(const Bytes&) = delete;
    ~Bytes() {
        if (view_.obj)
            PyBuffer_Release(&view_);
    }
    /// False with an exception: no buffer.
    bool take(PyObject* object) noexcept {
        if (!PyBytes_CheckExact(object))
            return PyObject_GetBuffer(object, &view_, PyBUF_SIMPLE) == 0;
        held_ = Ref::borrow(object);
        char* data = nullptr;
        const bool taken = PyBytes_AsStringAndSize(object, &data, &view_.len) == 0;
        view_.buf = data;
        return taken;
    }
    gdvar_bytes view() const noexcept { return {view_.buf, static_cast<std::size_t>(view_.len)}; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
    Ref held_;  ///< a bytes object, which needs no view
};

// ---- looked up once ----

/// A math type's parts, in the order of the bytes: GDVAR_NIL is one number, others are math types.
struct MathLayout {
    std::uint8_t parts = 0;
    std::uint8_t part = GDVAR_NIL;  ///< the type of all parts, or
    std::uint8_t last = GDVAR_NIL;  ///< of the last one
};
inline constexpr std::array<MathLayout, GDVAR_TYPE_COUNT> math_layouts = [] {
    std::array<MathLayout, GDVAR_TYPE_COUNT> layouts{};
    layouts[GDVAR_VECTOR2] = layouts[GDVAR_VECTOR2I] = {2};
    layouts[GDVAR_VECTOR3] = layouts[GDVAR_VECTOR3I] = {3};
    layouts[GDVAR_VECTOR4] = layouts[GDVAR_VECTOR4I] = {4};
    layouts[GDVAR_QUATERNION] = layouts[GDVAR_COLOR] = {4};
    layouts[GDVAR_RECT2] = {2, GDVAR_VECTOR2, GDVAR_VECTOR2};
    layouts[GDVAR_RECT2I] = {2, GDVAR_VECTOR2I, GDVAR_VECTOR2I};
    layouts[GDVAR_TRANSFORM2D] = {3, GDVAR_VECTOR2, GDVAR_VECTOR2};
    layouts[GDVAR_PLANE] = {2, GDVAR_VECTOR3, GDVAR_NIL};
    layouts[GDVAR_AABB] = {2, GDVAR_VECTOR3, GDVAR_VECTOR3};
    layouts[GDVAR_BASIS] = {3, GDVAR_VECTOR3, GDVAR_VECTOR3};
    layouts[GDVAR_TRANSFORM3D] = {2, GDVAR_BASIS, GDVAR_VECTOR3};
    layouts[GDVAR_PROJECTION] = {4, GDVAR_VECTOR4, GDVAR_VECTOR4};
    return layouts;
}();
/// For other types: without parts.
constexpr MathLayout math_layout(std::uint8_t type) noexcept {
    return math_layouts[type];
}

/// The classes of containers. `list` and `dict` are null for Python's own.
struct Containers {
    PyTypeObject *list, *dict, *array, *packed_typed_array, *packed_string_array, *dictionary,
        *pairs;
};
/// The classes of gdvar.values and gdvar.errors, and names. Borrowed for the life of the process.
struct State {
    gdvar_type_info about[GDVAR_TYPE_COUNT] = {};  ///< gdvar_describe_type of each
    PyTypeObject* math[GDVAR_TYPE_COUNT][2] = {};  ///< by type and width; null: not a math type
    PyTypeObject *string_name, *node_path, *rid, *callable, *signal, *object_id, *object, *image,
        *input_event;
    PyTypeObject *container_type, *limits;
    PyTypeObject* view;                           ///< of a Document, made by document.cpp
    Containers plain;                             ///< from gdvar.values
    Containers frozen;                            ///< from gdvar._frozen, for values of a save
    PyTypeObject* packed[GDVAR_TYPE_COUNT] = {};  ///< packed arrays of numbers, made by packed.cpp
    PyObject* untyped;                            ///< ContainerType()
    PyObject *decode_error, *truncated_error, *limit_error, *encode_error, *mismatch_error,
        *path_error, *loss_error, *missing_key_error, *index_range_error, *text_error, *patch_error,
        *save_error, *file_error;
    PyObject *zero, *one;                          ///< 0.0 and 1.0
    PyObject *n_type, *n_key_type, *n_value_type;  ///< names of attributes
    bool ready = false;
};
extern State state;

// ---- errors ----

/// "PackedVector3Array".
std::string type_name(std::uint8_t type);

/// The place of an error, besides the gdvar_error.
struct Place {
    std::string_view path = {};
    bool writing = false;        ///< a value is written: mostly an EncodeError
    PyObject* file = nullptr;    ///< the file's name, as the caller gave it
    std::string_view what = {};  ///< the reason in words, if they say more than the error
};

/// Sets the exception for an error. Returns null, for `return raise(...)`.
std::nullptr_t raise(const gdvar_error& error, const Place& place = {});
/// The same for an error in reading `bytes`, whose path is found by reading again. `before`
/// precedes that path: the place of the bytes.
std::nullptr_t raise_reading(const gdvar_error& error, gdvar_bytes bytes,
                             const gdvar_options& options, std::string_view before = {});
/// The path of an error in a packet; empty without memory for it.
std::string path_of(const gdvar_error& error, gdvar_bytes packet, const gdvar_options& options);
/// A PathError for a missing key or index, or for a value of that type without such.
std::nullptr_t raise_missing(const char* code, PyObject* key, gdvar_text type,
                             std::string_view path);
/// Prefixes the path of an EncodeError about a value with the value's place.
void place_at(std::string_view where);
/// True if the error is a path that leads nowhere.
bool is_missing(const gdvar_error& error) noexcept;
/// An exception of a class, with the name of its code; `why` may be null with an exception.
std::nullptr_t raise_named(PyObject* type, const char* code, std::string_view path, const Ref& why);
/// An exception of a class with that message and those keyword arguments, which may be null: then
/// with their exception.
std::nullptr_t raise_with(PyObject* type, const Ref& message, const Ref& names);

/// An object's text for a message: its repr, cut if it is long; its class if the repr raises. Runs
/// Python code. Null with an exception that is not an Exception, such as KeyboardInterrupt.
PyObject* repr_for_message(PyObject* object);

// ---- objects ----

/// A list of `make(i)` for the numbers below `count`. Null with the exception of one.
template <class Make>
PyObject* make_list(std::size_t count, Make&& make) {
    Ref list(PyList_New(static_cast<Py_ssize_t>(count)));
    for (std::size_t i = 0; list && i < count; ++i) {
        PyObject* made = make(i);
        if (!made)
            return nullptr;
        PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), made);
    }
    return list.release();
}
template <class Make>
PyObject* make_tuple(std::size_t count, Make&& make) {
    const Ref list(make_list(count, make));
    return list ? PyList_AsTuple(list.get()) : nullptr;
}

// ---- functions ----

/// None, after success; else null, with the exception.
inline PyObject* none_if(bool done) noexcept {
    return done ? Py_NewRef(Py_None) : nullptr;
}

/// A function with other parameters than a PyCFunction's, according to its flags in a method table.
template <class Function>
PyCFunction method(Function* function) noexcept {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}
template <class Function>
PyType_Slot slot(int number, Function* function) noexcept {
    return {number, reinterpret_cast<void*>(function)};
}
/// Tells Python that a class is a `collections.abc.Sequence` or `Mapping`, also for `match`.
bool register_as(const char* name, PyTypeObject* type);
/// The end of a `tp_dealloc`: frees an object of a heap type, and its reference to the type.
inline void free_object(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/// One argument of a function: its name, and the place of its value.
struct Arg {
    const char* name;
    PyObject** to;
    bool required = false;
};
/// Sorts the arguments of a METH_FASTCALL | METH_KEYWORDS function: the first `positional` may be
/// given without names. False with a TypeError.
bool take_args(const char* function, PyObject* const* args, Py_ssize_t count, PyObject* names,
               Arg* to, int total, int positional);

/// A choice of two words: `to` becomes true for the second. False with an exception.
bool take_choice(PyObject* given, const char* name, const char* usual, const char* other, bool& to);
/// The dialect of a str, or the default for null and None. Null with a ValueError.
const gdvar_dialect* take_dialect(PyObject* name);
/// Fills in options from `dialect=`, `limits=`, `objects=`, `strict=`, `real_width=` (null: not
/// given).
bool take_options(gdvar_options& to, PyObject* dialect, PyObject* limits, PyObject* objects,
                  PyObject* strict, PyObject* real_width = nullptr);

// ---- texts ----

inline std::string_view view(gdvar_text text) noexcept {
    return {text.data, text.size};
}
/// A str from a packet's text; bytes that are not UTF-8 become surrogates. (texts.cpp)
PyObject* make_text(std::string_view text);
inline PyObject* make_text(gdvar_text text) {
    return make_text(view(text));
}
/// The bytes of a str, borrowed from it, or from `kept` if it has surrogates. False with an
/// exception: surrogates that stand for no byte.
bool take_text(PyObject* str, gdvar_text& to, Ref& kept);
/// The bytes of a str, for a message or from the package itself; empty for null, and for surrogates
/// that stand for no byte.
std::string string_of(PyObject* str);
gdvar_bytes bytes_of(PyObject* bytes) noexcept;
/// A bytes object with a copy of a bytes-like object's content.
PyObject* copy_of(PyObject* data);
/// The bytes object to read a packet from: `data`, or a copy of the packet at its start, which
/// nobody can change while Python code runs. Null with an exception, also for an unreadable packet.
PyObject* packet_of(PyObject* data, const gdvar_options& options);
inline PyObject* make_bytes(gdvar_bytes bytes) {
    return PyBytes_FromStringAndSize(static_cast<const char*>(bytes.data),
                                     static_cast<Py_ssize_t>(bytes.size));
}

// ---- values ----

/// A packet that was read, and the owner for packed arrays.
struct Packet {
    gdvar_document* document = nullptr;
    gdvar_tape tape{};
    PyObject* owner = nullptr;  ///< the bytes object of the packet; null: packed arrays are copied
    const Containers& containers = state.plain;
    bool packed_as_lists = false;  ///< packed arrays of numbers become lists
};
/// The value of a node, whole. (load.cpp)
PyObject* make_value(const Packet& packet, std::uint32_t node);
/// The value of a View, whole. (document.cpp)
PyObject* value_of_view(PyObject* view);

/// A packet of a value, appended to `to`. False with an exception. (dump.cpp)
bool write_value(PyObject* value, const gdvar_options& options, gdvar_buffer* to);

// ---- the parts of the module ----

// Each adds its functions or types; false with an exception.
bool add_load(PyObject* module);
bool add_dump(PyObject* module);
bool add_packed(PyObject* module);
bool add_packets(PyObject* module);
bool add_document(PyObject* module);
bool add_edit(PyObject* module);
bool add_text(PyObject* module);
bool add_save(PyObject* module);
bool add_stream(PyObject* module);
bool add_typed(PyObject* module);

}  // namespace gdvar_py
