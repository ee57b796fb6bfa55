// JsonBuilder makes Variants from the flat tree of a JSON text, typed or plain.
#pragma once

#include <algorithm>
#include <expected>
#include <optional>

#include "base/exceptions.hpp"
#include "base/marks.hpp"
#include "base/plain_number.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "gdvar/value/walk.hpp"
#include "outlining.hpp"
#include "tree.hpp"

namespace gdvar::detail {

/// A container that is being filled from its JSON elements or members.
struct JsonEntry {
    enum Kind : std::uint8_t { array, dictionary, object } kind = array;
    bool at_value = false;
    Type made = Type::array;  ///< array, or packed_typed_array
    std::uint32_t next = 0;   ///< node of the next child
    std::uint32_t left = 0;   ///< remaining JSON nodes, keys and values counted
    Variant container{}, key{};
    Block* block = nullptr;  ///< the container's, where values are made in place
};

/// The nearest float; nothing if the number is beyond the range or too small. `digits` must be a
/// number by JSON's grammar.
std::optional<double> json_real(std::string_view digits) noexcept;

/// Walks a tree and makes a Variant. `Reader::read(node)` makes a value with `complete`, or begins
/// a container with `push`. Functions that return bool return false with `fault` set. May throw
/// bad_alloc.
class JsonBuilder {
public:
    JsonBuilder(const JsonTree& from, const JsonParseOptions& how)
        : tree(from), options(how), limits_(how.limits) {}

    template <class Reader>
    bool run(Reader& reader) {
        if (!reader.read(0))
            return false;
        while (!stack_.empty()) {
            JsonEntry& entry = stack_.back();
            if (entry.left == 0) {
                if (!close())
                    return false;
                continue;
            }
            --entry.left;
            const std::uint32_t index = entry.next;
            entry.next = tree.nodes[index].end;
            // The names of an object's properties are JSON strings.
            if (entry.kind == JsonEntry::object && !entry.at_value) {
                if (!property(entry, index))
                    return false;
            } else if (!reader.read(index)) {
                return false;
            }
        }
        return true;
    }

    bool complete(std::uint32_t index, Variant&& value) {
        return put(index, value.type(), [&](Variant& to) { new (&to) Variant(std::move(value)); });
    }
    bool text(std::uint32_t index, Type type, std::string_view text) {
        return put(index, type, [&](Variant& to) {
            if (!VariantAccess::make_text(to, type, text, maker_))
                throw_no_memory();
        });
    }
    template <class T>
    bool number(std::uint32_t index, T value) {
        return put(index, VariantTraits<T>::type, [=](Variant& to) { new (&to) Variant(value); });
    }
    bool push(std::uint32_t index, JsonEntry&& entry);
    bool repeats_names(std::uint32_t object);
    bool fail(std::uint32_t index, Errc code, std::string_view detail, Type type = Type::nil) {
        fault = {code, tree.nodes[index].offset, detail, type};
        return false;
    }

    const JsonTree& tree;
    const JsonParseOptions& options;
    TextFault fault;
    Variant result;

private:
    /// Places the value that `make(nil)` makes: directly where possible.
    template <class Make>
    bool put(std::uint32_t index, Type type, Make&& make) {
        if (stack_.size() > limits_.max_depth)
            return fail(index, Errc::depth_limit, {}, type);
        if (++nodes_ > limits_.max_nodes)
            return fail(index, Errc::node_limit, {}, type);
        if (!stack_.empty() && stack_.back().block) {
            make(place(stack_.back()));
            return true;
        }
        Variant value;
        make(value);
        return settle(index, std::move(value));
    }
    Variant& place(JsonEntry& entry) {
        if (entry.block->size == entry.block->capacity && !entry.at_value)
            widen(entry);
        if (entry.kind == JsonEntry::array) {
            auto& block = static_cast<ArrayBlock&>(*entry.block);
            return *new (block.items() + block.size++) Variant();
        }
        auto& block = static_cast<DictionaryBlock&>(*entry.block);
        if (std::exchange(entry.at_value, !entry.at_value))
            return block.run()[std::size_t{block.size} * 2 - 1];
        Variant* const pair = block.run() + std::size_t{block.size++} * 2;
        new (pair + 1) Variant();
        return *new (pair) Variant();
    }
    void widen(JsonEntry& entry);
    bool settle(std::uint32_t index, Variant&& value);
    bool close();
    bool property(JsonEntry& entry, std::uint32_t index);

    const Limits& limits_;
    PartMaker maker_;
    std::vector<JsonEntry> stack_;
    std::vector<std::uint64_t> marks_;  ///< of the last object's names
    std::uint64_t nodes_ = 0;
};

template <class Reader>
std::expected<Variant, TextError> parse_json_with(std::string_view text,
                                                  const JsonParseOptions& options,
                                                  std::size_t* size) GDVAR_TRY {
    const auto failed = [&](const TextFault& fault) { return std::unexpected(fault.in(text)); };
    if (text.size() > std::min<std::uint64_t>(options.limits.max_bytes, UINT32_MAX))
        return failed({Errc::size_limit, 0});
    // A value takes up to two levels of JSON.
    const std::size_t depth = 2 * std::size_t{options.limits.max_depth} + 4;
    auto tree = read_json(
        text, depth,
        {options.trailing_commas, options.loose_numbers, options.any_escape, options.any_bytes});
    if (!tree)
        return failed(tree.error());
    if (options.whole && !json_ends(text, tree->size))
        return failed({Errc::trailing_bytes, tree->size, "there is more after the value"});
    if (options.loss)
        tell_repaired(*tree, *options.loss);
    JsonBuilder builder(*tree, options);
    Reader reader(builder);
    if (!builder.run(reader))
        return failed(builder.fault);
    if (Reader::outlines && options.outline) {
        if (options.outline_shift > UINT32_MAX - text.size())
            return failed({Errc::size_limit, 0});
        add_outline(*options.outline, *tree, options.outline_shift);
    }
    if (size)
        *size = tree->size;
    return std::move(builder.result);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar::detail
