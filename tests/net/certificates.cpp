// The one object that has the path of the certificates in it, as tests/support/source_dir.cpp.
#include "support.hpp"

std::filesystem::path gdvar::test::certificates() {
    return GDVAR_CERTIFICATES;
}
