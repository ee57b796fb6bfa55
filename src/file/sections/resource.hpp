// The value of a text resource: its parts, the ids and paths in it, and the rules of them.
// Room: file, private. Rules: wire-format 9.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdvar/value/variant.hpp"
#include "gdvar/wire/error.hpp"
#include "text/rules.hpp"

namespace gdvar::detail {

using TextSet = std::set<std::string, std::less<>>;

/// The parts of a document behind its header, in the order of its value.
enum class ResourcePart : std::uint8_t { ext, sub, resource, node, connection, editable };

/// A kind of tag behind the header, as the engines know it.
struct TagRule {
    std::string_view name;
    std::string_view part;  ///< its key in the document
    bool of_scene, of_resource;
    bool lines;  ///< properties follow
    std::array<std::string_view, 4> required;
};
/// By ResourcePart.
inline constexpr TagRule tag_rules[] = {
    {"ext_resource", "ext", true, true, false, {"path", "type", "id"}},
    {"sub_resource", "sub", true, true, true, {"type", "id"}},
    {"resource", "resource", false, true, true, {}},
    {"node", "node", true, false, true, {"name"}},
    {"connection", "connection", true, false, false, {"signal", "from", "to", "method"}},
    {"editable", "editable", true, false, false, {"path"}},
};
constexpr const TagRule& tag_rule(ResourcePart part) noexcept {
    return tag_rules[static_cast<std::size_t>(part)];
}
/// The attributes of connections and editable instances that are paths of nodes.
inline constexpr std::string_view path_attributes[] = {"from", "to", "path"};

/// The parts of a document, which lives longer. Null: it has no such part.
template <class D>  // Dictionary or const Dictionary
struct Resource {
    explicit Resource(D& document)
        : header(part<Dictionary>(document, "header")),
          ext(part<Dictionary>(document, "ext")),
          sub(part<Dictionary>(document, "sub")),
          resource(document.find("resource")),
          node(part<Dictionary>(document, "node")),
          connection(document.find("connection")),
          editable(document.find("editable")) {}

    template <class T>
    using In = std::conditional_t<std::is_const_v<D>, const T, T>;
    In<Dictionary>*header, *ext, *sub;
    In<Variant>* resource;
    In<Dictionary>* node;
    In<Variant>*connection, *editable;

private:
    template <class T>
    static In<T>* part(D& document, std::string_view name) {
        auto* value = document.find(name);
        return value ? value->template get_if<T>() : nullptr;
    }
};

/// Whether it is a String or a StringName; `value` may be null. Likewise the others.
bool is_text(const Variant* value) noexcept;
/// A String or an int.
bool is_id(const Variant* value) noexcept;
bool is_node_path(const Variant* value) noexcept;

/// An id as text: Godot 4 takes 1 and "1" for the same.
std::string reference_id(const Variant& id);

/// An attribute of another type than engines need.
struct WrongAttribute {
    const char *name, *why;  ///< static text
};
/// The first one of a tag that has its required attributes; none: it has no such attribute.
std::optional<WrongAttribute> find_wrong_attribute(ResourcePart part, const Dictionary& attributes);

// ---- properties

using Properties = std::vector<std::pair<std::string, Variant>>;

/// The class of properties: empty for a Dictionary.
std::string class_of(const Variant& properties);
/// Adds one to an Object or a Dictionary of properties.
void append_property(Variant& to, std::string_view name, Variant value);
/// Takes the values out of an Object or a Dictionary, whose keys are texts.
Properties take_properties(Variant& from);
/// An Object of that class, or a Dictionary without one.
Variant make_properties(Properties properties, std::string_view class_name);

// ---- references

/// A reference that leads nowhere: engines do not load the file.
struct LostReference {
    const char* why;  ///< static text
    Type type;
    std::string path;
};

/// The ids that references can name.
class ResourceIds {
public:
    explicit ResourceIds(const TextRules& rules) : text_ids_(rules.text_ids) {}
    void add(ResourcePart part, const Variant& id);
    /// The first reference in a value at `path` that leads to no id. May throw bad_alloc.
    std::optional<LostReference> lost_in(const Variant& value, const std::string& path) const;

private:
    const char* lost(ResourcePart part, std::string_view id) const;
    const char* lost(const Object& object) const;
    const char* lost(const ContainerType& type) const;

    bool text_ids_;
    TextSet ext_, sub_;
};
/// The part with the tag that the Object refers to by its `id`; none: it is no reference.
std::optional<ResourcePart> referenced_part(const Object& object) noexcept;

/// The first reference in a document that leads to nothing above it.
std::optional<LostReference> find_lost_reference(const Dictionary& document,
                                                 const TextRules& rules);

// ---- nodes

/// The path of a node from the root, as the engines make it of `parent` and `name`: ".", "A/B".
std::string node_path_of(const Dictionary& attributes);
/// The node that a path leads to from the root: without empty names, `.` and properties. Empty: it
/// leads nowhere.
std::string plain_path(const Variant& path);
/// Whether the tag makes a node. Others change one that an instance brings along.
bool makes_node(const Dictionary& attributes);
/// The keys of nodes, in the order of the scene. Engines make every node, also one whose path
/// stands above: the first has the key `A`, and the next one "A:2", which is no name of a node.
class NodeKeys {
public:
    /// The key of the next node. May throw bad_alloc.
    std::string next(std::string path);

private:
    std::map<std::string, std::uint32_t, std::less<>> counts_;
};

}  // namespace gdvar::detail
