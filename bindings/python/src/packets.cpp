// Inspects packets without making values.
#include <string>
#include <unordered_map>

#include "results.hpp"

namespace gdvar_py {
namespace {

PyObject* validate(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject* data = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    if (!take_reading({"validate", args, count, names}, {{"data", &data, true}}, 1, options) ||
        !bytes.take(data))
        return nullptr;
    std::size_t size = 0;
    gdvar_error error;
    if (run(bytes.size(), [&] { return gdvar_validate(bytes.view(), &options, &size, &error); }))
        return raise_reading(error, bytes.view(), options);
    return PyLong_FromSize_t(size);
}

// ---- annotate ----

/// True if a signal's handler raised an exception, such as that of Ctrl-C. From any thread that may
/// have let others run.
bool interrupted() {
    const PyGILState_STATE held = PyGILState_Ensure();
    const bool raised = PyErr_CheckSignals() < 0;
    PyGILState_Release(held);
    return raised;
}

/// Collects the first rows without Python; their texts are adjacent.
class Rows {
public:
    explicit Rows(std::size_t most) noexcept : most_(most) {}
    /// For gdvar.h. An exception ends gdvar_annotate, as running out of memory does.
    static void take(void* rows, const gdvar_row* row) {
        auto& to = *static_cast<Rows*>(rows);
        if (++to.total_ % rows_between_signals == 0 && interrupted()) {
            to.interrupted_ = true;
            throw std::bad_alloc();
        }
        if (to.kept_.size() < to.most_)
            to.add(*row);
    }
    bool was_interrupted() const noexcept { return interrupted_; }
    std::uint64_t total() const noexcept { return total_; }
    PyObject* make() const {
        Ref list(PyList_New(static_cast<Py_ssize_t>(kept_.size())));
        Types types;
        Ref path;
        std::size_t at = 0;
        for (std::size_t i = 0; list && i < kept_.size(); ++i) {
            PyObject* row = make(kept_[i], at, path, types);
            if (!row || (i % rows_between_signals == 0 && PyErr_CheckSignals() < 0)) {
                Py_XDECREF(row);
                return nullptr;
            }
            PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), row);
        }
        return list.release();
    }

private:
    /// The most bytes of a path that are kept: a long key is in the paths of everything below it.
    static constexpr std::size_t most_path = 1000;
    static constexpr std::size_t rows_between_signals = 1 << 14;
    static constexpr std::uint32_t same_path = UINT32_MAX;
    struct Kept {
        std::uint64_t offset, size;
        std::uint32_t path, type, value, note;  ///< sizes of texts
    };
    using Types = std::unordered_map<std::string_view, Ref>;

    std::uint32_t keep(gdvar_text text) {
        if (text.size)
            texts_.append(text.data, text.size);
        return static_cast<std::uint32_t>(text.size);
    }
    static bool continues(char byte) noexcept {
        return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    }
    std::uint32_t keep_path(std::string_view path) {
        if (path == last_path_ && !kept_.empty())
            return same_path;
        last_path_ = path;
        if (path.size() <= most_path)
            return keep({path.data(), path.size()});
        std::size_t head = most_path / 2, tail = path.size() - most_path / 2;
        while (head && continues(path[head]))
            --head;
        while (tail < path.size() && continues(path[tail]))
            ++tail;
        const std::size_t before = texts_.size();
        texts_.append(path.substr(0, head)).append("...").append(path.substr(tail));
        return static_cast<std::uint32_t>(texts_.size() - before);
    }
    void add(const gdvar_row& row) {
        Kept kept{row.offset, row.size, 0, 0, 0, 0};
        kept.path = keep_path({row.path.data, row.path.size});
        kept.type = keep(row.type);
        kept.value = keep(row.value);
        kept.note = keep(row.note);
        kept_.push_back(kept);
    }

    std::string_view text(std::size_t& at, std::uint32_t size) const {
        at += size;
        return std::string_view(texts_).substr(at - size, size);
    }
    /// Names of types are few: each is one str.
    static PyObject* make_type(std::string_view name, Types& types) {
        Ref& made = types[name];
        if (!made)
            made = Ref(make_text(name));
        return Ref::borrow(made.get()).release();
    }
    PyObject* make(const Kept& row, std::size_t& at, Ref& path, Types& types) const {
        if (row.path != same_path)
            path = Ref(make_text(text(at, row.path)));
        PyObject* type = make_type(text(at, row.type), types);
        PyObject* value = make_text(text(at, row.value));
        PyObject* note = make_text(text(at, row.note));
        return make_record(results.row, {PyLong_FromUnsignedLongLong(row.offset),
                                         PyLong_FromUnsignedLongLong(row.size),
                                         Ref::borrow(path.get()).release(), type, value, note});
    }

