// decode: a packet's tape as objects of a plan's types. One pass over the nodes with its own stack,
// so that depth costs memory but no recursion.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "call.hpp"
#include "crowd.hpp"
#include "make.hpp"
#include "plan.hpp"

namespace gdvar_py {
namespace {

struct KeyRules {
    bool refuse_unknown = false, refuse_repeated = false;
};

constexpr bool is_text(std::uint8_t type) noexcept {
    return type == GDVAR_STRING || type == GDVAR_STRING_NAME;
}
constexpr bool is_array(std::uint8_t type) noexcept {
    return type == GDVAR_ARRAY || type == GDVAR_PACKED_TYPED_ARRAY;
}
/// True for a float that can be taken as an int.
bool is_whole(double number) noexcept {
    return number >= -0x1p63 && number < 0x1p63 && std::trunc(number) == number;
}
/// A packet's text in a message: as Python prints it, so in one line, without control characters.
std::string in_quotes(std::string_view text) {
    std::size_t most = std::min<std::size_t>(text.size(), 60);
    while (most && most < text.size() && (text[most] & 0xC0) == 0x80)
        --most;
    const Ref some(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(most), "replace"));
    const Ref shown(some ? PyObject_Repr(some.get()) : nullptr);
    const std::string printed = string_of(shown.get());
    if (printed.size() < 2) {
        PyErr_Clear();
        return "a text";
    }
    return '"' + printed.substr(1, printed.size() - 2) + (most < text.size() ? "...\"" : "\"");
}
std::string in_digits(double number) {
    const Ref object(PyFloat_FromDouble(number));
    const Ref text(object ? PyObject_Repr(object.get()) : nullptr);
    return string_of(text.get());
}

class TypedLoader {
public:
    TypedLoader(const Packet& packet, Plan* plan, const gdvar_options& options, gdvar_bytes bytes,
                KeyRules keys, PyObject* hook) noexcept
        : packet_(packet),
          nodes_(packet.tape.nodes),
          rules_(plan->rules->data()),
          root_(plan->root),
          options_(options),
          bytes_(bytes),
          keys_(keys),
          hook_(hook) {}
    TypedLoader(const TypedLoader&) = delete;
    ~TypedLoader() {
        for (const Frame& frame : stack_) {
            Py_XDECREF(frame.made);
            Py_XDECREF(frame.key);
        }
        for (PyObject* value : values_)
            Py_XDECREF(value);
    }

    /// Null with an exception.
    PyObject* run() {
        PyObject* value = nullptr;
        TextHabit habit;
        Taken taken = take(&rules_[root_], habit, value);
        for (;;) {
            if (taken == Taken::failed)
                return nullptr;
            if (taken == Taken::value) {
                if (stack_.empty())
                    return value;
                if (!deliver(value))
                    return nullptr;
            }
            taken = step();
            if (taken == Taken::complete) {
                value = close();
                taken = value ? Taken::value : Taken::failed;
            }
        }
    }

private:
    /// The result for a value: made; a container, for which a frame was pushed; or an exception.
    /// `complete`: a frame has no more elements.
    enum class Taken : std::uint8_t { value, opened, failed, complete };

    struct Frame {
        Rule* rule;
        PyObject* made;    ///< not for a dataclass, whose values wait in `values_`
        PyObject* key;     ///< dict, pairs: the key of the next value
        std::size_t base;  ///< in `values_`
        std::uint32_t node;
        std::uint32_t left;   ///< remaining elements or pairs
        std::uint32_t index;  ///< the next element; for a record: the number of fields so far
        std::uint32_t child;  ///< the node of the current element or key
        std::uint16_t field;  ///< a record: the field of the current value
        bool watched;         ///< dict, set: its keys are in the last of `crowds_`
    };

    // ---- errors ----

    Taken refuse(const char* code, std::uint64_t offset, PyObject* expected,
                 const std::string& found) {
        if (!expected)
            return failed();
        gdvar_error error{};
        error.code = gdvar_error_code(code);
        error.offset = offset;
        std::string where = path_of(error, bytes_, options_);
        if (element_ >= 0)
            where += '[' + std::to_string(element_) + ']';
        raise_mismatch({code, expected, found}, where, static_cast<std::int64_t>(offset));
        return Taken::failed;
    }
    Taken failed() {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        return Taken::failed;
    }
    Taken wrong_type(const Rule& rule, const gdvar_node& n) {
        return refuse("wrong_type", n.offset, rule.expected, type_name(n.type));
    }
    Taken out_of_range(const Rule& rule, const gdvar_node& n) {
        const std::string found =
            n.type == GDVAR_INT ? std::to_string(n.as.integer) : in_digits(n.as.real);
        return refuse("number_out_of_range", n.offset, rule.expected, found);
    }
    Taken bad_length(const Rule& rule, std::uint64_t offset, std::uint64_t size, const char* unit) {
        return refuse("length_out_of_range", offset, rule.expected,
                      std::to_string(size) + " " + unit);
    }
    std::string show(const gdvar_node& n) const {
        if (is_text(n.type))
            return in_quotes(text_of(packet_.tape, n));
        return n.type == GDVAR_INT ? std::to_string(n.as.integer) : type_name(n.type);
    }
    Taken bad_key(const char* code, const Rule& rule, std::uint32_t key) {
        const bool again = std::string_view(code) == "repeated_key";
        const Ref expected(again ? PyUnicode_FromString("each key once")
                                 : PyUnicode_FromFormat("%U without other keys", rule.expected));
        return refuse(code, nodes_[key].offset, expected.get(),
                      "the key " + show(nodes_[key]) + (again ? " again" : ""));
    }
    Taken missing_key(std::uint32_t node, std::string_view key) {
        const Ref expected(make_text("the key " + in_quotes(key)));
        return refuse("missing_key", nodes_[node].offset, expected.get(), "Dictionary without it");
    }

