// Values that texts of each kind can hold, and texts of them in layouts that nobody uses.
#pragma once

#include <cmath>
#include <ostream>

#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"
#include "support/generate.hpp"
#include "support/rewriting.hpp"

namespace gdvar::test {

inline const inspect::PlainJson plain_json;
inline const inspect::GodotText text_4({.resources = true});
inline const inspect::GodotText text_36({.family = TextFamily::godot_3_6, .resources = true});
inline const inspect::GodotText text_32({.family = TextFamily::godot_3_2, .resources = true});
inline const inspect::GodotText text_pandemonium({.family = TextFamily::pandemonium});

struct Named {
    const char* name;
    Kind kind;
    TextFamily family = TextFamily::godot_4;
    friend void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
};
inline const Named kinds[] = {
    {"JSON", {&plain_json, &dialects::godot_4_4, std::nullopt}},
    {"Godot 4", {&text_4, &dialects::godot_4_4, ParseOptions{.resources = true}}},
    {"Godot 3.6",
     {&text_36, &dialects::godot_3_1,
      ParseOptions{.family = TextFamily::godot_3_6, .resources = true}},
     TextFamily::godot_3_6},
    {"Godot 3.2",
     {&text_32, &dialects::godot_3_1,
      ParseOptions{.family = TextFamily::godot_3_2, .resources = true}},
     TextFamily::godot_3_2},
    {"Pandemonium",
     {&text_pandemonium, &dialects::pandemonium_5, ParseOptions{.family = TextFamily::pandemonium}},
     TextFamily::pandemonium},
};

/// A value that texts of the kind can hold; sometimes a container with types of elements.
class Maker {
public:
    /// `objects`: Objects in full, too.
    Maker(Random& random, const Named& named, bool objects = true)
        : random_(random), named_(named), objects_(objects) {}

    Variant operator()(int depth = 2) {
        const std::uint64_t pick = depth > 0 ? below(random_, 8) : 7;
        if (pick < 2) {
            Array out;
            const bool typed =
                named_.kind.text && named_.family == TextFamily::godot_4 && below(random_, 4) == 0;
            if (typed)
                out.set_element_type(ContainerType::of(Type::integer));
            for (std::uint64_t n = below(random_, 5); n; --n)
                out.push_back(typed ? Variant(static_cast<std::int64_t>(below(random_, 9)))
                                    : (*this)(depth - 1));
            return out;
        }
        if (pick < 5) {
            Dictionary out;
            for (std::uint64_t n = below(random_, 5); n; --n)
                out.append(key(), (*this)(depth - 1));
            return out;
        }
        if (pick == 5 && named_.kind.text && objects_) {
            Object out("Node");
            for (std::uint64_t n = below(random_, 4); n; --n)
                out.append(any_text(random_), (*this)(depth - 1));
            return out;
        }
        return leaf();
    }

private:
    Variant key() {
        if (!named_.kind.text || below(random_, 3))
            return "k" + std::to_string(below(random_, 8));
        return leaf();
    }
    Variant leaf() {
        for (;;) {
            Variant made = below(random_, 2) ? Variant(static_cast<std::int64_t>(below(random_, 9)))
                                             : any_leaf(random_);
            if (!named_.kind.text) {
                const bool fits = made.is(Type::string) || made.is(Type::boolean) ||
                                  made.is(Type::nil) || made.is(Type::integer) ||
                                  (made.is(Type::real) && std::isfinite(made.real()));
                if (fits)
                    return made;
                continue;
            }
            const auto read =
                named_.kind.read(*to_file_text(made, {.family = named_.family}) + " ");
            if (read && identical(*read, made) && Packed(made, *named_.kind.dialect))
                return made;
        }
    }

    Random& random_;
    const Named& named_;
    bool objects_;
};

/// Prints values as nobody does: with any white space, comments, odd numbers, commas at ends.
class Messy {
public:
    Messy(Random& random, const Named& named) : random_(random), named_(named) {}
    std::string out;
    int comments = 0;

    void print(const Variant& value) {
        if (const auto* array = value.get_if<Array>())
            return items(*array);
        if (const auto* pairs = value.get_if<Dictionary>())
            return items(*pairs);
        if (const auto* object = value.get_if<Object>(); object && named_.kind.text)
            return items(*object);
        leaf(value);
    }
    void gap() {
        const char* spaces[] = {"", "", " ", " ", "\t", "\n", "\r\n  ", "  \n\n "};
        if (named_.kind.text && below(random_, 6) == 0)
            out += spaces[below(random_, 8)] + ("; c" + std::to_string(comments++) + ".") +
                   (below(random_, 4) ? "\n" : "\r\n");
        out += spaces[below(random_, 8)];
    }

private:
    void items(const Array& array) {
        const bool typed = array.element_type().typed();
        out += typed ? "Array[int]( [" : "[";
        bool first = true;
        for (const Variant& item : array) {
            comma(first);
            print(item);
        }
        end(first);
        out += typed ? "])" : "]";
    }
    void items(const Dictionary& pairs) {
        out += "{";
        bool first = true;
        for (const auto& pair : pairs) {
            comma(first);
            leaf(pair.key);
            colon();
            print(pair.value);
        }
        end(first);
        out += "}";
    }
    void items(const Object& object) {
        const std::string text = *to_file_text(Variant(Object(object.class_name())));
        out += text.substr(0, text.find(',') + 1);
        bool first = true;
        for (const auto& property : object) {
            comma(first);
            leaf(Variant(property.name));
            colon();
            print(property.value);
        }
        end(first);
        out += ")";
    }
    void comma(bool& first) {
        if (!std::exchange(first, false)) {
            gap();
            out += ",";
        }
        gap();
    }
    void colon() {
        gap();
        out += ":";
        gap();
    }
    void end(bool first) {
        gap();
        if (!first && named_.kind.text && below(random_, 4) == 0) {
            out += ",";
            gap();
        }
    }
    void leaf(const Variant& value) {
        if (named_.kind.text) {
            std::string text = *to_file_text(value, {.family = named_.family});
            if (value.is(Type::object))
                text.erase(text.find_last_not_of('\n') + 1);
            out += text;
        } else {
            out += *to_plain_json(value);
        }
        if (value.is(Type::real) && out.back() == '0' && below(random_, 2))
            out += "00";
        if (named_.kind.text && value.is(Type::integer) && value.integer() >= 0 &&
            below(random_, 4) == 0)
            out.insert(out.size() - std::to_string(value.integer()).size(), "00");
    }

    Random& random_;
    const Named& named_;
};

}  // namespace gdvar::test
