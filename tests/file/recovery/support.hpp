// The tests of this room share it.
#pragma once

#include <cstdlib>

namespace gdvar::test {

/// GDVAR_SWEEP=1: every cut and 1,000 random damages of each save and text. Else a sample of both.
inline bool sweep() {
    return std::getenv("GDVAR_SWEEP") != nullptr;
}

}  // namespace gdvar::test
