// The module gdvar._gdvar: values looked up once, and its parts.
#include "common.hpp"

namespace gdvar_py {

State state;

namespace {

/// Gets attributes of a module, which live as long as the process.
class Names {
public:
    explicit Names(const char* module) : module_(PyImport_ImportModule(module)) {}
    PyObject* take(const char* name) {
        PyObject* found = module_ ? PyObject_GetAttrString(module_.get(), name) : nullptr;
        failed_ |= !found;
        return found;
    }
    PyTypeObject* take_type(const char* name) {
        return reinterpret_cast<PyTypeObject*>(take(name));
    }
    bool failed() const noexcept { return failed_; }

private:
    Ref module_;
    bool failed_ = false;
};

bool take_math(Names& values) {
    for (std::uint8_t type = 0; type < GDVAR_TYPE_COUNT; ++type) {
        if (!math_layout(type).parts)
            continue;
        for (const bool wide : {false, true})
            if (!wide || gdvar_describe_type(type).widens)
                state.math[type][wide] =
                    values.take_type((type_name(type) + (wide ? "d" : "")).c_str());
    }
    return !values.failed();
}

/// The classes that are no subclasses of Python's own alone.
Containers take_containers(Names& from, const std::string& prefix) {
    const auto take = [&](const char* name) { return from.take_type((prefix + name).c_str()); };
    return {.list = nullptr,
            .dict = nullptr,
            .array = take("Array"),
            .packed_typed_array = take("PackedTypedArray"),
            .packed_string_array = take("PackedStringArray"),
            .dictionary = take("Dictionary"),
            .pairs = take("Pairs")};
}

bool take_values() {
    Names values("gdvar.values");
    state.string_name = values.take_type("StringName");
    state.node_path = values.take_type("NodePath");
    state.rid = values.take_type("RID");
    state.callable = values.take_type("Callable");
    state.signal = values.take_type("Signal");
    state.object_id = values.take_type("EncodedObjectAsID");
    state.object = values.take_type("Object");
    state.image = values.take_type("Image");
    state.input_event = values.take_type("InputEvent");
    state.container_type = values.take_type("ContainerType");
    state.plain = take_containers(values, "");
    state.limits = values.take_type("Limits");
    state.untyped = values.take("UNTYPED");
    return take_math(values);
}

bool take_frozen() {
    Names frozen("gdvar._frozen");
    state.frozen = take_containers(frozen, "Frozen");
    state.frozen.list = frozen.take_type("FrozenList");
    state.frozen.dict = frozen.take_type("FrozenDict");
    return !frozen.failed();
}

bool take_errors() {
    Names errors("gdvar.errors");
    state.decode_error = errors.take("DecodeError");
    state.truncated_error = errors.take("TruncatedError");
    state.limit_error = errors.take("LimitError");
    state.encode_error = errors.take("EncodeError");
    state.mismatch_error = errors.take("MismatchError");
    state.path_error = errors.take("PathError");
    state.loss_error = errors.take("LossError");
    state.missing_key_error = errors.take("MissingKeyError");
    state.index_range_error = errors.take("IndexRangeError");
    state.text_error = errors.take("TextError");
    state.patch_error = errors.take("PatchError");
    state.save_error = errors.take("SaveError");
    state.file_error = errors.take("FileError");
    return !errors.failed();
}

int execute(PyObject* module) {
    if (state.ready) {
        PyErr_SetString(PyExc_ImportError, "gdvar can be loaded by one interpreter of a process");
        return -1;
    }
    for (std::uint8_t type = 0; type < GDVAR_TYPE_COUNT; ++type)
        state.about[type] = gdvar_describe_type(type);
    state.zero = PyFloat_FromDouble(0.0);
    state.one = PyFloat_FromDouble(1.0);
    state.n_type = PyUnicode_InternFromString("type");
    state.n_key_type = PyUnicode_InternFromString("key_type");
    state.n_value_type = PyUnicode_InternFromString("value_type");
    if (!take_errors() || !take_values() || !take_frozen())
        return -1;
    if (PyModule_AddStringConstant(module, "__version__", gdvar_version()) != 0)
        return -1;
    if (!add_packed(module) || !add_load(module) || !add_document(module) || !add_dump(module) ||
        !add_packets(module) || !add_edit(module) || !add_text(module) || !add_save(module) ||
        !add_stream(module) || !add_typed(module))
        return -1;
    state.ready = true;
    return 0;
}

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)}, {0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "gdvar._gdvar", nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace gdvar_py

PyMODINIT_FUNC PyInit__gdvar(void) {
    return PyModuleDef_Init(&gdvar_py::definition);
}
