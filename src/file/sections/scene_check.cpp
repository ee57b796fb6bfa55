#include "file/sections/scene_check.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "file/sections/resource_text.hpp"
#include "file/sections/section_syntax.hpp"
#include "gdvar/inspect/lookup.hpp"

namespace gdvar::detail {
namespace {

using inspect::RewriteError;
using Done = std::expected<void, RewriteError>;
using Names = std::set<std::string, std::less<>>;

const Dictionary& dictionary(const Variant& value) {
    return *value.get_if<Dictionary>();
}
bool is_path(const Variant* value) noexcept {
    return is_text(value) || (value && value->is(Type::node_path));
}
bool same(const Variant* a, const Variant* b) {
    return a == b || (a && b && identical(*a, *b));
}

/// The path as `node_path_of` has it: without empty names, `.` and properties. Empty if it leads
/// nowhere.
std::string plain_path(const Variant& value) {
    std::string text = value.is(Type::node_path) ? value.get_if<NodePath>()->to_string()
                                                 : std::string(value.text());
    text.resize(std::min(text.find(':'), text.size()));
    if (text.empty() || text.front() == '/')
        return {};
    std::string out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('/', at), text.size());
        const std::string_view name = std::string_view(text).substr(at, end - at);
        at = end + 1;
        if (name.empty() || name == ".")
            continue;
        if (!out.empty())
            out += '/';
        out += name;
    }
    return out.empty() ? "." : out;
}

/// The nodes of a scene, one after another.
class Nodes {
public:
    void add(const Dictionary& attributes) {
        std::string path = node_path_of(attributes);
        if (attributes.find("instance") || attributes.find("instance_placeholder"))
            instances_.insert(path);
        paths_.insert(std::move(path));
    }
    bool has(std::string_view path) const { return paths_.contains(path); }
    /// Whether it is there, or may be brought along by an instance.
    bool may_have(std::string_view path) const {
        if (path.empty())
            return false;
        if (has(path) || instances_.contains("."))
            return true;
        // No scene is deeper, and no path takes more than linear time.
        constexpr int most_names = 1024;
        std::size_t end = path.rfind('/');
        for (int i = 0; i < most_names && end != path.npos && end != 0 && !instances_.empty();
             ++i, end = path.rfind('/', end - 1))
            if (instances_.contains(path.substr(0, end)))
                return true;
        return false;
    }

private:
    Names paths_, instances_;
};

std::string place_of(const Variant& key) {
    return key.is(Type::string) ? inspect::name_step(key.text()) : "[?]";
}

class SceneCheck {
public:
    SceneCheck(const Dictionary& before, const Dictionary& after)
        : before_(before), after_(after) {}

    Done run() {
        was_nodes();
        for (const Dictionary::Pair& pair : dictionary(*after_.find("node")))
            all_.add(dictionary(pair.value));
        for (const Dictionary::Pair& pair : dictionary(*after_.find("node")))
            if (auto done = node(pair); !done)
                return done;
        for (const std::string_view part : {"connection", "editable"})
            if (auto done = listed(part); !done)
                return done;
        return {};
    }

private:
    /// What was wrong before the change.
    void was_nodes() {
        for (const Dictionary::Pair& pair : dictionary(*before_.find("node"))) {
            const Dictionary& attributes = dictionary(pair.value);
            const std::string path = node_path_of(attributes);
            const Variant* parent = attributes.find("parent");
            if (old_.has(path))
                twice_.insert(path);
            if (parent && !old_.may_have(plain_path(*parent)))
                orphans_.insert(plain_path(*parent));
            old_.add(attributes);
        }
    }

    Done node(const Dictionary::Pair& pair) {
        const Dictionary& attributes = dictionary(pair.value);
        const Variant* old = dictionary(*before_.find("node")).find(pair.key);
        const Dictionary none;
        const Dictionary& was = old ? dictionary(*old) : none;
        const std::string at = "$.node" + place_of(pair.key);
        if (auto done = name(attributes, was, at); !done)
            return done;
        const Variant* instance = attributes.find("instance");
        if (instance && !instance->is(Type::object) && !same(instance, was.find("instance")))
            return refused(at + ".instance", Errc::wrong_type,
                           "an instance is an ExtResource(...) of the scene");
        const std::string path = node_path_of(attributes);
        if (const Variant* parent = attributes.find("parent")) {
            const std::string above = plain_path(*parent);
            if (!nodes_.may_have(above) && !orphans_.contains(above))
                return refused(at + ".parent", Errc::bad_reference,
                               all_.has(above) ? "the parent does not stand above it"
                                               : "there is no such node");
        }
        if (nodes_.has(path) && !twice_.contains(path))
            return refused(at + (path == "." ? ".parent" : ".name"), Errc::bad_reference,
                           path == "." ? "a scene has one root, and only that has no parent"
                                       : "another node of this name is there already");
        nodes_.add(attributes);
        return {};
    }

    static Done name(const Dictionary& attributes, const Dictionary& was, const std::string& at) {
        const Variant& name = *attributes.find("name");
        if (same(&name, was.find("name")))
            return {};
        const std::string_view text = name.text();
        if (text.empty() || text.find_first_of(".:@/\"%") != text.npos)
            return refused(at + ".name", Errc::bad_reference,
                           "engines give no node such a name (not empty, none of . : @ / \" %)");
        return {};
    }

    /// The nodes that connections and editable instances name.
    Done listed(std::string_view part) {
        const Variant* was = before_.find(part);
        const Variant* is = after_.find(part);
        if (!was || !is)
            return {};
        Names lost;
        each_end(*was, [&](std::size_t, std::string_view, const Variant& end) -> Done {
            if (is_path(&end) && !old_.may_have(plain_path(end)))
                lost.insert(plain_path(end));
            return {};
        });
        return each_end(*is, [&](std::size_t i, std::string_view name, const Variant& end) -> Done {
            const auto at = [&] {
                return "$." + std::string(part) + "[" + std::to_string(i) + "]." +
                       std::string(name);
            };
            if (!is_path(&end))
                return refused(at(), Errc::wrong_type, "it is the path of a node");
            const std::string path = plain_path(end);
            if (!all_.may_have(path) && !lost.contains(path))
                return refused(at(), Errc::bad_reference, "there is no such node");
            return {};
        });
    }
    template <class Use>
    static Done each_end(const Variant& list, const Use& use) {
        std::size_t i = 0;
        for (const Variant& tag : *list.get_if<Array>()) {
            if (const Dictionary* attributes = tag.get_if<Dictionary>())
                for (const std::string_view name : {"from", "to", "path"})
                    if (const Variant* end = attributes->find(name))
                        if (auto done = use(i, name, *end); !done)
                            return done;
            ++i;
        }
        return {};
    }

    const Dictionary& before_;
    const Dictionary& after_;
    Nodes old_, all_, nodes_;  ///< before; after; after, those above the one that is looked at
    Names twice_, orphans_;    ///< before: paths of several nodes, and parents that are not above
};

}  // namespace

Done check_scene(const Dictionary& before, const Dictionary& after) {
    return SceneCheck(before, after).run();
}

}  // namespace gdvar::detail
