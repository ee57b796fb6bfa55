#include "describe.hpp"
namespace gdvar::describe { std::string imhex(const Dialect&) { return {}; } }
