// encode: objects as items, each by the type declared in its plan, with its own stack.
#include <algorithm>
#include <string>
#include <vector>

#include "call.hpp"
#include "items.hpp"
#include "plan.hpp"

namespace gdvar_py {
namespace {

/// Rules for undeclared values: any, and containers of any.
enum AnyRule : RuleIndex { any_value, any_list, any_tuple, any_dict, any_count };
Rule* any_rules() {
    static std::vector<Rule> rules = [] {
        std::vector<Rule> made(any_count);
        made[any_list].kind = Kind::list;
        made[any_tuple].kind = Kind::tuple_of;
        made[any_dict].kind = Kind::dict;
        for (const AnyRule each : {any_list, any_tuple, any_dict})
            made[each].item = made[each].value = any_value;
        made[any_list].loose = true;
        return made;
    }();
    return rules.data();
}

/// A rule, with the rules of its plan.
struct Place {
    Rule* rules;
    Rule* rule;
    Place at(RuleIndex index) const noexcept { return {rules, rules + index}; }
};

bool is_exact_number(PyObject* object) noexcept {
    return PyLong_Check(object) && !PyBool_Check(object);
}
bool is_a(PyObject* object, PyObject* cls) noexcept {
    return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(cls));
}
PyTypeObject* type_of(PyObject* cls) noexcept {
    return reinterpret_cast<PyTypeObject*>(cls);
}

/// Adds the items of one tree.
class TypedDumper {
public:
    TypedDumper(Items& items, const gdvar_options& options, PyObject* hook)
        : items_(items), options_(options), hook_(hook) {}

    bool run(Place place, PyObject* root) {
        if (!value(place, root))
            return false;
        // gdvar_encode refuses deeper values. A value that contains itself would never end.
        while (!stack_.empty() && stack_.size() <= std::size_t{options_.max_depth} + 1)
            if (!step())
                return false;
        return true;
    }

private:
    /// A container whose elements are being added.
    struct Frame {
        Place place;
        Ref object;
        Py_ssize_t at, count;
        Ref value;  ///< for the pair whose key was a container
    };

    // ---- refusals ----

    bool refuse(const char* code, PyObject* expected, const std::string& found) {
        if (!PyErr_Occurred() && expected)
            raise_mismatch({code, expected, found}, items_.path_of_next(options_), -1);
        return false;
    }
    bool wrong_type(const Rule& rule, PyObject* object) {
        if (PyErr_Occurred())
            return false;
        const Ref name(PyType_GetName(Py_TYPE(object)));
        return refuse("wrong_type", rule.expected, string_of(name.get()));
    }
    /// Shows the object. That runs Python code, so the tree is begun again.
    bool refuse_value(const char* code, const Rule& rule, PyObject* object) {
        if (PyErr_Occurred() || !items_.may_run_python())
            return false;
        const Ref held(Ref::borrow(object));
        const Ref text(repr_for_message(object));
        return text ? refuse(code, rule.expected, string_of(text.get())) : false;
    }
    bool bad_length(const Rule& rule, Py_ssize_t size, const char* unit) {
        return refuse("length_out_of_range", rule.expected, std::to_string(size) + " " + unit);
    }
    static bool fits_length(const Rule& rule, Py_ssize_t size) noexcept {
        return static_cast<std::uint64_t>(size) >= rule.least &&
               static_cast<std::uint64_t>(size) <= rule.most;
    }

    // ---- values without elements ----

