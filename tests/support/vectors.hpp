// The engines' recordings, as tests use them.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/options.hpp"
#include "support/data.hpp"

namespace gdvar::test {

using Json = nlohmann::json;

inline std::vector<std::byte> unhex(const std::string& text) {
    std::vector<std::byte> out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        out.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return out;
}

inline std::string hex(std::span<const std::byte> bytes) {
    std::string out;
    for (const std::byte byte : bytes) {
        out += "0123456789abcdef"[static_cast<unsigned>(byte) >> 4];
        out += "0123456789abcdef"[static_cast<unsigned>(byte) & 15];
    }
    return out;
}

struct Recording {
    const char* engine;
    const Dialect* dialect;
    TextFamily family;
};

inline const Recording recordings[] = {
    {"godot-4.6.3", &dialects::godot_4_4, TextFamily::godot_4},
    {"godot-3.6.2", &dialects::godot_3_1, TextFamily::godot_3_6},
    {"godot-3.2.3", &dialects::godot_3_1, TextFamily::godot_3_2},
    {"pandemonium-5.3", &dialects::pandemonium_5, TextFamily::pandemonium},
};

inline constexpr TextFamily text_families[] = {TextFamily::godot_3_2, TextFamily::godot_3_6,
                                               TextFamily::godot_4, TextFamily::pandemonium};

struct Vector {
    std::string name;
    std::vector<std::byte> bytes;
    std::string text, json;
};

/// The lines of a newline-delimited JSON file that have a member `with`.
inline std::vector<Json> lines_with(const std::filesystem::path& path, const char* with) {
    std::vector<Json> out;
    std::istringstream in(read_text(path));
    for (std::string line; std::getline(in, line);) {
        if (line.empty())
            continue;
        Json json = Json::parse(line);
        if (json.contains(with))
            out.push_back(std::move(json));
    }
    return out;
}

inline std::vector<Vector> vectors_of(const Recording& recording) {
    std::vector<Vector> out;
    for (const Json& json :
         lines_with(data_dir() / "vectors" / (std::string(recording.engine) + ".ndjson"), "bytes"))
        out.push_back(
            {json["name"], unhex(json["bytes"]), json.value("text", ""), json.value("json", "")});
    return out;
}

/// How the recordings are read: objects in full are data.
inline DecodeOptions reading(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}
inline EncodeOptions writing(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}

}  // namespace gdvar::test
