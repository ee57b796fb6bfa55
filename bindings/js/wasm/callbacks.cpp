// How the C interface calls JavaScript. A function of JavaScript has no address, so every callback
// is one of these two, and its `user` is a number by which JavaScript knows what to do.
#include <cstdint>

/// The module's import `gdvar.use(user, record)`: the record (a gdvar_row, gdvar_loss, ...) lies at
/// that address. What it returns counts for a gdvar_match_use alone: 0 stops.
extern "C" __attribute__((import_module("gdvar"), import_name("use"))) int gdvar_import_use(
    void* user, const void* record);

namespace {
void use(void* user, const void* record) {
    (void)gdvar_import_use(user, record);
}
int use_match(void* user, const void* match) {
    return gdvar_import_use(user, match);
}
}  // namespace

/// For every `..._use` that returns nothing: all of them have this form in WebAssembly.
extern "C" void (*gdvar_use_callback())(void*, const void*) {
    return use;
}
/// For a gdvar_match_use.
extern "C" int (*gdvar_match_callback())(void*, const void*) {
    return use_match;
}