    std::vector<Kept> kept_;
    std::string texts_, last_path_;
    std::size_t most_;
    std::uint64_t total_ = 0;
    bool interrupted_ = false;
};

PyObject* annotate(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *most = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    if (!take_reading({"annotate", args, count, names}, {{"data", &data, true}, {"most", &most}}, 1,
                      options) ||
        !bytes.take(data))
        return nullptr;
    Rows rows(most ? PyLong_AsSize_t(most) : 100'000);
    if (PyErr_Occurred())
        return nullptr;
    std::size_t size = 0;
    gdvar_error error;
    run(bytes.size(),
        [&] { return gdvar_annotate(bytes.view(), &options, Rows::take, &rows, &size, &error); });
    if (rows.was_interrupted())
        return nullptr;
    Ref why = Ref::borrow(Py_None);
    if (error.code) {
        raise_reading(error, bytes.view(), options);
        if (!PyErr_ExceptionMatches(state.decode_error))
            return nullptr;
        why = Ref(take_exception());
    }
    return make_record(
        results.annotation,
        {rows.make(), error.code ? Ref::borrow(Py_None).release() : PyLong_FromSize_t(size),
         why.release(), PyLong_FromUnsignedLongLong(rows.total())});
}

// ---- check ----

/// Collects quirks without Python.
struct Quirks {
    struct Kept {
        std::string_view name;
        std::string path;
        std::uint64_t offset;
    };
    std::vector<Kept> kept;
    bool full = false;  ///< out of memory

    /// For gdvar.h.
    static void take(void* quirks, const gdvar_quirk* quirk) noexcept {
        auto& to = *static_cast<Quirks*>(quirks);
        try {
            to.kept.push_back({{quirk->name.data, quirk->name.size},
                               std::string(quirk->path.data, quirk->path.size),
                               quirk->offset});
        } catch (const std::exception&) {
            to.full = true;
        }
    }
    PyObject* make() const {
        if (full)
            return PyErr_NoMemory();
        Ref list(PyList_New(static_cast<Py_ssize_t>(kept.size())));
        for (std::size_t i = 0; list && i < kept.size(); ++i) {
            PyObject* quirk =
                make_record(results.quirk, {make_text(kept[i].name), make_text(kept[i].path),
                                            PyLong_FromUnsignedLongLong(kept[i].offset)});
            if (!quirk)
                return nullptr;
            PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), quirk);
        }
        return list.release();
    }
};

PyObject* check(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *most = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    if (!take_reading({"check", args, count, names}, {{"data", &data, true}, {"most", &most}}, 1,
                      options) ||
        !bytes.take(data))
        return nullptr;
    const std::size_t limit = most ? PyLong_AsSize_t(most) : 100;
    if (PyErr_Occurred())
        return nullptr;
    Quirks quirks;
    std::uint64_t found = 0;
    gdvar_error error;
    if (run(bytes.size(), [&] {
            return gdvar_check(bytes.view(), &options, limit, Quirks::take, &quirks, &found,
                               &error);
        }))
        return raise_reading(error, bytes.view(), options);
    return make_record(results.check, {quirks.make(), PyLong_FromUnsignedLongLong(found)});
}

// ---- guess, dialects ----

/// The packets of one object with the buffer protocol, or of an iterable of them.
bool take_packets(PyObject* packets, std::deque<Input>& to) {
    if (PyObject_CheckBuffer(packets))
        return to.emplace_back().take(packets);
    const Ref all(PySequence_Tuple(packets));
    const Py_ssize_t count = all ? PyTuple_Size(all.get()) : -1;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!to.emplace_back().take(PyTuple_GetItem(all.get(), i)))
            return false;
    return count >= 0;
}

/// Collects candidates without Python.
struct Candidates {
    struct Kept {
        gdvar_candidate what;
        std::string reason;
    };
    std::vector<Kept> kept;
    bool full = false;  ///< out of memory

