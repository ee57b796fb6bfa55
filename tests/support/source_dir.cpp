// The one object that has the path of the source tree in it: ccache can give all others to another
// clone.
#include "support/data.hpp"

std::filesystem::path gdvar::test::source_dir() {
    return GDVAR_SOURCE_DIR;
}
