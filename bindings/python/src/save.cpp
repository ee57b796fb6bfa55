// Saves and the layers around them. The class that people use is gdvar.saves.Save; this is its
// handle.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>

#include "save.hpp"

// <cerrno> of Windows has none. The library and the module errno take that of its sockets.
#ifndef ESTALE
#define ESTALE 10070
#endif

namespace gdvar_py {
namespace {

/// Why the system refused, in words, where those of errno say too little; else empty.
std::string_view in_words(const gdvar_error& error) noexcept {
    if (std::string_view(gdvar_error_name(error.code)) != "io")
        return {};
    switch (error.system) {
        case EAGAIN:
            return "the file is locked, by another program or by a save that was not closed";
        case ESTALE:
            return "another program has changed the file meanwhile; nothing was written";
        case EBADF:
            return "the save is no file's; bytes() gives what would be written";
        default:
            return {};
    }
}

/// How long one call waits for a lock, so that Ctrl-C does not wait longer.
constexpr std::uint32_t lock_slice_ms = 100;

/// Calls `work(error)`, which returns a code, while other threads run, until the file is not locked
/// or `seconds` are over. False with the exception of its error, or one of a signal's handler.
template <class Work>
bool did_unlocked(double seconds, PyObject* file, Work&& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    gdvar_error error;
    while (run_freely([&] { return work(&error); })) {
        const std::chrono::duration<double> passed = Clock::now() - start;
        const bool is_io = std::string_view(gdvar_error_name(error.code)) == "io";
        if (!is_io || error.system != EAGAIN || passed.count() >= seconds)
            return raise(error, {.file = file, .what = in_words(error)}), false;
        if (PyErr_CheckSignals() < 0)
            return false;
    }
    return true;
}

// ---- opening ----

PyTypeObject* save_type = nullptr;

struct OpenArgs : SaveArgs {
    PyObject *from = nullptr, *file = nullptr;
    double seconds = 30;  ///< of `lock_wait`

