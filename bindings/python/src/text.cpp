#include "results.hpp"

namespace gdvar_py {
namespace {

/// Objects in full are data that the caller has, or has requested.
gdvar_options everything() noexcept {
    gdvar_options options = GDVAR_OPTIONS_INIT;
    options.flags = GDVAR_ALLOW_OBJECTS;
    return options;
}

/// Arguments of printing. `indent` and `losses` are null if the form has none.
struct Printing {
    PyObject *value = nullptr, *dialect = nullptr, *indent = nullptr, *losses = nullptr;
};

PyObject* print_as(int form, const Printing& given) {
    gdvar_options options = everything();
    const long indent = given.indent ? PyLong_AsLong(given.indent) : 0;
    if (PyErr_Occurred() || !take_options(options, given.dialect, nullptr, nullptr, nullptr) ||
        !check_losses(given.losses))
        return nullptr;
    if (indent < 0 || indent > 64)
        return PyErr_SetString(PyExc_ValueError, "indent is from 0 to 64"), nullptr;
    const BufferHandle packet(gdvar_buffer_new()), to(gdvar_buffer_new());
    const DocumentHandle document(gdvar_document_new());
    if (!to)
        return PyErr_NoMemory();
    if (!read_value(given.value, options, packet.get(), document.get()))
        return nullptr;
    Losses lost;
    gdvar_error error;
    if (run(gdvar_buffer_bytes(packet.get()).size, [&] {
            return gdvar_print(document.get(), 0, form, static_cast<int>(indent), to.get(),
                               form == GDVAR_PLAIN_JSON ? Losses::take : nullptr, &lost, &error);
        }))
        return raise(error, {.asking = Asking::encode});
    if (!lost.settle(given.losses, "plain JSON"))
        return nullptr;
    const gdvar_bytes text = gdvar_buffer_bytes(to.get());
    return make_text(gdvar_text{static_cast<const char*>(text.data), text.size});
}

PyObject* print_indented(const char* function, int form, PyObject* const* args, Py_ssize_t count,
                         PyObject* names) {
    Printing given;
    Arg to[] = {{"value", &given.value, true},
                {"indent", &given.indent},
                {"dialect", &given.dialect},
                {"losses", &given.losses}};
    if (!take_args(function, args, count, names, to, form == GDVAR_PLAIN_JSON ? 4 : 3, 1))
        return nullptr;
    return print_as(form, given);
}

/// The family's form, or -1 with an error set.
int take_family(PyObject* family) {
    static constexpr const char* names[] = {"3.2", "3.6", "4", "pandemonium", "2", "4.0"};
    if (!family || family == Py_None)
        return GDVAR_TEXT;
    for (int i = 0; i < 6 && PyUnicode_Check(family); ++i)
        if (PyUnicode_CompareWithASCIIString(family, names[i]) == 0)
            return GDVAR_TEXT_3_2 + i;
    PyErr_Format(PyExc_ValueError,
                 "family is '2', '3.2', '3.6', '4.0', '4' or 'pandemonium', not %R", family);
    return -1;
}

PyObject* var_to_str(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    Printing given;
    PyObject* family = nullptr;
    Arg to[] = {{"value", &given.value, true}, {"dialect", &given.dialect}, {"family", &family}};
    if (!take_args("var_to_str", args, count, names, to, 3, 1))
        return nullptr;
    const int form = take_family(family);
    return form < 0 ? nullptr : print_as(form, given);
}
PyObject* to_text_full(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return print_indented("to_text_full", GDVAR_TEXT_FULL, args, count, names);
}
PyObject* to_json(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return print_indented("to_json", GDVAR_JSON, args, count, names);
}
PyObject* to_plain_json(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return print_indented("to_plain_json", GDVAR_PLAIN_JSON, args, count, names);
}

PyObject* parse_as(const char* function, int form, PyObject* const* args, Py_ssize_t count,
                   PyObject* names) {
    PyObject *given = nullptr, *dialect = nullptr, *limits = nullptr, *objects = nullptr,
             *strict = nullptr, *family = nullptr;
    Arg all[] = {{"text", &given, true}, {"dialect", &dialect}, {"limits", &limits},
                 {"objects", &objects},  {"strict", &strict},   {"family", &family}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    gdvar_text text;
    Ref kept;
    const BufferHandle to(gdvar_buffer_new());
    if (!to)
        return PyErr_NoMemory();
    if (!take_args(function, args, count, names, all, form == GDVAR_TEXT ? 6 : 5, 1) ||
        !take_options(options, dialect, limits, objects, strict))
        return nullptr;
    if (!PyUnicode_Check(given))
        return PyErr_Format(PyExc_TypeError, "text must be a str, not %R", Py_TYPE(given));
    if (family && (form = take_family(family)) < 0)
        return nullptr;
    if (!take_text(given, text, kept))
        return nullptr;
    const BufferHandle path(gdvar_buffer_new());
    if (!path)
        return PyErr_NoMemory();
    gdvar_error error;
    if (run(text.size, [&] {
            return gdvar_parse_with_path(text, form, &options, to.get(), &error, path.get());
        })) {
        const gdvar_bytes where = gdvar_buffer_bytes(path.get());
        return raise(error, {.path = {static_cast<const char*>(where.data), where.size},
                             .asking = Asking::encode});
    }
    return make_value_of(to.get(), options);
}

PyObject* str_to_var(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return parse_as("str_to_var", GDVAR_TEXT, args, count, names);
}
PyObject* from_text_full(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return parse_as("from_text_full", GDVAR_TEXT_FULL, args, count, names);
}
PyObject* from_json(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return parse_as("from_json", GDVAR_JSON, args, count, names);
}
PyObject* from_plain_json(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    return parse_as("from_plain_json", GDVAR_PLAIN_JSON, args, count, names);
}

#define READING "(text, *, dialect='godot-4.4', limits=None, objects=False, strict=False)\n--\n\n"
#define FAMILY                                                                                     \
    "`family`, '2', '3.2', '3.6', '4.0' (4.0 to 4.4), '4' or 'pandemonium', is whose text it is, " \
    "if not\n"                                                                                     \
    "the dialect's own: Godot 3.2 has the dialect of 3.6, and another text.\n\n"
#define DIALECT                                                                         \
    "\n\n`dialect` must have all types of the value; the text is the same in each one." \
    " Raises EncodeError."
PyMethodDef functions[] = {
    {"var_to_str", method(var_to_str), METH_FASTCALL | METH_KEYWORDS,
     "var_to_str(value, *, dialect='godot-4.4', family=None)\n--\n\n"
     "The value as the dialect's engine prints it (var_to_str, Godot 3: var2str).\n\n" FAMILY
     "Raises EncodeError."},
    {"str_to_var", method(str_to_var), METH_FASTCALL | METH_KEYWORDS,
     "str_to_var(text, *, dialect='godot-4.4', limits=None, objects=False, strict=False, "
     "family=None)\n--\n\n"
     "The value of a text, as the dialect's engine reads it (str_to_var, "
     "Godot 3: str2var). All of\n"
     "the text must be the value. Engines read numbers that do not fit as others\n"
     "(`99999999999999999999`, `1e400`, `PackedByteArray(256)`): `strict` refuses them.\n\n" FAMILY
     "Raises TextError; EncodeError for what is not in the dialect, and for Objects unless\n"
     "`objects` is set."},
    {"to_text_full", method(to_text_full), METH_FASTCALL | METH_KEYWORDS,
     "to_text_full(value, *, indent=0, dialect='godot-4.4')\n--\n\n"
     "The value in gdvar's own form of text, which loses nothing (docs/text.md)." DIALECT},
    {"from_text_full", method(from_text_full), METH_FASTCALL | METH_KEYWORDS,
     "from_text_full" READING "The value of a text in gdvar's own form.\n\nRaises TextError, "
     "EncodeError."},
    {"to_json", method(to_json), METH_FASTCALL | METH_KEYWORDS,
     "to_json(value, *, indent=0, dialect='godot-4.4')\n--\n\n"
     "The value as typed JSON, which loses nothing (docs/json.md)." DIALECT},
    {"from_json", method(from_json), METH_FASTCALL | METH_KEYWORDS,
     "from_json" READING "The value of typed JSON, gdvar's or the engine's own.\n\nRaises "
     "TextError, EncodeError."},
    {"to_plain_json", method(to_plain_json), METH_FASTCALL | METH_KEYWORDS,
     "to_plain_json(value, *, indent=0, losses=None, dialect='godot-4.4')\n--\n\n"
     "The value as JSON for other tools, which have no vectors and the like (docs/json.md).\n\n"
     "If something can't be read back from it, this raises LossError, which has all of it. With a\n"
     "list as `losses` it appends a Loss for each one instead. Raises EncodeError."},
    {"from_plain_json", method(from_plain_json), METH_FASTCALL | METH_KEYWORDS,
     "from_plain_json" READING
     "The value of any JSON: Dictionaries, Arrays, Strings, numbers. Ints that do\n"
     "not fit are floats: `strict` refuses them.\n\nRaises TextError, EncodeError."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_text(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
