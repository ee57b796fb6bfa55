// Printing of plain JSON, for other tools. The rules are in docs/json.md.
#include <cmath>
#include <new>

#include "base/exceptions.hpp"
#include "base/number.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/value/walk.hpp"
#include "gdvar/wire/path.hpp"
#include "names.hpp"
#include "value/kept_stack.hpp"
#include "value/piece_output.hpp"
#include "value/variant_view.hpp"
#include "wire/refuse.hpp"
#include "writing.hpp"

namespace gdvar {
namespace {

std::expected<std::string, Error> typed_json(const View& key) {
    return to_json(key);
}
std::expected<std::string, Error> typed_json(const detail::Held& key) {
    return to_json(key.variant());
}
void give_key(const View& key, detail::KeyStep&& to) {
    (void)key.drive(to);
}
void give_key(const detail::Held& key, detail::KeyStep&& to) {
    (void)drive(key.variant(), to);
}

/// `Value`: View or Held.
template <class Value>
class PlainPrinter {
public:
    PlainPrinter(detail::PieceOutput& pieces, const JsonOptions& options, Losses* losses)
        : pieces_(pieces), out_(pieces.text()), indent_(options.indent), losses_(losses) {}

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
        typename Value::Pairs pairs;
        typename Value::Pairs::iterator pair;
        typename Value::Properties properties;
        typename Value::Properties::iterator property;
        detail::MemberNames names;
        std::size_t items = 0;
        bool at_key = false;
        Value key;              ///< of the current pair
        std::string_view name;  ///< of the current property
    };
    Entry& enter(typename Entry::Kind kind) {
        Entry& entry = stack_.push();
        entry.kind = kind;
        entry.items = 0;
        return entry;
    }

    void step(Entry& top) {
        switch (top.kind) {
            case Entry::array: {
                if (top.element == top.elements.end())
                    return close(']');
                const Value item = *top.element;
                ++top.element;
                separate(top);
                return print(item);
            }
            case Entry::dictionary: {
                if (top.pair == top.pairs.end())
                    return close('}');
                const typename Value::Pair pair = *top.pair;
                ++top.pair;
                separate(top);
                top.key = pair.key;
                top.at_key = true;
                if (pair.key.is(Type::string))
                    member(top, pair.key.text());
                else
                    member(top, key_text(pair.key));
                top.at_key = false;
                return print(pair.value);
            }
            case Entry::object: {
                if (top.property == top.properties.end())
                    return close('}');
                const typename Value::Property property = *top.property;
                ++top.property;
                separate(top);
                top.name = property.name;
                member(top, property.name);
                return print(property.value);
            }
        }
    }

    void new_line() { detail::append_line(out_, stack_.size(), indent_); }
    void separate(Entry& top) {
        if (top.items++)
            out_ += ',';
        new_line();
    }
    void close(char c) {
        const bool items = stack_.back().items != 0;
        stack_.pop_back();
        if (items)
            new_line();
        out_ += c;
    }

    /// A member's name. A repeated name gets a number, so that no reader drops the member.
    void member(Entry& top, std::string_view name) {
        std::string made;
        const std::string_view unique = top.names.unique(name, made);
        if (!made.empty())
            lose("a name that is there already gets a number");
        quoted(unique);
        out_ += indent_ > 0 ? ": " : ":";
    }
    void quoted(std::string_view text) { detail::append_json_quoted(pieces_, "\"", text); }

    std::string key_text(const Value& key) {
        if (losses_)
            lose("a key of type " + std::string(type_name(key.type())) + " becomes a string");
        switch (key.type()) {
            case Type::string_name:
                return std::string(key.text());
            case Type::nil:
                return "null";
            case Type::boolean:
                return key.boolean() ? "true" : "false";
            case Type::integer:
                return std::to_string(key.integer());
            case Type::node_path:
                return to_string(key.node_path());
            default:
                break;
        }
        detail::TextBuffer out;
        if (key.is(Type::real)) {
            detail::append_json_real(out, key.real());
        } else if (is_math(key.type())) {
            out += type_name(key.type());
            components(out, key.math(), "(", ", ", ")");
        } else if (auto typed = typed_json(key)) {
            return *std::move(typed);
        }
        return out.take();
    }

    static void components(detail::TextBuffer& out, const MathView& v, const char* open,
                           const char* between, const char* close) {
        out += open;
        for (std::size_t i = 0; i < v.components(); ++i) {
            if (i)
                out += between;
            if (v.integral())
                out.number(v.integer(i));
            else
                number(out, v, i);
        }
        out += close;
    }
    static void number(detail::TextBuffer& out, const MathView& v, std::size_t i) {
        const double value = v.real(i);
        if (v.wide || !(value - value == 0))
            return finite(out, value);
        detail::append_finite(out, static_cast<float>(value), detail::WholeMark::no);
    }
    /// JSON has no infinity and no NaN: both become null.
    static void finite(detail::TextBuffer& out, double value) {
        if (value - value == 0)
            detail::append_json_real(out, value);
        else
            out += "null";
    }

    void lose(std::string_view what) {
        if (losses_)
            losses_->add(what, [this] { return path(); });
    }
    void lose_type(const Value& v) {
        if (losses_)
            lose(std::string(type_name(v.type())) + " has no form of its own in JSON");
    }

