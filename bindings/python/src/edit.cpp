// Finds places in packets, changes them and compares them.
#include <string>

#include "results.hpp"

namespace gdvar_py {
namespace {

/// Raises the error of an operation on a packet at a path.
std::nullptr_t raise_at(const gdvar_error& error, gdvar_bytes packet, const gdvar_options& options,
                        const Text& path) {
    const std::string found = path_of(error, packet, options);
    return raise(error, {.path = found.empty() ? path.view() : found});
}

PyObject* lookup(const Call& call) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    Text path;
    const DocumentHandle document(gdvar_document_new());
    if (!call.take_reading(2, {{"data", bytes}, {"path", path}}, options) ||
        !read_packet(document.get(), bytes.view(), options))
        return nullptr;
    const Packet packet{document.get(), gdvar_document_tape(document.get()), bytes.object()};
    MatchLimit limit(packet.tape.size);
    Matches matches([&](const gdvar_match& match) -> PyObject* {
        if (!limit.take(match))
            return nullptr;
        return make_record<"Match">(match.path, match.node == GDVAR_NO_NODE
                                                    ? make_part(match.packet, options)
                                                    : make_value(packet, match.node));
    });
    gdvar_error error;
    const std::uint16_t code =
        gdvar_lookup(document.get(), path.text(), matches.take, &matches, nullptr, &error);
    if (code && !PyErr_Occurred()) {
        Refusal refusal;
        gdvar_explain_path(document.get(), path.text(), Refusal::take, &refusal);
        return refusal.raise(error, path.view());
    }
    return matches.release();
}

PyObject* set_value(const Call& call) {
    PyObject* value = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    Text path;
    const Output packet, made;
    if (!call.take_reading(3, {{"data", bytes}, {"path", path}, {"value", value}}, options) ||
        !write_value(value, options, packet.get()))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size(), [&] {
        return gdvar_set(bytes.view(), path.text(), packet.bytes(), &options, made.get(), &error);
    });
    return code ? raise_at(error, bytes.view(), options, path) : make_bytes(made.bytes());
}

PyObject* erase_value(const Call& call) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    Text path;
    const Output made;
    if (!call.take_reading(2, {{"data", bytes}, {"path", path}}, options))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size(), [&] {
        return gdvar_erase(bytes.view(), path.text(), &options, made.get(), &error);
    });
    return code ? raise_at(error, bytes.view(), options, path) : make_bytes(made.bytes());
}

PyObject* convert(const Call& call) {
    PyObject *to = nullptr, *width = nullptr;
    gdvar_options from = GDVAR_OPTIONS_INIT, target = GDVAR_OPTIONS_INIT;
    Input bytes;
    Losses lost;
    const Output made;
    if (!call.take_reading(
            2, {{"data", bytes}, {"to", to}, {"losses", lost}, {"to_real_width", width}}, from) ||
        !take_options(target, to, nullptr, nullptr, nullptr, width))
        return nullptr;
    target.flags |= from.flags & GDVAR_ALLOW_OBJECTS;
    gdvar_error error;
    if (run_freely([&] {
            return gdvar_convert(bytes.view(), &from, &target, made.get(), Losses::take, &lost,
                                 &error);
        }))
        return raise_reading(error, bytes.view(), from);
    return lost.settle(view(gdvar_dialect_name(target.dialect))) ? make_bytes(made.bytes())
                                                                 : nullptr;
}

// ---- diff, patch ----

PyObject* diff(const Call& call) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input from, to;
    const DocumentHandle before(gdvar_document_new()), after(gdvar_document_new());
    const Output made;
    if (!call.take_reading(2, {{"a", from}, {"b", to}}, options) ||
        !read_packet(before.get(), from.view(), options) ||
        !read_packet(after.get(), to.view(), options))
        return nullptr;
    gdvar_error error;
    if (run(from.size() + to.size(),
            [&] { return gdvar_diff(before.get(), after.get(), made.get(), &error); }))
        return raise(error, {.writing = true});
    return make_value_of(made, patch_options());
}

PyObject* patch(const Call& call) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    Patch changes;
    const Output made;
    if (!call.take_reading(2, {{"data", bytes}, {"changes", changes}}, options))
        return nullptr;
    gdvar_error error;
    const std::uint16_t code = run(bytes.size() + changes.packet.size, [&] {
        return gdvar_patch(bytes.view(), changes.packet, &options, made.get(), &error);
    });
    return code ? changes.raise(error) : make_bytes(made.bytes());
}

PyMethodDef functions[] = {
    row<"lookup", lookup>(
        "lookup(data, path, *, " GDVAR_READING
        R"(All values of the packet `data` that a path leads to ('$.players[*].hp', docs/paths.md): a
list of Match(path, value), in the order of the bytes.

Raises PathError, DecodeError; LimitError if the matches hold each other so often that they
have more than 50 times the packet's bytes (and 8 MB).)"),
    row<"set_value", set_value>("set_value(data, path, value, *, " GDVAR_READING
                                R"(The packet with the value at `path`; every other byte stays.

Adds a key, property or next element that is not there. Raises PathError, DecodeError,
EncodeError.)"),
    row<"erase_value", erase_value>(
        "erase_value(data, path, *, " GDVAR_READING
        R"(The packet without the element, pair or property at `path`; every other byte stays.

Raises PathError, DecodeError.)"),
    row<"convert", convert>("convert(data, to, *, losses=None, to_real_width=4, " GDVAR_READING
                            R"(The packet in the dialect `to`.

If `to` can't express a value, this raises LossError, which has all of them. With a list as
`losses` it appends a Loss for each one instead, and gives the packet with what stands for
them. Raises DecodeError.)"),
    row<"diff", diff>(
        "diff(a, b, *, " GDVAR_READING
        R"(What makes the packet `b` of the packet `a`: a list of changes, for `patch` (docs/patch.md).
Values are compared, not their bytes.

Raises DecodeError.)"),
    row<"patch", patch>(
        "patch(data, changes, *, " GDVAR_READING
        R"(The packet with the changes that `diff` gave, as that list or as its packet. Bytes that no
change touches stay.

Raises PatchError, DecodeError.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

gdvar_options patch_options() noexcept {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    options.flags = GDVAR_ALLOW_OBJECTS;
    return options;
}

bool take_argument(PyObject* changes, const char*, Patch& to) {
    const bool written = !PyObject_CheckBuffer(changes);
    if (written ? !write_value(changes, patch_options(), to.written.get())
                : !to.given.take(changes))
        return false;
    to.packet = written ? to.written.bytes() : to.given.view();
    return true;
}

std::nullptr_t Patch::raise(gdvar_error& error) const {
    if (error.source == GDVAR_FROM_CALL) {  // not an Array of changes
        error.source = GDVAR_FROM_PATCH;
        error.change = SIZE_MAX;
    }
    const Output path;
    if (error.source == GDVAR_FROM_PATCH && error.change != SIZE_MAX)
        gdvar_change_path(packet, error.change, path.get(), nullptr);
    return gdvar_py::raise(error, {.path = path.text()});
}

bool add_edit(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
