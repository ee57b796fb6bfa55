#include "call.hpp"

namespace gdvar_py {

bool register_as(const char* name, PyTypeObject* type) {
    const Ref module(PyImport_ImportModule("collections.abc"));
    const Ref abstract(module ? PyObject_GetAttrString(module.get(), name) : nullptr);
    const Ref done(abstract ? PyObject_CallMethod(abstract.get(), "register", "O", type) : nullptr);
    return static_cast<bool>(done);
}

bool take_choice(PyObject* given, const char* name, const char* usual, const char* other,
                 bool& to) {
    if (!given)
        return true;
    const bool is_str = PyUnicode_Check(given);
    if (is_str && PyUnicode_CompareWithASCIIString(given, usual) == 0)
        return true;
    if (is_str && PyUnicode_CompareWithASCIIString(given, other) == 0)
        return to = true;
    PyErr_Format(PyExc_ValueError, "%s is '%s' or '%s', not %R", name, usual, other, given);
    return false;
}

bool Text::take(PyObject* given, const char* name) {
    if (!PyUnicode_Check(given)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str, not %R", name, Py_TYPE(given));
        return false;
    }
    str_ = Ref::borrow(given);
    return take_text(given, text_, encoded_);
}

bool take_argument(PyObject* given, const char*, std::uint64_t& to) {
    if (given == Py_None)
        return true;
    const Ref number(PyNumber_Index(given));
    to = number ? PyLong_AsUnsignedLongLong(number.get()) : 0;
    return !PyErr_Occurred();
}

bool take_argument(PyObject* given, const char*, std::int64_t& to) {
    to = PyNumber_AsSsize_t(given, nullptr);
    return to != -1 || !PyErr_Occurred();
}

bool Call::take(std::size_t positional, const Params& params, std::size_t optional) const {
    PyObject* given[Params::most] = {};
    Arg sorted[Params::most];
    for (std::size_t i = 0; i < params.size(); ++i)
        sorted[i] = {params[i].name(), &given[i], i + optional < positional};
    if (!take_args(function, args, count, names, sorted, static_cast<int>(params.size()),
                   static_cast<int>(positional)))
        return false;
    for (std::size_t i = 0; i < params.size(); ++i)
        if (given[i] && !params[i].take(given[i]))
            return false;
    return true;
}

bool Call::take_reading(std::size_t positional, Params&& params, gdvar_options& options) const {
    PyObject *dialect = nullptr, *limits = nullptr, *objects = nullptr, *strict = nullptr,
             *real_width = nullptr;
    params.add({{"dialect", dialect},
                {"limits", limits},
                {"objects", objects},
                {"strict", strict},
                {"real_width", real_width}});
    return take(positional, params) &&
           take_options(options, dialect, limits, objects, strict, real_width);
}

}  // namespace gdvar_py
