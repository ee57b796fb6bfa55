#include "options/limits.hpp"

namespace gdvar::app {

void add_limits(Arguments& arguments, LimitOptions& options) {
    arguments
        .option("--max-bytes", options.max_bytes,
                "most bytes read from a pipe, device or container; 1 GiB, and 256 MiB\n"
                "for one packet or record out of a container")
        .sizes();
}

}  // namespace gdvar::app
