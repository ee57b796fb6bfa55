// Errors of gdvar.h as exceptions, and the arguments that functions share.
#include <cstring>
#include <string>

#include "common.hpp"

namespace gdvar_py {
namespace {

/// The exception class for a path, key or index that leads nowhere.
PyObject* class_of_request(std::string_view name) noexcept {
    return name == "missing_key"          ? state.missing_key_error
           : name == "index_out_of_range" ? state.index_range_error
                                          : state.path_error;
}
/// The exception class for an error: by its kind, and by the caller.
PyObject* class_of(const gdvar_error& error, bool writing) {
    const std::string_view kind = gdvar_error_kind(error.code);
    const std::string_view name = gdvar_error_name(error.code);
    if (error.source == GDVAR_FROM_PATCH)
        return state.patch_error;
    if (name == "bad_path")
        return state.path_error;
    const bool in_text = error.line && (kind == "text" || kind == "bytes");
    if (error.source == GDVAR_FROM_TEXT || in_text)
        return state.text_error;
    if (name == "no_memory")
        return PyExc_MemoryError;
    if (name == "io")
        return state.file_error;
    if (name == "truncated")
        return state.truncated_error;
    if (writing && kind != "container")
        return state.encode_error;
    if (kind == "bytes")
        return state.decode_error;
    if (kind == "options")
        return state.limit_error;
    if (kind == "request")
        return class_of_request(name);
    if (kind == "writing")
        return state.encode_error;
    if (kind == "text")
        return state.text_error;
    return state.save_error;
}

bool set(const Ref& names, const char* name, PyObject* value) {
    const Ref owned(value);
    return owned && PyDict_SetItemString(names.get(), name, owned.get()) == 0;
}

PyObject* describe(const gdvar_error& error, PyObject* type, const Place& place) {
    const gdvar_text variant = gdvar_describe_type(error.type).name;
    Ref names(Py_BuildValue("{s:s,s:K,s:N,s:K,s:N}", "code", gdvar_error_name(error.code), "offset",
                            static_cast<unsigned long long>(error.offset), "path",
                            make_text(place.path), "need",
                            static_cast<unsigned long long>(error.need), "type",
                            make_text(error.type == GDVAR_NIL ? gdvar_text{"", 0} : variant)));
    bool ok = static_cast<bool>(names);
    if (ok && type == state.text_error)
        ok = set(names, "line", PyLong_FromUnsignedLong(error.line)) &&
             set(names, "column", PyLong_FromUnsignedLong(error.column));
    if (ok && type == state.file_error)
        ok = set(names, "errno", PyLong_FromLong(error.system)) &&
             (!place.file || set(names, "filename", Py_NewRef(place.file)));
    if (ok && type == state.patch_error && error.change != SIZE_MAX)
        ok = set(names, "change", PyLong_FromUnsignedLongLong(error.change));
    return ok ? names.release() : nullptr;
}

/// The remedy, by its Python names.
std::string_view hint_of(const gdvar_error& error, std::string_view message) noexcept {
    const std::string_view name = gdvar_error_name(error.code);
    if (name == "objects_forbidden")
        return "; objects=True (or ..._with_objects) allows it, as data";
    const bool unknown = name == "not_recognised" && message.find("neither") != message.npos;
    return unknown ? "; read_as='brotli' or 'deflate' opens these, which nothing recognises" : "";
}

std::string message_of(const gdvar_error& error) {
    std::string text(gdvar_error_message(&error, nullptr, 0), '\0');
    gdvar_error_message(&error, text.data(), text.size() + 1);
    return text.append(hint_of(error, text));
}

}  // namespace

std::nullptr_t raise(const gdvar_error& error, const Place& place) {
    PyObject* type = class_of(error, place.writing);
    if (type == PyExc_MemoryError)
        return PyErr_NoMemory(), nullptr;
    std::string message = place.what.empty()
                              ? message_of(error)
                              : "error[" + std::string(gdvar_error_name(error.code)) +
                                    "]: " + std::string(place.what);
    if (!place.path.empty())
        message.insert(0, std::string(place.path) + ": ");
    Ref text(make_text(message));
    if (text && place.file)
        text = Ref(PyUnicode_FromFormat("%S: %U", place.file, text.get()));
    return raise_with(type, text, Ref(describe(error, type, place)));
}

std::nullptr_t raise_with(PyObject* type, const Ref& message, const Ref& names) {
    const Ref args(message && names ? PyTuple_Pack(1, message.get()) : nullptr);
    const Ref exception(args ? PyObject_Call(type, args.get(), names.get()) : nullptr);
    if (exception)
        PyErr_SetObject(type, exception.get());
    return nullptr;
}

std::string path_of(const gdvar_error& error, gdvar_bytes packet, const gdvar_options& options) {
    const BufferHandle path(gdvar_buffer_new());
    if (!path || gdvar_error_path(packet, &options, &error, path.get()))
        return {};
    const gdvar_bytes text = gdvar_buffer_bytes(path.get());
    return {static_cast<const char*>(text.data), text.size};
}

std::nullptr_t raise_reading(const gdvar_error& error, gdvar_bytes bytes,
                             const gdvar_options& options, std::string_view before) {
    return raise(error, {.path = std::string(before) + path_of(error, bytes, options)});
}

void place_at(std::string_view where) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (PyErr_GivenExceptionMatches(type, state.encode_error)) {
        // "$[1].q: why", at "$.a": "$.a[1].q: why".
        const Ref path(PyObject_GetAttrString(value, "path")), said(PyObject_Str(value));
        const std::string prefix(where), inner = string_of(path.get()),
                                         message = string_of(said.get());
        if (!inner.empty() && message.starts_with('$')) {
            const Ref at(make_text(prefix + inner.substr(1)));
            const Ref text(make_text(prefix + message.substr(1)));
            const Ref args(text ? PyTuple_Pack(1, text.get()) : nullptr);
            if (at && args && PyObject_SetAttrString(value, "path", at.get()) == 0)
                PyObject_SetAttrString(value, "args", args.get());
        }
        PyErr_Clear();
    }
    PyErr_Restore(type, value, trace);
}

