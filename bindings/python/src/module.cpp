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
        char name[24];
        const gdvar_type_info info = gdvar_describe_type(type);
        PyOS_snprintf(name, sizeof name, "%.*s", static_cast<int>(info.name.size), info.name.data);
        state.math[type][0] = values.take_type(name);
        if (!info.widens)
            continue;
        PyOS_snprintf(name, sizeof name, "%.*sd", static_cast<int>(info.name.size), info.name.data);
        state.math[type][1] = values.take_type(name);
    }
    return !values.failed();
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
    state.plain = {.list = nullptr,
                   .dict = nullptr,
                   .array = values.take_type("Array"),
                   .packed_typed_array = values.take_type("PackedTypedArray"),
                   .packed_string_array = values.take_type("PackedStringArray"),
                   .dictionary = values.take_type("Dictionary"),
                   .pairs = values.take_type("Pairs")};
    state.limits = values.take_type("Limits");
    state.untyped = values.take("UNTYPED");
    return take_math(values);
}

bool take_frozen() {
    Names frozen("gdvar._frozen");
    state.frozen = {.list = frozen.take_type("FrozenList"),
                    .dict = frozen.take_type("FrozenDict"),
                    .array = frozen.take_type("FrozenArray"),
                    .packed_typed_array = frozen.take_type("FrozenPackedTypedArray"),
                    .packed_string_array = frozen.take_type("FrozenPackedStringArray"),
                    .dictionary = frozen.take_type("FrozenDictionary"),
                    .pairs = frozen.take_type("FrozenPairs")};
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
    if (!add_packed(module) || !add_load(module) || !add_dump(module) || !add_packets(module) ||
        !add_document(module) || !add_edit(module) || !add_text(module) || !add_save(module) ||
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
