// The arguments of functions that open saves.
#include "save.hpp"

namespace gdvar_py {

PyObject* make_names(const Output& names) {
    const Ref text(make_text(names.text()));
    const Ref list(text ? PyUnicode_Split(text.get(), nullptr, -1) : nullptr);
    return list ? PyList_AsTuple(list.get()) : nullptr;
}

PyObject* pairs_of(PyObject* mapping, const char* name) {
    Ref pairs(PyMapping_Items(mapping));
    if (!pairs && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return nullptr;
    bool sound = static_cast<bool>(pairs);
    for (Py_ssize_t i = 0; sound && i < PyList_Size(pairs.get()); ++i) {
        PyObject* pair = PyList_GetItem(pairs.get(), i);
        sound = PyTuple_Check(pair) && PyTuple_Size(pair) == 2;
    }
    if (sound)
        return pairs.release();
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s must be a mapping, not %R", name, Py_TYPE(mapping));
    return nullptr;
}

bool take_argument(PyObject* layers, const char*, Layers& to) {
    const Ref space(PyUnicode_FromString(" "));
    to.kept = PyUnicode_Check(layers) || !space ? Ref::borrow(layers)
                                                : Ref(PyUnicode_Join(space.get(), layers));
    Py_ssize_t size = 0;
    to.text.data = to.kept ? PyUnicode_AsUTF8AndSize(to.kept.get(), &size) : nullptr;
    to.text.size = static_cast<std::size_t>(size);
    return to.text.data;
}

bool take_argument(PyObject* names, const char* name, Names& to) {
    const Ref all(PyUnicode_Check(names) ? PyTuple_Pack(1, names) : PySequence_Tuple(names));
    for (Py_ssize_t i = 0; all && i < PyTuple_Size(all.get()); ++i) {
        if (!to.kept.emplace_back().take(PyTuple_GetItem(all.get(), i), name))
            return false;
        to.all.push_back(to.kept.back().text());
    }
    return static_cast<bool>(all);
}

// ---- keys ----

bool take_argument(PyObject* key, const char*, Key& to) {
    const Ref digits(PyUnicode_Check(key) ? PyUnicode_AsASCIIString(key) : nullptr);
    return !PyErr_Occurred() && to.bytes.take(digits ? digits.get() : key);
}

bool take_argument(PyObject* keys, const char* name, NamedKeys& to) {
    return each_pair(keys, name, [&](PyObject* called, PyObject* key) {
        gdvar_named_key& made = to.all.emplace_back();
        if (!to.texts.emplace_back().take(called, "a key's name"))
            return false;
        made.name = to.texts.back().text();
        if (PyUnicode_Check(key)) {
            if (!to.texts.emplace_back().take(key, name))
                return false;
            made.password = to.texts.back().text();
        } else {
            if (!to.bytes.emplace_back().take(key))
                return false;
            made.key = to.bytes.back().view();
        }
        if (made.password.size || made.key.size)
            return true;
        PyErr_Format(PyExc_ValueError, "the password or key %R is empty", called);
        return false;
    });
}

bool Secret::fill(gdvar_save_options& to) const {
    if (password && key) {
        PyErr_SetString(PyExc_ValueError, "give a password or a key, not both");
        return false;
    }
    if (password)
        to.password = password->text();
    if (key)
        to.key = key->bytes.view();
    if ((password && !to.password.size) || (key && !to.key.size)) {
        PyErr_Format(PyExc_ValueError, "the %s is empty", password ? "password" : "key");
        return false;
    }
    return true;
}

// ---- all of them ----

bool SaveArgs::take_inside(PyObject* given) {
    if (!given || given == Py_None || given == Py_True)
        return true;
    if (given == Py_False) {
        options.flags |= GDVAR_NO_INSIDE;
        return true;
    }
    if (!take_argument(given, "inside", inside_))
        return false;
    options.inside = inside_.all.data();
    options.inside_count = inside_.all.size();
    return true;
}

bool SaveArgs::take(const Call& call, std::size_t positional, Params params, unsigned others) {
    PyObject *named = nullptr, *objects = nullptr, *strict = nullptr, *inside = nullptr,
             *width = nullptr;
    std::optional<std::uint64_t> max_bytes, max_text;
    bool readings = false;
    params.add({{"password", secret_.password},
                {"key", secret_.key},
                {"keys", keys_},
                {"max_bytes", max_bytes},
                {"max_text", max_text},
                {"read_as", read_as_},
                {"skip", options.skip}});
    if (others & dialect)
        params.add({{"dialect", named}});
    if (others & real_width)
        params.add({{"real_width", width}});
    if (others & max_layers)
        params.add({{"max_layers", options.max_layers}});
    if (others & values)
        params.add({{"inside", inside}});
    if ((others & finding) == finding)
        params.add({{"objects", objects}, {"entries", entries_}});
    if ((others & opening) == opening)
        params.add({{"strict", strict}, {"readings", readings}});
    if (!call.take(positional, params) || !secret_.fill(options) ||
        !take_options(reading, named == Py_None ? nullptr : named, nullptr, objects, strict,
                      width) ||
        !take_inside(inside))
        return false;
    options.max_bytes = max_bytes.value_or(options.max_bytes);
    options.max_text = max_text.value_or(max_bytes.value_or(options.max_text));
    if (keys_) {
        options.keys = keys_->all.data();
        options.key_count = keys_->all.size();
    }
    if (read_as_)
        options.as = read_as_->text();
    if (entries_) {
        options.entries = entries_->all.data();
        options.entry_count = entries_->all.size();
    }
    options.flags |= reading.flags | (readings ? std::uint32_t{GDVAR_ALL_READINGS} : 0u);
    options.dialect = reading.dialect;
    return true;
}

}  // namespace gdvar_py
