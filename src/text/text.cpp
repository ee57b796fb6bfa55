#include "gdvar/text/text.hpp"

#include <deque>
#include <new>
#include <vector>

#include "escape.hpp"
#include "gdvar/text/number.hpp"
#include "gdvar/value/codec.hpp"
#include "key_order.hpp"
#include "native.hpp"

namespace gdvar {
namespace {

/// What differs between the families, besides numbers and the order of keys.
struct Style {
    std::string_view open, close;              ///< of a constructor's arguments
    std::string_view array_open, array_close;
    std::string_view empty_dictionary;
    std::string_view string_name;              ///< what stands before the quotes
    std::size_t max_depth;
    bool named_handles;                        ///< RID(), Callable(), Signal() are written
    bool base64_bytes;
};

constexpr Style styles[] = {
    {"( ", " )", "[ ", " ]", "{\n\n}", "&", SIZE_MAX, false, false},
    {"( ", " )", "[ ", " ]", "{\n}", "&", 100, false, false},
    {"(", ")", "[", "]", "{}", "&", 100, true, false},
    {"( ", " )", "[ ", " ]", "{\n}", "@", 100, false, true},
};

/// The constructor's name in that family.
std::string_view constructor(Type type, TextFamily family) {
    if (family == TextFamily::godot_4) return type_name(type);
    switch (type) {
        case Type::quaternion: return family == TextFamily::pandemonium ? "Quaternion" : "Quat";
        case Type::transform3d: return "Transform";
        case Type::packed_byte_array: return "PoolByteArray";
        case Type::packed_int32_array: return "PoolIntArray";
        case Type::packed_float32_array: return "PoolRealArray";
        case Type::packed_string_array: return "PoolStringArray";
        case Type::packed_vector2_array: return "PoolVector2Array";
        case Type::packed_vector3_array: return "PoolVector3Array";
        case Type::packed_vector4_array: return "PoolVector4Array";
        case Type::packed_color_array: return "PoolColorArray";
        case Type::packed_vector2i_array: return "PoolVector2iArray";
        case Type::packed_vector3i_array: return "PoolVector3iArray";
        case Type::packed_vector4i_array: return "PoolVector4iArray";
        default: return type_name(type);
    }
}

void append_base64(std::string& out, ByteView bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t b = 0; b < 3; ++b)
            word = word << 8 | (b < n ? static_cast<std::uint32_t>(bytes[i + b]) : 0u);
        for (std::size_t d = 0; d < 4; ++d)
            out += d <= n ? digits[word >> (18 - 6 * d) & 63] : '=';
    }
}

/// A container that is being printed.
struct Open {
    enum Kind { array, dictionary, object } kind;
    View::Elements elements;
    View::Elements::iterator element;
    std::vector<View::Pair> pairs;
    std::size_t next = 0;
    bool at_value = false;
    View::Properties properties;
    View::Properties::iterator property;
    std::string_view close;

    explicit Open(Kind kind_) : kind(kind_) {}
    Open(const Open&) = delete;
};

class Printer {
public:
    Printer(std::string& out, TextFamily family, const Dialect& dialect)
        : out_(out), family_(family), dialect_(dialect),
          style_(styles[static_cast<std::size_t>(family)]) {}

    void run(const View& root) {
        print(root);
        while (!open_.empty()) step(open_.back());
    }

private:
    void step(Open& top) {
        switch (top.kind) {
            case Open::array: {
                if (top.element == top.elements.end()) return close(top.close);
                if (top.next++) out_ += ", ";
                const View item = *top.element;
                ++top.element;
                return print(item);
            }
            case Open::dictionary: return step_pair(top);
            case Open::object: {
                if (top.property == top.properties.end()) return close(")\n");
                const View::Property property = *top.property;
                ++top.property;
                out_ += ",\"";
                out_ += detail::seen_text(property.name);
                out_ += "\":";
                return print(property.value);
            }
        }
    }

    void step_pair(Open& top) {
        if (top.at_value) {
            top.at_value = false;
            out_ += ": ";
            return print(top.pairs[top.next++].value);
        }
        if (top.next == top.pairs.size()) return close(top.close);
        out_ += top.next ? ",\n" : "";
        top.at_value = true;
        print(top.pairs[top.next].key);
    }

