// Plain JSON: values as other tools know them. The rules are in docs/json.md.
#include <charconv>
#include <deque>
#include <new>
#include <unordered_set>

#include "gdvar/json/json.hpp"
#include "gdvar/wire/path.hpp"
#include "writing.hpp"

namespace gdvar {
namespace {

struct Open {
    enum Kind { array, dictionary, object } kind;
    View::Elements elements;
    View::Elements::iterator element;
    View::Pairs pairs;
    View::Pairs::iterator pair;
    View::Properties properties;
    View::Properties::iterator property;
    std::unordered_set<std::string> names;  ///< member names already given
    std::size_t items = 0;

    explicit Open(Kind kind_) : kind(kind_) {}
    Open(const Open&) = delete;
};

class PlainPrinter {
public:
    PlainPrinter(std::string& out, const View& root, const JsonOptions& options,
                 std::vector<std::string>* losses)
        : out_(out), root_(root), indent_(options.indent), losses_(losses) {}

    void run() {
        print(root_);
        while (!open_.empty()) step(open_.back());
    }

private:
    void step(Open& top) {
        switch (top.kind) {
            case Open::array: {
                if (top.element == top.elements.end()) return close(']');
                const View item = *top.element;
                ++top.element;
                separate(top);
                return print(item);
            }
            case Open::dictionary: {
                if (top.pair == top.pairs.end()) return close('}');
                const View::Pair pair = *top.pair;
                ++top.pair;
                member(top, key_text(pair.key), pair.key);
                return print(pair.value);
            }
            case Open::object: {
                if (top.property == top.properties.end()) return close('}');
                const View::Property property = *top.property;
                ++top.property;
                member(top, std::string(property.name), property.value);
                return print(property.value);
            }
        }
    }

    void new_line() {
        if (indent_ <= 0) return;
        out_ += '\n';
        out_.append(open_.size() * static_cast<std::size_t>(indent_), ' ');
    }
    void separate(Open& top) {
        if (top.items++) out_ += ',';
        new_line();
    }
    void close(char c) {
        const bool items = open_.back().items != 0;
        open_.pop_back();
        if (items) new_line();
        out_ += c;
    }

    /// A member's name; one that was there already gets a number, so that no reader drops it.
    void member(Open& top, std::string name, const View& at) {
        separate(top);
        std::string unique = name;
        for (int n = 2; !top.names.insert(unique).second; ++n)
            unique = name + " (" + std::to_string(n) + ")";
        if (unique != name) lose(at, "a second key \"" + name + "\" is written as \"" + unique + "\"");
        detail::append_json_string(out_, unique);
        out_ += indent_ > 0 ? ": " : ":";
    }

    std::string key_text(const View& key) {
        if (key.is(Type::string)) return std::string(key.text());
        lose(key, "a key of type " + std::string(type_name(key.type())) + " becomes a string");
        switch (key.type()) {
            case Type::string_name: return std::string(key.text());
            case Type::nil: return "null";
            case Type::boolean: return key.boolean() ? "true" : "false";
            case Type::integer: return std::to_string(key.integer());
            case Type::node_path: return detail::path_text(key.node_path());
            default: break;
        }
        std::string out;
        if (key.is(Type::real)) {
            detail::append_json_real(out, key.real());
        } else if (is_math(key.type())) {
            out = type_name(key.type());
            lanes(out, key.math(), "(", ", ", ")");
        } else if (auto typed = to_json(key)) {
            out = *std::move(typed);
        }
        return out;
    }

    static void lanes(std::string& out, const MathView& v, const char* open, const char* between,
                      const char* close) {
        out += open;
        for (std::size_t i = 0; i < v.lanes(); ++i) {
            if (i) out += between;
            if (v.integral())
                out += std::to_string(v.integer(i));
            else
                number(out, v, i);
        }
        out += close;
    }
    static void number(std::string& out, const MathView& v, std::size_t i) {
        const double value = v.real(i);
        if (v.wide || !(value - value == 0)) return finite(out, value);
        char text[32];
        const auto end = std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
        out.append(text, end);
    }
    /// JSON has no infinity and no NaN: both become null.
    static void finite(std::string& out, double value) {
        if (value - value == 0)
            detail::append_json_real(out, value);
        else
            out += "null";
    }

    void lose(const View& at, const std::string& what) {
        if (!losses_) return;
        const std::uint64_t offset = at.offset() - root_.offset();
        losses_->push_back(path_at(root_.raw(), lenient(), offset) + ": " + what);
    }
    DecodeOptions lenient() const {
        DecodeOptions options = root_.options();
        options.strict = false;
        return options;
    }
    void lose_type(const View& v) {
        lose(v, std::string(type_name(v.type())) + " has no form of its own in JSON");
    }