    /// numpy's numbers and the like, as `dumps` takes them.
    bool other_number(const Place& place, PyObject* object) {
        const bool foreign = PyIndex_Check(object) || PyObject_CheckBuffer(object);
        if (PyErr_Occurred() || PyLong_Check(object) || PyFloat_Check(object) || !foreign)
            return wrong_type(*place.rule, object);
        const Ref number(items_.may_run_python() ? plain_number(object) : Ref());
        return number ? value(place, number.get()) : refuse_raised(*place.rule, object);
    }
    bool boolean(const Place& place, PyObject* object) {
        if (!PyBool_Check(object))
            return other_number(place, object);
        items_.add(GDVAR_BOOL).as.bits = object == Py_True;
        return true;
    }
    bool integer(const Place& place, PyObject* object) {
        const Rule& rule = *place.rule;
        if (!is_exact_number(object))
            return other_number(place, object);
        const std::int64_t number = PyLong_AsLongLong(object);
        if (number == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            return refuse_value("number_out_of_range", rule, object);
        }
        if (number < rule.low || number > rule.high)
            return refuse_value("number_out_of_range", rule, object);
        items_.add(GDVAR_INT).as.integer = number;
        return true;
    }
    bool real(const Place& place, PyObject* object) {
        const Rule& rule = *place.rule;
        double number = 0;
        if (PyFloat_Check(object)) {
            number = PyFloat_AsDouble(object);
        } else if (is_exact_number(object)) {
            constexpr std::int64_t most = std::int64_t{1} << 53;
            const std::int64_t whole = PyLong_AsLongLong(object);
            const bool overflows = whole == -1 && PyErr_Occurred();
            PyErr_Clear();
            if (overflows || whole < -most || whole > most)
                return refuse_value("number_out_of_range", rule, object);
            number = static_cast<double>(whole);
        } else {
            return other_number(place, object);
        }
        if (rule.bounded && !in_bounds(rule, number))
            return refuse_value("number_out_of_range", rule, object);
        items_.add(GDVAR_FLOAT).as.real = number;
        return true;
    }
    bool text(const Rule& rule, PyObject* object) {
        if (!PyUnicode_Check(object))
            return wrong_type(rule, object);
        if (rule.bounded) {
            const Py_ssize_t size = PyUnicode_GetLength(object);
            if (!fits_length(rule, size))
                return bad_length(rule, size, "characters");
        }
        return str(rule.kind == Kind::string_name ? GDVAR_STRING_NAME : GDVAR_STRING, rule, object);
    }
    bool str(std::uint8_t type, const Rule& rule, PyObject* object) {
        if (items_.add_str(type, object))
            return true;
        if (!PyErr_ExceptionMatches(PyExc_ValueError) &&
            !PyErr_ExceptionMatches(PyExc_OverflowError))
            return false;
        const bool large = PyErr_ExceptionMatches(PyExc_OverflowError);
        PyErr_Clear();
        return large ? refuse("too_large", rule.expected, "2 GiB and more")
                     : refuse_value("bad_utf8", rule, object);
    }
    bool bytes(const Rule& rule, PyObject* object) {
        const bool is_bytes = PyBytes_Check(object);
        if (!is_bytes && !PyByteArray_Check(object))
            return wrong_type(rule, object);
        const Py_ssize_t size = is_bytes ? PyBytes_Size(object) : PyByteArray_Size(object);
        if (!fits_length(rule, size))
            return bad_length(rule, size, "bytes");
        return any_leaf(object);
    }
    bool math(const Rule& rule, PyObject* object) {
        PyTypeObject* const wide = state.math[rule.type][1];
        const bool is_wide = wide && (rule.cls == reinterpret_cast<PyObject*>(wide) ||
                                      PyObject_TypeCheck(object, wide));
        const bool known = PyObject_TypeCheck(object, state.math[rule.type][0]);
        if (!known && !(PyTuple_Check(object) || PyList_Check(object)))
            return wrong_type(rule, object);
        if (add_math(items_, rule.type, is_wide, object))
            return true;
        return refuse_raised(rule, object);
    }
    /// An exception of Python's own, or none, becomes a MismatchError.
    bool refuse_raised(const Rule& rule, PyObject* object) {
        if (!PyErr_Occurred())
            return wrong_type(rule, object);
        const bool range = PyErr_ExceptionMatches(PyExc_OverflowError);
        if (!range && !PyErr_ExceptionMatches(PyExc_TypeError) &&
            !PyErr_ExceptionMatches(PyExc_ValueError))
            return false;
        PyErr_Clear();
        return range ? refuse_value("number_out_of_range", rule, object) : wrong_type(rule, object);
    }
    // ---- running Python code ----

