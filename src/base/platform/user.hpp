// The user's folders and programs, by the system's rules. posix_user.cpp implements it.
#pragma once

#include <span>
#include <string>

namespace gdvar::platform {

/// $HOME. Empty if there is none.
std::string home_folder();
/// The folder for settings: $XDG_CONFIG_HOME, else ~/.config. Empty if there is none.
std::string settings_folder();
/// The folder for private files: $XDG_RUNTIME_DIR if only the user can enter it, else $TMPDIR, else
/// /tmp.
std::string private_folder();

/// A line for this system's shell that makes a file private to its owner. `path` may begin with
/// "~/".
std::string making_private(const std::string& path);

/// Editors for users who have named none, the best first.
std::span<const char* const> usual_editors() noexcept;
bool has_program(const std::string& name);

}  // namespace gdvar::platform
