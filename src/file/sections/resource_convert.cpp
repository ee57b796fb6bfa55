#include "file/sections/resource_convert.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "file/sections/resource.hpp"
#include "file/sections/section_syntax.hpp"
#include "file/sections/value_walk.hpp"

namespace gdvar::detail {
namespace {

constexpr std::string_view meta = "__meta__", meta_prefix = "metadata/";

/// Attributes with a meaning that Godot 3 does not know.
constexpr std::string_view new_attributes[] = {"node_paths", "unbinds"};

/// The type of a tag is the class of its properties, where they have one.
void set_type(Dictionary& attributes, const Variant& properties) {
    Variant* type = attributes.find("type");
    const std::string name = class_of(properties);
    if (type && !name.empty() && type->text() != name)
        *type = name;
}

/// Texts of numbers for Godot 4. For Godot 3 numbers: the ones that texts are, else free ones.
NewIds new_ids(const Dictionary& tags, bool modern) {
    NewIds out;
    std::set<std::int64_t> taken;
    std::vector<std::string> left;
    for (const Dictionary::Pair& tag : tags) {
        const std::string id = reference_id(tag.key);
        std::int64_t number = 0;
        const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
        const bool is_number = read.ptr == id.data() + id.size() && read.ec == std::errc() &&
                               number > 0 && number < INT32_MAX && id == std::to_string(number);
        if (modern)
            out.emplace(id, std::string_view(id));
        else if (is_number && taken.insert(number).second)
            out.emplace(id, number);
        else
            left.push_back(id);
    }
    std::int64_t next = 1;
    for (const std::string& id : left) {
        if (out.contains(id))
            continue;
        while (taken.contains(next))
            ++next;
        out.emplace(id, next++);
    }
    return out;
}

/// Between Godot 4 and the others.
class PartsConverter {
public:
    PartsConverter(bool modern, const inspect::Renames& renames, const ConversionNotes& notes)
        : modern_(modern), renames_(renames), notes_(notes) {}

    NewIds run(Dictionary& document) {
        const Resource all(document);
        ext_ids_ = new_ids(*all.ext, modern_);
        sub_ids_ = new_ids(*all.sub, modern_);
        Variant* format = all.header->find("format");
        if (format && format->is(Type::integer))
            *format = modern_ ? std::max<std::int64_t>(format->integer(), 3)
                              : std::min<std::int64_t>(format->integer(), 2);
        for (Dictionary::Pair& pair : *all.ext)
            external("$.ext" + step(pair.key), pair);
        for (Dictionary::Pair& pair : *all.sub)
            metadata("$.sub" + step(pair.key), pair.value);
        if (all.resource)
            metadata("$.resource", *all.resource);
        if (all.node)
            for (Dictionary::Pair& pair : *all.node)
                node("$.node" + step(pair.key), *pair.value.get_if<Dictionary>());
        if (all.connection) {
            std::size_t i = 0;
            for (const Variant& connection : *all.connection->get_if<Array>())
                lose_attributes("$.connection[" + std::to_string(i++) + "]",
                                *connection.get_if<Dictionary>());
        }
        for (Dictionary::Pair& part : document)
            references(part.value);
        return std::move(sub_ids_);
    }

private:
    void external(const std::string& path, Dictionary::Pair& tag) {
        Dictionary& attributes = *tag.value.get_if<Dictionary>();
        *attributes.find("id") = ext_ids_.find(reference_id(tag.key))->second;
        Variant& type = *attributes.find("type");
        const std::string old(type.text());
        const auto made = renames_.class_name(old, modern_ ? inspect::Renames::Direction::to_new
                                                           : inspect::Renames::Direction::to_old);
        if (made.name == old)
            return;
        if (made.candidates.size() > 1)
            notes_.lose(path + ".type", Type::string, old + " has several names in Godot 3",
                        "becomes " + std::string(made.name));
        else
            notes_.rename(path + ".type", old, made.name);
        type = made.name;
    }

    void node(const std::string& path, Dictionary& attributes) {
        Variant& properties = *attributes.find("properties");
        set_type(attributes, properties);
        metadata(path + ".properties", properties);
        lose_attributes(path, attributes);
    }

    void lose_attributes(const std::string& path, const Dictionary& attributes) const {
        for (const std::string_view name : new_attributes)
            if (const Variant* value = modern_ ? nullptr : attributes.find(name))
                notes_.lose(path + inspect::name_step(name), value->type(),
                            "the attribute " + std::string(name) + ", which Godot 3 does not know",
                            "has no effect");
    }

    /// Godot 4 has a property for each of the metadata, Godot 3 one for all, where the first of
    /// them stood.
    void metadata(const std::string& path, Variant& properties) const {
        const std::string class_name = class_of(properties);
        Properties out;
        Dictionary gathered;
        std::size_t place = SIZE_MAX;
        for (auto& [name, value] : take_properties(properties)) {
            if (modern_ && name == meta && value.is(Type::dictionary)) {
                spread(path, *value.get_if<Dictionary>(), out);
            } else if (!modern_ && name.starts_with(meta_prefix)) {
                if (gathered.empty()) {
                    place = out.size();
                    out.emplace_back(meta, Variant());
                }
                gathered.append(std::string_view(name).substr(meta_prefix.size()),
                                std::move(value));
            } else {
                out.emplace_back(std::move(name), std::move(value));
            }
        }
        if (!gathered.empty())
            out[place].second = std::move(gathered);
        properties = make_properties(std::move(out), class_name);
    }
    void spread(const std::string& path, Dictionary& from, Properties& to) const {
        for (Dictionary::Pair& pair : from) {
            if (pair.key.is(Type::string) && is_identifier(pair.key.text()))
                to.emplace_back(std::string(meta_prefix).append(pair.key.text()),
                                std::move(pair.value));
            else
                notes_.lose(path + "." + std::string(meta) + step(pair.key), Type::nil,
                            "metadata whose name is no identifier", "is left out");
        }
    }

    void references(Variant& value) const {
        ValueWalk walk(value);
        while (Variant* at = walk.next()) {
            if (Object* object = at->get_if<Object>())
                reference(*object);
            Dictionary* pairs = at->get_if<Dictionary>();
            if (!pairs || std::none_of(pairs->begin(), pairs->end(),
                                       [](const auto& pair) { return pair.key.is(Type::object); }))
                continue;
            Dictionary made(pairs->key_type(), pairs->value_type());
            for (Dictionary::Pair& pair : *pairs) {
                Variant key = pair.key;
                if (Object* named = key.get_if<Object>())
                    reference(*named);
                made.append(std::move(key), std::move(pair.value));
            }
            *pairs = std::move(made);
        }
    }
    void reference(Object& object) const {
        const auto part = referenced_part(object);
        if (!part)
            return;
        Variant& id = *object.find("id");
        const NewIds& ids = *part == ResourcePart::sub ? sub_ids_ : ext_ids_;
        if (const auto at = ids.find(reference_id(id)); at != ids.end())
            id = at->second;
    }

    const bool modern_;
    const inspect::Renames& renames_;
    const ConversionNotes& notes_;
    NewIds ext_ids_, sub_ids_;
};

}  // namespace

NewIds convert_parts(Dictionary& document, TextFamily from, TextFamily to,
                     const inspect::Renames& renames, const ConversionNotes& notes) {
    if (const Variant* main = document.find("resource"))
        set_type(*document.find("header")->get_if<Dictionary>(), *main);
    if (is_godot_4(from) == is_godot_4(to))
        return {};
    return PartsConverter(is_godot_4(to), renames, notes).run(document);
}

}  // namespace gdvar::detail
