#include "inspect/part.hpp"

#include <array>
#include <memory>
#include <optional>

#include "base/exceptions.hpp"
#include "gdvar/wire/conversion.hpp"
#include "gdvar/wire/encoder.hpp"

namespace gdvar::detail {
namespace {

/// A part of a math type.
struct NamedPart {
    Type type;
    std::size_t first, stride;
};
/// The parts of a math type, by Godot's names, as components in the order of the wire: Basis by
/// rows (its x, a column, is every third component), Transform2D and Projection by columns
/// (docs/wire-format.md).
struct Parts {
    Type of, type;
    std::array<std::string_view, 4> names;
    std::size_t first = 0, step = 1;  ///< components: of the first part, and from one to the next
    std::size_t stride = 1;
};
constexpr Type whole = Type::integer, number = Type::real;
constexpr Parts all_parts[] = {
    {Type::vector2, number, {"x", "y"}},
    {Type::vector2i, whole, {"x", "y"}},
    {Type::vector3, number, {"x", "y", "z"}},
    {Type::vector3i, whole, {"x", "y", "z"}},
    {Type::vector4, number, {"x", "y", "z", "w"}},
    {Type::vector4i, whole, {"x", "y", "z", "w"}},
    {Type::rect2, Type::vector2, {"position", "size"}, 0, 2},
    {Type::rect2i, Type::vector2i, {"position", "size"}, 0, 2},
    {Type::transform2d, Type::vector2, {"x", "y", "origin"}, 0, 2},
    {Type::plane, Type::vector3, {"normal"}},
    {Type::plane, number, {"x", "y", "z", "d"}},
    {Type::quaternion, number, {"x", "y", "z", "w"}},
    {Type::aabb, Type::vector3, {"position", "size"}, 0, 3},
    {Type::basis, Type::vector3, {"x", "y", "z"}, 0, 1, 3},
    {Type::transform3d, Type::basis, {"basis"}},
    {Type::transform3d, Type::vector3, {"origin"}, 9},
    {Type::projection, Type::vector4, {"x", "y", "z", "w"}, 0, 4},
    {Type::color, number, {"r", "g", "b", "a"}},
};

std::optional<NamedPart> named_part(Type of, const Path::Step& step) noexcept {
    if (step.kind != Path::StepKind::name || step.descends || step.text.empty())
        return std::nullopt;
    for (const Parts& row : all_parts)
        for (std::size_t i = 0; row.of == of && i < row.names.size(); ++i)
            if (step.text == row.names[i])
                return NamedPart{row.type, row.first + i * row.step, row.stride};
    return std::nullopt;
}

struct Components {
    const std::byte* data;
    ComponentType component;
    bool host_order;
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
    const std::size_t size = component_bytes(components.component);
    if (part.type == Type::integer || part.type == Type::real)
        return with_component(components.component, [&]<class T>(std::type_identity<T>) {
            const T found =
                component<T>(components.data + part.first * size, components.host_order);
            if constexpr (std::integral<T>)
                return to.integer(found);
            else
                return to.real(static_cast<double>(found));
        });
    std::byte copy[16 * 8];
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
    const auto found = named_part(math.type(), step);
    if (!found)
        return std::nullopt;
    return Part{.type = found->type, .first = found->first, .stride = found->stride};
}

std::expected<Part, Error> part_at(const View& view, std::span<const Path::Step> steps) {
    const auto refuse = [&](Errc code) {
        return std::unexpected(Error{code, view.type(), view.offset(), 0});
    };
    Part part{.type = view.type()};
    if (const Type element = packed_element(view.type()); element != Type::nil) {
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
        const auto found = named_part(part.type, step);
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
    return packed_element(packed.type());
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