    bool take(const Call& call) {
        PyObject* lock_wait = nullptr;
        bool lock = false;
        if (!SaveArgs::take(
                call, 2,
                {{"source", from}, {"file", file}, {"lock", lock}, {"lock_wait", lock_wait}},
                SaveArgs::opening))
            return false;
        if (lock_wait)
            seconds = PyFloat_AsDouble(lock_wait);
        if (PyErr_Occurred())
            return false;
        if (!(seconds >= 0))
            return PyErr_SetString(PyExc_ValueError, "lock_wait is a number of seconds, from 0"),
                   false;
        options.lock_wait_ms =
            static_cast<std::uint32_t>(std::min(seconds * 1000, 1.0 * lock_slice_ms));
        options.flags |= lock ? std::uint32_t{GDVAR_LOCK} : 0u;
        return true;
    }
};

/// The object of a save that was opened.
PyObject* make_save(SaveHandle&& save, const OpenArgs& given) {
    Ref made(PyType_GenericAlloc(save_type, 0));
    if (!made)
        return nullptr;
    SaveObject* object = object_of(made.get());
    object->options = given.reading;
    object->lock_wait = given.seconds;
    object->options.dialect = gdvar_save_dialect(save.get());
    if (gdvar_save_kind(save.get()).made)  // Objects in it are data, as in the C++ library
        object->options.flags |= GDVAR_ALLOW_OBJECTS;
    object->save = save.release();
    object->file = given.file == Py_None ? nullptr : Py_NewRef(given.file);
    return made.release();
}

PyObject* save_open(const Call& call) {
    OpenArgs given;
    char* path = nullptr;
    if (!given.take(call) ||
        PyBytes_AsStringAndSize(given.from, &path, nullptr) < 0)  // also refuses a NUL
        return nullptr;
    SaveHandle save;
    const bool done = did_unlocked(given.seconds, given.file, [&](gdvar_error* error) {
        return gdvar_save_open(path, &given.options, save.out(), error);
    });
    return done ? make_save(std::move(save), given) : nullptr;
}

/// `file`: None.
PyObject* save_read(const Call& call) {
    OpenArgs given;
    Input bytes;
    if (!given.take(call) || !bytes.take(given.from))
        return nullptr;
    SaveHandle save;
    gdvar_error error;
    if (run_freely(
            [&] { return gdvar_save_read(bytes.view(), &given.options, save.out(), &error); }))
        return raise(error);
    return make_save(std::move(save), given);
}

// ---- values ----

PyObject* save_count(PyObject* self) {
    const Use use(self);
    return use ? PyLong_FromSize_t(gdvar_save_count(use.save())) : nullptr;
}

/// The result of `make(save, item, number)` for the item that an int names, from 0.
template <class Make>
PyObject* with_item(PyObject* self, PyObject* index, Make&& make) {
    const Use use(self);
    const Py_ssize_t at = use ? PyNumber_AsSsize_t(index, PyExc_IndexError) : 0;
    if (PyErr_Occurred())
        return nullptr;
    if (at < 0 || static_cast<std::size_t>(at) >= gdvar_save_count(use.save()))
        return PyErr_SetString(PyExc_IndexError, "the save has no such value"), nullptr;
    const auto number = static_cast<std::size_t>(at);
    return make(use, gdvar_save_at(use.save(), number), number);
}

/// A member of the item.
template <auto member>
PyObject* item_part(PyObject* self, PyObject* index) {
    return with_item(self, index, [](const Use&, const gdvar_save_item& item, std::size_t) {
        return to_python(item.*member);
    });
}

PyObject* save_value(PyObject* self, PyObject* index) {
    std::string place;  // in an error's path: "#2 ", or a setting's name
    const Ref packet(with_item(
        self, index, [&](const Use& use, const gdvar_save_item& item, std::size_t number) {
            if (item.name.size)
                place = std::string(view(item.name)) + " ";
            else if (gdvar_save_count(use.save()) > 1)
                place = "#" + std::to_string(number) + " ";
            return make_bytes(item.packet);
        }));
    return make_value_in(packet, object_of(self)->options, state.frozen, place);
}

/// A list of all that is at the path, as Match(path, value) or values. `otherwise`, if not null,
/// stands for what is not there.
PyObject* find_each(PyObject* self, const Text& path, bool paths, PyObject* otherwise = nullptr) {
    const Use use(self);
    if (!use)
        return nullptr;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < gdvar_save_count(use.save()); ++i)
        bytes += gdvar_save_at(use.save(), i).packet.size;
    MatchLimit limit(bytes);
    Matches matches([&](const gdvar_match& match) -> PyObject* {
        if (!limit.take(match))
            return nullptr;
        Ref value(make_value_in(Ref(make_bytes(match.packet)), use.options(), state.frozen));
        return paths && value ? make_record<"Match">(match.path, value.release()) : value.release();
    });
    gdvar_error error;
    const std::uint16_t code =
        gdvar_save_find_each(use.save(), path.text(), matches.take, &matches, nullptr, &error);
    if (code && !PyErr_Occurred()) {
        if (otherwise && is_missing(error))
            return Py_NewRef(otherwise);
        use.explain(error, path.view());
    }
    return matches.release();
}

PyObject* save_find_all(PyObject* self, PyObject* path) {
    Text where;
    return where.take(path, "path") ? find_each(self, where, true) : nullptr;
}

/// The value at a path, a list if it may lead to several. `default`: stands for a value that is not
/// there.
PyObject* save_get(const Call& call) {
    Text where;
    PyObject* otherwise = nullptr;
    const Output packet;
    if (!call.take(1, {{"path", where}, {"default", otherwise}}))
        return nullptr;
    gdvar_error error;
    int several = 0;
    // A setting's name need not be a path; then it leads to one value.
    if (gdvar_path_several(where.text(), &several, &error) == 0 && several)
        return find_each(call.self, where, false, otherwise);
    {
        const Use use(call.self);
        if (!use)
            return nullptr;
        if (run_freely(
                [&] { return gdvar_save_get(use.save(), where.text(), packet.get(), &error); })) {
            if (otherwise && is_missing(error))
                return Py_NewRef(otherwise);
            return use.explain(error, where.view()), nullptr;
        }
    }
    return make_value_in(Ref(make_bytes(packet.bytes())), object_of(call.self)->options,
                         state.frozen);
}

// ---- changes at a path ----

/// Makes a change at a path. False with an exception.
template <class Change>
bool change_at(PyObject* self, const Text& where, Change&& change) {
    const Use use(self);
    return use && use.did_at(where.view(), change);
}

/// `set`, or `set_all`, which gives the number of changed values.
template <bool all>
PyObject* save_set(const Call& call) {
    PyObject* value = nullptr;
    Text path;
    bool create = false, retype = false;
    const Output packet;
    if (!call.take(2, {{"path", path}, {"value", value}, {"create", create}, {"retype", retype}}))
        return nullptr;
    if (!write_value(value, object_of(call.self)->options, packet.get()))
        return place_at(path.view()), nullptr;
    const std::uint32_t flags = (create ? std::uint32_t{GDVAR_SET_CREATE} : 0u) |
                                (retype ? std::uint32_t{GDVAR_SET_TYPE} : 0u);
    std::size_t changed = 0;
    const bool done = change_at(call.self, path, [&](gdvar_save* save, gdvar_error* error) {
        return all ? gdvar_save_set_all(save, path.text(), packet.bytes(), flags, &changed, error)
                   : gdvar_save_set(save, path.text(), packet.bytes(), flags, error);
    });
    return all && done ? PyLong_FromSize_t(changed) : none_if(done);
}

template <bool all>
PyObject* save_erase(PyObject* self, PyObject* given) {
    Text path;
    std::size_t changed = 0;
    const bool done = path.take(given, "path") &&
                      change_at(self, path, [&](gdvar_save* save, gdvar_error* error) {
                          return all ? gdvar_save_erase_all(save, path.text(), &changed, error)
                                     : gdvar_save_erase(save, path.text(), error);
                      });
    return all && done ? PyLong_FromSize_t(changed) : none_if(done);
}

PyObject* save_rename(const Call& call) {
    Text path;
    PyObject* key = nullptr;
    const Output packet;
    return none_if(call.take(2, {{"path", path}, {"key", key}}) &&
                   write_value(key, object_of(call.self)->options, packet.get()) &&
                   change_at(call.self, path, [&](gdvar_save* save, gdvar_error* error) {
                       return gdvar_save_rename(save, path.text(), packet.bytes(), error);
                   }));
}

// ---- records as a list ----

/// `insert` or `replace`: a record's number and a value.
template <auto change>
PyObject* change_record(const Call& call) {
    std::int64_t number = 0;
    PyObject* value = nullptr;
    const Output packet;
    return none_if(call.take(2, {{"number", number}, {"value", value}}) &&
                   write_value(value, object_of(call.self)->options, packet.get()) &&
                   change_at(call.self, {}, [&](gdvar_save* save, gdvar_error* error) {
                       return change(save, number, packet.bytes(), error);
                   }));
}

PyObject* save_remove(PyObject* self, PyObject* given) {
    std::int64_t number = 0;
    return none_if(take_argument(given, "number", number) &&
                   change_at(self, {}, [&](gdvar_save* save, gdvar_error* error) {
                       return gdvar_save_remove(save, number, error);
                   }));
}

// ---- changes that are taken back ----

PyObject* save_keep_changes(PyObject* self) {
    return none_if(on_save(self, [](gdvar_save* save, gdvar_error* error) {
        return gdvar_save_keep_changes(save, 0, error);
    }));
}

/// `undo` or `redo`: True if there was a change to be taken back, or made again.
template <auto count, auto go>
PyObject* go_back_or_on(PyObject* self) {
    const Use use(self);
    if (!use)
        return nullptr;
    const bool any = count(use.save());
    return !any || use.did(go) ? PyBool_FromLong(any) : nullptr;
}

// ---- where values stand ----

PyObject* save_content(PyObject* self) {
    gdvar_bytes content{};
    const bool done = on_save(self, [&](gdvar_save* save, gdvar_error* error) {
        return gdvar_save_content(save, &content, error);
    });
    return done ? make_bytes(content) : nullptr;
}

/// (begin, end), or None where it is not known.
PyObject* make_place(const gdvar_place& place) {
    if (place.begin == place.end)
        return Py_NewRef(Py_None);
    return Py_BuildValue("(KK)", static_cast<unsigned long long>(place.begin),
                         static_cast<unsigned long long>(place.end));
}

PyObject* save_place(PyObject* self, PyObject* given) {
    Text path;
    gdvar_place place{};
    const bool done = path.take(given, "path") &&
                      change_at(self, path, [&](gdvar_save* save, gdvar_error* error) {
                          return gdvar_save_place_of(save, path.text(), &place, error);
                      });
    return done ? make_place(place) : nullptr;
}

PyObject* save_item_place(PyObject* self, PyObject* index) {
    return with_item(self, index, [](const Use& use, const gdvar_save_item&, std::size_t number) {
        gdvar_place place{};
        const bool done = use.did([&](gdvar_save* save, gdvar_error* error) {
            return gdvar_save_place(save, number, 0, &place, error);
        });
        return done ? make_place(place) : nullptr;
    });
}

PyObject* save_path_at(PyObject* self, PyObject* offset) {
    const Py_ssize_t at = PyNumber_AsSsize_t(offset, PyExc_IndexError);
    if (PyErr_Occurred())
        return nullptr;
    if (at < 0)
        return PyErr_SetString(PyExc_IndexError, "the content begins at 0"), nullptr;
    const Output path;
    const bool done = on_save(self, [&](gdvar_save* save, gdvar_error* error) {
        return gdvar_save_path_at(save, static_cast<std::uint64_t>(at), path.get(), error);
    });
    return done ? make_text(path.text()) : nullptr;
}

// ---- the whole ----

/// The result of `make` for what a function appends to a buffer.
template <auto write, auto make>
PyObject* written(PyObject* self) {
    const Output to;
    const bool done = on_save(
        self, [&](gdvar_save* save, gdvar_error* error) { return write(save, to.get(), error); });
    return done ? make(to) : nullptr;
}
PyObject* output_bytes(const Output& from) {
    return make_bytes(from.bytes());
}
PyObject* output_text(const Output& from) {
    return make_text(from.text());
}

PyObject* save_dialect(PyObject* self) {
    const Use use(self);
    return use ? make_text(gdvar_dialect_name(use.options().dialect)) : nullptr;
}

PyObject* save_kind(PyObject* self) {
    const Use use(self);
    return use ? make_kind(gdvar_save_kind(use.save())) : nullptr;
}

/// What a function says of the save: 1 or 0.
template <auto says>
PyObject* truth(PyObject* self) {
    const Use use(self);
    return use ? PyBool_FromLong(says(use.save())) : nullptr;
}

PyObject* save_write(PyObject* self, PyObject* backup) {
    char* name = nullptr;
    if (backup != Py_None) {
        if (PyBytes_AsStringAndSize(backup, &name, nullptr) < 0)  // also refuses a NUL
            return nullptr;
        if (!*name)
            return PyErr_SetString(PyExc_ValueError, "the backup's name is empty"), nullptr;
    }
    const Use use(self);
    const SaveObject* object = object_of(self);
    return none_if(use && did_unlocked(object->lock_wait, object->file, [&](gdvar_error* error) {
                       return gdvar_save_write(use.save(), name, error);
                   }));
}

// ---- sums beside the changes ----

PyObject* save_update_sums(PyObject* self, PyObject* update) {
    const int on = PyObject_IsTrue(update);
    if (on < 0)
        return nullptr;
    const Use use(self);
    if (use)
        gdvar_save_update_sums(use.save(), on);
    return none_if(static_cast<bool>(use));
}

PyObject* make_sum(const gdvar_stale_sum& sum) {
    return make_record<"StaleSum">(sum.path, sum.of, sum.was, sum.now, sum.mended != 0, sum.text);
}

PyObject* save_stale_sums(PyObject* self) {
    const Use use(self);
    using Sums = Pieces<gdvar_stale_sum, make_sum>;
    Sums sums;
    if (!use)
        return nullptr;
    gdvar_save_stale_sums(use.save(), Sums::take, &sums);
    return sums.make();
}

PyObject* save_close(PyObject* self) {
    SaveObject* object = object_of(self);
    if (object->busy)
        return PyErr_SetString(PyExc_RuntimeError, "another thread is using the save"), nullptr;
    gdvar_save_free(std::exchange(object->save, nullptr));
    return Py_NewRef(Py_None);
}

void save_free(PyObject* self) {
    gdvar_save_free(object_of(self)->save);
    Py_XDECREF(object_of(self)->file);
    free_object(self);
}

PyMethodDef save_methods[] = {row<"count", save_count>(),
                              row<"name", item_part<&gdvar_save_item::name>>(),
                              row<"packet", item_part<&gdvar_save_item::packet>>(),
                              row<"value", save_value>(),
                              row<"get", save_get>(),
                              row<"find_all", save_find_all>(),
                              row<"set", save_set<false>>(),
                              row<"set_all", save_set<true>>(),
                              row<"erase", save_erase<false>>(),
                              row<"erase_all", save_erase<true>>(),
                              row<"rename", save_rename>(),
                              row<"keep_changes", save_keep_changes>(),
                              row<"undo", go_back_or_on<gdvar_save_undo_count, gdvar_save_undo>>(),
                              row<"redo", go_back_or_on<gdvar_save_redo_count, gdvar_save_redo>>(),
                              row<"content", save_content>(),
                              row<"place", save_place>(),
                              row<"item_place", save_item_place>(),
                              row<"path_at", save_path_at>(),
                              row<"diff", save_diff>(),
                              row<"patch", save_patch>(),
                              row<"convert", save_convert>(),
                              row<"insert", change_record<gdvar_save_insert>>(),
                              row<"replace", change_record<gdvar_save_replace>>(),
                              row<"remove", save_remove>(),
                              row<"bytes", written<gdvar_save_bytes, output_bytes>>(),
                              row<"write", save_write>(),
                              row<"check", save_check>(),
                              row<"code", save_code>(),
                              row<"update_sums", save_update_sums>(),
                              row<"stale_sums", save_stale_sums>(),
                              row<"close", save_close>(),
                              {nullptr, nullptr, 0, nullptr}};
PyGetSetDef save_members[] = {property<"dialect", save_dialect>(),
                              property<"layers", written<gdvar_save_layers, make_names>>(),
                              property<"kind", save_kind>(),
                              property<"stack", written<gdvar_save_stack, output_text>>(),
                              property<"only_read", truth<gdvar_save_only_read>>(),
                              property<"findings", save_findings>(),
                              property<"changed", truth<gdvar_save_changed>>(),
                              {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef functions[] = {row<"_save_open", save_open>(),
                           row<"_save_read", save_read>(),
                           row<"_entries", entries_of>(),
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_save(PyObject* module) {
    save_type = make_type(module, "gdvar._gdvar._SaveHandle", sizeof(SaveObject),
                          Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          {{Py_tp_doc, const_cast<char*>("The handle of a gdvar.saves.Save.")},
                           slot(Py_tp_dealloc, save_free),
                           {Py_tp_methods, save_methods},
                           {Py_tp_getset, save_members}});
    return save_type && PyModule_AddType(module, save_type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0 && add_whole_saves(module);
}

}  // namespace gdvar_py
