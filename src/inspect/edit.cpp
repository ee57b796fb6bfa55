#include "gdvar/inspect/edit.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "gdvar/wire/encoder.hpp"
#include "inspect/part.hpp"

namespace gdvar::inspect {
namespace {

std::unexpected<Error> refuse(Errc code, Type type, std::uint64_t offset) {
    return std::unexpected(Error{code, type, offset, 0});
}

/// The same, of the place in the packet.
std::unexpected<Error> moved(Error error, std::uint64_t offset) {
    error.offset = offset;
    return std::unexpected(error);
}

EncodeOptions writing(const DecodeOptions& options) {
    return {.dialect = options.dialect, .allow_objects = true, .real_width = options.real_width};
}

/// A packet and the places in it.
class Editor {
public:
    Editor(ByteView packet, const DecodeOptions& options) : packet_(packet), options_(options) {}

    std::expected<void, Error> open(const Path& path) {
        steps_ = path.steps;
        auto document = Document::parse(packet_, options_);
        if (!document)
            return std::unexpected(document.error());
        document_ = *std::move(document);
        parent_ = std::as_const(document_).root();
        for (std::size_t i = 0; i + 1 < steps_.size(); ++i) {
            if (detail::has_parts(parent_)) {
                part_steps_ = steps_.size() - i;
                return {};
            }
            auto next = detail::step_into(parent_, steps_[i]);
            if (!next)
                return std::unexpected(next.error());
            parent_ = *next;
        }
        part_steps_ = !steps_.empty() && detail::has_parts(parent_);
        return {};
    }
    /// The steps that lead into the parent where that is a math value or a packed array.
    std::span<const Path::Step> part_steps() const { return steps_.last(part_steps_); }
    bool root() const { return steps_.empty(); }
    const Path::Step& last() const { return steps_.back(); }
    const View& parent() const { return parent_; }
    std::size_t end_of(const View& view) const { return view.offset() + view.raw().size(); }

