// dump
#include "common.hpp"
namespace gdvar_py {
bool add_dump(PyObject*) {
    return true;
}
}  // namespace gdvar_py