    /// For gdvar.h.
    static void take(void* candidates, const gdvar_candidate* candidate) noexcept {
        auto& to = *static_cast<Candidates*>(candidates);
        try {
            to.kept.push_back(
                {*candidate, std::string(candidate->reason.data, candidate->reason.size)});
        } catch (const std::exception&) {
            to.full = true;
        }
    }
    PyObject* make() const {
        if (full)
            return PyErr_NoMemory();
        Ref list(PyList_New(0));
        for (const Kept& one : kept) {
            const Ref made(make_record(
                results.candidate,
                {make_text(gdvar_dialect_name(one.what.dialect)), PyBool_FromLong(one.what.fits),
                 PyLong_FromLongLong(one.what.score),
                 PyLong_FromUnsignedLongLong(one.what.oddities), make_text(one.reason)}));
            if (!list || !made || PyList_Append(list.get(), made.get()) < 0)
                return nullptr;
        }
        return list.release();
    }
};

PyObject* guess(PyObject*, PyObject* packets) {
    std::deque<Input> held;
    if (!take_packets(packets, held))
        return nullptr;
    std::vector<gdvar_bytes> views;
    views.reserve(held.size());
    for (const Input& one : held)
        views.push_back(one.view());
    Candidates candidates;
    const gdvar_dialect* found;
    int ambiguous = 0;
    {
        const WithoutGil others;
        found = gdvar_guess(views.data(), views.size(), Candidates::take, &candidates, &ambiguous);
    }
    PyObject* name = found ? make_text(gdvar_dialect_name(found)) : Ref::borrow(Py_None).release();
    return make_record(results.guess, {name, PyBool_FromLong(ambiguous), candidates.make()});
}

PyObject* types_of(const gdvar_dialect* dialect) {
    const Ref list(PyList_New(0));
    for (std::uint8_t type = 0; list && type < GDVAR_TYPE_COUNT; ++type) {
        if (!gdvar_dialect_has(dialect, type))
            continue;
        const Ref name(make_text(gdvar_describe_type(type).name));
        if (!name || PyList_Append(list.get(), name.get()) < 0)
            return nullptr;
    }
    return list ? PyList_AsTuple(list.get()) : nullptr;
}

PyObject* dialects(PyObject*, PyObject*) {
    Ref list(PyList_New(0));
    for (std::size_t i = 0; list && gdvar_dialect_at(i); ++i) {
        const gdvar_dialect* dialect = gdvar_dialect_at(i);
        const Ref made(make_record(results.dialect,
                                   {make_text(gdvar_dialect_name(dialect)),
                                    make_text(gdvar_dialect_title(dialect)), types_of(dialect)}));
        if (!made || PyList_Append(list.get(), made.get()) < 0)
            return nullptr;
    }
    return list.release();
}

#define READING \
    "dialect='godot-4.4', limits=None, objects=False, strict=False, real_width=4)\n--\n\n"
PyMethodDef functions[] = {
    {"validate", method(validate), METH_FASTCALL | METH_KEYWORDS,
     "validate(data, *, " READING "Checks the packet at the start of `data` and makes nothing.\n\n"
     "Returns how many bytes it took. Raises DecodeError."},
    {"annotate", method(annotate), METH_FASTCALL | METH_KEYWORDS,
     "annotate(data, *, most=100000, " READING "Every field of the packet at the start of `data`, "
     "as an Annotation(rows, size, error, total)\n"
     "with the first `most` rows.\n\n"
     "Broken packets are what it is for, so they raise nothing: the rows go on up to the\n"
     "break, the last one says why, and `error` is the DecodeError."},
    {"check", method(check), METH_FASTCALL | METH_KEYWORDS,
     "check(data, *, most=100, " READING
     "What is odd about the packet at the start of `data`: all that strict reading would\n"
     "refuse, and what engines read otherwise than it stands there. A Check(quirks, total)\n"
     "with the first `most`.\n\nRaises DecodeError."},
    {"guess", guess, METH_O,
     "guess(packets, /)\n--\n\n"
     "The dialect of one packet, or of an iterable of them: a Guess(dialect, ambiguous,\n"
     "candidates).\n\nMany packets fit several dialects; then it is the most plausible one, the\n"
     "newest of equal ones."},
    {"dialects", dialects, METH_NOARGS,
     "dialects()\n--\n\nAll dialects, newest Godot first: a list of Dialect(name, title, types)."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_packets(PyObject* module) {
    return take_results() && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
