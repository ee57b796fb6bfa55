// packed
#include "common.hpp"
namespace gdvar_py {
bool add_packed(PyObject*) {
    return true;
}
}  // namespace gdvar_py
