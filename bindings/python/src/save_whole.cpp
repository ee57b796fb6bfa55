// Saves as a whole: what they are, compared, patched, converted, made anew; layers alone.
#include <string>
#include <vector>

#include "save.hpp"

namespace gdvar_py {

// ---- what a save is ----

PyObject* make_kind(const gdvar_kind& kind) {
    return make_record(results.save_kind,
                       {make_text(kind.name), PyBool_FromLong(kind.text),
                        PyBool_FromLong(kind.named), PyBool_FromLong(kind.several),
                        PyBool_FromLong(kind.made), PyBool_FromLong(kind.only_read)});
}

namespace {

std::string kept(gdvar_text text) {
    return text.size ? std::string(text.data, text.size) : std::string();
}

/// The findings about a save, as they come, without Python.
class Findings {
public:
    /// For gdvar.h.
    static void take(void* findings, const gdvar_finding* from) noexcept {
        auto& to = *static_cast<Findings*>(findings);
        try {
            to.kept_.push_back({kept(from->name), kept(from->reason), kept(from->at),
                                kept(from->opened_with), from->layer,
                                readings(from->others, from->other_count),
                                readings(from->ruled_out, from->ruled_out_count)});
        } catch (const std::exception&) {
            to.full_ = true;
        }
    }
    /// A tuple of Finding.
    PyObject* make() const {
        if (full_)
            return PyErr_NoMemory();
        const Ref list(PyList_New(0));
        for (const Kept& each : kept_) {
            PyObject* layer = each.layer == GDVAR_NO_LAYER ? Ref::borrow(Py_None).release()
                                                           : PyLong_FromUnsignedLong(each.layer);
            const Ref made(make_record(
                results.finding,
                {make_text(each.name), make_text(each.reason), make_text(each.at),
                 make_text(each.opened_with), layer, make(each.others), make(each.ruled_out)}));
            if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
                return nullptr;
        }
        return list ? PyList_AsTuple(list.get()) : nullptr;
    }

private:
    struct KeptReading {
        std::string name, reason;
    };
    struct Kept {
        std::string name, reason, at, opened_with;
        std::uint32_t layer;
        std::vector<KeptReading> others, ruled_out;
    };
    static std::vector<KeptReading> readings(const gdvar_reading* from, std::size_t count) {
        std::vector<KeptReading> out;
        out.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            out.push_back({kept(from[i].name), kept(from[i].reason)});
        return out;
    }
    static PyObject* make(const std::vector<KeptReading>& readings) {
        const Ref list(PyList_New(0));
        for (const KeptReading& each : readings) {
            const Ref made(
                make_record(results.reading, {make_text(each.name), make_text(each.reason)}));
            if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
                return nullptr;
        }
        return list ? PyList_AsTuple(list.get()) : nullptr;
    }

    std::vector<Kept> kept_;
    bool full_ = false;  ///< out of memory
};

/// The places of a save with code, as they come, without Python.
class FoundCodes {
public:
    /// For gdvar.h.
    static void take(void* codes, const gdvar_code* from) noexcept {
        auto& to = *static_cast<FoundCodes*>(codes);
        try {
            to.kept_.push_back({kept(from->kind), kept(from->path), kept(from->what)});
        } catch (const std::exception&) {
            to.full_ = true;
        }
    }
    /// A list of FoundCode.
    PyObject* make() const {
        if (full_)
            return PyErr_NoMemory();
        Ref list(PyList_New(0));
        for (const Kept& each : kept_) {
            const Ref made(
                make_record(results.found_code,
                            {make_text(each.kind), make_text(each.path), make_text(each.what)}));
            if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
                return nullptr;
        }
        return list.release();
    }

private:
    struct Kept {
        std::string kind, path, what;
    };
    std::vector<Kept> kept_;
    bool full_ = false;  ///< out of memory
};

PyObject* identify(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject* data = nullptr;
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    SaveArgs given;
    Input bytes;
    const BufferHandle stack(gdvar_buffer_new());
    if (!stack)
        return PyErr_NoMemory();
    if (!given.take({"identify", args, count, names}, {{"data", &data, true}}, 1, options,
                    SaveArgs::finding) ||
        !bytes.take(data))
        return nullptr;
    options.flags |= GDVAR_ALL_READINGS;
    Findings findings;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_identify(bytes.view(), &options, Findings::take, &findings, stack.get(), &error);
    }
    // A wrong argument is no finding; a save that can't be opened is one.
    if (error.source == GDVAR_FROM_PACKET && error.code)
        return raise(error);
    Ref why = Ref::borrow(Py_None);
    if (error.code) {
        raise(error);
        if (PyErr_ExceptionMatches(PyExc_MemoryError))
            return nullptr;
        why = Ref(take_exception());
    }
    return make_record(results.identified,
                       {make_text_of(stack.get()), findings.make(), why.release()});
}

}  // namespace

