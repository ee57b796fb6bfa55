// The memory that this process has allocated. For tests and fuzz targets; independent of gdvar.
#pragma once

#include <malloc.h>

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GDVAR_SANITIZED_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GDVAR_SANITIZED_MEMORY
#endif
#endif
#ifdef GDVAR_SANITIZED_MEMORY
#include <sanitizer/allocator_interface.h>
#endif

namespace gdvar::test {

/// The bytes that are allocated now.
inline std::size_t allocated() {
#ifdef GDVAR_SANITIZED_MEMORY
    return __sanitizer_get_current_allocated_bytes();
#elif defined(_WIN32)
    std::size_t all = 0;
    _HEAPINFO block{};
    while (::_heapwalk(&block) == _HEAPOK)
        if (block._useflag == _USEDENTRY)
            all += block._size;
    return all;
#else
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

}  // namespace gdvar::test
