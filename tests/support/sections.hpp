// Changing the values of ConfigFiles and text resources, for tests.
#pragma once

#include <expected>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdvar/file/sections.hpp"
#include "gdvar/file/sections_convert.hpp"
#include "gdvar/value/codec.hpp"

namespace gdvar::test {

/// ConfigFile or resource.
struct SectionsKind {
    std::expected<SectionsText, TextError> (*read)(std::string_view, const SectionsOptions&);
    std::expected<std::string, inspect::RewriteError> (*rewrite)(std::string_view, const Outline&,
                                                                 const View&, const View&,
                                                                 const SectionsOptions&);
};
inline constexpr SectionsKind config_file{read_config, rewrite_config};
inline constexpr SectionsKind resource_file{read_resource, rewrite_resource};

inline PackedByteArray packet_of(const Variant& value, TextFamily family) {
    return encode(value, {.dialect = &sections_dialect(family), .allow_objects = true}).value();
}
inline DecodeOptions reading_of(TextFamily family) {
    return {.dialect = &sections_dialect(family), .allow_objects = true};
}
inline Document document_of(const Variant& value, TextFamily family) {
    return Document::parse(packet_of(value, family), reading_of(family)).value();
}

/// The text with another value.
inline std::expected<std::string, inspect::RewriteError> with_value(const SectionsKind& kind,
                                                                    std::string_view text,
                                                                    TextFamily family,
                                                                    const SectionsText& read,
                                                                    const Variant& value) {
    const Document before = document_of(read.value, family), after = document_of(value, family);
    return kind.rewrite(text, read.outline, before.root(), after.root(), {.family = family});
}

/// The text after `change` of its value, or why that was refused.
template <class Change>
std::string changed(const SectionsKind& kind, std::string_view text, TextFamily family,
                    Change change) {
    const auto read = kind.read(text, {.family = family});
    if (!read)
        return to_string(read.error());
    Variant value = read->value;
    change(value);
    const auto made = with_value(kind, text, family, *read, value);
    return made ? *made : to_string(made.error());
}

/// The conversion of a text, or why it was refused.
inline std::expected<SectionsConversion, std::string> converted(const SectionsKind& kind,
                                                                std::string_view text,
                                                                TextFamily from,
                                                                const Dialect& to) {
    const SectionsOptions options{.family = from};
    const auto read = kind.read(text, options);
    if (!read)
        return std::unexpected(to_string(read.error()));
    const Document value = document_of(read->value, from);
    const auto convert = kind.read == read_config ? convert_config : convert_resource;
    auto made = convert(text, read->outline, value.root(), to, options,
                        inspect::Renames::godot_3_to_4(), nullptr);
    if (!made)
        return std::unexpected(to_string(made.error()));
    return *std::move(made);
}

inline std::expected<SectionsConversion, std::string> converted(const SectionsKind& kind,
                                                                std::string_view text,
                                                                TextFamily from, TextFamily to) {
    return converted(kind, text, from, sections_dialect(to));
}

/// Makes random changes of documents, of every kind that a text of sections has.
class SectionChanges {
public:
    explicit SectionChanges(std::uint64_t seed) : random_(seed) {}

    /// Changes one thing. `allowed` says whether the engines can store it.
    void change(Variant& document, const SectionsKind& kind) {
        Dictionary& root = *document.get_if<Dictionary>();
        if (kind.read == read_config)
            change_config(root);
        else
            change_resource(root);
    }

private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

    /// A value that any engine can store.
    Variant value() {
        const Variant values[] = {static_cast<std::int64_t>(below(1000)),
                                  0.5,
                                  true,
                                  "text \"quoted\" ; no comment\nand é",
                                  Array{1, "two", Array{}},
                                  Dictionary{{"k", 1}, {2, Dictionary{{"deep", true}}}},
                                  Vector2{1, 2.5f},
                                  PackedInt32Array{1, -2},
                                  Color{1, 0.5f, 0, 1}};
        return values[below(std::size(values))];
    }
    std::string name() {
        constexpr const char* names[] = {"key", "a b", "x/y", "é", "p;q", "[z]", "k=", "q\"q"};
        return names[below(std::size(names))] + std::to_string(below(5));
    }