    // ---- values without children ----

    static Taken give(PyObject* made, PyObject*& value) {
        value = made;
        return made ? Taken::value : Taken::failed;
    }

    /// Numbers and bools, also as elements of packed arrays.
    Taken number(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        return rule.kind == Kind::integer ? integer(rule, n, value) : real(rule, n, value);
    }
    Taken integer(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        std::int64_t number = n.as.integer;
        if (n.type != GDVAR_INT) [[unlikely]] {
            if (n.type != GDVAR_FLOAT)
                return wrong_type(rule, n);
            if (!is_whole(n.as.real))
                return out_of_range(rule, n);
            number = static_cast<std::int64_t>(n.as.real);
        }
        if (number < rule.low || number > rule.high) [[unlikely]]
            return out_of_range(rule, n);
        return give(PyLong_FromLongLong(number), value);
    }
    Taken real(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        double number = n.as.real;
        if (n.type != GDVAR_FLOAT) [[unlikely]] {
            if (n.type != GDVAR_INT)
                return wrong_type(rule, n);
            constexpr std::int64_t most = std::int64_t{1} << 53;
            if (n.as.integer < -most || n.as.integer > most)
                return out_of_range(rule, n);
            number = static_cast<double>(n.as.integer);
        }
        if (rule.bounded && !in_bounds(rule, number)) [[unlikely]]
            return out_of_range(rule, n);
        return give(PyFloat_FromDouble(number), value);
    }

    Taken text(const Rule& rule, TextHabit& habit, std::string_view text, std::uint64_t offset,
               PyObject*& value) {
        PyObject* made =
            rule.kind == Kind::string_name ? make_string_name(text) : make_string(text, habit);
        if (made && rule.bounded) [[unlikely]] {
            const auto size = static_cast<std::uint64_t>(PyUnicode_GetLength(made));
            if (size < rule.least || size > rule.most) {
                Py_DECREF(made);
                return bad_length(rule, offset, size, "characters");
            }
        }
        return give(made, value);
    }
    Taken bytes(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        if (n.type != GDVAR_PACKED_BYTE_ARRAY)
            return wrong_type(rule, n);
        const gdvar_numbers numbers = gdvar_node_numbers(packet_.document, index_of(n));
        if (numbers.count < rule.least || numbers.count > rule.most)
            return bad_length(rule, n.offset, numbers.count, "bytes");
        const char* data = static_cast<const char*>(numbers.data);
        return give(rule.cls == reinterpret_cast<PyObject*>(&PyByteArray_Type)
                        ? PyByteArray_FromStringAndSize(data, numbers.count)
                        : PyBytes_FromStringAndSize(data, numbers.count),
                    value);
    }
    std::uint32_t index_of(const gdvar_node& n) const noexcept {
        return static_cast<std::uint32_t>(&n - nodes_);
    }

    Taken math(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        if (n.type != rule.type)
            return wrong_type(rule, n);
        const bool wide = n.flags & GDVAR_WIDE;
        if (n.flags & GDVAR_COPIED) {
            const gdvar_numbers numbers = gdvar_node_numbers(packet_.document, index_of(n));
            return give(make_wide_enough(rule, n.type, wide, numbers.data, numbers.host_order),
                        value);
        }
        return give(make_wide_enough(rule, n.type, wide, packet_.tape.bytes + n.offset + 4, false),
                    value);
    }
    /// A math value of the rule's class. Wide ones have a separate class, the rule's or a base of
    /// it; narrow ones become wide if the rule says so.
    static PyObject* make_wide_enough(const Rule& rule, std::uint8_t type, bool wide,
                                      const void* data, bool host_order) {
        const bool widened = !wide && state.math[type][1] &&
                             rule.cls == reinterpret_cast<PyObject*>(state.math[type][1]);
        if (!widened)
            return make_math(type, wide, data, host_order);
        double numbers[16];
        const std::uint8_t count = gdvar_describe_type(type).components;
        for (std::uint8_t i = 0; i < count; ++i)
            numbers[i] =
                double{load_number<float>(static_cast<const char*>(data) + 4 * i, host_order)};
        return make_math(type, true, numbers, true);
    }

