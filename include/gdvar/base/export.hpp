// Symbols of shared libraries.
#pragma once

/// GDVAR_EXPORT follows `namespace gdvar` in each public header, and precedes declarations in
/// private headers that another library of gdvar needs. gdvar is compiled with hidden visibility: a
/// shared library exports these alone. Programs that link shared libraries need GDVAR_SHARED:
/// gdvar's CMake targets and pkg-config modules define it.
#if defined(GDVAR_SHARED) && defined(__GNUC__) && !defined(_WIN32)
#define GDVAR_EXPORT __attribute__((visibility("default")))
#else
#define GDVAR_EXPORT
#endif
