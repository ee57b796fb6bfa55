// loads: a packet's tape as Python objects. One pass over the nodes with its own stack, so that
// depth costs memory but no recursion.
#include <vector>

#include "call.hpp"
#include "crowd.hpp"
#include "shapes.hpp"

namespace gdvar_py {
namespace {

/// True if a container certainly has no types: they would be between its count and its elements.
bool is_plain(const gdvar_node* nodes, std::uint32_t node) noexcept {
    return nodes[node].as.span.count && nodes[node + 1].offset == nodes[node].offset + 8;
}

// ---- leaves ----

/// The texts of a node. Most NodePaths have a few, which need no memory.
class Texts {
public:
    Texts(const Packet& packet, std::uint32_t node)
        : size_(gdvar_node_texts(packet.document, node, few_, std::size(few_))) {
        if (size_ <= std::size(few_))
            return;
        many_.resize(size_);
        gdvar_node_texts(packet.document, node, many_.data(), size_);
    }
    std::size_t size() const noexcept { return size_; }
    const gdvar_text& operator[](std::size_t i) const noexcept {
        return many_.empty() ? few_[i] : many_[i];
    }

private:
    gdvar_text few_[16];
    std::size_t size_;
    std::vector<gdvar_text> many_;
};

PyObject* make_texts(const Texts& texts, std::size_t from, std::size_t to) {
    return make_tuple(to - from, [&](std::size_t i) {
        return make_key({texts[from + i].data, texts[from + i].size});
    });
}

PyObject* make_node_path(const Packet& packet, std::uint32_t node) {
    const gdvar_node_path_info info = gdvar_node_path(packet.document, node);
    const Texts texts(packet, node);
    return fill_tuple(
        state.node_path,
        {make_texts(texts, 0, info.names), make_texts(texts, info.names, texts.size()),
         PyBool_FromLong(info.absolute), PyBool_FromLong(info.separate_property)});
}

/// An object of a class derived from another one.
PyObject* around(PyTypeObject* type, PyObject* made) {
    return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(type), made, nullptr);
}

PyObject* make_strings(const Packet& packet, std::uint32_t node) {
    const Texts texts(packet, node);
    const Ref list(make_list(texts.size(), [&](std::size_t i) { return make_text(texts[i]); }));
    return list ? around(packet.containers.packed_string_array, list.get()) : nullptr;
}

PyObject* make_image(const Packet& packet, std::uint32_t node) {
    const gdvar_image image = gdvar_node_image(packet.document, node);
    return fill_tuple(
        state.image, {PyLong_FromUnsignedLong(image.format), PyLong_FromUnsignedLong(image.mipmaps),
                      PyLong_FromUnsignedLong(image.width), PyLong_FromUnsignedLong(image.height),
                      make_bytes(image.data)});
}

PyObject* make_event(const Packet& packet, std::uint32_t node) {
    const gdvar_input_event event = gdvar_node_input_event(packet.document, node);
    PyObject* words = make_tuple(
        event.word_count, [&](std::size_t i) { return PyLong_FromUnsignedLong(event.words[i]); });
    return fill_tuple(state.input_event, {PyLong_FromUnsignedLong(event.type),
                                          PyLong_FromUnsignedLong(event.device), words});
}

PyObject* make_numbers(const Packet& packet, std::uint32_t node) {
    const gdvar_node& n = packet.tape.nodes[node];
    if (math_layout(n.type).parts && !(n.flags & GDVAR_COPIED))
        return make_math(n.type, n.flags & GDVAR_WIDE, packet.tape.bytes + n.offset + 4, false);
    const gdvar_numbers numbers = gdvar_node_numbers(packet.document, node);
    if (math_layout(n.type).parts)
        return make_math(n.type, n.flags & GDVAR_WIDE, numbers.data, numbers.host_order);
    Ref packed(make_packed(n.type, numbers, packet.owner));
    return packed && packet.packed_as_lists ? PySequence_List(packed.get()) : packed.release();
}

PyObject* make_object(const gdvar_node& node, const Containers& containers) {
    if (node.flags & GDVAR_ID)
        return fill_tuple(state.object_id,
                          {PyLong_FromLongLong(static_cast<long long>(node.as.bits))});
    Ref none(PyDict_New());
    if (none && containers.dict)
        none = Ref(around(containers.dict, none.get()));
    return fill_tuple(state.object, {PyUnicode_FromStringAndSize("", 0), none.release()});
}

PyObject* make_signal(const Packet& packet, std::uint32_t node) {
    return fill_tuple(
        state.signal,
        {make_text(gdvar_node_name(packet.document, node)),
         PyLong_FromLongLong(static_cast<long long>(packet.tape.nodes[node].as.bits))});
}

}  // namespace