    Taken as_is(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        if (!(rule.types >> n.type & 1))
            return wrong_type(rule, n);
        Ref made(loaded(n));
        if (!made)
            return Taken::failed;
        if (reinterpret_cast<PyObject*>(Py_TYPE(made.get())) == rule.cls)
            return give(made.release(), value);
        const int is_it = PyObject_IsInstance(made.get(), rule.cls);
        if (is_it > 0)
            return give(made.release(), value);
        if (is_it < 0)
            return Taken::failed;
        if (!rule.wrap)
            return refuse("wrong_type", n.offset, rule.expected,
                          Py_TYPE(made.get()) == state.object_id ? "EncodedObjectAsID" : "Object");
        if (Py_TYPE(made.get()) == state.plain.pairs) {
            const Ref expected(PyUnicode_FromString("each key once"));
            return refuse("repeated_key", n.offset, expected.get(),
                          "keys that a dict can't hold apart");
        }
        return give(PyObject_CallFunctionObjArgs(rule.wrap, made.get(), nullptr), value);
    }

    /// The result of the hook, which must be of the declared class.
    Taken custom(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        const Ref plain(loaded(n));
        if (!plain)
            return Taken::failed;
        Ref made(PyObject_CallFunctionObjArgs(hook_, rule.wrap, plain.get(), nullptr));
        if (!made)
            return noted(n), Taken::failed;
        const int is_it = PyObject_IsInstance(made.get(), rule.cls);
        if (is_it > 0)
            return give(made.release(), value);
        const Ref name(PyType_GetName(Py_TYPE(made.get())));
        return is_it < 0 ? Taken::failed
                         : refuse("wrong_type", n.offset, rule.expected,
                                  string_of(name.get()) + " of dec_hook");
    }

    PyObject* loaded(const gdvar_node& n) {
        return has_children(n) ? make_value(packet_, index_of(n)) : make_leaf(packet_, index_of(n));
    }

    // ---- enums and literals ----

    /// A number or text in Python's form. Null without an exception: neither.
    Ref plain(const gdvar_node& n) {
        if (is_text(n.type))
            return Ref(make_key(text_of(packet_.tape, n)));
        if (n.type == GDVAR_INT)
            return Ref(PyLong_FromLongLong(n.as.integer));
        if (n.type == GDVAR_FLOAT && is_whole(n.as.real))
            return Ref(PyLong_FromLongLong(static_cast<std::int64_t>(n.as.real)));
        return {};
    }
    Taken unknown_name(const Rule& rule, const gdvar_node& n) {
        if (n.type == GDVAR_FLOAT)
            return out_of_range(rule, n);
        return is_text(n.type) ? refuse("unknown_name", n.offset, rule.expected, show(n))
                               : out_of_range(rule, n);
    }
    Taken known(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        const Ref key(plain(n));
        if (!key)
            return PyErr_Occurred() ? Taken::failed : unknown_name(rule, n);
        PyObject* found = PyDict_GetItemWithError(rule.known, key.get());
        if (!found)
            return PyErr_Occurred() ? Taken::failed : unknown_name(rule, n);
        return give(Py_NewRef(found), value);
    }
    Taken enumeration(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        return allows(rule, n.type) ? known(rule, n, value) : wrong_type(rule, n);
    }
    static bool allows(const Rule& rule, std::uint8_t type) noexcept {
        const bool is_number = type == GDVAR_INT || type == GDVAR_FLOAT;
        return (is_number && rule.allowed & allows_numbers) ||
               (is_text(type) && rule.allowed & allows_texts);
    }
    Taken flag(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        if (n.type != GDVAR_INT && n.type != GDVAR_FLOAT)
            return wrong_type(rule, n);
        const Ref number(plain(n));
        if (!number)
            return PyErr_Occurred() ? Taken::failed : out_of_range(rule, n);
        PyObject* made = PyObject_CallFunctionObjArgs(rule.cls, number.get(), nullptr);
        if (!made && PyErr_ExceptionMatches(PyExc_ValueError)) {
            PyErr_Clear();
            return out_of_range(rule, n);
        }
        return give(made, value);
    }
    Taken literal(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        if (n.type == GDVAR_NIL && rule.allowed & allows_none)
            return give(Py_NewRef(Py_None), value);
        if (n.type == GDVAR_BOOL) {
            if (rule.allowed & (n.as.bits ? allows_true : allows_false))
                return give(PyBool_FromLong(n.as.bits != 0), value);
            if (rule.allowed & (allows_true | allows_false))
                return refuse("unknown_name", n.offset, rule.expected,
                              n.as.bits ? "true" : "false");
        }
        return enumeration(rule, n, value);
    }

    // ---- any value ----

