// Terminals: whether a descriptor or a file is one, and how wide it is.
// Room: platform.
#pragma once

#include <cstddef>
#include <string>

namespace gdvar::platform {

bool is_terminal(int descriptor) noexcept;
/// Whether the file is a terminal's device, such as /dev/tty. Opens it, but reads and writes
/// nothing.
bool names_terminal(const std::string& path) noexcept;
/// Columns of the terminal; 0 if that is not known.
std::size_t terminal_columns(int descriptor) noexcept;

}  // namespace gdvar::platform
