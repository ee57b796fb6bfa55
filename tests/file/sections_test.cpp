// ConfigFiles and text resources are read to what the engines read them to.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gdvar/file/sections.hpp"
#include "support/texts.hpp"

namespace gdvar::test {
namespace {

/// The engines whose recordings there are.
std::span<const Recording> engines() {
    return std::span(recordings).first(3);
}

std::string shown(const RecordedText& line) {
    return "\n---\n" + line.text + "\n---\n" + line.view.dump();
}

/// A ConfigFile's sections as the engine has them: without repeated keys and without nulls.
using Keys = std::vector<std::pair<std::string, Variant>>;
std::map<std::string, Keys> engine_sections(const Variant& value) {
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

bool same_config(const Recording& recording, const Variant& ours, const Json& theirs) {
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

/// How often each outcome came, by words. With GDVAR_SHOW set, prints all that are not as expected
/// of a reader that knows no classes and no other files.
using Counts = std::map<std::string, int>;

template <class Read, class Same>
Counts outcomes(const Recording& recording, const std::set<RecordedText::Kind>& kinds, Read read,
                Same same) {
    Counts counts;
    for (const RecordedText& line : texts_of(recording)) {
        if (!kinds.contains(line.kind))
            continue;
        const auto ours = read(line.text, SectionsOptions{.family = recording.family});
        std::string what = "same";
        if (!ours && line.loaded)
            what = "refused: " + std::string(error_name(ours.error().code));
        else if (!ours)
            what = "refused by both";
        else if (!line.loaded)
            what = "read by us alone";
        else if (!same(recording, ours->value, line.view))
            what = "other";
        ++counts[what];
        if (std::getenv("GDVAR_SHOW") && what != "same" && what != "refused by both")
            std::fprintf(stderr, "%s: %s %s\n", recording.engine, what.c_str(),
                         shown(line).c_str());
        EXPECT_FALSE(!ours && line.saved && line.loaded) << shown(line);
    }
    return counts;
}

TEST(ReadConfig, ReadsWhatTheEnginesReadAndRefusesWhatTheyRefuse) {
    // Read by us alone: references to files that are not there, and `ExtResource(1)`. Refused:
    // bytes and escapes that are not UTF-8; Godot 3's InputEvent.
    const Counts expected[] = {{{"same", 440},
                                {"refused by both", 111},
                                {"read by us alone", 4},
                                {"refused: bad_escape", 2},
                                {"refused: bad_utf8", 6}},
                               {{"same", 452},
                                {"refused by both", 101},
                                {"read by us alone", 4},
                                {"refused: bad_utf8", 8},
                                {"refused: unknown_constructor", 1}},
                               {{"same", 462},
                                {"refused by both", 96},
                                {"read by us alone", 4},
                                {"refused: bad_utf8", 3},
                                {"refused: unknown_constructor", 1}}};
    for (std::size_t i = 0; i < engines().size(); ++i)
        EXPECT_EQ(outcomes(engines()[i], {RecordedText::config}, read_config, same_config),
                  expected[i])
            << engines()[i].engine;
}

/// Properties in our order, of equal names the last.
Dictionary properties_of(const Variant& value) {
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

bool same_properties(const EngineView& view, const Variant& ours, const Json& theirs) {
    std::map<std::string, Json> engine;
    for (const Json& property : theirs)
        engine[property[0]] = property[1];
    for (const Dictionary::Pair& pair : properties_of(ours)) {
        const std::string name(pair.key.text());
        if (name == "script")
            continue;
        if (!engine.contains(name) || !view.same(pair.value, engine[name]))
            return false;
    }
    return true;
}

std::string text_of(const Dictionary& from, const char* name) {
    const Variant* value = from.find(name);
    if (!value)
        return {};
    if (value->is(Type::node_path))
        return value->get_if<NodePath>()->to_string();
    return value->is(Type::integer) ? std::to_string(value->integer()) : std::string(value->text());
}

bool same_node(const EngineView& view, const Dictionary::Pair& ours, const Json& theirs) {
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
    return ours.key.text() == path && Json(text_of(node, "name")) == theirs["n"] &&
           Json(text_of(node, "type")) == theirs["t"] && listed == theirs["g"] &&
           Json(index.empty() ? -1 : std::stoi(index)) == theirs["i"] &&
           Json(text_of(node, "instance_placeholder")) == theirs["ph"] &&
           same_properties(view, *node.find("properties"), theirs["p"]);
}

bool same_scene(const EngineView& view, const Dictionary& ours, const Json& theirs) {
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

bool same_resource(const Recording& recording, const Variant& ours, const Json& theirs) {
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
                              same_properties(view, pair.value, there["p"]));
        }
        if (!found)
            return false;
    }
    if (document.find("node"))
        return same_scene(view, document, theirs);
    const Variant& resource = *document.find("resource");
    return theirs.contains("p") &&
           Json(std::string(resource.get_if<Object>()->class_name())) == theirs["type"] &&
           same_properties(view, resource, theirs["p"]);
}

TEST(ReadResource, ReadsWhatTheEnginesReadAndRefusesWhatTheyRefuse) {
    // Read by us alone: classes and files that are not there. Other: a setter that takes no such
    // value, the id of a file that is not there, an int as a group, a PackedScene without a bundle.
    // Refused: a property without a name, an int as a node's name.
    const Counts expected[] = {{{"same", 111},
                                {"refused by both", 54},
                                {"read by us alone", 4},
                                {"other", 3},
                                {"refused: bad_escape", 1},
                                {"refused: bad_syntax", 3}},
                               {{"same", 100},
                                {"refused by both", 61},
                                {"read by us alone", 6},
                                {"other", 2},
                                {"refused: bad_syntax", 3}},
                               {{"same", 99},
                                {"refused by both", 62},
                                {"read by us alone", 6},
                                {"other", 2},
                                {"refused: bad_syntax", 3}}};
    for (std::size_t i = 0; i < engines().size(); ++i)
        EXPECT_EQ(outcomes(engines()[i], {RecordedText::resource, RecordedText::scene},
                           read_resource, same_resource),
                  expected[i])
            << engines()[i].engine;
}

}  // namespace
}  // namespace gdvar::test
