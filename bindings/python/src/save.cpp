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

bool is_locked(const gdvar_error& error) noexcept {
    return std::string_view(gdvar_error_name(error.code)) == "io" && error.system == EAGAIN;
}

/// How long one call waits for a lock, so that Ctrl-C does not wait longer.
constexpr std::uint32_t lock_slice_ms = 100;

/// Calls `work`, which fills in the error, until the file is not locked or `seconds` are over.
/// False with an exception that a signal's handler raised.
template <class Work>
bool wait_for_lock(double seconds, const gdvar_error& error, Work&& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (;;) {
        work();
        const std::chrono::duration<double> passed = Clock::now() - start;
        if (!is_locked(error) || passed.count() >= seconds)
            return true;
        if (PyErr_CheckSignals() < 0)
            return false;
    }
}

// ---- opening ----

PyTypeObject* save_type = nullptr;

struct OpenArgs : SaveArgs {
    PyObject *from = nullptr, *file = nullptr, *lock = nullptr, *lock_wait = nullptr;
    double seconds = 30;  ///< of `lock_wait`
};

bool take_opening(const Call& call, OpenArgs& given, gdvar_save_options& to) {
    if (!given.take(call,
                    {{"source", &given.from, true},
                     {"file", &given.file},
                     {"lock", &given.lock},
                     {"lock_wait", &given.lock_wait}},
                    2, to, SaveArgs::opening))
        return false;
    const int lock = given.lock ? PyObject_IsTrue(given.lock) : 0;
    if (lock < 0)
        return false;
    if (given.lock_wait) {
        given.seconds = PyFloat_AsDouble(given.lock_wait);
        if (PyErr_Occurred())
            return false;
        if (!(given.seconds >= 0))
            return PyErr_SetString(PyExc_ValueError, "lock_wait is a number of seconds, from 0"),
                   false;
    }
    to.lock_wait_ms =
        static_cast<std::uint32_t>(std::min(given.seconds * 1000, 1.0 * lock_slice_ms));
    to.flags |= lock ? static_cast<std::uint32_t>(GDVAR_LOCK) : 0u;
    return true;
}

/// The object of a save that was opened.
PyObject* make_save(SaveHandle&& save, PyObject* file, const gdvar_options& reading,
                    double lock_wait = 0) {
    Ref made(PyType_GenericAlloc(save_type, 0));
    if (!made)
        return nullptr;
    SaveObject* object = object_of(made.get());
    object->options = reading;
    object->lock_wait = lock_wait;
    object->options.dialect = gdvar_save_dialect(save.get());
    if (gdvar_save_kind(save.get()).made)  // Objects in it are data, as in the C++ library
        object->options.flags |= GDVAR_ALLOW_OBJECTS;
    object->save = save.release();
    object->file = file == Py_None ? nullptr : Ref::borrow(file).release();
    return made.release();
}

PyObject* save_open(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    OpenArgs given;
    gdvar_save_options opening = GDVAR_SAVE_OPTIONS_INIT;
    if (!take_opening({"_save_open", args, count, names}, given, opening))
        return nullptr;
    char* path = nullptr;
    if (PyBytes_AsStringAndSize(given.from, &path, nullptr) < 0)  // also refuses a NUL
        return nullptr;
    PyObject* file = given.file ? given.file : given.from;
    SaveHandle save;
    gdvar_error error;
    const bool waited = wait_for_lock(given.seconds, error, [&] {
        const WithoutGil others;
        gdvar_save_open(path, &opening, save.out(), &error);
    });
    if (!waited)
        return nullptr;
    return error.code ? raise(error, {.file = file, .what = in_words(error)})
                      : make_save(std::move(save), file, given.reading, given.seconds);
}

PyObject* save_read(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    OpenArgs given;
    gdvar_save_options opening = GDVAR_SAVE_OPTIONS_INIT;
    Input bytes;
    if (!take_opening({"_save_read", args, count, names}, given, opening) ||
        !bytes.take(given.from))
        return nullptr;
    SaveHandle save;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_save_read(bytes.view(), &opening, save.out(), &error);
    }
    return error.code ? raise(error) : make_save(std::move(save), Py_None, given.reading);
}

// ---- values ----

PyObject* save_count(PyObject* self, PyObject*) {
    const Use use(self);
    return use ? PyLong_FromSize_t(gdvar_save_count(use.save())) : nullptr;
}

