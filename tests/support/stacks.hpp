// The stacks that games write: the table, and the saves that the engines made of it
// (tests/data/stacks).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/file/save_file.hpp"
#include "gdvar/save/container.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

struct StackEngine {
    const char* name;
    const char* gdec;
    const Dialect* dialect;
    const char* script;  ///< in tests/recorders
};
inline const StackEngine stack_engines[] = {
    {"godot-3.2.3", "gdec-3", &dialects::godot_3_1, "stacks3.gd"},
    {"godot-3.6.2", "gdec-3", &dialects::godot_3_1, "stacks3.gd"},
    {"godot-4.6.3", "gdec-4", &dialects::godot_4_4, "stacks4.gd"},
};

/// A row of the table.
struct StackRow {
    std::string name, path;
    std::vector<std::string> how;
    bool by_key = false;  ///< encrypted with a key, not with a password
    std::string stack;    ///< of the engine's save, in words
    std::vector<std::string> inside;
    InputKind as = InputKind::unknown;
    std::optional<Variant> to;  ///< the new value; none for what is only read
    bool by_gdvar = false;      ///< no engine writes it

    std::string file() const {
        const std::string& last = how.back();
        return name + '.' + (last == "tres" || last == "res" ? last : "save");
    }
    /// The name of the value that changes.
    std::string key() const { return path.substr(path.rfind('.') + 1); }
    Variant before() const { return key() == "name" ? Variant("Ada") : Variant(7); }
    /// How the library opens it.
    SaveOptions options() const {
        SaveOptions out;
        out.as = as;
        out.inside = inside;
        out.allow_objects = true;
        std::string secret;
        for (int i = 0; i < 32; ++i)
            secret += static_cast<char>(i * 7 % 256);
        out.key = by_key ? key_from_bytes(as_bytes(secret)).value()
                         : key_from_password("correct horse").value();
        return out;
    }
};

inline std::string replaced(std::string text, const std::string& word, const std::string& by) {
    for (std::size_t at; (at = text.find(word)) != text.npos;)
        text.replace(at, word.size(), by);
    return text;
}

/// The stack, as a row gives it, with the words of an engine.
inline std::string stack_of(std::string words, const StackEngine& engine) {
    return replaced(replaced(std::move(words), "{gdec}", engine.gdec), "{dialect}",
                    std::string(engine.dialect->name));
}

inline std::vector<StackRow> stack_rows(const StackEngine& engine) {
    std::vector<StackRow> out;
    for (const Json& json : Json::parse(read_text(data_dir() / "stacks" / "stacks.json"))) {
        StackRow row;
        row.name = json["name"];
        row.path = json["path"];
        row.how = json["how"].get<std::vector<std::string>>();
        row.by_key = json["open"] == "key";
        row.by_gdvar = json.contains("by_gdvar");
        row.stack = stack_of(json["stack"], engine);
        if (json.contains("inside"))
            row.inside.push_back(json["inside"]);
        if (json.contains("as"))
            row.as = find_layer_kind(json["as"].get<std::string>())->seen_as;
        if (json.contains("to"))
            row.to = json["to"].is_number() ? Variant(json["to"].get<int>())
                                            : Variant(json["to"].get<std::string>());
        out.push_back(std::move(row));
    }
    return out;
}

/// The saves of an engine by the names of their rows.
inline std::map<std::string, std::vector<std::byte>> stack_saves(const StackEngine& engine) {
    std::map<std::string, std::vector<std::byte>> out;
    const auto path = data_dir() / "stacks" / (std::string(engine.name) + ".ndjson");
    for (const Json& json : lines_with(path, "bytes"))
        out[json["name"]] = unhex(json["bytes"]);
    return out;
}

}  // namespace gdvar::test
