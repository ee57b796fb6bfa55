// A folder that exists as long as a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace gdvar::test {

/// The fixture for tests that write files.
class TempFolder : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "gdvar-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override {
        std::error_code ignored;
        if (!folder_.empty())
            std::filesystem::remove_all(folder_, ignored);
    }
    std::string at(std::string_view name) const { return folder_ / name; }
    std::string put(std::string_view name, std::span<const std::byte> bytes) const {
        std::ofstream(at(name), std::ios::binary)
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
