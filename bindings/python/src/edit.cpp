// Finds places in packets, changes them and compares them.
#include <algorithm>
#include <string>

#include "results.hpp"

namespace gdvar_py {
namespace {

class PathArg {
public:
    bool take(PyObject* path) {
        if (PyUnicode_Check(path))
            return take_text(path, text_, kept_);
        PyErr_Format(PyExc_TypeError, "path must be a str, not %R", Py_TYPE(path));
        return false;
    }
    gdvar_text text() const noexcept { return text_; }
    std::string_view view() const noexcept { return {text_.data, text_.size}; }

private:
    gdvar_text text_{"", 0};
    Ref kept_;
};

/// Raises the error of an operation on a packet at a path.
std::nullptr_t raise_at(const gdvar_error& error, gdvar_bytes packet, const gdvar_options& options,
                        const PathArg& path) {
    const BufferHandle where(gdvar_buffer_new());
    if (!where)
        return PyErr_NoMemory(), nullptr;
    gdvar_error_path(packet, &options, &error, where.get());
    const gdvar_bytes text = gdvar_buffer_bytes(where.get());
    const std::string_view found(static_cast<const char*>(text.data), text.size);
    return raise(error, {.path = found.empty() ? path.view() : found});
}

// ---- lookup ----

/// Makes the matches of a path as they are found.
class Matches {
public:
    Matches(const Packet& packet, const gdvar_options& options)
        : packet_(packet), options_(options), list_(PyList_New(0)), limit_(packet.tape.size) {}
    /// For gdvar.h: false to stop, with an exception.
    static int take(void* matches, const gdvar_match* match) {
        return static_cast<Matches*>(matches)->add(*match);
    }
    PyObject* release() { return PyErr_Occurred() ? nullptr : list_.release(); }

private:
    bool add(const gdvar_match& match) {
        if (!limit_.take(match))
            return false;
        PyObject* value =
            match.node == GDVAR_NO_NODE ? make_part(match.packet) : make_value(packet_, match.node);
        const Ref made(make_record(results.match, {make_text(match.path), value}));
        return made && PyList_Append(list_.get(), made.get()) == 0;
    }
    /// A part of a value, such as a vector's x, which is not a node.
    PyObject* make_part(gdvar_bytes bytes) const {
        const DocumentHandle document(gdvar_document_new());
        if (!read_packet(document.get(), bytes, options_))
            return nullptr;
        return make_value({document.get(), gdvar_document_tape(document.get()), nullptr}, 0);
    }

    const Packet& packet_;
    const gdvar_options& options_;
    Ref list_;
    MatchLimit limit_;
};

PyObject* lookup(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *path = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    PathArg where;
    const DocumentHandle document(gdvar_document_new());
    if (!take_reading({"lookup", args, count, names},
                      {{"data", &data, true}, {"path", &path, true}}, 2, options) ||
        !where.take(path) || !bytes.take(data) ||
        !read_packet(document.get(), bytes.view(), options))
        return nullptr;
    const Packet packet{document.get(), gdvar_document_tape(document.get()), bytes.object()};
    Matches matches(packet, options);
    gdvar_error error;
    const std::uint16_t code =
        gdvar_lookup(document.get(), where.text(), Matches::take, &matches, nullptr, &error);
    if (code && !PyErr_Occurred()) {
        Refusal refusal;
        gdvar_explain_path(document.get(), where.text(), Refusal::take, &refusal);
        return refusal.raise(error, where.view());
    }
    return matches.release();
}

// ---- set_value, erase_value ----

PyObject* set_value(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *path = nullptr, *value = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    PathArg where;
    const BufferHandle packet(gdvar_buffer_new()), made(gdvar_buffer_new());
    if (!packet || !made)
        return PyErr_NoMemory();
    if (!take_reading({"set_value", args, count, names},
                      {{"data", &data, true}, {"path", &path, true}, {"value", &value, true}}, 3,
                      options) ||
        !where.take(path) || !write_value(value, options, packet.get()) || !bytes.take(data))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size(), [&] {
        return gdvar_set(bytes.view(), where.text(), gdvar_buffer_bytes(packet.get()), &options,
                         made.get(), &error);
    });
    return code ? raise_at(error, bytes.view(), options, where) : make_bytes(made.get());
}

PyObject* erase_value(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *path = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    PathArg where;
    const BufferHandle made(gdvar_buffer_new());
    if (!made)
        return PyErr_NoMemory();
    if (!take_reading({"erase_value", args, count, names},
                      {{"data", &data, true}, {"path", &path, true}}, 2, options) ||
        !where.take(path) || !bytes.take(data))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size(), [&] {
        return gdvar_erase(bytes.view(), where.text(), &options, made.get(), &error);
    });
    return code ? raise_at(error, bytes.view(), options, where) : make_bytes(made.get());
}

// ---- convert ----

PyObject* convert(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *to = nullptr, *losses = nullptr, *width = nullptr;
    gdvar_options from = GDVAR_OPTIONS_INIT, target = GDVAR_OPTIONS_INIT;
    Input bytes;
    const BufferHandle made(gdvar_buffer_new());
    if (!made)
        return PyErr_NoMemory();
    if (!take_reading({"convert", args, count, names},
                      {{"data", &data, true},
                       {"to", &to, true},
                       {"losses", &losses},
                       {"to_real_width", &width}},
                      2, from) ||
        !take_options(target, to, nullptr, nullptr, nullptr, width) || !check_losses(losses) ||
        !bytes.take(data))
        return nullptr;
    target.flags |= from.flags & GDVAR_ALLOW_OBJECTS;
    Losses lost;
    gdvar_error error;
    std::uint16_t code;
    {
        const WithoutGil others;
        code = gdvar_convert(bytes.view(), &from, &target, made.get(), Losses::take, &lost, &error);
    }
    if (code)
        return raise_reading(error, bytes.view(), from);
    const gdvar_text name = gdvar_dialect_name(target.dialect);
    if (!lost.settle(losses, std::string(name.data, name.size).c_str()))
        return nullptr;
    return make_bytes(made.get());
}

