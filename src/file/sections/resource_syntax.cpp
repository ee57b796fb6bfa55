// Text resources: attributes, tags and assignments.
#include <algorithm>

#include "file/sections/resource.hpp"
#include "file/sections/section_syntax.hpp"

namespace gdvar::detail {

namespace {

/// The part that a node belongs to.
ResourcePart part_of(const ChangedNode& change) {
    const auto& nodes = change.outline.nodes;
    const bool scene = nodes[0].count != 4;
    std::size_t part = 0;
    for (std::uint32_t at = nodes[1].next; nodes[at].next <= change.node; at = nodes[at].next)
        ++part;
    // The parts are the root's children behind the header; a scene has all but `resource`.
    return static_cast<ResourcePart>(
        part + (scene && part >= static_cast<std::size_t>(ResourcePart::resource)));
}

/// The tag of a node below a group, with the lines below it.
TextSpan extent(const Outline& outline, std::uint32_t number) {
    const OutlineNode& node = outline.nodes[number];
    TextSpan out{node.begin, node.end};
    for (std::uint32_t i = number + 1; i < node.next; i = outline.nodes[i].next)
        if (outline.nodes[i].kind == OutlineKind::section)
            out.end = std::max(out.end, outline.nodes[i].end);
    return out;
}

/// Where the first tag of the parts behind a group stands, or the end of the text.
std::size_t next_part(const ChangedNode& change) {
    std::size_t out = change.text.size();
    for (std::uint32_t i = change.place().next; i < change.outline.nodes.size(); ++i)
        if (change.outline.nodes[i].kind != OutlineKind::group)
            out = std::min<std::size_t>(out, change.outline.nodes[i].begin);
    return out;
}

/// Where the value of a tag's attribute stands.
TextSpan attribute_in(std::string_view text, TextSpan tag, TextFamily family,
                      std::string_view attribute) {
    const SectionsOptions options{.family = family};
    SectionScanner scan(text.substr(tag.begin, tag.end - tag.begin), options);
    TextSpan out;
    std::string name;
    Variant value;
    if (!scan.tag_name(name))
        return out;
    for (bool done = false; scan.field(done) && !done;) {
        const auto node = static_cast<std::uint32_t>(scan.nodes.nodes.size());
        const bool found = scan.key() == attribute;
        if (!scan.value(value, 0))
            break;
        if (found)
            out = {tag.begin + scan.nodes.nodes[node].begin,
                   tag.begin + scan.nodes.nodes[node].end};
    }
    return out;
}

constexpr const char* no_object =
    "a sub_resource is an Object, as in Object(Gradient,\"interpolation_mode\":1)";

}  // namespace

Rewritten ResourceSyntax::key(std::string& out, const Child& child, OutlineKind in) const {
    constexpr std::string_view metadata = "metadata/";
    if (in == OutlineKind::section && text_rules(options().family).plain_metadata &&
        child.role == Child::property && child.name.starts_with(metadata) &&
        !is_identifier(child.name.substr(metadata.size())))
        return refused(Errc::not_in_dialect,
                       "Godot 4 drops metadata whose name is not of ASCII letters, digits and _");
    return SectionSyntax::key(out, child, in);
}

Rewritten ResourceSyntax::children(TextEdits& edits, const ChangedChildren& change) const {
    switch (change.place().kind) {
        case OutlineKind::section:
            return change_lines(edits, change);
        case OutlineKind::group:
            return change_group(edits, change);
        case OutlineKind::attributes:
            return change_attributes(edits, change);
        default:
            return refused(Errc::not_in_dialect, "a resource has the parts that it has");
    }
}

Rewritten ResourceSyntax::change_attributes(TextEdits& edits, const ChangedChildren& change) const {
    RowChanges changes{edits, change, {}, true};
    for (const std::uint32_t number : change.nodes)
        if (const OutlineNode& node = change.outline.nodes[number]; node.key_end)
            changes.rows.push_back({{node.key_begin, node.key_begin, node.end, node.end}});
    changes.make = [&](std::string& out, std::size_t j) {
        return append_pair(out, change.to.step(j), OutlineKind::attributes, change.layout, "=");
    };
    changes.put_first = [&](const std::string& made) {
        edits.insert(change.place().inner, " " + made);
    };
    return change_rows(changes);
}

/// Keys of tags that have no place of their own come from attributes, which change by themselves.
Rewritten ResourceSyntax::rename(TextEdits& edits, const ChangedChildren& change,
                                 std::size_t i) const {
    const std::uint32_t node = change.nodes[change.partner[i]];
    if (change.outline.nodes[node].key_end)
        return SectionSyntax::rename(edits, change, i);
    return {};
}

/// Another class: the tag says it. A node's and a resource's is an attribute that the value has.
Rewritten ResourceSyntax::retype(TextEdits& edits, const ChangedNode& node) const {
    if (!is_container(node.after) || node.after.is(Type::array))
        return refused(Errc::wrong_type, "an Object stands here", node.after.type());
    if (part_of(node) != ResourcePart::sub)
        return {};
    if (!node.after.is(Type::object))
        return refused(Errc::wrong_type, no_object, node.after.type());
    const auto spans = node.outline.spans_of(node.node);
    const TextSpan type =
        attribute_in(node.text, {spans[0].begin, spans[0].end}, options().family, "type");
    std::string made = "\"";
    made.append(node.after.class_name()).append("\"");
    edits.replace(type.begin, type.end, made);
    return {};
}

/// A new tag: `[name a=1 b=2]`, and the properties of a node.
Rewritten ResourceSyntax::append_tag(std::string& out, ResourcePart part,
                                     const ChangedChildren& change, std::size_t j) const {
    const View& value = change.to.values[j];
    if (!value.is(Type::dictionary))
        return refused(Errc::wrong_type, "a tag is a Dictionary of its attributes", value.type());
    View properties;
    out.append("[").append(tag_rule(part).name);
    for (Children all(value); !all.done();) {
        const Child child = all.next_value();
        if (part == ResourcePart::node && child.key_view.is(Type::string) &&
            child.key_view.text() == "properties") {
            properties = child.view;
            continue;
        }
        out += ' ';
        if (auto done = append_pair(out, child, OutlineKind::attributes, change.layout, "="); !done)
            return done;
    }
    out += ']';
    auto done = properties ? append_lines(out, properties, change.layout, equals_below(change))
                           : Rewritten();
    if (!done)
        done.error().path.insert(0, ".properties");
    return done;
}

Rewritten ResourceSyntax::append_sub(std::string& out, const ChangedChildren& change,
                                     std::size_t j) const {
    const View& value = change.to.values[j];
    if (!value.is(Type::object) || value.object_kind() != ObjectKind::full)
        return refused(Errc::wrong_type, no_object, value.type());
    std::string id;
    if (auto done = key(id, change.to.step(j), OutlineKind::group); !done)
        return done;
    out.append("[sub_resource type=\"").append(value.class_name());
    out.append("\" id=").append(id).append("]");
    return append_lines(out, value, change.layout, equals_below(change));
}

/// Tags come, go and change places.
Rewritten ResourceSyntax::change_group(TextEdits& edits, const ChangedChildren& change) const {
    using enum ResourcePart;
    const ResourcePart part = part_of(change);
    const LineText text(change.text);
    RowChanges changes{edits, change, {}, false, &late_, part == sub || part == node};
    for (const std::uint32_t number : change.nodes) {
        const TextSpan span = extent(change.outline, number);
        changes.rows.push_back({row_of(text, span.begin, span.end)});
    }
    changes.make = [&](std::string& out, std::size_t j) {
        return below(change.to.step(j),
                     part == sub ? append_sub(out, change, j) : append_tag(out, part, change, j));
    };
    changes.put_first = [&](const std::string& made) {
        const std::string& newline = change.layout.newline;
        const std::size_t next = part == ext || part == sub ? next_part(change) : text.size();
        if (next < text.size()) {
            // Above the empty lines there, with which the tag below may go.
            const Row row = row_of(text, next, next);
            const std::size_t at =
                row.own_line ? text.blank_lines_before(row.lead) : text.before_blanks(row.lead);
            late_.push_back(
                {at, at < row.lead ? newline + made + newline : made + newline + newline});
            return;
        }
        const bool open = text.is_open_end(next);
        late_.push_back({next, (open ? newline : "") + newline + made + newline});
    };
    return change_rows(changes);
}

}  // namespace gdvar::detail
