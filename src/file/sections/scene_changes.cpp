#include "file/sections/scene_changes.hpp"

#include <map>
#include <utility>

#include "file/sections/section_syntax.hpp"
#include "file/sections/value_walk.hpp"

namespace gdvar::detail {
namespace {

using Done = std::expected<void, inspect::RewriteError>;

/// Calls `use` with a path, and with each path above it, up to the first for which it is true.
template <class Use>
void each_above(std::string_view path, const Use& use) {
    // No scene is deeper, and no path takes more than linear time.
    for (int left = 1024; left && !path.empty() && !use(path); --left) {
        const std::size_t slash = path.rfind('/');
        path = path.substr(0, slash == path.npos ? 0 : slash);
    }
}

/// The nodes of a scene.
class NodePaths {
public:
    /// False: another node is at this path.
    bool add(const Dictionary& attributes) {
        std::string path = node_path_of(attributes);
        if (attributes.find("instance") || attributes.find("instance_placeholder"))
            instances_.insert(path);
        return paths_.insert(std::move(path)).second;
    }
    bool has(std::string_view path) const { return paths_.contains(path); }
    /// Whether it is there, or may be brought along by an instance.
    bool may_have(std::string_view path) const {
        if (path.empty())
            return false;
        bool found = has(path) || instances_.contains(".");
        if (!found && !instances_.empty())
            each_above(path,
                       [&](std::string_view above) { return found = instances_.contains(above); });
        return found;
    }

private:
    TextSet paths_, instances_;
};

const Dictionary& attributes_of(const Dictionary::Pair& node) {
    return *node.value.get_if<Dictionary>();
}

/// Whether an attribute is as it was. `was` may be null.
bool is_kept(const Dictionary* was, const Dictionary& is, std::string_view name) {
    const Variant* old = was ? was->find(name) : nullptr;
    const Variant* now = is.find(name);
    return old && now ? identical(*old, *now) : old == now;
}

/// Calls `use` with each path of a node in connections or editable instances, and its place.
template <class V, class Use>
Done each_end(V* tags, const std::string& part, const Use& use) {
    std::size_t i = 0;
    for (auto& tag : *tags->template get_if<Array>()) {
        const std::string at = part + "[" + std::to_string(i++) + "].";
        if (auto* attributes = tag.template get_if<Dictionary>())
            for (const std::string_view name : path_attributes)
                if (auto* end = attributes->find(name))
                    if (auto done = use(*end, at + std::string(name)); !done)
                        return done;
    }
    return {};
}

class SceneChange {
public:
    SceneChange(const Resource<const Dictionary>& before, const Resource<Dictionary>& after)
        : before_(before), after_(after) {}

    Done run() {
        look_at_old_nodes();
        for (const Dictionary::Pair& pair : *after_.node)
            there_.insert(node_path_of(attributes_of(pair)));
        if (before_.node->find(".") && !there_.contains("."))
            return refused("$.node[\".\"]", Errc::bad_reference, "a scene has a root");
        for (Dictionary::Pair& pair : *after_.node)
            if (auto done = follow_parent(pair); !done)
                return done;
        const std::pair<const Variant*, Variant*> lists[] = {
            {before_.connection, after_.connection}, {before_.editable, after_.editable}};
        const std::string names[] = {"$.connection", "$.editable"};
        for (int i = 0; i < 2; ++i)
            if (auto done = follow_ends(*lists[i].first, *lists[i].second, names[i]); !done)
                return done;
        for (const Dictionary::Pair& pair : *after_.node)
            all_.add(attributes_of(pair));
        for (const Dictionary::Pair& pair : *after_.node)
            if (auto done = check_node(pair); !done)
                return done;
        for (int i = 0; i < 2; ++i)
            if (auto done = check_ends(*lists[i].first, *lists[i].second, names[i]); !done)
                return done;
        return {};
    }

private:
    void look_at_old_nodes() {
        for (const Dictionary::Pair& pair : *before_.node) {
            const Dictionary& attributes = attributes_of(pair);
            const Variant* parent = attributes.find("parent");
            if (parent && !old_.may_have(plain_path(*parent)))
                orphans_.insert(plain_path(*parent));
            // Paths lead to the first of several nodes at one path.
            if (!old_.add(attributes))
                twice_.insert(node_path_of(attributes));
            else if (makes_node(attributes) && !after_.node->find(pair.key))
                gone_.insert(node_path_of(attributes));
        }
    }

    // ---- paths follow nodes that move

