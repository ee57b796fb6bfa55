// Document and View: a packet that was read once; Python objects are made only on request.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "make.hpp"
#include "results.hpp"
#include "search.hpp"

namespace gdvar_py {
namespace {

// ---- the packet behind views ----

/// A packet and its tape, shared by a Document and its Views. Counted; the GIL guards the count.
struct Core {
    std::size_t uses = 1;
    KeptDocument document;
    Ref bytes;  ///< a bytes object: nobody can change the data behind the tape
    gdvar_options options = GDVAR_OPTIONS_INIT;

    Packet packet() const noexcept {
        return {document.get(), gdvar_document_tape(document.get()), bytes.get()};
    }
    const gdvar_node& node(std::uint32_t i) const noexcept {
        return gdvar_document_tape(document.get()).nodes[i];
    }
};

void release(Core* core) {
    if (core && --core->uses == 0)
        delete core;
}

struct ViewObject {
    PyObject_HEAD Core* core;
    std::uint32_t node;
    PyObject* weak_references;
};
ViewObject* self_of(PyObject* self) noexcept {
    return reinterpret_cast<ViewObject*>(self);
}

/// A class for each kind of value, because one is a Sequence, one a Mapping.
struct Classes {
    PyTypeObject *other, *array, *dictionary;
};
Classes views, documents;
PyTypeObject* iterator_type;

bool is_array(const gdvar_node& node) noexcept {
    return node.type == GDVAR_ARRAY || node.type == GDVAR_PACKED_TYPED_ARRAY;
}
bool is_dictionary(const gdvar_node& node) noexcept {
    return node.type == GDVAR_DICTIONARY;
}

PyObject* new_view(const Classes& classes, Core* core, std::uint32_t node) {
    const gdvar_node& n = core->node(node);
    PyTypeObject* const type = is_array(n)       ? classes.array
                               : has_children(n) ? classes.dictionary
                                                 : classes.other;
    auto* made = reinterpret_cast<ViewObject*>(PyType_GenericAlloc(type, 0));
    if (!made)
        return nullptr;
    ++core->uses;
    made->core = core;
    made->node = node;
    return reinterpret_cast<PyObject*>(made);
}

/// The value of a node: a View of a container, anything else whole.
PyObject* give(Core* core, std::uint32_t node) {
    if (has_children(core->node(node)))
        return new_view(views, core, node);
    return make_leaf(core->packet(), node);
}

// ---- making a Document ----

PyObject* construct(PyTypeObject* type, PyObject* args, PyObject* names) {
    if (type != documents.other) {
        PyErr_SetString(PyExc_TypeError, "gdvar.Document has no subclasses");
        return nullptr;
    }
    static const char* keywords[] = {"data",   "dialect",    "limits", "objects",
                                     "strict", "real_width", nullptr};
    PyObject *data, *dialect = nullptr, *limits = nullptr, *objects = nullptr, *strict = nullptr,
                    *real_width = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, names, "O|$OOOOO", const_cast<char**>(keywords), &data,
                                     &dialect, &limits, &objects, &strict, &real_width))
        return nullptr;
    Core* core = new Core;
    PyObject* made = nullptr;
    if (take_options(core->options, dialect, limits, objects, strict, real_width) &&
        (core->bytes = Ref(packet_of(data, core->options))) &&
        read_packet(core->document.get(), bytes_of(core->bytes.get()), core->options))
        made = new_view(documents, core, 0);
    release(core);
    return made;
}

void destroy(PyObject* self) {
    if (self_of(self)->weak_references)
        PyObject_ClearWeakRefs(self);
    release(self_of(self)->core);
    free_object(self);
}

// ---- asking ----

Py_ssize_t length(PyObject* self) {
    const gdvar_node& node = self_of(self)->core->node(self_of(self)->node);
    if (has_children(node))
        return node.as.span.count;
    PyErr_SetString(PyExc_TypeError, "the value is no container: it has no length");
    return -1;
}

int truth(PyObject* self) {
    const ViewObject& view = *self_of(self);
    const gdvar_node& node = view.core->node(view.node);
    if (has_children(node))
        return node.as.span.count != 0;
    const Ref value(make_leaf(view.core->packet(), view.node));
    return value ? PyObject_IsTrue(value.get()) : -1;
}

