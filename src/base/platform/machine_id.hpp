// The id by which Godot's games know this machine. posix_machine_id.cpp implements it.
#pragma once

#include <string>

#include "base/platform/file.hpp"

namespace gdvar::platform {

/// Linux's file with the machine's id, for Godot 3 and 4.
inline constexpr char machine_id_file[] = "/etc/machine-id";

/// The source of the id, for messages: that file, or words for it.
std::string machine_id_origin();

/// The result of `OS.get_unique_id()` in a game on this machine, by the rule of
/// `OS_LinuxBSD::get_unique_id` (Godot 3: `OS_X11`): the first line of the file that is not blank,
/// without the blanks around it. Empty if there is none, as in engines. Errors: those of the file;
/// ENOTSUP on another system, whose engines ask elsewhere.
Result<std::string> machine_id(const std::string& path = machine_id_file);

}  // namespace gdvar::platform
