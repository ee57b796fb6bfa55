#include "file/sections/section_changes.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "file/sections/resource_text.hpp"
#include "file/sections/scene_check.hpp"
#include "file/sections/section_syntax.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::detail {
namespace {

using inspect::RewriteError;
using Done = std::expected<void, RewriteError>;

bool is_id(const Variant* value) noexcept {
    return value && (value->is(Type::string) || value->is(Type::integer));
}

/// The class's name in `attributes`, empty if there is none.
std::string type_in(const Dictionary& attributes) {
    const Variant* type = attributes.find("type");
    return is_text(type) ? std::string(type->text()) : std::string();
}
/// The class of properties: empty for a Dictionary.
std::string class_of(const Variant* properties) {
    const Object* object = properties ? properties->get_if<Object>() : nullptr;
    return object ? std::string(object->class_name()) : std::string();
}

/// The properties as an Object of that class, or as a Dictionary without one.
Variant in_class(Variant properties, const std::string& name) {
    Object object = name.empty() ? Object() : Object(name);
    Dictionary pairs;
    const auto put = [&](std::string_view key, Variant value) {
        if (name.empty())
            pairs.append(Variant(key), std::move(value));
        else
            object.append(key, std::move(value));
    };
    if (Object* from = properties.get_if<Object>()) {
        for (Object::Property& property : *from)
            put(property.name, std::move(property.value));
    } else if (Dictionary* other = properties.get_if<Dictionary>()) {
        for (Dictionary::Pair& pair : *other)
            put(pair.key.text(), std::move(pair.value));
    }
    if (name.empty())
        return pairs;
    return object;
}

class Completer {
public:
    Completer(const Dictionary& before, Dictionary& after) : before_(before), after_(after) {}

    Done run() {
        if (after_.size() != before_.size())
            return refused("$", Errc::not_in_dialect, "a resource has the parts that it has");
        for (std::size_t i = 0; i < before_.size(); ++i) {
            const Variant& key = before_.begin()[i].key;
            const Dictionary::Pair& pair = after_.begin()[i];
            if (!identical(pair.key, key))
                return refused("$", Errc::not_in_dialect, "a resource has the parts that it has");
            const bool listed = key.text() == "connection" || key.text() == "editable";
            const Type type = key.text() == "resource" ? Type::object
                              : listed                 ? Type::array
                                                       : Type::dictionary;
            if (!pair.value.is(type))
                return refused("$." + std::string(key.text()), Errc::wrong_type,
                               "this part of a resource has another type", pair.value.type());
        }
        for (Done (Completer::* const part)() :
             {&Completer::header, &Completer::load_steps, &Completer::external, &Completer::nodes,
              &Completer::paths})
            if (auto done = (this->*part)(); !done)
                return done;
        return {};
    }

private:
    static const Dictionary& pairs_of(const Dictionary& document, std::string_view part) {
        return *document.find(part)->get_if<Dictionary>();
    }
    Dictionary& now(std::string_view part) { return *after_.find(part)->get_if<Dictionary>(); }

    /// A name that stands at two places: both get the one that is new.
    struct Twice {
        std::string was_here, was_there, here, there;
        bool join() {
            if (here == there)
                return true;
            if (here == was_here)
                here = there;
            else if (there == was_there)
                there = here;
            return here == there;
        }
    };

    Done header() {
        const Variant* was = before_.find("resource");
        if (!was)
            return {};
        Variant& is = *after_.find("resource");
        Dictionary& attributes = now("header");
        Twice name{type_in(pairs_of(before_, "header")), class_of(was), type_in(attributes),
                   class_of(&is)};
        if (!name.join())
            return refused("$.resource", Errc::not_in_dialect,
                           "its class is not the type in the header");
        if (type_in(attributes) != name.here)
            attributes.set("type", std::string_view(name.here));
        if (class_of(&is) != name.there)
            is = in_class(std::move(is), name.there);
        return {};
    }

