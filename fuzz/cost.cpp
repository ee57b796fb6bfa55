// Measures the cost of a target's run: executed edges and peak memory. Costs beyond a budget that
// is linear in the input's size are finds. Every fuzz target links this file, and compiles its own
// LLVMFuzzerTestOneInput under the name gdvar_fuzz_target (cmake/GdvarFuzz.cmake).
//
// GDVAR_FUZZ_EDGES and GDVAR_FUZZ_MEMORY are the target's budgets for each byte of input.
// GDVAR_FUZZ_FREE_EDGES and GDVAR_FUZZ_FREE_MEMORY are the budgets on top for every input. Edges
// are counted in libFuzzer builds (-fsanitize-coverage=trace-pc-guard), memory in builds with ASan.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GDVAR_FUZZ_ASAN
#include <sanitizer/allocator_interface.h>
#endif
#endif

extern "C" int gdvar_fuzz_target(const std::uint8_t* data, std::size_t size);

namespace {

/// The budgets on top for every run: tables made once, messages, options tried one after another.
constexpr std::uint64_t free_edges = GDVAR_FUZZ_FREE_EDGES, free_memory = GDVAR_FUZZ_FREE_MEMORY;

std::uint64_t edges = 0;
std::uint64_t live = 0, peak = 0;
bool counting = false;

void check(const char* what, std::uint64_t cost, std::uint64_t per_byte, std::uint64_t constant,
           std::size_t size) {
    const std::uint64_t most = per_byte * size + constant;
    if (std::getenv("GDVAR_FUZZ_SHOW_COST") && size)
        std::fprintf(stderr, "cost: %s %llu, %.1f a byte of %zu\n", what,
                     static_cast<unsigned long long>(cost),
                     static_cast<double>(cost) / static_cast<double>(size), size);
    if (cost <= most)
        return;
    std::fprintf(stderr, "broken: %s %llu for %zu bytes of input, at most %llu\n", what,
                 static_cast<unsigned long long>(cost), size,
                 static_cast<unsigned long long>(most));
    std::abort();
}

#ifdef GDVAR_FUZZ_ASAN
void allocated(const volatile void*, std::size_t size) {
    if (!counting)
        return;
    live += size;
    peak = std::max(peak, live);
}
void freed(const volatile void* at) {
    if (!counting || !at)
        return;
    // Memory allocated before the run was not counted.
    live -=
        std::min<std::uint64_t>(live, __sanitizer_get_allocated_size(const_cast<const void*>(at)));
}
const bool hooked = __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
#endif

}  // namespace

#ifdef GDVAR_FUZZ_COUNT_EDGES
// The linker sends the calls of the instrumented code here (--wrap).
extern "C" void __wrap___sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}
extern "C" __attribute__((no_sanitize("coverage", "address", "undefined"))) void
__wrap___sanitizer_cov_trace_pc_guard(std::uint32_t*) {
    ++edges;
}
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    edges = live = peak = 0;
    counting = true;
    const int result = gdvar_fuzz_target(data, size);
    counting = false;
    check("executed edges", edges, GDVAR_FUZZ_EDGES, free_edges, size);
    check("bytes of memory", peak, GDVAR_FUZZ_MEMORY, free_memory, size);
    return result;
}
