// The recordings of ConfigFiles and text resources (tests/data/texts), and our values in the form
// of the engines' own view of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gdvar/file/sections.hpp"
#include "gdvar/value/codec.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

/// A line of a recording.
struct RecordedText {
    enum Kind : std::uint8_t { config, resource, scene } kind;
    std::string text;
    bool saved;  ///< by the engine itself
    bool loaded;
    Json view;  ///< what the engine read
};

inline std::vector<RecordedText> texts_of(const Recording& recording) {
    std::vector<RecordedText> out;
    for (const Json& json :
         lines_with(data_dir() / "texts" / (std::string(recording.engine) + ".ndjson"), "k")) {
        RecordedText line{RecordedText::config, {}, json.value("s", false), true, json["v"]};
        if (json["k"] != "config")
            line.kind = json["k"] == "scene" ? RecordedText::scene : RecordedText::resource;
        if (json.contains("t")) {
            line.text = json["t"];
        } else {
            const auto bytes = unhex(json["h"]);
            line.text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
        line.loaded = json.contains("e") ? json["e"] == 0 : !line.view.is_null();
        out.push_back(std::move(line));
    }
    return out;
}

/// Makes our values of a document into what the recorders wrote: of equal keys the last, and
/// Dictionaries in place of Objects.
class EngineView {
public:
    /// `document`: its `ext` has the paths. Null for a ConfigFile.
    EngineView(const Recording& recording, const Variant* document)
        : recording_(recording), document_(document) {}

    Variant plain(const Variant& value) const {
        if (const Object* object = value.get_if<Object>())
            return of_object(*object);
        if (const Array* array = value.get_if<Array>()) {
            Array out;
            if (array->element_type().type != Type::object)
                out.set_element_type(array->element_type());
            for (const Variant& item : *array)
                out.push_back(plain(item));
            return out;
        }
        if (const Dictionary* pairs = value.get_if<Dictionary>()) {
            Dictionary out;
            if (pairs->key_type().type != Type::object && pairs->value_type().type != Type::object)
                out.set_types(pairs->key_type(), pairs->value_type());
            for (const Dictionary::Pair& pair : *pairs)
                out.set(plain(pair.key), plain(pair.value));
            return out;
        }
        return value;
    }
    /// Whether our value is the engine's, which is a packet in hex.
    bool same(const Variant& ours, const Json& theirs) const {
        const auto bytes = encode(plain(ours), {.dialect = recording_.dialect});
        if (!bytes)
            return false;
        const auto read = decode(as_bytes(*bytes), {.dialect = recording_.dialect});
        const auto recorded = decode(unhex(theirs), {.dialect = recording_.dialect});
        // A class may give the pairs of a Dictionary in another order.
        return read && recorded && (identical(*read, *recorded) || *read == *recorded);
    }

private:
    Variant of_object(const Object& object) const {
        const Variant* id = object.find("id");
        if (object.class_name() == "SubResource")
            return Dictionary{{"#sub", text(*id)}};
        if (object.class_name() == "Resource") {
            const Variant* path = object.find("path");
            return Dictionary{{"#ext", path ? *path : Variant("")}};
        }
        if (object.class_name() != "ExtResource")
            return Dictionary{{"#object", object.class_name()}};
        for (const Dictionary::Pair& pair : *(*document_)["ext"]->get_if<Dictionary>())
            if (text(pair.key) == text(*id))
                return Dictionary{{"#ext", *pair.value.get_if<Dictionary>()->find("path")}};
        return Dictionary{{"#ext", "?"}};
    }
    static std::string text(const Variant& id) {
        return id.is(Type::integer) ? std::to_string(id.integer()) : std::string(id.text());
    }

    const Recording& recording_;
    const Variant* document_;
};

}  // namespace gdvar::test