    Done load_steps() {
        const auto count = [](const Dictionary& document) {
            return pairs_of(document, "ext").size() + pairs_of(document, "sub").size() + 1;
        };
        const Variant* was = pairs_of(before_, "header").find("load_steps");
        Variant* is = now("header").find("load_steps");
        if (was && is && is->is(Type::integer) && identical(*was, *is) &&
            count(before_) != count(after_))
            *is = static_cast<std::int64_t>(count(after_));
        return {};
    }

    // ---- tags whose keys come from attributes

    /// Goes through the tags of one part. `complete(attributes, is_new, path)` completes one and
    /// checks it; `key` makes its key.
    template <class Complete, class Set>
    Done tags(std::string_view part, Complete complete, Set set_key) {
        const Dictionary& was = pairs_of(before_, part);
        Dictionary& is = now(part);
        Dictionary made;
        made.reserve(is.size());
        for (std::size_t i = 0; i < is.size(); ++i) {
            Dictionary::Pair& pair = is.begin()[i];
            const std::string path = "$." + std::string(part) + step(pair.key);
            Dictionary* attributes = pair.value.template get_if<Dictionary>();
            if (!attributes)
                return refused(path, Errc::wrong_type, "a tag is a Dictionary of its attributes",
                               pair.value.type());
            Variant key = pair.key;
            const Variant* old = was.find(pair.key);
            if (!old) {
                // Another key, at the same place, for the same tag.
                const bool renamed = is.size() == was.size() && !is.find(was.begin()[i].key);
                if (auto done = set_key(*attributes, pair.key, path); !done)
                    return done;
                if (renamed) {
                    key = was.begin()[i].key;
                    old = &was.begin()[i].value;
                }
            }
            if (auto done = complete(*attributes, old, path); !done)
                return done;
            made.append(std::move(key), std::move(pair.value));
        }
        is = std::move(made);
        return {};
    }
    static std::string step(const Variant& key) {
        if (key.is(Type::string))
            return inspect::name_step(key.text());
        return key.is(Type::integer) ? "[" + std::to_string(key.integer()) + "]" : "[?]";
    }

    Done external() {
        return tags(
            "ext",
            [](Dictionary& attributes, const Variant*, const std::string& path) -> Done {
                if (!is_id(attributes.find("id")))
                    return refused(path + ".id", Errc::wrong_type, "an id is a String or an int");
                return {};
            },
            [](Dictionary& attributes, const Variant& key, const std::string& path) -> Done {
                if (!is_id(&key))
                    return refused(path, Errc::wrong_type, "an id is a String or an int");
                attributes.set("id", key);
                return {};
            });
    }

    Done nodes() {
        if (!before_.find("node"))
            return {};
        return tags("node", complete_node, name_node);
    }

    // ---- paths of nodes