/// The item that an int names, from 0.
bool take_item(const Use& use, PyObject* index, gdvar_save_item& to) {
    const Py_ssize_t at = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (PyErr_Occurred())
        return false;
    if (at < 0 || static_cast<std::size_t>(at) >= gdvar_save_count(use.save()))
        return PyErr_SetString(PyExc_IndexError, "the save has no such value"), false;
    to = gdvar_save_at(use.save(), static_cast<std::size_t>(at));
    return true;
}

PyObject* save_name(PyObject* self, PyObject* index) {
    const Use use(self);
    gdvar_save_item item;
    return use && take_item(use, index, item) ? make_text(item.name) : nullptr;
}

PyObject* save_packet(PyObject* self, PyObject* index) {
    const Use use(self);
    gdvar_save_item item;
    if (!use || !take_item(use, index, item))
        return nullptr;
    return PyBytes_FromStringAndSize(static_cast<const char*>(item.packet.data),
                                     static_cast<Py_ssize_t>(item.packet.size));
}

/// Where a value stands in its save: "#2 ", or a setting's name; "" for a save of one value.
bool place_of(PyObject* self, PyObject* index, std::string& to) {
    const Use use(self);
    gdvar_save_item item;
    if (!use || !take_item(use, index, item))
        return false;
    if (item.name.size)
        to = std::string(item.name.data, item.name.size) + " ";
    else if (gdvar_save_count(use.save()) > 1)
        to = "#" + std::to_string(PyNumber_AsSsize_t(index, nullptr)) + " ";
    return true;
}

PyObject* save_value(PyObject* self, PyObject* index) {
    const Ref packet(save_packet(self, index));
    const DocumentHandle document(gdvar_document_new());
    if (!packet || !document)
        return packet ? PyErr_NoMemory() : nullptr;
    const gdvar_bytes bytes = bytes_of(packet.get());
    const gdvar_options& options = object_of(self)->options;  // those of the save's whole life
    gdvar_error error;
    if (gdvar_document_read(document.get(), bytes, &options, &error)) {
        std::string before;
        return place_of(self, index, before) ? raise_reading(error, bytes, options, before)
                                             : nullptr;
    }
    return make_value(
        {document.get(), gdvar_document_tape(document.get()), packet.get(), state.frozen}, 0);
}

/// The values that a path leads to, as they are found.
struct SaveMatches {
    const gdvar_options& options;
    PyObject* list;
    bool paths;  ///< Match(path, value) instead of the value
    MatchLimit limit;

    static int take(void* user, const gdvar_match* match) {
        auto& to = *static_cast<SaveMatches*>(user);
        const Ref made(to.limit.take(*match) ? to.make(*match) : nullptr);
        return made && PyList_Append(to.list, made.get()) == 0;
    }
    PyObject* make(const gdvar_match& match) const {
        const Ref packet(PyBytes_FromStringAndSize(static_cast<const char*>(match.packet.data),
                                                   static_cast<Py_ssize_t>(match.packet.size)));
        const DocumentHandle document(gdvar_document_new());
        if (!packet || !read_packet(document.get(), bytes_of(packet.get()), options))
            return nullptr;
        Ref value(make_value(
            {document.get(), gdvar_document_tape(document.get()), packet.get(), state.frozen}, 0));
        return paths && value ? make_record(results.match, {make_text(match.path), value.release()})
                              : value.release();
    }
};

/// A list of all that is at the path. `otherwise`, if not null, stands for what is not there.
PyObject* find_each(PyObject* self, gdvar_text where, bool paths, PyObject* otherwise = nullptr) {
    const Use use(self);
    Ref list(use ? PyList_New(0) : nullptr);
    if (!list)
        return nullptr;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < gdvar_save_count(use.save()); ++i)
        bytes += gdvar_save_at(use.save(), i).packet.size;
    SaveMatches matches{object_of(self)->options, list.get(), paths, MatchLimit(bytes)};
    gdvar_error error;
    const std::uint16_t code =
        gdvar_save_find_each(use.save(), where, SaveMatches::take, &matches, nullptr, &error);
    if (PyErr_Occurred())
        return nullptr;
    if (code && otherwise && is_missing(error))
        return Ref::borrow(otherwise).release();
    return code ? use.raise(error, view(where)) : list.release();
}

PyObject* save_find_all(PyObject* self, PyObject* path) {
    gdvar_text where;
    Ref kept;
    return take_path(path, where, kept) ? find_each(self, where, true) : nullptr;
}

