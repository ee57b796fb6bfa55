#include "inspect/part.hpp"

#include <memory>
#include <optional>

#include "base/exceptions.hpp"
#include "gdvar/wire/encoder.hpp"

namespace gdvar::detail {
namespace {

/// One part of a math type, by Godot's names, as components in the order of the wire: Basis by rows
/// (its x, a column, is every third component), Transform2D and Projection by columns
/// (docs/wire-format.md).
struct NamedPart {
    Type of;
    std::string_view name;
    Type type;
    std::uint8_t first, stride;
};
constexpr Type whole = Type::integer, number = Type::real;
constexpr NamedPart named_parts[] = {
    {Type::vector2, "x", number, 0, 1},
    {Type::vector2, "y", number, 1, 1},
    {Type::vector2i, "x", whole, 0, 1},
    {Type::vector2i, "y", whole, 1, 1},
    {Type::vector3, "x", number, 0, 1},
    {Type::vector3, "y", number, 1, 1},
    {Type::vector3, "z", number, 2, 1},
    {Type::vector3i, "x", whole, 0, 1},
    {Type::vector3i, "y", whole, 1, 1},
    {Type::vector3i, "z", whole, 2, 1},
    {Type::vector4, "x", number, 0, 1},
    {Type::vector4, "y", number, 1, 1},
    {Type::vector4, "z", number, 2, 1},
    {Type::vector4, "w", number, 3, 1},
    {Type::vector4i, "x", whole, 0, 1},
    {Type::vector4i, "y", whole, 1, 1},
    {Type::vector4i, "z", whole, 2, 1},
    {Type::vector4i, "w", whole, 3, 1},
    {Type::rect2, "position", Type::vector2, 0, 1},
    {Type::rect2, "size", Type::vector2, 2, 1},
    {Type::rect2i, "position", Type::vector2i, 0, 1},
    {Type::rect2i, "size", Type::vector2i, 2, 1},
    {Type::transform2d, "x", Type::vector2, 0, 1},
    {Type::transform2d, "y", Type::vector2, 2, 1},
    {Type::transform2d, "origin", Type::vector2, 4, 1},
    {Type::plane, "normal", Type::vector3, 0, 1},
    {Type::plane, "x", number, 0, 1},
    {Type::plane, "y", number, 1, 1},
    {Type::plane, "z", number, 2, 1},
    {Type::plane, "d", number, 3, 1},
    {Type::quaternion, "x", number, 0, 1},
    {Type::quaternion, "y", number, 1, 1},
    {Type::quaternion, "z", number, 2, 1},
    {Type::quaternion, "w", number, 3, 1},
    {Type::aabb, "position", Type::vector3, 0, 1},
    {Type::aabb, "size", Type::vector3, 3, 1},
    {Type::basis, "x", Type::vector3, 0, 3},
    {Type::basis, "y", Type::vector3, 1, 3},
    {Type::basis, "z", Type::vector3, 2, 3},
    {Type::transform3d, "basis", Type::basis, 0, 1},
    {Type::transform3d, "origin", Type::vector3, 9, 1},
    {Type::projection, "x", Type::vector4, 0, 1},
    {Type::projection, "y", Type::vector4, 4, 1},
    {Type::projection, "z", Type::vector4, 8, 1},
    {Type::projection, "w", Type::vector4, 12, 1},
    {Type::color, "r", number, 0, 1},
    {Type::color, "g", number, 1, 1},
    {Type::color, "b", number, 2, 1},
    {Type::color, "a", number, 3, 1},
};

const NamedPart* named_part(Type of, const Path::Step& step) noexcept {
    if (step.kind != Path::StepKind::name || step.descends)
        return nullptr;
    for (const NamedPart& row : named_parts)
        if (row.of == of && step.text == row.name)
            return &row;
    return nullptr;
}

constexpr std::pair<Type, Type> elements_of[] = {
    {Type::packed_byte_array, Type::integer},      {Type::packed_int32_array, Type::integer},
    {Type::packed_int64_array, Type::integer},     {Type::packed_float32_array, Type::real},
    {Type::packed_float64_array, Type::real},      {Type::packed_string_array, Type::string},
    {Type::packed_vector2_array, Type::vector2},   {Type::packed_vector3_array, Type::vector3},
    {Type::packed_vector4_array, Type::vector4},   {Type::packed_vector2i_array, Type::vector2i},
    {Type::packed_vector3i_array, Type::vector3i}, {Type::packed_vector4i_array, Type::vector4i},
    {Type::packed_color_array, Type::color},
};
Type element_of(Type packed) {
    for (const auto& [array, element] : elements_of)
        if (array == packed)
            return element;
    return Type::nil;
}

struct Components {
    const std::byte* data;
    ComponentType component;
    bool host_order;
    template <class T>
    T at(std::size_t i) const {
        return detail::component<T>(data + i * sizeof(T), host_order);
    }
    std::int64_t whole(std::size_t i) const {
        switch (component) {
            case ComponentType::u8:
                return at<std::uint8_t>(i);
            case ComponentType::i32:
                return at<std::int32_t>(i);
            default:
                return at<std::int64_t>(i);
        }
    }
    double real(std::size_t i) const {
        return component == ComponentType::f64 ? at<double>(i) : static_cast<double>(at<float>(i));
    }
};
Components components_of(const View& view, const Part& part) {
    if (type_info(view.type()).packed) {
        const PackedView all = view.packed();
        return {all.data + part.element * all.element_size(), all.component(), all.host_order};
    }
    const MathView math = view.math();
    return {math.data, math.wide ? ComponentType::f64 : type_info(math.type).component,
            math.host_order};
}

/// Encodes the part, a number or a math value, as a packet.
Errc encode_part(Encoder<BufferOutput>& to, const View& view, const Part& part) {
    const Components components = components_of(view, part);
    if (part.type == Type::integer)
        return to.integer(components.whole(part.first));
    if (part.type == Type::real)
        return to.real(components.real(part.first));
    std::byte copy[16 * 8];
    const std::size_t size = component_bytes(components.component);
    for (std::size_t i = 0; i < part.components(); ++i)
        std::memcpy(copy + i * size, components.data + (part.first + i * part.stride) * size, size);
    return to.math(
        {part.type, components.component == ComponentType::f64, components.host_order, copy});
}

struct Made {
    PackedByteArray bytes;
    Document document;
};

}  // namespace

bool has_parts(const View& view) noexcept {
    const TypeInfo& info = type_info(view.type());
    return info.components > 0 || view.is(Type::packed_string_array);
}

std::size_t element_count(const View& packed) noexcept {
    return packed.is(Type::packed_string_array) || type_info(packed.type()).packed ? packed.size()
                                                                                   : 0;
}

std::string said(const Path::Step& step) {
    const std::string printed = step.to_string();
    return printed.substr(printed.starts_with('.') && !step.descends);
}

std::optional<Part> component_at(const View& math, const Path::Step& step) noexcept {
    const NamedPart* found = named_part(math.type(), step);
    if (!found)
        return std::nullopt;
    return Part{.type = found->type, .first = found->first, .stride = found->stride};
}

std::expected<Part, Error> part_at(const View& view, std::span<const Path::Step> steps) {
    const auto refuse = [&](Errc code) {
        return std::unexpected(Error{code, view.type(), view.offset(), 0});
    };
    Part part{.type = view.type()};
    if (const Type element = element_of(view.type()); element != Type::nil) {
        const Path::Step& step = steps.front();
        if (step.kind != Path::StepKind::index || step.descends)
            return refuse(Errc::wrong_type);
        const auto count = static_cast<std::int64_t>(element_count(view));
        const std::int64_t index = step.index < 0 ? step.index + count : step.index;
        if (index < 0 || index >= count)
            return std::unexpected(
                Error{Errc::index_out_of_range, view.type(), view.offset(), 0}.about_index(
                    step.index, element_count(view)));
        part.element = static_cast<std::size_t>(index);
        part.type = element;
        steps = steps.subspan(1);
    }
    for (const Path::Step& step : steps) {
        if (!type_info(part.type).components)
            return refuse(Errc::wrong_type);
        const NamedPart* found = named_part(part.type, step);
        if (!found)
            return std::unexpected(
                Error{Errc::missing_key, view.type(), view.offset(), 0}.about_key(said(step)));
        part.first += part.stride * found->first;
        part.stride *= found->stride;
        part.type = found->type;
    }
    return part;
}

namespace {

struct CountFinder : NullSink {
    static constexpr bool reads_to_the_break = true;
    std::optional<std::size_t> at;
    void raw(Field field, std::size_t offset, std::size_t) {
        if (!at && (field == Field::count || field == Field::property_count))
            at = offset;
    }
    // Only the header is needed.
    Errc begin_array(Type, const ContainerType&, std::uint32_t) { return Errc::stopped; }
    Errc begin_dictionary(const ContainerType&, const ContainerType&, std::uint32_t) {
        return Errc::stopped;
    }
    Errc begin_object(std::string_view, std::uint32_t) { return Errc::stopped; }
};

}  // namespace

std::optional<std::size_t> count_place(const View& container) {
    CountFinder finder;
    (void)read(container.raw(), container.options(), finder);
    return finder.at;
}

Type element_type(const View& packed) noexcept {
    return element_of(packed.type());
}

namespace {

/// The output of `write(encoder)`, as a Document that its View keeps alive.
template <class Write>
std::expected<inspect::Found, Error> made(const View& view, const Dialect& dialect, Write&& write,
                                          bool narrow = false) GDVAR_TRY {
    const auto refuse = [&](Errc code) {
        return std::unexpected(Error{code, view.type(), view.offset(), 0});
    };
    auto made = std::make_shared<Made>();
    const EncodeOptions to{.dialect = &dialect};
    {
        BufferOutput output(made->bytes);
        Encoder<BufferOutput> encoder(output, to);
        if (const Errc code = write(encoder); code != Errc::ok)
            return refuse(code);
    }
    if (auto done = made->document.read(as_bytes(made->bytes), {.dialect = &dialect}); !done)
        return refuse(done.error().code);
    const View root = std::as_const(made->document).root();
    return inspect::Found(root, std::move(made), narrow);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, view.offset(), 0}))

}  // namespace

std::expected<inspect::Found, Error> make_text(const View& view, std::string_view text) {
    // Text is encoded in the packet's own dialect.
    return made(view, *view.options().dialect, [&](auto& encoder) { return encoder.string(text); });
}

std::expected<inspect::Found, Error> make_value(const View& view, const Part& part) {
    if (part.type == Type::string) {
        std::size_t i = 0;
        for (const auto all = view.strings(); const std::string_view text : all)
            if (i++ == part.element)
                return make_text(view, text);
        return std::unexpected(Error{Errc::index_out_of_range, view.type(), view.offset(), 0});
    }
    // The newest dialect has all types.
    const bool narrow =
        part.type == Type::real && components_of(view, part).component == ComponentType::f32;
    return made(
        view, *EncodeOptions().dialect,
        [&](auto& encoder) { return encode_part(encoder, view, part); }, narrow);
}

}  // namespace gdvar::detail