    void print(const View& v) {
        switch (v.type()) {
            case Type::nil: out_ += "null"; return;
            case Type::boolean: out_ += v.boolean() ? "true" : "false"; return;
            case Type::integer: return integer(v);
            case Type::real:
                if (v.real() - v.real() != 0) lose(v, "an infinity or NaN becomes null");
                return finite(out_, v.real());
            case Type::string: return detail::append_json_string(out_, v.text());
            case Type::array:
                if (v.element_type().typed()) lose(v, "the element type is dropped");
                return elements(v);
            case Type::dictionary:
                if (v.key_type().typed() || v.value_type().typed())
                    lose(v, "the key and value types are dropped");
                return pairs(v);
            default: break;
        }
        lose_type(v);
        special(v);
    }

    void special(const View& v) {
        switch (v.type()) {
            case Type::string_name: return detail::append_json_string(out_, v.text());
            case Type::node_path:
                return detail::append_json_string(out_, detail::path_text(v.node_path()));
            case Type::rid: out_ += std::to_string(v.rid()); return;
            case Type::object: return object(v);
            case Type::signal:
                out_ += "{\"signal\":";
                detail::append_json_string(out_, v.signal_name());
                out_ += ",\"object_id\":" + std::to_string(v.signal_object()) + "}";
                return;
            case Type::packed_typed_array: return elements(v);
            case Type::packed_string_array: return strings(v);
            case Type::callable:
            case Type::image:
            case Type::input_event: out_ += "null"; return;
            default: break;
        }
        if (is_packed(v.type())) return packed(v.packed());
        lanes(out_, v.math(), "[", ",", "]");
    }

    void integer(const View& v) {
        constexpr std::int64_t exact = std::int64_t{1} << 53;
        if (v.integer() > exact || v.integer() < -exact)
            lose(v, "an int beyond 2^53 is rounded by many readers of JSON");
        out_ += std::to_string(v.integer());
    }

    void object(const View& v) {
        if (v.object_kind() == ObjectKind::null) {
            out_ += "null";
            return;
        }
        if (v.object_kind() == ObjectKind::id) {
            out_ += "{\"object_id\":" + std::to_string(v.object_id()) + "}";
            return;
        }
        out_ += '{';
        Open& open = open_.emplace_back(Open::object);
        open.properties = v.properties();
        open.property = open.properties.begin();
        member(open, "@class", v);
        detail::append_json_string(out_, v.class_name());
    }
    void elements(const View& v) {
        out_ += '[';
        Open& open = open_.emplace_back(Open::array);
        open.elements = v.elements();
        open.element = open.elements.begin();
    }
    void pairs(const View& v) {
        out_ += '{';
        Open& open = open_.emplace_back(Open::dictionary);
        open.pairs = v.pairs();
        open.pair = open.pairs.begin();
    }
    void strings(const View& v) {
        out_ += '[';
        bool first = true;
        for (const auto all = v.strings(); std::string_view text : all) {
            if (!std::exchange(first, false)) out_ += ',';
            detail::append_json_string(out_, text);
        }
        out_ += ']';
    }
    void packed(const PackedView& v) {
        out_ += '[';
        for (std::size_t i = 0; i < v.count * v.lanes(); ++i) {
            if (i) out_ += ',';
            switch (v.lane()) {
                case Lane::u8: out_ += std::to_string(static_cast<int>(v.data[i])); break;
                case Lane::i32: out_ += std::to_string(v.lane_at<std::int32_t>(i)); break;
                case Lane::i64: out_ += std::to_string(v.lane_at<std::int64_t>(i)); break;
                case Lane::f32: {
                    const float value = v.lane_at<float>(i);
                    char text[32];
                    if (value - value == 0)
                        out_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
                    else
                        out_ += "null";
                    break;
                }
                default: finite(out_, v.lane_at<double>(i)); break;
            }
        }
        out_ += ']';
    }

    std::string& out_;
    View root_;
    int indent_;
    std::vector<std::string>* losses_;
    std::deque<Open> open_;
};

}  // namespace

std::expected<std::string, Error> to_plain_json(const View& view, const JsonOptions& options,
                                                std::vector<std::string>* losses) try {
    if (!view) return std::unexpected(view.error());
    std::string out;
    PlainPrinter(out, view, options, losses).run();
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

}  // namespace gdvar
