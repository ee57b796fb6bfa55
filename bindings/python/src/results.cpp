#include "results.hpp"

#include <algorithm>

namespace gdvar_py {

Results results;

// ---- results ----

bool take_results() {
    const Ref module(PyImport_ImportModule("gdvar.packets"));
    const std::pair<const char*, PyTypeObject**> all[] = {
        {"Row", &results.row},
        {"Annotation", &results.annotation},
        {"Quirk", &results.quirk},
        {"Check", &results.check},
        {"Candidate", &results.candidate},
        {"Guess", &results.guess},
        {"Dialect", &results.dialect},
        {"Match", &results.match},
        {"Loss", &results.loss},
        {"Unwrapped", &results.unwrapped},
        {"SaveKind", &results.save_kind},
        {"Reading", &results.reading},
        {"Finding", &results.finding},
        {"FoundCode", &results.found_code},
        {"Code", &results.code},
        {"Identified", &results.identified},
        {"Recovered", &results.recovered},
        {"Lost", &results.lost},
        {"Recovery", &results.recovery},
        {"Entry", &results.entry},
        {"Entries", &results.entries},
    };
    if (!module)
        return false;
    for (const auto& [name, to] : all) {
        *to = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(module.get(), name));
        if (!*to)
            return false;
    }
    const Ref errors(PyImport_ImportModule("gdvar.errors"));
    results.loss_error = errors ? PyObject_GetAttrString(errors.get(), "LossError") : nullptr;
    return results.loss_error;
}

PyObject* make_record(PyTypeObject* type, std::initializer_list<PyObject*> owned) {
    static const auto make = reinterpret_cast<newfunc>(PyType_GetSlot(&PyTuple_Type, Py_tp_new));
    const bool whole = std::ranges::all_of(owned, [](PyObject* item) { return item; });
    const Ref items(whole ? PyTuple_New(static_cast<Py_ssize_t>(owned.size())) : nullptr);
    Py_ssize_t at = 0;
    for (PyObject* item : owned) {
        if (items)
            PyTuple_SetItem(items.get(), at++, item);
        else
            Py_XDECREF(item);
    }
    const Ref args(items ? PyTuple_Pack(1, items.get()) : nullptr);
    return args ? make(type, args.get(), nullptr) : nullptr;
}

