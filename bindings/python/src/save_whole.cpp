// Saves as a whole: what they are, compared, patched, converted, made anew; layers alone.
#include <algorithm>
#include <string>
#include <vector>

#include "save.hpp"

namespace gdvar_py {

// ---- what a save is ----

PyObject* make_kind(const gdvar_kind& kind) {
    return make_record<"SaveKind">(kind.name, kind.text != 0, kind.named != 0, kind.several != 0,
                                   kind.made != 0, kind.only_read != 0);
}

namespace {

PyObject* make_finding(const gdvar_finding& found) {
    const auto readings = [](const gdvar_reading* all, std::size_t count) {
        return make_tuple(count, [&](std::size_t i) {
            return make_record<"Reading">(all[i].name, all[i].reason);
        });
    };
    return make_record<"Finding">(found.name, found.reason, found.at, found.opened_with,
                                  make_layer(found.layer),
                                  readings(found.others, found.other_count),
                                  readings(found.ruled_out, found.ruled_out_count));
}
using Findings = Pieces<gdvar_finding, make_finding>;

PyObject* make_code(const gdvar_code& code) {
    return make_record<"FoundCode">(code.kind, code.path, code.what);
}
using FoundCodes = Pieces<gdvar_code, make_code>;

PyObject* identify(const Call& call) {
    SaveArgs given;
    Input bytes;
    const Output stack;
    if (!given.take(call, 1, {{"data", bytes}}, SaveArgs::finding))
        return nullptr;
    given.options.flags |= GDVAR_ALL_READINGS;
    Findings findings;
    gdvar_error error;
    run_freely([&] {
        return gdvar_identify(bytes.view(), &given.options, Findings::take, &findings, stack.get(),
                              &error);
    });
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
    return make_record<"Identified">(stack.text(), findings.make_as_tuple(), why.release());
}

}  // namespace

PyObject* save_findings(PyObject* self) {
    Findings findings;
    const bool done = on_save(self, [&](gdvar_save* save, gdvar_error* error) {
        return gdvar_save_findings(save, Findings::take, &findings, error);
    });
    return done ? findings.make_as_tuple() : nullptr;
}

PyObject* save_code(PyObject* self, PyObject* most) {
    FoundCodes found;
    std::uint64_t count = 0;
    const std::size_t limit = PyLong_AsSize_t(most);
    if (PyErr_Occurred())
        return nullptr;
    const bool done = on_save(self, [&](gdvar_save* save, gdvar_error* error) {
        return gdvar_save_code(save, limit, FoundCodes::take, &found, &count, error);
    });
    return done ? make_record<"Code">(found.make(), count) : nullptr;
}

PyObject* save_check(PyObject* self) {
    const Output path;
    return none_if(on_save(
        self,
        [&](gdvar_save* save, gdvar_error* error) {
            return gdvar_save_check(save, error, path.get());
        },
        &path));
}

// ---- compared and patched ----

PyObject* save_diff(PyObject* self, PyObject* other) {
    if (!PyObject_TypeCheck(other, Py_TYPE(self))) {
        PyErr_Format(PyExc_TypeError, "a save is compared with a save, not %R", Py_TYPE(other));
        return nullptr;
    }
    if (self == other)
        return PyList_New(0);
    const Output made;
    {
        const Use use(self);
        if (!use)
            return nullptr;
        const Use with(other);
        if (!with || !use.did([&](gdvar_save* save, gdvar_error* error) {
                return gdvar_save_diff(save, with.save(), made.get(), error);
            }))
            return nullptr;
    }
    return make_value_of(made, patch_options());
}

PyObject* save_patch(const Call& call) {
    Patch changes;
    if (!call.take(1, {{"changes", changes}}))
        return nullptr;
    const Use use(call.self);
    if (!use)
        return nullptr;
    gdvar_error error;
    if (run_freely([&] { return gdvar_save_patch(use.save(), changes.packet, &error); }))
        return changes.raise(error);
    return Py_NewRef(Py_None);
}

// ---- converted ----

PyObject* save_convert(const Call& call) {
    PyObject* to = nullptr;
    std::optional<Layers> layers;
    Losses lost;
    const Output made, path;
    if (!call.take(3, {{"to", to}, {"layers", layers}, {"losses", lost}}))
        return nullptr;
    const gdvar_dialect* target = take_dialect(to);
    const gdvar_text stack = layers ? layers->text : Layers().text;
    if (!target || !on_save(
                       call.self,
                       [&](gdvar_save* save, gdvar_error* error) {
                           return gdvar_save_convert(save, target, stack, made.get(), Losses::take,
                                                     &lost, error, path.get());
                       },
                       &path))
        return nullptr;
    return lost.settle(view(gdvar_dialect_name(target))) ? make_bytes(made.bytes()) : nullptr;
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
    std::deque<Output> packets{};
    std::deque<Text> names{};
    std::vector<gdvar_save_item> items{};

    bool add(PyObject* value, const gdvar_options& options) {
        if (!write_value(value, options, packets.emplace_back().get()))
            return false;
        items.push_back({{"", 0}, packets.back().bytes()});
        return true;
    }
    bool add(PyObject* name, PyObject* value, const gdvar_options& options) {
        if (!names.emplace_back().take(name, "a setting's name") || !add(value, options))
            return false;
        items.back().name = names.back().text();
        return true;
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
        if (kind.named)
            return each_pair(values, "values", [&](PyObject* name, PyObject* value) {
                return add(name, value, options);
            });
        if (!kind.several)
            return add(values, options);
        const Ref all(is_several(values) ? PySequence_List(values) : nullptr);
        for (Py_ssize_t i = 0; all && i < PyList_Size(all.get()); ++i)
            if (!add(PyList_GetItem(all.get(), i), options))
                return false;
        return static_cast<bool>(all);
    }
};

PyObject* make_save(const Call& call) {
    PyObject *values = nullptr, *dialect = nullptr, *objects = nullptr;
    Text name;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    const Output made, path;
    if (!call.take(
            2, {{"kind", name}, {"values", values}, {"dialect", dialect}, {"objects", objects}}) ||
        !take_options(options, dialect, nullptr, objects, nullptr))
        return nullptr;
    const gdvar_kind kind = find_kind(name.view());
    if (kind.made)
        options.flags |= GDVAR_ALLOW_OBJECTS;
    NewValues given;
    if (kind.name.size && !given.take(values, kind, options))
        return nullptr;
    gdvar_error error;
    if (run_freely([&] {
            return gdvar_make_document(name.text(), given.items.data(), given.items.size(),
                                       options.dialect, made.get(), &error, path.get());
        }))
        return raise(error, {.path = path.text(), .writing = true});
    return make_bytes(made.bytes());
}

PyObject* save_kinds(PyObject*) {
    std::size_t count = 0;
    while (gdvar_kind_at(count).name.size)
        ++count;
    return make_tuple(count, [](std::size_t i) { return make_kind(gdvar_kind_at(i)); });
}

// ---- layers ----

/// Names the layer that is refused, if it is by its name: each is tried alone.
std::string unknown_layer(std::string_view layers, const gdvar_save_options& options) {
    while (!layers.empty()) {
        const std::size_t end = std::min(layers.find(' '), layers.size());
        const Output to;
        gdvar_error error;
        if (gdvar_wrap({}, {layers.data(), end}, &options, to.get(), &error) ==
            gdvar_error_code("bad_mode"))
            return "there is no layer \"" + std::string(layers.substr(0, end)) + '"';
        layers.remove_prefix(std::min(end + 1, layers.size()));
    }
    return {};
}

PyObject* wrap(const Call& call) {
    Secret secret;
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    Layers layers;
    Input bytes;
    const Output to;
    if (!call.take(2, {{"data", bytes},
                       {"layers", layers},
                       {"password", secret.password},
                       {"key", secret.key}}) ||
        !secret.fill(options))
        return nullptr;
    gdvar_error error;
    if (run_freely(
            [&] { return gdvar_wrap(bytes.view(), layers.text, &options, to.get(), &error); }))
        return raise(error, {.what = unknown_layer(view(layers.text), options)});
    return make_bytes(to.bytes());
}

PyObject* unwrap(const Call& call) {
    SaveArgs given;
    Input bytes;
    const Output to, layers;
    if (!given.take(call, 1, {{"data", bytes}}, SaveArgs::max_layers))
        return nullptr;
    gdvar_error error;
    if (run_freely([&] {
            return gdvar_unwrap(bytes.view(), &given.options, to.get(), layers.get(), &error);
        }))
        return raise(error);
    return make_record<"Unwrapped">(to.bytes(), make_names(layers));
}

#define KEYS                                                                            \
    "password=None, key=None, keys=None, max_bytes=None, max_text=None, read_as=None, " \
    "skip=0, "
PyMethodDef functions[] = {
    row<"identify", identify>("identify(data, *, " KEYS "dialect=None, objects=False, inside=None, "
                              R"(entries=None, max_layers=None)
--

What some bytes are: Identified(stack, findings, error). Nothing is raised for bytes that are
no save, or one that can't be opened: `error` says why, and the findings go on up to there.
Arguments as those of `open_save`.)"),
    row<"make_save", make_save>(R"(make_save(kind, values, *, dialect='godot-4.4', objects=False)
--

The bytes of a new save, in no layer (see `wrap`). `values`: for 'records' and 'json-lines' an
iterable, for 'project' a mapping of names to values, for all other kinds the only value.

Raises SaveError (no such kind), EncodeError (a value that the kind can't hold, a kind that is
only changed or read).)"),
    row<"save_kinds", save_kinds>(R"(save_kinds()
--

All kinds of documents that saves hold: a tuple of SaveKind.)"),
    row<"recover", recover>("recover(data, *, " KEYS
                            R"(dialect=None, inside=None, partial=True, layers=None)
--

What can be read of a damaged save, as a sound one, and what is lost: a Recovery.

`partial`: keep values that break off, up to the break. `layers`: those of the sound save, as
for `wrap`; None: those of the damaged one. Other arguments as those of `open_save`. Objects
are data.

Raises SaveError (nothing readable was found: perhaps the key is wrong), LimitError.)"),
    row<"wrap", wrap>(R"(wrap(data, layers, *, password=None, key=None)
--

Bytes put into layers: 'gcpf-fastlz', 'gcpf-deflate', 'gcpf-zstd', 'gcpf-gzip', 'gdec-3',
'gdec-4', 'gzip', 'zlib', 'deflate', 'zstd', 'brotli', 'base64', 'hex'. Several stand in one
str with spaces or ' > ' between them, or in an iterable, the outermost first.

`password` or `key` (32 bytes, or 64 hex digits) is for gdec. Raises SaveError.)"),
    row<"unwrap", unwrap>("unwrap(data, *, " KEYS R"(max_layers=None)
--

Bytes taken out of all their layers: Unwrapped(data, layers). What is in no layer is given as
it is.

`max_bytes` bounds what a layer may declare. `read_as='deflate'` and 'brotli' name layers that
have no magic. Values that hold a save stay closed. Raises SaveError, LimitError.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_whole_saves(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
