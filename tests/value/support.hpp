// The tests of this room share it.
#pragma once

#include "gdvar/value/codec.hpp"

namespace gdvar::test {

inline PackedByteArray packet(const Variant& value, const Dialect& dialect = dialects::godot_4_4) {
    return encode(value, {.dialect = &dialect, .allow_objects = true}).value();
}

}  // namespace gdvar::test
