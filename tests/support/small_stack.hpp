// Running a piece of code with a stack of 256 KiB: what recurses on depth does not survive it.
#pragma once

#include <pthread.h>

#include <cstdlib>

#include <functional>

namespace gdvar::test {

inline void on_small_stack(std::function<void()> work) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    const auto run = [](void* what) -> void* {
        (*static_cast<std::function<void()>*>(what))();
        return nullptr;
    };
    pthread_t thread;
    if (pthread_create(&thread, &attributes, run, &work) != 0)
        std::abort();
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

}  // namespace gdvar::test
