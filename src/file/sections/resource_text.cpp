#include "file/sections/resource_text.hpp"

#include <algorithm>

#include "gdvar/file/sections.hpp"

namespace gdvar {
namespace detail {

bool ResourceReader::run() {
    SectionScanner::Item item{};
    if (!scan_.next_tag(item))
        return false;
    if (item == SectionScanner::Item::end)
        return scan_.fail(Errc::bad_syntax, 0, "there is no tag");
    if (!header())
        return false;
    if (!(refused ? pass_lines(item) : scan_.next_tag(item)))
        return false;
    while (item == SectionScanner::Item::tag)
        if (!block(item))
            return false;
    return is_complete() || (refused && !scene_) ||
           scan_.fail(Errc::bad_syntax, scan_.position(),
                      scene_ ? "the scene has no node" : "there is no [resource]");
}

/// Attributes up to `]`.
bool ResourceReader::attributes(Block& block, std::uint32_t depth) {
    block.name_end = scan_.name_end();
    block.attributes.first = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    for (bool done = false;;) {
        if (!scan_.field(done))
            return false;
        if (done)
            break;
        const std::string name = scan_.key();
        const std::size_t root = scan_.nodes.nodes.size();
        Variant value;
        if (!scan_.value(value, depth) || !check_references(value))
            return false;
        if (name == "id")
            block.id = {scan_.nodes.nodes[root].begin, scan_.nodes.nodes[root].end};
        block.values.append(Variant(std::string_view(name)), std::move(value));
        ++block.attributes.count;
    }
    block.tag = scan_.header();
    block.end = block.tag.end;
    block.attributes.end = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    return true;
}

bool ResourceReader::header() {
    std::string name;
    if (!scan_.tag_name(name))
        return false;
    const std::size_t at = scan_.header().begin;
    scene_ = name == "gd_scene";
    if (!scene_ && name != "gd_resource")
        return scan_.fail(Errc::bad_syntax, at, "expected [gd_resource ...] or [gd_scene ...]");
    if (!attributes(header_, 2))
        return false;
    if (!scene_ && !is_text(header_.values.find("type")))
        return scan_.fail(Errc::bad_syntax, at, "the header has no type");
    const Variant* format = header_.values.find("format");
    if (format && format->is(Type::integer) && format->integer() > scan_.rules().format)
        return scan_.fail(Errc::unsupported_type, at,
                          "the format is newer than these engines know");
    return true;
}

bool ResourceReader::block(SectionScanner::Item& item) {
    const std::size_t begin = scan_.position(), before = blocks_.size();
    if (read_block(item))
        return true;
    if (!refused)
        return false;
    blocks_.resize(before);
    return pass_block(item, begin);
}

/// Passes over a tag that an engine refuses, and over its lines.
bool ResourceReader::pass_block(SectionScanner::Item& item, std::size_t begin) {
    const TextFault why = scan_.fault;
    scan_.seek(begin);
    std::string name;
    bool done = false;
    if (!scan_.tag_name(name))
        return false;
    Variant value;
    while (!done)
        if (!scan_.field(done) || (!done && !scan_.value(value, 3)))
            return false;
    const std::size_t lines = refused->size();
    if (!pass_lines(item))
        return false;
    refused->resize(lines);
    refused->push_back({begin, scan_.position(), why.code, why.detail});
    return true;
}

/// Leaves out the properties up to the next tag.
bool ResourceReader::pass_lines(SectionScanner::Item& item) {
    for (;;) {
        if (!scan_.next(item))
            return false;
        if (item != SectionScanner::Item::pair)
            return true;
        const std::size_t begin = scan_.key_span().begin;
        Variant value;
        if (!scan_.value(value, 3))
            return false;
        scan_.fail(Errc::bad_syntax, begin, "no tag that can have properties stands above");
        refuse_line(begin);
    }
}

/// Leaves out the property that was read last.
bool ResourceReader::refuse_line(std::size_t begin) {
    if (!refused)
        return false;
    const std::size_t line = text_.rfind('\n', begin);
    const std::size_t end = text_.find('\n', scan_.position());
    refused->push_back({line == text_.npos ? 0 : line + 1,
                        end == text_.npos ? text_.size() : end + 1, scan_.fault.code,
                        scan_.fault.detail});
    return true;
}

bool ResourceReader::read_block(SectionScanner::Item& item) {
    std::string name;
    if (!scan_.tag_name(name))
        return false;
    const std::size_t at = scan_.header().begin;
    const TagRule* rule = std::ranges::find(tag_rules, name, &TagRule::name);
    if (rule == std::end(tag_rules) || !(scene_ ? rule->of_scene : rule->of_resource))
        return scan_.fail(Errc::bad_syntax, at,
                          scene_ ? "no such tag in a scene" : "no such tag in a resource");
    const ResourcePart before = blocks_.empty() ? ResourcePart::ext : blocks_.back().part;
    const bool first_node = before < ResourcePart::resource;
    const auto part = static_cast<ResourcePart>(rule - tag_rules);
    if ((part < before && part < ResourcePart::resource) || before == ResourcePart::resource ||
        (first_node && part > ResourcePart::node))
        return scan_.fail(Errc::bad_syntax, at, "engines do not expect this tag here");
    Block& block = blocks_.emplace_back();
    block.part = part;
    if (!attributes(block, 3))
        return false;
    if (refused && first_node && part == ResourcePart::node && block.values.find("parent"))
        return scan_.fail(Errc::bad_reference, at, "the scene's root is lost");
    for (const std::string_view required : rule->required)
        if (!required.empty() && !block.values.find(required))
            return scan_.fail(Errc::bad_syntax, at, "the tag lacks an attribute that engines need");
    if (!check_attributes(block, at))
        return false;
    block.lines.first = block.lines.end = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    if (rule->lines)
        return lines(item);
    return refused ? pass_lines(item) : scan_.next_tag(item);
}

/// Attributes that engines need, and that the document can hold.
bool ResourceReader::check_attributes(Block& block, std::size_t at) {
    if (block.part == ResourcePart::sub || block.part == ResourcePart::resource)
        // Engines make the Objects in them. The document has no place for such attributes.
        for (const Dictionary::Pair& pair : block.values)
            if (pair.value.is(Type::object) || pair.value.is(Type::array) ||
                pair.value.is(Type::dictionary))
                return scan_.fail(Errc::bad_syntax, at,
                                  "an attribute of this tag is an Object or a container");
    if (const auto wrong = find_wrong_attribute(block.part, block.values))
        return scan_.fail(Errc::bad_syntax, at, wrong->why);
    if (block.part == ResourcePart::ext || block.part == ResourcePart::sub)
        ids_.add(block.part, *block.values.find("id"));
    return true;
}

/// The properties behind a tag, up to the next one.
bool ResourceReader::lines(SectionScanner::Item& item) {
    Block& block = blocks_.back();
    const std::uint32_t depth = block.part == ResourcePart::resource ? 2
                                : block.part == ResourcePart::sub    ? 3
                                                                     : 4;
    const Variant* type = block.part == ResourcePart::resource ? header_.values.find("type")
                                                               : block.values.find("type");
    if (type && !type->text().empty())
        block.properties = Object(type->text());
    for (;;) {
        if (!scan_.next(item))
            return false;
        if (item != SectionScanner::Item::pair)
            break;
        if (scan_.key().empty() && !refused)
            return scan_.fail(Errc::bad_syntax, scan_.key_span().begin,
                              "a property has no name; engines do not read on properly");
        const std::string name = scan_.key();
        const std::size_t begin = scan_.key_span().begin, root = scan_.nodes.nodes.size();
        Variant value;
        if (!scan_.value(value, depth))
            return false;
        if (!check_references(value)) {
            if (!refuse_line(begin))
                return false;
            continue;
        }
        append_property(block.properties, name, std::move(value));
        block.end = scan_.nodes.nodes[root].end;
        ++block.lines.count;
    }
    block.lines.end = static_cast<std::uint32_t>(scan_.nodes.nodes.size());
    const bool cut = item == SectionScanner::Item::end && block.part == ResourcePart::sub;
    return !cut || refused ||
           scan_.fail(Errc::bad_syntax, scan_.position(), "the text ends behind a sub_resource");
}

/// Whether all references lead to what stands above. Engines refuse the file otherwise.
bool ResourceReader::check_references(const Variant& value) {
    const auto lost = ids_.lost_in(value, "$");
    return !lost || scan_.fail(Errc::bad_reference, scan_.position(), lost->why, lost->type);
}

void ResourceReader::tell_unread() {
    for (const Block& block : blocks_) {
        const bool sub = block.part == ResourcePart::sub;
        if (!sub && block.part != ResourcePart::resource)
            continue;
        for (const Dictionary::Pair& pair : block.values)
            if (!sub || (pair.key.text() != "type" && pair.key.text() != "id"))
                scan_.note(block.tag.begin, "engines do not read all attributes of this tag");
    }
}

}  // namespace detail

std::expected<SectionsText, TextError> read_resource(std::string_view text,
                                                     const SectionsOptions& options) {
    return detail::read_whole<detail::ResourceReader>(text, options);
}

}  // namespace gdvar
