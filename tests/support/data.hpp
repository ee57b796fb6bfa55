// Where the tests' data lies, and reading it. For every test program; knows nothing of gdvar.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace gdvar::test {

// The root of the source tree (source_dir.cpp).
std::filesystem::path source_dir();

// tests/data: vectors/, saves/, captures/, workloads/.
inline std::filesystem::path data_dir() {
    return source_dir() / "tests" / "data";
}

// Files that may not be distributed with gdvar, such as `real` (saves of real games):
// $GDVAR_SHARED, or the folder `shared` beside the source tree. Empty when there is none; the test
// then skips itself.
inline std::optional<std::filesystem::path> shared_dir(const std::filesystem::path& name) {
    const char* given = std::getenv("GDVAR_SHARED");
    const std::filesystem::path root =
        given != nullptr ? std::filesystem::path(given) : source_dir().parent_path() / "shared";
    std::error_code ignored;
    if (!std::filesystem::is_directory(root / name, ignored)) {
        return std::nullopt;
    }
    return root / name;
}

// The root tree of the engines that scripts/engines installs; empty when there is none.
inline std::optional<std::filesystem::path> engines_dir() {
    const auto variable = [](const char* name) -> std::string {
        const char* given = std::getenv(name);
        return given != nullptr ? given : "";
    };
    std::filesystem::path dir = variable("GDVAR_ENGINES");
    if (dir.empty()) {
        const std::filesystem::path cache = variable("XDG_CACHE_HOME");
        dir = (cache.empty() ? variable("HOME") / std::filesystem::path(".cache") : cache) /
              "gdvar/engines";
    }
    std::error_code ignored;
    if (!std::filesystem::is_directory(dir, ignored)) {
        return std::nullopt;
    }
    return dir;
}

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw std::runtime_error("cannot read " + path.string());
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

}  // namespace gdvar::test
