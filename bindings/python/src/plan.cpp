#include "plan.hpp"

#include <array>
#include <bit>
#include <new>

#include "call.hpp"

namespace gdvar_py {
namespace {

PyTypeObject* plan_type;
PyObject *compile_type, *n_plan, *enum_type;

/// The kinds' names in _plans.py, in the order of Kind.
constexpr const char* kinds[] = {
    "any",       "none",       "bool", "int",  "float",    "str",    "string_name", "bytes",
    "math",      "as_is",      "list", "set",  "tuple_of", "tuple",  "dict",        "pairs",
    "dataclass", "typed_dict", "enum", "flag", "literal",  "choice", "tagged",      "custom"};
static_assert(std::size(kinds) == static_cast<std::size_t>(Kind::custom) + 1);

/// Reads the dict that describes one rule. Missing members keep their defaults. An unreadable
/// member leaves an exception, which is checked once, at the end.
class RuleReader {
public:
    RuleReader(PyObject* from, Rule& to) : from_(from), to_(to) {}

    bool read() {
        to_.expected = take("expected");
        to_.cls = take("cls");
        to_.wrap = take("wrap");
        to_.typed = take("typed");
        to_.known = take("known");
        to_.post_init = take("post_init");
        to_.defaults = take("defaults");
        to_.type = static_cast<std::uint8_t>(number("type", 0));
        to_.allowed = static_cast<std::uint8_t>(number("allowed", 0));
        to_.bounded = number("bounded", 0);
        to_.low_open = number("low_open", 0);
        to_.high_open = number("high_open", 0);
        to_.hash_exact = number("hash_exact", 1);
        to_.builds_plainly = number("builds_plainly", 1);
        to_.loose = number("loose", 0);
        to_.packs = number("packs", 0);
        to_.low = number("low", INT64_MIN);
        to_.high = number("high", INT64_MAX);
        to_.real_low = real("real_low");
        to_.real_high = real("real_high");
        to_.least = static_cast<std::uint64_t>(number("least", 0));
        to_.most = static_cast<std::uint64_t>(number("most", INT64_MAX));
        to_.types = static_cast<std::uint64_t>(number("types", 0));
        to_.packed = static_cast<std::uint64_t>(number("packed", 0));
        to_.item = static_cast<RuleIndex>(number("item", 0));
        to_.value = static_cast<RuleIndex>(number("value", 0));
        to_.required = static_cast<std::uint32_t>(number("required", 0));
        to_.key = key_of(get("key"));
        return read_kind() && read_indexes("items") && read_by_type() && read_fields() &&
               read_hidden() && !PyErr_Occurred();
    }

private:
    PyObject* get(const char* name) const { return PyDict_GetItemString(from_, name); }
    PyObject* take(const char* name) const {
        PyObject* found = get(name);
        return found == Py_None ? nullptr : Py_XNewRef(found);
    }
    std::int64_t number(const char* name, std::int64_t otherwise) const {
        PyObject* found = get(name);
        return found && found != Py_None ? PyLong_AsLongLong(found) : otherwise;
    }
    double real(const char* name) const {
        PyObject* found = get(name);
        return found && found != Py_None ? PyFloat_AsDouble(found) : 0.0;
    }
    /// Empty, perhaps with an exception, which `read` looks for at its end.
    static std::string key_of(PyObject* str) {
        gdvar_text text{"", 0};
        Ref kept;
        if (str)
            (void)take_text(str, text, kept);
        return std::string(view(text));
    }
    bool read_kind() {
        PyObject* name = get("kind");
        for (std::size_t i = 0; name && i < std::size(kinds); ++i)
            if (PyUnicode_CompareWithASCIIString(name, kinds[i]) == 0) {
                to_.kind = static_cast<Kind>(i);
                return true;
            }
        PyErr_Format(PyExc_ValueError, "%R is no kind of a rule", name);
        return false;
    }
    bool read_indexes(const char* name) {
        PyObject* list = get(name);
        for (Py_ssize_t i = 0; list && i < PyList_Size(list); ++i)
            to_.items.push_back(
                static_cast<RuleIndex>(PyLong_AsUnsignedLong(PyList_GetItem(list, i))));
        return !PyErr_Occurred();
    }
    bool read_by_type() {
        PyObject* list = get("by_type");
        for (Py_ssize_t i = 0; list && i < GDVAR_TYPE_COUNT; ++i) {
            PyObject* item = PyList_GetItem(list, i);
            if (!item)
                return false;
            to_.by_type[i] =
                item == Py_None ? no_rule : static_cast<RuleIndex>(PyLong_AsUnsignedLong(item));
        }
        return true;
    }