/// The value at a path, a list if it may lead to several. `args`: the path, and what stands for a
/// value that is not there.
PyObject* save_get(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    gdvar_text where;
    Ref kept;
    if (count < 1 || count > 2)
        return PyErr_SetString(PyExc_TypeError, "a path is needed"), nullptr;
    PyObject* otherwise = count == 2 ? args[1] : nullptr;
    const BufferHandle packet(gdvar_buffer_new());
    if (!packet)
        return PyErr_NoMemory();
    if (!take_path(args[0], where, kept))
        return nullptr;
    gdvar_error error;
    int several = 0;
    // A setting's name need not be a path; then it leads to one value.
    if (gdvar_path_several(where, &several, &error) == 0 && several)
        return find_each(self, where, false, otherwise);
    {
        const Use use(self);
        if (!use)
            return nullptr;
        if (use.run([&](gdvar_save* save) {
                return gdvar_save_get(save, where, packet.get(), &error);
            }))
            return otherwise && is_missing(error) ? Ref::borrow(otherwise).release()
                                                  : use.raise(error, view(where));
    }
    return make_value_of(packet.get(), object_of(self)->options, state.frozen);
}

/// Arguments of `set` and `set_all`: the path, the value's packet, the flags. False with an
/// exception.
struct SetArgs {
    gdvar_text where{};
    std::uint32_t flags = 0;
    const BufferHandle packet{gdvar_buffer_new()};
    Ref kept;

    bool take(PyObject* self, const Call& call) {
        PyObject *path = nullptr, *value = nullptr, *create = nullptr, *retype = nullptr;
        Arg all[] = {{"path", &path, true},
                     {"value", &value, true},
                     {"create", &create},
                     {"retype", &retype}};
        if (!packet)
            return PyErr_NoMemory(), false;
        if (!take_args(call.function, call.args, call.count, call.names, all, 4, 2) ||
            !take_path(path, where, kept))
            return false;
        const int creates = create ? PyObject_IsTrue(create) : 0;
        const int retypes = retype ? PyObject_IsTrue(retype) : 0;
        if (creates < 0 || retypes < 0)
            return false;
        flags = (creates ? std::uint32_t{GDVAR_SET_CREATE} : 0u) |
                (retypes ? std::uint32_t{GDVAR_SET_TYPE} : 0u);
        if (!write_value(value, object_of(self)->options, packet.get()))
            return place_at(view(where)), false;
        return true;
    }
    gdvar_bytes value() const { return gdvar_buffer_bytes(packet.get()); }
};

/// Makes a change at a path. Gives null after an exception, else the number of changed values, or
/// None if that is not counted (`change` leaves it).
template <class Change>
PyObject* change_at(PyObject* self, gdvar_text where, Change&& change) {
    const Use use(self);
    gdvar_error error;
    std::size_t changed = SIZE_MAX;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) { return change(save, &changed, &error); }))
        return use.raise(error, view(where));
    return changed == SIZE_MAX ? Ref::borrow(Py_None).release() : PyLong_FromSize_t(changed);
}

PyObject* save_set(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    SetArgs given;
    if (!given.take(self, {"set", args, count, names}))
        return nullptr;
    return change_at(self, given.where, [&](gdvar_save* save, std::size_t*, gdvar_error* error) {
        return gdvar_save_set(save, given.where, given.value(), given.flags, error);
    });
}

PyObject* save_set_all(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    SetArgs given;
    if (!given.take(self, {"set_all", args, count, names}))
        return nullptr;
    return change_at(self, given.where,
                     [&](gdvar_save* save, std::size_t* changed, gdvar_error* error) {
                         return gdvar_save_set_all(save, given.where, given.value(), given.flags,
                                                   changed, error);
                     });
}

PyObject* save_rename(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    gdvar_text where;
    Ref kept;
    if (count != 2)
        return PyErr_SetString(PyExc_TypeError, "a path and a key are needed"), nullptr;
    const BufferHandle packet(gdvar_buffer_new());
    if (!packet)
        return PyErr_NoMemory();
    if (!take_path(args[0], where, kept) ||
        !write_value(args[1], object_of(self)->options, packet.get()))
        return nullptr;
    return change_at(self, where, [&](gdvar_save* save, std::size_t*, gdvar_error* error) {
        return gdvar_save_rename(save, where, gdvar_buffer_bytes(packet.get()), error);
    });
}