    /// The packet with `with` in place of `size` bytes at `at`, and `change` added to the count of
    /// the parent.
    std::expected<PackedByteArray, Error> spliced(std::size_t at, std::size_t size, ByteView with,
                                                  int change) const {
        PackedByteArray out;
        if (!out.try_reserve(packet_.size() - size + with.size()))
            return refuse(Errc::no_memory, Type::nil, at);
        append(out, packet_.first(at));
        if (change) {
            const auto place = detail::count_place(parent_);
            if (!place)
                return refuse(Errc::wrong_type, parent_.type(), parent_.offset());
            std::byte* count = reinterpret_cast<std::byte*>(out.data()) + parent_.offset() + *place;
            // What sharing and other bits an engine put beside the count stays.
            detail::store(count,
                          detail::load<std::uint32_t>(count) + static_cast<std::uint32_t>(change));
        }
        append(out, with);
        append(out, packet_.subspan(at + size));
        return out;
    }
    /// The packet with other bytes at `at`.
    std::expected<PackedByteArray, Error> overwritten(std::size_t at, ByteView with) const {
        return spliced(at, with.size(), with, 0);
    }
    /// Where bytes that a View borrows from the packet stand in it, if it does.
    std::optional<std::size_t> place_of(const std::byte* data, std::size_t size) const {
        const std::less_equal<> no_later;
        if (!no_later(packet_.data(), data) ||
            !no_later(data + size, packet_.data() + packet_.size()))
            return std::nullopt;
        return static_cast<std::size_t>(data - packet_.data());
    }
    EncodeOptions encoding() const { return writing(options_); }
    std::expected<PackedByteArray, Error> encoded(const Variant& value, std::size_t offset) const {
        auto bytes = encode(value, writing(options_));
        if (!bytes)
            return moved(bytes.error(), offset);
        return bytes;
    }

private:
    static void append(PackedByteArray& to, ByteView bytes) {
        if (!bytes.empty())
            std::memcpy(to.data() + to.size(), bytes.data(), bytes.size());
        to.set_size(to.size() + bytes.size());
    }
    ByteView packet_;
    DecodeOptions options_;
    Document document_;
    std::span<const Path::Step> steps_;
    std::size_t part_steps_ = 0;
    View parent_;
};

/// The key that a step of a path stands for.
std::expected<Variant, Error> key_of(const Path::Step& step) {
    if (!step.several() && step.kind == Path::StepKind::index)
        return Variant(step.index);
    // Other keys are written as text; a name is a String.
    std::string text = step.text;
    if (step.kind == Path::StepKind::name)
        text = quote(step.text);
    auto key = parse_text(text, {.full = true, .whole = true});
    if (!key || step.several())
        return refuse(Errc::bad_path, Type::nil, 0);
    return *std::move(key);
}

bool takes(const ContainerType& type, const Variant& value) {
    if (!type.typed() || type.type == Type::nil)
        return true;
    if (type.type == Type::object)
        return value.is(Type::object) || value.is_nil();
    return value.is(type.type);
}

std::unexpected<Error> not_taken(const ContainerType& type, const Variant& value,
                                 std::uint64_t offset) {
    return moved(Error{Errc::wrong_type, value.type()}.about_types(type.type), offset);
}

/// Sets an element of a packed array: reads the array as an Array's elements and writes all of it.
/// The error's code is ok on success.
template <class Element>
Error set_element(PackedArray<Element>& array, std::size_t i, const Variant& value) {
    if constexpr (MathType<Element> || std::is_arithmetic_v<Element>) {
        auto element = value.get<Element>();
        if (!element)
            return element.error();
        if (i == array.size())
            array.push_back(*element);
        else
            array[i] = *element;
        return {};
    }
    return Error{Errc::wrong_type, value.type()};
}

template <class... Element>
Error set_in_any(Variant& packed, std::size_t i, const Variant& value) {
    Error done{Errc::wrong_type, value.type()};
    const auto attempt = [&]<class E>(E*) {
        if (auto* array = packed.get_if<PackedArray<E>>())
            done = set_element(*array, i, value);
    };
    (attempt(static_cast<Element*>(nullptr)), ...);
    return done;
}

std::expected<std::size_t, Error> index_of(const Editor& editor, std::size_t size,
                                           bool may_append) {
    const Path::Step& step = editor.last();
    const View& parent = editor.parent();
    if (step.kind == Path::StepKind::append && may_append)
        return size;
    if (step.kind != Path::StepKind::index || step.descends)
        return moved(Error{Errc::wrong_type, parent.type()}
                         .about_key(detail::said(step))
                         .about_types(Type::dictionary, Type::object),
                     parent.offset());
    const std::int64_t i =
        step.index < 0 ? step.index + static_cast<std::int64_t>(size) : step.index;
    if (i < 0 || i > static_cast<std::int64_t>(size) - !may_append)
        return moved(Error{Errc::index_out_of_range, parent.type()}.about_index(step.index, size),
                     parent.offset());
    return static_cast<std::size_t>(i);
}

std::expected<PackedByteArray, Error> set_packed(const Editor& editor, const Variant* value) {
    const View& parent = editor.parent();
    auto index = index_of(editor, parent.size(), value != nullptr);
    if (!index)
        return std::unexpected(index.error());
    auto whole = parent.get<Variant>();
    if (!whole)
        return std::unexpected(whole.error());
    Error why{};
    if (auto* strings = whole->get_if<PackedStringArray>()) {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < strings->size(); ++i)
            all.emplace_back((*strings)[i]);
        const bool fits = !value || value->is(Type::string) || value->is(Type::string_name);
        if (!value)
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(*index));
        else if (!fits)
            why = Error{Errc::wrong_type, value->type()}.about_types(Type::string);
        else if (*index == all.size())
            all.emplace_back(value->text());
        else
            all[*index] = value->text();
        PackedStringArray changed;
        for (const std::string& text : all)
            changed.push_back(text);
        *whole = std::move(changed);
    } else if (value) {
        why = set_in_any<std::uint8_t, std::int32_t, std::int64_t, float, double, Vector2, Vector3,
                         Vector4, Color, Vector2d, Vector3d, Vector4d, Colord, Vector2i, Vector3i,
                         Vector4i>(*whole, *index, *value);
    }
    if (why.code != Errc::ok)
        return moved(why, parent.offset());
    auto bytes = editor.encoded(*whole, parent.offset());
    if (!bytes)
        return std::unexpected(bytes.error());
    return editor.spliced(parent.offset(), parent.raw().size(), as_bytes(*bytes), 0);
}

