// The version of gdvar. This is the only place that states it; CMake reads it from here.
#pragma once

#include <string_view>

#define GDVAR_VERSION_MAJOR 0
#define GDVAR_VERSION_MINOR 1
#define GDVAR_VERSION_PATCH 0

#define GDVAR_STRINGIFY_VERSION(major, minor, patch) #major "." #minor "." #patch
#define GDVAR_EXPAND_VERSION(major, minor, patch) GDVAR_STRINGIFY_VERSION(major, minor, patch)

namespace gdvar {

// The version of these headers as text, such as "0.1.0".
inline constexpr std::string_view version_string =
    GDVAR_EXPAND_VERSION(GDVAR_VERSION_MAJOR, GDVAR_VERSION_MINOR, GDVAR_VERSION_PATCH);

}  // namespace gdvar

#undef GDVAR_EXPAND_VERSION
#undef GDVAR_STRINGIFY_VERSION
