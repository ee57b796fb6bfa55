// The value and the outline of a text resource, of the tags that were read.
#include <map>
#include <tuple>

#include "base/sort.hpp"
#include "file/sections/resource_text.hpp"

namespace gdvar::detail {

/// The tags of one part as they stand in the value. Engines take the first of sub_resources with
/// one id: it stands behind the others, where lookup finds it.
std::vector<ResourceReader::Block*> ResourceReader::in_order(ResourcePart part) {
    struct Place {
        std::size_t group;  ///< the number of the first tag with this id
        bool first;
        std::size_t number;
    };
    std::vector<Place> places;
    std::map<std::string, std::size_t> groups;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (blocks_[i].part != part)
            continue;
        const std::size_t group =
            part == ResourcePart::sub
                ? groups.try_emplace(reference_id(*blocks_[i].values.find("id")), i).first->second
                : i;
        places.push_back({group, group == i, i});
    }
    detail::sort(places, {}, [](const Place& a) { return std::tuple(a.group, a.first, a.number); });
    std::vector<Block*> out;
    out.reserve(places.size());
    for (const Place& place : places)
        out.push_back(&blocks_[place.number]);
    return out;
}

/// The lines of properties, as a node with their tag as its span.
void ResourceReader::add_lines(Block& block, OutlineMaker& make, std::uint32_t parent) {
    const TextSpan key = block.part == ResourcePart::sub ? block.id : TextSpan{};
    const std::uint32_t section =
        make.open(OutlineKind::section, {block.tag.begin, block.end}, key, block.tag.end);
    make.add_span(section, block.tag);
    make.add(section, block.lines);
    make.close(section, parent);
}

/// One tag as the value of its place below the group, and as nodes.
void ResourceReader::add_block(Block& block, Variant& to, OutlineMaker& make, std::uint32_t group) {
    const bool is_node = block.part == ResourcePart::node;
    if (block.part == ResourcePart::sub || block.part == ResourcePart::resource) {
        add_lines(block, make, group);
        to = std::move(block.properties);
        return;
    }
    const std::uint32_t tag = make.open(OutlineKind::attributes, block.tag, {}, block.name_end);
    make.add(tag, block.attributes);
    if (is_node) {
        add_lines(block, make, tag);
        block.values.append("properties", std::move(block.properties));
    }
    make.close(tag, group);
    to = std::move(block.values);
}

/// All tags of one kind, as one value under its name.
void ResourceReader::add_part(ResourcePart part, Dictionary& to, OutlineMaker& make,
                              std::uint32_t root) {
    Variant value;
    if (part == ResourcePart::resource) {
        add_block(blocks_.back(), value, make, root);
    } else {
        const std::uint32_t group = make.open(OutlineKind::group, {});
        const bool listed = part == ResourcePart::connection || part == ResourcePart::editable;
        Array list;
        Dictionary named;
        NodeKeys keys;
        for (Block* block : in_order(part)) {
            Variant key, item;
            if (part == ResourcePart::node)
                key = Variant(keys.next(node_path_of(block->values)));
            else if (!listed)
                key = *block->values.find("id");
            add_block(*block, item, make, group);
            if (listed)
                list.push_back(std::move(item));
            else
                named.append(std::move(key), std::move(item));
        }
        make.close(group, root);
        value = listed ? Variant(std::move(list)) : Variant(std::move(named));
    }
    to.append(tag_rule(part).part, std::move(value));
}

SectionsText ResourceReader::result() {
    if (scan_.options().note)
        tell_unread();
    SectionsText out;
    out.outline.nodes.reserve(scan_.nodes.nodes.size() + 2 * blocks_.size() + 8);
    OutlineMaker make(out.outline, scan_.nodes);
    const std::uint32_t root =
        make.open(OutlineKind::sections, {0, static_cast<std::uint32_t>(text_.size())});
    const std::uint32_t header =
        make.open(OutlineKind::attributes, header_.tag, {}, header_.name_end);
    make.add(header, header_.attributes);
    make.close(header, root);
    Dictionary all;
    all.append("header", std::move(header_.values));
    add_part(ResourcePart::ext, all, make, root);
    add_part(ResourcePart::sub, all, make, root);
    if (scene_) {
        add_part(ResourcePart::node, all, make, root);
        add_part(ResourcePart::connection, all, make, root);
        add_part(ResourcePart::editable, all, make, root);
    } else {
        add_part(ResourcePart::resource, all, make, root);
    }
    make.close(root, root);
    out.value = std::move(all);
    return out;
}

}  // namespace gdvar::detail
