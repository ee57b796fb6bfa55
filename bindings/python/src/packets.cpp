// Functions that take packets as bytes and make no values of them.
#include "common.hpp"

namespace gdvar_py {
namespace {

PyObject* validate(PyObject*, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    PyObject *data = nullptr, *dialect = nullptr, *limits = nullptr, *objects = nullptr,
             *strict = nullptr;
    Arg to[] = {{"data", &data, true},
                {"dialect", &dialect},
                {"limits", &limits},
                {"objects", &objects},
                {"strict", &strict}};
    gdvar_options options = GDVAR_OPTIONS_INIT;
    Bytes bytes;
    if (!take_args("validate", args, count, names, to, 5, 1) ||
        !take_options(options, dialect, limits, objects, strict) || !bytes.take(data))
        return nullptr;
    std::size_t size = 0;
    gdvar_error error;
    {
        const WithoutGil others;
        gdvar_validate(bytes.view(), &options, &size, &error);
    }
    if (error.code)
        return raise_reading(error, bytes.view(), options);
    return PyLong_FromSize_t(size);
}

PyMethodDef functions[] = {
    {"validate", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(validate)),
     METH_FASTCALL | METH_KEYWORDS,
     "validate(data, *, dialect='godot-4.4', limits=None, objects=False, strict=False)\n--\n\n"
     "Checks the packet at the start of `data` and makes nothing.\n\nReturns how many bytes it "
     "took. "
     "Raises DecodeError."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_packets(PyObject* module) {
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gdvar_py