bool is_missing(const gdvar_error& error) noexcept {
    const std::string_view name = gdvar_error_name(error.code);
    return name == "missing_key" || name == "index_out_of_range" || name == "wrong_type";
}

std::nullptr_t raise_missing(const char* code, PyObject* key, gdvar_text type,
                             std::string_view path) {
    const std::string_view name = code;
    const Ref variant(make_text(type)), text(repr_for_message(key)), at(make_text(path));
    if (!variant || !text || !at)
        return nullptr;
    const bool no_index = name == "wrong_type" && view(type) == "Array";
    const char* format =
        no_index ? "%U: the %U has elements by int, not by %U" : "%U: the %U has no %U";
    return raise_with(
        class_of_request(name),
        Ref(PyUnicode_FromFormat(format, at.get(), variant.get(), text.get())),
        Ref(Py_BuildValue("{s:s,s:O,s:O}", "code", code, "type", variant.get(), "path", at.get())));
}

std::nullptr_t raise_named(PyObject* type, const char* code, std::string_view path,
                           const Ref& why) {
    const Ref where(make_text(path));
    if (!where || !why)
        return nullptr;
    return raise_with(
        type, Ref(PyUnicode_FromFormat("%U%s%U", where.get(), path.empty() ? "" : ": ", why.get())),
        Ref(Py_BuildValue("{s:s,s:O}", "code", code, "path", where.get())));
}

