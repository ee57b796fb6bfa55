// Plain JSON: the rules are in docs/json.md.
#include <limits>

#include "base/special_bytes.hpp"
#include "building.hpp"

namespace gdvar {
namespace {

using detail::JsonBuilder;
using detail::JsonEntry;
using detail::JsonNode;
using detail::PlainNumber;

/// Whether a number that is not in the range of floats is too small, not too large. That is so if
/// its first digit other than 0 is behind the point after the exponent is applied.
bool is_small(std::string_view text) noexcept {
    std::int64_t exponent = 0;
    const std::size_t e = text.find_first_of("eE");
    if (e != text.npos) {
        std::string_view digits = text.substr(e + 1);
        const bool minus = digits.starts_with('-');
        if (minus || digits.starts_with('+'))
            digits.remove_prefix(1);
        for (const char c : digits)
            if (exponent < std::int64_t{1} << 40)
                exponent = exponent * 10 + (c - '0');
        if (minus)
            exponent = -exponent;
    }
    const std::string_view mantissa = text.substr(0, e);
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    return first == mantissa.npos ||
           static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + exponent <= 0;
}

class PlainReader {
public:
    static constexpr bool outlines = true;
    explicit PlainReader(JsonBuilder& to) : to_(to) {}

    bool read(std::uint32_t index) {
        const JsonNode& node = to_.tree.nodes[index];
        switch (node.kind) {
            case JsonNode::null:
                return to_.complete(index, Variant());
            case JsonNode::boolean:
                return to_.complete(index, Variant(node.truth));
            case JsonNode::number:
                return number(index);
            case JsonNode::string:
                return to_.text(index, Type::string, to_.tree.text(node));
            default:
                return container(index);
        }
    }

private:
    bool number(std::uint32_t index) {
        const std::string_view text = to_.tree.text(to_.tree.nodes[index]);
        if (PlainNumber plain; plain.read(text, 0) && plain.text.size() == text.size()) {
            if (!plain.real && plain.held())
                return to_.number(index, plain.whole());
            if (plain.real && plain.exact())
                return to_.number(index, plain.quotient());
        }
        const bool whole = detail::SpecialBytes<0, '.', 'e', 'E'>::find(text, 0) == text.size();
        if (whole) {
            std::int64_t value = 0;
            const auto [stop, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc())
                return to_.complete(index, Variant(value));
        }
        if (whole && to_.options.strict_numbers)
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit int", Type::integer);
        const auto value = detail::json_real(text);
        const bool small = !value && is_small(text);
        if (!value && !small && to_.options.loose_numbers && !to_.options.strict_numbers) {
            constexpr double infinity = std::numeric_limits<double>::infinity();
            return to_.complete(index, Variant(text.starts_with('-') ? -infinity : infinity));
        }
        if (!value && (to_.options.strict_numbers || !small))
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit float", Type::real);
        return to_.complete(index, Variant(value.value_or(text.starts_with('-') ? -0.0 : 0.0)));
    }

    bool container(std::uint32_t index) {
        const JsonNode& node = to_.tree.nodes[index];
        JsonEntry entry;
        entry.next = index + 1;
        if (node.kind == JsonNode::object) {
            entry.kind = JsonEntry::dictionary;
            if (!to_.options.repeated_names && !to_.options.outline && to_.repeats_names(index))
                entry.made = Type::nil;  // equal names replace
            entry.left = 2 * node.count;
            entry.container = Variant(Dictionary());
        } else {
            entry.left = node.count;
            entry.container = Variant(Array());
        }
        return to_.push(index, std::move(entry));
    }

    JsonBuilder& to_;
};

}  // namespace

std::expected<Variant, TextError> parse_plain_json(std::string_view text,
                                                   const JsonParseOptions& options,
                                                   std::size_t* size) {
    return detail::parse_json_with<PlainReader>(text, options, size);
}

}  // namespace gdvar