PyObject* save_erase(PyObject* self, PyObject* path) {
    gdvar_text where;
    Ref kept;
    if (!take_path(path, where, kept))
        return nullptr;
    return change_at(self, where, [&](gdvar_save* save, std::size_t*, gdvar_error* error) {
        return gdvar_save_erase(save, where, error);
    });
}

PyObject* save_erase_all(PyObject* self, PyObject* path) {
    gdvar_text where;
    Ref kept;
    if (!take_path(path, where, kept))
        return nullptr;
    return change_at(self, where, [&](gdvar_save* save, std::size_t* changed, gdvar_error* error) {
        return gdvar_save_erase_all(save, where, changed, error);
    });
}

// ---- changes that are taken back ----

PyObject* save_keep_changes(PyObject* self, PyObject*) {
    return change_at(self, {}, [](gdvar_save* save, std::size_t*, gdvar_error* error) {
        return gdvar_save_keep_changes(save, 0, error);
    });
}

/// True if there was a change to be taken back, or made again.
PyObject* go(PyObject* self, size_t (*count)(const gdvar_save*),
             uint16_t (*which)(gdvar_save*, gdvar_error*)) {
    const Use use(self);
    gdvar_error error;
    if (!use)
        return nullptr;
    if (!count(use.save()))
        return Ref::borrow(Py_False).release();
    if (use.run([&](gdvar_save* save) { return which(save, &error); }))
        return raise(error);
    return Ref::borrow(Py_True).release();
}

PyObject* save_undo(PyObject* self, PyObject*) {
    return go(self, gdvar_save_undo_count, gdvar_save_undo);
}

PyObject* save_redo(PyObject* self, PyObject*) {
    return go(self, gdvar_save_redo_count, gdvar_save_redo);
}

// ---- where values stand ----

PyObject* save_content(PyObject* self, PyObject*) {
    const Use use(self);
    gdvar_error error;
    gdvar_bytes content;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) { return gdvar_save_content(save, &content, &error); }))
        return raise(error);
    return PyBytes_FromStringAndSize(static_cast<const char*>(content.data),
                                     static_cast<Py_ssize_t>(content.size));
}

/// (begin, end), or None where it is not known.
PyObject* make_place(const gdvar_place& place) {
    if (place.begin == place.end)
        return Ref::borrow(Py_None).release();
    return Py_BuildValue("(KK)", static_cast<unsigned long long>(place.begin),
                         static_cast<unsigned long long>(place.end));
}

PyObject* save_place(PyObject* self, PyObject* path) {
    gdvar_text where;
    Ref kept;
    if (!take_path(path, where, kept))
        return nullptr;
    const Use use(self);
    gdvar_error error;
    gdvar_place place;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) { return gdvar_save_place_of(save, where, &place, &error); }))
        return use.raise(error, view(where));
    return make_place(place);
}

PyObject* save_item_place(PyObject* self, PyObject* index) {
    const Use use(self);
    gdvar_save_item item;
    gdvar_error error;
    gdvar_place place;
    if (!use || !take_item(use, index, item))
        return nullptr;
    const auto at = static_cast<std::size_t>(PyNumber_AsSsize_t(index, nullptr));
    if (use.run([&](gdvar_save* save) { return gdvar_save_place(save, at, 0, &place, &error); }))
        return raise(error);
    return make_place(place);
}

PyObject* save_path_at(PyObject* self, PyObject* offset) {
    const Py_ssize_t at = PyNumber_AsSsize_t(offset, PyExc_IndexError);
    if (PyErr_Occurred())
        return nullptr;
    if (at < 0)
        return PyErr_SetString(PyExc_IndexError, "the content begins at 0"), nullptr;
    const BufferHandle path(gdvar_buffer_new());
    if (!path)
        return PyErr_NoMemory();
    const Use use(self);
    gdvar_error error;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) {
            return gdvar_save_path_at(save, static_cast<std::uint64_t>(at), path.get(), &error);
        }))
        return raise(error);
    return make_text_of(path.get());
}

// ---- records as a list ----