    /// A list of (name, key, rule, missing, fallback).
    bool read_fields() {
        PyObject* list = get("fields");
        const Py_ssize_t count = list ? PyList_Size(list) : 0;
        if (count >= no_field) {
            PyErr_SetString(PyExc_TypeError, "a class has at most 65,534 fields");
            return false;
        }
        to_.fields.resize(static_cast<std::size_t>(count));
        for (Py_ssize_t i = 0; i < count; ++i)
            if (!read_field(PyList_GetItem(list, i), i))
                return false;
        index_fields();
        return true;
    }
    bool read_field(PyObject* from, Py_ssize_t i) {
        PyObject *name, *key, *fallback;
        unsigned int rule, missing;
        if (!PyArg_ParseTuple(from, "UUIIO", &name, &key, &rule, &missing, &fallback))
            return false;
        Field& field = to_.fields[static_cast<std::size_t>(i)];
        field.key = key_of(key);
        if (field.key.size() <= ShortText::longest)
            field.short_key = ShortText(field.key);
        field.rule = rule;
        field.next = static_cast<std::uint16_t>(i + 1);
        finish(field, name, missing, fallback);
        return !PyErr_Occurred();
    }
    void finish(Field& field, PyObject* name, unsigned missing, PyObject* fallback) {
        field.name = Py_NewRef(name);
        PyUnicode_InternInPlace(&field.name);
        field.missing = static_cast<Missing>(missing);
        field.fallback = Py_NewRef(fallback);
        if (to_.kind == Kind::dataclass)
            find_slot(field);
    }
    /// A list of (name, missing, fallback).
    bool read_hidden() {
        PyObject* list = get("hidden");
        for (Py_ssize_t i = 0; list && i < PyList_Size(list); ++i) {
            PyObject *name, *fallback;
            unsigned int missing;
            if (!PyArg_ParseTuple(PyList_GetItem(list, i), "UIO", &name, &missing, &fallback))
                return false;
            finish(to_.hidden.emplace_back(), name, missing, fallback);
        }
        return true;
    }
    /// Calling the descriptor of `__slots__` directly takes a third of PyObject_GenericSetAttr.
    void find_slot(Field& field) {
        const Ref found(PyObject_GetAttr(to_.cls, field.name));
        if (!found) {
            PyErr_Clear();
            return;
        }
        const Ref name(PyType_GetName(Py_TYPE(found.get())));
        if (!name || PyUnicode_CompareWithASCIIString(name.get(), "member_descriptor") != 0) {
            field.computed = PyType_GetSlot(Py_TYPE(found.get()), Py_tp_descr_set) != nullptr;
            return;
        }
        field.slot = Py_NewRef(found.get());
        field.set =
            reinterpret_cast<descrsetfunc>(PyType_GetSlot(Py_TYPE(found.get()), Py_tp_descr_set));
        field.get =
            reinterpret_cast<descrgetfunc>(PyType_GetSlot(Py_TYPE(found.get()), Py_tp_descr_get));
    }
    void index_fields();

    PyObject* from_;
    Rule& to_;
};

std::size_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return static_cast<std::size_t>(hash ^ hash >> 32);
}

void RuleReader::index_fields() {
    to_.table.assign(std::bit_ceil(to_.fields.size() * 2 + 1), no_field);
    const std::size_t mask = to_.table.size() - 1;
    for (std::size_t i = 0; i < to_.fields.size(); ++i) {
        std::size_t at = hash_of(to_.fields[i].key) & mask;
        while (to_.table[at] != no_field)
            at = (at + 1) & mask;
        to_.table[at] = static_cast<std::uint16_t>(i);
    }
}

// ---- the type Plan ----

/// Calls `use` with every reference of a plan.
template <class Use>
int each_reference(Plan* plan, Use&& use) {
    if (const int done = use(plan->type))
        return done;
    if (!plan->rules)
        return 0;
    for (Rule& rule : *plan->rules) {
        for (PyObject** held : {&rule.expected, &rule.cls, &rule.wrap, &rule.typed, &rule.known,
                                &rule.post_init, &rule.defaults})
            if (const int done = use(*held))
                return done;
        for (std::vector<Field>* fields : {&rule.fields, &rule.hidden})
            for (Field& field : *fields)
                for (PyObject** held : {&field.name, &field.fallback, &field.slot})
                    if (const int done = use(*held))
                        return done;
    }
    return 0;
}

int plan_traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return each_reference(reinterpret_cast<Plan*>(self),
                          [&](PyObject*& held) { return held ? visit(held, arg) : 0; });
}
int plan_clear(PyObject* self) {
    return each_reference(reinterpret_cast<Plan*>(self), [](PyObject*& held) {
        Py_XDECREF(std::exchange(held, nullptr));
        return 0;
    });
}
void plan_free(PyObject* self) {
    PyObject_GC_UnTrack(self);
    plan_clear(self);
    delete reinterpret_cast<Plan*>(self)->rules;
    free_object(self);
}