PyObject* save_kind(PyObject* self, void*) {
    const Use use(self);
    return use ? make_kind(gdvar_save_kind(use.save())) : nullptr;
}

PyObject* save_stack(PyObject* self, void*) {
    const Use use(self);
    const BufferHandle to(gdvar_buffer_new());
    gdvar_error error;
    if (!use)
        return nullptr;
    if (!to)
        return PyErr_NoMemory();
    if (gdvar_save_stack(use.save(), to.get(), &error))
        return raise(error);
    return make_text_of(to.get());
}

PyObject* save_only_read(PyObject* self, void*) {
    const Use use(self);
    return use ? PyBool_FromLong(gdvar_save_only_read(use.save())) : nullptr;
}

PyObject* save_findings(PyObject* self, void*) {
    Findings findings;
    gdvar_error error;
    {
        const Use use(self);
        if (!use)
            return nullptr;
        if (gdvar_save_findings(use.save(), Findings::take, &findings, &error))
            return raise(error);
    }
    return findings.make();
}

PyObject* save_code(PyObject* self, PyObject* most) {
    FoundCodes found;
    std::uint64_t count = 0;
    gdvar_error error;
    const std::size_t limit = PyLong_AsSize_t(most);
    if (PyErr_Occurred())
        return nullptr;
    {
        const Use use(self);
        if (!use)
            return nullptr;
        if (gdvar_save_code(use.save(), limit, FoundCodes::take, &found, &count, &error))
            return raise(error);
    }
    return make_record(results.code, {found.make(), PyLong_FromUnsignedLongLong(count)});
}

namespace {

/// Raises the error of a value of a save. `path`: its place.
std::nullptr_t raise_at(const gdvar_error& error, const gdvar_buffer* path,
                        Asking asking = Asking::lookup) {
    const gdvar_bytes where = gdvar_buffer_bytes(path);
    return raise(error,
                 {.path = {static_cast<const char*>(where.data), where.size}, .asking = asking});
}

}  // namespace

PyObject* save_check(PyObject* self, PyObject*) {
    const BufferHandle path(gdvar_buffer_new());
    if (!path)
        return PyErr_NoMemory();
    const Use use(self);
    gdvar_error error;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) { return gdvar_save_check(save, &error, path.get()); }))
        return raise_at(error, path.get());
    return Ref::borrow(Py_None).release();
}

// ---- compared and patched ----

PyObject* save_diff(PyObject* self, PyObject* other) {
    if (!PyObject_TypeCheck(other, Py_TYPE(self))) {
        PyErr_Format(PyExc_TypeError, "a save is compared with a save, not %R", Py_TYPE(other));
        return nullptr;
    }
    if (self == other)
        return PyList_New(0);
    const BufferHandle made(gdvar_buffer_new());
    if (!made)
        return PyErr_NoMemory();
    {
        const Use use(self), with(other);
        gdvar_error error;
        if (!use || !with)
            return nullptr;
        if (use.run([&](gdvar_save* save) {
                return gdvar_save_diff(save, with.save(), made.get(), &error);
            }))
            return raise(error, {.asking = Asking::lookup});
    }
    return make_value_of(made.get(), patch_options());
}

PyObject* save_patch(PyObject* self, PyObject* changes) {
    Input given;
    gdvar_bytes packet{};
    const BufferHandle written(gdvar_buffer_new());
    if (!written)
        return PyErr_NoMemory();
    if (!take_patch(changes, given, written.get(), packet))
        return nullptr;
    const Use use(self);
    gdvar_error error;
    if (!use)
        return nullptr;
    if (use.run([&](gdvar_save* save) { return gdvar_save_patch(save, packet, &error); }))
        return raise_patching(error, packet);
    return Ref::borrow(Py_None).release();
}

// ---- converted ----

PyObject* save_convert(PyObject* self, PyObject* const* args, Py_ssize_t count) {
    if (count != 3)
        return PyErr_SetString(PyExc_TypeError, "a dialect, layers and losses are needed"), nullptr;
    const BufferHandle made(gdvar_buffer_new()), path(gdvar_buffer_new());
    gdvar_text layers{nullptr, 0};
    Ref kept_layers;
    if (!made || !path)
        return PyErr_NoMemory();
    const gdvar_dialect* target = take_dialect(args[0]);
    if (!target || !check_losses(args[2]))
        return nullptr;
    if (args[1] != Py_None && !take_layers(args[1], kept_layers, layers))
        return nullptr;
    Losses lost;
    {
        const Use use(self);
        gdvar_error error;
        if (!use)
            return nullptr;
        if (use.run([&](gdvar_save* save) {
                return gdvar_save_convert(save, target, layers, made.get(), Losses::take, &lost,
                                          &error, path.get());
            }))
            return raise_at(error, path.get());
    }
    const gdvar_text name = gdvar_dialect_name(target);
    if (!lost.settle(args[2], std::string(name.data, name.size).c_str()))
        return nullptr;
    return make_bytes(made.get());
}