    /// As isinstance(), which asks `__class__` and abstract classes. -1 with an exception. If
    /// Python code may not run now: 0, and the tree is begun again.
    int is_instance(PyObject* object, PyObject* cls) {
        if (PyObject_TypeCheck(object, type_of(cls)))
            return 1;
        return items_.may_run_python() ? PyObject_IsInstance(object, cls) : 0;
    }
    /// True if the dict's keys may be compared: those of other classes run Python code.
    bool may_look_up(PyObject* dict) {
        Py_ssize_t at = 0;
        PyObject* key;
        while (PyDict_Next(dict, &at, &key, nullptr))
            if (!PyUnicode_CheckExact(key))
                return items_.may_run_python();
        return true;
    }

    /// As `fits` says it of a class: 2, 0, or -1 with an exception.
    int fits_class(PyObject* object, PyObject* cls) {
        const int is_it = is_instance(object, cls);
        return is_it > 0 ? 2 : is_it;
    }

    bool as_is(const Rule& rule, PyObject* object) {
        const int is_it = is_instance(object, rule.cls);
        if (is_it < 0)
            return false;
        if (is_it > 0)
            return any_leaf(object);
        const bool list = rule.packs && (PyList_Check(object) || PyTuple_Check(object));
        if (!list && !may_be_packed(rule, object))
            return wrong_type(rule, object);
        return converted(rule, object, !list);
    }
    /// True for a buffer in place of a packed array of numbers that has its elements, unless it is
    /// another packed array.
    bool may_be_packed(const Rule& rule, PyObject* object) {
        if (!rule.packs || !PyObject_CheckBuffer(object) ||
            type_of(rule.cls) == state.plain.packed_string_array ||
            std::ranges::find(state.packed, Py_TYPE(object)) != std::end(state.packed) ||
            !items_.may_run_python())
            return false;
        Buffer given;
        const bool taken = given.take(object);
        PyErr_Clear();
        const auto type = static_cast<std::uint8_t>(
            std::ranges::find(state.packed, type_of(rule.cls)) - std::begin(state.packed));
        return taken &&
               (given.fits(PackedArray::like(type, false)) ||
                (gdvar_describe_type(type).widens && given.fits(PackedArray::like(type, true))));
    }
    /// A list or a buffer in place of a declared packed array. Buffers of doubles are wide.
    bool converted(const Rule& rule, PyObject* object, bool buffer) {
        if (!items_.may_run_python())
            return false;
        Ref made(PyObject_CallFunctionObjArgs(rule.cls, object, nullptr));
        if (!made && buffer && PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            const Ref args(PyTuple_Pack(1, object)), names(Py_BuildValue("{s:O}", "wide", Py_True));
            made = Ref(args && names ? PyObject_Call(rule.cls, args.get(), names.get()) : nullptr);
        }
        if (made) {
            items_.keep(made.get());
            return any_leaf(made.get());
        }
        return refuse_raised(rule, object);
    }
    /// As in `dumps`.
    bool any_leaf(PyObject* object) { return add_value(items_, options_, object); }

    // ---- enums and literals ----

    /// The value of an enum's member, which is an int or str.
    bool member(const Rule& rule, PyObject* object) {
        if (!is_a(object, rule.cls))
            return wrong_type(rule, object);
        const Ref inner(PyObject_GenericGetAttr(object, n_value()));
        return inner && plain(rule, inner.get());
    }
    static PyObject* n_value() {
        static PyObject* name = PyUnicode_InternFromString("_value_");
        return name;
    }
    bool plain(const Rule& rule, PyObject* object) {
        if (PyUnicode_Check(object))
            return str(GDVAR_STRING, rule, object);
        if (object == Py_None || PyBool_Check(object) || PyLong_Check(object))
            return any_leaf(object);
        return wrong_type(rule, object);
    }
    bool literal(const Rule& rule, PyObject* object) {
        if (!is_literal(rule, object))
            return refuse_value("unknown_name", rule, object);
        if (PyUnicode_CheckExact(object) || PyLong_CheckExact(object) || object == Py_None ||
            PyBool_Check(object))
            return plain(rule, object);
        const Ref inner(PyObject_GenericGetAttr(object, n_value()));
        return inner && plain(rule, inner.get());
    }
    static bool is_literal(const Rule& rule, PyObject* object) {
        if (object == Py_None)
            return rule.allowed & allows_none;
        if (PyBool_Check(object))
            return rule.allowed & (object == Py_True ? allows_true : allows_false);
        if (PyUnicode_CheckExact(object) || PyLong_CheckExact(object)) {
            PyObject* found = PyDict_GetItemWithError(rule.known, object);
            return found && Py_TYPE(found) == Py_TYPE(object);
        }
        Py_ssize_t at = 0;  // a member of an enum
        PyObject* known;
        while (PyDict_Next(rule.known, &at, nullptr, &known))
            if (known == object)
                return true;
        return false;
    }

