// Needs of a WebAssembly module besides the C interface: the end of memory, and functions between
// it and JavaScript.
#include <cstddef>
#include <cstdlib>
#include <new>

// ---- memory ----
// libc++abi's functions print a message, for which they need stdio, and then trap.

void* operator new(std::size_t size) {
    if (void* const block = std::malloc(size ? size : 1))
        return block;
    __builtin_trap();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return std::malloc(size ? size : 1);
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    return operator new(size, tag);
}
void operator delete(void* block) noexcept {
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}
void operator delete[](void* block) noexcept {
    std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
    std::free(block);
}

// ---- the module's end ----

extern "C" void abort(void) {
    __builtin_trap();
}
/// libc++abi: no handler is left, or a forbidden function was called.
extern "C" void __abort_message(const char*, ...) {
    __builtin_trap();
}
/// libc++: a container of the standard library was misused, or is too large.
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept {
    __builtin_trap();
}
_LIBCPP_END_NAMESPACE_STD