PyObject* make_leaf(const Packet& packet, std::uint32_t node) {
    const gdvar_node& n = packet.tape.nodes[node];
    switch (n.type) {
        case GDVAR_NIL:
            return Py_NewRef(Py_None);
        case GDVAR_BOOL:
            return PyBool_FromLong(n.as.bits != 0);
        case GDVAR_INT:
            return PyLong_FromLongLong(n.as.integer);
        case GDVAR_FLOAT:
            return make_real(n.as.real);
        case GDVAR_STRING:
            return make_string(text_of(packet.tape, n));
        case GDVAR_STRING_NAME:
            return make_string_name(text_of(packet.tape, n));
        case GDVAR_NODE_PATH:
            return make_node_path(packet, node);
        case GDVAR_RID:
            return fill_tuple(state.rid, {PyLong_FromUnsignedLongLong(n.as.bits)});
        case GDVAR_OBJECT:
            return make_object(n, packet.containers);
        case GDVAR_CALLABLE:
            return new_tuple(state.callable, 0);
        case GDVAR_SIGNAL:
            return make_signal(packet, node);
        case GDVAR_PACKED_STRING_ARRAY:
            return make_strings(packet, node);
        case GDVAR_IMAGE:
            return make_image(packet, node);
        case GDVAR_INPUT_EVENT:
            return make_event(packet, node);
        default:
            return make_numbers(packet, node);
    }
}

namespace {

// ---- containers ----

PyObject* make_container_type(const gdvar_container_type& type) {
    static constexpr const char* kinds[] = {"untyped", "builtin", "class_name", "script"};
    return fill_tuple(state.container_type, {PyUnicode_InternFromString(kinds[type.kind]),
                                             make_key({gdvar_describe_type(type.type).name.data,
                                                       gdvar_describe_type(type.type).name.size}),
                                             make_text(type.name)});
}

/// A class of gdvar.values around `items`, with its types.
PyObject* make_typed(PyTypeObject* type, PyObject* items, const gdvar_container_type& first,
                     const gdvar_container_type* second) {
    const Ref key(make_container_type(first));
    const Ref value(second ? make_container_type(*second) : nullptr);
    if (!items || !key || (second && !value))
        return nullptr;
    return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(type), items, key.get(),
                                        value.get(), nullptr);
}

/// A container in the making: an Array's list; a dict of a shape; or pairs, whose keys and values
/// wait in `pending` from `base` on.
struct Frame {
    std::uint32_t node = 0;
    std::uint32_t count = 0, at = 0;  ///< elements; for pairs, keys and values
    PyObject* made = nullptr;         ///< owned: the list or the dict; null: pairs
    Shape* shape = nullptr;           ///< null: not a dict of a shape
    std::size_t base = 0;
};

class Loader {
public:
    explicit Loader(const Packet& packet) noexcept
        : packet_(packet), nodes_(packet.tape.nodes), classes_(packet.containers) {}
    Loader(const Loader&) = delete;
    ~Loader() {
        for (PyObject* object : pending_)
            Py_DECREF(object);
        for (const Frame& frame : stack_) {
            Py_XDECREF(frame.made);
            if (frame.shape)
                frame.shape->release();
        }
    }