/// The value for a key that is neither text nor int: the last whose key has the same bytes. None
/// has those of an object that can't be written.
bool find_other(const ViewObject& view, PyObject* key, std::uint32_t& found) {
    const BufferHandle buffer(gdvar_buffer_new());
    if (!buffer)
        return PyErr_NoMemory(), false;
    gdvar_options options = view.core->options;
    options.flags |= GDVAR_ALLOW_OBJECTS;
    if (!write_value(key, options, buffer.get())) {
        if (!PyErr_ExceptionMatches(state.encode_error))
            return false;
        PyErr_Clear();
        return true;
    }
    const gdvar_bytes wanted = gdvar_buffer_bytes(buffer.get());
    const gdvar_tape tape = gdvar_document_tape(view.core->document.get());
    std::uint32_t at = view.node + 1;
    for (std::uint32_t i = 0; i < tape.nodes[view.node].as.span.count; ++i) {
        const gdvar_bytes bytes = gdvar_node_bytes(view.core->document.get(), at);
        const std::uint32_t value = node_behind(tape.nodes, at);
        if (bytes.size == wanted.size && std::memcmp(bytes.data, wanted.data, bytes.size) == 0)
            found = value;
        at = node_behind(tape.nodes, value);
    }
    return true;
}

/// The node for a key or index; GDVAR_NO_NODE: none. False with an exception.
bool find(const ViewObject& view, PyObject* key, std::uint32_t& found) {
    const gdvar_document* document = view.core->document.get();
    const gdvar_node& node = view.core->node(view.node);
    found = GDVAR_NO_NODE;
    if (PyUnicode_Check(key)) {
        gdvar_text text;
        Ref kept;
        if (!take_text(key, text, kept))
            return false;
        found = gdvar_find_text(document, view.node, text);
        return true;
    }
    // For an Array the types that a list takes; a Dictionary's key true is not 1.
    if (is_array(node) ? PyIndex_Check(key) : PyLong_Check(key) && !PyBool_Check(key)) {
        const Ref number(PyNumber_Index(key));
        int overflow = 0;
        long long index = number ? PyLong_AsLongLongAndOverflow(number.get(), &overflow) : 0;
        if (!number)
            return false;
        if (is_array(node) && index < 0)
            index += node.as.span.count;
        if (!overflow && !(is_array(node) && index < 0))
            found = gdvar_find_index(document, view.node, index);
        return true;
    }
    return !is_dictionary(node) || find_other(view, key, found);
}

/// The exception for a key or index that leads nowhere.
PyObject* missing(const ViewObject& view, PyObject* key) {
    const gdvar_node& node = view.core->node(view.node);
    const bool index = is_array(node) && PyIndex_Check(key);
    const bool wrong = !index && !is_dictionary(node) && node.type != GDVAR_OBJECT;
    gdvar_error here{};
    here.code = gdvar_error_code("wrong_type");
    here.offset = node.offset;
    return raise_missing(wrong   ? "wrong_type"
                         : index ? "index_out_of_range"
                                 : "missing_key",
                         key, gdvar_describe_type(node.type).name,
                         path_of(here, bytes_of(view.core->bytes.get()), view.core->options));
}

/// The node of an Array's element; GDVAR_NO_NODE: there is none of the index.
std::uint32_t element_at(const ViewObject& view, Py_ssize_t index) {
    return gdvar_find_index(view.core->document.get(), view.node, index);
}

/// A list of an Array's elements; containers as Views.
PyObject* slice(const ViewObject& view, PyObject* range) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(range, &start, &stop, &step) < 0)
        return nullptr;
    const gdvar_node* nodes = view.core->packet().tape.nodes;
    const Py_ssize_t count =
        PySlice_AdjustIndices(nodes[view.node].as.span.count, &start, &stop, step);
    if (count == 0)
        return PyList_New(0);
    // From the first of them to the last, in the order of the bytes.
    std::vector<std::uint32_t> elements(static_cast<std::size_t>(count));
    std::uint32_t at = element_at(view, step > 0 ? start : start + (count - 1) * step);
    for (std::uint32_t& element : elements) {
        element = at;
        if (&element != &elements.back())
            for (Py_ssize_t i = std::abs(step); i > 0; --i)
                at = node_behind(nodes, at);
    }
    if (step < 0)
        std::ranges::reverse(elements);
    return make_list(elements.size(), [&](std::size_t i) { return give(view.core, elements[i]); });
}

