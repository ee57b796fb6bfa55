// Plain JSON: the rules are in docs/json.md.
#include "building.hpp"

namespace gdvar {
namespace {

using detail::JsonBuilder;
using detail::JsonFrame;
using detail::JsonNode;

class PlainReader {
public:
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
                return to_.complete(index, Variant(String(to_.tree.text(node))));
            default:
                return container(index);
        }
    }

private:
    bool number(std::uint32_t index) {
        const std::string_view text = to_.tree.text(to_.tree.nodes[index]);
        if (text.find_first_of(".eE") == text.npos) {
            std::int64_t value = 0;
            const auto [stop, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc())
                return to_.complete(index, Variant(value));
        }
        const double value = detail::json_real(text);
        if (value - value != 0)
            return to_.fail(index, Errc::bad_number, "does not fit a 64-bit float", Type::real);
        return to_.complete(index, Variant(value));
    }

    bool container(std::uint32_t index) {
        const JsonNode& node = to_.tree.nodes[index];
        JsonFrame frame;
        frame.next = index + 1;
        if (node.kind == JsonNode::object) {
            frame.kind = JsonFrame::dictionary;
            frame.made = Type::nil;  // equal names replace
            frame.left = 2 * node.count;
            frame.container = Variant(Dictionary());
        } else {
            frame.left = node.count;
            frame.container = Variant(Array());
        }
        return to_.push(index, std::move(frame));
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
