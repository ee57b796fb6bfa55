// JsonBuilder makes Variants from the flat tree of a JSON text, for typed and plain JSON.
#pragma once

#include <algorithm>
#include <charconv>
#include <expected>
#include <optional>

#include "base/exceptions.hpp"
#include "gdvar/json/parse.hpp"
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
    std::uint32_t left = 0;   ///< JSON nodes still to come, keys and values counted
    Variant container, key;
};

/// The nearest float; nothing if the number is beyond the range or too small. `digits` must be a
/// number by JSON's grammar.
std::optional<double> json_real(std::string_view digits) noexcept;

/// Walks a tree and makes a Variant. `Reader::read(node)` makes a value with
/// `complete`, or begins a container with `push`. Members that return bool return false with
/// `fault` set. May throw bad_alloc.
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

    bool complete(std::uint32_t index, Variant value);
    bool push(std::uint32_t index, JsonEntry entry);
    bool fail(std::uint32_t index, Errc code, std::string_view detail, Type type = Type::nil) {
        fault = {code, tree.nodes[index].offset, detail, type};
        return false;
    }

    const JsonTree& tree;
    const JsonParseOptions& options;
    TextFault fault;
    Variant result;

private:
    /// Reserves memory for an item and `left` more: first for a few, then for all at once. Most
    /// refusals happen among the first few.
    template <class Container>
    void reserve_for(Container& in, std::uint64_t left) const {
        constexpr std::size_t first_few = 16;
        if (in.size() != 0 && in.size() != first_few)
            return;
        const std::uint64_t most = std::min(left + 1, limits_.max_nodes - nodes_ + 1);
        const std::uint64_t now = in.size() ? most : std::min<std::uint64_t>(most, first_few);
        in.reserve(in.size() + static_cast<std::size_t>(now));
    }
    bool close();
    bool property(JsonEntry& entry, std::uint32_t index);

    const Limits& limits_;
    std::vector<JsonEntry> stack_;
    std::uint64_t nodes_ = 0;
};

/// Shared by both functions that parse JSON.
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
