#include "options/limits.hpp"

namespace gdvar::app {

void add_limits(Arguments& arguments, LimitOptions& options) {
    arguments
        .option("--max-bytes", options.max_bytes,
                "most bytes read from a pipe, device or container; 1 GiB, 256 MiB\n"
                "for one packet or record out of a container, 32 MiB for a text there")
        .sizes();
}

}  // namespace gdvar::app
