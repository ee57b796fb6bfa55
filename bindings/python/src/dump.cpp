// dumps: Python objects as items, with its own stack, and then as one packet.
#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "call.hpp"
#include "items.hpp"

namespace gdvar_py {
namespace {

class Dumper;

/// A class that has a Variant type.
struct Known {
    PyTypeObject* type = nullptr;
    bool (*add)(Dumper& to, PyObject* object, const Known& known) = nullptr;
    std::uint8_t variant = GDVAR_NIL;
    bool wide = false;
};

/// The classes that have a Variant type, by their address.
class KnownTypes {
public:
    void add(const Known& known) { *find(known.type) = known; }
    /// The entry of the class or of its nearest base.
    Known look_up(PyTypeObject* type) noexcept {
        for (PyTypeObject* base = type; base && base != &PyBaseObject_Type;
             base = static_cast<PyTypeObject*>(PyType_GetSlot(base, Py_tp_base)))
            if (const Known* place = find(base); place->type)
                return *place;
        return {};
    }

private:
    static constexpr std::size_t size = 256;

    Known* find(PyTypeObject* type) noexcept {
        std::size_t at = (reinterpret_cast<std::uintptr_t>(type) >> 4) * 0x9E3779B97F4A7C15u >> 56;
        while (known_[at].type && known_[at].type != type)
            at = (at + 1) % size;
        return &known_[at];
    }
    std::array<Known, size> known_{};
};

KnownTypes known_types;

/// The number of a type by its Godot 4 name; -1: none.
int type_named(std::string_view name) noexcept {
    for (int i = 0; i < GDVAR_TYPE_COUNT; ++i) {
        const gdvar_text known = gdvar_describe_type(static_cast<std::uint8_t>(i)).name;
        if (name == std::string_view(known.data, known.size))
            return i;
    }
    return -1;
}

/// The number of a buffer without dimensions. Null without an exception: Variant lacks its kind.
Ref number_in(const Buffer& given, PyObject* object) {
    if (given.is_bool())
        return Ref(PyBool_FromLong(*static_cast<const unsigned char*>(given.data()) != 0));
    const std::uint8_t component = given.component();
    if (component == GDVAR_F32 || component == GDVAR_F64)
        return Ref(PyNumber_Float(object));
    Ref index(PyNumber_Index(object));
    if (!index && PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Clear();
    return index;
}

/// Adds the items of one tree.
class Dumper {
public:
    Dumper(Items& items, const gdvar_options& options) : items_(items), options_(options) {}

    static void fill_known_types();

    bool container_type(PyObject* type) {
        static constexpr std::string_view kinds[] = {"untyped", "builtin", "class_name", "script"};
        gdvar_text texts[3];
        Ref kept[3];
        if (!PyTuple_Check(type) || PyTuple_Size(type) != 3)
            return refuse("wrong_type", "a container's type is a ContainerType, not %U", type);
        for (int i = 0; i < 3; ++i) {
            PyObject* text = PyTuple_GetItem(type, i);
            if (!PyUnicode_Check(text))
                return refuse("wrong_type", "a ContainerType has three str: %U", type);
            if (!take_text(text, texts[i], kept[i]))
                return refuse_pending("bad_utf8");
        }
        const auto& [kind, variant, name] = texts;
        const auto* found =
            std::find(std::begin(kinds), std::end(kinds), std::string_view(kind.data, kind.size));
        const int number = type_named({variant.data, variant.size});
        if (found == std::end(kinds) || number < 0)
            return refuse("bad_container_type", "there is no such type: %U", type);
        gdvar_item& item = items_.add_text(static_cast<std::uint8_t>(number), name);
        item.flags = static_cast<std::uint8_t>(found - kinds);
        items_.keep(type);
        if (kept[2])
            items_.keep(std::move(kept[2]));
        return true;
    }

    bool run(PyObject* root) {
        if (!value(root))
            return false;
        // gdvar_encode refuses deeper values. A list that contains itself would never end.
        while (!stack_.empty() && stack_.size() <= std::size_t{options_.max_depth} + 1)
            if (!step())
                return false;
        return true;
    }

private:
    enum class Of : std::uint8_t { list, tuple, dict, pairs, strings, properties, property_pairs };
    /// A container whose elements are being added.
    struct Frame {
        Ref container;
        Of of = Of::list;
        Py_ssize_t at = 0, count = 0;
        Ref value;  ///< for the pair whose key was a container
    };

    /// `format` has "%U" for the object's description. That runs Python code, so the tree is begun
    /// again.
    [[gnu::cold, gnu::noinline]] bool refuse(const char* code, const char* format,
                                             PyObject* object) {
        if (PyErr_Occurred() || !items_.may_run_python())
            return false;
        const Ref held(Ref::borrow(object));
        const Ref text(repr_for_message(object));
        return text ? refuse_next(items_, options_, code, format, text.get()) : false;
    }
    /// An exception of Python's own becomes an EncodeError with a path.
    [[gnu::cold, gnu::noinline]] bool refuse_pending(const char* code) {
        PyObject* pending = PyErr_Occurred();
        const bool ours = pending && (PyErr_GivenExceptionMatches(pending, PyExc_OverflowError) ||
                                      PyErr_GivenExceptionMatches(pending, PyExc_BufferError) ||
                                      PyErr_GivenExceptionMatches(pending, PyExc_TypeError) ||
                                      PyErr_GivenExceptionMatches(pending, PyExc_ValueError));
        if (!ours || PyErr_GivenExceptionMatches(pending, state.encode_error))
            return false;
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        const Ref held_type(type), held(value), held_trace(trace);
        const Ref why(PyObject_Str(value));
        return why ? refuse_next(items_, options_, code, "%U", why.get()) : false;
    }
    /// A number that is too large, or not a number.
    bool refuse_math() {
        return refuse_pending(PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)
                                  ? "number_out_of_range"
                                  : "wrong_type");
    }
    bool open(PyObject* container, Of of, Py_ssize_t count) {
        ++opened_;
        Frame& frame = stack_.emplace_back();
        frame.container = Ref::borrow(container);
        frame.of = of;
        frame.count = count;
        return true;
    }
    /// The number of open containers at which cycles are searched. Cycles would end at max_depth,
    /// too, but with all their elements a thousand times.
    static constexpr std::size_t few_open = 48;
    bool is_open(PyObject* container) const noexcept {
        return std::ranges::any_of(
            stack_, [&](const Frame& frame) { return frame.container.get() == container; });
    }
    /// Checks that a container may be begun.
    bool fits(Py_ssize_t count, PyObject* object) {
        if (stack_.size() == few_open && is_open(object))
            return refuse("depth_limit", "it holds itself: %U", object);
        return count <= INT32_MAX || refuse("too_large", "too many elements: %U", object);
    }

    // ---- elements ----

    bool step() {
        Frame& frame = stack_.back();
        if (items_.may_have_run_python() && has_changed(frame)) {
            PyErr_SetString(PyExc_RuntimeError,
                            "a container changed its size while it was written");
            return false;
        }
        if (frame.value) {
            const Ref held(std::move(frame.value));
            return value(held.get());
        }
        PyObject* container = frame.container.get();
        switch (frame.of) {
            case Of::list:
                return elements(frame);
            case Of::tuple:
                return frame.at < frame.count ? value(PyTuple_GetItem(container, frame.at++))
                                              : close();
            case Of::strings:
                return frame.at < frame.count ? string(PyList_GetItem(container, frame.at++))
                                              : close();
            case Of::dict:
            case Of::properties:
                return pairs_of_dict(frame);
            default:
                return frame.at < frame.count ? pair(frame) : close();
        }
    }
    bool close() {
        stack_.pop_back();
        return true;
    }
    static bool has_changed(const Frame& frame) noexcept {
        PyObject* container = frame.container.get();
        if (frame.of == Of::tuple)
            return false;
        const bool dict = frame.of == Of::dict || frame.of == Of::properties;
        return (dict ? PyDict_Size(container) : PyList_Size(container)) != frame.count;
    }
    /// True if the frame on top, since `opened`, can continue without checks.
    bool goes_on(std::uint64_t opened) const noexcept {
        return opened_ == opened && !items_.may_have_run_python();
    }
    /// Adds elements up to one with elements of its own.
    bool elements(Frame& frame) {
        const std::uint64_t opened = opened_;
        do {
            if (frame.at == frame.count)
                return close();
            PyObject* element = PyList_GetItem(frame.container.get(), frame.at++);
            if (!element || !value(element))
                return false;
        } while (goes_on(opened));
        return true;
    }

    bool string(PyObject* element) {
        if (!element)
            return false;
        if (!PyUnicode_Check(element))
            return refuse("wrong_type", "an element of a PackedStringArray is a str, not %U",
                          element);
        return items_.add_str(GDVAR_STRING, element) || refuse_pending("bad_utf8");
    }

    bool pairs_of_dict(Frame& frame) {
        const std::uint64_t opened = opened_;
        do {
            PyObject *key, *mapped;
            if (!PyDict_Next(frame.container.get(), &frame.at, &key, &mapped))
                return close();
            if (!key_and_value(frame, key, mapped))
                return false;
        } while (goes_on(opened));
        return true;
    }
    bool pair(Frame& frame) {
        PyObject* element = PyList_GetItem(frame.container.get(), frame.at++);
        if (!element)
            return false;
        if (!PyTuple_Check(element) || PyTuple_Size(element) != 2)
            return refuse("wrong_type", "Pairs holds (key, value) tuples, not %U", element);
        items_.hold(element);
        return key_and_value(frame, PyTuple_GetItem(element, 0), PyTuple_GetItem(element, 1));
    }
    bool key_and_value(Frame& frame, PyObject* key, PyObject* mapped) {
        if (PyUnicode_CheckExact(key))
            return (items_.add_key(key) || refuse_pending("bad_utf8")) && value(mapped);
        const bool property = frame.of == Of::properties || frame.of == Of::property_pairs;
        if (property && PyUnicode_Check(key))
            return (items_.add_str(GDVAR_STRING, key) || refuse_pending("bad_utf8")) &&
                   value(mapped);
        if (property)
            return refuse("wrong_type", "a property's name is a str, not %U", key);
        const std::size_t depth = stack_.size();
        const Ref held(Ref::borrow(mapped));
        if (!value(key))
            return false;
        if (stack_.size() == depth)
            return value(mapped);
        stack_[depth - 1].value = Ref::borrow(mapped);  // after the key's own elements
        return true;
    }

    // ---- values ----

    bool value(PyObject* object) {
        PyTypeObject* type = Py_TYPE(object);
        if (type == &PyUnicode_Type)
            return items_.add_str(GDVAR_STRING, object) || refuse_pending("bad_utf8");
        if (type == &PyLong_Type)
            return integer(object);
        if (type == &PyFloat_Type) {
            items_.add(GDVAR_FLOAT).as.real = PyFloat_AsDouble(object);
            return true;
        }
        if (object == Py_None) {
            items_.add(GDVAR_NIL);
            return true;
        }
        if (type == &PyBool_Type) {
            items_.add(GDVAR_BOOL).as.bits = object == Py_True;
            return true;
        }
        return other_value(object);
    }

    // Separate, so that its registers are not saved for every number and text.
    [[gnu::noinline]] bool other_value(PyObject* object) {
        // Python code may remove it from the container that lends it.
        items_.hold(object);
        PyTypeObject* type = Py_TYPE(object);
        if (type == &PyDict_Type)
            return plain_dict(object);
        if (type == &PyList_Type)
            return list(object);
        const Known known = known_types.look_up(type);
        if (!known.add)
            return foreign(object);
        return PyDict_Check(object) && type != known.type && known.add == by<&Dumper::plain_dict>
                   ? mapping(object)
                   : known.add(*this, object, known);
    }

    /// A function of this class as Known::add.
    template <auto function>
    static bool by(Dumper& to, PyObject* object, const Known& known) {
        if constexpr (std::invocable<decltype(function), Dumper&, PyObject*>)
            return (to.*function)(object);
        else
            return (to.*function)(object, known);
    }
    bool real(PyObject* object) {
        items_.add(GDVAR_FLOAT).as.real = PyFloat_AsDouble(object);
        return true;
    }
    bool text(PyObject* object, const Known& known) {
        return items_.add_str(known.variant, object) || refuse_pending("bad_utf8");
    }
    bool math(PyObject* object, const Known& known) {
        return add_math(items_, known.variant, known.wide, object) || refuse_math();
    }
    bool callable(PyObject*) {
        items_.add(GDVAR_CALLABLE);
        return true;
    }

    // ---- containers ----

    bool list(PyObject* object) { return array(object, Of::list, PyList_Size(object)); }
    bool tuple(PyObject* object) { return array(object, Of::tuple, PyTuple_Size(object)); }
    bool typed_dict(PyObject* object) {
        return dictionary(object, Of::dict, PyDict_Size(object), true);
    }
    bool pairs(PyObject* object) {
        return dictionary(object, Of::pairs, PyList_Size(object), true);
    }
    bool strings(PyObject* object) {
        const Py_ssize_t count = PyList_Size(object);
        if (!fits(count, object))
            return false;
        items_.add(GDVAR_PACKED_STRING_ARRAY, 0, static_cast<std::uint32_t>(count));
        return open(object, Of::strings, count);
    }
    bool array(PyObject* object, Of of, Py_ssize_t count) {
        if (!fits(count, object))
            return false;
        items_.add(GDVAR_ARRAY, 0, static_cast<std::uint32_t>(count));
        return open(object, of, count);
    }
    bool typed_array(PyObject* object, const Known& known) {
        if (!may_look_up(object))
            return false;
        const Ref type(PyObject_GetAttr(object, state.n_type));
        const Py_ssize_t count = PyList_Size(object);
        if (!type || !fits(count, object))
            return false;
        const bool typed = known.variant == GDVAR_PACKED_TYPED_ARRAY || !is_untyped(type.get());
        items_.add(known.variant, typed ? GDVAR_ITEM_TYPED : 0, static_cast<std::uint32_t>(count));
        return (!typed || container_type(type.get())) && open(object, Of::list, count);
    }
    bool plain_dict(PyObject* object) {
        const Py_ssize_t count = PyDict_Size(object);
        if (!fits(count, object))
            return false;
        items_.add(GDVAR_DICTIONARY, 0, static_cast<std::uint32_t>(count));
        return open(object, Of::dict, count);
    }
    bool dictionary(PyObject* object, Of of, Py_ssize_t count, bool with_types) {
        if (!fits(count, object) || (with_types && !may_look_up(object)))
            return false;
        const Ref key(with_types ? PyObject_GetAttr(object, state.n_key_type) : nullptr);
        const Ref mapped(key ? PyObject_GetAttr(object, state.n_value_type) : nullptr);
        if (with_types && !mapped)
            return false;
        const bool typed = mapped && !(is_untyped(key.get()) && is_untyped(mapped.get()));
        items_.add(GDVAR_DICTIONARY, typed ? GDVAR_ITEM_TYPED : 0,
                   static_cast<std::uint32_t>(count));
        return (!typed || (container_type(key.get()) && container_type(mapped.get()))) &&
               open(object, of, count);
    }
    /// A dict of another class: in the order of its `items()`.
    bool mapping(PyObject* object) {
        if (!items_.may_run_python())
            return false;
        const Ref pairs(PyMapping_Items(object));
        if (!pairs)
            return false;
        items_.keep(pairs.get());
        return dictionary(pairs.get(), Of::pairs, PyList_Size(pairs.get()), false);
    }

    /// True if attributes may be looked up: that runs no Python code, or it may run.
    bool may_look_up(PyObject* object) {
        const PyTypeObject* type = Py_TYPE(object);
        return type == state.plain.array || type == state.plain.dictionary ||
               type == state.plain.pairs || type == state.plain.packed_typed_array ||
               items_.may_run_python();
    }
    static bool is_untyped(PyObject* type) noexcept { return type == state.untyped; }

    bool integer(PyObject* object) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow)
            return refuse("number_out_of_range", "%U does not fit 64 bits", object);
        items_.add(GDVAR_INT).as.integer = number;
        return true;
    }