    // ---- any value ----

    bool value(Place place, PyObject* object) {
        items_.hold(object);
        if (place.rule->kind == Kind::choice) {
            Rule* const chosen = choose(place, object);
            if (!chosen)
                return !PyErr_Occurred() && other_number(place, object);
            place.rule = chosen;
        }
        const Rule& rule = *place.rule;
        switch (rule.kind) {
            case Kind::integer:
                return integer(place, object);
            case Kind::real:
                return real(place, object);
            case Kind::text:
            case Kind::string_name:
                return text(rule, object);
            case Kind::boolean:
                return boolean(place, object);
            case Kind::none:
                if (object != Py_None)
                    return wrong_type(rule, object);
                items_.add(GDVAR_NIL);
                return true;
            case Kind::math:
                return math(rule, object);
            case Kind::bytes:
                return bytes(rule, object);
            case Kind::as_is:
                return as_is(rule, object);
            case Kind::enumeration:
            case Kind::flag:
                return member(rule, object);
            case Kind::literal:
                return literal(rule, object);
            case Kind::any:
                return any(object);
            case Kind::custom:
                return is_instance(object, rule.cls) > 0 ? hooked(object)
                                                         : wrong_type(rule, object);
            default:
                return open(place, object);
        }
    }

    /// The alternative of a union for an object: its own, or else the first that takes it. Null:
    /// there is none, or with an exception.
    Rule* choose(Place place, PyObject* object) {
        Rule* second = nullptr;
        for (const RuleIndex index : place.rule->items) {
            Rule* const rule = place.rules + index;
            const int fit = fits(place, *rule, object);
            if (fit == 2)
                return rule;
            if (fit <= 0 && PyErr_Occurred())
                return nullptr;
            if (fit == 1 && !second)
                second = rule;
        }
        return second;
    }
    /// 2: it has the rule's type; 1: it can be written so; 0: neither; -1: with an exception.
    int fits(Place place, const Rule& rule, PyObject* object) {
        switch (rule.kind) {
            case Kind::any:
                return 1;
            case Kind::none:
                return object == Py_None ? 2 : 0;
            case Kind::boolean:
                return PyBool_Check(object) ? 2 : 0;
            case Kind::integer:
                return PyLong_CheckExact(object) ? 2 : is_exact_number(object);
            case Kind::real:
                return PyFloat_Check(object) ? 2 : is_exact_number(object);
            case Kind::text:
                return PyUnicode_CheckExact(object) ? 2 : PyUnicode_Check(object);
            case Kind::string_name:
                return PyObject_TypeCheck(object, state.string_name) ? 2 : PyUnicode_Check(object);
            case Kind::bytes:
                return is_a(object, rule.cls) ? 2
                                              : PyBytes_Check(object) || PyByteArray_Check(object);
            case Kind::math:
                return PyObject_TypeCheck(object, state.math[rule.type][0]) ? 2
                       : Py_TYPE(object) == &PyTuple_Type                   ? 1
                                                                            : 0;
            case Kind::as_is:
                if (const int fit = fits_class(object, rule.cls))
                    return fit;
                return may_be_packed(rule, object);
            case Kind::custom:
                return fits_class(object, rule.cls);
            case Kind::enumeration:
            case Kind::flag:
                return is_a(object, rule.cls) ? 2 : 0;
            case Kind::literal:
                return is_literal(rule, object) ? 2 : 0;
            case Kind::tagged:
                return PyDict_Check(object) || record_of(place, rule, object) ? 2 : 0;
            default:
                return fits_container(rule, object);
        }
    }
    int fits_container(const Rule& rule, PyObject* object) {
        switch (rule.kind) {
            case Kind::dataclass:
                return Py_TYPE(object) == type_of(rule.cls) ? 2 : 0;
            case Kind::typed_dict:
            case Kind::dict:
                return PyDict_Check(object) ? 2 : 0;
            case Kind::pairs:
                return PyObject_TypeCheck(object, state.plain.pairs) ? 2 : 0;
            case Kind::list:
                return PyList_Check(object) ? 2 : rule.loose && PyTuple_Check(object);
            case Kind::set:
                if (const int fit = fits_class(object, rule.cls))
                    return fit;
                return rule.loose && PyAnySet_Check_(object);
            case Kind::tuple:
                return Py_TYPE(object) == type_of(rule.cls) ? 2 : 0;
            default:
                return PyTuple_Check(object) ? 2 : 0;
        }
    }
    static bool PyAnySet_CheckExact_(PyObject* object) noexcept {
        return Py_TYPE(object) == &PySet_Type || Py_TYPE(object) == &PyFrozenSet_Type;
    }
    static bool PyAnySet_Check_(PyObject* object) noexcept {
        return PyObject_TypeCheck(object, &PySet_Type) ||
               PyObject_TypeCheck(object, &PyFrozenSet_Type);
    }

