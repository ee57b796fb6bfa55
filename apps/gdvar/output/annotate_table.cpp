#include "output/annotate_table.hpp"

#include <algorithm>

#include "gdvar/save/coding.hpp"
#include "output/columns.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t offset_width = 8, bytes_width = 16;
constexpr std::size_t least_width = 60;

std::string bytes_column(ByteView bytes) {
    constexpr std::size_t most = 16;
    std::string out = to_hex(bytes.first(std::min(bytes.size(), most)));
    if (bytes.size() > most)
        out += "...";
    return out;
}

std::string filled(std::string text, std::size_t width) {
    text.append(width - std::min(width, columns(text)), ' ');
    return text;
}

std::string some_bytes(ByteView bytes) {
    constexpr std::size_t most = bytes_width / 2, cut = most - 2;
    return bytes.size() <= most ? to_hex(bytes) : to_hex(bytes.first(cut)) + "...";
}
/// The end of a path says more than its start, which earlier rows show.
std::string path_end(const std::string& path, std::size_t width) {
    const std::size_t size = columns(path);
    if (size <= width)
        return path;
    const std::size_t most = width - 3;
    std::size_t cut = bytes_within(path, size - most);
    if (columns(std::string_view(path).substr(cut)) > most)  // half of a wide character exceeds it
        cut = bytes_within(path, size - most + 1);
    return "..." + path.substr(cut);
}

const char* style_of(std::string_view type) {
    return type == "padding" ? "2" : type == "break" || type == "trailing" ? "1;31" : "36";
}

}  // namespace

struct AnnotateTable::Text {
    std::size_t left;    ///< start of its lines
    std::size_t column;  ///< column of the next character
};

AnnotateTable::AnnotateTable(Output& out, PathCutter& paths, bool wide)
    : out_(out), paths_(paths), wide_(wide), width_(std::max(out.width(), least_width)) {
    path_width_ = std::min<std::size_t>(22 + (width_ > 80 ? (width_ - 80) / 2 : 0), 40);
}

void AnnotateTable::add(Text& to, std::string text, const char* style) {
    if (text.empty())
        return;
    text = printable(text);
    std::string_view rest = text;
    const auto next_line = [&] {
        out_.end_line();
        out_.piece(std::string(to.left, ' '));
        to.column = to.left;
    };
    if (to.column > to.left) {
        constexpr std::size_t gap = 2;
        const std::size_t word = std::min(rest.find(' '), rest.size());
        if (to.column + gap + columns(rest.substr(0, word)) > width_) {
            next_line();
        } else {
            out_.piece(std::string(gap, ' '));
            to.column += gap;
        }
    }
    for (;;) {
        const std::size_t most = bytes_within(rest, width_ - std::min(width_, to.column));
        if (most == rest.size())
            break;
        // Broken at a space, else between the characters of a word that fills a line by itself.
        const std::size_t space = rest.substr(0, most + 1).rfind(' ');
        const bool words = space != rest.npos && space > 0;
        out_.piece(rest.substr(0, words ? space : most), style);
        rest.remove_prefix(words ? space + 1 : most);
        next_line();
    }
    out_.piece(rest, style);
    to.column += columns(rest);
}

void AnnotateTable::row(std::uint64_t offset, ByteView bytes, const AnnotateRow& row) {
    const std::string path = paths_(row.path);
    const std::string note = row.note.empty() ? "" : "; " + row.note;
    const std::string_view kind = row.type;
    const char* const value_style = row.value.starts_with('"') ? "32" : "33";
    if (wide_) {
        out_.piece(annotate_line(offset + row.offset, bytes, path, ""), nullptr);
        out_.piece(row.type, style_of(kind));
        for (const auto& [part, style] : {std::pair(row.value, value_style), {note, "35"}})
            if (!part.empty()) {
                out_.piece("  ");
                out_.piece(part, style);
            }
        return out_.end_line();
    }
    out_.piece(filled(hex(offset + row.offset), offset_width) + " ", "2");
    out_.piece(filled(some_bytes(bytes), bytes_width) + " ", kind == "padding" ? "2" : nullptr);
    out_.piece(filled(path_end(printable(path), path_width_), path_width_) + " ", "34");
    const std::size_t column = offset_width + bytes_width + path_width_ + 3;
    Text text{column, column};
    add(text, row.type, style_of(kind));
    add(text, row.value, value_style);
    add(text, note, "35");
    out_.end_line();
}

std::string annotate_line(std::uint64_t offset, ByteView bytes, std::string path,
                          const std::string& text) {
    return padded(hex(offset), 10) + " " + padded(bytes_column(bytes), 35) + " " +
           padded(std::move(path), 24) + " " + text;
}

}  // namespace gdvar::app
