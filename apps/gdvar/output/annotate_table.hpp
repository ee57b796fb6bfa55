// Rows of `annotate` for a screen: columns that fit the width, in colours.
#pragma once

#include <cstdint>
#include <string>

#include "gdvar/inspect/annotate.hpp"
#include "output/output.hpp"
#include "output/path_cutter.hpp"
#include "rooms.hpp"

namespace gdvar::app {

/// Prints rows to an output. What does not fit the width goes on in the next line, below the type.
/// Long bytes and paths are shortened, with `...` where something is left out.
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

}  // namespace gdvar::app