    /// An undeclared value: classes with fields by their own plans, others as in `dumps`.
    bool any(PyObject* object) {
        Rule* const rules = any_rules();
        PyTypeObject* const type = Py_TYPE(object);
        if (type == &PyList_Type)
            return open({rules, rules + any_list}, object);
        if (type == &PyTuple_Type)
            return open({rules, rules + any_tuple}, object);
        if (type == &PyDict_Type)
            return open({rules, rules + any_dict}, object);
        if (type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type ||
            type == &PyBool_Type || object == Py_None)
            return any_leaf(object);
        PyObject* const cls = reinterpret_cast<PyObject*>(type);
        if (!has_own_plan(cls))
            return hook_ && !has_variant_type(object) ? hooked(object) : any_leaf(object);
        // Compiling a class runs Python code.
        if (!items_.may_run_python())
            return false;
        Ref plan(reinterpret_cast<PyObject*>(plan_of(cls)));
        if (!plan)
            return false;
        Plan* const found = reinterpret_cast<Plan*>(plan.get());
        items_.keep(std::move(plan));  // items point to its keys
        if (!take_hook(found, hook_, "enc_hook", "encode"))
            return false;
        const Place place{found->rules->data(), found->rules->data() + found->root};
        return place.rule->kind == Kind::any ? any_leaf(object) : value(place, object);
    }

    /// The hook's object in place of another one. It is not asked again for the result, which might
    /// never end.
    bool hooked(PyObject* object) {
        if (!items_.may_run_python())
            return false;
        Ref made(PyObject_CallFunctionObjArgs(hook_, object, nullptr));
        if (!made)
            return note_path(items_.path_of_next(options_)), false;
        PyObject* const plain = made.get();
        items_.keep(std::move(made));
        PyObject* const cls = reinterpret_cast<PyObject*>(Py_TYPE(plain));
        return has_own_plan(cls) || has_variant_type(plain)
                   ? any(plain)
                   : refuse_next(items_, options_, "wrong_type", "%R of enc_hook is no Variant",
                                 cls);
    }

    // ---- containers: begin ----

