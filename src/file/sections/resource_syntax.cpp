// Text resources: attributes, tags and assignments.
#include <algorithm>

#include "file/sections/resource.hpp"
#include "file/sections/section_syntax.hpp"

namespace gdvar::detail {

using inspect::ChangedChildren;
using inspect::ChangedNode;
using inspect::RewriteError;
using inspect::Rewritten;
using inspect::TextEdits;
using inspect::TextLayout;

namespace {

/// The parts of a document, by the children of its root. Scenes have more than resources.
std::vector<ResourcePart> parts_of(const Outline& outline) {
    using enum ResourcePart;
    if (outline.nodes[0].count == 4)
        return {ext, sub, resource};
    return {ext, sub, node, connection, editable};
}

/// The number of the root's child that a part is.
std::uint32_t node_of(const Outline& outline, ResourcePart part) {
    std::uint32_t at = outline.nodes[1].next;  // behind the header
    for (const ResourcePart each : parts_of(outline)) {
        if (each == part)
            return at;
        at = outline.nodes[at].next;
    }
    return 0;
}

ResourcePart part_of(const ChangedNode& change) {
    ResourcePart out = ResourcePart::ext;
    for (const ResourcePart each : parts_of(change.outline))
        if (node_of(change.outline, each) <= change.node)
            out = each;
    return out;
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

/// Where the first tag of one of these parts stands, or the end of the text.
std::size_t first_of(const ChangedNode& change, std::initializer_list<ResourcePart> parts) {
    std::size_t out = change.text.size();
    for (const ResourcePart part : parts) {
        const std::uint32_t group = node_of(change.outline, part);
        if (!group)
            continue;
        const OutlineNode& node = change.outline.nodes[group];
        if (node.kind == OutlineKind::section)
            out = std::min<std::size_t>(out, node.begin);
        for (std::uint32_t i = group + 1; node.kind == OutlineKind::group && i < node.next;
             i = change.outline.nodes[i].next)
            out = std::min<std::size_t>(out, change.outline.nodes[i].begin);
    }
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
            return change_attributes(
                edits, change, change.place().inner, [&](std::string& out, std::size_t j) {
                    return append_attribute(out, change.to.step(j), change.layout);
                });
        default:
            return refused(Errc::not_in_dialect, "a resource has the parts that it has");
    }
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
        return refused(
            Errc::wrong_type,
            "a sub_resource is an Object, as in Object(Gradient,\"interpolation_mode\":1)",
            node.after.type());
    const auto spans = node.outline.spans_of(node.node);
    const TextSpan type =
        attribute_in(node.text, {spans[0].begin, spans[0].end}, options().family, "type");
    std::string made = "\"";
    made.append(node.after.class_name()).append("\"");
    edits.replace(type.begin, type.end, made);
    return {};
}

Rewritten ResourceSyntax::append_attribute(std::string& out, const Child& child,
                                           const TextLayout& layout) const {
    return append_pair(out, child, OutlineKind::attributes, layout, {}, "=");
}

/// A new tag: `[name a=1 b=2]`, and the properties of a node.
Rewritten ResourceSyntax::append_tag(std::string& out, std::string_view name,
                                     const ChangedChildren& change, std::size_t j) const {
    const View& value = change.to.values[j];
    if (!value.is(Type::dictionary))
        return refused(Errc::wrong_type, "a tag is a Dictionary of its attributes", value.type());
    View properties;
    out += '[';
    out += name;
    for (Children all(value); !all.done();) {
        const Child child = all.next_value();
        if (name == "node" && child.key_view.is(Type::string) &&
            child.key_view.text() == "properties") {
            properties = child.view;
            continue;
        }
        out += ' ';
        if (auto done = append_attribute(out, child, change.layout); !done)
            return done;
    }
    out += ']';
    if (!properties || properties.size() == 0)
        return {};
    out += change.layout.newline;
    if (auto done = append_lines(out, properties, change.layout, equals_below(change)); !done) {
        done.error().path.insert(0, ".properties");
        return done;
    }
    out.resize(out.size() - change.layout.newline.size());
    return {};
}

Rewritten ResourceSyntax::append_sub(std::string& out, const ChangedChildren& change,
                                     std::size_t j) const {
    const View& value = change.to.values[j];
    if (!value.is(Type::object) || value.object_kind() != ObjectKind::full)
        return refused(
            Errc::wrong_type,
            "a sub_resource is an Object, as in Object(Gradient,\"interpolation_mode\":1)",
            value.type());
    std::string id;
    if (auto done = key(id, change.to.step(j), OutlineKind::group); !done)
        return done;
    out += "[sub_resource type=\"";
    out.append(value.class_name()).append("\" id=").append(id) += ']';
    if (value.size() == 0)
        return {};
    out += change.layout.newline;
    if (auto done = append_lines(out, value, change.layout, equals_below(change)); !done)
        return done;
    out.resize(out.size() - change.layout.newline.size());
    return {};
}

/// Tags come, go and change places.
Rewritten ResourceSyntax::change_group(TextEdits& edits, const ChangedChildren& change) const {
    using enum ResourcePart;
    const ResourcePart part = part_of(change);
    const LineText text(change.text);
    const bool lines = part == sub || part == node;
    RowChanges changes{edits, change, {}, true, lines, &late_};
    for (const std::uint32_t number : change.nodes) {
        const TextSpan span = extent(change.outline, number);
        changes.rows.push_back({row_of(text, span.begin, span.end)});
    }
    if (changes.rows.size() > 1 && changes.rows[1][0].own_line) {
        const std::size_t lead = changes.rows[1][0].lead;
        changes.blank = text.blank_lines_before(lead) != lead;
    }
    changes.make = [&](std::string& out, std::size_t j) {
        return below(change.to.step(j), part == sub
                                            ? append_sub(out, change, j)
                                            : append_tag(out, tag_rule(part).name, change, j));
    };
    changes.put_first = [&](const std::string& made) {
        const std::string& newline = change.layout.newline;
        const std::size_t next = part == ext   ? first_of(change, {sub, resource, node})
                                 : part == sub ? first_of(change, {resource, node})
                                               : text.size();
        if (next < text.size()) {
            late_.push_back({row_of(text, next, next).lead, made + newline + newline});
            return;
        }
        const bool open = text.is_open_end(next);
        late_.push_back({next, (open ? newline : "") + newline + made + newline});
    };
    return change_rows(changes);
}

}  // namespace gdvar::detail
