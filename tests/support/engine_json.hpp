// The engine's own JSON, and what it loses, for comparing.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/vectors.hpp"

namespace gdvar::test {

/// The packet says EncodedObjectAsID where the engine's JSON is null: tests/data/README.md.
inline bool not_in_the_engines_json(const std::string& name) {
    return name == "typed_array_node_empty" || name == "typed_array_resource_null" ||
           name == "typed_dictionary_int_resource";
}

/// How the engine itself prints a float here (wire-format 6.2).
inline std::string as_the_engine(double value) {
    char text[400];
    if (std::isnan(value))
        return "f:nan";
    if (std::isinf(value))
        return value < 0 ? "f:-inf" : "f:inf";
    if (value == std::trunc(value) && std::fabs(value) < 9.2e18) {
        std::snprintf(text, sizeof text, "f:%lld.0", static_cast<long long>(value));
        return text;
    }
    int digits = 14;
    if (std::fabs(value) > 10)
        digits -= static_cast<int>(std::floor(std::log10(std::fabs(value))));
    if (digits < 0)
        std::snprintf(text, sizeof text, "%f", value);
    else
        std::snprintf(text, sizeof text, "%.*f", digits, value);
    std::string out = text;
    if (out.find('.') != out.npos) {
        while (out.ends_with('0'))
            out.pop_back();
        if (out.ends_with('.'))
            out += '0';
    }
    return "f:" + out;
}

inline Json without_digits(const Json& json) {
    if (json.is_string()) {
        const std::string text = json;
        if (!text.starts_with("f:"))
            return json;
        const std::string number = text.substr(2);
        if (number.starts_with("nan"))
            return "f:nan";
        return as_the_engine(std::strtod(number.c_str(), nullptr));
    }
    Json out = json;
    if (json.is_array() || json.is_object())
        for (auto& item : out)
            item = without_digits(item);
    return out;
}

/// nlohmann refuses 1e99999; the numbers only have to be told apart.
inline Json parsed(std::string text) {
    for (std::size_t at; (at = text.find("1e99999")) != text.npos;)
        text.replace(at, 7, "9.75e307");
    return Json::parse(text);
}

}  // namespace gdvar::test
