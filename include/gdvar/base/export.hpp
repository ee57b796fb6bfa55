// What a shared library exports.
// Room: base.
#pragma once

/// GDVAR_EXPORT stands behind `namespace gdvar` in each public header, and before what another
/// library of gdvar needs of a private header. gdvar is compiled with hidden visibility: a shared
/// library exports these alone. Whoever links shared libraries has GDVAR_SHARED defined: by
/// gdvar's CMake targets, or by its pkg-config modules.
#if defined(GDVAR_SHARED) && defined(__GNUC__) && !defined(_WIN32)
#define GDVAR_EXPORT __attribute__((visibility("default")))
#else
#define GDVAR_EXPORT
#endif
