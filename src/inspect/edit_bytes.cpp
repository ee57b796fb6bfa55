#include "inspect/edit_bytes.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

#include "gdvar/wire/encoder.hpp"

namespace gdvar::detail {
namespace {

/// Where bytes that a View borrows from the packet stand in it, if it does.
std::optional<std::size_t> place_of(ByteView packet, const std::byte* data, std::size_t size) {
    const std::less_equal<> no_later;
    if (!no_later(packet.data(), data) || !no_later(data + size, packet.data() + packet.size()))
        return std::nullopt;
    return static_cast<std::size_t>(data - packet.data());
}

/// Writes one component. The error's code is ok on success. A float that is not exact in single
/// precision is rounded, as engines do it.
template <class T>
Error put_component(std::byte* to, const Variant& value) {
    if constexpr (std::is_same_v<T, float>) {
        if (const double* real = value.get_if<double>()) {
            const auto single = static_cast<float>(*real);
            if (std::isinf(single) && !std::isinf(*real))
                return Error{Errc::number_out_of_range, Type::real}.about_real(
                    *real, std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max());
            store(to, single);
            return {};
        }
    }
    const auto number = value.get<T>();
    if (!number)
        return number.error();
    store(to, *number);
    return {};
}
Error put_component(ComponentType component, std::byte* to, const Variant& value) {
    if (component == ComponentType::none)
        return Error{Errc::wrong_type, value.type()};
    return with_component(
        component, [&]<class T>(std::type_identity<T>) { return put_component<T>(to, value); });
}

/// Writes the part's components into `components`, which are those of the value or element, in wire
/// order. The error's code is ok on success.
Error put_into(const Part& part, ComponentType component, std::byte* components,
               const Variant& value) {
    const std::size_t size = component_bytes(component);
    if (part.type == Type::integer || part.type == Type::real)
        return put_component(component, components + part.first * size, value);
    if (!value.is(part.type))
        return Error{Errc::wrong_type, value.type()}.about_types(part.type);
    const MathView math = value.math();
    for (std::size_t i = 0; i < part.components(); ++i) {
        const Variant number = math.integral() ? Variant(math.integer(i)) : Variant(math.real(i));
        if (const Error error = put_component(
                component, components + (part.first + i * part.stride) * size, number);
            error.code != Errc::ok)
            return error;
    }
    return {};
}

}  // namespace

std::expected<void, Error> taken(const ContainerType& type, const Variant& value,
                                 std::uint64_t offset) {
    if (type.takes(value.type()))
        return {};
    return moved(Error{Errc::wrong_type, value.type()}.about_types(type.type), offset);
}

std::expected<void, Error> taken_in(const View& container, const Variant& value,
                                    std::uint64_t offset) {
    if (container.is(Type::array) || container.is(Type::packed_typed_array))
        return taken(container.element_type(), value, offset);
    if (container.is(Type::dictionary))
        return taken(container.value_type(), value, offset);
    return {};
}

std::expected<Overwrite, Error> put_part(ByteView packet, const View& whole, const Part& part,
                                         const Variant& value, const EncodeOptions& how) {
    const auto misfit = [&](const Error& error) { return moved(error, whole.offset()); };
    Overwrite out;
    if (type_info(whole.type()).packed) {
        const PackedView all = whole.packed();
        const auto start = place_of(packet, all.data, all.size());
        if (!start)
            return misfit({Errc::wrong_type, value.type()});
        out.size = all.element_size();
        out.at = *start + part.element * out.size;
        std::memcpy(out.bytes, packet.data() + out.at, out.size);
        if (const Error error = put_into(part, all.component(), out.bytes, value);
            error.code != Errc::ok)
            return misfit(error);
        return out;
    }
    // A whole math value is made anew, since a dialect may have the components in another order;
    // but its header stays.
    const MathView old = whole.math();
    const ComponentType component = old.wide ? ComponentType::f64 : type_info(old.type).component;
    std::byte components[16 * 8];
    for (std::size_t i = 0; i < old.components(); ++i) {
        if (component == ComponentType::f64)
            store(components + 8 * i,
                  gdvar::detail::component<std::uint64_t>(old.data + 8 * i, old.host_order));
        else
            store(components + 4 * i,
                  gdvar::detail::component<std::uint32_t>(old.data + 4 * i, old.host_order));
    }
    if (const Error error = put_into(part, component, components, value); error.code != Errc::ok)
        return misfit(error);
    PackedByteArray bytes;
    {
        BufferOutput output(bytes);
        Encoder<BufferOutput> encoder(output, how);
        if (const Errc code = encoder.math({old.type, old.wide, false, components});
            code != Errc::ok)
            return misfit({code, old.type});
    }
    if (bytes.size() != whole.raw().size())
        return misfit({Errc::wrong_type, value.type()});
    const std::size_t header = bytes.size() - old.size();
    out.at = whole.offset() + header;
    out.size = old.size();
    std::memcpy(out.bytes, bytes.data() + header, out.size);
    return out;
}

}  // namespace gdvar::detail
