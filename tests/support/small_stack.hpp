// Running a piece of code with a stack of 256 KiB: what recurses on depth does not survive it.
#pragma once

#include <functional>

namespace gdvar::test {

void on_small_stack(std::function<void()> work);

}  // namespace gdvar::test
