// What compilers must have, and what they can be told about borrowed results.
// Room: wire.
#pragma once

#include <version>

#if !defined(__cpp_lib_expected)
#error "gdvar needs C++23 with <expected>: g++ 12, clang 16 or later, with -std=c++23"
#endif

/// LIFETIMEBOUND, after a parameter list or a parameter: the result borrows from it. BORROWER, of a
/// class: it points into something else, as such a result. Clang (and MSVC, the first) then warn where
/// it outlives what it borrows from.
#if defined(__clang__)
#define GDVAR_LIFETIMEBOUND [[clang::lifetimebound]]
#define GDVAR_BORROWER [[gsl::Pointer]]
#elif defined(_MSC_VER)
#define GDVAR_LIFETIMEBOUND [[msvc::lifetimebound]]
#define GDVAR_BORROWER
#else
#define GDVAR_LIFETIMEBOUND
#define GDVAR_BORROWER
#endif