// ---- made anew ----

namespace {

/// The kind of that name, or an empty one.
gdvar_kind find_kind(std::string_view name) {
    for (std::size_t i = 0;; ++i) {
        const gdvar_kind kind = gdvar_kind_at(i);
        if (!kind.name.size || view(kind.name) == name)
            return kind;
    }
}

/// The values of a new document, as packets.
struct NewValues {
    std::deque<BufferHandle> packets{};
    std::deque<Ref> kept{};
    std::vector<gdvar_save_item> items{};

    bool add(PyObject* value, const gdvar_options& options) {
        packets.emplace_back(gdvar_buffer_new());
        if (!packets.back())
            return PyErr_NoMemory(), false;
        items.push_back({{"", 0}, {nullptr, 0}});
        return write_value(value, options, packets.back().get());
    }
    bool add(PyObject* name, PyObject* value, const gdvar_options& options) {
        if (!PyUnicode_Check(name)) {
            PyErr_Format(PyExc_TypeError, "a setting's name must be a str, not %R", Py_TYPE(name));
            return false;
        }
        if (!add(value, options))
            return false;
        kept.push_back(Ref::borrow(name));
        return take_text(name, items.back().name, kept.emplace_back());
    }
    /// Whether an object is a list of values, and not one value that can be iterated.
    static bool is_several(PyObject* values) {
        const bool is_value =
            PyUnicode_Check(values) || PyObject_CheckBuffer(values) ||
            (PyTuple_Check(values) && !PyTuple_CheckExact(values)) ||  // a Vector2
            PyObject_TypeCheck(values, state.plain.pairs) ||
            PyObject_TypeCheck(values, state.plain.packed_string_array) ||
            PyObject_HasAttrString(values, "keys");
        if (is_value)
            PyErr_Format(PyExc_TypeError,
                         "values is an iterable of all values, not one %R: put it into a list",
                         Py_TYPE(values));
        return !is_value;
    }
    /// A mapping for settings, an iterable for a kind of several values, else the only value.
    bool take(PyObject* values, const gdvar_kind& kind, const gdvar_options& options) {
        if (kind.several && !kind.named && !is_several(values))
            return false;
        const Ref all(kind.named     ? pairs_of(values, "values")
                      : kind.several ? PySequence_List(values)
                                     : PyList_New(0));
        if (!all)
            return false;
        for (Py_ssize_t i = 0; i < PyList_Size(all.get()); ++i) {
            PyObject* each = PyList_GetItem(all.get(), i);
            if (kind.named ? !add(PyTuple_GetItem(each, 0), PyTuple_GetItem(each, 1), options)
                           : !add(each, options))
                return false;
        }
        if (!kind.several && !add(values, options))
            return false;
        for (std::size_t i = 0; i < items.size(); ++i)
            items[i].packet = gdvar_buffer_bytes(packets[i].get());
        return true;
    }
};

PyObject* make_save(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *values = nullptr, *kind_name = nullptr, *dialect = nullptr, *objects = nullptr;
    Arg all[] = {{"kind", &kind_name, true},
                 {"values", &values, true},
                 {"dialect", &dialect},
                 {"objects", &objects}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    gdvar_text name;
    Ref kept_name;
    const BufferHandle made(gdvar_buffer_new()), path(gdvar_buffer_new());
    if (!made || !path)
        return PyErr_NoMemory();
    if (!take_args("make_save", args, count, names, all, 4, 2) ||
        !take_options(options, dialect, nullptr, objects, nullptr))
        return nullptr;
    if (!PyUnicode_Check(kind_name)) {
        PyErr_Format(PyExc_TypeError, "kind must be a str, not %R", Py_TYPE(kind_name));
        return nullptr;
    }
    if (!take_text(kind_name, name, kept_name))
        return nullptr;
    const gdvar_kind kind = find_kind(view(name));
    if (kind.made)
        options.flags |= GDVAR_ALLOW_OBJECTS;
    NewValues given;
    if (kind.name.size && !given.take(values, kind, options))
        return nullptr;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_make_document(name, given.items.data(), given.items.size(), options.dialect,
                            made.get(), &error, path.get());
    }
    if (error.code)
        return raise_at(error, path.get(), Asking::encode);
    return make_bytes(made.get());
}

PyObject* save_kinds(PyObject*, PyObject*) {
    const Ref list(PyList_New(0));
    gdvar_kind kind{};
    for (std::size_t i = 0; (kind = gdvar_kind_at(i)).name.size; ++i) {
        const Ref made(make_kind(kind));
        if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
            return nullptr;
    }
    return list ? PyList_AsTuple(list.get()) : nullptr;
}

// ---- layers ----

PyObject* wrap(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *layers = nullptr;
    KeyArgs key;
    Arg all[] = {{"data", &data, true},
                 {"layers", &layers, true},
                 {"password", &key.password},
                 {"key", &key.key}};
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    gdvar_text stack;
    Ref kept;
    Input bytes;
    const BufferHandle to(gdvar_buffer_new());
    if (!to)
        return PyErr_NoMemory();
    if (!take_args("wrap", args, count, names, all, 4, 2) || !take_key(key, options) ||
        !take_layers(layers, kept, stack) || !bytes.take(data))
        return nullptr;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_wrap(bytes.view(), stack, &options, to.get(), &error);
    }
    return error.code ? raise(error) : make_bytes(to.get());
}

