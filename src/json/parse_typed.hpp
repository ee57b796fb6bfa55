// Typed JSON: the shape is in docs/json.md.
#pragma once

#include "building.hpp"

namespace gdvar::detail {

template <class T>
bool whole_number(std::string_view text, T& value, int base = 10) noexcept {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    return error == std::errc() && stop == end;
}

/// The members of one JSON object, by name. The type decides which are allowed.
struct Members {
    static constexpr std::string_view names[] = {
        "type",      "args",      "wide",     "nan",      "id",         "name",       "props",
        "elem_type", "elem_kind", "key_type", "key_kind", "value_type", "value_kind", "names",
        "subnames",  "absolute",  "property", "format",   "mipmaps",    "width",      "height",
        "data",      "event",     "device",   "words"};
    enum Name : std::uint8_t {
        type,
        args,
        wide,
        nan,
        id,
        name,
        props,
        elem_type,
        elem_kind,
        key_type,
        key_kind,
        value_type,
        value_kind,
        names_,
        subnames,
        absolute,
        property,
        format,
        mipmaps,
        width,
        height,
        data,
        event,
        device,
        words,
        count
    };
    /// The value's node; 0 if the member is missing (no value is node 0).
    std::uint32_t at[count] = {};
    std::uint32_t seen = 0;  ///< bits, by Name
    static constexpr std::uint32_t bits(auto... names) noexcept {
        return ((std::uint32_t{1} << names) | ... | 0u);
    }
};
static_assert(std::size(Members::names) == Members::count);

class TypedReader {
public:
    static constexpr bool outlines = false;
    explicit TypedReader(JsonBuilder& to) : to_(to) {}

    bool read(std::uint32_t index) {
        const JsonNode& node = at(index);
        switch (node.kind) {
            case JsonNode::null:
                return to_.complete(index, Variant());
            case JsonNode::boolean:
                return to_.complete(index, Variant(node.truth));
            case JsonNode::number:
                return to_.fail(index, Errc::wrong_type,
                                "numbers are written \"i:1\" or \"f:1.0\" here");
            case JsonNode::string:
                return tagged(index);
            case JsonNode::array:
                return untyped_array(index);
            case JsonNode::object:
                return object(index);
        }
        return false;
    }

private:
    const JsonNode& at(std::uint32_t index) const noexcept { return to_.tree.nodes[index]; }
    std::string_view text(std::uint32_t index) const noexcept { return to_.tree.text(at(index)); }
    bool is(std::uint32_t index, JsonNode::Kind kind) const noexcept {
        return index && at(index).kind == kind;
    }

    // strings.
    bool tagged(std::uint32_t index);
    bool real(std::uint32_t index, std::string_view digits);
    // objects.
    bool object(std::uint32_t index);
    bool members(std::uint32_t index, Members& found);
    bool only(std::uint32_t index, const Members& found, std::uint32_t allowed, Type type);
    bool flag(std::uint32_t index, bool& value);
    bool number_text(std::uint32_t index, std::uint64_t& value);
    bool object_id(std::uint32_t index, std::uint64_t& value);
    template <class T>
    bool raw_number(std::uint32_t index, T& value);
    bool math(std::uint32_t index, const Members& found, Type type);
    bool packed(std::uint32_t index, const Members& found, Type type);
    bool components(std::uint32_t args, ComponentType kind, std::vector<std::byte>& to);
    bool component(std::uint32_t index, ComponentType component, std::vector<std::byte>& to);
    bool unusual_nans(std::uint32_t index, ComponentType kind, std::vector<std::byte>& to);
    bool strings(std::uint32_t list, PackedStringArray& to);
    bool node_path(std::uint32_t index, const Members& found);
    bool handle(std::uint32_t index, const Members& found, Type type);
    bool signal(std::uint32_t index, const Members& found);
    bool image(std::uint32_t index, const Members& found);
    bool input_event(std::uint32_t index, const Members& found);
    // containers.
    bool untyped_array(std::uint32_t index);
    bool typed_array(std::uint32_t index, const Members& found, Type type);
    bool dictionary(std::uint32_t index, const Members& found);
    bool full_object(std::uint32_t index, const Members& found);
    bool element_type(std::uint32_t type, std::uint32_t kind, ContainerType& to);

    JsonBuilder& to_;
    std::vector<std::byte> components_, placed_;  ///< of the last vector or matrix
    std::string_view last_name_;                  ///< the last object's type,
    std::optional<Type> last_type_;               ///< and its value
};

}  // namespace gdvar::detail