    bool open(Place place, PyObject* object) {
        const Rule& rule = *place.rule;
        switch (rule.kind) {
            case Kind::dataclass:
                return open_instance(place, object);
            case Kind::typed_dict:
                return open_typed_dict(place, object);
            case Kind::tagged:
                return open_tagged(place, object);
            case Kind::dict:
                if (!PyDict_Check(object))
                    return wrong_type(rule, object);
                return begin(place, object, GDVAR_DICTIONARY, PyDict_Size(object));
            case Kind::pairs:
                if (!PyObject_TypeCheck(object, state.plain.pairs))
                    return wrong_type(rule, object);
                return begin(place, object, GDVAR_DICTIONARY, PyList_Size(object));
            case Kind::set:
                return open_set(place, object);
            default:
                return open_array(place, object);
        }
    }
    bool begin(Place place, PyObject* object, std::uint8_t type, Py_ssize_t count) {
        if (!fits_length(*place.rule, count))
            return bad_length(*place.rule, count, "elements");
        if (count > INT32_MAX)
            return refuse("too_large", place.rule->expected, std::to_string(count) + " elements");
        if (!place.rule->typed)
            items_.add(type, 0, static_cast<std::uint32_t>(count));
        else if (!begin_typed(*place.rule, object, type, static_cast<std::uint32_t>(count)))
            return false;
        stack_.push_back({place, Ref::borrow(object), 0, count, {}});
        return true;
    }
    /// A container of the types that the object has, or else of the declared ones.
    bool begin_typed(const Rule& rule, PyObject* object, std::uint8_t type, std::uint32_t count) {
        if (!items_.may_run_python())
            return false;
        const bool array = type == GDVAR_ARRAY;
        PyObject* const names[] = {array ? state.n_type : state.n_key_type, state.n_value_type};
        const int has = is_instance(object, rule.cls);
        if (has < 0)
            return false;
        Ref types[2];
        bool typed = false;
        for (int i = 0; i < (array ? 1 : 2); ++i) {
            types[i] = has ? Ref(PyObject_GetAttr(object, names[i])) : Ref::borrow(state.untyped);
            if (!types[i])
                return false;
            if (types[i].get() == state.untyped)
                types[i] = Ref::borrow(PyTuple_GetItem(rule.typed, i));
            typed |= types[i].get() != state.untyped;
        }
        items_.add(type, typed ? GDVAR_ITEM_TYPED : 0, count);
        return !typed || (add_container_type(items_, options_, types[0].get()) &&
                          (array || add_container_type(items_, options_, types[1].get())));
    }
    bool open_array(Place place, PyObject* object) {
        if (fits_container(*place.rule, object) <= 0)
            return wrong_type(*place.rule, object);
        const Py_ssize_t count = PyList_Check(object) ? PyList_Size(object) : PyTuple_Size(object);
        if (place.rule->kind == Kind::tuple &&
            static_cast<std::size_t>(count) != place.rule->items.size())
            return bad_length(*place.rule, count, "elements");
        return begin(place, object, GDVAR_ARRAY, count);
    }
    bool open_set(Place place, PyObject* object) {
        if (fits_container(*place.rule, object) <= 0)
            return wrong_type(*place.rule, object);
        const bool plain = PyAnySet_CheckExact_(object);
        const Ref list(plain || items_.may_run_python() ? PySequence_List(object) : nullptr);
        if (!list)
            return false;
        items_.keep(list.get());
        return begin(place, list.get(), GDVAR_ARRAY, PyList_Size(list.get()));
    }
    bool open_instance(Place place, PyObject* object) {
        const Rule& rule = *place.rule;
        if (Py_TYPE(object) != type_of(rule.cls))
            return wrong_type(rule, object);
        return begin(place, object, GDVAR_DICTIONARY, static_cast<Py_ssize_t>(rule.fields.size()));
    }
    bool open_typed_dict(Place place, PyObject* object) {
        const Rule& rule = *place.rule;
        if (!PyDict_Check(object))
            return wrong_type(rule, object);
        if (!may_look_up(object))
            return false;
        Py_ssize_t there = 0;
        for (const Field& field : rule.fields) {
            if (PyDict_GetItemWithError(object, field.name))
                ++there;
            else if (PyErr_Occurred())
                return false;
            else if (field.missing == Missing::refused)
                return missing_key(field);
        }
        if (PyDict_Size(object) != there)
            return unknown_key(rule, object);
        return begin(place, object, GDVAR_DICTIONARY, there);
    }
    bool missing_key(const Field& field) {
        const Ref expected(PyUnicode_FromFormat("the key \"%U\"", field.name));
        return refuse("missing_key", expected.get(), "dict without it");
    }
    bool unknown_key(const Rule& rule, PyObject* dict) {
        Py_ssize_t at = 0;
        PyObject* key;
        while (PyDict_Next(dict, &at, &key, nullptr)) {
            bool known = false;
            for (const Field& field : rule.fields)
                known |= PyUnicode_Check(key) && PyUnicode_Compare(key, field.name) == 0;
            if (!known)
                return refuse_value("unknown_key", rule, key);
        }
        return refuse("unknown_key", rule.expected, "dict that changes");
    }
    bool open_tagged(Place place, PyObject* object) {
        const Rule& rule = *place.rule;
        Rule* const record = record_of(place, rule, object);
        if (record)
            return open({place.rules, record}, object);
        if (PyErr_Occurred() || !PyDict_Check(object))
            return wrong_type(rule, object);
        return refuse_value("unknown_name", rule, object);
    }
    /// The record type of an object: by its class, or a dict by its tag.
    Rule* record_of(Place place, const Rule& rule, PyObject* object) {
        for (const RuleIndex index : rule.items) {
            Rule* const record = place.rules + index;
            if (record->kind == Kind::dataclass && Py_TYPE(object) == type_of(record->cls))
                return record;
        }
        if (!PyDict_Check(object) || !may_look_up(object))
            return nullptr;
        const Ref key(make_text(rule.key));
        PyObject* tag = key ? PyDict_GetItemWithError(object, key.get()) : nullptr;
        if (!tag || !(PyUnicode_Check(tag) || PyLong_Check(tag)))
            return nullptr;
        PyObject* found = PyDict_GetItemWithError(rule.known, tag);
        Rule* const record = found ? place.rules + PyLong_AsUnsignedLong(found) : nullptr;
        return record && record->kind == Kind::typed_dict ? record : nullptr;
    }

