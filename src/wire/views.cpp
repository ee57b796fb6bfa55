#include "gdvar/wire/views.hpp"

namespace gdvar {

NodePathView NodePathView::from_text(std::string_view text) noexcept {
    NodePathView out;
    out.text_ = true;
    out.absolute_ = text.starts_with('/');
    out.records_ = as_bytes(text);
    out.each([&](std::string_view, bool subname) { ++(subname ? out.subnames_ : out.names_); });
    return out;
}

}  // namespace gdvar
