#include "file/sections/section_names.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <utility>

#include "file/sections/resource.hpp"
#include "file/sections/section_syntax.hpp"
#include "file/sections/value_walk.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "text/godot_2.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {
namespace {

constexpr std::string_view meta = "__meta__", meta_prefix = "metadata/";

/// Attributes with a meaning that Godot 3 does not know.
constexpr std::string_view new_attributes[] = {"node_paths", "unbinds"};

/// Metadata as Godot 4 has it.
Properties spread(Properties from, std::vector<std::string>& lost) {
    Properties out;
    for (auto& [name, value] : from) {
        Dictionary* pairs = name == meta ? value.get_if<Dictionary>() : nullptr;
        if (!pairs) {
            out.emplace_back(name, std::move(value));
            continue;
        }
        for (Dictionary::Pair& pair : *pairs) {
            const bool named = pair.key.is(Type::string) && is_identifier(pair.key.text());
            if (named)
                out.emplace_back(std::string(meta_prefix) + std::string(pair.key.text()),
                                 std::move(pair.value));
            else
                lost.push_back(step(pair.key));
        }
    }
    return out;
}

/// Metadata as Godot 3 has it, where the first of it stood.
Properties gathered(Properties from) {
    Properties out;
    Dictionary pairs;
    std::size_t place = SIZE_MAX;
    for (auto& [name, value] : from) {
        if (!name.starts_with(meta_prefix)) {
            out.emplace_back(name, std::move(value));
            continue;
        }
        if (place == SIZE_MAX) {
            place = out.size();
            out.emplace_back(meta, Variant());
        }
        pairs.append(std::string_view(name).substr(meta_prefix.size()), std::move(value));
    }
    if (place != SIZE_MAX)
        out[place].second = std::move(pairs);
    return out;
}

}  // namespace

void ConversionNotes::lose(const std::string& path, Type type, std::string what,
                           std::string becomes) const {
    if (report)
        report->losses.add(what + "; it " + becomes,
                           [&] { return inspect::shortened_path(path, Losses::most_path); });
    else
        losses.push_back({inspect::shortened_path(path, inspect::Loss::most_path), type,
                          std::move(what), std::move(becomes)});
}

void ConversionNotes::rename(const std::string& path, std::string_view from,
                             std::string_view to) const {
    inspect::Rename made{inspect::shortened_path(path, inspect::Loss::most_path), std::string(from),
                         std::string(to)};
    if (!report)
        renames.push_back(std::move(made));
    else if (report->renamed)
        report->renamed(made);
}

void lose_rids(Variant& value, const ConversionNotes& notes) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        if (!at->is(Type::rid))
            continue;
        notes.lose(walk.path(), Type::rid, "RID, which has no text in Godot 3", "becomes null");
        *at = Variant();
    }
}

void lose_events(Variant& value, const ConversionNotes& notes) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        std::string text;
        if (!at->is(Type::object) || !append_event(text, Held(*at)))
            continue;
        notes.lose(walk.path(), Type::object, text + ", which only Godot 2 reads", "becomes null");
        *at = Variant();
    }
}

void lose_references(Variant& value, const ConversionNotes& notes, bool to_null) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        const Object* object = at->get_if<Object>();
        const std::string_view what = object ? object->class_name() : std::string_view();
        const Variant* id = what == "Resource"                               ? object->find("path")
                            : what == "ExtResource" || what == "SubResource" ? object->find("id")
                                                                             : nullptr;
        if (!id)
            continue;
        const bool number = id->is(Type::integer);
        notes.lose(walk.path(), Type::object,
                   std::string(what) + (number ? " by number, which no ConfigFile can load"
                                               : ", which is the resource at that path"),
                   to_null  ? "becomes null"
                   : number ? "ends the reading: engines refuse the file from there on"
                            : "needs the resource there: else engines refuse the file from there "
                              "on");
        if (to_null)
            *at = Variant();
    }
}

