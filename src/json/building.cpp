#include "building.hpp"

namespace gdvar::detail {
namespace {
constexpr std::string_view repeated_key = "the earlier value of a repeated key is dropped";
}

std::optional<double> json_real(std::string_view digits) noexcept {
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc())
        return std::nullopt;
    return value;
}

bool JsonBuilder::complete(std::uint32_t index, Variant value) {
    if (stack_.size() > limits_.max_depth)
        return fail(index, Errc::depth_limit, {}, value.type());
    if (++nodes_ > limits_.max_nodes)
        return fail(index, Errc::node_limit, {}, value.type());
    if (stack_.empty()) {
        result = std::move(value);
        return true;
    }
    JsonFrame& frame = stack_.back();
    if (frame.kind == JsonFrame::array) {
        auto& array = VariantAccess::as<Array>(frame.container);
        make_room(array, frame.left);
        array.push_back(std::move(value));
        return true;
    }
    if (!std::exchange(frame.at_value, !frame.at_value)) {
        frame.key = std::move(value);
    } else if (frame.kind == JsonFrame::object) {
        VariantAccess::as<Object>(frame.container).append(frame.key.text(), std::move(value));
    } else if (frame.made == Type::nil) {
        auto& pairs = VariantAccess::as<Dictionary>(frame.container);
        const std::size_t before = pairs.size();
        pairs.set(std::move(frame.key), std::move(value));
        if (options.loss && pairs.size() == before)
            (*options.loss)(tree.nodes[index].offset, repeated_key);
    } else {
        auto& pairs = VariantAccess::as<Dictionary>(frame.container);
        make_room(pairs, frame.left / 2);
        pairs.append(std::move(frame.key), std::move(value));
    }
    return true;
}

bool JsonBuilder::push(std::uint32_t index, JsonFrame frame) {
    if (stack_.size() > limits_.max_depth)
        return fail(index, Errc::depth_limit, {});
    stack_.push_back(std::move(frame));
    return true;
}

bool JsonBuilder::property(JsonFrame& frame, std::uint32_t index) {
    if (tree.nodes[index].kind != JsonNode::string)
        return fail(index, Errc::wrong_arguments, "expected a property's name", Type::object);
    frame.key = Variant(tree.text(tree.nodes[index]));
    frame.at_value = true;
    return true;
}

bool JsonBuilder::close() {
    JsonFrame frame = std::move(stack_.back());
    stack_.pop_back();
    const std::uint32_t index = frame.next ? frame.next - 1 : 0;
    if (frame.made == Type::packed_typed_array)
        VariantAccess::make_packed_typed_array(frame.container);
    return complete(index, std::move(frame.container));
}

}  // namespace gdvar::detail
