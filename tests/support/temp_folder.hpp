// A folder that exists as long as a test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "support/system.hpp"

namespace gdvar::test {

/// Makes a folder in `parent` under a name that nobody has. Throws if it can't.
inline std::filesystem::path make_temp_folder(const std::filesystem::path& parent) {
    std::random_device random;
    for (;;) {
        const auto made = parent / ("gdvar-test-" + std::to_string(random()));
        if (std::filesystem::create_directory(made))
            return made;
    }
}

/// The fixture for tests that write files.
class TempFolder : public testing::Test {
protected:
    void SetUp() override { folder_ = make_temp_folder(std::filesystem::temp_directory_path()); }
    void TearDown() override {
        std::error_code ignored;
        if (!folder_.empty())
            std::filesystem::remove_all(folder_, ignored);
    }
    /// A name in the folder, in UTF-8 as gdvar's functions take it.
    std::string at(std::string_view name) const { return text_of(path(name)); }
    std::filesystem::path path(std::string_view name) const {
        return folder_ / std::u8string(name.begin(), name.end());
    }
    std::string folder() const { return text_of(folder_); }
    /// The names of the files in the folder.
    std::set<std::string> file_names() const {
        std::set<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            all.insert(text_of(entry.path().filename()));
        return all;
    }
    std::string put(std::string_view name, std::span<const std::byte> bytes) const {
        std::ofstream(path(name), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return at(name);
    }
    std::string put(std::string_view name, std::string_view text) const {
        return put(name, std::as_bytes(std::span(text)));
    }

    std::filesystem::path folder_;
};

}  // namespace gdvar::test
