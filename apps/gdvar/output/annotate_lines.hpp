#pragma once

#include <expected>
#include <functional>
#include <string>

#include "gdvar/gdvar.hpp"

namespace gdvar::app {

class PathCutter;

/// One row: "0x1c       02000000    $.version     int  1".
std::string annotate_line(std::uint64_t offset, ByteView bytes, std::string path,
                          const std::string& text);
/// The rows of `annotate`, as lines. Errors: those of `read`, after all rows.
std::expected<std::size_t, Error> annotate_lines(
    ByteView packet, std::uint64_t offset, const DecodeOptions& decoding, PathCutter& paths,
    const std::function<void(const std::string&)>& line);

}  // namespace gdvar::app
