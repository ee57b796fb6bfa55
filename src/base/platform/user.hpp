// Folders and programs of the user, by the rules of the system.
// Room: platform. posix_user.cpp implements it.
#pragma once

#include <span>
#include <string>

namespace gdvar::platform {

/// The user's own folder: $HOME. Empty if there is none.
std::string home_folder();
/// Where programs keep their settings: $XDG_CONFIG_HOME, else ~/.config. Empty if there is none.
std::string settings_folder();
/// Where a file is made that nobody else may read: $XDG_RUNTIME_DIR if it is the user's alone, else
/// $TMPDIR, else /tmp.
std::string private_folder();

/// A line of this system's shell that leaves a file to its owner alone. `path`: may begin with
/// "~/".
std::string making_private(const std::string& path);

/// Editors for whoever has named none, the best first.
std::span<const char* const> usual_editors() noexcept;
/// Whether a program of that name is on the user's path.
bool has_program(const std::string& name);

}  // namespace gdvar::platform
