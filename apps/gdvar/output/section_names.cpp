#include "output/section_names.hpp"

#include <algorithm>

#include "gdvar/inspect/lookup.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

void say_section_names(const std::string& file, InputKind kind, const Dialect* dialect,
                       ByteView packet, ByteView before) {
    if (kind != InputKind::config || !dialect || dialect->family != dialects::godot_3_1.family)
        return;
    const DecodeOptions how{.dialect = dialect, .allow_objects = true};
    const auto is = Document::parse(packet, how), was = Document::parse(before, how);
    if (!is)
        return;
    std::string first;
    std::size_t count = 0;
    for (const auto& pair : is->root().pairs()) {
        const std::string_view name = pair.key.text();
        const bool beyond = std::ranges::any_of(name, [](char c) { return c & 0x80; });
        if (!beyond || (was && was->root()[name]))
            continue;
        if (!count++)
            first = inspect::shortened_path("$" + inspect::name_step(name), 80);
    }
    if (count)
        say(file + ": note: " + first + (count > 1 ? " and " + counted(count - 1, "other") : "") +
            ": Godot 3.6 reads such a section's name, 3.2 takes each byte of it for a character "
            "(--dialect godot-3.0 shows its reading)");
}

}  // namespace gdvar::app
