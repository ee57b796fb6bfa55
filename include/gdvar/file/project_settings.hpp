// The settings of a game in both of their forms: project.godot, a ConfigFile, and project.binary.
// Room: file.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/error.hpp"

namespace gdvar GDVAR_EXPORT {

/// One setting by its whole name, "application/config/name".
struct ProjectSetting {
    std::string name;
    Variant value;
};

/// The settings of a ConfigFile as `read_config` gives it: those of a section have its name in
/// front. `config_version` is left out, since project.binary has none. Errors: wrong_type (a
/// section that is no Dictionary, or a key that is no String), duplicate_key (two names that become
/// one), no_memory.
[[nodiscard]] std::expected<std::vector<ProjectSetting>, Error> settings_of_config(
    const Variant& sections);

/// The ConfigFile of these settings for that family's engines, sections in the order in which they
/// first occur, with `config_version` in front (5 for Godot 4, 4 for those before it). Errors:
/// no_memory.
[[nodiscard]] std::expected<Variant, Error> config_of_settings(
    const std::vector<ProjectSetting>& settings, TextFamily family);

}  // namespace gdvar