/// Does something with a record's number, and a packet that may be null.
template <class Change>
PyObject* change(PyObject* self, PyObject* number, const gdvar_buffer* packet, Change&& change) {
    const Ref index(PyNumber_Index(number));
    const std::int64_t at = index ? PyLong_AsLongLong(index.get()) : 0;
    if (PyErr_Occurred())
        return nullptr;
    const Use use(self);
    gdvar_error error;
    if (!use)
        return nullptr;
    const gdvar_bytes bytes = packet ? gdvar_buffer_bytes(packet) : gdvar_bytes{};
    if (use.run([&](gdvar_save* save) { return change(save, at, bytes, &error); }))
        return use.raise(error, {});
    return Ref::borrow(Py_None).release();
}

/// The same with a value's packet.
template <class Change>
PyObject* change_by_value(PyObject* self, PyObject* const* args, Py_ssize_t count,
                          Change&& with_packet) {
    if (count != 2)
        return PyErr_SetString(PyExc_TypeError, "a number and a value are needed"), nullptr;
    const BufferHandle packet(gdvar_buffer_new());
    if (!packet)
        return PyErr_NoMemory();
    if (!write_value(args[1], object_of(self)->options, packet.get()))
        return nullptr;
    return change(self, args[0], packet.get(), with_packet);
}

PyObject* save_insert(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    return change_by_value(self, args, count, gdvar_save_insert);
}
PyObject* save_replace(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    return change_by_value(self, args, count, gdvar_save_replace);
}
PyObject* save_remove(PyObject* self, PyObject* number) {
    return change(self, number, nullptr,
                  [](gdvar_save* save, std::int64_t at, gdvar_bytes, gdvar_error* error) {
                      return gdvar_save_remove(save, at, error);
                  });
}

// ---- the whole ----

PyObject* save_dialect(PyObject* self, void*) {
    const Use use(self);
    return use ? make_text(gdvar_dialect_name(use.options().dialect)) : nullptr;
}

PyObject* save_layers(PyObject* self, void*) {
    const Use use(self);
    const BufferHandle names(gdvar_buffer_new());
    gdvar_error error;
    if (!use)
        return nullptr;
    if (!names)
        return PyErr_NoMemory();
    if (gdvar_save_layers(use.save(), names.get(), &error))
        return raise(error);
    return make_names(names.get());
}

PyObject* save_changed(PyObject* self, void*) {
    const Use use(self);
    return use ? PyBool_FromLong(gdvar_save_changed(use.save())) : nullptr;
}

PyObject* save_bytes(PyObject* self, PyObject*) {
    const Use use(self);
    const BufferHandle to(gdvar_buffer_new());
    gdvar_error error;
    if (!use)
        return nullptr;
    if (!to)
        return PyErr_NoMemory();
    if (use.run([&](gdvar_save* save) { return gdvar_save_bytes(save, to.get(), &error); }))
        return raise(error);
    return make_bytes(to.get());
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
    gdvar_error error;
    if (!use)
        return nullptr;
    if (!wait_for_lock(object_of(self)->lock_wait, error, [&] {
            use.run([&](gdvar_save* save) { return gdvar_save_write(save, name, &error); });
        }))
        return nullptr;
    if (error.code)
        return raise(error, {.file = use.file(), .what = in_words(error)});
    return Ref::borrow(Py_None).release();
}

// ---- sums beside the changes ----

PyObject* save_update_sums(PyObject* self, PyObject* update) {
    const int on = PyObject_IsTrue(update);
    const Use use(self);
    if (on < 0 || !use)
        return nullptr;
    gdvar_save_update_sums(use.save(), on);
    return Ref::borrow(Py_None).release();
}

/// Appends (path, of, was, now, mended, text) to the list; nothing more after an exception.
void take_stale_sum(void* list, const gdvar_stale_sum* sum) {
    if (PyErr_Occurred())
        return;
    const Ref texts[] = {Ref(make_text(sum->path)), Ref(make_text(sum->of)),
                         Ref(make_text(sum->was)), Ref(make_text(sum->now)),
                         Ref(make_text(sum->text))};
    for (const Ref& text : texts)
        if (!text)
            return;
    const Ref made(PyTuple_Pack(6, texts[0].get(), texts[1].get(), texts[2].get(), texts[3].get(),
                                sum->mended ? Py_True : Py_False, texts[4].get()));
    if (made)
        PyList_Append(static_cast<PyObject*>(list), made.get());
}

PyObject* save_stale_sums(PyObject* self, PyObject*) {
    const Use use(self);
    Ref list(use ? PyList_New(0) : nullptr);
    if (!list)
        return nullptr;
    gdvar_save_stale_sums(use.save(), take_stale_sum, list.get());
    return PyErr_Occurred() ? nullptr : list.release();
}