PyObject* repr_for_message(PyObject* object) {
    constexpr Py_ssize_t longest = 200;
    Ref text(PyObject_Repr(object));
    if (!text && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_Clear();
        text = Ref(PyObject_Repr(reinterpret_cast<PyObject*>(Py_TYPE(object))));
    }
    if (!text || PyUnicode_GetLength(text.get()) <= longest)
        return text.release();
    const Ref head(PyUnicode_Substring(text.get(), 0, longest));
    return head ? PyUnicode_FromFormat("%U...", head.get()) : nullptr;
}

// ---- arguments ----

namespace {

bool take_named(const char* function, PyObject* name, PyObject* value, Arg* to, int total) {
    for (int i = 0; i < total; ++i) {
        if (PyUnicode_CompareWithASCIIString(name, to[i].name) != 0)
            continue;
        if (*to[i].to) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", function,
                         name);
            return false;
        }
        *to[i].to = value;
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, name);
    return false;
}

}  // namespace

bool take_args(const char* function, PyObject* const* args, Py_ssize_t count, PyObject* names,
               Arg* to, int total, int positional) {
    if (count > positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)",
                     function, positional, count);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i)
        *to[i].to = args[i];
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t i = 0; i < named; ++i)
        if (!take_named(function, PyTuple_GetItem(names, i), args[count + i], to, total))
            return false;
    for (int i = 0; i < total; ++i)
        if (to[i].required && !*to[i].to) {
            PyErr_Format(PyExc_TypeError, "%s() lacks the argument '%s'", function, to[i].name);
            return false;
        }
    return true;
}

namespace {

/// The ValueError for a name that no dialect has, with one that is like it.
std::nullptr_t unknown_dialect(PyObject* name) {
    std::size_t count = 0;
    while (gdvar_dialect_at(count))
        ++count;
    const Ref names(make_list(
        count, [](std::size_t i) { return make_text(gdvar_dialect_name(gdvar_dialect_at(i))); }));
    const Ref module(PyImport_ImportModule("difflib"));
    const Ref like(names && module ? PyObject_CallMethod(module.get(), "get_close_matches", "OOid",
                                                         name, names.get(), 1, 0.4)
                                   : nullptr);
    if (!like)
        return nullptr;
    if (PyList_Size(like.get()) == 0)
        PyErr_Format(PyExc_ValueError, "there is no dialect %R; gdvar.dialects() has all", name);
    else
        PyErr_Format(PyExc_ValueError,
                     "there is no dialect %R (did you mean %R?); gdvar.dialects() has all", name,
                     PyList_GetItem(like.get(), 0));
    return nullptr;
}

}  // namespace

const gdvar_dialect* take_dialect(PyObject* name) {
    // The last requested name: mostly the same literal again.
    static PyObject* last_name = nullptr;
    static const gdvar_dialect* last = nullptr;
    if (name && name == last_name)
        return last;
    if (!name || name == Py_None)
        return gdvar_find_dialect("godot-4.4");
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : nullptr;
    if (!text) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "dialect must be a str, not %R", Py_TYPE(name));
        return nullptr;
    }
    const gdvar_dialect* found =
        std::strlen(text) == static_cast<std::size_t>(size) ? gdvar_find_dialect(text) : nullptr;
    if (!found)
        return unknown_dialect(name);
    Py_INCREF(name);
    Py_XDECREF(last_name);
    last_name = name;
    return last = found;
}

