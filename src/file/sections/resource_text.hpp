// Reading text resources and scenes: their tags in order, then the value and the outline of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "file/sections/outline_parts.hpp"
#include "file/sections/resource.hpp"
#include "file/sections/section_scanner.hpp"

namespace gdvar::detail {

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
        TextSpan id;                 ///< the value of the attribute `id`
        std::uint32_t end = 0;       ///< behind the last property, else behind the tag
        std::uint32_t name_end = 0;  ///< behind the tag's name
        Dictionary values;           ///< the attributes
        PartRange attributes, lines;
        Variant properties = Dictionary();  ///< an Object where the class is known
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
    void tell_unread();

    // resource_value.cpp
    void add_part(ResourcePart part, Dictionary& to, OutlineMaker& make, std::uint32_t root);
    void add_block(Block& block, Variant& to, OutlineMaker& make, std::uint32_t group);
    void add_lines(Block& block, OutlineMaker& make, std::uint32_t parent);
    std::vector<Block*> in_order(ResourcePart part);

    std::string_view text_;
    SectionScanner scan_;
    bool scene_ = false;
    Block header_;
    std::vector<Block> blocks_;
    ResourceIds ids_{scan_.rules()};
};

}  // namespace gdvar::detail