/// Plan(type, rules, root): `rules` is a list of dicts, `root` the index of the type's own.
PyObject* plan_new(PyTypeObject* type, PyObject* args, PyObject*) try {
    PyObject *of, *rules;
    unsigned int root;
    if (!PyArg_ParseTuple(args, "OOI", &of, &rules, &root))
        return nullptr;
    Ref made(PyType_GenericAlloc(type, 0));
    if (!made)
        return nullptr;
    Plan* plan = reinterpret_cast<Plan*>(made.get());
    plan->type = Py_NewRef(of);
    plan->root = root;
    plan->custom = no_rule;
    plan->rules = new std::vector<Rule>(static_cast<std::size_t>(PyList_Size(rules)));
    for (std::size_t i = 0; i < plan->rules->size(); ++i)
        if (!RuleReader(PyList_GetItem(rules, static_cast<Py_ssize_t>(i)), (*plan->rules)[i])
                 .read())
            return nullptr;
        else if (plan->custom == no_rule && (*plan->rules)[i].kind == Kind::custom)
            plan->custom = static_cast<RuleIndex>(i);
    return made.release();
} catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
}

/// The function that makes a Plan of a type. Its module is imported at first use, as it needs a
/// good part of the standard library.
PyObject* compiler() {
    if (!compile_type) {
        const Ref module(PyImport_ImportModule("gdvar._plans"));
        compile_type = module ? PyObject_GetAttrString(module.get(), "plan_of") : nullptr;
    }
    return compile_type;
}

PyObject* type_names() {
    return make_tuple(GDVAR_TYPE_COUNT, [](std::size_t type) {
        return make_text(gdvar_describe_type(static_cast<std::uint8_t>(type)).name);
    });
}

}  // namespace

std::uint16_t find_field(const Rule& rule, std::string_view key) noexcept {
    const std::size_t mask = rule.table.size() - 1;
    for (std::size_t at = hash_of(key) & mask;; at = (at + 1) & mask) {
        const std::uint16_t found = rule.table[at];
        if (found == no_field || rule.fields[found].is(key))
            return found;
    }
}

namespace {

/// The plan stored in the class itself, so that both are freed together.
Plan* plan_at(PyObject* type) {
    if (!PyType_Check(type))
        return nullptr;
    Ref found(PyObject_GetAttr(type, n_plan));
    if (!found)
        PyErr_Clear();
    else if (Py_TYPE(found.get()) == plan_type &&
             reinterpret_cast<Plan*>(found.get())->type == type)
        return reinterpret_cast<Plan*>(found.release());
    return nullptr;
}

Plan* compile(PyObject* type) {
    PyObject* const function = compiler();
    Ref plan(function ? PyObject_CallFunctionObjArgs(function, type, nullptr) : nullptr);
    if (plan && Py_TYPE(plan.get()) != plan_type) {
        PyErr_SetString(PyExc_TypeError, "the compiler gave no Plan");
        return nullptr;
    }
    return reinterpret_cast<Plan*>(plan.release());
}

}  // namespace

Plan* plan_of(PyObject* type) {
    if (Plan* plan = plan_at(type))
        return plan;
    // Unions, list[T] and the like, by their address. They live as long as they are here.
    struct Known {
        Ref type, plan;
    };
    static auto& known = *new std::array<Known, 32>;
    Known& place = known[(reinterpret_cast<std::uintptr_t>(type) >> 4) % known.size()];
    if (place.type.get() != type) {
        Ref plan(reinterpret_cast<PyObject*>(compile(type)));
        if (!plan || PyType_Check(type))
            return reinterpret_cast<Plan*>(plan.release());
        place = {Ref::borrow(type), std::move(plan)};
    }
    return reinterpret_cast<Plan*>(Py_NewRef(place.plan.get()));
}