    /// Null with an exception.
    PyObject* run(std::uint32_t node) {
        if (!has_children(nodes_[node]))
            return make_leaf(packet_, node);
        at_ = node;
        bool ok = open();
        while (ok) {
            Frame& top = stack_.back();
            if (!fill(top))
                break;
            if (top.at < top.count) {
                ok = open();
                continue;
            }
            PyObject* value = close();
            if (!value || stack_.empty())
                return value;
            ok = deliver(value);
        }
        return nullptr;
    }

private:
    bool open() {
        const gdvar_node& n = nodes_[at_];
        Frame& frame = stack_.emplace_back();
        frame.node = at_;
        frame.count = n.as.span.count;
        frame.base = pending_.size();
        const std::uint32_t node = at_++;
        if (n.type == GDVAR_ARRAY || n.type == GDVAR_PACKED_TYPED_ARRAY)
            return (frame.made = PyList_New(frame.count)) != nullptr;
        Shape* shape = n.type == GDVAR_DICTIONARY ? guess_shape(packet_, node) : nullptr;
        if (!shape) {
            frame.count *= 2;
            return true;
        }
        if (!(frame.made = shape->new_dict()))
            return false;
        frame.shape = shape;
        return true;
    }

    // ---- elements without children ----

    /// Makes elements up to the next with children, or all. False with an exception.
    bool fill(Frame& frame) {
        return frame.shape ? fill_dict(frame) : frame.made ? fill_list(frame) : fill_pairs(frame);
    }
    bool fill_list(Frame& frame) {
        for (; frame.at < frame.count && !has_children(nodes_[at_]); ++frame.at) {
            PyObject* value = leaf();
            if (!value)
                return false;
            PyList_SetItem(frame.made, frame.at, value);
        }
        return true;
    }
    bool fill_dict(Frame& frame) {
        Shape& shape = *frame.shape;
        for (; frame.at < frame.count; ++frame.at) {
            const gdvar_node& key = nodes_[at_];
            if (key.type != GDVAR_STRING || !shape.has_key(frame.at, text_of(packet_.tape, key)))
                return leave_shape(frame) && fill_pairs(frame);
            const gdvar_node& node = nodes_[++at_];
            if (has_children(node))
                return true;
            if (shape.has_value(frame.at, node)) {
                ++at_;
                continue;
            }
            const Ref value(leaf());
            if (!value || PyDict_SetItem(frame.made, shape.key(frame.at), value.get()) < 0)
                return false;
            if (node.type <= GDVAR_FLOAT)
                shape.note_value(frame.at, node, value.get());
        }
        return true;
    }
    bool fill_pairs(Frame& frame) {
        for (; frame.at < frame.count && !has_children(nodes_[at_]); ++frame.at) {
            PyObject* value = frame.at & 1 ? leaf() : key();
            if (!value)
                return false;
            pending_.push_back(value);
        }
        return true;
    }
    /// The keys differ from here on: the dict's content becomes pairs.
    bool leave_shape(Frame& frame) {
        const Ref dict(std::exchange(frame.made, nullptr));
        Shape& shape = *std::exchange(frame.shape, nullptr);
        shape.release();
        for (std::uint32_t i = 0; i < frame.at; ++i) {
            PyObject* value = PyDict_GetItemWithError(dict.get(), shape.key(i));
            if (!value)
                return false;
            pending_.push_back(Py_NewRef(shape.key(i)));
            pending_.push_back(Py_NewRef(value));
        }
        frame.at *= 2;
        frame.count *= 2;
        return true;
    }

    PyObject* leaf() {
        const gdvar_node& n = nodes_[at_];
        const std::uint32_t node = at_;
        at_ = n.flags & GDVAR_COPIED ? n.as.span.end : at_ + 1;
        switch (n.type) {
            case GDVAR_INT:
                return PyLong_FromLongLong(n.as.integer);
            case GDVAR_FLOAT:
                return make_real(n.as.real);
            case GDVAR_STRING:
                return make_string(text_of(packet_.tape, n));
            default:
                return make_leaf(packet_, node);
        }
    }
    /// A key without children, or an Object's property name.
    PyObject* key() {
        const gdvar_node& n = nodes_[at_];
        if (n.flags & GDVAR_PROPERTY) {
            ++at_;
            return make_key({reinterpret_cast<const char*>(packet_.tape.bytes) + n.offset + 4,
                             n.as.span.count});
        }
        if (n.type != GDVAR_STRING)
            return leaf();
        ++at_;
        return make_key(text_of(packet_.tape, n));
    }

