#include "inspect/fingerprints.hpp"

#include <bit>
#include <deque>

#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/value/variant.hpp"
#include "wire/key_hash.hpp"

namespace gdvar::detail {
namespace {

using Hash = Sip<1, 3>;

void add_text(Hash& to, std::string_view text) noexcept {
    to.word(text.size());
    to.text(text, 0);
}
void add_bytes(Hash& to, ByteView bytes) noexcept {
    add_text(to, as_text(bytes.data(), bytes.size()));
}

void add_path(Hash& to, const NodePathView& path) noexcept {
    to.word(path.absolute());
    path.each([&](std::string_view name, bool subname) {
        to.word(subname ? 2 : 1);
        add_text(to, name);
    });
}

void add_object(Hash& to, const View& view) noexcept {
    if (view.object_kind() == ObjectKind::full)
        add_text(to, view.class_name());
    else
        to.word(view.object_id());
}

/// The hash of the node alone: its type, and a leaf's whole value.
Hash of_node(const View& view) noexcept {
    Hash out(process_key());
    out.word(static_cast<std::uint64_t>(view.type()) << 1 | std::uint64_t{view.wide()});
    out.word(view.size());
    switch (view.type()) {
        case Type::boolean:
            out.word(view.boolean());
            break;
        case Type::integer:
            out.word(static_cast<std::uint64_t>(view.integer()));
            break;
        case Type::real:
            out.word(std::bit_cast<std::uint64_t>(view.real()));
            break;
        case Type::string:
        case Type::string_name:
            add_text(out, view.text());
            break;
        case Type::node_path:
            add_path(out, view.node_path());
            break;
        case Type::rid:
            out.word(view.rid());
            break;
        case Type::signal:
            add_text(out, view.signal_name());
            out.word(view.signal_object());
            break;
        case Type::packed_string_array:
            for (const auto all = view.strings(); const std::string_view text : all)
                add_text(out, text);
            break;
        case Type::image:
            out.word(view.image().width);
            break;
        case Type::input_event:
            out.word(view.input_event().type);
            break;
        case Type::object:
            add_object(out, view);
            break;
        default:
            if (is_packed(view.type())) {
                add_bytes(out, view.packed().bytes());
            } else if (type_info(view.type()).components) {
                const MathView math = view.math();
                add_bytes(out, {math.data, math.size()});
            }
            break;
    }
    return out;
}

struct Open {
    Children children;
    View view;
    Hash hash;
    explicit Open(const View& container)
        : children(container), view(container), hash(of_node(container)) {}
};

bool same_bytes(const View& a, const View& b) noexcept {
    const ByteView x = a.raw(), y = b.raw();
    return a.options().dialect == b.options().dialect &&
           as_text(x.data(), x.size()) == as_text(y.data(), y.size());
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) noexcept {
    Hash out(process_key());
    add_text(out, text);
    return out.finish();
}

Fingerprints::Fingerprints(const View& root)
    : prints_(root.raw().size() / 4 + 1), base_(root.offset()) {
    std::deque<Open> open;
    const auto put = [&](const View& view, std::uint64_t print) {
        prints_[(view.offset() - base_) / 4] = print;
        if (!open.empty())
            open.back().hash.word(print);
    };
    const auto enter = [&](const View& view) {
        if (is_container(view))
            open.emplace_back(view);
        else
            put(view, of_node(view).finish());
    };
    enter(root);
    while (!open.empty()) {
        Open& top = open.back();
        if (top.children.done()) {
            const View view = top.view;
            const std::uint64_t print = top.hash.finish();
            open.pop_back();
            put(view, print);
            continue;
        }
        const Child child = top.children.next();
        if (child.role == Child::property)
            add_text(top.hash, child.name);
        enter(child.view);
    }
}

bool same_node(const View& a, const View& b) {
    if (a.type() != b.type() || a.wide() != b.wide() || a.size() != b.size())
        return false;
    switch (a.type()) {
        case Type::array:
        case Type::packed_typed_array:
            return a.element_type() == b.element_type();
        case Type::dictionary:
            return a.key_type() == b.key_type() && a.value_type() == b.value_type();
        case Type::object:
            return a.object_kind() == b.object_kind() &&
                   (a.object_kind() == ObjectKind::full ? a.class_name() == b.class_name()
                                                        : a.object_id() == b.object_id());
        default:
            break;
    }
    if (same_bytes(a, b))
        return true;
    return identical(a.get<Variant>().value_or(Variant()), b.get<Variant>().value_or(Variant()));
}

bool same(const View& a, const View& b) {
    if (same_bytes(a, b))
        return true;
    if (!same_node(a, b))
        return false;
    std::deque<std::pair<Children, Children>> open;
    const auto enter = [&](const View& from, const View& to) {
        if (is_container(from))
            open.emplace_back(std::piecewise_construct, std::forward_as_tuple(from),
                              std::forward_as_tuple(to));
    };
    enter(a, b);
    while (!open.empty()) {
        auto& [from, to] = open.back();
        if (from.done()) {
            open.pop_back();
            continue;
        }
        const Child left = from.next(), right = to.next();
        if (left.name != right.name || !same_node(left.view, right.view))
            return false;
        enter(left.view, right.view);
    }
    return true;
}

}  // namespace gdvar::detail