    bool packed(PyObject* object) {
        const PackedArray& array = *reinterpret_cast<PackedArray*>(object);
        if (!fits(array.count(), object))
            return false;
        items_
            .add(array.type, array.wide ? GDVAR_ITEM_WIDE : 0,
                 static_cast<std::uint32_t>(array.count()))
            .as.data = array.data;
        items_.hold(object);
        return true;
    }
    bool bytes(PyObject* object) {
        char* data;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(object, &data, &size) < 0 || !fits(size, object))
            return false;
        items_.add(GDVAR_PACKED_BYTE_ARRAY, 0, static_cast<std::uint32_t>(size)).as.data = data;
        items_.hold(object);
        return true;
    }

    // ---- named tuples ----

    /// Checks the number of parts: tuple.__new__ takes any number of them.
    bool has_parts(PyObject* tuple, Py_ssize_t count) {
        return PyTuple_Size(tuple) == count ||
               refuse("wrong_type", "a named tuple of another length: %U", tuple);
    }

    bool node_path(PyObject* path) {
        if (!has_parts(path, 4))
            return false;
        PyObject* names = PyTuple_GetItem(path, 0);
        PyObject* subnames = PyTuple_GetItem(path, 1);
        if (!names || !subnames || !PyTuple_Check(names) || !PyTuple_Check(subnames))
            return refuse("wrong_type", "a NodePath's names are tuples of str: %U", path);
        const Py_ssize_t count = PyTuple_Size(names) + PyTuple_Size(subnames);
        const int flags = (PyTuple_GetItem(path, 2) == Py_True ? GDVAR_ITEM_ABSOLUTE : 0) |
                          (PyTuple_GetItem(path, 3) == Py_True ? GDVAR_ITEM_PROPERTY : 0);
        items_
            .add(GDVAR_NODE_PATH, static_cast<std::uint8_t>(flags),
                 static_cast<std::uint32_t>(count))
            .as.bits = static_cast<std::uint64_t>(PyTuple_Size(subnames));
        items_.hold(path);
        return path_names(names) && path_names(subnames);
    }
    bool path_names(PyObject* names) {
        for (Py_ssize_t i = 0; i < PyTuple_Size(names); ++i) {
            PyObject* name = PyTuple_GetItem(names, i);
            if (!PyUnicode_Check(name))
                return refuse("wrong_type", "a NodePath's name is a str, not %U", name);
            if (!items_.add_str(GDVAR_STRING, name))
                return refuse_pending("bad_utf8");
        }
        return true;
    }

    bool number(PyObject* tuple, Py_ssize_t index, std::uint64_t most, std::uint64_t& to) {
        PyObject* given = PyTuple_GetItem(tuple, index);
        if (!given || !PyLong_Check(given))
            return refuse("wrong_type", "%U needs an int", tuple);
        to = PyLong_AsUnsignedLongLong(given);
        if (PyErr_Occurred())
            PyErr_Clear();
        else if (to <= most)
            return true;
        return refuse("number_out_of_range", "a number of %U is out of range", tuple);
    }
    /// An Object's id, signed as in Godot, or unsigned.
    bool object_id(PyObject* tuple, Py_ssize_t index, std::uint64_t& to) {
        PyObject* given = PyTuple_GetItem(tuple, index);
        int beyond = 0;
        const long long id = given && PyLong_Check(given)
                                 ? PyLong_AsLongLongAndOverflow(given, &beyond)
                                 : (beyond = 1, 0);
        if (beyond)
            return number(tuple, index, UINT64_MAX, to);
        to = static_cast<std::uint64_t>(id);
        return true;
    }
    template <bool rid>
    bool id(PyObject* tuple) {
        std::uint64_t number_of = 0;
        if (!has_parts(tuple, 1) ||
            !(rid ? number(tuple, 0, UINT64_MAX, number_of) : object_id(tuple, 0, number_of)))
            return false;
        items_.add(rid ? GDVAR_RID : GDVAR_OBJECT, rid ? 0 : GDVAR_ITEM_ID).as.bits = number_of;
        return true;
    }
    bool signal(PyObject* tuple) {
        if (!has_parts(tuple, 2))
            return false;
        std::uint64_t object = 0;
        PyObject* name = PyTuple_GetItem(tuple, 0);
        if (!name || !PyUnicode_Check(name))
            return refuse("wrong_type", "a Signal's name is a str: %U", tuple);
        if (!object_id(tuple, 1, object))
            return false;
        items_.add(GDVAR_SIGNAL).as.bits = object;
        items_.hold(tuple);
        return items_.add_str(GDVAR_STRING, name) || refuse_pending("bad_utf8");
    }
    bool full_object(PyObject* tuple) {
        if (!has_parts(tuple, 2))
            return false;
        PyObject* name = PyTuple_GetItem(tuple, 0);
        PyObject* properties = PyTuple_GetItem(tuple, 1);
        if (!name || !PyUnicode_Check(name) || !properties)
            return refuse("wrong_type", "an Object's class name is a str: %U", tuple);
        const bool pairs = PyList_Check(properties);
        if (!pairs && !PyDict_Check(properties))
            return refuse("wrong_type", "an Object's properties are a dict or Pairs: %U", tuple);
        const Py_ssize_t count = pairs ? PyList_Size(properties) : PyDict_Size(properties);
        items_.hold(tuple);
        if (PyUnicode_GetLength(name) == 0) {
            if (count)
                return refuse("wrong_type", "an Object without a class has no properties: %U",
                              tuple);
            items_.add(GDVAR_OBJECT);
            return true;
        }
        if (!fits(count, tuple))
            return false;
        items_.add(GDVAR_OBJECT, GDVAR_ITEM_FULL, static_cast<std::uint32_t>(count));
        if (!items_.add_str(GDVAR_STRING, name))
            return refuse_pending("bad_utf8");
        return open(properties, pairs ? Of::property_pairs : Of::properties, count);
    }
    bool image(PyObject* tuple) {
        if (!has_parts(tuple, 5))
            return false;
        std::uint64_t numbers[4];
        for (int i = 0; i < 4; ++i)
            if (!number(tuple, i, UINT32_MAX, numbers[i]))
                return false;
        PyObject* data = PyTuple_GetItem(tuple, 4);
        char* bytes = nullptr;
        Py_ssize_t size = 0;
        if (!data || PyBytes_AsStringAndSize(data, &bytes, &size) < 0)
            return refuse_pending("wrong_type");
        auto* made = new (items_.space(sizeof(gdvar_image)))
            gdvar_image{static_cast<std::uint32_t>(numbers[0]),
                        static_cast<std::uint32_t>(numbers[1]),
                        static_cast<std::uint32_t>(numbers[2]),
                        static_cast<std::uint32_t>(numbers[3]),
                        {bytes, static_cast<std::size_t>(size)}};
        items_.add(GDVAR_IMAGE).as.data = made;
        items_.hold(tuple);
        return true;
    }
    bool event(PyObject* tuple) {
        if (!has_parts(tuple, 3))
            return false;
        std::uint64_t type = 0, device = 0;
        PyObject* words = PyTuple_GetItem(tuple, 2);
        if (!number(tuple, 0, UINT32_MAX, type) || !number(tuple, 1, UINT32_MAX, device))
            return false;
        if (!words || !PyTuple_Check(words) || PyTuple_Size(words) > 2)
            return refuse("wrong_type", "an InputEvent has at most two words: %U", tuple);
        auto* made = new (items_.space(sizeof(gdvar_input_event))) gdvar_input_event{
            static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(device), {}, 0};
        made->word_count = static_cast<std::uint32_t>(PyTuple_Size(words));
        for (std::uint32_t i = 0; i < made->word_count; ++i) {
            std::uint64_t word = 0;
            if (!number(words, i, UINT32_MAX, word))
                return false;
            made->words[i] = static_cast<std::uint32_t>(word);
        }
        items_.add(GDVAR_INPUT_EVENT).as.data = made;
        return true;
    }

    // ---- foreign objects ----

    bool foreign(PyObject* object) {
        if (!items_.may_run_python())
            return false;
        const Ref held(Ref::borrow(object));
        if (PyObject_CheckBuffer(object))
            return buffer(object);
        if (const Ref number(plain_number(object)); number || PyErr_Occurred())
            return number && value(number.get());
        return refuse("wrong_type", "%U is no Variant (dataclasses and the like: gdvar.encode)",
                      reinterpret_cast<PyObject*>(Py_TYPE(object)));
    }
    bool view(PyObject* object) {
        const Ref made(items_.may_run_python() ? value_of_view(object) : nullptr);
        if (!made)
            return false;
        items_.keep(made.get());
        return value(made.get());
    }
    bool buffer(PyObject* object) {
        Buffer given;
        if (!given.take(object))
            return refuse_pending("wrong_type");
        if (given.dimensions() == 0) {
            const Ref number(number_in(given, object));
            return number             ? value(number.get())
                   : PyErr_Occurred() ? refuse_pending("wrong_type")
                                      : refuse_buffer(given, object);
        }
        if (const int shows = shows_its_values(given, object); shows <= 0)
            return shows == 0 && refuse_buffer(given, object);
        const std::uint8_t component = given.component();
        const Packing packing = packing_of(component, given.dimensions(), given.components());
        if (packing.type == GDVAR_NIL)
            return refuse_buffer(given, object);
        if (!fits(given.length(), object))
            return false;
        const void* data = given.data();
        if (!given.contiguous()) {
            std::byte* copy = items_.space(static_cast<std::size_t>(given.size()));
            if (!given.copy(copy))
                return false;
            data = copy;
        }
        items_
            .add(packing.type, packing.wide ? GDVAR_ITEM_WIDE : 0,
                 static_cast<std::uint32_t>(given.length()))
            .as.data = data;
        items_.keep(std::move(given));
        return true;
    }
    /// False for numpy's datetime64 and timedelta64: their buffer is the bytes of one number. 1, 0,
    /// or -1 with an exception.
    static int shows_its_values(const Buffer& given, PyObject* object) {
        if (given.component() != GDVAR_U8)
            return 1;
        const Ref dtype(PyObject_GetAttrString(object, "dtype"));
        const Ref kind(dtype ? PyObject_GetAttrString(dtype.get(), "kind") : nullptr);
        if (!kind && !PyErr_ExceptionMatches(PyExc_AttributeError))
            return -1;
        if (!kind)
            PyErr_Clear();
        return !kind || !PyUnicode_Check(kind.get()) ||
               (PyUnicode_CompareWithASCIIString(kind.get(), "M") != 0 &&
                PyUnicode_CompareWithASCIIString(kind.get(), "m") != 0);
    }
    struct Packing {
        std::uint8_t type;
        bool wide;
    };
    /// The packed array with elements of `components` components; Nil: none, or several.
    static Packing packing_of(std::uint8_t component, int dimensions,
                              Py_ssize_t components) noexcept {
        if (dimensions > 2 || component == GDVAR_NO_COMPONENT)
            return {GDVAR_NIL, false};
        Packing found{GDVAR_NIL, false};
        for (int i = 0; i < GDVAR_TYPE_COUNT; ++i) {
            const gdvar_type_info info = gdvar_describe_type(static_cast<std::uint8_t>(i));
            const bool vector = info.components > 1;
            if (!info.packed || vector != (dimensions == 2) || info.components != components)
                continue;
            const bool wide = vector && info.widens && component == GDVAR_F64;
            if (info.component != component && !wide)
                continue;
            if (found.type != GDVAR_NIL)
                return {GDVAR_NIL, false};  // (n, 4): colors or vectors
            found = {static_cast<std::uint8_t>(i), wide};
        }
        return found;
    }
    bool refuse_buffer(const Buffer& given, PyObject* object) {
        if (given.dimensions() == 2 && given.components() == 4)
            return refuse("wrong_type",
                          "four components may be colors or vectors: use PackedColorArray(...) or "
                          "PackedVector4Array(...) for %U",
                          reinterpret_cast<PyObject*>(Py_TYPE(object)));
        return refuse("wrong_type",
                      given.dimensions() ? "no packed array has elements of this kind and shape: %U"
                                         : "no Variant is a number of this kind: %U",
                      object);
    }
    Items& items_;
    const gdvar_options& options_;
    KeptStack<Frame> stack_;
    std::uint64_t opened_ = 0;  ///< frames in all
};

