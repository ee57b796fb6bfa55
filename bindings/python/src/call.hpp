// Functions as rows of method tables, and their arguments by roles.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <initializer_list>
#include <new>
#include <optional>

#include "common.hpp"

namespace gdvar_py {

// ---- roles of arguments ----

/// The bytes of an argument. Other objects than bytes are copied: another thread could change them.
class Input {
public:
    /// False with an exception: no buffer.
    bool take(PyObject* data) {
        bytes_ = Ref(PyBytes_Check(data) ? Py_NewRef(data) : copy_of(data));
        return static_cast<bool>(bytes_);
    }
    gdvar_bytes view() const noexcept { return bytes_of(bytes_.get()); }
    std::size_t size() const noexcept { return view().size; }
    PyObject* object() const noexcept { return bytes_.get(); }

private:
    Ref bytes_;
};

/// The bytes of a str, which is held.
class Text {
public:
    /// False with an exception. `name`: of the argument.
    bool take(PyObject* given, const char* name);
    gdvar_text text() const noexcept { return text_; }
    std::string_view view() const noexcept { return {text_.data, text_.size}; }

private:
    gdvar_text text_{"", 0};
    Ref str_, encoded_;
};

// Each takes an argument in its role. False with an exception.

inline bool take_argument(PyObject* given, const char*, PyObject*& to) {
    to = given;
    return true;
}
inline bool take_argument(PyObject* given, const char*, Input& to) {
    return to.take(given);
}
inline bool take_argument(PyObject* given, const char* name, Text& to) {
    return to.take(given, name);
}
inline bool take_argument(PyObject* given, const char*, bool& to) {
    const int truth = PyObject_IsTrue(given);
    to = truth > 0;
    return truth >= 0;
}
/// A number from 0 on; None leaves it.
bool take_argument(PyObject* given, const char* name, std::uint64_t& to);
/// An index. One that is too large becomes the largest, as for lists.
bool take_argument(PyObject* given, const char* name, std::int64_t& to);
/// None: nothing.
template <class T>
bool take_argument(PyObject* given, const char* name, std::optional<T>& to) {
    return given == Py_None || take_argument(given, name, to.emplace());
}

/// A parameter of a function: its name, and what takes its argument.
class Param {
public:
    Param() = default;
    template <class T>
    Param(const char* name, T& to) noexcept
        : name_(name), to_(&to), take_([](PyObject* given, const char* called, void* into) {
              return take_argument(given, called, *static_cast<T*>(into));
          }) {}
    const char* name() const noexcept { return name_; }
    bool take(PyObject* given) const { return take_(given, name_, to_); }

private:
    const char* name_;
    void* to_;
    bool (*take_)(PyObject*, const char*, void*);
};
/// The parameters of a function, in their order.
class Params {
public:
    static constexpr std::size_t most = 24;
    Params(std::initializer_list<Param> params) noexcept { add(params); }
    void add(std::initializer_list<Param> params) noexcept {
        for (const Param& param : params)
            all_[size_++] = param;
    }
    std::size_t size() const noexcept { return size_; }
    const Param& operator[](std::size_t i) const noexcept { return all_[i]; }

private:
    std::array<Param, most> all_;
    std::size_t size_ = 0;
};

/// A call of a METH_FASTCALL | METH_KEYWORDS function.
struct Call {
    const char* function;
    PyObject* self;
    PyObject* const* args;
    Py_ssize_t count;
    PyObject* names;

    /// Takes the arguments. The first `positional` need no names, and all of these but the last
    /// `optional` are required. False with an exception.
    bool take(std::size_t positional, const Params& params, std::size_t optional = 0) const;
    /// The same, and then `dialect=`, `limits=`, `objects=`, `strict=` and `real_width=`.
    bool take_reading(std::size_t positional, Params&& params, gdvar_options& options) const;
};
/// Sorts the arguments of a call, of which the first `positional` may be given without names. False
/// with a TypeError. For functions whose calls take less time than Params would.
template <std::size_t total>
bool take_args(const Call& call, Arg (&to)[total], int positional) {
    return take_args(call.function, call.args, call.count, call.names, to, int{total}, positional);
}

// ---- rows ----

/// The name of a function or class as a template argument.
template <std::size_t size>
struct Name {
    consteval Name(const char (&from)[size]) { std::copy_n(from, size, text); }
    char text[size];
};

template <class Function>
PyObject* with_memory_error(Function&& function) try {
    return function();
} catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
}

/// A row of a method table, of which bad_alloc becomes a MemoryError. The function takes a Call, or
/// an object and one argument, or the object alone.
template <Name name, auto function>
PyMethodDef row(const char* doc = nullptr) noexcept {
    if constexpr (std::invocable<decltype(function), const Call&>) {
        const auto entry = [](PyObject* self, PyObject* const* args, Py_ssize_t count,
                              PyObject* names) {
            return with_memory_error(
                [&] { return function(Call{name.text, self, args, count, names}); });
        };
        return {name.text, method(+entry), METH_FASTCALL | METH_KEYWORDS, doc};
    } else if constexpr (std::invocable<decltype(function), PyObject*, PyObject*>) {
        const auto entry = [](PyObject* self, PyObject* argument) {
            return with_memory_error([&] { return function(self, argument); });
        };
        return {name.text, entry, METH_O, doc};
    } else {
        const auto entry = [](PyObject* self, PyObject*) {
            return with_memory_error([&] { return function(self); });
        };
        return {name.text, entry, METH_NOARGS, doc};
    }
}
/// A row of a table of properties.
template <Name name, auto get>
PyGetSetDef property(const char* doc = nullptr) noexcept {
    const auto entry = [](PyObject* self, void*) {
        return with_memory_error([&] { return get(self); });
    };
    return {name.text, entry, nullptr, doc, nullptr};
}

/// A class of the module. Null with an exception.
inline PyTypeObject* make_type(PyObject* module, const char* name, std::size_t size, unsigned flags,
                               std::vector<PyType_Slot> slots, PyTypeObject* base = nullptr) {
    slots.push_back({0, nullptr});
    PyType_Spec spec{name, static_cast<int>(size), 0, flags | Py_TPFLAGS_DEFAULT, slots.data()};
    return reinterpret_cast<PyTypeObject*>(
        PyType_FromModuleAndSpec(module, &spec, reinterpret_cast<PyObject*>(base)));
}

/// The end of a signature, in a docstring.
#define GDVAR_READING \
    "dialect='godot-4.4', limits=None, objects=False, strict=False, real_width=4)\n--\n\n"

}  // namespace gdvar_py
