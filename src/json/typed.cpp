// Typed JSON as a sink. The shape is in docs/json.md.
#include <bit>
#include <new>
#include <vector>

#include "base/coding.hpp"
#include "base/exceptions.hpp"
#include "base/number.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/value/walk.hpp"
#include "value/piece_output.hpp"
#include "wire/node_path.hpp"
#include "wire/refuse.hpp"
#include "writing.hpp"

namespace gdvar {
namespace {

class TypedPrinter {
public:
    TypedPrinter(detail::PieceOutput& pieces, const JsonOptions& options)
        : pieces_(pieces), out_(pieces.text()), indent_(options.indent) {}

    Errc nil() { return word("null"); }
    Errc boolean(bool v) { return word(v ? "true" : "false"); }
    Errc integer(std::int64_t v) {
        before();
        out_ += "\"i:";
        out_.number(v);
        out_ += '"';
        return Errc::ok;
    }
    Errc real(double v) {
        before();
        out_ += "\"f:";
        if (v != v)
            nan_text(v);
        else if (v > std::numeric_limits<double>::max())
            out_ += "inf";
        else if (v < -std::numeric_limits<double>::max())
            out_ += "-inf";
        else
            detail::append_native_real(out_, v);
        out_ += '"';
        return Errc::ok;
    }
    Errc string(std::string_view text) { return tagged("\"s:", text); }
    Errc string_name(std::string_view text) { return tagged("\"sn:", text); }
    Errc node_path(const NodePathView& path) {
        if (detail::is_text_exact(path))
            return tagged("\"np:", to_string(path));
        before();
        out_ += "{\"type\":\"NodePath\",\"names\":[";
        bool first = true, subnames = false;
        path.each([&](std::string_view name, bool subname) {
            if (subname && !subnames) {
                out_ += "],\"subnames\":[";
                subnames = first = true;
            }
            if (!std::exchange(first, false))
                out_ += ',';
            quoted(name);
        });
        out_ += subnames ? "]" : "],\"subnames\":[]";
        out_ += path.absolute() ? ",\"absolute\":true" : ",\"absolute\":false";
        if (path.separate_property())
            out_ += ",\"property\":true";
        out_ += '}';
        return Errc::ok;
    }
    Errc math(const MathView& v) {
        head(type_name(v.type));
        out_ += ",\"args\":[";
        std::vector<Odd> odd;
        for (std::size_t i = 0; i < v.components(); ++i) {
            if (i)
                out_ += ',';
            const std::size_t from = place(v.type, i);
            if (v.integral()) {
                out_.number(v.integer(from));
            } else if (v.wide) {
                real_component(detail::component<double>(v.data + 8 * from, v.host_order), i, odd);
            } else {
                float_component(detail::component<float>(v.data + 4 * from, v.host_order), i, odd);
            }
        }
        out_ += ']';
        tail(v.wide, odd);
        return Errc::ok;
    }
    Errc rid(std::uint64_t id) {
        head("RID");
        if (id)
            out_ += ",\"id\":\"" + std::to_string(id) + "\"";
        out_ += '}';
        return Errc::ok;
    }
    Errc object_null() { return word("{\"type\":\"Object\",\"id\":null}"); }
    Errc object_id(std::uint64_t id) {
        return word("{\"type\":\"Object\",\"id\":\"" + detail::object_id_text(id) + "\"}");
    }
    Errc begin_object(std::string_view name, std::uint32_t) {
        head(name);
        out_ += ",\"props\":[";
        return begin("]}");
    }
    Errc property(std::string_view name) {
        before();
        quoted(name);
        return Errc::ok;
    }
    Errc callable() { return word("{\"type\":\"Callable\"}"); }
    Errc signal(std::string_view name, std::uint64_t object) {
        head("Signal");
        if (!name.empty() || object) {
            out_ += ",\"name\":";
            quoted(name);
            out_ += ",\"id\":\"" + detail::object_id_text(object) + "\"";
        }
        out_ += '}';
        return Errc::ok;
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t) {
        head("Dictionary");
        container_type("key", key);
        container_type("value", value);
        out_ += ",\"args\":[";
        return begin("]}");
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t) {
        if (!element.typed() && type == Type::array) {
            before();
            out_ += '[';
            return begin("]");
        }
        head(type_name(type));
        container_type("elem", element);
        out_ += ",\"args\":[";
        return begin("]}");
    }
    Errc packed(const PackedView& v) {
        head(type_name(v.type));
        out_ += ",\"args\":[";
        std::vector<Odd> odd;
        const std::size_t components = v.count * v.components();
        for (std::size_t i = 0; i < components; ++i) {
            if (i)
                out_ += ',';
            pieces_.check();
            v.use_component(i, [&]<class T>(T value) {
                if constexpr (std::integral<T>)
                    out_.number(value);
                else if constexpr (std::same_as<T, float>)
                    float_component(value, i, odd);
                else
                    real_component(value, i, odd);
            });
        }
        out_ += ']';
        tail(v.wide, odd);
        return Errc::ok;
    }
    Errc begin_packed_strings(std::uint32_t) {
        head("PackedStringArray");
        out_ += ",\"args\":[";
        return begin("]}");
    }
    Errc packed_string(std::string_view text) {
        before();
        quoted(text);
        return Errc::ok;
    }
    Errc image(const ImageView& v) {
        head("Image");
        out_ += ",\"format\":" + std::to_string(v.format) +
                ",\"mipmaps\":" + std::to_string(v.mipmaps) +
                ",\"width\":" + std::to_string(v.width) +
                ",\"height\":" + std::to_string(v.height) + ",\"data\":[";
        for (std::size_t i = 0; i < v.data.size(); ++i) {
            pieces_.check();
            if (i)
                out_ += ',';
            out_.number(static_cast<int>(v.data[i]));
        }
        out_ += "]}";
        return Errc::ok;
    }
    Errc input_event(const InputEventView& v) {
        head("InputEvent");
        out_ += ",\"event\":" + std::to_string(v.type) + ",\"device\":" + std::to_string(v.device) +
                ",\"words\":[";
        for (std::size_t i = 0; i < InputEventView::word_count(v.type); ++i)
            out_ += (i ? "," : "") + std::to_string(v.words[i]);
        out_ += "]}";
        return Errc::ok;
    }
    Errc end() {
        const Entry ended = stack_.back();
        stack_.pop_back();
        if (ended.items)
            new_line();
        out_ += ended.close;
        return Errc::ok;
    }

private:
    struct Entry {
        const char* close;
        std::size_t items;
    };
    /// A NaN that needs more than `null`.
    struct Odd {
        std::size_t at;
        std::uint64_t bits;
    };

