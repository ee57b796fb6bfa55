#pragma once

#include <concepts>
#include <string>

#include "base/number.hpp"
#include "gdvar/wire/views.hpp"

namespace gdvar::inspect::brief {

template <std::floating_point Real>
std::string number(Real value) {
    std::string out;
    detail::append_float(out, value, detail::WholeMark::yes);
    return out;
}
/// `quote` of a text, cut after `most` bytes.
std::string text(std::string_view text, std::size_t most = 60);
std::string math(const MathView& value);
std::string packed(const PackedView& value, std::size_t most = 6);
std::string path(const NodePathView& value);
std::string container_type(const ContainerType& type);

}  // namespace gdvar::inspect::brief
