#include "items.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstring>

namespace gdvar_py {
namespace {

constexpr std::uint8_t no_type = 0xFF;

}  // namespace

gdvar_item& Items::add_text(std::uint8_t type, gdvar_text text) {
    gdvar_item& item = add(type, 0, static_cast<std::uint32_t>(text.size));
    item.as.data = text.data;
    return item;
}

bool Items::add_odd_str(std::uint8_t type, PyObject* str) {
    PyErr_Clear();
    gdvar_text text;
    Ref kept;
    if (!take_text(str, text, kept))
        return false;
    if (text.size > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a text of 2 GiB and more");
        return false;
    }
    add_text(type, text);
    hold(str);
    if (kept)
        keep(std::move(kept));
    return true;
}

bool Items::add_new_key(KnownKey& known, PyObject* str) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(str, &size);
    if (!text)
        return add_odd_str(GDVAR_STRING, str);
    if (size > longest_known_key)
        return add_str(GDVAR_STRING, str);
    Py_XDECREF(std::exchange(known.str, Py_NewRef(str)));
    known.text = text;
    known.size = static_cast<std::uint32_t>(size);
    add(GDVAR_STRING, GDVAR_ITEM_UTF8, known.size).as.data = text;
    hold(str);
    return true;
}

std::byte* Items::space(std::size_t size) {
    size = (size + 7) & ~std::size_t{7};  // also for the structs of Image and InputEvent
    if (size > left_) {
        // A separate block for large data: `clear` keeps the first one.
        left_ = std::max(size, block_size);
        used_ = 0;
        if (blocks_.empty() && size > block_size)
            blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_size));
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
    }
    std::byte* at = blocks_.back().get() + used_;
    used_ += size;
    left_ -= size;
    return at;
}

void Items::clear() noexcept {
    items_.clear();
    if (blocks_.size() > 1)
        blocks_.resize(1);
    left_ = blocks_.empty() ? 0 : block_size;
    used_ = 0;
    kept_.clear();
    buffers_.clear();
    holding_ = again_ = false;
}

bool Items::begin_again() noexcept {
    if (!again_ || holding_)
        return false;
    clear();
    PyErr_Clear();
    return holding_ = true;
}

bool Items::encode(const gdvar_options& options, gdvar_buffer* to) const {
    gdvar_error error;
    if (!gdvar_encode(items_.data(), items_.size(), &options, to, &error, nullptr))
        return true;
    const Output path, packet;
    gdvar_encode(items_.data(), items_.size(), &options, packet.get(), &error, path.get());
    raise(error, {.path = path.text(), .writing = true});
    return false;
}

std::string Items::path_of_next(const gdvar_options& options) {
    const Output path, packet;
    add(no_type);
    gdvar_error error;
    gdvar_encode(items_.data(), items_.size(), &options, packet.get(), &error, path.get());
    items_.pop_back();
    return std::string(path.text());
}

bool refuse_next(Items& items, const gdvar_options& options, const char* code, const char* format,
                 ...) {
    std::va_list values;
    va_start(values, format);
    const Ref why(PyUnicode_FromFormatV(format, values));
    va_end(values);
    if (why)
        raise_named(state.encode_error, code, items.path_of_next(options), why);
    return false;
}

namespace {

/// Writes a math type's numbers adjacently.
struct MathPacker {
    Items& items;
    std::byte* to;
    std::uint8_t component;

    // Recursion is bounded: types consist of types at most three deep.
    bool pack(std::uint8_t type, PyObject* value) {
        const MathLayout layout = math_layout(type);
        if (Py_TYPE(value) != state.math[type][component == GDVAR_F64] && !PyTuple_Check(value))
            return pack_sequence(type, value);
        if (PyTuple_Size(value) != layout.parts) {
            PyErr_Format(PyExc_ValueError, "%s has %d parts, not %zd", type_name(type).c_str(),
                         int{layout.parts}, PyTuple_Size(value));
            return false;
        }
        for (int i = 0; i < layout.parts; ++i)
            if (!pack_part(i + 1 == layout.parts ? layout.last : layout.part,
                           PyTuple_GetItem(value, i)))
                return false;
        return true;
    }
    bool pack_sequence(std::uint8_t type, PyObject* value) {
        const Ref tuple(items.may_run_python() ? PySequence_Tuple(value) : nullptr);
        return tuple && pack(type, tuple.get());
    }
    bool pack_part(std::uint8_t part, PyObject* value) {
        if (part != GDVAR_NIL)
            return pack(part, value);
        if (component == GDVAR_F32 && PyFloat_CheckExact(value)) {
            const auto narrow = static_cast<float>(PyFloat_AsDouble(value));
            if (std::isfinite(narrow)) {
                std::memcpy(to, &narrow, sizeof narrow);
                to += sizeof narrow;
                return true;
            }
        }
        // Numbers of other classes may run Python code: in __index__, __float__, or __repr__.
        const bool plain =
            PyLong_CheckExact(value) || (component != GDVAR_I32 && PyFloat_CheckExact(value));
        if ((!plain && !items.may_run_python()) || !pack_component(value, component, to))
            return false;
        to += component == GDVAR_F64 ? 8 : 4;
        return true;
    }
};

}  // namespace

bool add_math(Items& items, std::uint8_t type, bool wide, PyObject* tuple) {
    const gdvar_type_info& info = state.about[type];
    const std::uint8_t component = wide ? std::uint8_t{GDVAR_F64} : info.component;
    std::byte* data = items.space(std::size_t{info.components} * (wide ? 8 : 4));
    if (!MathPacker{items, data, component}.pack(type, tuple))
        return false;
    items.add(type, wide ? GDVAR_ITEM_WIDE : 0).as.data = data;
    return true;
}

namespace {

// Kept from call to call for their memory. Each call uses its own: it may run Python code that
// calls this, too.
std::unique_ptr<Items> kept_items;
BufferHandle kept_buffer;

constexpr std::size_t largest_kept_buffer = 1 << 20;

}  // namespace

bool write_items(const std::function<bool(Items&)>& build, const gdvar_options& options,
                 gdvar_buffer* to) try {
    std::unique_ptr<Items> items = std::move(kept_items);
    if (!items)
        items = std::make_unique<Items>();
    bool ok = true;
    while (ok && (!build(*items) || items->must_begin_again()))
        ok = items->begin_again();
    ok = ok && items->encode(options, to);
    items->clear();
    if (items->is_small())
        kept_items = std::move(items);
    return ok;
} catch (const std::bad_alloc&) {
    return PyErr_NoMemory(), false;
}

PyObject* items_as_bytes(const std::function<bool(Items&)>& build, const gdvar_options& options) {
    BufferHandle buffer = std::move(kept_buffer);
    if (!buffer)
        buffer = BufferHandle(gdvar_buffer_new());
    if (!buffer)
        return PyErr_NoMemory();
    PyObject* made = write_items(build, options, buffer.get())
                         ? make_bytes(gdvar_buffer_bytes(buffer.get()))
                         : nullptr;
    if (gdvar_buffer_bytes(buffer.get()).size <= largest_kept_buffer) {
        gdvar_buffer_clear(buffer.get());
        kept_buffer = std::move(buffer);
    }
    return made;
}

}  // namespace gdvar_py
