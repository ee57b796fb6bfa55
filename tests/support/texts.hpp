// The recordings of ConfigFiles and text resources (tests/data/texts), and our values in the form
// of the engines' own view of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gdvar/file/sections.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

/// The engines whose recordings of texts there are.
inline std::span<const Recording> text_engines() {
    return std::span(recordings).first(3);
}

/// A line of a recording.
struct RecordedText {
    enum Kind : std::uint8_t { config, resource, scene } kind;
    std::string text;
    bool saved;  ///< by the engine itself
    bool loaded;
    Json view;  ///< what the engine read
};

inline std::vector<RecordedText> texts_of(const Recording& recording) {
    std::vector<RecordedText> out;
    for (const Json& json :
         lines_with(data_dir() / "texts" / (std::string(recording.engine) + ".ndjson"), "k")) {
        RecordedText line{RecordedText::config, {}, json.value("s", false), true, json["v"]};
        if (json["k"] != "config")
            line.kind = json["k"] == "scene" ? RecordedText::scene : RecordedText::resource;
        if (json.contains("t")) {
            line.text = json["t"];
        } else {
            const auto bytes = unhex(json["h"]);
            line.text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
        line.loaded = json.contains("e") ? json["e"] == 0 : !line.view.is_null();
        out.push_back(std::move(line));
    }
    return out;
}

/// Makes our values of a document into what the recorders wrote: of equal keys the last, and
/// Dictionaries in place of Objects.
class EngineView {
public:
    /// `document`: its `ext` has the paths. Null for a ConfigFile.
    EngineView(const Recording& recording, const Variant* document)
        : recording_(recording), document_(document) {}

    Variant plain(const Variant& value) const {
        if (const Object* object = value.get_if<Object>())
            return of_object(*object);
        if (const Array* array = value.get_if<Array>()) {
            Array out;
            if (array->element_type().type != Type::object)
                out.set_element_type(array->element_type());
            for (const Variant& item : *array)
                out.push_back(plain(item));
            return out;
        }
        if (const Dictionary* pairs = value.get_if<Dictionary>()) {
            Dictionary out;
            if (pairs->key_type().type != Type::object && pairs->value_type().type != Type::object)
                out.set_types(pairs->key_type(), pairs->value_type());
            for (const Dictionary::Pair& pair : *pairs)
                out.set(plain(pair.key), plain(pair.value));
            return out;
        }
        return value;
    }
    /// Whether our value is the engine's, which is a packet in hex.
    bool same(const Variant& ours, const Json& theirs) const {
        const auto bytes = encode(plain(ours), {.dialect = recording_.dialect});
        if (!bytes)
            return false;
        const auto read = decode(as_bytes(*bytes), {.dialect = recording_.dialect});
        const auto recorded = decode(unhex(theirs), {.dialect = recording_.dialect});
        // A class may give the pairs of a Dictionary in another order.
        return read && recorded && (identical(*read, *recorded) || *read == *recorded);
    }

private:
    Variant of_object(const Object& object) const {
        const Variant* id = object.find("id");
        if (object.class_name() == "SubResource")
            return Dictionary{{"#sub", text(*id)}};
        if (object.class_name() == "Resource") {
            const Variant* path = object.find("path");
            return Dictionary{{"#ext", path ? *path : Variant("")}};
        }
        if (object.class_name() != "ExtResource")
            return Dictionary{{"#object", object.class_name()}};
        for (const Dictionary::Pair& pair : *(*document_)["ext"]->get_if<Dictionary>())
            if (text(pair.key) == text(*id))
                return Dictionary{{"#ext", *pair.value.get_if<Dictionary>()->find("path")}};
        return Dictionary{{"#ext", "?"}};
    }
    static std::string text(const Variant& id) {
        return id.is(Type::integer) ? std::to_string(id.integer()) : std::string(id.text());
    }

    const Recording& recording_;
    const Variant* document_;
};

/// A ConfigFile's sections as the engine has them: without repeated keys and without nulls.
using Keys = std::vector<std::pair<std::string, Variant>>;
inline std::map<std::string, Keys> engine_sections(const Variant& value) {
    std::map<std::string, Keys> out;
    for (const Dictionary::Pair& section : *value.get_if<Dictionary>()) {
        Keys keys;
        for (const Dictionary::Pair& pair : *section.value.get_if<Dictionary>()) {
            const std::string name(pair.key.text());
            const auto at = std::find_if(keys.begin(), keys.end(),
                                         [&](const auto& key) { return key.first == name; });
            if (pair.value.is(Type::nil) && at != keys.end())
                keys.erase(at);
            else if (!pair.value.is(Type::nil) && at != keys.end())
                at->second = pair.value;
            else if (!pair.value.is(Type::nil))
                keys.emplace_back(name, pair.value);
        }
        if (!keys.empty())
            out[std::string(section.key.text())] = keys;
    }
    return out;
}

inline bool same_config(const Recording& recording, const Variant& ours, const Json& theirs) {
    const EngineView view(recording, nullptr);
    const auto sections = engine_sections(ours);
    if (sections.size() != theirs.size())
        return false;
    for (const Json& section : theirs) {
        const auto at = sections.find(section[0].get<std::string>());
        if (at == sections.end() || at->second.size() != section[1].size())
            return false;
        for (std::size_t i = 0; i < at->second.size(); ++i)
            if (Json(at->second[i].first) != section[1][i][0] ||
                !view.same(at->second[i].second, section[1][i][1]))
                return false;
    }
    return true;
}

/// Properties in our order, of equal names the last.
inline Dictionary properties_of(const Variant& value) {
    Dictionary out;
    if (const Object* object = value.get_if<Object>()) {
        for (const Object::Property& property : *object)
            out.set(Variant(property.name), property.value);
    } else if (const Dictionary* pairs = value.get_if<Dictionary>()) {
        for (const Dictionary::Pair& pair : *pairs)
            out.set(pair.key, pair.value);
    }
    return out;
}

/// `some`: the engine's class need not have all of ours.
inline bool same_properties(const EngineView& view, const Variant& ours, const Json& theirs,
                            bool some = false) {
    std::map<std::string, Json> engine;
    for (const Json& property : theirs)
        engine[property[0]] = property[1];
    for (const Dictionary::Pair& pair : properties_of(ours)) {
        const std::string name(pair.key.text());
        if (name == "script" || (some && !engine.contains(name)))
            continue;
        if (!engine.contains(name) || !view.same(pair.value, engine[name]))
            return false;
    }
    return true;
}

inline std::string text_of(const Dictionary& from, const char* name) {
    const Variant* value = from.find(name);
    if (!value)
        return {};
    if (value->is(Type::node_path))
        return value->get_if<NodePath>()->to_string();
    return value->is(Type::integer) ? std::to_string(value->integer()) : std::string(value->text());
}

inline bool same_node(const EngineView& view, const Dictionary::Pair& ours, const Json& theirs) {
    const Dictionary& node = *ours.value.get_if<Dictionary>();
    const Variant* groups = node.find("groups");
    Json listed = Json::array();
    if (groups)
        for (const Variant& group : *groups->get_if<Array>())
            listed.push_back(group.is(Type::integer) ? "" : std::string(group.text()));
    std::string path = theirs["path"];
    if (path.starts_with("./"))
        path.erase(0, 2);
    const std::string index = text_of(node, "index");
    // A node at the path of another one has a key of its own.
    return (ours.key.text() == path || ours.key.text().starts_with(path + ":")) &&
           Json(text_of(node, "name")) == theirs["n"] &&
           Json(text_of(node, "type")) == theirs["t"] && listed == theirs["g"] &&
           Json(index.empty() ? -1 : std::stoi(index)) == theirs["i"] &&
           Json(text_of(node, "instance_placeholder")) == theirs["ph"] &&
           same_properties(view, *node.find("properties"), theirs["p"]);
}

inline bool same_scene(const EngineView& view, const Dictionary& ours, const Json& theirs) {
    const Dictionary& nodes = *ours.find("node")->get_if<Dictionary>();
    const Array& connections = *ours.find("connection")->get_if<Array>();
    const Array& editable = *ours.find("editable")->get_if<Array>();
    if (nodes.size() != theirs["nodes"].size() ||
        connections.size() != theirs["connections"].size() ||
        editable.size() != theirs["editable"].size())
        return false;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (!same_node(view, nodes.begin()[i], theirs["nodes"][i]))
            return false;
    for (std::size_t i = 0; i < connections.size(); ++i) {
        const Dictionary& at = *connections[i].get_if<Dictionary>();
        const Json& there = theirs["connections"][i];
        const Variant* binds = at.find("binds");
        const std::string flags = text_of(at, "flags");
        if (Json(text_of(at, "signal")) != there[0] || Json(text_of(at, "method")) != there[3] ||
            Json(flags.empty() ? 2 : std::stoi(flags)) != there[4] ||
            !view.same(binds ? *binds : Variant(Array()), there[6]))
            return false;
    }
    return true;
}

inline bool same_resource(const Recording& recording, const Variant& ours, const Json& theirs,
                          bool some) {
    const Dictionary& document = *ours.get_if<Dictionary>();
    const EngineView view(recording, &ours);
    for (const auto& [id, there] : theirs["sub"].items()) {
        bool found = false;
        for (const Dictionary::Pair& pair : *document.find("sub")->get_if<Dictionary>()) {
            const bool numbered = pair.key.is(Type::integer);
            if ((numbered ? std::to_string(pair.key.integer()) : std::string(pair.key.text())) !=
                id)
                continue;
            found = found || (Json(std::string(pair.value.get_if<Object>()->class_name())) ==
                                  there["type"] &&
                              same_properties(view, pair.value, there["p"], some));
        }
        if (!found)
            return false;
    }
    if (document.find("node"))
        return same_scene(view, document, theirs);
    const Variant& main = *document.find("resource");
    return theirs.contains("p") &&
           Json(std::string(main.get_if<Object>()->class_name())) == theirs["type"] &&
           same_properties(view, main, theirs["p"], some);
}

}  // namespace gdvar::test