void Dumper::fill_known_types() {
    const Known all[] = {
        {&PyLong_Type, by<&Dumper::integer>},
        {&PyFloat_Type, by<&Dumper::real>},
        {&PyUnicode_Type, by<&Dumper::text>, GDVAR_STRING},
        {state.string_name, by<&Dumper::text>, GDVAR_STRING_NAME},
        {&PyList_Type, by<&Dumper::list>},
        {&PyTuple_Type, by<&Dumper::tuple>},
        {&PyDict_Type, by<&Dumper::plain_dict>},
        {state.frozen.dict, by<&Dumper::plain_dict>},
        {&PyBytes_Type, by<&Dumper::bytes>},
        {state.node_path, by<&Dumper::node_path>},
        {state.rid, by<&Dumper::id<true>>},
        {state.object_id, by<&Dumper::id<false>>},
        {state.callable, by<&Dumper::callable>},
        {state.signal, by<&Dumper::signal>},
        {state.object, by<&Dumper::full_object>},
        {state.image, by<&Dumper::image>},
        {state.input_event, by<&Dumper::event>},
        {state.view, by<&Dumper::view>},
    };
    for (const Known& known : all)
        known_types.add(known);
    for (const Containers* of : {&state.plain, &state.frozen}) {
        known_types.add({of->array, by<&Dumper::typed_array>, GDVAR_ARRAY});
        known_types.add(
            {of->packed_typed_array, by<&Dumper::typed_array>, GDVAR_PACKED_TYPED_ARRAY});
        known_types.add({of->packed_string_array, by<&Dumper::strings>});
        known_types.add({of->dictionary, by<&Dumper::typed_dict>});
        known_types.add({of->pairs, by<&Dumper::pairs>});
    }
    for (std::uint8_t type = 0; type < GDVAR_TYPE_COUNT; ++type) {
        for (const bool wide : {false, true})
            if (state.math[type][wide])
                known_types.add({state.math[type][wide], by<&Dumper::math>, type, wide});
        if (state.packed[type])
            known_types.add({state.packed[type], by<&Dumper::packed>, type});
    }
}

}  // namespace