    /// What names a node goes with it where that gets another name or parent. A node that goes may
    /// not be named any more: engines do not make a scene of that.
    Done paths() {
        const Variant* was = before_.find("node");
        if (!was)
            return {};
        for (const Dictionary::Pair& pair : now("node"))
            there_.insert(node_path_of(*pair.value.get_if<Dictionary>()));
        if (pairs_of(before_, "node").find(".") && !there_.contains("."))
            return refused("$.node[\".\"]", Errc::bad_reference, "a scene has a root");
        for (const Dictionary::Pair& pair : pairs_of(before_, "node")) {
            const Dictionary& attributes = *pair.value.get_if<Dictionary>();
            if (!pair.key.is(Type::string))
                continue;
            if (!leads_to(pair.key, attributes))
                twice_.insert(node_path_of(attributes));
            else if (is_made(attributes) && !now("node").find(pair.key))
                gone_.insert(std::string(pair.key.text()));
        }
        if (auto done = parents(); !done)
            return done;
        for (const std::string_view part : {"connection", "editable"})
            if (auto done = listed(part); !done)
                return done;
        return check_scene(before_, after_);
    }
    /// Whether the tag makes a node. Others change one that an instance brings along.
    static bool is_made(const Dictionary& attributes) {
        return attributes.find("type") || attributes.find("instance") ||
               attributes.find("instance_placeholder");
    }
    /// Whether paths lead to the node: it is the first one at its path.
    static bool leads_to(const Variant& key, const Dictionary& attributes) {
        return key.text() == node_path_of(attributes);
    }
    Done parents() {
        for (Dictionary::Pair& pair : now("node")) {
            Dictionary& attributes = *pair.value.get_if<Dictionary>();
            const Variant* old = pairs_of(before_, "node").find(pair.key);
            const Dictionary* was = old ? old->get_if<Dictionary>() : nullptr;
            const Variant* was_parent = was ? was->find("parent") : nullptr;
            Variant* parent = attributes.find("parent");
            const std::string path = "$.node" + step(pair.key) + ".parent";
            const bool follows = parent && was_parent && identical(*parent, *was_parent);
            const std::string stale = node_path_of(attributes);
            if (parent)
                if (auto done = follow(*parent, path, follows); !done)
                    return done;
            std::string made = node_path_of(attributes);
            // Of several nodes with one path the first is the one that paths lead to.
            const bool found = was && pair.key.is(Type::string) && leads_to(pair.key, *was);
            if (found && is_made(*was) && made != pair.key.text())
                moved_.emplace(pair.key.text(), made);
            if (made != stale)
                there_.erase(stale);
            there_.insert(std::move(made));
        }
        return {};
    }
    Done listed(std::string_view part) {
        const Variant* was = before_.find(part);
        Variant* is = after_.find(part);
        if (!was || !is || (moved_.empty() && gone_.empty()))
            return {};
        const bool same = identical(*was, *is);
        std::size_t i = 0;
        for (Variant& tag : *is->get_if<Array>()) {
            const std::string path = "$." + std::string(part) + "[" + std::to_string(i++) + "]";
            if (Dictionary* attributes = tag.get_if<Dictionary>())
                for (const std::string_view name : {"from", "to", "path"})
                    if (Variant* node = attributes->find(name))
                        if (auto done = follow(*node, path + "." + std::string(name), same); !done)
                            return done;
        }
        return {};
    }
    /// Changes a path that leads to a node that has moved, or into it. `old`: it is a path of the
    /// scene before; else one that leads to a node of the changed scene stays.
    Done follow(Variant& node, const std::string& at, bool old) const {
        if (!is_text(&node) && !node.is(Type::node_path))
            return {};
        const std::string path = node.is(Type::node_path) ? node.get_if<NodePath>()->to_string()
                                                          : std::string(node.text());
        // No scene is deeper, and no path takes more than linear time.
        constexpr int most_names = 1024;
        std::size_t end = path.size();
        for (int i = 0; i < most_names && end != 0 && end != path.npos;
             ++i, end = path.rfind('/', end - 1)) {
            const std::string_view front = std::string_view(path).substr(0, end);
            const auto moved = moved_.find(front);
            if (moved != moved_.end() && (old || !there_.contains(front))) {
                const std::string made = moved->second + path.substr(end);
                node = node.is(Type::node_path) ? Variant(NodePath(made))
                                                : Variant(std::string_view(made));
                return {};
            }
            const bool gone = gone_.contains(front);
            // What led to the first of several nodes does not mean the next one.
            if (there_.contains(front) && !(old && gone && twice_.contains(front)))
                return {};
            if (gone)
                return refused(at, Errc::bad_reference, "it leads to a node that goes");
        }
        return {};
    }

