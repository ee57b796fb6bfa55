// `text --full`: nothing lost, wire order. The grammar is in docs/text.md.
#include <bit>
#include <cmath>
#include <new>
#include <vector>

#include "base/coding.hpp"
#include "base/escape.hpp"
#include "base/exceptions.hpp"
#include "base/number.hpp"
#include "escape.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/value/walk.hpp"
#include "value/piece_output.hpp"
#include "wire/node_path.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace {

using detail::WholeMark;

class FullPrinter {
public:
    FullPrinter(detail::PieceOutput& pieces, int indent)
        : pieces_(pieces), out_(pieces.text()), indent_(indent) {}

    Errc nil() { return word("null"); }
    Errc boolean(bool v) { return word(v ? "true" : "false"); }
    Errc integer(std::int64_t v) {
        before();
        out_.number(v);
        return Errc::ok;
    }
    Errc real(double v) {
        before();
        real_digits(v, WholeMark::yes);
        return Errc::ok;
    }
    Errc string(std::string_view text) {
        before();
        quoted(text);
        return Errc::ok;
    }
    Errc string_name(std::string_view text) {
        before();
        out_ += '&';
        quoted(text);
        return Errc::ok;
    }
    Errc math(const MathView& v) {
        before();
        out_ += type_name(v.type);
        if (v.wide)
            out_ += 'd';
        out_ += '(';
        for (std::size_t i = 0; i < v.components(); ++i) {
            if (i)
                out_ += ", ";
            if (v.integral())
                out_.number(v.integer(i));
            else if (v.wide)
                wide_component(detail::component<double>(v.data + 8 * i, v.host_order));
            else
                float_digits(detail::component<float>(v.data + 4 * i, v.host_order));
        }
        out_ += ')';
        return Errc::ok;
    }
    Errc node_path(const NodePathView& path) {
        before();
        out_ += "NodePath(";
        if (detail::is_text_exact(path))
            quoted(to_string(path));
        else
            path_parts(path);
        out_ += ')';
        return Errc::ok;
    }
    Errc rid(std::uint64_t id) { return word("RID(" + std::to_string(id) + ")"); }
    Errc object_null() { return word("Object(null)"); }
    Errc object_id(std::uint64_t id) { return word("Object(" + detail::object_id_text(id) + ")"); }
    Errc begin_object(std::string_view name, std::uint32_t count) {
        before();
        out_ += "Object(";
        quoted(name);
        if (count)
            out_ += ", ";
        return begin(Entry::object, ")");
    }
    Errc property(std::string_view name) {
        separate(stack_.back());
        quoted(name);
        out_ += ": ";
        stack_.back().at_value = true;
        return Errc::ok;
    }
    Errc callable() { return word("Callable()"); }
    Errc signal(std::string_view name, std::uint64_t object) {
        before();
        out_ += "Signal(";
        quoted(name);
        out_ += ", " + detail::object_id_text(object) + ")";
        return Errc::ok;
    }
    Errc begin_dictionary(const ContainerType& key, const ContainerType& value, std::uint32_t) {
        before();
        const bool typed = key.typed() || value.typed();
        if (typed) {
            out_ += "Dictionary[";
            container_type(key);
            out_ += ", ";
            container_type(value);
            out_ += "](";
        }
        out_ += '{';
        return begin(Entry::dictionary, typed ? "})" : "}");
    }
    Errc begin_array(Type type, const ContainerType& element, std::uint32_t) {
        before();
        const bool named = element.typed() || type == Type::packed_typed_array;
        if (named) {
            out_ += type_name(type);
            out_ += '[';
            container_type(element);
            out_ += "](";
        }
        out_ += '[';
        return begin(Entry::array, named ? "])" : "]");
    }
    Errc packed(const PackedView& v) {
        before();
        std::string name(type_name(v.type));
        if (v.wide)
            name.insert(name.size() - 5, "d");
        out_ += name;
        out_ += '(';
        const std::size_t components = v.count * v.components();
        for (std::size_t i = 0; i < components; ++i) {
            pieces_.check();
            if (i)
                out_ += ", ";
            component(v, i);
        }
        out_ += ')';
        return Errc::ok;
    }
    Errc begin_packed_strings(std::uint32_t) {
        before();
        out_ += "PackedStringArray(";
        return begin(Entry::array, ")");
    }
    Errc packed_string(std::string_view text) { return string(text); }
    Errc image(const ImageView& v) {
        before();
        out_ += "Image(" + std::to_string(v.format) + ", " + std::to_string(v.mipmaps) + ", " +
                std::to_string(v.width) + ", " + std::to_string(v.height);
        for (const std::byte byte : v.data) {
            pieces_.check();
            out_ += ", ";
            out_.number(static_cast<int>(byte));
        }
        out_ += ')';
        return Errc::ok;
    }
    Errc input_event(const InputEventView& v) {
        before();
        out_ += "InputEvent(" + std::to_string(v.type) + ", " + std::to_string(v.device);
        for (std::size_t i = 0; i < InputEventView::word_count(v.type); ++i)
            out_ += ", " + std::to_string(v.words[i]);
        out_ += ')';
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
        enum Kind : std::uint8_t { array, dictionary, object } kind;
        bool at_value;
        std::uint32_t items;
        const char* close;
    };