PyObject* take_exception() {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

// ---- arguments ----

bool take_reading(const Call& call, std::initializer_list<Arg> own, int positional,
                  gdvar_options& options) {
    PyObject *dialect = nullptr, *limits = nullptr, *objects = nullptr, *strict = nullptr,
             *real_width = nullptr;
    std::vector<Arg> all(own);
    all.insert(all.end(), {{"dialect", &dialect},
                           {"limits", &limits},
                           {"objects", &objects},
                           {"strict", &strict},
                           {"real_width", &real_width}});
    return take_args(call.function, call.args, call.count, call.names, all.data(),
                     static_cast<int>(all.size()), positional) &&
           take_options(options, dialect, limits, objects, strict, real_width);
}

// ---- packets ----

bool read_packet(gdvar_document* document, gdvar_bytes bytes, const gdvar_options& options) {
    if (!document)
        return PyErr_NoMemory(), false;
    gdvar_error error;
    if (run(bytes.size, [&] { return gdvar_document_read(document, bytes, &options, &error); }))
        return raise_reading(error, bytes, options), false;
    return true;
}

PyObject* make_value_of(const gdvar_buffer* packet, const gdvar_options& options,
                        const Containers& containers) {
    const Ref bytes(make_bytes(packet));
    const DocumentHandle document(gdvar_document_new());
    if (!bytes || !read_packet(document.get(), bytes_of(bytes.get()), options))
        return nullptr;
    return make_value(
        {document.get(), gdvar_document_tape(document.get()), bytes.get(), containers}, 0);
}

bool read_value(PyObject* value, const gdvar_options& options, gdvar_buffer* packet,
                gdvar_document* document) {
    if (!packet)
        return PyErr_NoMemory(), false;
    return write_value(value, options, packet) &&
           read_packet(document, gdvar_buffer_bytes(packet), options);
}

// ---- refusals ----

void Refusal::take(void* refusal, const gdvar_refusal* from) noexcept {
    auto& to = *static_cast<Refusal*>(refusal);
    try {
        to.at.assign(from->at.data ? from->at.data : "", from->at.size);
        to.what.assign(from->what.data ? from->what.data : "", from->what.size);
        to.needs = from->needs;
    } catch (const std::exception&) {
        to.what.clear();  // then it is the error's own message
    }
}

std::nullptr_t Refusal::raise(const gdvar_error& error, std::string_view path) const {
    std::string words = what;
    if (!words.empty() && needs == GDVAR_NEEDS_CREATE)
        words += "; create=True adds it";
    if (!words.empty() && needs == GDVAR_NEEDS_TYPE)
        words += "; retype=True allows it";
    return gdvar_py::raise(error,
                           {.path = at.empty() ? path : std::string_view(at), .what = words});
}

// ---- matches ----

bool MatchLimit::take(const gdvar_match& match) {
    const std::uint64_t bytes = match.packet.size + match.path.size;
    if (bytes > left_) {
        raise_named(state.limit_error, "size_limit", {},
                    "error[size_limit]: the matches have more than 50 times the bytes that are "
                    "looked into");
        return false;
    }
    left_ -= bytes;
    return true;
}

// ---- losses ----

void Losses::take(void* losses, const gdvar_loss* loss) noexcept {
    auto& to = *static_cast<Losses*>(losses);
    const auto text = [](gdvar_text t) {
        return t.size ? std::string(t.data, t.size) : std::string();
    };
    try {
        to.kept_.push_back(
            {text(loss->path), text(loss->what), text(loss->substitution), loss->type});
    } catch (const std::exception&) {
        to.full_ = true;
    }
}

PyObject* Losses::make(const Kept& loss) const {
    const gdvar_text type = gdvar_describe_type(loss.type).name;
    return make_record(results.loss,
                       {make_text(loss.path), make_text(loss.what), make_text(loss.substitution),
                        make_text(loss.type == GDVAR_NIL ? gdvar_text{"", 0} : type)});
}

bool Losses::raise_all(const char* target) const {
    const Ref list(PyList_New(0));
    if (!list || !settle(list.get(), target))
        return false;
    std::string message = std::to_string(kept_.size()) +
                          (kept_.size() == 1 ? " value" : " values") + " can't be expressed in " +
                          target + ":";
    constexpr std::size_t shown = 3;
    for (std::size_t i = 0; i < kept_.size() && i < shown; ++i) {
        const Kept& loss = kept_[i];
        message += (i ? "; " : " ") + loss.path + ": " + loss.what;
        if (!loss.substitution.empty())
            message += " and " + loss.substitution;
    }
    if (kept_.size() > shown)
        message += "; ...";
    const Ref args(Py_BuildValue("(N)", make_text(message)));
    const Ref names(Py_BuildValue("{s:s,s:N,s:O}", "code", "not_in_dialect", "path",
                                  make_text(kept_[0].path), "losses", list.get()));
    const Ref exception(args && names ? PyObject_Call(results.loss_error, args.get(), names.get())
                                      : nullptr);
    if (exception)
        PyErr_SetObject(results.loss_error, exception.get());
    return false;
}

bool Losses::settle(PyObject* list, const char* target) const {
    if (full_)
        return PyErr_NoMemory(), false;
    if (kept_.empty())
        return true;
    if (!list || list == Py_None)
        return raise_all(target);
    for (const Kept& loss : kept_) {
        const Ref made(make(loss));
        if (!made || PyList_Append(list, made.get()) < 0)
            return false;
    }
    return true;
}

bool check_losses(PyObject* list) {
    if (!list || list == Py_None || PyList_Check(list))
        return true;
    PyErr_Format(PyExc_TypeError, "losses must be a list or None, not %R", Py_TYPE(list));
    return false;
}

// ---- keys of saves ----

bool take_count(PyObject* given, std::uint64_t& to) {
    if (!given || given == Py_None)
        return true;
    const Ref number(PyNumber_Index(given));
    to = number ? PyLong_AsUnsignedLongLong(number.get()) : 0;
    return !PyErr_Occurred();
}

bool take_key(KeyArgs& args, gdvar_save_options& to) {
    if (!take_count(args.max_bytes, to.max_bytes))
        return false;
    if (args.max_bytes && args.max_bytes != Py_None)
        to.max_text = to.max_bytes;
    if (!take_count(args.max_text, to.max_text))
        return false;
    const bool password = args.password && args.password != Py_None;
    const bool key = args.key && args.key != Py_None;
    if (password && key) {
        PyErr_SetString(PyExc_ValueError, "give a password or a key, not both");
        return false;
    }
    if (password) {
        if (!PyUnicode_Check(args.password)) {
            PyErr_Format(PyExc_TypeError, "password must be a str, not %R", Py_TYPE(args.password));
            return false;
        }
        if (!take_text(args.password, to.password, args.kept_password))
            return false;
    }
    if (key) {
        const Ref digits(PyUnicode_Check(args.key) ? PyUnicode_AsASCIIString(args.key) : nullptr);
        if (PyErr_Occurred() || !args.key_bytes.take(digits ? digits.get() : args.key))
            return false;
        to.key = args.key_bytes.view();
    }
    if ((password && !to.password.size) || (key && !to.key.size)) {
        PyErr_Format(PyExc_ValueError, "the %s is empty", password ? "password" : "key");
        return false;
    }
    return true;
}

}  // namespace gdvar_py
