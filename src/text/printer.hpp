// The printer of Godot's text: as an engine prints it, or for a file.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.hpp"
#include "base/escape.hpp"
#include "base/node_path.hpp"
#include "base/number.hpp"
#include "escape.hpp"
#include "file_number.hpp"
#include "gdvar/text/number.hpp"
#include "gdvar/text/text.hpp"
#include "godot_2.hpp"
#include "key_order.hpp"
#include "references.hpp"
#include "value/kept_stack.hpp"
#include "value/piece_output.hpp"
#include "write_float.hpp"

namespace gdvar::detail {

struct EngineForm {
    KeyOrder order;

    static constexpr bool file = false;
    static constexpr std::string_view newline = "\n";
    static constexpr bool base64_bytes = false, exact_digits = false;
    static constexpr int indent = 0;
    TextFamily family() const noexcept { return order.family; }
};
/// The form for files (`to_file_text`).
struct FileForm {
    TextFamily engine;
    std::string_view newline;
    bool base64_bytes, exact_digits;
    int indent;
    bool resources;

    static constexpr bool file = true;
    TextFamily family() const noexcept { return engine; }
};

/// `Value`: View or Held.
template <class Value, class Form>
class Printer {
public:
    Printer(PieceOutput& pieces, const Form& form)
        : pieces_(pieces), out_(pieces.text()), form_(form), rules_(text_rules(form.family())) {}

    void run(const Value& root) {
        print(root);
        while (!stack_.empty()) {
            pieces_.check();
            step(stack_.back());
        }
    }

private:
    struct Entry {
        enum Kind { array, dictionary, object } kind = array;
        typename Value::Elements elements;
        typename Value::Elements::iterator element;
        std::size_t pairs = 0;  ///< its first in `pairs_`, which ends with the remaining ones
        std::size_t next = 0;
        bool at_value = false;
        bool lines = false;  ///< each child has a line of its own
        typename Value::Properties properties;
        typename Value::Properties::iterator property;
        std::string_view close;
    };
    Entry& enter(typename Entry::Kind kind) {
        Entry& entry = stack_.push();
        entry.kind = kind;
        entry.next = 0;
        entry.at_value = entry.lines = false;
        return entry;
    }

    /// The text as the engine holds it, with surrogates as it prints them. Valid until the next
    /// call.
    std::string_view seen(std::string_view text) {
        if constexpr (!Form::file) {
            if (!form_.order.held)
                text = seen_text(text);
            if (rules_.surrogates == Surrogates::spaces)
                if (auto joined = utf8::with_joined_halves(text, true))
                    text = joined_ = *std::move(joined);
        }
        return text;
    }
    void line() { out_ += form_.newline; }
    void inner_line() {
        line();
        if (form_.indent > 0)
            out_.append(
                std::min<std::size_t>(stack_.size() * static_cast<std::size_t>(form_.indent), 64),
                ' ');
    }

    void step(Entry& top) {
        switch (top.kind) {
            case Entry::array: {
                if (top.element == top.elements.end())
                    return close(top.close);
                if (top.next++)
                    out_ += top.lines ? "," : ", ";
                if (top.lines)
                    inner_line();
                const Value item = *top.element;
                ++top.element;
                return print(item);
            }
            case Entry::dictionary:
                return step_pair(top);
            case Entry::object: {
                if (top.property == top.properties.end()) {
                    const bool lines = top.lines;
                    close(")");
                    return lines ? void() : line();
                }
                const typename Value::Property property = *top.property;
                ++top.property;
                // In a file the comma follows the class: engines require that.
                out_ += Form::file && !top.next++ ? "" : ",";
                if (top.lines)
                    inner_line();
                out_ += '"';
                if constexpr (Form::file)
                    append_multiline(out_, property.name);
                else
                    out_ += seen(property.name);
                out_ += top.lines ? "\": " : "\":";
                return print_property(seen(property.name), property.value);
            }
        }
    }

