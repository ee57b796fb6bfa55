#pragma once

#include "gdvar/wire/dialect.hpp"

namespace gdvar::detail {

/// The same dialect, but any value may be the script of an Object in full: scripts of resources are
/// references, and no engine sends such Objects. Lives as long as the program.
inline const Dialect& with_any_script(const Dialect& dialect) {
    static constexpr auto relaxed = [](const Dialect& from) {
        Dialect out = from;
        out.script = ScriptForm::anything;
        return out;
    };
    static const Dialect godot_4_4 = relaxed(dialects::godot_4_4);
    static const Dialect godot_4_3 = relaxed(dialects::godot_4_3);
    if (&dialect == &dialects::godot_4_4)
        return godot_4_4;
    return &dialect == &dialects::godot_4_3 ? godot_4_3 : dialect;
}

}  // namespace gdvar::detail