    /// The value at `at_`, which moves behind it.
    Taken take(Rule* rule, TextHabit& habit, PyObject*& value) {
        const gdvar_node& n = nodes_[at_];
        if (rule->kind == Kind::choice) {
            const RuleIndex chosen = rule->by_type[n.type];
            if (chosen == no_rule)
                return wrong_type(*rule, n);
            rule = &rules_[chosen];
        }
        switch (rule->kind) {
            case Kind::integer:
                ++at_;
                return integer(*rule, n, value);
            case Kind::real:
                ++at_;
                return real(*rule, n, value);
            case Kind::text:
            case Kind::string_name:
                if (!is_text(n.type))
                    return wrong_type(*rule, n);
                ++at_;
                return text(*rule, habit, text_of(packet_.tape, n), n.offset, value);
            case Kind::boolean:
                if (n.type != GDVAR_BOOL)
                    return wrong_type(*rule, n);
                ++at_;
                return give(Py_NewRef(n.as.bits ? Py_True : Py_False), value);
            case Kind::none:
                if (n.type != GDVAR_NIL)
                    return wrong_type(*rule, n);
                ++at_;
                return give(Py_NewRef(Py_None), value);
            case Kind::list:
            case Kind::set:
            case Kind::tuple_of:
            case Kind::tuple:
                return open_array(rule, n, value);
            case Kind::dict:
            case Kind::pairs:
            case Kind::dataclass:
            case Kind::typed_dict:
                return open_dictionary(rule, n);
            case Kind::tagged:
                return open_tagged(*rule, n);
            default:
                at_ = node_behind(nodes_, at_);
                return leaf(*rule, n, value);
        }
    }
    Taken leaf(const Rule& rule, const gdvar_node& n, PyObject*& value) {
        switch (rule.kind) {
            case Kind::math:
                return math(rule, n, value);
            case Kind::bytes:
                return bytes(rule, n, value);
            case Kind::as_is:
                return as_is(rule, n, value);
            case Kind::enumeration:
                return enumeration(rule, n, value);
            case Kind::flag:
                return flag(rule, n, value);
            case Kind::literal:
                return literal(rule, n, value);
            case Kind::custom:
                return custom(rule, n, value);
            default:
                return give(loaded(n), value);
        }
    }

    // ---- packed arrays as lists ----