    /// The path of a node as its name and parent.
    static Done name_node(Dictionary& attributes, const Variant& key, const std::string& path) {
        if (!key.is(Type::string))
            return refused(path, Errc::wrong_type, "a node's path is a String");
        const std::string_view text = key.text();
        Dictionary made;
        const std::size_t slash = text.rfind('/');
        const auto put = [&](std::string_view name, std::string_view value) {
            if (Variant* there = attributes.find(name))
                *there = value;
            else
                made.append(name, value);
        };
        if (text == "." && !is_text(attributes.find("name")))
            return refused(path + ".name", Errc::missing_key, "the root has no name");
        if (text != ".") {
            put("name", text.substr(slash == text.npos ? 0 : slash + 1));
            if (attributes.find("type"))
                made.append("type", *attributes.find("type"));
            put("parent", slash == text.npos ? "." : text.substr(0, slash));
            for (Dictionary::Pair& pair : attributes)
                if (!made.find(pair.key))
                    made.append(pair.key, std::move(pair.value));
            attributes = std::move(made);
        }
        return {};
    }
    static Done complete_node(Dictionary& attributes, const Variant* old, const std::string& path) {
        const Variant* name = attributes.find("name");
        const Variant* parent = attributes.find("parent");
        if (!is_text(name))
            return refused(path + ".name", Errc::wrong_type, "a node's name is a String");
        if (parent && !parent->is(Type::node_path) && (!is_text(parent) || parent->text().empty()))
            return refused(path + ".parent", Errc::wrong_type, "a node's parent is a path");
        const Variant* given = attributes.find("properties");
        Variant properties = given ? *given : Variant(Dictionary());
        if (!properties.is(Type::object) && !properties.is(Type::dictionary))
            return refused(path + ".properties", Errc::wrong_type,
                           "properties are an Object or a Dictionary", properties.type());
        if (const Dictionary* pairs = properties.get_if<Dictionary>())
            for (const Dictionary::Pair& pair : *pairs)
                if (!pair.key.is(Type::string))
                    return refused(path + ".properties", Errc::wrong_type,
                                   "the names of properties are Strings");
        const Dictionary* was = old ? old->get_if<Dictionary>() : nullptr;
        Twice type{was ? type_in(*was) : "", was ? class_of(was->find("properties")) : "",
                   type_in(attributes), class_of(&properties)};
        // A Dictionary has no class to say.
        if (properties.is(Type::object) && !type.join())
            return refused(path + ".properties", Errc::not_in_dialect,
                           "their class is not the node's type");
        if (type.here != type_in(attributes))
            attributes.set("type", std::string_view(type.here));
        // They are read behind all attributes.
        attributes.erase("properties");
        attributes.append("properties", in_class(std::move(properties), type.here));
        return {};
    }

    const Dictionary& before_;
    Dictionary& after_;
    std::set<std::string, std::less<>> there_;  ///< paths of nodes in the changed scene
    std::set<std::string, std::less<>> gone_;   ///< keys of nodes that are there no more
    std::set<std::string, std::less<>> twice_;  ///< paths of several nodes before
    std::map<std::string, std::string, std::less<>>
        moved_;  ///< old paths of nodes, and their new ones
};

}  // namespace

void set_tag_keys(Dictionary& document) {
    for (const std::string_view part : {"ext", "node"}) {
        Variant* there = document.find(part);
        if (!there)
            continue;
        Dictionary made;
        Dictionary& pairs = *there->get_if<Dictionary>();
        made.reserve(pairs.size());
        NodeKeys keys;
        for (Dictionary::Pair& pair : pairs) {
            const Dictionary& attributes = *pair.value.get_if<Dictionary>();
            Variant key =
                part == "ext" ? *attributes.find("id") : keys.next(node_path_of(attributes));
            made.append(std::move(key), std::move(pair.value));
        }
        pairs = std::move(made);
    }
}

std::expected<ResourceChange, RewriteError> complete_resource(const Variant& before,
                                                              Variant after) {
    Dictionary* document = after.get_if<Dictionary>();
    const Dictionary* was = before.get_if<Dictionary>();
    if (!document || !was)
        return refused("$", Errc::wrong_type, "a resource is a Dictionary", after.type());
    if (auto done = Completer(*was, *document).run(); !done)
        return std::unexpected(std::move(done.error()));
    ResourceChange out{after, std::move(after)};
    set_tag_keys(*out.expected.get_if<Dictionary>());
    return out;
}

}  // namespace gdvar::detail
