#include <bit>
#include <cmath>

#include "gdvar/value/builder.hpp"
#include "parse_typed.hpp"
#include "value/node_path.hpp"

namespace gdvar::detail {

template <class T>
bool TypedReader::raw_number(std::uint32_t index, T& value) {
    if (!is(index, JsonNode::number))
        return to_.fail(index, Errc::bad_number, "expected a number");
    if (whole_number(text(index), value))
        return true;
    // Other tools turn 1 into 1.0 on the way.
    const double real = json_real(text(index)).value_or(0.5);
    constexpr double most = 9007199254740992.0;
    if (real == std::trunc(real) && real >= -most && real <= most &&
        std::in_range<T>(static_cast<std::int64_t>(real))) {
        value = static_cast<T>(real);
        return true;
    }
    return to_.fail(index, Errc::bad_number, "expected an integer that fits its type");
}

// ---- components -----------------------------------------------------------------------------

template <class T>
void append_bytes(std::vector<std::byte>& to, T value) {
    const std::size_t at = to.size();
    to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
}

/// A component's number from its digits. Godot and `to_json` write an infinity as 1e99999.
std::optional<double> real_component(std::string_view digits, ComponentType component) noexcept {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (digits.ends_with('9')) {
        if (digits == "1e99999")
            return infinity;
        if (digits == "-1e99999")
            return -infinity;
    }
    const auto value = json_real(digits);
    if (!value || component == ComponentType::f64)
        return value;
    const auto narrow = static_cast<float>(*value);
    if (!std::isfinite(narrow) || (narrow == 0) != (*value == 0))
        return std::nullopt;
    return value;
}

bool TypedReader::component(std::uint32_t index, ComponentType component,
                            std::vector<std::byte>& to) {
    return with_component(component, [&]<class T>(std::type_identity<T>) {
        T value{};
        if constexpr (std::integral<T>) {
            if (!raw_number(index, value))
                return false;
        } else {
            double real = std::numeric_limits<double>::quiet_NaN();
            if (is(index, JsonNode::number)) {
                const auto read = real_component(text(index), component);
                if (!read)
                    return to_.fail(index, Errc::bad_number, "does not fit a float of its width");
                real = *read;
            } else if (!is(index, JsonNode::null)) {
                return to_.fail(index, Errc::bad_number, "expected a number or null");
            }
            value = static_cast<T>(real);
        }
        append_bytes(to, value);
        return true;
    });
}

bool TypedReader::components(std::uint32_t args, ComponentType kind, std::vector<std::byte>& to) {
    std::uint32_t next = args + 1;
    to.reserve(at(args).count * component_bytes(kind));
    for (std::uint32_t i = 0; i < at(args).count; ++i) {
        if (!component(next, kind, to))
            return false;
        next = at(next).end;
    }
    return true;
}

/// `"nan":[[index,"bits"],...]`: the NaNs that need more than `null`.
bool TypedReader::unusual_nans(std::uint32_t index, ComponentType kind,
                               std::vector<std::byte>& to) {
    if (!index)
        return true;
    const auto bad = [&](std::uint32_t where) {
        return to_.fail(where, Errc::wrong_arguments, "expected [[index,\"bits\"],...] of NaNs");
    };
    if (!is(index, JsonNode::array) || (kind != ComponentType::f32 && kind != ComponentType::f64))
        return bad(index);
    const std::size_t size = component_bytes(kind);
    std::uint32_t next = index + 1;
    for (std::uint32_t i = 0; i < at(index).count; ++i) {
        const std::uint32_t pair = next;
        next = at(pair).end;
        std::uint64_t where = 0, bits = 0;
        if (!is(pair, JsonNode::array) || at(pair).count != 2)
            return bad(pair);
        if (!is(pair + 1, JsonNode::number) || !whole_number(text(pair + 1), where))
            return bad(pair);
        if (!is(pair + 2, JsonNode::string) || !whole_number(text(pair + 2), bits, 16))
            return bad(pair);
        if (where >= to.size() / size)
            return bad(pair);
        if (kind == ComponentType::f64) {
            const double value = std::bit_cast<double>(bits);
            if (value == value)
                return bad(pair);
            std::memcpy(to.data() + where * size, &bits, size);
        } else {
            const auto narrow = static_cast<std::uint32_t>(bits);
            const float value = std::bit_cast<float>(narrow);
            if (bits > 0xFFFF'FFFFu || value == value)
                return bad(pair);
            std::memcpy(to.data() + where * size, &narrow, size);
        }
    }
    return true;
}

bool TypedReader::math(std::uint32_t index, const Members& found, Type type) {
    constexpr std::uint32_t real = Members::bits(Members::wide, Members::nan);
    const TypeInfo& info = type_info(type);
    const std::uint32_t args = found.at[Members::args];
    bool wide = false;
    if (!only(index, found, Members::bits(Members::args) | (info.widens ? real : 0), type) ||
        !flag(found.at[Members::wide], wide))
        return false;
    if (!is(args, JsonNode::array) || at(args).count != info.components)
        return to_.fail(index, Errc::wrong_arguments, "the wrong number of \"args\"", type);
    const ComponentType kind = wide ? ComponentType::f64 : info.component;
    std::vector<std::byte>&bytes = components_, &placed = placed_;
    bytes.clear();
    if (!components(args, kind, bytes) || !unusual_nans(found.at[Members::nan], kind, bytes))
        return false;
    placed.resize(bytes.size());
    const std::size_t size = component_bytes(kind);
    const bool matrix = type == Type::basis || type == Type::transform3d;
    for (std::size_t i = 0; i < info.components; ++i) {
        // Columns here, rows on the wire.
        const std::size_t to = matrix && i < 9 ? i % 3 * 3 + i / 3 : i;
        std::memcpy(placed.data() + to * size, bytes.data() + i * size, size);
    }
    Variant made;
    const Errc code = VariantBuilder(made).math({type, wide, true, placed.data()});
    return code == Errc::ok ? to_.complete(index, std::move(made))
                            : to_.fail(index, code, {}, type);
}

bool TypedReader::packed(std::uint32_t index, const Members& found, Type type) {
    const TypeInfo& info = type_info(type);
    const std::uint32_t args = found.at[Members::args];
    const bool real = info.component == ComponentType::f32 || info.component == ComponentType::f64;
    bool wide = false;
    const std::uint32_t allowed = Members::bits(Members::args) |
                                  (info.widens ? Members::bits(Members::wide) : 0) |
                                  (real ? Members::bits(Members::nan) : 0);
    if (!only(index, found, allowed, type) || !flag(found.at[Members::wide], wide))
        return false;
    if (!is(args, JsonNode::array) || at(args).count % info.components)
        return to_.fail(index, Errc::wrong_arguments, "\"args\" that make no whole elements", type);
    const ComponentType kind = wide ? ComponentType::f64 : info.component;
    std::vector<std::byte> bytes;
    if (!components(args, kind, bytes) || !unusual_nans(found.at[Members::nan], kind, bytes))
        return false;
    Variant made;
    const Errc code = VariantBuilder(made).packed(
        {type, wide, true, at(args).count / info.components, bytes.data()});
    return code == Errc::ok ? to_.complete(index, std::move(made))
                            : to_.fail(index, code, {}, type);
}

// ---- names and handles --------------------------------------------------------------------------

bool TypedReader::strings(std::uint32_t list, PackedStringArray& to) {
    if (!is(list, JsonNode::array))
        return to_.fail(list, Errc::wrong_arguments, "expected a list of strings");
    std::uint32_t next = list + 1;
    for (std::uint32_t i = 0; i < at(list).count; ++i) {
        if (!is(next, JsonNode::string))
            return to_.fail(next, Errc::wrong_arguments, "expected a string");
        to.push_back(text(next));
        next = at(next).end;
    }
    return true;
}

bool TypedReader::node_path(std::uint32_t index, const Members& found) {
    PackedStringArray lists[2];
    bool absolute = false, property = false;
    if (!only(
            index, found,
            Members::bits(Members::names_, Members::subnames, Members::absolute, Members::property),
            Type::node_path))
        return false;
    for (const int i : {0, 1}) {
        const std::uint32_t list = found.at[i ? Members::subnames : Members::names_];
        if (!list)
            return to_.fail(index, Errc::wrong_arguments, "expected names and subnames");
        if (!strings(list, lists[i]))
            return false;
    }
    if (!flag(found.at[Members::absolute], absolute) ||
        !flag(found.at[Members::property], property))
        return false;
    if (property && lists[1].empty())
        return to_.fail(index, Errc::wrong_arguments, "there is no property", Type::node_path);
    NodePath made;
    if (!assign_names(made, lists[0], lists[1], absolute, property))
        return to_.fail(index, Errc::no_memory, {});
    return to_.complete(index, Variant(std::move(made)));
}

/// RID with or without an id; Object by id, or null.
bool TypedReader::handle(std::uint32_t index, const Members& found, Type type) {
    std::uint64_t id = 0;
    const std::uint32_t member = found.at[Members::id];
    if (!only(index, found, Members::bits(Members::id), type))
        return false;
    if (type == Type::rid)
        return number_text(member, id) && to_.complete(index, Variant(RID{id}));
    if (!member)
        return to_.fail(index, Errc::wrong_arguments, "expected \"id\" or \"props\"", type);
    if (is(member, JsonNode::null))
        return to_.complete(index, Variant(Object()));
    return object_id(member, id) && to_.complete(index, Variant(Object::from_id(id)));
}

bool TypedReader::signal(std::uint32_t index, const Members& found) {
    Signal made;
    const std::uint32_t name = found.at[Members::name];
    if (!only(index, found, Members::bits(Members::name, Members::id), Type::signal) ||
        !object_id(found.at[Members::id], made.object))
        return false;
    if (name && !is(name, JsonNode::string))
        return to_.fail(name, Errc::wrong_arguments, "expected a string", Type::signal);
    if (name)
        made.name = String(text(name));
    return to_.complete(index, Variant(std::move(made)));
}

bool TypedReader::image(std::uint32_t index, const Members& found) {
    Image made;
    const std::pair<Members::Name, std::uint32_t*> fields[] = {{Members::format, &made.format},
                                                               {Members::mipmaps, &made.mipmaps},
                                                               {Members::width, &made.width},
                                                               {Members::height, &made.height}};
    std::uint32_t allowed = Members::bits(Members::data);
    for (const auto& [name, field] : fields) {
        allowed |= Members::bits(name);
        if (!found.at[name])
            return to_.fail(index, Errc::wrong_arguments, "a member is missing", Type::image);
        if (!raw_number(found.at[name], *field))
            return false;
    }
    const std::uint32_t data = found.at[Members::data];
    if (!only(index, found, allowed, Type::image))
        return false;
    if (!is(data, JsonNode::array))
        return to_.fail(index, Errc::wrong_arguments, "expected bytes in \"data\"", Type::image);
    std::vector<std::byte> bytes;
    if (!components(data, ComponentType::u8, bytes))
        return false;
    made.data.resize(bytes.size());
    if (!bytes.empty())
        std::memcpy(made.data.data(), bytes.data(), bytes.size());
    return to_.complete(index, Variant(std::move(made)));
}

bool TypedReader::input_event(std::uint32_t index, const Members& found) {
    InputEvent made;
    const std::uint32_t words = found.at[Members::words];
    if (!only(index, found, Members::bits(Members::event, Members::device, Members::words),
              Type::input_event))
        return false;
    if (!found.at[Members::event] || !found.at[Members::device] || !is(words, JsonNode::array))
        return to_.fail(index, Errc::wrong_arguments, "a member is missing", Type::input_event);
    if (!raw_number(found.at[Members::event], made.type) ||
        !raw_number(found.at[Members::device], made.device))
        return false;
    if (at(words).count != InputEventView::word_count(made.type))
        return to_.fail(words, Errc::wrong_arguments, "the wrong number of words for its type",
                        Type::input_event);
    for (std::uint32_t i = 0; i < at(words).count; ++i)
        if (!raw_number(words + 1 + i, made.words[i]))
            return false;
    return to_.complete(index, Variant(made));
}

}  // namespace gdvar::detail