    /// A list of a packed array's elements, each as if it were by itself.
    Taken unpack(Rule* rule, const gdvar_node& n, PyObject*& value) {
        Ref list(n.type == GDVAR_PACKED_STRING_ARRAY ? unpack_texts(*rule, n)
                                                     : unpack_numbers(*rule, n));
        element_ = -1;
        at_ = node_behind(nodes_, at_);
        if (list && rule->typed)
            list = Ref(PyObject_CallFunctionObjArgs(rule->cls, list.get(), nullptr));
        if (!list || rule->kind == Kind::list)
            return give(list.release(), value);
        return give(
            rule->kind == Kind::set ? make_set(*rule, n, list.get()) : PyList_AsTuple(list.get()),
            value);
    }
    /// A set of a packed array's elements. Null with an exception.
    PyObject* make_set(const Rule& rule, const gdvar_node& n, PyObject* list) {
        const Py_ssize_t count = PyList_Size(list);
        const bool watched =
            static_cast<std::size_t>(count) > Crowd::most_equal && is_watched(rule);
        Ref made(new_set(rule));
        if (watched)
            crowds_.emplace_back(Crowd::Of::set);
        for (Py_ssize_t i = 0, size = 0; made && i < count; ++i) {
            PyObject* item = PyList_GetItem(list, i);
            if (PySet_Add(made.get(), item) < 0)
                return nullptr;
            const Py_ssize_t before = std::exchange(size, PySet_Size(made.get()));
            if (size == before && keys_.refuse_repeated) {
                const Ref expected(PyUnicode_FromString("each element once"));
                return refuse("repeated_key", n.offset, expected.get(), "an element again"),
                       nullptr;
            }
            if (size != before && watched && !spreads(item, n))
                return nullptr;
        }
        if (watched)
            crowds_.pop_back();
        return made.release();
    }
    static PyObject* new_set(const Rule& rule) {
        return rule.cls == reinterpret_cast<PyObject*>(&PyFrozenSet_Type) ? PyFrozenSet_New(nullptr)
                                                                          : PySet_New(nullptr);
    }
    PyObject* unpack_texts(Rule& rule, const gdvar_node& n) {
        std::vector<gdvar_text> texts(n.as.span.count);
        gdvar_node_texts(packet_.document, index_of(n), texts.data(), texts.size());
        Ref list(PyList_New(n.as.span.count));
        for (std::size_t i = 0; list && i < texts.size(); ++i) {
            PyObject* item = nullptr;
            element_ = static_cast<std::int64_t>(i);
            const auto offset =
                reinterpret_cast<const std::uint8_t*>(texts[i].data) - packet_.tape.bytes - 4;
            if (text(rules_[rule.item], rule.item_habit, {texts[i].data, texts[i].size},
                     static_cast<std::uint64_t>(offset), item) != Taken::value)
                return nullptr;
            PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), item);
        }
        return list.release();
    }
    PyObject* unpack_numbers(const Rule& rule, const gdvar_node& n) {
        const gdvar_numbers numbers = gdvar_node_numbers(packet_.document, index_of(n));
        const Rule& item = rules_[rule.item];
        const std::size_t stride = component_size(numbers.component) * numbers.components;
        Ref list(PyList_New(numbers.count));
        for (std::uint32_t i = 0; list && i < numbers.count; ++i) {
            const char* data = static_cast<const char*>(numbers.data) + i * stride;
            PyObject* made = nullptr;
            element_ = i;
            if (item.kind == Kind::math) {
                made = make_wide_enough(item, item.type, n.flags & GDVAR_WIDE, data,
                                        numbers.host_order);
            } else {
                gdvar_node one = element(numbers, data);
                one.offset = n.offset + 8 + static_cast<std::uint32_t>(i * stride);
                if (number(item, one, made) != Taken::value)
                    return nullptr;
            }
            if (!made)
                return nullptr;
            PyList_SetItem(list.get(), i, made);
        }
        return list.release();
    }
    static gdvar_node element(const gdvar_numbers& from, const char* data) {
        return with_component(data, from.component, from.host_order, [](auto number) {
            gdvar_node node{};
            constexpr bool real = std::is_floating_point_v<decltype(number)>;
            node.type = real ? GDVAR_FLOAT : GDVAR_INT;
            if constexpr (real)
                node.as.real = double{number};
            else
                node.as.integer = number;
            return node;
        });
    }

    // ---- containers: begin ----

    Taken open_array(Rule* rule, const gdvar_node& n, PyObject*& value) {
        const bool packed = rule->packed >> n.type & 1;
        if (!packed && !is_array(n.type))
            return wrong_type(*rule, n);
        const std::uint32_t count = n.as.span.count;
        const std::uint64_t most = rule->kind == Kind::tuple ? rule->items.size() : rule->most;
        const std::uint64_t least = rule->kind == Kind::tuple ? rule->required : rule->least;
        if (count < least || count > most) [[unlikely]]
            return bad_length(*rule, n.offset, count, "elements");
        if (packed)
            return unpack(rule, n, value);
        PyObject* made;
        switch (rule->kind) {
            case Kind::list:
                made = PyList_New(count);
                break;
            case Kind::set:
                made = new_set(*rule);
                break;
            case Kind::tuple_of:
                made = PyTuple_New(count);
                break;
            default:
                made = new_tuple(reinterpret_cast<PyTypeObject*>(rule->cls),
                                 static_cast<Py_ssize_t>(rule->items.size()));
        }
        return push(rule, made, count);
    }
    Taken open_dictionary(Rule* rule, const gdvar_node& n) {
        if (n.type != GDVAR_DICTIONARY)
            return wrong_type(*rule, n);
        const std::uint32_t count = n.as.span.count;
        if (count < rule->least || count > rule->most) [[unlikely]]
            return bad_length(*rule, n.offset, count, "elements");
        if (rule->kind == Kind::dataclass || rule->kind == Kind::typed_dict) {
            const std::size_t base = values_.size();
            values_.resize(base + rule->fields.size());
            stack_.push_back({rule, nullptr, nullptr, base, at_, count, 0, 0, no_field, false});
            ++at_;
            return Taken::opened;
        }
        return push(rule, rule->kind == Kind::dict ? PyDict_New() : PyList_New(count), count);
    }
    Taken push(Rule* rule, PyObject* made, std::uint32_t count) {
        if (!made)
            return Taken::failed;
        Ref held(made);
        const bool watched = count > Crowd::most_equal && is_watched(*rule);
        if (watched)
            crowds_.emplace_back(rule->kind == Kind::set ? Crowd::Of::set : Crowd::Of::dict);
        stack_.push_back({rule, made, nullptr, 0, at_, count, 0, 0, no_field, watched});
        held.release();
        ++at_;
        return Taken::opened;
    }
    /// True if a peer can choose keys of one hash: not if all of them are texts.
    bool is_watched(const Rule& rule) const noexcept {
        if (rule.kind != Kind::set && rule.kind != Kind::dict)
            return false;
        const Kind key = rules_[rule.item].kind;
        return key != Kind::text && key != Kind::string_name;
    }
    /// One of several records, by the value of their tag.
    Taken open_tagged(const Rule& rule, const gdvar_node& n) {
        if (n.type != GDVAR_DICTIONARY)
            return wrong_type(rule, n);
        const std::uint32_t tag =
            gdvar_find_text(packet_.document, at_, {rule.key.data(), rule.key.size()});
        if (tag == GDVAR_NO_NODE)
            return missing_key(at_, rule.key);
        const Ref key(plain(nodes_[tag]));
        if (!key)
            return PyErr_Occurred() ? Taken::failed : wrong_type(rule, nodes_[tag]);
        PyObject* found = PyDict_GetItemWithError(rule.known, key.get());
        if (!found)
            return PyErr_Occurred() ? Taken::failed
                                    : refuse("unknown_name", nodes_[tag].offset, rule.expected,
                                             show(nodes_[tag]));
        return open_dictionary(&rules_[PyLong_AsUnsignedLong(found)], n);
    }

    // ---- containers: elements ----

    /// Continues with the frame on top until a container is opened in it, or it is complete.
    Taken step() {
        switch (stack_.back().rule->kind) {
            case Kind::dataclass:
            case Kind::typed_dict:
                return step_record();
            case Kind::dict:
            case Kind::pairs:
                return step_dict();
            case Kind::tuple:
                return step_array<true>();
            default:
                return step_array<false>();
        }
    }

    template <bool each_own>
    Taken step_array() {
        const std::size_t me = stack_.size() - 1;
        Rule* const rule = stack_[me].rule;
        while (stack_[me].left) {
            Frame& frame = stack_[me];
            --frame.left;
            frame.child = at_;
            Rule* const item = &rules_[each_own ? rule->items[frame.index] : rule->item];
            PyObject* value = nullptr;
            const Taken taken = take(item, rule->item_habit, value);
            if (taken != Taken::value)
                return taken;
            if (!put_element(stack_[me], value))
                return Taken::failed;
        }
        return Taken::complete;
    }
    bool put_element(Frame& frame, PyObject* value) {
        switch (frame.rule->kind) {
            case Kind::list:
                PyList_SetItem(frame.made, frame.index++, value);
                return true;
            case Kind::set:
                return put_in_set(frame, value);
            default:
                PyTuple_SetItem(frame.made, frame.index++, value);
                return true;
        }
    }
    bool put_in_set(Frame& frame, PyObject* value) {
        const Ref held(value);
        const Py_ssize_t before = PySet_Size(frame.made);
        if (PySet_Add(frame.made, value) < 0)
            return refuse_unhashable(frame);
        if (PySet_Size(frame.made) == before)
            return !may_not_repeat(*frame.rule) ||
                   bad_key("repeated_key", *frame.rule, frame.child) == Taken::value;
        return !frame.watched || spreads(value, nodes_[frame.node]);
    }
    /// Checks that a new key does not exceed the allowed collisions. False with a LimitError.
    bool spreads(PyObject* key, const gdvar_node& container) {
        if (crowds_.back().add(static_cast<std::uint64_t>(PyObject_Hash(key))))
            return true;
        gdvar_error error{};
        error.code = gdvar_error_code("node_limit");
        error.offset = container.offset;
        raise(error, {.path = path_of(error, bytes_, options_),
                      .what = "too many keys with equal hashes; decode it as Pairs or Any"});
        return false;
    }
    /// Keys that are equal in Python need not be so in Godot: then none may be lost.
    bool may_not_repeat(const Rule& rule) const noexcept {
        return keys_.refuse_repeated || !rule.hash_exact;
    }
    bool refuse_unhashable(Frame& frame) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return false;
        PyErr_Clear();
        const Ref expected(PyUnicode_FromString("a key with a hash"));
        const gdvar_node& n = nodes_[frame.child];
        return refuse("wrong_type", n.offset, expected.get(), type_name(n.type)) == Taken::value;
    }

    Taken step_dict() {
        const std::size_t me = stack_.size() - 1;
        Rule* const rule = stack_[me].rule;
        Rule* const key_rule = &rules_[rule->item];
        const bool plain = key_rule->kind == Kind::text && !key_rule->bounded;
        while (stack_[me].left || stack_[me].key) {
            Frame& frame = stack_[me];
            PyObject* value = nullptr;
            if (!frame.key) {
                --frame.left;
                frame.child = at_;
                if (plain && is_text(nodes_[at_].type) && !(frame.key = next_key(frame)))
                    return Taken::failed;
            }
            const Taken taken = frame.key ? take(&rules_[rule->value], rule->value_habit, value)
                                          : take(key_rule, rule->item_habit, value);
            if (taken != Taken::value)
                return taken;
            if (!put_in_dict(stack_[me], value))
                return Taken::failed;
        }
        return Taken::complete;
    }
    PyObject* next_key(const Frame& frame) {
        const gdvar_node& n = nodes_[at_++];
        const std::uint32_t place = nodes_[frame.node].as.span.count - frame.left - 1;
        return frame.rule->last_keys.take(place, text_of(packet_.tape, n));
    }
    /// A key, or the value of the previous key.
    bool put_in_dict(Frame& frame, PyObject* value) {
        if (!frame.key) {
            frame.key = value;
            return true;
        }
        const Ref key(std::exchange(frame.key, nullptr)), held(value);
        if (frame.rule->kind == Kind::pairs) {
            PyObject* pair = PyTuple_Pack(2, key.get(), value);
            if (!pair)
                return false;
            PyList_SetItem(frame.made, frame.index++, pair);
            return true;
        }
        if (PyDict_SetItem(frame.made, key.get(), value) < 0)
            return refuse_unhashable(frame);
        if (!frame.watched && !may_not_repeat(*frame.rule))
            return true;
        const auto before =
            std::exchange(frame.index, static_cast<std::uint32_t>(PyDict_Size(frame.made)));
        if (frame.index == before)
            return !may_not_repeat(*frame.rule) ||
                   bad_key("repeated_key", *frame.rule, frame.child) == Taken::value;
        return !frame.watched || spreads(key.get(), nodes_[frame.node]);
    }

    /// Fields mostly have the order of the last packet, so each remembers its successor.
    Taken step_record() {
        const std::size_t me = stack_.size() - 1;
        Rule& rule = *stack_[me].rule;
        const std::size_t count = rule.fields.size();
        std::uint16_t before = stack_[me].field;
        std::uint32_t left = stack_[me].left;
        const std::size_t base = stack_[me].base;
        std::uint32_t there = stack_[me].index;
        while (left) {
            --left;
            const gdvar_node& key = nodes_[at_];
            std::uint16_t& guess = before == no_field ? rule.first : rule.fields[before].next;
            if (!(guess < count && is_text(key.type) &&
                  rule.fields[guess].is(text_of(packet_.tape, key)))) [[unlikely]] {
                const std::uint16_t found =
                    is_text(key.type) ? find_field(rule, text_of(packet_.tape, key)) : no_field;
                if (found == no_field) {
                    if (keys_.refuse_unknown)
                        return bad_key("unknown_key", rule, at_);
                    at_ = node_behind(nodes_, node_behind(nodes_, at_));
                    continue;
                }
                guess = found;
            }
            const std::uint16_t field = guess;
            PyObject*& place = values_[base + field];
            if (place) [[unlikely]] {
                if (keys_.refuse_repeated)
                    return bad_key("repeated_key", rule, at_);
                Py_DECREF(std::exchange(place, nullptr));
                --there;
            }
            ++at_;
            before = field;
            PyObject* value = nullptr;
            Field& chosen = rule.fields[field];
            const Taken taken = take(&rules_[chosen.rule], chosen.habit, value);
            if (taken != Taken::value) {
                if (taken == Taken::opened) {
                    Frame& frame = stack_[me];
                    frame.field = field;
                    frame.left = left;
                    frame.index = there;
                }
                return taken;
            }
            values_[base + field] = value;
            ++there;
        }
        stack_[me].index = there;
        stack_[me].left = 0;
        return Taken::complete;
    }

    /// Puts a complete container in its place.
    bool deliver(PyObject* value) {
        Frame& frame = stack_.back();
        switch (frame.rule->kind) {
            case Kind::dataclass:
            case Kind::typed_dict:
                values_[frame.base + frame.field] = value;
                ++frame.index;
                return true;
            case Kind::dict:
            case Kind::pairs:
                return put_in_dict(frame, value);
            default:
                return put_element(frame, value);
        }
    }

    // ---- containers: end ----

    PyObject* close() {
        Frame& frame = stack_.back();
        const Rule& rule = *frame.rule;
        Ref made;
        if (rule.kind == Kind::dataclass || rule.kind == Kind::typed_dict) {
            if (frame.index < rule.fields.size() && !fill_in(frame))
                return nullptr;
            made = Ref(rule.kind == Kind::dataclass ? make_instance(frame) : make_dict(frame));
            if (!made)
                return nullptr;
            drop_values(frame.base);
        } else {
            made = Ref(std::exchange(frame.made, nullptr));
            if (frame.watched)
                crowds_.pop_back();
            if (rule.kind == Kind::tuple)
                add_defaults(rule, frame.index, made.get());
            if (rule.kind == Kind::pairs)
                made = Ref(PyObject_CallFunctionObjArgs(rule.cls, made.get(), nullptr));
            if (rule.typed)
                made = Ref(with_types(packet_, frame.node,
                                      reinterpret_cast<PyTypeObject*>(rule.cls), made.get()));
        }
        stack_.pop_back();
        return made.release();
    }
    void drop_values(std::size_t base) {
        for (std::size_t i = base; i < values_.size(); ++i)
            Py_XDECREF(values_[i]);
        values_.resize(base);
    }
    static void add_defaults(const Rule& rule, std::uint32_t from, PyObject* tuple) {
        for (std::size_t i = from; i < rule.items.size(); ++i) {
            PyObject* item =
                PyTuple_GetItem(rule.defaults, static_cast<Py_ssize_t>(i - rule.required));
            PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), Py_NewRef(item));
        }
    }
    /// The values of fields without keys.
    bool fill_in(const Frame& frame) {
        for (std::size_t i = 0; i < frame.rule->fields.size(); ++i) {
            const Field& field = frame.rule->fields[i];
            if (values_[frame.base + i] || field.missing == Missing::left_out)
                continue;
            if (field.missing == Missing::refused)
                return missing_key(frame.node, field.key) == Taken::value;
            PyObject* made = fallback(field);
            if (!made)
                return noted(nodes_[frame.node]);
            values_[frame.base + i] = made;
        }
        return true;
    }
    static PyObject* fallback(const Field& field) {
        return field.missing == Missing::factory
                   ? PyObject_CallFunctionObjArgs(field.fallback, nullptr)
                   : Py_NewRef(field.fallback);
    }
    /// Adds the value's path to an exception of the class's own code.
    bool noted(const gdvar_node& n) {
        gdvar_error error{};
        error.code = gdvar_error_code("wrong_type");
        error.offset = n.offset;
        if (const std::string path = path_of(error, bytes_, options_); !path.empty())
            note_path(path);
        return false;
    }

    PyObject* make_instance(const Frame& frame) {
        const Rule& rule = *frame.rule;
        PyTypeObject* const cls = reinterpret_cast<PyTypeObject*>(rule.cls);
        Ref made(rule.builds_plainly ? PyType_GenericAlloc(cls, 0) : make_by_new(rule));
        if (!made)
            return noted(nodes_[frame.node]), nullptr;
        PyObject* const* value = values_.data() + frame.base;
        for (const Field& field : rule.fields)
            if (!set_field(made.get(), field, *value++))
                return noted(nodes_[frame.node]), nullptr;
        for (const Field& field : rule.hidden) {
            if (field.missing == Missing::refused)
                continue;
            const Ref held(fallback(field));
            if (!held || !set_field(made.get(), field, held.get()))
                return noted(nodes_[frame.node]), nullptr;
        }
        if (rule.post_init) {
            const Ref done(PyObject_CallFunctionObjArgs(rule.post_init, made.get(), nullptr));
            if (!done)
                return noted(nodes_[frame.node]), nullptr;
        }
        return made.release();
    }
    static PyObject* make_by_new(const Rule& rule) {
        const Ref maker(PyObject_GetAttrString(rule.cls, "__new__"));
        return maker ? PyObject_CallFunctionObjArgs(maker.get(), rule.cls, nullptr) : nullptr;
    }
    static bool set_field(PyObject* object, const Field& field, PyObject* value) {
        if (field.set)
            return field.set(field.slot, object, value) == 0;
        return PyObject_GenericSetAttr(object, field.name, value) == 0;
    }
    PyObject* make_dict(const Frame& frame) {
        Ref made(PyDict_New());
        PyObject* const* value = values_.data() + frame.base;
        for (const Field& field : frame.rule->fields) {
            if (made && *value && PyDict_SetItem(made.get(), field.name, *value) < 0)
                return nullptr;
            ++value;
        }
        return made.release();
    }

    const Packet& packet_;
    const gdvar_node* nodes_;
    Rule* rules_;
    RuleIndex root_;
    const gdvar_options& options_;
    gdvar_bytes bytes_;
    KeyRules keys_;
    PyObject* hook_;  ///< for custom types
    std::uint32_t at_ = 0;
    std::int64_t element_ = -1;  ///< of a packed array, for messages
    KeptStack<Frame> stack_;
    KeptStack<PyObject*> values_;
    std::vector<Crowd> crowds_;  ///< of the frames that are watched
};

