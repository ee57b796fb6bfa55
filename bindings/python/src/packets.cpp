// Inspects packets without making values.
#include <string>

#include "results.hpp"

namespace gdvar_py {
namespace {

PyObject* validate(const Call& call) {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    if (!call.take_reading(1, {{"data", bytes}}, options))
        return nullptr;
    std::size_t size = 0;
    gdvar_error error;
    if (run(bytes.size(), [&] { return gdvar_validate(bytes.view(), &options, &size, &error); }))
        return raise_reading(error, bytes.view(), options);
    return PyLong_FromSize_t(size);
}

/// `most`: the first so many results. False with an exception.
bool take_most(PyObject* given, std::size_t& to) {
    if (given)
        to = PyLong_AsSize_t(given);
    return !PyErr_Occurred();
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

/// Collects the first rows without Python.
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
        Ref path;
        return make_list(kept_.size(), [&](std::size_t i) {
            const gdvar_row& row = kept_[i];
            if (i == 0 || view(row.path) != view(kept_[i - 1].path))
                path = Ref(make_text(row.path));
            Ref made(make_record<"Row">(row.offset, row.size, Py_XNewRef(path.get()),
                                        make_key(view(row.type)), row.value, row.note));
            const bool stopped =
                !made || (i % rows_between_signals == 0 && PyErr_CheckSignals() < 0);
            return stopped ? nullptr : made.release();
        });
    }

private:
    /// The most bytes of a path that are kept: a long key is in the paths of everything below it.
    static constexpr std::size_t most_path = 1000;
    static constexpr std::size_t rows_between_signals = 1 << 14;

    static bool continues(char byte) noexcept {
        return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    }
    gdvar_text keep_path(std::string_view path) {
        if (path.size() <= most_path)
            return texts_.keep(path);
        std::size_t head = most_path / 2, tail = path.size() - most_path / 2;
        while (head && continues(path[head]))
            --head;
        while (tail < path.size() && continues(path[tail]))
            ++tail;
        return texts_.keep(std::string(path.substr(0, head)) + "..." +
                           std::string(path.substr(tail)));
    }
    /// Rows of one path share its text.
    void add(gdvar_row row) {
        const bool again = !kept_.empty() && view(row.path) == last_path_;
        if (!again)
            last_path_ = view(row.path);
        row.path = again ? kept_.back().path : keep_path(last_path_);
        texts_.keep({&row.type, &row.value, &row.note});
        kept_.push_back(row);
    }

    std::vector<gdvar_row> kept_;
    Texts texts_;
    std::string last_path_;
    std::size_t most_;
    std::uint64_t total_ = 0;
    bool interrupted_ = false;
};

PyObject* annotate(const Call& call) {
    PyObject* most = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    std::size_t limit = 100'000, size = 0;
    if (!call.take_reading(1, {{"data", bytes}, {"most", most}}, options) ||
        !take_most(most, limit))
        return nullptr;
    Rows rows(limit);
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
    return make_record<"Annotation">(rows.make(),
                                     error.code ? Py_NewRef(Py_None) : PyLong_FromSize_t(size),
                                     why.release(), rows.total());
}

// ---- check ----

PyObject* make_quirk(const gdvar_quirk& quirk) {
    return make_record<"Quirk">(quirk.name, quirk.path, quirk.offset);
}

PyObject* check(const Call& call) {
    PyObject* most = nullptr;
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Input bytes;
    std::size_t limit = 100;
    if (!call.take_reading(1, {{"data", bytes}, {"most", most}}, options) ||
        !take_most(most, limit))
        return nullptr;
    using Quirks = Pieces<gdvar_quirk, make_quirk>;
    Quirks quirks;
    std::uint64_t found = 0;
    gdvar_error error;
    if (run(bytes.size(), [&] {
            return gdvar_check(bytes.view(), &options, limit, Quirks::take, &quirks, &found,
                               &error);
        }))
        return raise_reading(error, bytes.view(), options);
    return make_record<"Check">(quirks.make(), found);
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

PyObject* make_candidate(const gdvar_candidate& found) {
    return make_record<"Candidate">(gdvar_dialect_name(found.dialect), found.fits != 0, found.score,
                                    found.oddities, found.reason);
}

PyObject* guess(PyObject*, PyObject* packets) {
    std::deque<Input> held;
    if (!take_packets(packets, held))
        return nullptr;
    std::vector<gdvar_bytes> views;
    views.reserve(held.size());
    for (const Input& one : held)
        views.push_back(one.view());
    using Candidates = Pieces<gdvar_candidate, make_candidate>;
    Candidates candidates;
    const gdvar_dialect* found;
    int ambiguous = 0;
    {
        const WithoutGil others;
        found = gdvar_guess(views.data(), views.size(), Candidates::take, &candidates, &ambiguous);
    }
    PyObject* name = found ? make_text(gdvar_dialect_name(found)) : Py_NewRef(Py_None);
    return make_record<"Guess">(name, ambiguous != 0, candidates.make());
}

PyObject* types_of(const gdvar_dialect* dialect) {
    std::vector<gdvar_text> names;
    for (std::uint8_t type = 0; type < GDVAR_TYPE_COUNT; ++type)
        if (gdvar_dialect_has(dialect, type))
            names.push_back(gdvar_describe_type(type).name);
    return make_tuple(names.size(), [&](std::size_t i) { return make_text(names[i]); });
}

PyObject* dialects(PyObject*) {
    std::size_t count = 0;
    while (gdvar_dialect_at(count))
        ++count;
    return make_list(count, [](std::size_t i) {
        const gdvar_dialect* dialect = gdvar_dialect_at(i);
        return make_record<"Dialect">(gdvar_dialect_name(dialect), gdvar_dialect_title(dialect),
                                      types_of(dialect));
    });
}

PyObject* error_meaning(PyObject*, PyObject* code) {
    Text name;
    if (!name.take(code, "code"))
        return nullptr;
    const std::string ended(name.view());
    const bool is_name = ended.find('\0') == std::string::npos;
    return PyUnicode_FromString(is_name ? gdvar_error_meaning(gdvar_error_code(ended.c_str()))
                                        : "");
}

PyMethodDef functions[] = {
    row<"validate", validate>("validate(data, *, " GDVAR_READING
                              R"(Checks the packet at the start of `data` and makes nothing.

Returns how many bytes it took. Raises DecodeError.)"),
    row<"annotate", annotate>("annotate(data, *, most=100000, " GDVAR_READING
                              R"(Every field of the packet at the start of `data`, as an
Annotation(rows, size, error, total) with the first `most` rows.

Broken packets are what it is for, so they raise nothing: the rows go on up to the
break, the last one says why, and `error` is the DecodeError.)"),
    row<"check", check>(
        "check(data, *, most=100, " GDVAR_READING
        R"(What is odd about the packet at the start of `data`: all that strict reading would
refuse, and what engines read otherwise than it stands there. A Check(quirks, total)
with the first `most`.

Raises DecodeError.)"),
    row<"guess", guess>(R"(guess(packets, /)
--

The dialect of one packet, or of an iterable of them: a Guess(dialect, ambiguous,
candidates).

Many packets fit several dialects; then it is the most plausible one, the
newest of equal ones.)"),
    row<"dialects", dialects>(R"(dialects()
--

All dialects, newest Godot first: a list of Dialect(name, title, types).)"),
    row<"error_meaning", error_meaning>(R"(error_meaning(code, /)
--

The meaning of an Error's `code`, in a sentence: "The bytes end before the value
does."; "" for a name that is no code.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_packets(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