Ref plain_number(PyObject* object) {
    if (PyObject_CheckBuffer(object)) {
        Buffer given;
        if (!given.take(object) || given.dimensions() != 0)
            return {};
        return number_in(given, object);
    }
    return PyIndex_Check(object) ? Ref(PyNumber_Index(object)) : Ref();
}

bool has_variant_type(PyObject* object) {
    return known_types.look_up(Py_TYPE(object)).add || object == Py_None || PyBool_Check(object) ||
           PyObject_CheckBuffer(object) || PyIndex_Check(object);
}

bool add_container_type(Items& items, const gdvar_options& options, PyObject* type) {
    return Dumper(items, options).container_type(type);
}

bool add_value(Items& items, const gdvar_options& options, PyObject* value) {
    return Dumper(items, options).run(value);
}

bool write_value(PyObject* value, const gdvar_options& options, gdvar_buffer* to) {
    return write_items([&](Items& items) { return add_value(items, options, value); }, options, to);
}

namespace {

/// Writes all bytes. Unbuffered files (`io.RawIOBase`) may take fewer at once, and none where they
/// would have to wait: BlockingIOError. Others take all. False with an exception.
bool write_all(PyObject* file, PyObject* bytes) {
    const Ref io(PyImport_ImportModule("io"));
    const Ref raw_class(io ? PyObject_GetAttrString(io.get(), "RawIOBase") : nullptr);
    const int raw = raw_class ? PyObject_IsInstance(file, raw_class.get()) : -1;
    const Py_ssize_t size = PyBytes_Size(bytes);
    Py_ssize_t written = 0;
    Ref rest(Ref::borrow(bytes));
    while (raw >= 0) {
        const Ref taken(PyObject_CallMethod(file, "write", "O", rest.get()));
        if (!taken || !raw)
            return static_cast<bool>(taken);
        const Py_ssize_t count =
            taken.get() == Py_None ? 0 : PyNumber_AsSsize_t(taken.get(), PyExc_OverflowError);
        if (PyErr_Occurred())
            return false;
        written += count;
        if (written >= size)
            return true;
        if (count <= 0) {
            const Ref args(Py_BuildValue("isn", EAGAIN, "the file takes no more now", written));
            if (args)
                PyErr_SetObject(PyExc_BlockingIOError, args.get());
            return false;
        }
        const Ref view(PyMemoryView_FromObject(bytes));
        rest = Ref(view ? PySequence_GetSlice(view.get(), written, size) : nullptr);
        if (!rest)
            return false;
    }
    return false;
}

PyObject* dump(const Call& call) {
    PyObject *value = nullptr, *file = nullptr, *dialect = nullptr, *limits = nullptr,
             *objects = nullptr, *real_width = nullptr;
    Arg to[] = {{"value", &value, true}, {"file", &file, true}, {"dialect", &dialect},
                {"limits", &limits},     {"objects", &objects}, {"real_width", &real_width}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    if (!take_args(call, to, 2) ||
        !take_options(options, dialect, limits, objects, nullptr, real_width))
        return nullptr;
    const Ref packet(
        items_as_bytes([&](Items& items) { return add_value(items, options, value); }, options));
    return none_if(packet && write_all(file, packet.get()));
}

PyObject* dumps(const Call& call) {
    PyObject *value = nullptr, *dialect = nullptr, *limits = nullptr, *objects = nullptr,
             *real_width = nullptr;
    Arg to[] = {{"value", &value, true},
                {"dialect", &dialect},
                {"limits", &limits},
                {"objects", &objects},
                {"real_width", &real_width}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    if (!take_args(call, to, 1) ||
        !take_options(options, dialect, limits, objects, nullptr, real_width))
        return nullptr;
    return items_as_bytes([&](Items& items) { return add_value(items, options, value); }, options);
}

PyMethodDef functions[] = {
    row<"dump", dump>(
        R"(dump(value, file, *, dialect='godot-4.4', limits=None, objects=False, real_width=4)
--

Writes the packet of a value, as `dumps` makes it, by `file.write`. An unbuffered file that takes
only a part is given the rest; BlockingIOError, with `characters_written`, says that it takes no
more. Behind a length, as `FileAccess.store_var` has it: `file.write(frame(dumps(value)))`.)"),
    row<"dumps", dumps>(
        R"(dumps(value, *, dialect='godot-4.4', limits=None, objects=False, real_width=4)
--

The packet of a value, as the dialect's engine writes it.

Takes what `loads` gives; also tuples (Array), bytes (PackedByteArray), and buffers such as
numpy arrays of uint8, int32, int64, float32, float64 with shape (n,), (n, 2), (n, 3).
`objects`: whether Objects in full may be written. `limits.depth`: of containers.
`real_width`: 8 for a page dialect with floats of 8 bytes. Raises
EncodeError, with the path of what can't be written.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_dump(PyObject* module) {
    Dumper::fill_known_types();
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