// ---- decode ----

PyObject* decode_with(PyObject* data, PyObject* type, const gdvar_options& options, KeyRules keys,
                      PyObject* hook) {
    const Ref bytes(packet_of(data, options));
    const Ref held(bytes ? reinterpret_cast<PyObject*>(plan_of(type)) : nullptr);
    auto* const plan = reinterpret_cast<Plan*>(held.get());
    if (!plan || !take_hook(plan, hook, "dec_hook", "decode"))
        return nullptr;
    const KeptDocument document;
    if (!document.get())
        return PyErr_NoMemory();
    const gdvar_bytes view = bytes_of(bytes.get());
    gdvar_error error;
    if (gdvar_document_read(document.get(), view, &options, &error))
        return raise_reading(error, view, options);
    const Packet packet{document.get(), gdvar_document_tape(document.get()), bytes.get()};
    const WithoutGc no_gc;
    return TypedLoader(packet, plan, options, view, keys, hook).run();
}

PyObject* decode(const Call& call) {
    PyObject *data = nullptr, *type = nullptr, *dialect = nullptr, *limits = nullptr,
             *objects = nullptr, *strict = nullptr, *unknown = nullptr, *repeated = nullptr,
             *real_width = nullptr, *hook = nullptr;
    Arg to[] = {{"data", &data, true},      {"type", &type, true},   {"dialect", &dialect},
                {"limits", &limits},        {"objects", &objects},   {"strict", &strict},
                {"unknown", &unknown},      {"repeated", &repeated}, {"dec_hook", &hook},
                {"real_width", &real_width}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    KeyRules keys;
    if (!take_args(call, to, 2) ||
        !take_options(options, dialect, limits, objects, strict, real_width) ||
        !take_choice(unknown, "unknown", "ignore", "refuse", keys.refuse_unknown) ||
        !take_choice(repeated, "repeated", "last", "refuse", keys.refuse_repeated))
        return nullptr;
    return decode_with(data, type, options, keys, hook);
}

PyMethodDef functions[] = {
    row<"decode", decode>(
        "decode(data, type, *, dialect='godot-4.4', limits=None, objects=False, "
        R"(strict=False, unknown='ignore', repeated='last', dec_hook=None, real_width=4)
--

The value of a packet as a type: a dataclass, TypedDict, NamedTuple, enum, list[T], ...

`unknown`: what becomes of keys that the type does not have, 'ignore' or 'refuse'.
`repeated`: of a key that is there more than once the last counts, or 'refuse'.
`dec_hook(type, value)`: makes the objects of classes that gdvar does not know, of what `loads` gives.
Raises MismatchError where the value is not of the type, DecodeError where the bytes are no
packet, TypeError where gdvar can't decode the type. Classes' `__init__` are not called, but
`__post_init__` is. What is taken for what: docs/conversions.md.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_decode(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
