#include "typed.hpp"

#include "gdvar/value/builder.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "read_number.hpp"
#include "wire/real_twin.hpp"

namespace gdvar::detail {
namespace {

bool is_number(Type type) noexcept {
    return type == Type::boolean || type == Type::integer || type == Type::real;
}
bool is_text(Type type) noexcept {
    return type == Type::string || type == Type::string_name || type == Type::node_path;
}

bool is_any_packed(Type type) noexcept {
    return is_packed(type) || type == Type::packed_string_array;
}
bool is_matrix(Type type) noexcept {
    return type == Type::quaternion || type == Type::basis || type == Type::transform2d ||
           type == Type::transform3d || type == Type::projection;
}

bool fit_number(Variant& value, Type to) {
    if (to == Type::boolean) {
        value = Variant(value.is(Type::integer) ? value.integer() != 0 : value.real() != 0.0);
    } else if (to == Type::integer) {
        value = Variant(value.is(Type::boolean) ? std::int64_t{value.boolean()}
                                                : engine_int64(value.real()));
    } else {
        value = Variant(value.is(Type::boolean) ? (value.boolean() ? 1.0 : 0.0)
                                                : static_cast<double>(value.integer()));
    }
    return true;
}

/// String, StringName and NodePath; the two names do not convert to each other.
bool fit_text(Variant& value, Type to) {
    if (value.is(Type::node_path)) {
        if (to != Type::string)
            return false;
        value = Variant(VariantAccess::as<NodePath>(value).to_string());
    } else if (to == Type::node_path) {
        if (!value.is(Type::string))
            return false;
        value = Variant(NodePath(value.text()));
    } else if (to == Type::string_name) {
        value = Variant(StringName(value.text()));
    } else {
        value = Variant(String(value.text()));
    }
    return true;
}

/// Vector2 and Vector2i, Rect2 and Rect2i, ...
bool fit_vector(Variant& value, Type to) {
    const Type from = value.type();
    if (real_twin(from) != to && real_twin(to) != from)
        return false;
    const MathView view = value.math();
    constexpr std::size_t most = 4;
    alignas(8) std::byte components[most * 4];
    for (std::size_t i = 0; i != most && i != view.components(); ++i) {
        if (view.integral()) {
            const auto component = static_cast<float>(view.integer(i));
            std::memcpy(components + 4 * i, &component, 4);
        } else {
            const std::int32_t component = engine_int32(view.real(i));
            std::memcpy(components + 4 * i, &component, 4);
        }
    }
    Variant made;
    VariantBuilder(made).math({to, false, true, components});
    value = std::move(made);
    return true;
}

}  // namespace

Fit fit_element(Variant& value, const ContainerType& type) {
    const Type from = value.type(), to = type.type;
    const auto done = [](bool fits) { return fits ? Fit::fits : Fit::refused; };
    if (!type.typed() || from == to)
        return Fit::fits;
    if (to == Type::object)
        return done(value.is_nil());
    if (is_number(from) && is_number(to))
        return done(fit_number(value, to));
    if (is_text(from) && is_text(to))
        return done(fit_text(value, to));
    if (is_math(from) && is_math(to) && fit_vector(value, to))
        return Fit::fits;
    if (to == Type::color && (from == Type::string || from == Type::integer))
        return Fit::unknown;
    if (is_matrix(from) && is_matrix(to))
        return Fit::unknown;
    if ((from == Type::array && is_any_packed(to)) || (is_any_packed(from) && to == Type::array))
        return Fit::unknown;
    return Fit::refused;
}

}  // namespace gdvar::detail
