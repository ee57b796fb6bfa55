#include "parse_typed.hpp"

#include <bit>

#include "base/special_bytes.hpp"

namespace gdvar {
namespace detail {

// ---- strings ------------------------------------------------------------------------------------

bool TypedReader::tagged(std::uint32_t index) {
    const std::string_view all = text(index);
    const auto tag = [&](std::size_t i) { return i < all.size() ? all[i] : '\0'; };
    if (tag(1) == ':') {
        const std::string_view rest = all.substr(2);
        if (tag(0) == 's')
            return to_.text(index, Type::string, rest);
        if (tag(0) == 'f')
            return real(index, rest);
        if (tag(0) == 'i') {
            std::int64_t value = 0;
            return whole_number(rest, value)
                       ? to_.number(index, value)
                       : to_.fail(index, Errc::bad_number, "expected an int of 64 bits",
                                  Type::integer);
        }
    } else if (tag(2) == ':') {
        const std::string_view rest = all.substr(3);
        if (tag(0) == 's' && tag(1) == 'n')
            return to_.text(index, Type::string_name, rest);
        if (tag(0) == 'n' && tag(1) == 'p') {
            // The engine reads it as an empty path.
            if (rest.find("::") != rest.npos)
                return to_.fail(index, Errc::bad_node_path, "an empty subname", Type::node_path);
            return to_.complete(index, Variant(NodePath(rest)));
        }
    }
    return to_.fail(index, Errc::wrong_type,
                    "strings begin with \"s:\", \"sn:\", \"np:\", \"i:\" or \"f:\" here");
}

bool TypedReader::real(std::uint32_t index, std::string_view digits) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (PlainNumber plain; plain.read_all(digits) && plain.exact())
        return to_.number(index, plain.quotient());
    if (digits == "inf")
        return to_.complete(index, Variant(infinity));
    if (digits == "-inf")
        return to_.complete(index, Variant(-infinity));
    if (digits == "nan")
        return to_.complete(index, Variant(std::numeric_limits<double>::quiet_NaN()));
    if (digits.starts_with("nan:")) {
        std::uint64_t bits = 0;
        const bool good = whole_number(digits.substr(4), bits, 16);
        const double value = std::bit_cast<double>(bits);
        if (good && value != value)
            return to_.complete(index, Variant(value));
    } else {
        double value = 0;
        const char* end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, value);
        // from_chars also accepts "infinity" and the like.
        const bool letters = SpecialBytes<0, 'i', 'I', 'n', 'N'>::find(digits, 0) != digits.size();
        if (stop == end && error == std::errc::result_out_of_range && !letters)
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit float", Type::real);
        if (stop == end && error == std::errc() && !letters)
            return to_.number(index, value);
    }
    return to_.fail(index, Errc::bad_number, "expected a float after \"f:\"", Type::real);
}

// ---- objects ------------------------------------------------------------------------------------

bool TypedReader::members(std::uint32_t index, Members& found) {
    std::uint32_t next = index + 1;
    for (std::uint32_t i = 0; i < at(index).count; ++i) {
        const std::uint32_t name = next, value = name + 1;
        next = at(value).end;
        std::size_t known = 0;
        const std::string_view written = text(name);
        while (known < Members::count &&
               (!written.starts_with(Members::names[known][0]) || Members::names[known] != written))
            ++known;
        if (known == Members::count)
            return to_.fail(name, Errc::wrong_arguments, "a member that no value has");
        if (found.at[known])
            return to_.fail(name, Errc::wrong_arguments, "the member is there twice");
        found.at[known] = value;
        found.seen |= Members::bits(known);
    }
    return true;
}

/// True if there are no members except `type` and those.
bool TypedReader::only(std::uint32_t index, const Members& found, std::uint32_t allowed,
                       Type type) {
    if (!(found.seen & ~(allowed | Members::bits(Members::type))))
        return true;
    return to_.fail(index, Errc::wrong_arguments, "a member that this type does not have", type);
}

bool TypedReader::object(std::uint32_t index) {
    Members found;
    if (!members(index, found))
        return false;
    if (!is(found.at[Members::type], JsonNode::string))
        return to_.fail(index, Errc::wrong_arguments, "expected a member \"type\" with a string");
    if (found.at[Members::props])
        return full_object(index, found);
    const std::string_view name = text(found.at[Members::type]);
    if (name != last_name_) {
        last_type_ = type_by_name(name);
        last_name_ = name;
    }
    const auto type = last_type_;
    if (!type)
        return to_.fail(index, Errc::unknown_constructor, {});
    if (is_math(*type))
        return math(index, found, *type);
    if (is_packed(*type))
        return packed(index, found, *type);
    switch (*type) {
        case Type::packed_string_array: {
            PackedStringArray made;
            if (!only(index, found, Members::bits(Members::args), *type))
                return false;
            if (!found.at[Members::args])
                return to_.fail(index, Errc::wrong_arguments, "no \"args\"");
            if (!strings(found.at[Members::args], made))
                return false;
            return to_.complete(index, Variant(std::move(made)));
        }
        case Type::node_path:
            return node_path(index, found);
        case Type::rid:
        case Type::object:
            return handle(index, found, *type);
        case Type::callable:
            return only(index, found, 0, *type) && to_.complete(index, Variant(Callable()));
        case Type::signal:
            return signal(index, found);
        case Type::image:
            return image(index, found);
        case Type::input_event:
            return input_event(index, found);
        case Type::array:
        case Type::packed_typed_array:
            return typed_array(index, found, *type);
        case Type::dictionary:
            return dictionary(index, found);
        default:
            return to_.fail(index, Errc::unknown_constructor, "not written as an object", *type);
    }
}