    /// Godot 4 loads an object's script, and a script prints as a resource.
    void print_property(std::string_view name, const Value& value) {
        // In a file a reference is an Object.
        const bool script =
            !Form::file && rules_.scripts && name == "script" && value.is(Type::string);
        if (script)
            out_ += "Resource(";
        print(value);
        if (script)
            out_ += ')';
    }

    void step_pair(Entry& top) {
        if (top.at_value) {
            top.at_value = false;
            out_ += ": ";
            const Value value = pairs_[top.pairs + top.next++].value;
            return print(value);
        }
        if (top.pairs + top.next == pairs_.size()) {
            drop_pairs(top.pairs);
            return close(top.close);
        }
        if (top.next) {
            out_ += ',';
            inner_line();
        }
        top.at_value = true;
        const Value key = pairs_[top.pairs + top.next].key;
        print(key);
    }

    void close(std::string_view text) {
        const bool lines = stack_.back().kind == Entry::dictionary || stack_.back().lines;
        stack_.pop_back();
        if (lines)
            inner_line();
        out_ += text;
    }

    void print(const Value& v) {
        switch (v.type()) {
            case Type::nil:
                out_ += "null";
                return;
            case Type::boolean:
                out_ += v.boolean() ? "true" : "false";
                return;
            case Type::integer:
                out_.number(v.integer());
                return;
            case Type::real:
                if (form_.exact_digits && std::isfinite(v.real()))
                    append_finite(out_, v.real(), WholeMark::yes);
                else if constexpr (Form::file)
                    append_file_float(out_.string(), v.real(), rules_.family);
                else
                    real(v.real(), true);
                return;
            case Type::string:
                return multiline(v.text());
            case Type::string_name:
                out_ += rules_.string_name;
                return c_escaped(seen(v.text()));
            case Type::node_path:
                return node_path(v.node_path());
            case Type::rid:
                return rid(v.rid());
            case Type::callable:
                return handle("Callable()");
            case Type::signal:
                return handle("Signal()");
            case Type::object:
                return object(v);
            case Type::dictionary:
                return dictionary(v);
            case Type::array:
            case Type::packed_typed_array:
                return array(v);
            case Type::packed_string_array:
                return strings(v);
            case Type::image:
                if (rules_.names == Names::godot_2)
                    return append_image(out_.string(), v.image());
                return handle(rules_.type_name(v.type()));
            case Type::input_event:
                if (rules_.names == Names::godot_2)
                    return append_input_event(out_.string(), v.input_event());
                return handle(rules_.type_name(v.type()));
            default:
                return is_packed(v.type()) ? packed(v.packed()) : math(v.math());
        }
    }

    void real(double value, bool alone) {
        out_.written(most_of_float,
                     [&](char* to) { return write_float(to, value, rules_, alone); });
    }
    void multiline(std::string_view text) {
        // `seen` changes byte order marks, which begin with EF, and halves, which begin with ED.
        const bool halves = rules_.surrogates == Surrogates::spaces && text.contains('\xED');
        if (!text.starts_with('\xEF') && !halves &&
            append_plain<SpecialBytes<1, '"', '\\'>, false>(out_, "\"", text))
            return;
        text = seen(text);
        out_ += '"';
        pieces_.in_parts(text, [&](std::string_view part) { append_multiline(out_, part); });
        out_ += '"';
    }
    void c_escaped(std::string_view text) {
        out_ += '"';
        pieces_.in_parts(text, [&](std::string_view part) {
            if constexpr (Form::file)
                append_readable(out_, part, rules_);
            else
                append_c_escaped(out_, part, rules_);
        });
        out_ += '"';
    }

    void handle(std::string_view text) {
        if (rules_.named_handles)
            out_ += text;
    }
    void rid(std::uint64_t id) {
        if (!rules_.named_handles)
            return;
        out_ += "RID(";
        if (id)
            out_.number(static_cast<std::int64_t>(id));
        out_ += ')';
    }

