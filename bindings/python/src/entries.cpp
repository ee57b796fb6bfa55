#include <vector>

#include "save.hpp"

namespace gdvar_py {
namespace {

/// A file of an archive.
struct KeptEntry : gdvar_entry {
    KeptEntry(const gdvar_entry& from, Texts& texts)
        : gdvar_entry(from), all_notes(notes, notes + note_count) {
        name = texts.keep(view(name));
        for (gdvar_text& note : all_notes)
            note = texts.keep(view(note));
    }
    bool is(std::uint32_t flag) const noexcept { return (flags & flag) != 0; }
    PyObject* make() const {
        return make_record<"Entry">(
            name, size,
            is(GDVAR_ENTRY_OFFSET) ? PyLong_FromUnsignedLongLong(offset) : Py_NewRef(Py_None),
            is(GDVAR_ENTRY_MD5) ? make_bytes({md5, sizeof md5}) : Py_NewRef(Py_None),
            is(GDVAR_ENTRY_ENCRYPTED), !is(GDVAR_ENTRY_ABSENT), is(GDVAR_ENTRY_HOSTILE),
            make_tuple(all_notes.size(), [&](std::size_t i) { return make_text(all_notes[i]); }));
    }
    std::vector<gdvar_text> all_notes;
};
using Entries = Pieces<gdvar_entry, KeptEntry>;

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
