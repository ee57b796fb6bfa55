#include "results.hpp"

#include <algorithm>

namespace gdvar_py {

// ---- objects ----

PyTypeObject* find_record(const char* name) {
    const Ref module(PyImport_ImportModule("gdvar.packets"));
    return reinterpret_cast<PyTypeObject*>(module ? PyObject_GetAttrString(module.get(), name)
                                                  : nullptr);
}

PyObject* take_exception() {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

// ---- packets ----

bool read_packet(gdvar_document* document, gdvar_bytes bytes, const gdvar_options& options,
                 std::string_view before) {
    if (!document)
        return PyErr_NoMemory(), false;
    gdvar_error error;
    if (run(bytes.size, [&] { return gdvar_document_read(document, bytes, &options, &error); }))
        return raise_reading(error, bytes, options, before), false;
    return true;
}

PyObject* make_value_in(const Ref& packet, const gdvar_options& options,
                        const Containers& containers, std::string_view before) {
    const DocumentHandle document(gdvar_document_new());
    if (!packet || !read_packet(document.get(), bytes_of(packet.get()), options, before))
        return nullptr;
    return make_value(
        {document.get(), gdvar_document_tape(document.get()), packet.get(), containers}, 0);
}

PyObject* make_value_of(const Output& packet, const gdvar_options& options) {
    return make_value_in(Ref(make_bytes(packet.bytes())), options);
}

PyObject* make_part(gdvar_bytes packet, const gdvar_options& options) {
    const DocumentHandle document(gdvar_document_new());
    if (!read_packet(document.get(), packet, options))
        return nullptr;
    return make_value({document.get(), gdvar_document_tape(document.get()), nullptr}, 0);
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
                    Ref(PyUnicode_FromString("error[size_limit]: the matches have more than 50 "
                                             "times the bytes that are looked into")));
        return false;
    }
    left_ -= bytes;
    return true;
}

// ---- losses ----

PyObject* make_loss(const gdvar_loss& loss) {
    const gdvar_text name = gdvar_describe_type(loss.type).name;
    return make_record<"Loss">(loss.path, loss.what, loss.substitution,
                               loss.type == GDVAR_NIL ? gdvar_text{"", 0} : name);
}

bool Losses::take_list(PyObject* list, const char* name) {
    list_ = list == Py_None ? nullptr : list;
    if (!list_ || PyList_Check(list))
        return true;
    PyErr_Format(PyExc_TypeError, "%s must be a list or None, not %R", name, Py_TYPE(list));
    return false;
}

bool Losses::raise_all(std::string_view target) const {
    const std::size_t count = kept().size();
    std::string message = std::to_string(count) + (count == 1 ? " value" : " values") +
                          " can't be expressed in " + std::string(target) + ":";
    constexpr std::size_t shown = 3;
    for (std::size_t i = 0; i < count && i < shown; ++i) {
        const gdvar_loss& loss = kept()[i];
        message +=
            (i ? "; " : " ") + std::string(view(loss.path)) + ": " + std::string(view(loss.what));
        if (loss.substitution.size)
            message += " and " + std::string(view(loss.substitution));
    }
    if (count > shown)
        message += "; ...";
    const Ref losses(make());
    if (losses)
        raise_with(state.loss_error, Ref(make_text(message)),
                   Ref(Py_BuildValue("{s:s,s:N,s:O}", "code", "not_in_dialect", "path",
                                     make_text(kept()[0].path), "losses", losses.get())));
    return false;
}

bool Losses::settle(std::string_view target) const {
    if (empty())
        return true;
    if (!list_)
        return raise_all(target);
    const Ref losses(make());
    const Py_ssize_t end = PyList_Size(list_);
    return losses && PyList_SetSlice(list_, end, end, losses.get()) == 0;
}

}  // namespace gdvar_py
