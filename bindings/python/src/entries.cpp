#include <vector>

#include "save.hpp"

namespace gdvar_py {
namespace {

PyObject* make_entry(const gdvar_entry& entry) {
    const auto is = [&](std::uint32_t flag) { return (entry.flags & flag) != 0; };
    return make_record<"Entry">(
        entry.name, entry.size,
        is(GDVAR_ENTRY_OFFSET) ? PyLong_FromUnsignedLongLong(entry.offset) : Py_NewRef(Py_None),
        is(GDVAR_ENTRY_MD5) ? make_bytes({entry.md5, sizeof entry.md5}) : Py_NewRef(Py_None),
        is(GDVAR_ENTRY_ENCRYPTED), !is(GDVAR_ENTRY_ABSENT), is(GDVAR_ENTRY_HOSTILE),
        make_tuple(entry.note_count, [&](std::size_t i) { return make_text(entry.notes[i]); }));
}
using Entries = Pieces<gdvar_entry, make_entry>;

}  // namespace

/// `file`: the name of a file, as bytes; or None, and `data` are the bytes.
PyObject* entries_of(const Call& call) {
    PyObject *data = nullptr, *file = nullptr;
    SaveArgs given;
    Input bytes;
    const Output description;
    if (!given.take(call, 2, {{"data", data}, {"file", file}}, SaveArgs::finding))
        return nullptr;
    const bool named = file != Py_None;
    char* path = nullptr;
    if (named ? PyBytes_AsStringAndSize(data, &path, nullptr) < 0 : !bytes.take(data))
        return nullptr;
    Entries entries;
    gdvar_error error;
    if (run_freely([&] {
            return named ? gdvar_list_entries(path, &given.options, Entries::take, &entries,
                                              description.get(), &error)
                         : gdvar_read_entries(bytes.view(), &given.options, Entries::take, &entries,
                                              description.get(), &error);
        }))
        return raise(error, {.file = named ? file : nullptr});
    return make_record<"Entries">(description.text(), entries.make_as_tuple());
}

}  // namespace gdvar_py
