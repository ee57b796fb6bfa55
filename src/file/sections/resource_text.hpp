// Reading text resources and scenes: their tags in order, then the value and the outline of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "file/sections/outline_parts.hpp"
#include "file/sections/section_scanner.hpp"

namespace gdvar::detail {

/// What a tag belongs to: the keys of the document's value, in its order, but for the header.
enum class ResourcePart : std::uint8_t { ext, sub, resource, node, connection, editable };
inline constexpr std::array<std::string_view, 6> resource_parts = {
    "ext", "sub", "resource", "node", "connection", "editable"};

/// A String or a StringName. `value` may be null.
inline bool is_text(const Variant* value) noexcept {
    return value && (value->is(Type::string) || value->is(Type::string_name));
}

/// The path of a node from the root, as the engines make it of `parent` and `name`: ".", "A/B".
std::string node_path_of(const Dictionary& attributes);
/// The keys of nodes, in the order of the scene. Engines make every node, also one whose path
/// stands above: the first has the key `A`, and the next one "A:2", which is no name of a node.
class NodeKeys {
public:
    /// The key of the next node. May throw bad_alloc.
    std::string next(std::string path);

private:
    std::map<std::string, std::uint32_t, std::less<>> counts_;
};
/// An id as text: Godot 4 takes 1 and "1" for the same.
std::string reference_id(const Variant& id);

/// A tag with its lines, or a property, that an engine would refuse.
struct RefusedRow {
    std::size_t begin = 0, end = 0;  ///< whole lines
    Errc code = Errc::ok;
    std::string_view why;  ///< static text
};

/// Every member that returns bool returns false with the scanner's fault set. May throw bad_alloc.
class ResourceReader {
public:
    ResourceReader(std::string_view text, const SectionsOptions& options)
        : text_(text), scan_(text, options) {}

    bool run();
    SectionsText result();
    TextError error() const { return scan_.fault.in(text_); }

    /// Gets tags and properties that can be read and that an engine would refuse; they are left
    /// out, as is a missing [resource]. Null: they are errors. There is no `result` then.
    std::vector<RefusedRow>* refused = nullptr;
    /// With `refused`: whether the text ends before its [resource].
    bool lacks_resource() const noexcept { return !scene_ && !is_complete(); }

private:
    /// A tag, and the properties behind it.
    struct Block {
        ResourcePart part{};
        TextSpan tag;
        std::uint32_t name_end = 0;  ///< behind the tag's name
        Dictionary values;           ///< the attributes
        PartRange attributes, lines;
        std::optional<Object> object;  ///< the properties; none: the class is not known
        Dictionary properties;         ///< then they are here
    };

    // resource_text.cpp
    bool header();
    bool block(SectionScanner::Item& item);
    bool read_block(SectionScanner::Item& item);
    bool pass_block(SectionScanner::Item& item, std::size_t begin);
    bool pass_lines(SectionScanner::Item& item);
    bool refuse_line(std::size_t begin);
    bool is_complete() const noexcept {
        return !blocks_.empty() && blocks_.back().part >= ResourcePart::resource;
    }
    bool attributes(Block& block, std::uint32_t depth);
    bool check_attributes(Block& block, std::size_t at);
    bool lines(SectionScanner::Item& item);
    bool check_references(const Variant& value);
    bool check_reference(const Object& object);
    bool check_type(const ContainerType& type);
    void tell_unread();

    // resource_value.cpp
    void add_part(ResourcePart part, Dictionary& to, OutlineMaker& make, std::uint32_t root);
    void add_block(Block& block, Variant& to, OutlineMaker& make, std::uint32_t group);
    void add_lines(Block& block, OutlineMaker& make, std::uint32_t parent);
    TextSpan place_of(const Block& block, std::string_view attribute) const;
    std::uint32_t end_of(const PartRange& lines, std::uint32_t otherwise) const;
    std::vector<Block*> in_order(ResourcePart part);

    std::string_view text_;
    SectionScanner scan_;
    bool scene_ = false;
    Block header_;
    std::vector<Block> blocks_;
    std::set<std::string, std::less<>> ext_ids_, sub_ids_;
    std::vector<const Variant*> waiting_;  ///< values whose references are to be checked
};

}  // namespace gdvar::detail