/// An element by its index, for numpy and C.
PyObject* item(PyObject* self, Py_ssize_t index) {
    const std::uint32_t found = element_at(*self_of(self), index);
    if (found != GDVAR_NO_NODE)
        return give(self_of(self)->core, found);
    const Ref number(PyLong_FromSsize_t(index));
    return number ? missing(*self_of(self), number.get()) : nullptr;
}

PyObject* subscript(PyObject* self, PyObject* key) {
    if (PySlice_Check(key) && is_array(self_of(self)->core->node(self_of(self)->node)))
        return with_memory_error([&] { return slice(*self_of(self), key); });
    std::uint32_t found;
    if (!find(*self_of(self), key, found))
        return nullptr;
    return found == GDVAR_NO_NODE ? missing(*self_of(self), key) : give(self_of(self)->core, found);
}

/// The elements of an Array, for search.hpp.
auto elements_of(const ViewObject& view) {
    return [&view](Py_ssize_t begin) {
        return [packet = view.core->packet(), at = element_at(view, begin)]() mutable {
            return make_value(packet, std::exchange(at, node_behind(packet.tape.nodes, at)));
        };
    };
}

/// `key in view`: for a Dictionary or Object a key, for an Array an element.
int contains(PyObject* self, PyObject* key) {
    const ViewObject& view = *self_of(self);
    const gdvar_node& node = view.core->node(view.node);
    std::uint32_t found;
    if (!is_array(node))
        return find(view, key, found) ? found != GDVAR_NO_NODE : -1;
    bool there = false;
    const bool done = each_equal(elements_of(view), key, 0, node.as.span.count,
                                 [&](Py_ssize_t) { return !(there = true); });
    return done ? there : -1;
}

/// The number of elements. -1 with a TypeError: it is no Array.
Py_ssize_t array_size(const ViewObject& view) {
    const gdvar_node& node = view.core->node(view.node);
    if (is_array(node))
        return node.as.span.count;
    PyErr_Format(PyExc_TypeError, "the %s is no Array", type_name(node.type).c_str());
    return -1;
}

PyObject* count(PyObject* self, PyObject* value) {
    const Py_ssize_t size = array_size(*self_of(self));
    return size < 0 ? nullptr : count_equal(elements_of(*self_of(self)), size, value);
}

PyObject* index(const Call& call) {
    const Py_ssize_t size = array_size(*self_of(call.self));
    return size < 0 ? nullptr
                    : index_of_equal(elements_of(*self_of(call.self)), size, call, "Array");
}

/// An iterator over the elements or keys, from the last to the first.
PyObject* reversed(PyObject* self) {
    const Ref list(PySequence_List(self));
    return list && PyList_Reverse(list.get()) == 0 ? PyObject_GetIter(list.get()) : nullptr;
}

// ---- by key or path ----

PyObject* get_path(const ViewObject& view, PyObject* asked, PyObject* missing_value) {
    Text text;
    int several = 0;
    gdvar_error error;
    if (!text.take(asked, "path"))
        return nullptr;
    if (gdvar_path_several(text.text(), &several, &error))
        return missing_value ? Py_NewRef(missing_value) : raise(error, {.path = text.view()});
    Matches matches([&](const gdvar_match& match) {
        return match.node == GDVAR_NO_NODE ? make_part(match.packet, view.core->options)
                                           : give(view.core, match.node);
    });
    if (gdvar_lookup_from(view.core->document.get(), view.node, text.text(), matches.take, &matches,
                          nullptr, &error) &&
        !PyErr_Occurred()) {
        if (missing_value && is_missing(error))
            return Py_NewRef(missing_value);
        return raise(error, {.path = text.view()});
    }
    Ref list(matches.release());
    return several || !list ? list.release() : Py_XNewRef(PyList_GetItem(list.get(), 0));
}

/// Text is a path only with its `$`: `match` asks for keys by `get`, and keys come from strangers.
PyObject* get(const Call& call) {
    PyObject *asked = nullptr, *missing_value = nullptr;
    if (!call.take(2, {{"path", asked}, {"default", missing_value}}, 1))
        return nullptr;
    const ViewObject& view = *self_of(call.self);
    if (PyUnicode_Check(asked) && PyUnicode_GetLength(asked) > 0 &&
        PyUnicode_ReadChar(asked, 0) == '$')
        return get_path(view, asked, missing_value);
    std::uint32_t found;
    if (!find(view, asked, found))
        return nullptr;
    if (found != GDVAR_NO_NODE)
        return give(view.core, found);
    return missing_value ? Py_NewRef(missing_value) : missing(view, asked);
}