PyObject* save_close(PyObject* self, PyObject*) {
    SaveObject* object = object_of(self);
    if (object->busy)
        return PyErr_SetString(PyExc_RuntimeError, "another thread is using the save"), nullptr;
    gdvar_save_free(std::exchange(object->save, nullptr));
    return Ref::borrow(Py_None).release();
}

void save_free(PyObject* self) {
    gdvar_save_free(object_of(self)->save);
    Py_XDECREF(object_of(self)->file);
    free_object(self);
}

PyMethodDef save_methods[] = {
    {"count", save_count, METH_NOARGS, nullptr},
    {"name", save_name, METH_O, nullptr},
    {"packet", save_packet, METH_O, nullptr},
    {"value", save_value, METH_O, nullptr},
    {"get", method(save_get), METH_FASTCALL, nullptr},
    {"find_all", save_find_all, METH_O, nullptr},
    {"set", method(save_set), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"set_all", method(save_set_all), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"erase", save_erase, METH_O, nullptr},
    {"erase_all", save_erase_all, METH_O, nullptr},
    {"rename", method(save_rename), METH_FASTCALL, nullptr},
    {"keep_changes", save_keep_changes, METH_NOARGS, nullptr},
    {"undo", save_undo, METH_NOARGS, nullptr},
    {"redo", save_redo, METH_NOARGS, nullptr},
    {"content", save_content, METH_NOARGS, nullptr},
    {"place", save_place, METH_O, nullptr},
    {"item_place", save_item_place, METH_O, nullptr},
    {"path_at", save_path_at, METH_O, nullptr},
    {"diff", save_diff, METH_O, nullptr},
    {"patch", save_patch, METH_O, nullptr},
    {"convert", method(save_convert), METH_FASTCALL, nullptr},
    {"insert", method(save_insert), METH_FASTCALL, nullptr},
    {"replace", method(save_replace), METH_FASTCALL, nullptr},
    {"remove", save_remove, METH_O, nullptr},
    {"bytes", save_bytes, METH_NOARGS, nullptr},
    {"write", save_write, METH_O, nullptr},
    {"check", save_check, METH_NOARGS, nullptr},
    {"code", save_code, METH_O, nullptr},
    {"update_sums", save_update_sums, METH_O, nullptr},
    {"stale_sums", save_stale_sums, METH_NOARGS, nullptr},
    {"close", save_close, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};
PyGetSetDef save_members[] = {{"dialect", save_dialect, nullptr, nullptr, nullptr},
                              {"layers", save_layers, nullptr, nullptr, nullptr},
                              {"kind", save_kind, nullptr, nullptr, nullptr},
                              {"stack", save_stack, nullptr, nullptr, nullptr},
                              {"only_read", save_only_read, nullptr, nullptr, nullptr},
                              {"findings", save_findings, nullptr, nullptr, nullptr},
                              {"changed", save_changed, nullptr, nullptr, nullptr},
                              {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot save_slots[] = {{Py_tp_doc, const_cast<char*>("The handle of a gdvar.saves.Save.")},
                            slot(Py_tp_dealloc, save_free),
                            {Py_tp_methods, save_methods},
                            {Py_tp_getset, save_members},
                            {0, nullptr}};
PyType_Spec save_spec = {"gdvar._gdvar._SaveHandle", sizeof(SaveObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, save_slots};

#define OPENING                                                                                 \
    "password=None, key=None, keys=None, max_bytes=None, max_text=None, read_as=None, skip=0, " \
    "dialect=None, max_layers=None, objects=False, inside=None, entries=None, strict=False, "   \
    "readings=False, real_width=4"
PyMethodDef functions[] = {
    {"_save_open", method(save_open), METH_FASTCALL | METH_KEYWORDS,
     "_save_open(source, file, *, " OPENING ", lock=False, lock_wait=30.0)\n--\n\n"},
    {"_save_read", method(save_read), METH_FASTCALL | METH_KEYWORDS,
     "_save_read(source, *, " OPENING ")\n--\n\n"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_save(PyObject* module) {
    save_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&save_spec));
    return save_type && PyModule_AddType(module, save_type) == 0 &&
           PyModule_AddFunctions(module, functions) == 0 && add_whole_saves(module) &&
           add_entries(module);
}

}  // namespace gdvar_py
