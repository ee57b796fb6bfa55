// A JSON text (RFC 8259) as a flat tree, with every digit and byte kept.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/value/text_error.hpp"
#include "gdvar/wire/error.hpp"
#include "value/chunks.hpp"
#include "value/text_fault.hpp"

namespace gdvar::detail {

/// A value in the text. `[0,0,0]` has a node for every two characters, so nodes are small, and
/// texts must be shorter than 4 GiB.
struct JsonNode {
    enum Kind : std::uint8_t { null, boolean, number, string, array, object } kind = null;
    bool truth = false;
    bool decoded = false;      ///< string: it has escapes, so its text is in `strings`
    std::uint32_t count = 0;   ///< array: elements; object: members, each a string and its value;
                               ///< number, string: characters
    std::uint32_t end = 0;     ///< the node after the last descendant
    std::uint32_t offset = 0;  ///< position of the first character in the text
    std::uint32_t from = 0;    ///< position of a number's or a string's characters
};
static_assert(sizeof(JsonNode) == 20);

/// Nodes in the order of the text: children follow their container.
struct JsonTree {
    std::string_view source;
    std::string strings;
    Chunks<JsonNode, 256> nodes;
    std::size_t size = 0;                 ///< of the text up to the end of the value
    std::vector<std::uint32_t> repaired;  ///< strings that were not UTF-8 (`any_bytes`)

    std::string_view text(const JsonNode& node) const noexcept {
        return (node.decoded ? std::string_view(strings) : source).substr(node.from, node.count);
    }
};

/// Extensions of RFC 8259: the members of JsonParseOptions with these names.
struct JsonGrammar {
    bool trailing_commas = false, loose_numbers = false, any_escape = false, any_bytes = false;
};

/// Reads one value from the start of `text`, which must outlive the tree and be shorter than 4 GiB.
/// Extends RFC 8259 by Godot's output (a byte order mark, control characters in strings, `\v`), by
/// the white space of all versions of Godot's JSON, and by the output of `to_json` (\udc80 to
/// \udcff for single bytes). Iterative. May throw bad_alloc.
std::expected<JsonTree, TextFault> read_json(std::string_view text, std::size_t max_depth,
                                             const JsonGrammar& grammar = {});

/// Reports for each repaired string which characters were joined, which bytes were lost, and the
/// place of the first.
void tell_repaired(const JsonTree& tree, const TextLoss& loss);

/// White space to all versions of Godot's JSON: each character up to the space, except NUL.
constexpr bool is_json_space(char c) noexcept {
    return c != 0 && static_cast<unsigned char>(c) <= ' ';
}
bool json_ends(std::string_view text, std::size_t& at) noexcept;

}  // namespace gdvar::detail
