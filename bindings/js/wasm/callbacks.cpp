// Calls from the C interface to JavaScript. A JavaScript function has no address, so every callback
// is one of these two, and its `user` is a number by which JavaScript identifies the call.
#include <cstdint>

/// The module's import `gdvar.use(user, record)`: `record` is the address of the record (a
/// gdvar_row, gdvar_loss, ...). The result counts only for a gdvar_match_use: 0 stops.
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

/// For every `..._use` without a result: all have this form in WebAssembly.
extern "C" void (*gdvar_use_callback())(void*, const void*) {
    return use;
}
/// For a gdvar_match_use.
extern "C" int (*gdvar_match_callback())(void*, const void*) {
    return use_match;
}
