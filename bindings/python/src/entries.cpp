#include <string>
#include <vector>

#include "save.hpp"

namespace gdvar_py {
namespace {

/// Collects the files of an archive without Python.
class Entries {
public:
    /// For gdvar.h.
    static void take(void* entries, const gdvar_entry* from) noexcept {
        auto& to = *static_cast<Entries*>(entries);
        try {
            Kept kept{.name = std::string(view(from->name)), .entry = *from, .notes = {}};
            for (std::size_t i = 0; i < from->note_count; ++i)
                kept.notes.emplace_back(view(from->notes[i]));
            to.kept_.push_back(std::move(kept));
        } catch (const std::exception&) {
            to.full_ = true;
        }
    }
    PyObject* make() const {
        if (full_)
            return PyErr_NoMemory();
        const Ref list(PyList_New(0));
        for (const Kept& each : kept_) {
            const Ref made(make(each));
            if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
                return nullptr;
        }
        return list ? PyList_AsTuple(list.get()) : nullptr;
    }

private:
    struct Kept {
        std::string name;
        gdvar_entry entry;  ///< without its texts
        std::vector<std::string> notes;
    };
    static PyObject* make(const Kept& kept) {
        const gdvar_entry& from = kept.entry;
        const auto is = [&](std::uint32_t flag) { return (from.flags & flag) != 0; };
        const Ref notes(PyList_New(0));
        for (const std::string& note : kept.notes) {
            const Ref text(make_text(note));
            if (!notes || !text || PyList_Append(notes.get(), text.get()) < 0)
                return nullptr;
        }
        PyObject* offset = is(GDVAR_ENTRY_OFFSET) ? PyLong_FromUnsignedLongLong(from.offset)
                                                  : Ref::borrow(Py_None).release();
        PyObject* md5 = is(GDVAR_ENTRY_MD5)
                            ? PyBytes_FromStringAndSize(reinterpret_cast<const char*>(from.md5),
                                                        sizeof from.md5)
                            : Ref::borrow(Py_None).release();
        return make_record(
            results.entry,
            {make_text(kept.name), PyLong_FromUnsignedLongLong(from.size), offset, md5,
             PyBool_FromLong(is(GDVAR_ENTRY_ENCRYPTED)), PyBool_FromLong(!is(GDVAR_ENTRY_ABSENT)),
             PyBool_FromLong(is(GDVAR_ENTRY_HOSTILE)),
             notes ? PyList_AsTuple(notes.get()) : nullptr});
    }

    std::vector<Kept> kept_;
    bool full_ = false;  ///< out of memory
};

/// `file`: the name of a file, as bytes; or None, and `data` are the bytes.
PyObject* entries_of(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *file = nullptr;
    gdvar_save_options options = GDVAR_SAVE_OPTIONS_INIT;
    SaveArgs given;
    Input bytes;
    const BufferHandle description(gdvar_buffer_new());
    if (!description)
        return PyErr_NoMemory();
    if (!given.take({"_entries", args, count, names},
                    {{"data", &data, true}, {"file", &file, true}}, 2, options, SaveArgs::finding))
        return nullptr;
    const bool named = file != Py_None;
    char* path = nullptr;
    if (named ? PyBytes_AsStringAndSize(data, &path, nullptr) < 0 : !bytes.take(data))
        return nullptr;
    Entries entries;
    gdvar_error error;
    {
        const WithoutGil others;
        if (named)
            gdvar_list_entries(path, &options, Entries::take, &entries, description.get(), &error);
        else
            gdvar_read_entries(bytes.view(), &options, Entries::take, &entries, description.get(),
                               &error);
    }
    if (error.code)
        return named ? raise(error, {.file = file}) : raise(error);
    return make_record(results.entries, {make_text_of(description.get()), entries.make()});
}

PyMethodDef functions[] = {
    {"_entries", method(entries_of), METH_FASTCALL | METH_KEYWORDS,
     "_entries(data, file, *, password=None, key=None, keys=None, max_bytes=None, max_text=None,\n"
     "         read_as=None, skip=0, dialect=None, objects=False, inside=None, entries=None, "
     "max_layers=None)\n--\n\n"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_entries(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
