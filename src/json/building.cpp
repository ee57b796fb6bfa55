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
    JsonEntry& entry = stack_.back();
    if (entry.kind == JsonEntry::array) {
        auto& array = VariantAccess::as<Array>(entry.container);
        reserve_for(array, entry.left);
        array.push_back(std::move(value));
        return true;
    }
    if (!std::exchange(entry.at_value, !entry.at_value)) {
        entry.key = std::move(value);
    } else if (entry.kind == JsonEntry::object) {
        VariantAccess::as<Object>(entry.container).append(entry.key.text(), std::move(value));
    } else if (entry.made == Type::nil) {
        auto& pairs = VariantAccess::as<Dictionary>(entry.container);
        const std::size_t before = pairs.size();
        if (before == 0)  // only for a few: names may repeat
            pairs.reserve(std::min<std::size_t>(entry.left / 2 + 1, 8));
        pairs.set(std::move(entry.key), std::move(value));
        if (options.loss && pairs.size() == before)
            (*options.loss)(tree.nodes[index].offset, repeated_key);
    } else {
        auto& pairs = VariantAccess::as<Dictionary>(entry.container);
        reserve_for(pairs, entry.left / 2);
        pairs.append(std::move(entry.key), std::move(value));
    }
    return true;
}

bool JsonBuilder::push(std::uint32_t index, JsonEntry entry) {
    if (stack_.size() > limits_.max_depth)
        return fail(index, Errc::depth_limit, {});
    stack_.push_back(std::move(entry));
    return true;
}

bool JsonBuilder::property(JsonEntry& entry, std::uint32_t index) {
    if (tree.nodes[index].kind != JsonNode::string)
        return fail(index, Errc::wrong_arguments, "expected a property's name", Type::object);
    entry.key = Variant(tree.text(tree.nodes[index]));
    entry.at_value = true;
    return true;
}

bool JsonBuilder::close() {
    JsonEntry entry = std::move(stack_.back());
    stack_.pop_back();
    const std::uint32_t index = entry.next ? entry.next - 1 : 0;
    if (entry.made == Type::packed_typed_array)
        VariantAccess::make_packed_typed_array(entry.container);
    return complete(index, std::move(entry.container));
}

}  // namespace gdvar::detail