    std::string path() const {
        constexpr std::size_t most = Losses::most_path;
        std::string out = "$";
        for (std::size_t i = 0; i < stack_.size(); ++i) {
            const Entry& entry = stack_[i];
            if (entry.items == 0 || out.size() > most)
                break;
            detail::append_step(out, step_of(entry));
        }
        if (out.size() <= most)
            return out;
        out.resize(utf8::cut(out, most - 3));
        return out + "...";
    }
    static detail::PathStep step_of(const Entry& entry) {
        using Step = detail::PathStep;
        const auto some = [](std::string_view name) { return name.substr(0, Losses::most_path); };
        Step step;
        step.index = static_cast<std::uint32_t>(entry.items - 1);
        if (entry.kind == Entry::array)
            return step;
        if (entry.kind == Entry::object) {
            step.kind = Step::property;
            step.form = Step::text;
            step.name = some(entry.name);
            return step;
        }
        step.kind = entry.at_key ? Step::key : Step::value;
        give_key(entry.key, detail::KeyStep(step));
        step.name = some(step.name);
        return step;
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
                return integer(v);
            case Type::real:
                if (v.real() - v.real() != 0)
                    lose("an infinity or NaN becomes null");
                return finite(out_, v.real());
            case Type::string:
                return quoted(v.text());
            case Type::array:
                if (v.element_type().typed())
                    lose("the element type is dropped");
                return elements(v);
            case Type::dictionary:
                if (v.key_type().typed() || v.value_type().typed())
                    lose("the key and value types are dropped");
                return pairs(v);
            default:
                break;
        }
        lose_type(v);
        special(v);
    }

    void special(const Value& v) {
        switch (v.type()) {
            case Type::string_name:
                return quoted(v.text());
            case Type::node_path:
                return quoted(to_string(v.node_path()));
            case Type::rid:
                out_.number(v.rid());
                return;
            case Type::object:
                return object(v);
            case Type::signal:
                out_ += "{\"signal\":";
                quoted(v.signal_name());
                out_ += ",\"object_id\":" + detail::object_id_text(v.signal_object()) + "}";
                return;
            case Type::packed_typed_array:
                return elements(v);
            case Type::packed_string_array:
                return strings(v);
            case Type::callable:
            case Type::image:
            case Type::input_event:
                out_ += "null";
                return;
            default:
                break;
        }
        if (is_packed(v.type()))
            return packed(v.packed());
        components(out_, v.math(), "[", ",", "]");
    }

    void integer(const Value& v) {
        constexpr std::int64_t exact = std::int64_t{1} << 53;
        if (v.integer() > exact || v.integer() < -exact)
            lose("an int beyond 2^53 is rounded by many readers of JSON");
        out_.number(v.integer());
    }

    void object(const Value& v) {
        if (v.object_kind() == ObjectKind::null) {
            out_ += "null";
            return;
        }
        if (v.object_kind() == ObjectKind::id) {
            out_ += "{\"object_id\":" + detail::object_id_text(v.object_id()) + "}";
            return;
        }
        out_ += '{';
        Entry& entry = enter(Entry::object);
        entry.properties = v.properties();
        entry.property = entry.properties.begin();
        entry.names.expect_any();
        separate(entry);
        member(entry, "@class");
        quoted(v.class_name());
    }
    void elements(const Value& v) {
        out_ += '[';
        Entry& entry = enter(Entry::array);
        entry.elements = v.elements();
        entry.element = entry.elements.begin();
    }
    void pairs(const Value& v) {
        out_ += '{';
        Entry& entry = enter(Entry::dictionary);
        entry.pairs = v.pairs();
        entry.pair = entry.pairs.begin();
        names_.clear();
        for (const auto& pair : entry.pairs) {
            if (!pair.key.is(Type::string))
                return entry.names.expect_any();
            names_.push_back(pair.key.text());
        }
        entry.names.expect(names_);
    }
    void strings(const Value& v) {
        out_ += '[';
        bool first = true;
        for (const auto all = v.strings(); const std::string_view text : all) {
            pieces_.check();
            if (!std::exchange(first, false))
                out_ += ',';
            quoted(text);
        }
        out_ += ']';
    }
    void packed(const PackedView& v) {
        out_ += '[';
        for (std::size_t i = 0; i < v.count * v.components(); ++i) {
            pieces_.check();
            if (i)
                out_ += ',';
            v.use_component(i, [&]<class T>(T value) {
                if constexpr (std::integral<T>)
                    out_.number(value);
                else if constexpr (std::same_as<T, double>)
                    finite(out_, value);
                else if (std::isfinite(value))
                    detail::append_finite(out_, value, detail::WholeMark::no);
                else
                    out_ += "null";
            });
        }
        out_ += ']';
    }

    detail::PieceOutput& pieces_;
    detail::TextBuffer& out_;
    int indent_;
    Losses* losses_;
    std::vector<std::string_view> names_;  ///< of the last Dictionary
    detail::KeptStack<Entry> stack_;
};

}  // namespace

std::expected<std::string, Error> to_plain_json(const View& view, const JsonOptions& options,
                                                Losses* losses) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(view.raw().size());
    PlainPrinter<View>(out, options, losses).run(view);
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<std::string, Error> to_plain_json(const Variant& value, const JsonOptions& options,
                                                Losses* losses) GDVAR_TRY {
    detail::PieceOutput out(nullptr);
    PlainPrinter<detail::Held>(out, options, losses).run(detail::Held(value));
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<void, Error> print_plain_json(const View& view, const JsonOptions& options,
                                            const TextPieces& to, Losses* losses) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(&to);
    PlainPrinter<View>(out, options, losses).run(view);
    out.flush();
    return {};
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
