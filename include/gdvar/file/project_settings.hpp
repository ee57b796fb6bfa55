// The settings of a game in both of their forms: project.godot (in Godot 2 engine.cfg), a
// ConfigFile, and project.binary.
// Room: file.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/inspect/convert.hpp"
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
/// front. As for engines, the last value of a name counts, and null removes the setting; `notes` is
/// told of values that go. `config_version` is left out, since project.binary has none. Errors:
/// wrong_type (a section that is no Dictionary, or a key that is no String), no_memory.
[[nodiscard]] std::expected<std::vector<ProjectSetting>, Error> settings_of_config(
    const Variant& sections, Losses* notes = nullptr);

/// The ConfigFile of these settings for that family's engines, sections in the order in which they
/// first occur, with `config_version` in front (5 for Godot 4, 4 for those before it). Errors:
/// no_memory.
[[nodiscard]] std::expected<Variant, Error> config_of_settings(
    const std::vector<ProjectSetting>& settings, TextFamily family);

/// The value of a setting for the other form: a text (`to_text`), or project.binary, which has no
/// references to resources and none of the InputEvents of engine.cfg. Values that the
/// target can't express are told to `report`. Errors: as `inspect::convert`.
[[nodiscard]] std::expected<Variant, Error> convert_setting(ByteView packet,
                                                            const DecodeOptions& from,
                                                            const EncodeOptions& to, bool to_text,
                                                            const inspect::Renames& renames,
                                                            inspect::ConversionReport& report);

}  // namespace gdvar
