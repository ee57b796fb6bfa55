#include "gdvar/wire/views.hpp"

#include "base/node_path.hpp"
#include "wire/node_path.hpp"

namespace gdvar {

NodePathView NodePathView::from_text(std::string_view text) noexcept {
    NodePathView out;
    out.text_ = true;
    out.absolute_ = text.starts_with('/');
    out.records_ = as_bytes(text);
    out.each([&](std::string_view, bool subname) { ++(subname ? out.subnames_ : out.names_); });
    return out;
}

std::string to_string(const NodePathView& path) {
    std::string out;
    detail::append_node_path(out, path);
    return out;
}

void detail::append_node_path(std::string& out, const NodePathView& path) {
    append_node_path(out, path.absolute(), [&](auto&& use) { path.each(use); });
}

bool detail::is_text_exact(const NodePathView& path) noexcept {
    bool exact = !path.separate_property();
    path.each(
        [&](std::string_view name, bool subname) { exact = exact && is_path_name(name, subname); });
    return exact;
}

}  // namespace gdvar