    // ---- containers: elements ----

    bool step() {
        Frame& frame = stack_.back();
        if (frame.value) {
            const Ref held(std::move(frame.value));
            return value(frame.place.at(frame.place.rule->value), held.get());
        }
        switch (frame.place.rule->kind) {
            case Kind::dataclass:
                return step_instance();
            case Kind::typed_dict:
                return step_typed_dict();
            case Kind::dict:
                return step_dict();
            case Kind::pairs:
                return step_pairs();
            default:
                return step_array();
        }
    }
    bool close() {
        stack_.pop_back();
        return true;
    }

    static bool has_changed() {
        PyErr_SetString(PyExc_RuntimeError, "a container changed its size while it was written");
        return false;
    }

    /// Calls `next` with the frame on top until that is closed, or another one is opened.
    template <class Next>
    bool each(Next&& next) {
        const std::size_t depth = stack_.size();
        while (stack_.size() == depth)
            if (!next(stack_.back()))
                return false;
        return true;
    }
    bool step_array() {
        const Place place = stack_.back().place;
        const bool each_own = place.rule->kind == Kind::tuple;
        PyObject* const object = stack_.back().object.get();
        const bool list = PyList_Check(object);
        return each([&](Frame& frame) {
            if (list && PyList_Size(object) != frame.count)
                return has_changed();
            if (frame.at == frame.count)
                return close();
            const Py_ssize_t at = frame.at++;
            PyObject* const item = list ? PyList_GetItem(object, at) : PyTuple_GetItem(object, at);
            if (!item)
                return false;
            const Ref held(items_.may_have_run_python() ? Ref::borrow(item) : Ref());
            return value(place.at(each_own ? place.rule->items[at] : place.rule->item), item);
        });
    }
    bool step_instance() {
        const Place place = stack_.back().place;
        PyObject* const object = stack_.back().object.get();
        return each([&](Frame& frame) {
            if (frame.at == frame.count)
                return close();
            const Field& field = place.rule->fields[static_cast<std::size_t>(frame.at++)];
            items_.add_text(GDVAR_STRING, {field.key.data(), field.key.size()});
            const Ref held(attribute(field, object));
            return held && value(place.at(field.rule), held.get());
        });
    }
    PyObject* attribute(const Field& field, PyObject* object) {
        if (field.computed && !items_.may_run_python())
            return nullptr;
        PyObject* found =
            field.get ? field.get(field.slot, object, reinterpret_cast<PyObject*>(Py_TYPE(object)))
                      : PyObject_GenericGetAttr(object, field.name);
        if (found && field.computed)
            items_.keep(found);
        if (!found && PyErr_ExceptionMatches(PyExc_AttributeError)) {
            PyErr_Clear();
            const Ref expected(PyUnicode_FromFormat("the attribute \"%U\"", field.name));
            refuse("missing_key", expected.get(), "object without it");
        }
        return found;
    }
    bool step_typed_dict() {
        const Place place = stack_.back().place;
        PyObject* const object = stack_.back().object.get();
        return each([&](Frame& frame) {
            if (static_cast<std::size_t>(frame.at) == place.rule->fields.size())
                return close();
            const Field& field = place.rule->fields[static_cast<std::size_t>(frame.at++)];
            PyObject* const found = PyDict_GetItemWithError(object, field.name);
            if (!found)
                return !PyErr_Occurred();
            const Ref held(Ref::borrow(found));
            items_.add_text(GDVAR_STRING, {field.key.data(), field.key.size()});
            return value(place.at(field.rule), found);
        });
    }
    bool step_dict() {
        PyObject* const object = stack_.back().object.get();
        return each([&](Frame& frame) {
            PyObject *key, *mapped;
            if (PyDict_Size(object) != frame.count)
                return has_changed();
            return PyDict_Next(object, &frame.at, &key, &mapped) ? pair(key, mapped) : close();
        });
    }
    bool step_pairs() {
        PyObject* const object = stack_.back().object.get();
        return each([&](Frame& frame) {
            if (PyList_Size(object) != frame.count)
                return has_changed();
            if (frame.at == frame.count)
                return close();
            PyObject* const element = PyList_GetItem(object, frame.at++);
            if (!element)
                return false;
            if (!PyTuple_Check(element) || PyTuple_Size(element) != 2)
                return wrong_type(*frame.place.rule, element);
            items_.hold(element);
            return pair(PyTuple_GetItem(element, 0), PyTuple_GetItem(element, 1));
        });
    }
    /// A key and its value, which comes after the key's own elements.
    bool pair(PyObject* key, PyObject* mapped) {
        const std::size_t depth = stack_.size();
        const Place place = stack_.back().place;
        const Ref held_key(Ref::borrow(key)), held(Ref::borrow(mapped));
        if (!value(place.at(place.rule->item), key))
            return false;
        if (stack_.size() == depth)
            return value(place.at(place.rule->value), mapped);
        stack_[depth - 1].value = Ref::borrow(mapped);
        return true;
    }

