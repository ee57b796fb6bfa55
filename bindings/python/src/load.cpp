// load
#include "common.hpp"
namespace gdvar_py {
bool add_load(PyObject*) {
    return true;
}
}  // namespace gdvar_py
