#include "file/sections/resource.hpp"

#include <algorithm>

#include "file/sections/value_walk.hpp"

namespace gdvar::detail {

bool is_text(const Variant* value) noexcept {
    return value && (value->is(Type::string) || value->is(Type::string_name));
}
bool is_id(const Variant* value) noexcept {
    return value && (value->is(Type::string) || value->is(Type::integer));
}
bool is_node_path(const Variant* value) noexcept {
    return is_text(value) || (value && value->is(Type::node_path));
}

std::string reference_id(const Variant& id) {
    return id.is(Type::integer) ? std::to_string(id.integer()) : std::string(id.text());
}

std::optional<WrongAttribute> find_wrong_attribute(ResourcePart part,
                                                   const Dictionary& attributes) {
    const bool node = part == ResourcePart::node;
    if (!node && part != ResourcePart::ext && part != ResourcePart::sub)
        return std::nullopt;
    const Variant* id = attributes.find("id");
    const Variant* type = attributes.find("type");
    const Variant* parent = attributes.find("parent");
    if (!node && !is_id(id) && !is_text(id))
        return WrongAttribute{"id", "an id is a String or an int"};
    if (node && !is_text(attributes.find("name")))
        return WrongAttribute{"name", "a node's name is a String"};
    if (type && !is_text(type))
        return WrongAttribute{"type", "a type is a String"};
    // An empty one crashes the engines.
    if (node && parent && (!is_node_path(parent) || (is_text(parent) && parent->text().empty())))
        return WrongAttribute{"parent", "a node's parent is a path"};
    return std::nullopt;
}

// ---- properties

std::string class_of(const Variant& properties) {
    const Object* object = properties.get_if<Object>();
    return object ? std::string(object->class_name()) : std::string();
}

void append_property(Variant& to, std::string_view name, Variant value) {
    if (Object* object = to.get_if<Object>())
        object->append(name, std::move(value));
    else
        to.get_if<Dictionary>()->append(name, std::move(value));
}

Properties take_properties(Variant& from) {
    Properties out;
    if (Object* object = from.get_if<Object>()) {
        for (Object::Property& property : *object)
            out.emplace_back(property.name, std::move(property.value));
    } else if (Dictionary* pairs = from.get_if<Dictionary>()) {
        for (Dictionary::Pair& pair : *pairs)
            out.emplace_back(pair.key.text(), std::move(pair.value));
    }
    return out;
}

Variant make_properties(Properties properties, std::string_view class_name) {
    Variant out = class_name.empty() ? Variant(Dictionary()) : Variant(Object(class_name));
    for (auto& [name, value] : properties)
        append_property(out, name, std::move(value));
    return out;
}

// ---- references

std::optional<ResourcePart> referenced_part(const Object& object) noexcept {
    const bool sub = object.class_name() == "SubResource";
    // An Object that is written as one may have anything.
    if ((!sub && object.class_name() != "ExtResource") || !is_id(object.find("id")))
        return std::nullopt;
    return sub ? ResourcePart::sub : ResourcePart::ext;
}

void ResourceIds::add(ResourcePart part, const Variant& id) {
    (part == ResourcePart::sub ? sub_ : ext_).insert(reference_id(id));
}

const char* ResourceIds::lost(ResourcePart part, std::string_view id) const {
    if ((part == ResourcePart::sub ? sub_ : ext_).contains(id))
        return nullptr;
    return part == ResourcePart::sub ? "no sub_resource above has this id"
                                     : "no ext_resource has this id";
}

const char* ResourceIds::lost(const Object& object) const {
    const auto part = referenced_part(object);
    if (!part)
        return nullptr;
    const Variant& id = *object.find("id");
    if (!text_ids_ && id.is(Type::string))
        return "Godot 3 takes a number as id, as in SubResource( 1 )";
    return lost(*part, reference_id(id));
}

/// The element type of a container, which may be a script: `Array[ExtResource("1_abc")]`.
const char* ResourceIds::lost(const ContainerType& type) const {
    const std::string_view name = type.name;
    const bool sub = name.starts_with("SubResource(");
    if (!sub && !name.starts_with("ExtResource("))
        return nullptr;
    const std::size_t quote = name.find('"');
    // Numbers are ids, too.
    const std::size_t begin = quote == name.npos ? name.find('(') + 1 : quote + 1;
    const std::size_t end = quote == name.npos ? name.find(')') : name.rfind('"');
    if (end == name.npos || end < begin)
        return nullptr;
    return lost(sub ? ResourcePart::sub : ResourcePart::ext, name.substr(begin, end - begin));
}

std::optional<LostReference> ResourceIds::lost_in(const Variant& value,
                                                  const std::string& path) const {
    ValueWalk walk(value, path);
    while (const Variant* at = walk.next()) {
        const char* why = nullptr;
        if (const Object* object = at->get_if<Object>()) {
            why = lost(*object);
        } else if (const Array* array = at->get_if<Array>()) {
            why = lost(array->element_type());
        } else if (const Dictionary* pairs = at->get_if<Dictionary>()) {
            why = lost(pairs->key_type());
            why = why ? why : lost(pairs->value_type());
        }
        if (why)
            return LostReference{why, at->is(Type::object) ? Type::object : Type::array,
                                 walk.path()};
    }
    return std::nullopt;
}

std::optional<LostReference> find_lost_reference(const Dictionary& document,
                                                 const TextRules& rules) {
    const Resource all(document);
    ResourceIds ids(rules);
    for (const Dictionary::Pair& tag : *all.ext)
        ids.add(ResourcePart::ext, tag.key);
    for (const Dictionary::Pair& tag : *all.sub) {
        ids.add(ResourcePart::sub, tag.key);
        if (auto lost = ids.lost_in(tag.value, "$.sub" + step(tag.key)))
            return lost;
    }
    for (const Dictionary::Pair& each : document)
        if (each.key.text() != "ext" && each.key.text() != "sub")
            if (auto lost = ids.lost_in(each.value, "$" + step(each.key)))
                return lost;
    return std::nullopt;
}

// ---- nodes

namespace {

std::string path_text(const Variant& path) {
    std::string text =
        path.is(Type::node_path) ? path.get_if<NodePath>()->to_string() : std::string(path.text());
    text.resize(std::min(text.find(':'), text.size()));
    return text;
}

/// The names of a path: "A/B". `inner_dots`: as SceneState::get_node_path, which leaves out "." in
/// front alone.
std::string names_of(std::string_view path, bool inner_dots) {
    std::string out;
    while (!path.empty()) {
        const std::string_view name = path.substr(0, path.find('/'));
        path.remove_prefix(std::min(name.size() + 1, path.size()));
        if (!name.empty() && (name != "." || (inner_dots && !out.empty())))
            out.append(out.empty() ? "" : "/").append(name);
    }
    return out;
}

}  // namespace

std::string node_path_of(const Dictionary& attributes) {
    const Variant* parent = attributes.find("parent");
    if (!parent)
        return ".";
    std::string out = names_of(path_text(*parent), true);
    return out.append(out.empty() ? "" : "/").append(attributes.find("name")->text());
}

std::string plain_path(const Variant& path) {
    const std::string text = path_text(path);
    if (text.empty() || text.front() == '/')
        return {};
    const std::string out = names_of(text, false);
    return out.empty() ? "." : out;
}

bool makes_node(const Dictionary& attributes) {
    return attributes.find("type") || attributes.find("instance") ||
           attributes.find("instance_placeholder");
}

std::string NodeKeys::next(std::string path) {
    const auto [at, is_new] = counts_.emplace(path, 1);
    while (!is_new) {
        std::string made = path + ":" + std::to_string(++at->second);
        if (counts_.emplace(made, 1).second)
            return made;
    }
    return path;
}

}  // namespace gdvar::detail
