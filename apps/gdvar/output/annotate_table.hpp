#pragma once

#include <cstdint>
#include <string>

#include "gdvar/inspect/annotate.hpp"
#include "output/output.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// Prints rows for a screen, in colours and in columns that fit its width. Text beyond the width
/// continues in the next line, below the type. Long bytes and paths are shortened, with `...` for
/// the rest.
class AnnotateTable {
public:
    /// `wide`: one line for each row, however long.
    AnnotateTable(Output& out, PathCutter& paths, bool wide);
    /// `offset`: of the packet, in the input; `bytes`: of the row.
    void row(std::uint64_t offset, ByteView bytes, const AnnotateRow& row);

private:
    struct Text;
    void add(Text& to, std::string text, const char* style);
    Output& out_;
    PathCutter& paths_;
    bool wide_;
    std::size_t width_, path_width_;
};

/// A row as a line: "0x1c       02000000    $.version     int  1".
std::string annotate_line(std::uint64_t offset, ByteView bytes, std::string path,
                          const std::string& text);

}  // namespace gdvar::app
