// The modules whose names the command uses as its own.
#pragma once

namespace gdvar::inspect {}
namespace gdvar::net {}

namespace gdvar::app {
using namespace inspect;
using namespace net;
}  // namespace gdvar::app