// ---- parts: components of a math value or of an element

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
            detail::store(to, single);
            return {};
        }
    }
    const auto number = value.get<T>();
    if (!number)
        return number.error();
    detail::store(to, *number);
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
Error put_part(const detail::Part& part, ComponentType component, std::byte* components,
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

std::expected<PackedByteArray, Error> set_part(const Editor& editor, const Variant& value) {
    const View& whole = editor.parent();
    const auto part = detail::part_at(whole, editor.part_steps());
    if (!part)
        return std::unexpected(part.error());
    const auto misfit = [&](const Error& error) { return moved(error, whole.offset()); };
    if (type_info(whole.type()).packed) {
        const PackedView all = whole.packed();
        const auto at = editor.place_of(all.data, all.size());
        if (!at)
            return misfit({Errc::wrong_type, value.type()});
        std::byte element[4 * 8];
        std::memcpy(element, all.data + part->element * all.element_size(), all.element_size());
        if (const Error error = put_part(*part, all.component(), element, value);
            error.code != Errc::ok)
            return misfit(error);
        return editor.overwritten(*at + part->element * all.element_size(),
                                  {element, all.element_size()});
    }
    // A whole math value is made anew, since a dialect may have the components in another order;
    // but its header stays.
    const MathView old = whole.math();
    const ComponentType component = old.wide ? ComponentType::f64 : type_info(old.type).component;
    std::byte components[16 * 8];
    for (std::size_t i = 0; i < old.components(); ++i) {
        if (component == ComponentType::f64)
            detail::store(components + 8 * i,
                          detail::component<std::uint64_t>(old.data + 8 * i, old.host_order));
        else
            detail::store(components + 4 * i,
                          detail::component<std::uint32_t>(old.data + 4 * i, old.host_order));
    }
    if (const Error error = put_part(*part, component, components, value); error.code != Errc::ok)
        return misfit(error);
    PackedByteArray bytes;
    {
        BufferOutput output(bytes);
        const EncodeOptions to = editor.encoding();
        Encoder<BufferOutput> encoder(output, to);
        if (const Errc code = encoder.math({old.type, old.wide, false, components});
            code != Errc::ok)
            return refuse(code, old.type, whole.offset());
    }
    if (bytes.size() != whole.raw().size())
        return misfit({Errc::wrong_type, value.type()});
    const std::size_t header = bytes.size() - old.size();
    return editor.overwritten(whole.offset() + header, as_bytes(bytes).subspan(header));
}

/// Whether the last step adds to a packed array, or changes a text, which makes it anew.
bool changes_size(const Editor& editor) {
    const View& parent = editor.parent();
    if (parent.is(Type::packed_string_array))
        return true;
    if (editor.part_steps().size() > 1 || !type_info(parent.type()).packed)
        return false;
    const auto index = index_of(editor, parent.size(), true);
    return !index || *index == parent.size();
}

/// A pair, property or element behind the last one.
std::expected<PackedByteArray, Error> added(const Editor& editor, const Variant& value,
                                            const DecodeOptions& options) {
    const View& parent = editor.parent();
    PackedByteArray with;
    // A final PackedByteArray may lack its padding; something follows it now.
    with.resize(detail::padding_of(editor.end_of(parent)));
    if (parent.is(Type::dictionary)) {
        auto key = key_of(editor.last());
        if (!key)
            return std::unexpected(key.error());
        if (!takes(parent.key_type(), *key))
            return not_taken(parent.key_type(), *key, parent.offset());
        if (!takes(parent.value_type(), value))
            return not_taken(parent.value_type(), value, parent.offset());
        auto bytes = editor.encoded(*key, parent.offset());
        if (!bytes)
            return bytes;
        with.append(std::span<const std::uint8_t>(bytes->data(), bytes->size()));
    } else if (parent.is(Type::object)) {
        auto key = key_of(editor.last());
        if (!key || !key->is(Type::string))
            return refuse(Errc::bad_path, Type::object, 0);
        auto bytes = editor.encoded(*key, parent.offset());
        if (!bytes)
            return bytes;
        with.append(std::span<const std::uint8_t>(bytes->data(), bytes->size())
                        .subspan(4));  // a property's name has no header
    } else if (!takes(parent.element_type(), value)) {
        return not_taken(parent.element_type(), value, parent.offset());
    }
    auto bytes = encode_to(with, value, writing(options));
    if (!bytes)
        return moved(bytes.error(), parent.offset());
    return editor.spliced(editor.end_of(parent), 0, as_bytes(with), 1);
}

}  // namespace

