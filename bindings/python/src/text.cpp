#include "results.hpp"

namespace gdvar_py {
namespace {

/// `family=`: the form of the text.
struct Family {
    int form = GDVAR_TEXT;
};
bool take_argument(PyObject* family, const char*, Family& to) {
    static constexpr const char* names[] = {"3.2", "3.6", "4", "pandemonium", "2", "4.0"};
    if (family == Py_None)
        return true;
    for (int i = 0; i < 6 && PyUnicode_Check(family); ++i)
        if (PyUnicode_CompareWithASCIIString(family, names[i]) == 0) {
            to.form = GDVAR_TEXT_3_2 + i;
            return true;
        }
    PyErr_Format(PyExc_ValueError,
                 "family is '2', '3.2', '3.6', '4.0', '4' or 'pandemonium', not %R", family);
    return false;
}

/// Prints a value: GDVAR_TEXT has a family, others an indent.
template <int form>
PyObject* print(const Call& call) {
    PyObject *value = nullptr, *dialect = nullptr, *indentation = nullptr;
    Family family{form};
    Losses lost;
    Params params{{"value", value}, {"dialect", dialect}};
    if (form == GDVAR_TEXT)
        params.add({{"family", family}});
    else
        params.add({{"indent", indentation}});
    if (form == GDVAR_PLAIN_JSON)
        params.add({{"losses", lost}});
    gdvar_options options = patch_options();  // Objects in full are data that the caller has
    if (!call.take(1, params) || !take_options(options, dialect, nullptr, nullptr, nullptr))
        return nullptr;
    const long indent = indentation ? PyLong_AsLong(indentation) : 0;
    if (PyErr_Occurred())
        return nullptr;
    if (indent < 0 || indent > 64)
        return PyErr_SetString(PyExc_ValueError, "indent is from 0 to 64"), nullptr;
    const Output packet, to;
    const DocumentHandle document(gdvar_document_new());
    if (!write_value(value, options, packet.get()) ||
        !read_packet(document.get(), packet.bytes(), options))
        return nullptr;
    gdvar_error error;
    if (run(packet.bytes().size, [&] {
            return gdvar_print(document.get(), 0, family.form, static_cast<int>(indent), to.get(),
                               form == GDVAR_PLAIN_JSON ? Losses::take : nullptr, &lost, &error);
        }))
        return raise(error, {.writing = true});
    return lost.settle("plain JSON") ? make_text(to.text()) : nullptr;
}

template <int form>
PyObject* parse(const Call& call) {
    PyObject *dialect = nullptr, *limits = nullptr, *objects = nullptr, *strict = nullptr;
    Text text;
    Family family{form};
    Params params{{"text", text},
                  {"dialect", dialect},
                  {"limits", limits},
                  {"objects", objects},
                  {"strict", strict}};
    if (form == GDVAR_TEXT)
        params.add({{"family", family}});
    gdvar_options options = GDVAR_OPTIONS_INIT;
    const Output to, path;
    if (!call.take(1, params) || !take_options(options, dialect, limits, objects, strict))
        return nullptr;
    gdvar_error error;
    if (run(text.view().size(), [&] {
            return gdvar_parse_with_path(text.text(), family.form, &options, to.get(), &error,
                                         path.get());
        }))
        return raise(error, {.path = path.text(), .writing = true});
    return make_value_of(to, options);
}

#define READING "(text, *, dialect='godot-4.4', limits=None, objects=False, strict=False)\n--\n\n"
#define FAMILY                                                                             \
    "`family`, '2', '3.2', '3.6', '4.0' (4.0 to 4.4), '4' or 'pandemonium', is whose\n"    \
    "text it is, if not the dialect's own: Godot 3.2 has the dialect of 3.6, and another " \
    "text.\n\n"
#define DIALECT                                                                         \
    "\n\n`dialect` must have all types of the value; the text is the same in each one." \
    " Raises EncodeError."
PyMethodDef functions[] = {
    row<"var_to_str", print<GDVAR_TEXT>>(R"(var_to_str(value, *, dialect='godot-4.4', family=None)
--

The value as the dialect's engine prints it (var_to_str, Godot 3: var2str).

)" FAMILY "Raises EncodeError."),
    row<"str_to_var", parse<GDVAR_TEXT>>(
        "str_to_var(text, *, dialect='godot-4.4', limits=None, objects=False, strict=False, "
        R"(family=None)
--

The value of a text, as the dialect's engine reads it (str_to_var, Godot 3: str2var). All of
the text must be the value. Engines read numbers that do not fit as others
(`99999999999999999999`, `1e400`, `PackedByteArray(256)`): `strict` refuses them.

)" FAMILY R"(Raises TextError; EncodeError for what is not in the dialect, and for Objects unless
`objects` is set.)"),
    row<"to_text_full", print<GDVAR_TEXT_FULL>>(
        R"(to_text_full(value, *, indent=0, dialect='godot-4.4')
--

The value in gdvar's own form of text, which loses nothing (docs/text.md).)" DIALECT),
    row<"from_text_full", parse<GDVAR_TEXT_FULL>>("from_text_full" READING
                                                  "The value of a text in gdvar's own form.\n\n"
                                                  "Raises TextError, EncodeError."),
    row<"to_json", print<GDVAR_JSON>>(R"(to_json(value, *, indent=0, dialect='godot-4.4')
--

The value as typed JSON, which loses nothing (docs/json.md).)" DIALECT),
    row<"from_json", parse<GDVAR_JSON>>("from_json" READING
                                        "The value of typed JSON, gdvar's or the engine's own.\n\n"
                                        "Raises TextError, EncodeError."),
    row<"to_plain_json", print<GDVAR_PLAIN_JSON>>(
        R"(to_plain_json(value, *, indent=0, losses=None, dialect='godot-4.4')
--

The value as JSON for other tools, which have no vectors and the like (docs/json.md).

If something can't be read back from it, this raises LossError, which has all of it. With a
list as `losses` it appends a Loss for each one instead. Raises EncodeError.)"),
    row<"from_plain_json", parse<GDVAR_PLAIN_JSON>>(
        "from_plain_json" READING
        R"(The value of any JSON: Dictionaries, Arrays, Strings, numbers. Ints that do
not fit are floats: `strict` refuses them.

Raises TextError, EncodeError.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_text(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