namespace {

/// A flag of the options, for an argument that may be missing.
bool take_flag(std::uint32_t& flags, std::uint32_t flag, PyObject* given) {
    const int truth = given ? PyObject_IsTrue(given) : 0;
    if (truth > 0)
        flags |= flag;
    return truth >= 0;
}

/// A number of a Limits, up to `most`.
bool take_limit(PyObject* limits, Py_ssize_t index, std::uint64_t most, std::uint64_t& to) {
    PyObject* item = PyTuple_GetItem(limits, index);
    const Ref number(item ? PyNumber_Index(item) : nullptr);
    if (!number)
        return false;
    to = PyLong_AsUnsignedLongLong(number.get());
    if (PyErr_Occurred())
        return false;
    if (to > most) {
        PyErr_Format(PyExc_ValueError, "a limit of at most %llu, not %S",
                     static_cast<unsigned long long>(most), number.get());
        return false;
    }
    return true;
}

/// 8 is only for page dialects: the others would ignore it.
bool take_width(gdvar_options& to, PyObject* given) {
    if (!given)
        return true;
    const long width = PyLong_Check(given) ? PyLong_AsLong(given) : 0;
    if (width != 4 && width != 8) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "real_width is 4 or 8, not %R", given);
        return false;
    }
    const gdvar_text name = gdvar_dialect_name(to.dialect ? to.dialect : take_dialect(nullptr));
    if (width == 8 && !view(name).starts_with("page-")) {
        PyErr_SetString(PyExc_ValueError,
                        "real_width=8 is for the page-* dialects alone; name one as dialect");
        return false;
    }
    to.flags |= width == 8 ? static_cast<std::uint32_t>(GDVAR_WIDE_PAGE) : 0u;
    return true;
}

}  // namespace

bool take_options(gdvar_options& to, PyObject* dialect, PyObject* limits, PyObject* objects,
                  PyObject* strict, PyObject* real_width) {
    if (dialect && !(to.dialect = take_dialect(dialect)))
        return false;
    if (limits && limits != Py_None) {
        if (!PyObject_TypeCheck(limits, state.limits)) {
            PyErr_Format(PyExc_TypeError, "limits must be a gdvar.Limits, not %R", Py_TYPE(limits));
            return false;
        }
        std::uint64_t depth = 0;
        if (!take_limit(limits, 0, UINT32_MAX, depth) ||
            !take_limit(limits, 1, UINT64_MAX, to.max_bytes) ||
            !take_limit(limits, 2, UINT64_MAX, to.max_nodes))
            return false;
        to.max_depth = static_cast<std::uint32_t>(depth);
    }
    return take_flag(to.flags, GDVAR_ALLOW_OBJECTS, objects) &&
           take_flag(to.flags, GDVAR_STRICT, strict) && take_width(to, real_width);
}

// ---- texts ----

std::string type_name(std::uint8_t type) {
    return std::string(view(gdvar_describe_type(type).name));
}

bool take_text(PyObject* str, gdvar_text& to, Ref& kept) {
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(str, &size)) {
        to = {text, static_cast<std::size_t>(size)};
        return true;
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return false;
    PyErr_Clear();
    kept = Ref(PyUnicode_AsEncodedString(str, "utf-8", "surrogateescape"));
    char* bytes = nullptr;
    if (!kept || PyBytes_AsStringAndSize(kept.get(), &bytes, &size) < 0)
        return false;
    to = {bytes, static_cast<std::size_t>(size)};
    return true;
}

std::string string_of(PyObject* str) {
    gdvar_text text{"", 0};
    Ref kept;
    if (str && !take_text(str, text, kept))
        PyErr_Clear();
    return std::string(view(text));
}

gdvar_bytes bytes_of(PyObject* bytes) noexcept {
    char* data = nullptr;
    Py_ssize_t size = 0;
    PyBytes_AsStringAndSize(bytes, &data, &size);
    return {data, static_cast<std::size_t>(size)};
}
PyObject* copy_of(PyObject* data) {
    Bytes bytes;
    return bytes.take(data) ? make_bytes(bytes.view()) : nullptr;
}
PyObject* packet_of(PyObject* data, const gdvar_options& options) {
    if (PyBytes_Check(data))
        return Py_NewRef(data);
    Bytes bytes;
    if (!bytes.take(data))
        return nullptr;
    // With many consecutive packets the rest is not copied each time.
    constexpr std::size_t few = 4096;
    std::size_t size = bytes.size();
    gdvar_error error;
    if (size > few && gdvar_validate(bytes.view(), &options, &size, &error))
        return raise_reading(error, bytes.view(), options);
    return make_bytes({bytes.view().data, size});
}

}  // namespace gdvar_py