    void node_path(const NodePathView& path) {
        const bool modern = rules_.empty_paths;
        // In Godot 3 a path without any names is empty, absolute or not. Godot 4 drops the colon
        // before a single empty subname.
        const bool nothing = path.name_count() == 0 && path.subname_count() == 0;
        const bool one_subname = modern && path.subname_count() == 1;
        std::string text;
        append_node_path(text, path.absolute() && (modern || !nothing), [&](auto&& use) {
            path.each([&](std::string_view name, bool subname) {
                name = seen(name);
                if (!subname || !one_subname || !name.empty())
                    use(name, subname);
            });
        });
        out_ += "NodePath(";
        c_escaped(text);
        out_ += ')';
    }

    void math(const MathView& value) {
        // Pandemonium's writer omits the spaces here.
        const bool tight = value.type == Type::projection;
        out_ += rules_.type_name(value.type);
        out_ += tight ? "(" : rules_.open;
        for (std::size_t i = 0; i < value.components(); ++i) {
            if (i)
                out_ += ", ";
            if (value.integral())
                out_.number(value.integer(i));
            else
                component(value.real(i), value.wide);
        }
        out_ += tight ? ")" : rules_.close;
    }

    void packed(const PackedView& value) {
        out_ += rules_.type_name(value.type);
        out_ += rules_.open;
        const bool base64 = rules_.prints_base64 || form_.base64_bytes;
        if (base64 && value.component() == ComponentType::u8) {
            if (value.count) {
                out_ += '"';
                ByteView left = value.bytes();
                constexpr std::size_t part = 3 * 4096;  // a multiple of 3: no padding inside
                for (; left.size() > part; left = left.subspan(part)) {
                    append_base64(out_.string(), left.first(part));
                    pieces_.check();
                }
                append_base64(out_.string(), left);
                out_ += '"';
            }
        } else {
            const std::size_t components = value.count * value.components();
            for (std::size_t i = 0; i < components; ++i) {
                pieces_.check();
                if (i)
                    out_ += ", ";
                component(value, i);
            }
        }
        out_ += rules_.close;
    }
    void component(const PackedView& value, std::size_t i) {
        value.use_component(i, [&]<class T>(T number) {
            if constexpr (std::integral<T>)
                out_.number(number);
            else
                component(static_cast<double>(number), sizeof number == 8);
        });
    }
    void component(double value, [[maybe_unused]] bool wide) {
        if (form_.exact_digits && std::isfinite(value))
            wide ? append_finite(out_, value, WholeMark::no)
                 : append_finite(out_, static_cast<float>(value), WholeMark::no);
        else if constexpr (Form::file)
            append_file_component(out_.string(), value, wide, rules_.family);
        else
            real(value, false);
    }

    void strings(const Value& v) {
        out_ += rules_.type_name(v.type());
        out_ += rules_.open;
        bool first = true;
        for (const auto all = v.strings(); const std::string_view text : all) {
            if (!std::exchange(first, false))
                out_ += ", ";
            pieces_.check();
            c_escaped(seen(text));
        }
        out_ += rules_.close;
    }

    std::string type_text(const ContainerType& type) {
        switch (type.kind) {
            case ContainerKind::untyped:
                return "Variant";
            case ContainerKind::builtin:
                return type.type == Type::nil && rules_.typed == TypedForm::brackets
                           ? "Variant"
                           : std::string(rules_.type_name(type.type));
            case ContainerKind::class_name:
                return std::string(seen(type.name));
            case ContainerKind::script: {
                std::string out = "Resource(\"";
                append_multiline(out, seen(type.name));
                return out + "\")";
            }
        }
        return {};
    }

    bool too_deep() const { return !Form::file && stack_.size() > rules_.max_depth; }

