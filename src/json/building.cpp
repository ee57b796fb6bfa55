#include "building.hpp"

#include "value/blocks.hpp"

namespace gdvar::detail {
namespace {
constexpr std::string_view repeated_key = "the earlier value of a repeated key is dropped";
}

std::optional<double> json_real(std::string_view digits) noexcept {
    if (PlainNumber number; number.read_all(digits) && number.exact())
        return number.quotient();
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc())
        return std::nullopt;
    return value;
}

bool JsonBuilder::settle(std::uint32_t index, Variant&& value) {
    if (stack_.empty()) {
        result = std::move(value);
        return true;
    }
    JsonEntry& entry = stack_.back();
    if (!std::exchange(entry.at_value, !entry.at_value)) {
        entry.key = std::move(value);
    } else if (entry.kind == JsonEntry::object) {
        VariantAccess::as<Object>(entry.container).append(entry.key.text(), std::move(value));
    } else {
        auto& pairs = VariantAccess::as<Dictionary>(entry.container);
        const std::size_t before = pairs.size();
        if (before == 0)  // only for a few: names may repeat
            pairs.reserve(std::min<std::size_t>(entry.left / 2 + 1, 8));
        pairs.set(std::move(entry.key), std::move(value));
        if (options.loss && pairs.size() == before)
            (*options.loss)(tree.nodes[index].offset, repeated_key);
    }
    return true;
}

namespace {
/// Room for that many items, in the slab if the container has no block yet.
template <class B, class Container>
void make_room_in(Container& in, std::uint32_t count, bool has_block, PartMaker& maker) {
    if (has_block)
        return in.reserve(count);
    B* const made = make_filled_block<B>(count, maker);
    made->size = 0;
    VariantAccess::set_block(in, made);
}
}  // namespace

void JsonBuilder::widen(JsonEntry& entry) {
    const bool pairs = entry.kind == JsonEntry::dictionary;
    const std::uint64_t more = std::min<std::uint64_t>((std::uint64_t{entry.left} + 1) >> pairs,
                                                       limits_.max_nodes - nodes_ + 1);
    const auto all = static_cast<std::size_t>(entry.block->size + more);
    if (pairs)
        VariantAccess::as<Dictionary>(entry.container).reserve(all);
    else
        VariantAccess::as<Array>(entry.container).reserve(all);
    entry.block = VariantAccess::block(entry.container);
}

bool JsonBuilder::push(std::uint32_t index, JsonEntry&& entry) {
    if (stack_.size() > limits_.max_depth)
        return fail(index, Errc::depth_limit, {});
    const bool pairs = entry.kind == JsonEntry::dictionary;
    // First for a few: most refusals happen there.
    constexpr std::uint32_t first_few = 16;
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        std::min(entry.left >> pairs, first_few), limits_.max_nodes - nodes_));
    if (count && entry.kind != JsonEntry::object && entry.made != Type::nil) {
        const bool has = VariantAccess::block(entry.container);
        if (pairs)
            make_room_in<DictionaryBlock>(VariantAccess::as<Dictionary>(entry.container), count,
                                          has, maker_);
        else
            make_room_in<ArrayBlock>(VariantAccess::as<Array>(entry.container), count, has, maker_);
        entry.block = VariantAccess::block(entry.container);
    }
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

bool JsonBuilder::repeats_names(std::uint32_t object) {
    marks_.clear();
    std::uint32_t next = object + 1;
    for (std::uint32_t i = 0; i < tree.nodes[object].count; ++i) {
        marks_.push_back(text_mark(tree.text(tree.nodes[next])));
        next = tree.nodes[next + 1].end;
    }
    return !all_differ(marks_);
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
