#pragma once

#include <string>

#include "gdvar/wire/views.hpp"

namespace gdvar::inspect::brief {

std::string number(double value);
std::string number(float value);
/// `quote` of a text, cut after `most` bytes.
std::string text(std::string_view text, std::size_t most = 60);
std::string math(const MathView& value);
std::string packed(const PackedView& value, std::size_t most = 6);
std::string path(const NodePathView& value);
std::string container_type(const ContainerType& type);

}  // namespace gdvar::inspect::brief