    void new_line() { detail::append_line(out_, stack_.size(), indent_); }
    void before() {
        pieces_.check();
        if (stack_.empty())
            return;
        if (stack_.back().items++)
            out_ += ',';
        new_line();
    }
    Errc word(std::string_view text) {
        before();
        out_ += text;
        return Errc::ok;
    }
    Errc tagged(std::string_view open, std::string_view text) {
        before();
        detail::append_json_quoted(pieces_, open, text);
        return Errc::ok;
    }
    void quoted(std::string_view text) { detail::append_json_quoted(pieces_, "\"", text); }
    void head(std::string_view type) {
        before();
        out_ += "{\"type\":";
        quoted(type);
    }
    Errc begin(const char* close) {
        stack_.push_back({close, 0});
        return Errc::ok;
    }

    /// Matrices go by columns here, unlike on the wire.
    static std::size_t place(Type type, std::size_t i) {
        const bool matrix = (type == Type::basis || type == Type::transform3d) && i < 9;
        return matrix ? i % 3 * 3 + i / 3 : i;
    }

    void hex(std::uint64_t bits) { detail::append_hex_number(out_.string(), bits); }
    void nan_text(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        out_ += "nan";
        if (bits == 0x7FF8'0000'0000'0000u)
            return;
        out_ += ':';
        hex(bits);
    }
    void real_component(double value, std::size_t i, std::vector<Odd>& odd) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        if (value != value && bits != 0x7FF8'0000'0000'0000u)
            odd.push_back({i, bits});
        if (value - value == 0)
            detail::append_native_real(out_, value);
        else
            detail::append_json_real(out_, value);
    }
    void float_component(float value, std::size_t i, std::vector<Odd>& odd) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if (value != value && bits != 0x7FC0'0000u)
            odd.push_back({i, bits});
        if (value != value)
            out_ += "null";
        else
            detail::append_json_real(out_, static_cast<double>(value));
    }
    void tail(bool wide, const std::vector<Odd>& odd) {
        if (wide)
            out_ += ",\"wide\":true";
        if (!odd.empty()) {
            out_ += ",\"nan\":[";
            for (const Odd& component : odd) {
                out_ +=
                    (&component == odd.data() ? "[" : ",[") + std::to_string(component.at) + ",\"";
                hex(component.bits);
                out_ += "\"]";
            }
            out_ += ']';
        }
        out_ += '}';
    }

    void container_type(const char* what, const ContainerType& type) {
        if (!type.typed())
            return;
        const std::string member = std::string(",\"") + what;
        out_ += member + "_type\":";
        quoted(type.kind == ContainerKind::builtin ? type_name(type.type) : type.name);
        // A name needs no kind, except classes named like a type or a path.
        const bool path = type.name.starts_with("res://");
        if (type.kind == ContainerKind::class_name && (path || type_by_name(type.name)))
            out_ += member + "_kind\":\"class\"";
        if (type.kind == ContainerKind::script && !path)
            out_ += member + "_kind\":\"script\"";
    }

    detail::PieceOutput& pieces_;
    detail::TextBuffer& out_;
    int indent_;
    std::vector<Entry> stack_;
};

std::expected<void, Error> print(detail::PieceOutput& out, const View& view,
                                 const JsonOptions& options) {
    if (!view)
        return std::unexpected(view.error());
    TypedPrinter printer(out, options);
    return view.drive(printer);
}
std::expected<void, Error> print(detail::PieceOutput& out, const Variant& value,
                                 const JsonOptions& options) {
    TypedPrinter printer(out, options);
    if (const Errc code = drive(value, printer); code != Errc::ok)
        return std::unexpected(Error{code, Type::nil, 0, 0});
    return {};
}

std::size_t expected(const View& view) {
    return view.raw().size();
}
std::size_t expected(const Variant&) {
    return 0;
}

template <class Value>
std::expected<std::string, Error> whole(const Value& value, const JsonOptions& options) GDVAR_TRY {
    detail::PieceOutput out(expected(value));
    if (auto done = print(out, value, options); !done)
        return std::unexpected(done.error());
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace

std::expected<std::string, Error> to_json(const View& view, const JsonOptions& options) {
    return whole(view, options);
}
std::expected<std::string, Error> to_json(const Variant& value, const JsonOptions& options) {
    return whole(value, options);
}

std::expected<void, Error> print_json(const View& view, const JsonOptions& options,
                                      const TextPieces& to) GDVAR_TRY {
    detail::PieceOutput out(&to);
    auto done = print(out, view, options);
    out.flush();
    return done;
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