bool take_hook(const Plan* plan, PyObject*& hook, const char* name, const char* verb) {
    if (hook == Py_None)
        hook = nullptr;
    if (hook && !PyCallable_Check(hook)) {
        PyErr_Format(PyExc_TypeError, "%s must be a function, not %R", name, Py_TYPE(hook));
        return false;
    }
    if (hook || !plan || plan->custom == no_rule)
        return true;
    PyErr_Format(PyExc_TypeError,
                 "gdvar can't %s %U: it is no type of a Variant's (%s= is for such types)", verb,
                 (*plan->rules)[plan->custom].expected, name);
    return false;
}

bool has_own_plan(PyObject* cls) {
    if (!(PyType_GetFlags(reinterpret_cast<PyTypeObject*>(cls)) & Py_TPFLAGS_HEAPTYPE))
        return false;
    const Ref plan(reinterpret_cast<PyObject*>(plan_at(cls)));
    if (plan || PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls),
                                 reinterpret_cast<PyTypeObject*>(enum_type)))
        return true;
    const Ref fields(PyObject_GetAttrString(cls, "__dataclass_fields__"));
    const Ref names(fields ? nullptr : (PyErr_Clear(), PyObject_GetAttrString(cls, "_fields")));
    PyErr_Clear();
    if (!names || !PyTuple_Check(names.get()))
        return static_cast<bool>(fields);
    const Ref module(PyObject_GetAttrString(cls, "__module__"));
    PyErr_Clear();
    return !module || !PyUnicode_Check(module.get()) ||
           PyUnicode_CompareWithASCIIString(module.get(), "gdvar.values") != 0;
}

std::nullptr_t raise_mismatch(const Mismatch& what, std::string_view path, std::int64_t offset) {
    const Ref where(make_text(path)), found(make_text(what.found));
    const Ref place(offset >= 0 ? PyLong_FromLongLong(offset) : Py_NewRef(Py_None));
    if (!where || !found || !place)
        return nullptr;
    return raise_with(
        state.mismatch_error,
        Ref(PyUnicode_FromFormat("%U%serror[%s]: expected %U, found %U", where.get(),
                                 path.empty() ? "" : ": ", what.code, what.expected, found.get())),
        Ref(Py_BuildValue("{s:s,s:O,s:O,s:O,s:O}", "code", what.code, "path", where.get(), "offset",
                          place.get(), "expected", what.expected, "found", found.get())));
}

void note_path(std::string_view path) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Ref text(make_text(path));
    const Ref note(text ? PyUnicode_FromFormat("in %U", text.get()) : nullptr);
    const Ref name(PyUnicode_FromString("add_note"));
    // A hook that encodes by itself would repeat the note at each level.
    const Ref notes(note && value ? PyObject_GetAttrString(value, "__notes__") : nullptr);
    PyErr_Clear();
    const bool said =
        notes && PyList_Check(notes.get()) && PySequence_Contains(notes.get(), note.get()) > 0;
    const Ref done(note && name && value && !said
                       ? PyObject_CallMethodObjArgs(value, name.get(), note.get(), nullptr)
                       : nullptr);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

bool add_typed(PyObject* module) {
    n_plan = PyUnicode_InternFromString("__gdvar_plan__");
    plan_type = make_type(
        module, "gdvar._gdvar._Plan", sizeof(Plan), Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
        {{Py_tp_doc, const_cast<char*>("A type that was compiled for decode and encode.")},
         slot(Py_tp_new, plan_new),
         slot(Py_tp_traverse, plan_traverse),
         slot(Py_tp_clear, plan_clear),
         slot(Py_tp_dealloc, plan_free)});
    const Ref names(type_names());
    const Ref enums(PyImport_ImportModule("enum"));
    enum_type = enums ? PyObject_GetAttrString(enums.get(), "Enum") : nullptr;
    return plan_type && enum_type && names && PyModule_AddType(module, plan_type) == 0 &&
           PyModule_AddObjectRef(module, "_TYPES", names.get()) == 0 && add_decode(module) &&
           add_encode(module);
}

}  // namespace gdvar_py