    // ---- containers that are complete ----

    /// Puts a container in its place. False with an exception.
    bool deliver(PyObject* value) {
        Frame& frame = stack_.back();
        const std::uint32_t at = frame.at++;
        if (frame.shape) {
            const Ref held(value);
            return PyDict_SetItem(frame.made, frame.shape->key(at), value) == 0;
        }
        if (frame.made)
            PyList_SetItem(frame.made, at, value);
        else
            pending_.push_back(value);
        return true;
    }

    PyObject* close() {
        const Frame frame = stack_.back();
        stack_.pop_back();
        Ref made(frame.made);
        if (frame.shape) {
            frame.shape->release();
            return close_dictionary(frame, made);
        }
        if (made)
            return close_array(frame, made);
        made = close_pairs(frame);
        if (!made)
            return nullptr;
        if (nodes_[frame.node].type == GDVAR_OBJECT)
            return close_object(frame, made);
        if (PyDict_CheckExact(made.get()))
            learn_shape(packet_, frame.node, made.get());
        return close_dictionary(frame, made);
    }
    /// The dict or Pairs of the waiting values.
    Ref close_pairs(const Frame& frame) {
        const std::size_t count = frame.count / 2;
        Ref made(make_dict(frame.base, count));
        if (!made && !PyErr_Occurred())
            made = Ref(make_pairs(frame.base, count));
        for (std::size_t i = frame.base; i < pending_.size(); ++i)
            Py_DECREF(pending_[i]);
        pending_.resize(frame.base);
        return made;
    }

    PyObject* close_array(const Frame& frame, Ref& list) {
        const bool packed = nodes_[frame.node].type == GDVAR_PACKED_TYPED_ARRAY;
        if (!packed && is_plain(nodes_, frame.node))
            return untyped(list);
        gdvar_container_type type;
        gdvar_node_types(packet_.document, frame.node, &type, nullptr);
        if (!packed && type.kind == GDVAR_UNTYPED)
            return untyped(list);
        return make_typed(packed ? classes_.packed_typed_array : classes_.array, list.get(), type,
                          nullptr);
    }
    /// The list, dict or Pairs unchanged, or frozen.
    PyObject* untyped(Ref& made) {
        PyTypeObject* const frozen = PyDict_CheckExact(made.get())   ? classes_.dict
                                     : PyList_CheckExact(made.get()) ? classes_.list
                                                                     : nullptr;
        return frozen ? around(frozen, made.get()) : made.release();
    }
    PyObject* close_dictionary(const Frame& frame, Ref& made) {
        if (is_plain(nodes_, frame.node))
            return untyped(made);
        gdvar_container_type key, value;
        gdvar_node_types(packet_.document, frame.node, &key, &value);
        if (key.kind == GDVAR_UNTYPED && value.kind == GDVAR_UNTYPED)
            return untyped(made);
        return make_typed(PyDict_CheckExact(made.get()) ? classes_.dictionary : classes_.pairs,
                          made.get(), key, &value);
    }
    PyObject* close_object(const Frame& frame, Ref& properties) {
        return fill_tuple(state.object, {make_text(gdvar_node_name(packet_.document, frame.node)),
                                         untyped(properties)});
    }

    /// A dict of the pairs; null without an exception: a dict can't hold them all, or would be slow
    /// to make.
    PyObject* make_dict(std::size_t base, std::size_t count) {
        Ref dict(PyDict_New());
        if (!dict)
            return nullptr;
        PyObject* const* pair = pending_.data() + base;
        const bool watched = count > Crowd::most_equal && has_other_keys(pair, count);
        Crowd crowd(Crowd::Of::dict);
        for (std::size_t i = 0; i < count; ++i, pair += 2) {
            if (PyDict_SetItem(dict.get(), pair[0], pair[1]) < 0) {
                if (PyErr_ExceptionMatches(PyExc_TypeError))
                    PyErr_Clear();  // a key without a hash
                return nullptr;
            }
            if (watched && !crowd.add(static_cast<std::uint64_t>(PyObject_Hash(pair[0]))))
                return nullptr;
        }
        return static_cast<std::size_t>(PyDict_Size(dict.get())) == count ? dict.release()
                                                                          : nullptr;
    }
    /// True if there are keys besides texts, whose hashes can't be foreseen.
    static bool has_other_keys(PyObject* const* pairs, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i)
            if (!PyUnicode_Check(pairs[2 * i]))
                return true;
        return false;
    }
    PyObject* make_pairs(std::size_t base, std::size_t count) {
        const Ref list(make_list(count, [&](std::size_t i) {
            return PyTuple_Pack(2, pending_[base + 2 * i], pending_[base + 2 * i + 1]);
        }));
        return list ? around(classes_.pairs, list.get()) : nullptr;
    }

    const Packet& packet_;
    const gdvar_node* nodes_;
    const Containers& classes_;
    std::uint32_t at_ = 0;
    KeptStack<Frame> stack_;
    KeptStack<PyObject*> pending_;
};

}  // namespace