    Items& items_;
    const gdvar_options& options_;
    PyObject* hook_;  ///< for objects of other classes; may be null
    KeptStack<Frame> stack_;
};

PyObject* encode(const Call& call) {
    PyObject *object = nullptr, *type = nullptr, *dialect = nullptr, *limits = nullptr,
             *objects = nullptr, *real_width = nullptr, *hook = nullptr;
    Arg to[] = {{"obj", &object, true},     {"type", &type},       {"dialect", &dialect},
                {"limits", &limits},        {"objects", &objects}, {"enc_hook", &hook},
                {"real_width", &real_width}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    if (!take_args(call, to, 1) ||
        !take_options(options, dialect, limits, objects, nullptr, real_width))
        return nullptr;
    PyObject* const cls = reinterpret_cast<PyObject*>(Py_TYPE(object));
    if (type == Py_None)
        type = nullptr;
    if (!type && has_own_plan(cls))
        type = cls;
    const Ref plan(type ? reinterpret_cast<PyObject*>(plan_of(type)) : nullptr);
    if (type && !plan)
        return nullptr;
    Plan* const found = reinterpret_cast<Plan*>(plan.get());
    if (!take_hook(found, hook, "enc_hook", "encode"))
        return nullptr;
    Rule* const rules = found ? found->rules->data() : any_rules();
    const Place place{rules, rules + (found ? found->root : any_value)};
    return items_as_bytes(
        [&](Items& items) { return TypedDumper(items, options, hook).run(place, object); },
        options);
}

PyMethodDef functions[] = {
    row<"encode", encode>("encode(obj, *, type=None, dialect='godot-4.4', limits=None, "
                          R"(objects=False, enc_hook=None, real_width=4)
--

The packet of an object: of a dataclass, NamedTuple or enum, or of what `dumps` takes, with
such objects in it.

Fields are written as they are declared: a float field with 1 is a float. `type`: what the
object is declared as, such as list[Player]; None: its class. `decode` with the same type
gives an equal object. `enc_hook(obj)`: gives for an object of a class that gdvar does not
know another one, which is written in its place. Raises MismatchError where a value is not of its declared type,
EncodeError where a value can't be written, TypeError where the type can't be.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_encode(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