std::expected<PackedByteArray, Error> set_value(ByteView packet, const Path& path,
                                                const Variant& value,
                                                const DecodeOptions& options) {
    Editor editor(packet, options);
    if (auto done = editor.open(path); !done)
        return std::unexpected(done.error());
    const View& parent = editor.parent();
    const bool array =
        !editor.root() && (parent.is(Type::array) || parent.is(Type::packed_typed_array));
    if (!editor.part_steps().empty())
        return changes_size(editor) ? set_packed(editor, &value) : set_part(editor, value);
    View old = parent;
    if (array) {
        auto index = index_of(editor, parent.size(), true);
        if (!index)
            return std::unexpected(index.error());
        if (*index == parent.size())
            return added(editor, value, options);
        old = parent[static_cast<std::int64_t>(*index)];
    } else if (!editor.root()) {
        auto found = detail::step_into(parent, editor.last());
        if (!found && found.error().code == Errc::missing_key)
            return added(editor, value, options);
        if (!found)
            return std::unexpected(found.error());
        old = *found;
    }
    const ContainerType type = editor.root()                 ? ContainerType()
                               : array                       ? parent.element_type()
                               : parent.is(Type::dictionary) ? parent.value_type()
                                                             : ContainerType();
    if (!takes(type, value))
        return not_taken(type, value, old.offset());
    auto bytes = editor.encoded(value, old.offset());
    if (!bytes)
        return bytes;
    return editor.spliced(old.offset(), old.raw().size(), as_bytes(*bytes), 0);
}

std::expected<PackedByteArray, Error> erase_value(ByteView packet, const Path& path,
                                                  const DecodeOptions& options) {
    Editor editor(packet, options);
    if (auto done = editor.open(path); !done)
        return std::unexpected(done.error());
    if (editor.root())
        return std::unexpected(
            Error{Errc::misplaced}.about_reason("the whole value can't be erased"));
    const View& parent = editor.parent();
    if (parent.is(Type::packed_string_array) && editor.part_steps().size() == 1)
        return set_packed(editor, nullptr);
    if (!editor.part_steps().empty()) {
        const auto part = detail::part_at(parent, editor.part_steps());
        return std::unexpected(
            part ? Error{Errc::misplaced, parent.type(), parent.offset()}.about_reason(
                       "a part can't be erased by itself")
                 : part.error());
    }
    auto found = detail::step_into(parent, editor.last());
    if (!found)
        return std::unexpected(found.error());
    std::size_t start = found->offset();
    if (parent.is(Type::dictionary)) {
        for (const auto all = parent.pairs(); const View::Pair& pair : all)
            if (pair.value == *found)
                start = pair.key.offset();
    } else if (parent.is(Type::object)) {
        // The name stands right before its value: length, text, padding.
        for (const auto all = parent.properties(); const View::Property& property : all)
            if (property.value == *found)
                start -= 4 + property.name.size() + detail::padding_of(property.name.size());
    }
    return editor.spliced(start, found->offset() + found->raw().size() - start, {}, -1);
}

std::expected<PackedByteArray, Error> set_value(ByteView packet, std::string_view path,
                                                const Variant& value,
                                                const DecodeOptions& options) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return set_value(packet, *parsed, value, options);
}

std::expected<PackedByteArray, Error> erase_value(ByteView packet, std::string_view path,
                                                  const DecodeOptions& options) {
    const auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return erase_value(packet, *parsed, options);
}

}  // namespace gdvar::inspect
