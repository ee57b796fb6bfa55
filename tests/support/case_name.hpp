// Names of the cases of parameterized tests.
#pragma once

#include <string>

namespace gdvar::test {

/// For INSTANTIATE_TEST_SUITE_P: the parameter, or its `name`, without the characters that
/// GoogleTest refuses in names.
inline constexpr auto case_name = [](const auto& test) {
    std::string name = [&] {
        if constexpr (requires { test.param.name; })
            return std::string(test.param.name);
        else
            return std::string(test.param);
    }();
    std::erase_if(name, [](char c) { return c == '-' || c == '.' || c == ' '; });
    return name;
};

}  // namespace gdvar::test
