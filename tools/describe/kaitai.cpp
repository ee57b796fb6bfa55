#include "describe.hpp"
namespace gdvar::describe { std::string kaitai(const Dialect&) { return {}; } }
