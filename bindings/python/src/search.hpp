// Search in sequences whose elements are made on request: `count` and `index` as lists have them.
#pragma once

#include "call.hpp"

namespace gdvar_py {

/// Calls `use` with the index of each element from `begin` to `end` that is equal to `value`, until
/// it returns false. `elements(begin)` gives a function that makes the elements from there on, one
/// for each call. False with an exception.
template <class Elements, class Use>
bool each_equal(const Elements& elements, PyObject* value, Py_ssize_t begin, Py_ssize_t end,
                Use&& use) {
    auto next = elements(begin);
    for (Py_ssize_t i = begin; i < end; ++i) {
        const Ref element(next());
        const int equal = element ? PyObject_RichCompareBool(element.get(), value, Py_EQ) : -1;
        if (equal < 0)
            return false;
        if (equal && !use(i))
            return true;
    }
    return true;
}

template <class Elements>
PyObject* count_equal(const Elements& elements, Py_ssize_t size, PyObject* value) {
    Py_ssize_t found = 0;
    return each_equal(elements, value, 0, size, [&](Py_ssize_t) { return ++found > 0; })
               ? PyLong_FromSsize_t(found)
               : nullptr;
}

/// `sequence`: its name, for the ValueError.
template <class Elements>
PyObject* index_of_equal(const Elements& elements, Py_ssize_t size, const Call& call,
                         const char* sequence) {
    PyObject* value = nullptr;
    std::int64_t start = 0, stop = PY_SSIZE_T_MAX;
    if (!call.take(3, {{"value", value}, {"start", start}, {"stop", stop}}, 2))
        return nullptr;
    Py_ssize_t begin = start, end = stop, found = -1;
    PySlice_AdjustIndices(size, &begin, &end, 1);
    if (!each_equal(elements, value, begin, end, [&](Py_ssize_t i) { return (found = i) < 0; }))
        return nullptr;
    if (found < 0)
        PyErr_Format(PyExc_ValueError, "%R is not in the %s", value, sequence);
    return found >= 0 ? PyLong_FromSsize_t(found) : nullptr;
}

}  // namespace gdvar_py
