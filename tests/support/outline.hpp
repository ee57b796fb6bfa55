// Whether an Outline is parallel to the value that was read with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdvar/value/outline.hpp"
#include "gdvar/value/variant.hpp"

namespace gdvar::test {

namespace outline_walk {
struct Open {
    const Variant* value;
    std::uint32_t node, child, done;
    std::size_t last_end;
};
}  // namespace outline_walk

/// The faults of the outline of `value` in `text`; empty if there are none. `read(part)` gives
/// the value of a part of the text, `std::optional<Variant>`. Elements of typed containers may have
/// been converted, so their texts are not read.
template <class Read>
std::string outline_problem(std::string_view text, const Outline& outline, const Variant& value,
                            Read&& read) {
    const auto said = [](std::string what, std::size_t node) {
        return what + " of node " + std::to_string(node);
    };
    const auto reads_as = [&](std::size_t begin, std::size_t end, const Variant& wanted) {
        if (begin >= end || end > text.size())
            return false;
        const auto got = read(text.substr(begin, end - begin));
        return got && identical(*got, wanted);
    };
    std::vector<outline_walk::Open> open;
    const auto enter = [&](const Variant& at, std::uint32_t i, bool typed) -> std::string {
        const OutlineNode& node = outline.nodes[i];
        if (node.begin >= node.end || node.end > text.size())
            return said("span", i);
        if (node.kind == OutlineKind::leaf)
            return node.count || node.next != i + 1              ? said("children of a leaf", i)
                   : typed || reads_as(node.begin, node.end, at) ? ""
                                                                 : said("text", i);
        const Type type = at.type();
        const bool fits = node.kind == OutlineKind::array
                              ? type == Type::array || type == Type::packed_typed_array
                          : node.kind == OutlineKind::dictionary ? type == Type::dictionary
                                                                 : type == Type::object;
        if (!fits)
            return said("kind", i);
        if (node.count != at.size())
            return said("count", i);
        if (node.inner <= node.begin || node.inner >= node.end)
            return said("inner", i);
        open.push_back({&at, i, i + 1, 0, node.inner});
        return "";
    };
    if (outline.nodes.empty() || outline.nodes[0].next != outline.nodes.size())
        return "no root";
    if (auto problem = enter(value, 0, false); !problem.empty())
        return problem;
    while (!open.empty()) {
        outline_walk::Open& top = open.back();
        const OutlineNode& parent = outline.nodes[top.node];
        if (top.done == parent.count) {
            if (top.child != parent.next)
                return said("next", top.node);
            open.pop_back();
            continue;
        }
        const std::uint32_t i = top.child, place = top.done++;
        if (i >= parent.next)
            return said("number of children", top.node);
        const OutlineNode& node = outline.nodes[i];
        const bool named = parent.kind != OutlineKind::array;
        const std::size_t begin = named ? node.key_begin : node.begin;
        if (begin < top.last_end || node.end >= parent.end || (named && node.key_end > node.begin))
            return said("place", i);
        top.last_end = node.end;
        top.child = node.next;
        const Variant* child = nullptr;
        bool typed = false;
        if (const auto* array = top.value->get_if<Array>()) {
            child = &(*array)[place];
            typed = array->element_type().typed();
            if (node.key_begin || node.key_end)
                return said("key of an element", i);
        } else if (const auto* pairs = top.value->get_if<Dictionary>()) {
            const auto& pair = pairs->begin()[place];
            child = &pair.value;
            typed = pairs->key_type().typed() || pairs->value_type().typed();
            if (!typed && !reads_as(node.key_begin, node.key_end, pair.key))
                return said("key", i);
        } else {
            const auto& property = top.value->get_if<Object>()->begin()[place];
            child = &property.value;
            if (!reads_as(node.key_begin, node.key_end, Variant(property.name)))
                return said("name", i);
        }
        if (auto problem = enter(*child, i, typed); !problem.empty())
            return problem;
    }
    return "";
}

}  // namespace gdvar::test
