// Counts every allocation of the program and can make the k-th one fail. allocations.cpp replaces
// operator new: gdvar_allocations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gdvar::test {

struct Recorder {
    bool on = false;
    std::size_t now = 0, peak = 0, largest = 0, count = 0;
    std::size_t total = 0;           ///< bytes of all allocations, freed or not
    std::size_t fail_at = SIZE_MAX;  ///< this allocation, counted from the start, fails
};
extern constinit thread_local Recorder recorder;

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
