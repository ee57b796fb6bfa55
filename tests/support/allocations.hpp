// Counts every allocation of the program and can make the k-th one fail. It replaces operator new,
// so only one file of a program can include it.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>

namespace gdvar::test {

struct Recorder {
    bool on = false;
    std::size_t now = 0, peak = 0, largest = 0, count = 0;
    std::size_t total = 0;           ///< bytes of all allocations, freed or not
    std::size_t fail_at = SIZE_MAX;  ///< this allocation, counted from the start, fails
};
inline thread_local Recorder recorder;

/// The size stands in front of each block, so that freeing can be counted.
[[gnu::noinline]] inline void* take(std::size_t size) {
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

[[gnu::noinline]] inline void give_back(void* at) {
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

namespace gdvar::test {

/// Runs `work` counting; returns the record.
template <class Work>
Recorder counted(Work&& work, std::size_t fail_at = SIZE_MAX) {
    recorder = {};
    recorder.fail_at = fail_at;
    recorder.on = true;
    work();
    recorder.on = false;
    return recorder;
}

}  // namespace gdvar::test
