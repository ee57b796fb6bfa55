#include "file/any_script.hpp"

namespace gdvar::detail {
namespace {

Dialect relaxed(const Dialect& from) {
    Dialect out = from;
    out.script = ScriptForm::anything;
    return out;
}

}  // namespace

const Dialect& with_any_script(const Dialect& dialect) {
    static const Dialect godot_4_4 = relaxed(dialects::godot_4_4);
    static const Dialect godot_4_3 = relaxed(dialects::godot_4_3);
    if (&dialect == &dialects::godot_4_4)
        return godot_4_4;
    return &dialect == &dialects::godot_4_3 ? godot_4_3 : dialect;
}

}  // namespace gdvar::detail
