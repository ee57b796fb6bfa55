// Requirements on the compiler, and attributes for borrowed results.
#pragma once

#include <version>

#if !defined(__cpp_lib_expected)
#error "gdvar needs C++23 with <expected>: g++ 12.2 or clang 19, or later, with -std=c++23"
#endif

/// GDVAR_LIFETIMEBOUND follows a parameter, or a member function's parameters: the result borrows
/// from that parameter, or from the object. GDVAR_BORROWER marks a class whose objects point into
/// another object. Clang warns when a borrower outlives its source; MSVC knows only the first.
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

/// For functions with a hot loop and no arrays, where a stack protector's canary costs a tenth of
/// the speed.
#if defined(__has_attribute)
#if __has_attribute(no_stack_protector)
#define GDVAR_NO_STACK_PROTECTOR __attribute__((no_stack_protector))
#endif
#endif
#ifndef GDVAR_NO_STACK_PROTECTOR
#define GDVAR_NO_STACK_PROTECTOR
#endif