bool TypedReader::flag(std::uint32_t index, bool& value) {
    if (!index)
        return true;
    if (!is(index, JsonNode::boolean))
        return to_.fail(index, Errc::wrong_arguments, "expected true or false");
    value = at(index).truth;
    return true;
}

/// A 64-bit number as a string, because JSON readers may round numbers.
bool TypedReader::number_text(std::uint32_t index, std::uint64_t& value) {
    if (!index)
        return true;
    if (is(index, JsonNode::string) && whole_number(text(index), value))
        return true;
    return to_.fail(index, Errc::bad_number, "expected a number in quotes");
}

/// An Object's id: the same, signed or not.
bool TypedReader::object_id(std::uint32_t index, std::uint64_t& value) {
    std::int64_t with_sign = 0;
    if (!index || !is(index, JsonNode::string) || !whole_number(text(index), with_sign))
        return number_text(index, value);
    value = static_cast<std::uint64_t>(with_sign);
    return true;
}

// ---- containers ---------------------------------------------------------------------------------

bool TypedReader::untyped_array(std::uint32_t index) {
    return to_.push(index,
                    {.next = index + 1, .left = at(index).count, .container = Variant(Array())});
}

bool TypedReader::element_type(std::uint32_t type, std::uint32_t kind, ContainerType& to) {
    if (kind && !type)
        return to_.fail(kind, Errc::wrong_arguments, "a kind without a type");
    if (!type)
        return true;
    if (!is(type, JsonNode::string))
        return to_.fail(type, Errc::wrong_arguments, "expected a type's name");
    const std::string_view name = text(type);
    const auto builtin = type_by_name(name);
    if (kind) {
        if (is(kind, JsonNode::string) && text(kind) == "class")
            to = ContainerType::of_class(name);
        else if (is(kind, JsonNode::string) && text(kind) == "script")
            to = ContainerType::of_script(name);
        else
            return to_.fail(kind, Errc::wrong_arguments, "expected \"class\" or \"script\"");
    } else if (builtin) {
        to = ContainerType::of(*builtin);
    } else {
        to = name.starts_with("res://") ? ContainerType::of_script(name)
                                        : ContainerType::of_class(name);
    }
    return true;
}

bool TypedReader::typed_array(std::uint32_t index, const Members& found, Type type) {
    ContainerType element;
    if (!only(index, found, Members::bits(Members::args, Members::elem_type, Members::elem_kind),
              type) ||
        !element_type(found.at[Members::elem_type], found.at[Members::elem_kind], element))
        return false;
    const std::uint32_t args = found.at[Members::args];
    if (!is(args, JsonNode::array))
        return to_.fail(index, Errc::wrong_arguments, "expected a list in \"args\"", type);
    Array made;
    made.set_element_type(element);
    return to_.push(index, {.made = type,
                            .next = args + 1,
                            .left = at(args).count,
                            .container = Variant(std::move(made))});
}

bool TypedReader::dictionary(std::uint32_t index, const Members& found) {
    ContainerType key, value;
    if (!only(index, found,
              Members::bits(Members::args, Members::key_type, Members::key_kind,
                            Members::value_type, Members::value_kind),
              Type::dictionary) ||
        !element_type(found.at[Members::key_type], found.at[Members::key_kind], key) ||
        !element_type(found.at[Members::value_type], found.at[Members::value_kind], value))
        return false;
    const std::uint32_t args = found.at[Members::args];
    if (!is(args, JsonNode::array) || at(args).count % 2)
        return to_.fail(index, Errc::wrong_arguments, "expected keys and values in \"args\"",
                        Type::dictionary);
    return to_.push(index, {.kind = JsonEntry::dictionary,
                            .made = Type::dictionary,
                            .next = args + 1,
                            .left = at(args).count,
                            .container = Variant(Dictionary(key, value))});
}

bool TypedReader::full_object(std::uint32_t index, const Members& found) {
    const std::uint32_t props = found.at[Members::props];
    if (!only(index, found, Members::bits(Members::props), Type::object))
        return false;
    if (!is(props, JsonNode::array) || at(props).count % 2)
        return to_.fail(index, Errc::wrong_arguments, "expected names and values in \"props\"",
                        Type::object);
    return to_.push(index, {.kind = JsonEntry::object,
                            .made = Type::object,
                            .next = props + 1,
                            .left = at(props).count,
                            .container = Variant(Object(text(found.at[Members::type])))});
}

}  // namespace detail

std::expected<Variant, TextError> parse_json(std::string_view text, const JsonParseOptions& options,
                                             std::size_t* size) {
    return detail::parse_json_with<detail::TypedReader>(text, options, size);
}

}  // namespace gdvar