    void close(std::string_view text) {
        out_ += text;
        open_.pop_back();
    }

    void print(const View& v) {
        switch (v.type()) {
            case Type::nil: out_ += "null"; return;
            case Type::boolean: out_ += v.boolean() ? "true" : "false"; return;
            case Type::integer: out_ += std::to_string(v.integer()); return;
            case Type::real: append_float(out_, v.real(), family_); return;
            case Type::string:
                return detail::append_multiline(out_, detail::seen_text(v.text()));
            case Type::string_name:
                out_ += style_.string_name;
                return detail::append_c_escaped(out_, detail::seen_text(v.text()), family_);
            case Type::node_path: return node_path(v.node_path());
            case Type::rid: return rid(v.rid());
            case Type::callable: return handle("Callable()");
            case Type::signal: return handle("Signal()");
            case Type::object: return object(v);
            case Type::dictionary: return dictionary(v);
            case Type::array:
            case Type::packed_typed_array: return array(v);
            case Type::packed_string_array: return strings(v);
            case Type::image:
            case Type::input_event: return handle(constructor(v.type(), family_));
            default: return is_packed(v.type()) ? packed(v.packed()) : math(v.math());
        }
    }

    void handle(std::string_view text) {
        if (style_.named_handles) out_ += text;
    }
    void rid(std::uint64_t id) {
        if (!style_.named_handles) return;
        out_ += "RID(";
        if (id) out_ += std::to_string(id);
        out_ += ')';
    }

    void node_path(const NodePathView& path) {
        std::string text;
        if (path.absolute()) text += '/';
        bool first = true;
        path.each([&](std::string_view name, bool subname) {
            if (subname)
                text += ':';
            else if (!first)
                text += '/';
            first = false;
            text += detail::seen_text(name);
        });
        out_ += "NodePath(";
        detail::append_c_escaped(out_, text, family_);
        out_ += ')';
    }

    void math(const MathView& value) {
        // Pandemonium's writer leaves the spaces out here.
        const bool tight = value.type == Type::projection;
        out_ += constructor(value.type, family_);
        out_ += tight ? "(" : style_.open;
        for (std::size_t i = 0; i < value.lanes(); ++i) {
            if (i) out_ += ", ";
            if (value.integral())
                out_ += std::to_string(value.integer(i));
            else
                append_component(out_, value.real(i), family_);
        }
        out_ += tight ? ")" : style_.close;
    }

    void packed(const PackedView& value) {
        out_ += constructor(value.type, family_);
        out_ += style_.open;
        if (style_.base64_bytes && value.lane() == Lane::u8) {
            if (value.count) {
                out_ += '"';
                append_base64(out_, value.bytes());
                out_ += '"';
            }
        } else {
            const std::size_t lanes = value.count * value.lanes();
            for (std::size_t i = 0; i < lanes; ++i) {
                if (i) out_ += ", ";
                lane(value, i);
            }
        }
        out_ += style_.close;
    }
    void lane(const PackedView& value, std::size_t i) {
        switch (value.lane()) {
            case Lane::u8: out_ += std::to_string(static_cast<int>(value.data[i])); break;
            case Lane::i32: out_ += std::to_string(value.lane_at<std::int32_t>(i)); break;
            case Lane::i64: out_ += std::to_string(value.lane_at<std::int64_t>(i)); break;
            case Lane::f32:
                append_component(out_, static_cast<double>(value.lane_at<float>(i)), family_);
                break;
            default: append_component(out_, value.lane_at<double>(i), family_); break;
        }
    }

    void strings(const View& v) {
        out_ += constructor(v.type(), family_);
        out_ += style_.open;
        bool first = true;
        for (const auto all = v.strings(); std::string_view text : all) {
            if (!std::exchange(first, false)) out_ += ", ";
            detail::append_c_escaped(out_, detail::seen_text(text), family_);
        }
        out_ += style_.close;
    }

