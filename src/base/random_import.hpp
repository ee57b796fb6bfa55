// WebAssembly: random bytes from the module's host.
#pragma once

#include <cstddef>

#if defined(__wasm__)
/// The module's import `gdvar.random`.
extern "C" __attribute__((import_module("gdvar"), import_name("random"))) void gdvar_import_random(
    void* to, std::size_t size);
#endif