PyObject* with_types(const Packet& packet, std::uint32_t node, PyTypeObject* type,
                     PyObject* items) {
    gdvar_container_type first, second;
    const bool pairs = PyDict_Check(items);
    gdvar_node_types(packet.document, node, &first, pairs ? &second : nullptr);
    if (first.kind == GDVAR_UNTYPED && (!pairs || second.kind == GDVAR_UNTYPED))
        return around(type, items);
    return make_typed(type, items, first, pairs ? &second : nullptr);
}

PyObject* make_value(const Packet& packet, std::uint32_t node) try {
    const WithoutGc no_gc;
    return Loader(packet).run(node);
} catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
}

namespace {

PyObject* loads_from(const Call& call, bool file) {
    PyObject *data = nullptr, *dialect = nullptr, *limits = nullptr, *objects = nullptr,
             *strict = nullptr, *real_width = nullptr, *packed = nullptr;
    Arg to[] = {{file ? "file" : "data", &data, true},
                {"dialect", &dialect},
                {"limits", &limits},
                {"objects", &objects},
                {"strict", &strict},
                {"real_width", &real_width},
                {"packed", &packed}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    bool as_lists = false;
    if (!take_args(call, to, 1) ||
        !take_options(options, dialect, limits, objects, strict, real_width) ||
        !take_choice(packed, "packed", "array", "list", as_lists))
        return nullptr;
    const Ref read(file ? PyObject_CallMethod(data, "read", nullptr) : Py_NewRef(data));
    const Ref bytes(read ? packet_of(read.get(), options) : nullptr);
    if (!bytes)
        return nullptr;
    const KeptDocument document;
    if (!document.get())
        return PyErr_NoMemory();
    gdvar_error error;
    if (gdvar_document_read(document.get(), bytes_of(bytes.get()), &options, &error))
        return raise_reading(error, bytes_of(bytes.get()), options);
    return make_value({.document = document.get(),
                       .tape = gdvar_document_tape(document.get()),
                       .owner = bytes.get(),
                       .packed_as_lists = as_lists},
                      0);
}
PyObject* loads(const Call& call) {
    return loads_from(call, false);
}
PyObject* load(const Call& call) {
    return loads_from(call, true);
}

#define GDVAR_LOADING                                                                              \
    "dialect='godot-4.4', limits=None, objects=False, strict=False, real_width=4, packed='array')" \
    "\n--\n\n"

PyMethodDef functions[] = {
    row<"load", load>("load(file, *, " GDVAR_LOADING
                      R"(The value of the packet that `file.read()` gives, as `loads` makes it.

`file`: open for reading bytes; it is read to its end. For a file of several records: `records`.)"),
    row<"loads", loads>("loads(data, *, " GDVAR_LOADING
                        R"(The value of the packet at the start of `data`, a bytes-like object.

Packed arrays view the bytes and keep them alive; of other buffers the packet is copied first.
`limits`: a Limits; None: what the engines allow. `objects`: whether Objects in full may be
there; they become inert data. `strict`: refuse what no engine would write, trailing bytes
included. `real_width`: 8 for a page dialect with floats of 8 bytes. `packed`: 'list' makes plain
lists of packed arrays, for what takes nothing else (pandas, pyarrow, json). Raises DecodeError,
with TruncatedError and LimitError apart.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_load(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
