#include <gdvar/version.hpp>

#include <cstdio>

int main() {
    std::printf("gdvar %.*s\n", static_cast<int>(gdvar::version_string.size()),
                gdvar::version_string.data());
}
