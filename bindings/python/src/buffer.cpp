#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "packed.hpp"

namespace gdvar_py {
namespace {

/// The format's letter; 0 for structs and for numbers in another byte order.
char letter_of(std::string_view format, Py_ssize_t itemsize) noexcept {
    if (format.size() == 2) {
        const char order = format.front();
        const bool little = std::endian::native == std::endian::little;
        const bool ours = order == '@' || order == '=' || (little ? order == '<' : order == '>');
        if (!ours && itemsize > 1)
            return 0;
        format.remove_prefix(1);
    }
    return format.size() == 1 ? format.front() : 0;
}

}  // namespace

std::uint8_t Buffer::component() const noexcept {
    switch (letter_of(format(), view_.itemsize)) {
        case 'B':
        case 'c':
            return GDVAR_U8;
        case 'i':
        case 'l':
        case 'q':
            return view_.itemsize == 4 ? GDVAR_I32 : GDVAR_I64;
        case 'f':
            return GDVAR_F32;
        case 'd':
            return GDVAR_F64;
        default:
            return GDVAR_NO_COMPONENT;
    }
}

bool Buffer::is_bool() const noexcept {
    return letter_of(format(), view_.itemsize) == '?';
}

bool Buffer::fits(const PackedArray& like) const noexcept {
    const int wanted = like.components() == 1 ? 1 : 2;
    return component() == like.component() && view_.ndim == wanted &&
           components() == like.components();
}

namespace {

bool out_of_range(PyObject* number, const char* type) {
    const Ref text(repr_for_message(number));
    if (text)
        PyErr_Format(PyExc_OverflowError, "%U does not fit %s", text.get(), type);
    return false;
}

bool pack_integer(PyObject* number, std::uint8_t component, void* to) {
    int overflow = 0;
    const Ref index(PyNumber_Index(number));
    const long long value = index ? PyLong_AsLongLongAndOverflow(index.get(), &overflow) : -1;
    if (!index)
        return false;
    if (component == GDVAR_I64) {
        std::memcpy(to, &value, sizeof value);
        return !overflow || out_of_range(number, "64 bits");
    }
    if (component == GDVAR_U8) {
        if (overflow || value < 0 || value > UINT8_MAX)
            return out_of_range(number, "a byte");
        *static_cast<std::uint8_t*>(to) = static_cast<std::uint8_t>(value);
        return true;
    }
    if (overflow || value < INT32_MIN || value > INT32_MAX)
        return out_of_range(number, "32 bits");
    const auto narrow = static_cast<std::int32_t>(value);
    std::memcpy(to, &narrow, sizeof narrow);
    return true;
}

}  // namespace

bool pack_component(PyObject* number, std::uint8_t component, void* to) {
    if (component != GDVAR_F32 && component != GDVAR_F64)
        return pack_integer(number, component, to);
    const double value = PyFloat_AsDouble(number);
    if (value == -1.0 && PyErr_Occurred())
        return false;
    if (component == GDVAR_F64) {
        std::memcpy(to, &value, sizeof value);
        return true;
    }
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow) && !std::isinf(value))
        return out_of_range(number, "a 32-bit float");
    std::memcpy(to, &narrow, sizeof narrow);
    return true;
}

}  // namespace gdvar_py