    std::string type_text(const ContainerType& type) const {
        switch (type.kind) {
            case ContainerKind::untyped: return "Variant";
            case ContainerKind::builtin:
                return type.type == Type::nil && family_ == TextFamily::godot_4
                           ? "Variant"
                           : std::string(constructor(type.type, family_));
            case ContainerKind::class_name: return std::string(detail::seen_text(type.name));
            case ContainerKind::script: {
                std::string out = "Resource(";
                detail::append_multiline(out, detail::seen_text(type.name));
                return out + ")";
            }
        }
        return {};
    }

    bool too_deep() const { return open_.size() > style_.max_depth; }

    void array(const View& v) {
        const ContainerType type = v.element_type();
        std::string_view end = style_.array_close;
        if (family_ == TextFamily::pandemonium && type.typed()) {
            out_ += v.is(Type::packed_typed_array) ? "PackedTypedArray( " : "TypedArray( ";
            out_ += type_text(type);
            out_ += " , ";
            end = " )";
        } else {
            if (type.typed() && type.type != Type::nil && family_ == TextFamily::godot_4) {
                out_ += "Array[" + type_text(type) + "](";
                end = "])";
            }
            if (too_deep()) {
                out_ += "[]";
                if (end == "])") out_ += ')';
                return;
            }
            out_ += style_.array_open;
        }
        Open& open = open_.emplace_back(Open::array);
        open.elements = v.elements();
        open.element = open.elements.begin();
        open.close = end;
    }

    void dictionary(const View& v) {
        const ContainerType key = v.key_type(), value = v.value_type();
        std::string_view end = "\n}";
        const bool typed = family_ == TextFamily::godot_4 && (key.typed() || value.typed());
        if (typed) {
            out_ += "Dictionary[" + type_text(key) + ", " + type_text(value) + "](";
            end = "\n})";
        }
        if (too_deep() || v.size() == 0) {
            out_ += too_deep() ? "{}" : style_.empty_dictionary;
            if (typed) out_ += ')';
            return;
        }
        out_ += "{\n";
        Open& open = open_.emplace_back(Open::dictionary);
        open.pairs.reserve(v.size());
        for (const auto all = v.pairs(); const View::Pair& pair : all) open.pairs.push_back(pair);
        detail::sort_keys(open.pairs, family_, dialect_);
        open.close = end;
    }

    void object(const View& v) {
        if (v.object_kind() == ObjectKind::null ||
            (v.object_kind() == ObjectKind::id && v.object_id() == 0)) {
            out_ += "null";
            return;
        }
        out_ += "Object(";
        if (v.object_kind() == ObjectKind::id) {
            // The holder that the engine makes for an id.
            out_ += encoded_object_as_id;
            out_ += ",\"object_id\":" + std::to_string(static_cast<std::int64_t>(v.object_id()));
            out_ += ",\"script\":null)\n";
            return;
        }
        out_ += detail::seen_text(v.class_name());
        Open& open = open_.emplace_back(Open::object);
        open.properties = v.properties();
        open.property = open.properties.begin();
    }

    std::string& out_;
    TextFamily family_;
    const Dialect& dialect_;
    const Style& style_;
    std::deque<Open> open_;
};

const std::unexpected<Error> no_memory{Error{Errc::no_memory, Type::nil, 0, 0}};

}  // namespace

std::expected<std::string, Error> to_text(const View& view, TextFamily family) try {
    if (!view) return std::unexpected(view.error());
    std::string out;
    Printer(out, family, *view.options().dialect).run(view);
    return out;
} catch (const std::bad_alloc&) {
    return no_memory;
}

std::expected<std::string, Error> to_text(const View& view) {
    if (!view) return std::unexpected(view.error());
    return to_text(view, view.options().dialect->family);
}

std::expected<std::string, Error> to_text(const Variant& value, TextFamily family) {
    auto bytes = encode(value, detail::native_encoding);
    if (!bytes) return std::unexpected(bytes.error());
    auto document = Document::parse(*std::move(bytes), detail::native_decoding);
    if (!document) return std::unexpected(document.error());
    const Document& doc = *document;
    return to_text(doc.root(), family);
}

}  // namespace gdvar
