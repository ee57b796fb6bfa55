#include "brief.hpp"

#include "gdvar/base/quote.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::inspect::brief {
namespace {

std::string component(const MathView& value, std::size_t i) {
    if (value.integral())
        return std::to_string(value.integer(i));
    return value.wide ? number(value.real(i)) : number(static_cast<float>(value.real(i)));
}

std::string element(const PackedView& value, std::size_t i) {
    return value.use_component(i, []<class T>(T of) {
        if constexpr (std::integral<T>)
            return std::to_string(of);
        else
            return number(of);
    });
}

}  // namespace

std::string text(std::string_view text, std::size_t most) {
    const std::size_t n = utf8::cut(text, most);
    std::string out = quote(text.substr(0, n));
    if (n < text.size())
        out += "... (" + std::to_string(text.size()) + " bytes)";
    return out;
}

std::string math(const MathView& value) {
    std::string out = "(";
    for (std::size_t i = 0; i < value.components(); ++i) {
        if (i)
            out += ", ";
        out += component(value, i);
    }
    return out + ")";
}

std::string packed(const PackedView& value, std::size_t most) {
    std::string out = "[";
    const std::size_t components = value.components();
    const std::size_t shown = std::min<std::size_t>(value.count, most);
    for (std::size_t i = 0; i < shown * components; ++i) {
        if (i)
            out += ", ";
        out += element(value, i);
    }
    if (shown < value.count)
        out += ", ...";
    return out + "]";
}

std::string path(const NodePathView& value) {
    return text(to_string(value));
}

std::string container_type(const ContainerType& type) {
    switch (type.kind) {
        case ContainerKind::untyped:
            return "Variant";
        case ContainerKind::builtin:
            return std::string(type_name(type.type));
        case ContainerKind::class_name:
            return std::string(type.name);
        case ContainerKind::script:
            return "Resource(" + text(type.name) + ")";
    }
    return {};
}

}  // namespace gdvar::inspect::brief
