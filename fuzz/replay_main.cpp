// A main for fuzz targets built without libFuzzer: runs the target once for every file named on the
// command line, and for every file in the folders named there. A folder that is missing is empty;
// all of them being empty is a failure, since nothing would be tried.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return false;
    }
    // Before the run, so that a crash is seen to belong to this file.
    std::fprintf(stderr, "%s: %zu bytes\n", path.c_str(), bytes.size());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    std::set<std::filesystem::path> paths;
    for (int i = 1; i < argc; ++i) {
        const std::filesystem::path path = argv[i];
        if (!std::filesystem::is_directory(path)) {
            if (std::filesystem::exists(path)) {
                paths.insert(path);
            }
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
            if (entry.is_regular_file()) {
                paths.insert(entry.path());
            }
        }
    }
    bool all_read = true;
    for (const auto& path : paths) {
        all_read = replay(path) && all_read;
    }
    // Nothing at all is an input, too.
    LLVMFuzzerTestOneInput(nullptr, 0);
    std::fprintf(stderr, "%zu files replayed\n", paths.size());
    return all_read && !paths.empty() ? 0 : 1;
}