    void new_line() { detail::append_line(out_, stack_.size(), indent_); }
    void separate(Entry& top) {
        if (top.items++)
            out_ += indent_ > 0 ? "," : ", ";
        new_line();
    }
    /// Prints the text before the next value.
    void before() {
        pieces_.check();
        if (stack_.empty())
            return;
        Entry& top = stack_.back();
        if (top.kind == Entry::array)
            return separate(top);
        if (top.at_value) {
            if (top.kind == Entry::dictionary)
                out_ += ": ";
            top.at_value = false;
            return;
        }
        separate(top);
        top.at_value = true;
    }
    Errc word(std::string_view text) {
        before();
        out_ += text;
        return Errc::ok;
    }
    Errc begin(Entry::Kind kind, const char* close) {
        stack_.push_back({kind, false, 0, close});
        return Errc::ok;
    }

    void quoted(std::string_view text) {
        using Special = detail::SpecialBytes<0x20, '"', '\\', '\x7F'>;
        if (detail::append_plain<Special, true>(out_, "\"", text))
            return;
        out_ += '"';
        pieces_.in_parts(text,
                         [&](std::string_view piece) { detail::append_lossless(out_, piece); });
        out_ += '"';
    }
    void hex(std::uint64_t bits) {
        out_ += "0x";
        detail::append_hex_number(out_.string(), bits);
    }
    /// The engines read a component without a point as an int, which has no -0.
    template <class Real>
    static WholeMark mark_of(Real value) {
        return value == 0 && std::signbit(value) ? WholeMark::yes : WholeMark::no;
    }
    /// NaN by its bits, except the usual one.
    void real_digits(double value, WholeMark mark) {
        if (value == value)
            return detail::append_float(out_, value, mark);
        const auto bits = std::bit_cast<std::uint64_t>(value);
        out_ += "nan";
        if (bits == 0x7FF8'0000'0000'0000u)
            return;
        out_ += '(';
        hex(bits);
        out_ += ')';
    }
    void wide_component(double value) { real_digits(value, mark_of(value)); }
    void float_digits(float value) {
        if (value == value)
            return detail::append_float(out_, value, mark_of(value));
        const auto bits = std::bit_cast<std::uint32_t>(value);
        out_ += "nan";
        if (bits == 0x7FC0'0000u)
            return;
        out_ += '(';
        hex(bits);
        out_ += ')';
    }
    void component(const PackedView& v, std::size_t i) {
        v.use_component(i, [&]<class T>(T value) {
            if constexpr (std::integral<T>)
                out_.number(value);
            else if constexpr (std::same_as<T, float>)
                float_digits(value);
            else
                wide_component(value);
        });
    }

    void path_parts(const NodePathView& path) {
        bool subnames = false, first = true;
        out_ += '[';
        path.each([&](std::string_view name, bool subname) {
            if (subname && !subnames) {
                out_ += "], [";
                subnames = true;
                first = true;
            }
            if (!std::exchange(first, false))
                out_ += ", ";
            quoted(name);
        });
        out_ += subnames ? "]" : "], []";
        out_ += path.absolute() ? ", true" : ", false";
        if (path.separate_property())
            out_ += ", true";
    }

    void container_type(const ContainerType& type) {
        switch (type.kind) {
            case ContainerKind::untyped:
                out_ += "Variant";
                break;
            case ContainerKind::builtin:
                out_ += type_name(type.type);
                break;
            case ContainerKind::class_name:
                quoted(type.name);
                break;
            case ContainerKind::script:
                out_ += "Resource(";
                quoted(type.name);
                out_ += ')';
                break;
        }
    }

    detail::PieceOutput& pieces_;
    detail::TextBuffer& out_;
    int indent_;
    std::vector<Entry> stack_;
};

}  // namespace

std::expected<std::string, Error> to_text_full(const View& view, int indent) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(view.raw().size());
    FullPrinter printer(out, indent);
    if (auto done = view.drive(printer); !done)
        return std::unexpected(done.error());
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<std::string, Error> to_text_full(const Variant& value, int indent) GDVAR_TRY {
    detail::PieceOutput out(nullptr);
    FullPrinter printer(out, indent);
    if (const Errc code = drive(value, printer); code != Errc::ok)
        return std::unexpected(Error{code, Type::nil, 0, 0});
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<void, Error> print_text_full(const View& view, const TextPieces& to,
                                           int indent) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(&to);
    FullPrinter printer(out, indent);
    auto done = view.drive(printer);
    out.flush();
    return done;
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
