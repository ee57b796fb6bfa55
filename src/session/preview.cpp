#include "session/preview.hpp"

#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::session {
namespace {

std::string typed(const ContainerType& type) {
    if (!type.typed())
        return "Variant";
    return std::string(type.kind == ContainerKind::builtin ? type_name(type.type) : type.name);
}

std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    return inspect::cut_text(std::move(text));
}

std::string preview(PackedView v) {
    std::string out;
    for (std::size_t i = 0; i < 8 * v.components(); ++i)
        out += v.use_component(i, [](auto number) { return std::to_string(number); }) + ", ";
    return out + "...";
}

/// " (3 pairs)"
std::string counted(const View& v, const char* what) {
    return " (" + std::to_string(v.size()) + ' ' + what + (v.size() == 1 ? ")" : "s)");
}

}  // namespace

std::string describe(const View& v) {
    std::string name(type_name(v.type()));
    if (v.wide())
        name += " (64-bit)";
    switch (v.type()) {
        case Type::array:
        case Type::packed_typed_array:
            if (v.element_type().typed())
                name += "[" + typed(v.element_type()) + "]";
            return name + counted(v, "element");
        case Type::dictionary:
            if (v.key_type().typed() || v.value_type().typed())
                name += "[" + typed(v.key_type()) + ", " + typed(v.value_type()) + "]";
            return name + counted(v, "pair");
        case Type::object:
            if (v.object_kind() == ObjectKind::full)
                return "Object " + std::string(v.class_name()) + " (" + std::to_string(v.size()) +
                       (v.size() == 1 ? " property)" : " properties)");
            return name;
        case Type::nil:
            return "null";
        default:
            break;
    }
    if (is_packed(v.type()) || v.is(Type::packed_string_array))
        name += counted(v, "element");
    return name;
}

std::string short_value(const View& v) {
    switch (v.type()) {
        case Type::nil:
        case Type::array:
        case Type::packed_typed_array:
        case Type::dictionary:
            return {};
        case Type::object:
            if (v.object_kind() == ObjectKind::full)
                return {};
            return v.object_kind() == ObjectKind::id
                       ? "id " + std::to_string(static_cast<std::int64_t>(v.object_id()))
                       : "null";
        default:
            break;
    }
    if (v.size() == 0 && (is_packed(v.type()) || v.is(Type::packed_string_array)))
        return {};
    // A long packed array is not printed whole for a hundred characters.
    if (is_packed(v.type()) && v.size() > 64)
        return preview(v.packed());
    if ((v.is(Type::string) || v.is(Type::string_name)) && v.size() > 400)
        return one_line("\"" + std::string(v.text().substr(0, 200)));
    auto full = to_text_full(v);
    if (!full)
        return {};
    // The type precedes it already.
    const std::string_view name = type_name(v.type());
    if (full->starts_with(name) && full->size() > name.size() && (*full)[name.size()] == '(')
        full->erase(0, name.size());
    return one_line(*full);
}

std::string packet_inside(const View& v) {
    if (!v.is(Type::packed_byte_array) || v.size() < 8)
        return {};
    const DecodeOptions options = v.options();
    const ByteView bytes = v.packed().bytes();
    auto size = validate(bytes, options);
    if (!size || *size != bytes.size())
        return {};
    const auto id = std::to_integer<unsigned>(bytes[0]);
    return "holds a packet: " + std::string(options.dialect->rows[id].name);
}

}  // namespace gdvar::session
