#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace gdvar::test {

constinit thread_local Recorder recorder;

/// The size stands in front of each block, so that freeing can be counted.
[[gnu::noinline]] static void* take(std::size_t size) {
    if (recorder.on) {
        if (recorder.count++ == recorder.fail_at)
            return nullptr;
        recorder.now += size;
        recorder.total += size;
        recorder.peak = std::max(recorder.peak, recorder.now);
        recorder.largest = std::max(recorder.largest, size);
    }
    auto* block = static_cast<std::size_t*>(std::malloc(size + 16));
    if (!block)
        return nullptr;
    block[0] = size;
    block[1] = recorder.on;
    return block + 2;
}

[[gnu::noinline]] static void give_back(void* at) {
    if (!at)
        return;
    auto* block = static_cast<std::size_t*>(at) - 2;
    if (recorder.on && block[1])
        recorder.now -= block[0];
    std::free(block);
}

}  // namespace gdvar::test

void* operator new(std::size_t size) {
    if (void* at = gdvar::test::take(size))
        return at;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return gdvar::test::take(size);
}
void operator delete(void* at) noexcept {
    gdvar::test::give_back(at);
}
void operator delete(void* at, std::size_t) noexcept {
    gdvar::test::give_back(at);
}
void operator delete(void* at, const std::nothrow_t&) noexcept {
    gdvar::test::give_back(at);
}