    /// Pairs or properties: one is set, added, taken away, renamed or moved.
    template <class Pairs>
    void change_pairs(Pairs& pairs) {
        std::vector<std::pair<std::string, Variant>> items;
        for (auto& pair : pairs)
            items.emplace_back(key_of(pair), pair.value);
        const std::size_t n = items.size(), i = n ? below(n) : 0, what = n ? below(6) : 1;
        const auto at = [&](std::size_t k) {
            return items.begin() + static_cast<std::ptrdiff_t>(k);
        };
        if (what == 0)
            items[i].second = value();
        else if (what == 1)
            items.emplace(at(below(n + 1)), name(), value());
        else if (what == 2)
            items.erase(at(i));
        else if (what == 3)
            items[i].first = name();
        else if (what == 4)
            std::swap(items[i], items[below(n)]);
        else
            change_inside(items[i].second);
        put(pairs, items);
    }
    static std::string key_of(const Dictionary::Pair& pair) { return std::string(pair.key.text()); }
    static std::string key_of(const Object::Property& property) {
        return std::string(property.name);
    }
    static void put(Dictionary& to, std::vector<std::pair<std::string, Variant>>& items) {
        Dictionary made;
        for (auto& [key, item] : items)
            made.append(std::string_view(key), std::move(item));
        to = std::move(made);
    }
    static void put(Object& to, std::vector<std::pair<std::string, Variant>>& items) {
        Object made(to.class_name());
        for (auto& [key, item] : items)
            made.append(key, std::move(item));
        to = std::move(made);
    }
    void change_inside(Variant& at) {
        Array* array = at.get_if<Array>();
        if (array && !array->element_type().typed())
            array->insert(below(array->size() + 1), value());
        else if (Dictionary* pairs = at.get_if<Dictionary>(); pairs && !pairs->key_type().typed())
            pairs->set("inside", value());
        else
            at = value();
    }

    void change_config(Dictionary& root) {
        if (!root.empty() && below(3)) {
            change_pairs(*root.begin()[below(root.size())].value.get_if<Dictionary>());
            return;
        }
        Dictionary section{{"k", value()}};
        change_tags(root, std::string_view("new section " + std::to_string(below(5))),
                    std::move(section));
    }
    /// One pair of a group of tags comes, goes or changes its place.
    void change_tags(Dictionary& group, Variant key, Variant made) {
        const std::size_t n = group.size();
        Dictionary out;
        const std::size_t what = n ? below(3) : 0, i = n ? below(n) : 0;
        for (std::size_t k = 0; k < n; ++k) {
            if (what == 0 && k == i)
                out.append(key, made);
            if (what == 1 && k == i)
                continue;
            const std::size_t from = what == 2 && k == i ? 0 : what == 2 && k == 0 ? i : k;
            out.append(group.begin()[from].key, group.begin()[from].value);
        }
        if (n == 0)
            out.append(key, made);
        group = std::move(out);
    }

    void change_resource(Dictionary& root) {
        Variant* node = root.find("node");
        Dictionary& sub = *root.find("sub")->get_if<Dictionary>();
        Dictionary& ext = *root.find("ext")->get_if<Dictionary>();
        switch (below(node ? 8 : 5)) {
            case 0:
                if (!sub.empty())
                    return change_pairs(*sub.begin()[below(sub.size())].value.get_if<Object>());
                return change_tags(sub, new_id(), Object("Resource"));
            case 1:
                return change_tags(sub, new_id(), Object("Resource"));
            case 2:
                return change_tags(ext, new_id(),
                                   Dictionary{{"path", "res://ext.tres"}, {"type", "Resource"}});
            case 3:
                root.find("header")->get_if<Dictionary>()->set("extra", value());
                return;
            default:
                if (node)
                    return change_scene(root, *node->get_if<Dictionary>());
                return change_pairs(*root.find("resource")->get_if<Object>());
        }
    }
    Variant new_id() {
        if (numbers)
            return static_cast<std::int64_t>(20 + below(3));
        return std::string_view("new_" + std::to_string(below(3)));
    }
    void change_scene(Dictionary& root, Dictionary& nodes) {
        Dictionary& some = *nodes.begin()[below(nodes.size())].value.get_if<Dictionary>();
        Array& connections = *root.find("connection")->get_if<Array>();
        switch (below(6)) {
            case 0:
                nodes.append("New" + std::to_string(below(3)), Dictionary{{"type", "Node"}});
                return;
            case 1:
                some.set("groups", Array{"one", "two"});
                return;
            case 2:
                connections.push_back(
                    Dictionary{{"signal", "s"}, {"from", "."}, {"to", "."}, {"method", "m"}});
                return;
            case 3:
                if (!connections.empty())
                    connections.erase(below(connections.size()));
                return;
            default: {
                Variant& properties = *some.find("properties");
                if (Object* object = properties.get_if<Object>())
                    change_pairs(*object);
                else
                    change_pairs(*properties.get_if<Dictionary>());
            }
        }
    }

    std::mt19937_64 random_;

public:
    bool numbers = false;  ///< ids are ints, as in Godot 3
};

}  // namespace gdvar::test