    Done follow_parent(Dictionary::Pair& pair) {
        Dictionary& attributes = *pair.value.get_if<Dictionary>();
        const Variant* old = before_.node->find(pair.key);
        const Dictionary* was = old ? old->get_if<Dictionary>() : nullptr;
        const std::string stale = node_path_of(attributes);
        if (Variant* parent = attributes.find("parent"))
            if (auto done = follow(*parent, "$.node" + step(pair.key) + ".parent",
                                   is_kept(was, attributes, "parent"));
                !done)
                return done;
        std::string path = node_path_of(attributes);
        const bool first = was && pair.key.text() == node_path_of(*was);
        if (first && makes_node(*was) && path != pair.key.text())
            moved_.emplace(pair.key.text(), path);
        if (path != stale)
            there_.erase(stale);
        there_.insert(std::move(path));
        return {};
    }
    Done follow_ends(const Variant& was, Variant& is, const std::string& part) const {
        const bool same = identical(was, is);
        return each_end(&is, part,
                        [&](Variant& end, const std::string& at) { return follow(end, at, same); });
    }
    /// Changes a path that leads to a node that has moved, or into it. `old`: it is a path of the
    /// scene before; else one that leads to a node of the changed scene stays.
    Done follow(Variant& node, const std::string& at, bool old) const {
        if (!is_node_path(&node))
            return {};
        const bool is_text = !node.is(Type::node_path);
        const std::string path =
            is_text ? std::string(node.text()) : node.get_if<NodePath>()->to_string();
        bool leads_nowhere = false;
        each_above(path, [&](std::string_view front) {
            const auto moved = moved_.find(front);
            const bool there = there_.contains(front), gone = gone_.contains(front);
            if (moved != moved_.end() && (old || !there)) {
                const std::string made = moved->second + path.substr(front.size());
                node = is_text ? Variant(made) : Variant(NodePath(made));
                return true;
            }
            // A path that led to the first of several nodes does not mean the next one.
            const bool stays = there && !(old && gone && twice_.contains(front));
            leads_nowhere = gone && !stays;
            return gone || stays;
        });
        if (leads_nowhere)
            return refused(at, Errc::bad_reference, "it leads to a node that goes");
        return {};
    }

    // ---- what engines make of the scene

    Done check_node(const Dictionary::Pair& pair) {
        const Dictionary& attributes = attributes_of(pair);
        const Variant* old = before_.node->find(pair.key);
        const Dictionary* was = old ? old->get_if<Dictionary>() : nullptr;
        const std::string at = "$.node" + step(pair.key);
        const std::string_view name = attributes.find("name")->text();
        if ((name.empty() || name.find_first_of(".:@/\"%") != name.npos) &&
            !is_kept(was, attributes, "name"))
            return refused(at + ".name", Errc::bad_reference,
                           "engines give no node such a name (not empty, none of . : @ / \" %)");
        const Variant* instance = attributes.find("instance");
        if (instance && !instance->is(Type::object) && !is_kept(was, attributes, "instance"))
            return refused(at + ".instance", Errc::wrong_type,
                           "an instance is an ExtResource(...) of the scene");
        if (const Variant* parent = attributes.find("parent")) {
            const std::string above = plain_path(*parent);
            if (!above_.may_have(above) && !orphans_.contains(above))
                return refused(at + ".parent", Errc::bad_reference,
                               all_.has(above) ? "the parent does not stand above it"
                                               : "there is no such node");
        }
        const std::string path = node_path_of(attributes);
        if (above_.add(attributes) || twice_.contains(path))
            return {};
        return refused(at + (path == "." ? ".parent" : ".name"), Errc::bad_reference,
                       path == "." ? "a scene has one root, and only that has no parent"
                                   : "another node of this name is there already");
    }
    Done check_ends(const Variant& was, const Variant& is, const std::string& part) const {
        TextSet lost;
        (void)each_end(&was, part, [&](const Variant& end, const std::string&) -> Done {
            if (is_node_path(&end) && !old_.may_have(plain_path(end)))
                lost.insert(plain_path(end));
            return {};
        });
        return each_end(&is, part, [&](const Variant& end, const std::string& at) -> Done {
            if (!is_node_path(&end))
                return refused(at, Errc::wrong_type, "it is the path of a node");
            const std::string path = plain_path(end);
            if (!all_.may_have(path) && !lost.contains(path))
                return refused(at, Errc::bad_reference, "there is no such node");
            return {};
        });
    }

    const Resource<const Dictionary>& before_;
    const Resource<Dictionary>& after_;
    NodePaths old_, all_, above_;  ///< before; after; after, above the node that is checked
    TextSet twice_, orphans_;      ///< before: paths of several nodes; parents that are not above
    TextSet gone_;                 ///< nodes that are there no more
    TextSet there_;                ///< nodes of the changed scene
    std::map<std::string, std::string, std::less<>> moved_;  ///< old paths, and the new ones
};

}  // namespace

Done complete_scene(const Resource<const Dictionary>& before, const Resource<Dictionary>& after) {
    return SceneChange(before, after).run();
}

}  // namespace gdvar::detail
