#include "output/annotate_table.hpp"

#include <algorithm>

#include "gdvar/save/coding.hpp"
#include "output/annotate_lines.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t offset_width = 8, bytes_width = 16;
constexpr std::size_t least_width = 60;

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}
/// The bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (begins_character(text[at]) && count-- == 0)
            break;
    return at;
}
std::string filled(std::string text, std::size_t width) {
    text.append(width - std::min(width, characters(text)), ' ');
    return text;
}

std::string some_bytes(ByteView bytes) {
    constexpr std::size_t most = bytes_width / 2, cut = most - 2;
    return bytes.size() <= most ? to_hex(bytes) : to_hex(bytes.first(cut)) + "...";
}
/// The end of a path says more than its start, which the rows above show.
std::string path_end(const std::string& path, std::size_t width) {
    const std::size_t size = characters(path);
    return size <= width ? path : "..." + path.substr(bytes_of(path, size - (width - 3)));
}

const char* style_of(std::string_view type) {
    return type == "padding" ? "2" : type == "break" || type == "trailing" ? "1;31" : "36";
}

}  // namespace

/// A text that is broken into lines.
struct AnnotateTable::Text {
    std::size_t left;    ///< where its lines begin
    std::size_t column;  ///< where the next character goes
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
        if (to.column + gap + characters(rest.substr(0, word)) > width_) {
            next_line();
        } else {
            out_.piece(std::string(gap, ' '));
            to.column += gap;
        }
    }
    for (;;) {
        const std::size_t most = bytes_of(rest, width_ - std::min(width_, to.column));
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
    to.column += characters(rest);
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

}  // namespace gdvar::app
