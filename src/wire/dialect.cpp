#include "gdvar/wire/dialect.hpp"

namespace gdvar {
namespace {

constexpr const Dialect* known[] = {
    &dialects::godot_4_4,       &dialects::godot_4_3,       &dialects::godot_4_0,
    &dialects::godot_4_dev,     &dialects::godot_3_1,       &dialects::godot_3_0,
    &dialects::godot_2,         &dialects::pandemonium_5,   &dialects::pandemonium_3_8,
    &dialects::pandemonium_3_5, &dialects::page_3,          &dialects::page_4,
    &dialects::page_4_dev,
};

}  // namespace

std::span<const Dialect* const> all_dialects() noexcept { return known; }

const Dialect* find_dialect(std::string_view name) noexcept {
    if (name.empty()) return nullptr;
    for (const Dialect* dialect : known)
        if (dialect->name == name || dialect->alias == name) return dialect;
    return nullptr;
}

std::string_view family_name(TextFamily family) noexcept {
    constexpr std::string_view names[] = {"3.2", "3.6", "4", "pandemonium"};
    return names[static_cast<std::size_t>(family)];
}

}  // namespace gdvar