PyObject* unwrap(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject* data = nullptr;
    SaveArgs given;
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    Input bytes;
    const BufferHandle to(gdvar_buffer_new()), layers(gdvar_buffer_new());
    if (!to || !layers)
        return PyErr_NoMemory();
    if (!given.take({"unwrap", args, count, names}, {{"data", &data, true}}, 1, options,
                    SaveArgs::max_layers) ||
        !bytes.take(data))
        return nullptr;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_unwrap(bytes.view(), &options, to.get(), layers.get(), &error);
    }
    if (error.code)
        return raise(error);
    return make_record(results.unwrapped, {make_bytes(to.get()), make_names(layers.get())});
}

#define KEYS "password=None, key=None, keys=None, max_bytes=None, max_text=None, "
#define PLACE "read_as=None, skip=0"
PyMethodDef functions[] = {
    {"identify", method(identify), METH_FASTCALL | METH_KEYWORDS,
     "identify(data, *, " KEYS PLACE ", dialect=None, objects=False, inside=None,\n"
     "         entries=None, max_layers=None)\n--\n\n"
     "What some bytes are: Identified(stack, findings, error). Nothing is raised for bytes that "
     "are\n"
     "no save, or one that can't be opened: `error` says why, and the findings go on up to there.\n"
     "Arguments as those of `open_save`."},
    {"make_save", method(make_save), METH_FASTCALL | METH_KEYWORDS,
     "make_save(kind, values, *, dialect='godot-4.4', objects=False)\n--\n\n"
     "The bytes of a new save, in no layer (see `wrap`). `values`: for 'records' and 'json-lines' "
     "an\n"
     "iterable, for 'project' a mapping of names to values, for all other kinds the only value.\n\n"
     "Raises SaveError (no such kind), EncodeError (a value that the kind can't hold, a kind that "
     "is\n"
     "only changed or read)."},
    {"save_kinds", save_kinds, METH_NOARGS,
     "save_kinds()\n--\n\nAll kinds of documents that saves hold: a tuple of SaveKind."},
    {"recover", method(recover), METH_FASTCALL | METH_KEYWORDS,
     "recover(data, *, " KEYS PLACE ", dialect=None, partial=True, layers=None)\n--\n\n"
     "What can be read of a damaged save, as a sound one, and what is lost: a Recovery.\n\n"
     "`partial`: keep values that break off, up to the break. `layers`: those of the sound save, "
     "as\n"
     "for `wrap`; None: those of the damaged one. Other arguments as those of `open_save`. "
     "Objects\n"
     "are data.\n\n"
     "Raises SaveError (nothing readable was found: perhaps the key is wrong), LimitError."},
    {"wrap", method(wrap), METH_FASTCALL | METH_KEYWORDS,
     "wrap(data, layers, *, password=None, key=None)\n--\n\n"
     "Bytes put into layers: 'gcpf-fastlz', 'gcpf-deflate', 'gcpf-zstd', 'gcpf-gzip', 'gdec-3',\n"
     "'gdec-4', 'gzip', 'zlib', 'deflate', 'zstd', 'brotli', 'base64', 'hex'. Several stand in "
     "one\n"
     "str with spaces or ' > ' between them, or in an iterable, the outermost first.\n\n"
     "`password` or `key` (32 bytes, or 64 hex digits) is for gdec. Raises SaveError."},
    {"unwrap", method(unwrap), METH_FASTCALL | METH_KEYWORDS,
     "unwrap(data, *, " KEYS PLACE ", max_layers=None)\n--\n\n"
     "Bytes taken out of all their layers: Unwrapped(data, layers). What is in no layer is given "
     "as\n"
     "it is.\n\n"
     "`max_bytes` bounds what a layer may declare. `read_as='deflate'` and 'brotli' name layers "
     "that\n"
     "have no magic. Values that hold a save stay closed. Raises SaveError, LimitError."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_whole_saves(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
