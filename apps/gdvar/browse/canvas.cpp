#include "browse/canvas.hpp"

#include <algorithm>

#include "gdvar/base/utf8.hpp"
#include "output/columns.hpp"
#include "output/printable.hpp"

namespace gdvar::app::browse {
namespace {

constexpr std::string_view dots = "...";
constexpr std::size_t most_combining = 3;

/// Joiners and selectors make terminals draw several characters as one, in a width that none of
/// them agrees on. Without them each has its own width.
bool is_joiner(std::uint32_t code) noexcept {
    return (code >= 0x200B && code <= 0x200D) || (code >= 0x2060 && code <= 0x2064) ||
           (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF) ||
           (code >= 0x1F3FB && code <= 0x1F3FF);  // colours of skin
}

std::string shown(std::string_view text) {
    const std::string safe = printable(text);
    std::string out;
    for (std::string_view rest = safe; !rest.empty();) {
        const utf8::Character c = utf8::first(rest);
        const std::size_t size = std::max<std::size_t>(c.size, 1);
        if (!is_joiner(c.code))
            out += rest.substr(0, size);
        rest.remove_prefix(size);
    }
    return out;
}

}  // namespace

std::string_view enough_for(std::string_view text, int columns, bool& cut) {
    // A column takes at most 4 bytes, and some more that combine with them.
    const std::size_t most = 16 * static_cast<std::size_t>(std::max(columns, 0)) + 64;
    cut = text.size() > most;
    return cut ? text.substr(0, utf8::cut(text, most)) : text;
}

int shown_columns(std::string_view text) {
    return static_cast<int>(columns(shown(text)));
}

Canvas::Canvas(int width, int height)
    : width_(std::max(width, 1)),
      height_(std::max(height, 1)),
      cells_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

void Canvas::set(int x, int y, std::string_view text, std::uint8_t columns, Style style) {
    // Half of a wide character does not stay.
    if (x > 0 && at(x, y).columns == 0)
        cells_[index(x - 1, y)] = Cell{.style = at(x - 1, y).style};
    const int end = x + columns;
    if (end < width_ && at(end, y).columns == 0)
        cells_[index(end, y)] = Cell{.style = at(end, y).style};
    cells_[index(x, y)] = Cell{std::string(text), columns, style};
    if (columns == 2)
        cells_[index(x + 1, y)] = Cell{{}, 0, style};
}

int Canvas::put_printable(int x, int y, std::string_view text, Style style, int most) {
    int used = 0;
    std::size_t combined = 0;
    while (!text.empty()) {
        const std::size_t size = std::max<std::size_t>(utf8::first(text).size, 1);
        const std::string_view c = text.substr(0, size);
        const int wide = static_cast<int>(columns(c));
        if (wide == 0) {
            if (used && ++combined <= most_combining) {
                const int before = x + used - 1;
                cells_[index(before - (at(before, y).columns == 0 ? 1 : 0), y)].text += c;
            }
        } else {
            if (used + wide > most)
                break;
            set(x + used, y, c, static_cast<std::uint8_t>(wide), style);
            used += wide;
            combined = 0;
        }
        text.remove_prefix(size);
    }
    return used;
}

int Canvas::put(int x, int y, std::string_view text, Style style, int most) {
    if (y < 0 || y >= height_ || x < 0 || x >= width_)
        return 0;
    most = std::min(most, width_ - x);
    if (most <= 0)
        return 0;
    bool cut = false;
    const std::string safe = shown(enough_for(text, most, cut));
    if (!cut && static_cast<int>(columns(safe)) <= most)
        return put_printable(x, y, safe, style, most);
    const int kept = most - static_cast<int>(dots.size());
    if (kept <= 0)
        return put_printable(x, y, dots.substr(0, static_cast<std::size_t>(most)), style, most);
    const int used = put_printable(x, y, safe, style, kept);
    return used + put_printable(x + used, y, dots, style, most - used);
}

void Canvas::fill(int x, int y, int columns, Style style) {
    if (y < 0 || y >= height_)
        return;
    for (int i = std::max(x, 0); i < std::min(x + columns, width_); ++i)
        set(i, y, " ", 1, style);
}

std::string Canvas::line(int y) const {
    std::string out;
    for (int x = 0; x < width_; ++x)
        out += at(x, y).text;
    out.resize(out.find_last_not_of(' ') + 1);
    return out;
}

}  // namespace gdvar::app::browse