// ---- going through ----

enum class Walk : std::uint8_t { elements, keys, values, items };

struct IteratorObject {
    PyObject_HEAD Core* core;
    std::uint32_t at, left;
    Walk walk;
};

PyObject* make_iterator(PyObject* self, Walk walk) {
    const ViewObject& view = *self_of(self);
    const gdvar_node& node = view.core->node(view.node);
    if (!has_children(node) || (walk != Walk::elements && is_array(node))) {
        PyErr_Format(PyExc_TypeError, "the %s has no %s", type_name(node.type).c_str(),
                     walk == Walk::elements ? "elements" : "keys");
        return nullptr;
    }
    auto* made = reinterpret_cast<IteratorObject*>(PyType_GenericAlloc(iterator_type, 0));
    if (!made)
        return nullptr;
    ++view.core->uses;
    made->core = view.core;
    made->at = view.node + 1;
    made->left = node.as.span.count;
    made->walk = walk == Walk::elements && !is_array(node) ? Walk::keys : walk;
    return reinterpret_cast<PyObject*>(made);
}

void destroy_iterator(PyObject* self) {
    release(reinterpret_cast<IteratorObject*>(self)->core);
    free_object(self);
}

PyObject* give_key(Core* core, std::uint32_t node) {
    const gdvar_node& n = core->node(node);
    if (n.flags & GDVAR_PROPERTY) {
        const gdvar_text name = gdvar_node_name(core->document.get(), node);
        return make_key(view(name));
    }
    return n.type == GDVAR_STRING ? make_key(text_of(core->packet().tape, n)) : give(core, node);
}

PyObject* next(PyObject* self) {
    IteratorObject& iterator = *reinterpret_cast<IteratorObject*>(self);
    if (!iterator.left)
        return nullptr;
    --iterator.left;
    const gdvar_node* nodes = iterator.core->packet().tape.nodes;
    const std::uint32_t first = iterator.at;
    iterator.at = node_behind(nodes, first);
    if (iterator.walk == Walk::elements)
        return give(iterator.core, first);
    const std::uint32_t second = iterator.at;
    iterator.at = node_behind(nodes, second);
    if (iterator.walk == Walk::keys)
        return give_key(iterator.core, first);
    if (iterator.walk == Walk::values)
        return give(iterator.core, second);
    const Ref key(give_key(iterator.core, first));
    const Ref mapped(key ? give(iterator.core, second) : nullptr);
    return mapped ? PyTuple_Pack(2, key.get(), mapped.get()) : nullptr;
}

template <Walk walk>
PyObject* iterate(PyObject* self) {
    return make_iterator(self, walk);
}

// ---- about it ----

PyObject* get_type(PyObject* self) {
    return PyUnicode_FromString(
        type_name(self_of(self)->core->node(self_of(self)->node).type).c_str());
}
PyObject* get_packet(PyObject* self) {
    return make_bytes(gdvar_node_bytes(self_of(self)->core->document.get(), self_of(self)->node));
}
PyObject* get_dialect(PyObject* self) {
    const gdvar_dialect* dialect = self_of(self)->core->options.dialect;
    return make_text(gdvar_dialect_name(dialect ? dialect : take_dialect(nullptr)));
}

PyObject* represent(PyObject* self) {
    const gdvar_node& node = self_of(self)->core->node(self_of(self)->node);
    const Ref name(PyType_GetName(Py_TYPE(self)));
    if (!name)
        return nullptr;
    if (!has_children(node))
        return PyUnicode_FromFormat("<%U: %s>", name.get(), type_name(node.type).c_str());
    return PyUnicode_FromFormat("<%U: %s of %u>", name.get(), type_name(node.type).c_str(),
                                static_cast<unsigned>(node.as.span.count));
}

