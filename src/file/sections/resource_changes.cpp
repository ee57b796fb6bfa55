#include "file/sections/resource_changes.hpp"

#include <string>
#include <utility>

#include "file/sections/resource.hpp"
#include "file/sections/scene_changes.hpp"
#include "file/sections/section_syntax.hpp"
#include "file/sections/value_walk.hpp"

namespace gdvar::detail {
namespace {

using Done = std::expected<void, inspect::RewriteError>;

/// The class's name in `attributes`, empty if there is none.
std::string type_in(const Dictionary& attributes) {
    const Variant* type = attributes.find("type");
    return is_text(type) ? std::string(type->text()) : std::string();
}

/// A class that stands at two places: in a tag's `type`, and in its properties.
struct ClassTwice {
    std::string type, of_properties;
    ClassTwice(const Dictionary* attributes, const Variant* properties)
        : type(attributes ? type_in(*attributes) : ""),
          of_properties(properties ? class_of(*properties) : "") {}

    /// Gives both places the one that is new. False: both are, and differ.
    bool join(const ClassTwice& before) {
        if (type == before.type)
            type = of_properties;
        else if (of_properties == before.of_properties)
            of_properties = type;
        return type == of_properties;
    }
};

Done check_parts(const Dictionary& before, const Dictionary& after) {
    bool same = after.size() == before.size();
    for (std::size_t i = 0; same && i < before.size(); ++i)
        same = identical(after.begin()[i].key, before.begin()[i].key);
    if (!same)
        return refused("$", Errc::not_in_dialect, "a resource has the parts that it has");
    for (std::size_t i = 0; i < before.size(); ++i)
        if (const Dictionary::Pair& pair = after.begin()[i];
            !pair.value.is(before.begin()[i].value.type()))
            return refused("$." + std::string(pair.key.text()), Errc::wrong_type,
                           "this part of a resource has another type", pair.value.type());
    return {};
}

Done complete_header(const Resource<const Dictionary>& before, const Resource<Dictionary>& after) {
    if (before.resource) {
        ClassTwice name(after.header, after.resource);
        const ClassTwice is = name;
        if (!name.join({before.header, before.resource}))
            return refused("$.resource", Errc::not_in_dialect,
                           "its class is not the type in the header");
        if (name.type != is.type)
            after.header->set("type", std::string_view(name.type));
        if (name.of_properties != is.of_properties)
            *after.resource = make_properties(take_properties(*after.resource), name.of_properties);
    }
    const auto steps = [](const auto& all) { return all.ext->size() + all.sub->size() + 1; };
    const Variant* was = before.header->find("load_steps");
    Variant* is = after.header->find("load_steps");
    if (was && is && is->is(Type::integer) && identical(*was, *is) && steps(before) != steps(after))
        *is = static_cast<std::int64_t>(steps(after));
    return {};
}

Done set_id(Dictionary& attributes, const Variant& key, const std::string& path) {
    if (!is_id(&key))
        return refused(path, Errc::wrong_type, "an id is a String or an int");
    attributes.set("id", key);
    return {};
}

/// The path of a node as its name and parent.
Done set_path(Dictionary& attributes, const Variant& key, const std::string& path) {
    if (!key.is(Type::string))
        return refused(path, Errc::wrong_type, "a node's path is a String");
    const std::string_view text = key.text();
    if (text == ".") {
        if (!is_text(attributes.find("name")))
            return refused(path + ".name", Errc::missing_key, "the root has no name");
        return {};
    }
    const std::size_t slash = text.rfind('/');
    const std::string_view name = text.substr(slash == text.npos ? 0 : slash + 1);
    const std::string_view parent = slash == text.npos ? "." : text.substr(0, slash);
    if (attributes.find("name") && attributes.find("parent")) {
        attributes.set("name", name);
        attributes.set("parent", parent);
        return {};
    }
    Dictionary made{{"name", name}};
    if (const Variant* type = attributes.find("type"))
        made.append("type", *type);
    made.append("parent", parent);
    for (Dictionary::Pair& pair : attributes)
        if (!made.find(pair.key))
            made.append(pair.key, std::move(pair.value));
    attributes = std::move(made);
    return {};
}

/// Properties have the class that the node's `type` has. `was`: the node's old attributes, or null.
Done complete_properties(Dictionary& attributes, const Dictionary* was, const std::string& path) {
    const Variant* given = attributes.find("properties");
    Variant properties = given ? *given : Variant(Dictionary());
    if (!properties.is(Type::object) && !properties.is(Type::dictionary))
        return refused(path, Errc::wrong_type, "properties are an Object or a Dictionary",
                       properties.type());
    if (const Dictionary* pairs = properties.get_if<Dictionary>())
        for (const Dictionary::Pair& pair : *pairs)
            if (!pair.key.is(Type::string))
                return refused(path, Errc::wrong_type, "the names of properties are Strings");
    ClassTwice name(&attributes, &properties);
    // A Dictionary has no class to say.
    if (properties.is(Type::object) && !name.join({was, was ? was->find("properties") : nullptr}))
        return refused(path, Errc::not_in_dialect, "their class is not the node's type");
    if (name.type != type_in(attributes))
        attributes.set("type", std::string_view(name.type));
    // They are read behind all attributes.
    attributes.erase("properties");
    attributes.append("properties", make_properties(take_properties(properties), name.type));
    return {};
}

/// Tags whose keys come from attributes: an ext_resource's id, a node's path.
Done complete_tags(ResourcePart part, const Dictionary& was, Dictionary& is) {
    Dictionary made;
    made.reserve(is.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        Dictionary::Pair& pair = is.begin()[i];
        const std::string path = "$." + std::string(tag_rule(part).part) + step(pair.key);
        Dictionary* attributes = pair.value.get_if<Dictionary>();
        if (!attributes)
            return refused(path, Errc::wrong_type, "a tag is a Dictionary of its attributes",
                           pair.value.type());
        Variant key = pair.key;
        const Variant* old = was.find(pair.key);
        if (!old) {
            const auto set_key = part == ResourcePart::node ? set_path : set_id;
            if (auto done = set_key(*attributes, pair.key, path); !done)
                return done;
            // Another key, at the same place, for the same tag.
            if (is.size() == was.size() && !is.find(was.begin()[i].key)) {
                key = was.begin()[i].key;
                old = &was.begin()[i].value;
            }
        }
        if (const auto wrong = find_wrong_attribute(part, *attributes))
            return refused(path + "." + wrong->name, Errc::wrong_type, wrong->why);
        if (part == ResourcePart::node)
            if (auto done = complete_properties(
                    *attributes, old ? old->get_if<Dictionary>() : nullptr, path + ".properties");
                !done)
                return done;
        made.append(std::move(key), std::move(pair.value));
    }
    is = std::move(made);
    return {};
}

Done complete(const Dictionary& before, Dictionary& after) {
    if (auto done = check_parts(before, after); !done)
        return done;
    const Resource was(before);
    const Resource is(after);
    if (auto done = complete_header(was, is); !done)
        return done;
    if (auto done = complete_tags(ResourcePart::ext, *was.ext, *is.ext); !done || !was.node)
        return done;
    if (auto done = complete_tags(ResourcePart::node, *was.node, *is.node); !done)
        return done;
    return complete_scene(was, is);
}

}  // namespace

void set_tag_keys(Dictionary& document) {
    const Resource all(document);
    Dictionary made;
    made.reserve(all.ext->size());
    for (Dictionary::Pair& pair : *all.ext) {
        Variant id = *pair.value.get_if<Dictionary>()->find("id");
        made.append(std::move(id), std::move(pair.value));
    }
    *all.ext = std::move(made);
    if (!all.node)
        return;
    made = Dictionary();
    made.reserve(all.node->size());
    NodeKeys keys;
    for (Dictionary::Pair& pair : *all.node) {
        Variant key = keys.next(node_path_of(*pair.value.get_if<Dictionary>()));
        made.append(std::move(key), std::move(pair.value));
    }
    *all.node = std::move(made);
}

std::expected<ResourceChange, inspect::RewriteError> complete_resource(const Variant& before,
                                                                       Variant after) {
    Dictionary* document = after.get_if<Dictionary>();
    const Dictionary* was = before.get_if<Dictionary>();
    if (!document || !was)
        return refused("$", Errc::wrong_type, "a resource is a Dictionary", after.type());
    if (auto done = complete(*was, *document); !done)
        return std::unexpected(std::move(done.error()));
    ResourceChange out{after, std::move(after)};
    set_tag_keys(*out.expected.get_if<Dictionary>());
    return out;
}

}  // namespace gdvar::detail
