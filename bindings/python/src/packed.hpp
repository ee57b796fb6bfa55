#pragma once

#include <string>

#include "common.hpp"

namespace gdvar_py {

/// A packed array of numbers: the object behind PackedByteArray, PackedVector3Array, ...
struct PackedArray {
    PyObject_HEAD PyObject* owner;  ///< a bytes object that holds the elements
    const void* data;               ///< in the host's order, perhaps unaligned
    std::uint8_t type;              ///< gdvar_type
    bool wide;
    Py_ssize_t shape[2], strides[2];  ///< for the buffer protocol: elements, components
    PyObject* weak_references;

    /// An empty one of that kind, to get its sizes.
    static PackedArray like(std::uint8_t type, bool wide) noexcept;
    Py_ssize_t count() const noexcept { return shape[0]; }
    int components() const noexcept;
    std::uint8_t component() const noexcept;
    Py_ssize_t stride() const noexcept;  ///< bytes of an element
    Py_ssize_t size() const noexcept { return count() * stride(); }
};

class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept : view_(other.view_) { other.view_ = {}; }
    Buffer& operator=(Buffer&&) = delete;
    ~Buffer() {
        if (view_.obj)
            PyBuffer_Release(&view_);
    }
    /// False with an exception.
    bool take(PyObject* object) { return PyObject_GetBuffer(object, &view_, PyBUF_FULL_RO) == 0; }

    int dimensions() const noexcept { return view_.ndim; }
    Py_ssize_t length() const noexcept { return view_.ndim ? view_.shape[0] : 1; }
    /// Components of an element: the second dimension.
    Py_ssize_t components() const noexcept { return view_.ndim == 2 ? view_.shape[1] : 1; }
    const char* format() const noexcept { return view_.format ? view_.format : "B"; }
    /// GDVAR_NO_COMPONENT for numbers that Variant lacks, and for another byte order.
    std::uint8_t component() const noexcept;
    bool is_bool() const noexcept;
    bool fits(const PackedArray& like) const noexcept;
    const void* data() const noexcept { return view_.buf; }
    Py_ssize_t size() const noexcept { return view_.len; }
    bool contiguous() const noexcept { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
    /// Copies the elements adjacently. False with an exception.
    bool copy(void* to) { return PyBuffer_ToContiguous(to, &view_, view_.len, 'C') == 0; }

private:
    Py_buffer view_{};
};

/// Writes a Python number as a component. False with an exception: not a number, or out of range.
bool pack_component(PyObject* number, std::uint8_t component, void* to);

}  // namespace gdvar_py