/// Texts of numbers for Godot 4. For Godot 3 numbers: the ones that texts are, else free ones.
ResourceNames::Ids ResourceNames::new_ids(const Dictionary& tags) const {
    Ids out;
    std::set<std::int64_t> taken;
    std::vector<std::string> left;
    for (const Dictionary::Pair& tag : tags) {
        const std::string id = reference_id(tag.key);
        std::int64_t number = 0;
        const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
        const bool is_number = read.ptr == id.data() + id.size() && read.ec == std::errc() &&
                               number > 0 && number < INT32_MAX && id == std::to_string(number);
        if (modern_)
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

Variant ResourceNames::sub_id(const Variant& id) const {
    const auto at = sub_ids_.find(reference_id(id));
    return other_ && at != sub_ids_.end() ? at->second : id;
}

void ResourceNames::convert(Dictionary& document) {
    header(document);
    if (!other_)
        return;
    Dictionary& ext = *document.find("ext")->get_if<Dictionary>();
    Dictionary& sub = *document.find("sub")->get_if<Dictionary>();
    ext_ids_ = new_ids(ext);
    sub_ids_ = new_ids(sub);
    external(ext);
    for (Dictionary::Pair& pair : sub)
        metadata("$.sub" + step(pair.key), pair.value);
    if (Variant* main = document.find("resource"))
        metadata("$.resource", *main);
    if (Variant* nodes = document.find("node"))
        for (Dictionary::Pair& pair : *nodes->get_if<Dictionary>())
            node("$.node" + step(pair.key), *pair.value.get_if<Dictionary>());
    if (Variant* connections = document.find("connection")) {
        std::size_t i = 0;
        for (const Variant& connection : *connections->get_if<Array>())
            lose_attributes("$.connection[" + std::to_string(i++) + "]",
                            *connection.get_if<Dictionary>());
    }
    for (Dictionary::Pair& part : document)
        references(part.value);
}

void ResourceNames::header(Dictionary& document) {
    Dictionary& attributes = *document.find("header")->get_if<Dictionary>();
    Variant* format = attributes.find("format");
    if (other_ && format && format->is(Type::integer)) {
        if (modern_ && format->integer() < 3)
            *format = 3;
        else if (!modern_ && format->integer() > 2)
            *format = 2;
    }
    const Variant* main = document.find("resource");
    const Object* object = main ? main->get_if<Object>() : nullptr;
    Variant* type = attributes.find("type");
    if (object && type && type->text() != object->class_name())
        *type = object->class_name();
}

void ResourceNames::external(Dictionary& tags) {
    const auto direction =
        modern_ ? inspect::Renames::Direction::to_new : inspect::Renames::Direction::to_old;
    for (Dictionary::Pair& tag : tags) {
        Dictionary& attributes = *tag.value.get_if<Dictionary>();
        *attributes.find("id") = ext_ids_.find(reference_id(tag.key))->second;
        Variant& type = *attributes.find("type");
        const std::string old(type.text());
        const inspect::Renames::Name made = renames_.class_name(old, direction);
        if (made.name == old)
            continue;
        const std::string path = "$.ext" + step(tag.key) + ".type";
        if (made.candidates.size() > 1)
            notes_.lose(path, Type::string, old + " has several names in Godot 3",
                        "becomes " + std::string(made.name));
        else
            notes_.rename(path, old, made.name);
        type = made.name;
    }
}

void ResourceNames::node(const std::string& path, Dictionary& attributes) {
    Variant& properties = *attributes.find("properties");
    Variant* type = attributes.find("type");
    if (const Object* object = properties.get_if<Object>();
        object && type && type->text() != object->class_name())
        *type = object->class_name();
    metadata(path + ".properties", properties);
    lose_attributes(path, attributes);
}

void ResourceNames::lose_attributes(const std::string& path, const Dictionary& attributes) {
    for (const std::string_view name : new_attributes)
        if (const Variant* value = modern_ ? nullptr : attributes.find(name))
            notes_.lose(path + inspect::name_step(name), value->type(),
                        "the attribute " + std::string(name) + ", which Godot 3 does not know",
                        "has no effect");
}

void ResourceNames::metadata(const std::string& path, Variant& properties) {
    const auto is_meta = [&](std::string_view name) {
        return modern_ ? name == meta : name.starts_with(meta_prefix);
    };
    bool any = false;
    if (const Object* object = properties.get_if<Object>()) {
        for (const Object::Property& property : *object)
            any = any || is_meta(property.name);
    } else if (const Dictionary* pairs = properties.get_if<Dictionary>()) {
        for (const Dictionary::Pair& pair : *pairs)
            any = any || is_meta(pair.key.text());
    }
    if (!any)
        return;
    std::vector<std::string> lost;
    Properties all = take_properties(properties);
    properties = make_properties(modern_ ? spread(std::move(all), lost) : gathered(std::move(all)),
                                 class_of(properties));
    for (const std::string& name : lost)
        notes_.lose(std::string(path).append(".").append(meta).append(name), Type::nil,
                    "metadata whose name is no identifier", "is left out");
}

void ResourceNames::reference(Object& object) const {
    const auto part = referenced_part(object);
    if (!part)
        return;
    Variant& id = *object.find("id");
    const Ids& ids = *part == ResourcePart::sub ? sub_ids_ : ext_ids_;
    if (const auto at = ids.find(reference_id(id)); at != ids.end())
        id = at->second;
}

/// All references inside of a value.
void ResourceNames::references(Variant& value) const {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        if (Object* object = at->get_if<Object>())
            reference(*object);
        Dictionary* pairs = at->get_if<Dictionary>();
        if (!pairs || std::none_of(pairs->begin(), pairs->end(), [](const Dictionary::Pair& pair) {
                return pair.key.is(Type::object);
            }))
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

}  // namespace gdvar::detail
