// The header of gzip, the same on each system.
// Room: save, private.
#pragma once

#include <zlib.h>

namespace gdvar::save {

/// zlib names the system on which it runs. The engines' saves that the tests know are of Linux, and
/// a save that is written again is to keep its bytes.
inline gz_header gzip_header() noexcept {
    constexpr int unix_system = 3;
    gz_header out{};
    out.os = unix_system;
    return out;
}

}  // namespace gdvar::save