// ---- diff, patch ----

PyObject* diff(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *from = nullptr, *to = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input from_bytes, to_bytes;
    const DocumentHandle before(gdvar_document_new()), after(gdvar_document_new());
    const BufferHandle made(gdvar_buffer_new());
    if (!made)
        return PyErr_NoMemory();
    if (!take_reading({"diff", args, count, names}, {{"a", &from, true}, {"b", &to, true}}, 2,
                      options) ||
        !from_bytes.take(from) || !to_bytes.take(to) ||
        !read_packet(before.get(), from_bytes.view(), options) ||
        !read_packet(after.get(), to_bytes.view(), options))
        return nullptr;
    gdvar_error error;
    if (run(from_bytes.size() + to_bytes.size(),
            [&] { return gdvar_diff(before.get(), after.get(), made.get(), &error); }))
        return raise(error, {.asking = Asking::encode});
    return make_value_of(made.get(), patch_options());
}

PyObject* patch(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *changes = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes, given;
    gdvar_bytes packet{};
    const BufferHandle written(gdvar_buffer_new()), made(gdvar_buffer_new());
    if (!written || !made)
        return PyErr_NoMemory();
    if (!take_reading({"patch", args, count, names},
                      {{"data", &data, true}, {"changes", &changes, true}}, 2, options) ||
        !take_patch(changes, given, written.get(), packet) || !bytes.take(data))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size() + packet.size, [&] {
        return gdvar_patch(bytes.view(), packet, &options, made.get(), &error);
    });
    return code ? raise_patching(error, packet) : make_bytes(made.get());
}

#define READING \
    "dialect='godot-4.4', limits=None, objects=False, strict=False, real_width=4)\n--\n\n"
PyMethodDef functions[] = {
    {"lookup", method(lookup), METH_FASTCALL | METH_KEYWORDS,
     "lookup(data, path, *, " READING
     "All values of the packet `data` that a path leads to ('$.players[*].hp', docs/paths.md): a\n"
     "list of Match(path, value), in the order of the bytes.\n\n"
     "Raises PathError, DecodeError; LimitError if the matches hold each other so often that they\n"
     "have more than 50 times the packet's bytes (and 8 MB)."},
    {"set_value", method(set_value), METH_FASTCALL | METH_KEYWORDS,
     "set_value(data, path, value, *, " READING
     "The packet with the value at `path`; every other byte stays.\n\n"
     "Adds a key, property or next element that is not there. Raises PathError, DecodeError,\n"
     "EncodeError."},
    {"erase_value", method(erase_value), METH_FASTCALL | METH_KEYWORDS,
     "erase_value(data, path, *, " READING
     "The packet without the element, pair or property at `path`; every other byte stays.\n\n"
     "Raises PathError, DecodeError."},
    {"convert", method(convert), METH_FASTCALL | METH_KEYWORDS,
     "convert(data, to, *, losses=None, to_real_width=4, " READING
     "The packet in the dialect `to`.\n\n"
     "If `to` can't express a value, this raises LossError, which has all of them. With a list as\n"
     "`losses` it appends a Loss for each one instead, and gives the packet with what stands for\n"
     "them. Raises DecodeError."},
    {"diff", method(diff), METH_FASTCALL | METH_KEYWORDS,
     "diff(a, b, *, " READING "What makes the packet `b` of the packet `a`: a list of changes, for "
     "`patch` (docs/patch.md).\n"
     "Values are compared, not their bytes.\n\nRaises DecodeError."},
    {"patch", method(patch), METH_FASTCALL | METH_KEYWORDS,
     "patch(data, changes, *, " READING
     "The packet with the changes that `diff` gave, as that list or as its packet. Bytes that no\n"
     "change touches stay.\n\nRaises PatchError, DecodeError."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

gdvar_options patch_options() noexcept {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    options.flags = GDVAR_ALLOW_OBJECTS;
    return options;
}

bool take_patch(PyObject* changes, Input& given, gdvar_buffer* written, gdvar_bytes& to) {
    if (PyObject_CheckBuffer(changes)) {
        if (!given.take(changes))
            return false;
        to = given.view();
        return true;
    }
    if (!write_value(changes, patch_options(), written))
        return false;
    to = gdvar_buffer_bytes(written);
    return true;
}

std::nullptr_t raise_patching(gdvar_error& error, gdvar_bytes patch) {
    if (error.source == GDVAR_FROM_CALL) {  // not an Array of changes
        error.source = GDVAR_FROM_PATCH;
        error.change = SIZE_MAX;
    }
    const BufferHandle path(gdvar_buffer_new());
    if (!path)
        return PyErr_NoMemory(), nullptr;
    if (error.source == GDVAR_FROM_PATCH && error.change != SIZE_MAX)
        gdvar_change_path(patch, error.change, path.get(), nullptr);
    const gdvar_bytes text = gdvar_buffer_bytes(path.get());
    return raise(error, {.path = {static_cast<const char*>(text.data), text.size}});
}

bool add_edit(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