PyMethodDef methods[] = {row<"get", get>(R"(get($self, path, default=...)
--

The value for a key, as `view[key]`, or at a path (docs/paths.md): `$.players[3].hp`.

Text that begins with `$`, which is this value, is a path; a key that does so is found by
`view[key]` alone. A path that may lead to several (`[*]`, a slice, `..`) gives the list of all.
Containers come as Views. Raises PathError for what is not there and for text that is no path,
unless there is a default.)"),
                         row<"count", count>(R"(count($self, value, /)
--

How many elements of an Array are equal to `value`.)"),
                         row<"index", index>(R"(index($self, value, start=0, stop=sys.maxsize)
--

The index of an Array's first element equal to `value`. ValueError: none is.)"),
                         row<"__reversed__", reversed>(R"(__reversed__($self)
--

An iterator over an Array's elements or a Dictionary's keys, the last first.)"),
                         row<"value", value_of_view>(R"(value($self)
--

The whole value as Python objects, as `loads` makes it.)"),
                         row<"keys", iterate<Walk::keys>>(R"(keys($self)
--

An iterator over a Dictionary's keys, or an Object's property names.)"),
                         row<"values", iterate<Walk::values>>(R"(values($self)
--

An iterator over a Dictionary's values; containers as Views.)"),
                         row<"items", iterate<Walk::items>>(R"(items($self)
--

An iterator over a Dictionary's (key, value) pairs, all of them, in the order of the bytes.)"),
                         {nullptr, nullptr, 0, nullptr}};
PyGetSetDef properties[] = {
    property<"type", get_type>("The Variant type: \"Dictionary\"."),
    property<"packet", get_packet>("The value's bytes: a packet of its own."),
    property<"dialect", get_dialect>("The dialect's name."),
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

constexpr const char* about_view =
    R"(A container in a Document. `view[key]`, `view[index]`, `len(view)`, `key in view` and iteration
work as for dict and list; what they give is made then, and containers come as Views. A View of an
Array is a `collections.abc.Sequence`, one of a Dictionary or an Object a `Mapping`. If a key
repeats, the last value counts, as engines read it.)";
PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ViewObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
constexpr const char* about_document =
    "Document(data, *, " GDVAR_READING
    R"(A packet, read and checked once; values are made when they are asked for.

`data` is a bytes-like object; bytes are kept alive, others are copied. Memory: 16 bytes a
value. The Document is the View of the packet's value. Raises DecodeError. Several threads may
read one Document.)";

/// `base`, and a class for Arrays and one for Dictionaries, of the same name.
bool make_classes(PyObject* module, Classes& to, PyTypeObject* base, const char* name) {
    to.other = base;
    to.array = base ? make_type(module, name, sizeof(ViewObject), 0,
                                {slot(Py_mp_subscript, subscript), slot(Py_sq_length, length),
                                 slot(Py_sq_item, item)},
                                base)
                    : nullptr;
    to.dictionary = base ? make_type(module, name, sizeof(ViewObject), 0, {}, base) : nullptr;
    return to.array && to.dictionary && register_as("Sequence", to.array) &&
           register_as("Mapping", to.dictionary) && PyModule_AddType(module, base) == 0;
}

}  // namespace

PyObject* value_of_view(PyObject* view) {
    return make_value(self_of(view)->core->packet(), self_of(view)->node);
}

bool add_document(PyObject* module) {
    constexpr unsigned base = Py_TPFLAGS_BASETYPE;
    state.view = make_type(module, "gdvar.View", sizeof(ViewObject),
                           base | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           {slot(Py_tp_dealloc, destroy),
                            slot(Py_mp_length, length),
                            slot(Py_mp_subscript, subscript),
                            slot(Py_sq_contains, contains),
                            slot(Py_nb_bool, truth),
                            slot(Py_tp_iter, iterate<Walk::elements>),
                            slot(Py_tp_repr, represent),
                            {Py_tp_methods, methods},
                            {Py_tp_getset, properties},
                            {Py_tp_members, members},
                            {Py_tp_doc, const_cast<char*>(about_view)}});
    iterator_type = make_type(module, "gdvar._gdvar.ViewIterator", sizeof(IteratorObject),
                              Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              {slot(Py_tp_dealloc, destroy_iterator),
                               slot(Py_tp_iter, PyObject_SelfIter), slot(Py_tp_iternext, next)});
    if (!state.view || !iterator_type)
        return false;
    PyTypeObject* const document = make_type(
        module, "gdvar.Document", sizeof(ViewObject), base,
        {slot(Py_tp_new, construct), {Py_tp_doc, const_cast<char*>(about_document)}}, state.view);
    return make_classes(module, views, state.view, "gdvar.View") &&
           make_classes(module, documents, document, "gdvar.Document");
}

}  // namespace gdvar_py
