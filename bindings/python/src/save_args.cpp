// The arguments of functions that open saves.
#include "save.hpp"

namespace gdvar_py {

bool take_path(PyObject* path, gdvar_text& to, Ref& kept) {
    if (PyUnicode_Check(path))
        return take_text(path, to, kept);
    PyErr_Format(PyExc_TypeError, "path must be a str, not %R", Py_TYPE(path));
    return false;
}

bool take_layers(PyObject* layers, Ref& kept, gdvar_text& to) {
    if (PyUnicode_Check(layers)) {
        kept = Ref::borrow(layers);
    } else {
        const Ref space(PyUnicode_FromString(" "));
        kept = Ref(space ? PyUnicode_Join(space.get(), layers) : nullptr);
    }
    Py_ssize_t size = 0;
    to.data = kept ? PyUnicode_AsUTF8AndSize(kept.get(), &size) : nullptr;
    to.size = static_cast<std::size_t>(size);
    return to.data;
}

PyObject* make_names(const gdvar_buffer* names) {
    const gdvar_bytes bytes = gdvar_buffer_bytes(names);
    const Ref text(make_text(std::string_view(static_cast<const char*>(bytes.data), bytes.size)));
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

PyObject* make_text_of(const gdvar_buffer* text) {
    const gdvar_bytes bytes = gdvar_buffer_bytes(text);
    return make_text(std::string_view(static_cast<const char*>(bytes.data), bytes.size));
}

// ---- keys ----

/// A str is a password, bytes are a key.
bool SaveArgs::take_named(PyObject* name, PyObject* key) {
    gdvar_named_key made{};
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "a key's name must be a str, not %R", Py_TYPE(name));
        return false;
    }
    if (!take_text(name, made.name, kept_.emplace_back()))
        return false;
    kept_.push_back(Ref::borrow(name));
    if (PyUnicode_Check(key)) {
        if (!take_text(key, made.password, kept_.emplace_back()))
            return false;
        kept_.push_back(Ref::borrow(key));
    } else if (!bytes_.emplace_back().take(key)) {
        return false;
    } else {
        made.key = bytes_.back().view();
    }
    if (!made.password.size && !made.key.size) {
        PyErr_Format(PyExc_ValueError, "the password or key %R is empty", name);
        return false;
    }
    keys_.push_back(made);
    return true;
}

bool SaveArgs::take_keys(PyObject* keys, gdvar_save_options& to) {
    if (!keys || keys == Py_None)
        return true;
    const Ref pairs(pairs_of(keys, "keys"));
    if (!pairs)
        return false;
    for (Py_ssize_t i = 0; i < PyList_Size(pairs.get()); ++i) {
        PyObject* pair = PyList_GetItem(pairs.get(), i);
        if (!take_named(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1)))
            return false;
    }
    to.keys = keys_.data();
    to.key_count = keys_.size();
    return true;
}

// ---- values that hold saves ----

/// A str, or an iterable of several.
bool SaveArgs::take_names(PyObject* names, std::vector<gdvar_text>& to) {
    const Ref all(PyUnicode_Check(names) ? PyTuple_Pack(1, names) : PySequence_Tuple(names));
    if (!all)
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_Size(all.get()); ++i) {
        PyObject* name = PyTuple_GetItem(all.get(), i);
        gdvar_text text;
        if (!take_path(name, text, kept_.emplace_back()))
            return false;
        kept_.push_back(Ref::borrow(name));
        to.push_back(text);
    }
    return true;
}

/// None: as it comes; False: no value is opened; a path or an iterable of paths.
bool SaveArgs::take_inside(PyObject* inside, gdvar_save_options& to) {
    if (!inside || inside == Py_None || inside == Py_True)
        return true;
    if (inside == Py_False) {
        to.flags |= GDVAR_NO_INSIDE;
        return true;
    }
    if (!take_names(inside, inside_))
        return false;
    to.inside = inside_.data();
    to.inside_count = inside_.size();
    return true;
}

// ---- all of them ----

bool SaveArgs::take(const Call& call, std::initializer_list<Arg> own, int positional,
                    gdvar_save_options& to, Others others) {
    PyObject *named = nullptr, *objects = nullptr, *strict = nullptr, *read_as = nullptr,
             *inside = nullptr, *most = nullptr, *keys = nullptr, *skip = nullptr,
             *readings = nullptr, *entries = nullptr, *width = nullptr;
    std::vector<Arg> all(own);
    all.insert(all.end(), {{"password", &key_.password},
                           {"key", &key_.key},
                           {"keys", &keys},
                           {"max_bytes", &key_.max_bytes},
                           {"max_text", &key_.max_text},
                           {"read_as", &read_as},
                           {"skip", &skip}});
    if (others & dialect)
        all.push_back({"dialect", &named});
    if (others & real_width)
        all.push_back({"real_width", &width});
    if (others & max_layers)
        all.push_back({"max_layers", &most});
    if ((others & finding) == finding)
        all.insert(all.end(), {{"objects", &objects}, {"inside", &inside}, {"entries", &entries}});
    if ((others & opening) == opening)
        all.insert(all.end(), {{"strict", &strict}, {"readings", &readings}});
    if (!take_args(call.function, call.args, call.count, call.names, all.data(),
                   static_cast<int>(all.size()), positional))
        return false;
    const int all_readings = readings ? PyObject_IsTrue(readings) : 0;
    if (all_readings < 0 || !take_key(key_, to) || !take_keys(keys, to) ||
        !take_count(most, to.max_layers) || !take_count(skip, to.skip) ||
        !take_options(reading, named == Py_None ? nullptr : named, nullptr, objects, strict, width))
        return false;
    if (read_as && read_as != Py_None) {
        if (!PyUnicode_Check(read_as)) {
            PyErr_Format(PyExc_TypeError, "read_as must be a str, not %R", Py_TYPE(read_as));
            return false;
        }
        if (!take_text(read_as, to.as, kept_.emplace_back()))
            return false;
    }
    to.flags |= reading.flags;
    to.flags |= all_readings ? static_cast<std::uint32_t>(GDVAR_ALL_READINGS) : 0u;
    to.dialect = reading.dialect;
    if (entries && entries != Py_None && !take_names(entries, entries_))
        return false;
    to.entries = entries_.data();
    to.entry_count = entries_.size();
    return take_inside(inside, to);
}

}  // namespace gdvar_py