    void array(const Value& v) {
        const ContainerType type = v.element_type();
        std::string_view end = rules_.array_close;
        if (rules_.typed == TypedForm::arguments && type.typed()) {
            out_ += v.is(Type::packed_typed_array) ? "PackedTypedArray( " : "TypedArray( ";
            out_ += type_text(type);
            out_ += " , ";
            end = " )";
        } else {
            if (type.typed() && type.type != Type::nil && rules_.typed == TypedForm::brackets) {
                out_ += "Array[" + type_text(type) + "](";
                end = "])";
            }
            if (too_deep()) {
                out_ += "[]";
                if (end == "])")
                    out_ += ')';
                return;
            }
            out_ += rules_.array_open;
        }
        Entry& entry = enter(Entry::array);
        entry.elements = v.elements();
        entry.element = entry.elements.begin();
        entry.close = end;
        if (form_.indent > 0)
            for (const Value element : entry.elements)
                entry.lines = entry.lines || is_container(element);
    }
    static bool is_container(const Value& v) {
        return v.is(Type::array) || v.is(Type::packed_typed_array) || v.is(Type::dictionary) ||
               (v.is(Type::object) && v.object_kind() == ObjectKind::full);
    }

    void dictionary(const Value& v) {
        const ContainerType key = v.key_type(), value = v.value_type();
        std::string_view end = "}";
        const bool typed = rules_.typed == TypedForm::brackets && (key.typed() || value.typed());
        if (typed) {
            out_ += "Dictionary[" + type_text(key) + ", " + type_text(value) + "](";
            end = "})";
        }
        if (too_deep() || v.size() == 0) {
            empty_dictionary();
            if (typed)
                out_ += ')';
            return;
        }
        out_ += '{';
        Entry& entry = enter(Entry::dictionary);
        inner_line();
        entry.pairs = pairs_.size();
        entry.close = end;
        collect(v);
        if constexpr (!Form::file) {
            if (!sorter_.sort(std::span(pairs_).subspan(entry.pairs), form_.order)) {
                drop_pairs(entry.pairs);
                collect(v);
            }
        }
    }
    void empty_dictionary() {
        out_ += '{';
        if (!too_deep() && form_.indent <= 0)
            for (std::size_t lines = rules_.empty_lines; lines; --lines)
                line();
        out_ += '}';
    }
    void collect(const Value& v) {
        const std::size_t all_pairs = pairs_.size() + v.size();
        if (all_pairs > pairs_.capacity())
            pairs_.reserve(std::max(all_pairs, 2 * pairs_.capacity()));
        for (const auto all = v.pairs(); const auto& pair : all)
            pairs_.push_back(pair);
    }
    void drop_pairs(std::size_t from) {
        pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(from), pairs_.end());
    }

    void object(const Value& v) {
        if (v.object_kind() == ObjectKind::null ||
            (v.object_kind() == ObjectKind::id && v.object_id() == 0)) {
            out_ += "null";
            return;
        }
        const bool full = v.object_kind() == ObjectKind::full;
        if constexpr (Form::file)
            if (form_.resources && full && append_reference(out_.string(), v, rules_))
                return;
        if (full && rules_.names == Names::godot_2 && append_event(out_.string(), v))
            return;
        out_ += "Object(";
        if (v.object_kind() == ObjectKind::id) {
            // The engine's holder of an id.
            out_ += encoded_object_as_id;
            out_ += ",\"object_id\":" + object_id_text(v.object_id());
            out_ += ",\"script\":null)\n";
            return;
        }
        out_ += seen(v.class_name());
        if constexpr (Form::file)
            out_ += ',';
        Entry& entry = enter(Entry::object);
        entry.lines = form_.indent > 0 && v.size() > 0;
        entry.properties = v.properties();
        entry.property = entry.properties.begin();
    }

    PieceOutput& pieces_;
    TextBuffer& out_;
    const Form form_;
    const TextRules& rules_;
    std::string joined_;  ///< result of `seen`
    KeptStack<Entry> stack_;
    std::vector<typename Value::Pair> pairs_;  ///< of all open Dictionaries
    KeySorter<typename Value::Pair> sorter_;
};

template <class Value>
using EnginePrinter = Printer<Value, EngineForm>;
template <class Value>
using FilePrinter = Printer<Value, FileForm>;

}  // namespace gdvar::detail
