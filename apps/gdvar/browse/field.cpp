#include "browse/field.hpp"

#include <algorithm>
#include <utility>

#include "gdvar/base/utf8.hpp"

namespace gdvar::app::browse {
namespace {

bool is_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::size_t Field::before(std::size_t at) const noexcept {
    if (at == 0)
        return 0;
    do
        --at;
    while (at > 0 && utf8::continues(text_[at]));
    return at;
}

std::size_t Field::after(std::size_t at) const noexcept {
    const std::size_t size = utf8::first(std::string_view(text_).substr(at)).size;
    return std::min(text_.size(), at + std::max<std::size_t>(size, 1));
}

void Field::erase(std::size_t from, std::size_t to) {
    text_.erase(from, to - from);
    caret_ = from;
}

void Field::insert(std::string_view text) {
    if (std::exchange(marked_, false))
        erase(0, text_.size());
    text_.insert(caret_, text);
    caret_ += text.size();
}

bool Field::control(char letter) {
    if (letter == 'u') {
        erase(0, caret_);
    } else if (letter == 'k') {
        text_.resize(caret_);
    } else if (letter == 'w') {
        std::size_t from = caret_;
        while (from > 0 && !is_word(text_[from - 1]))
            --from;
        while (from > 0 && is_word(text_[from - 1]))
            --from;
        erase(from, caret_);
    } else {
        return false;
    }
    return true;
}

bool Field::key(const Key& key) {
    marked_ = marked_ && (key.name == Key::character || key.name == Key::tab);
    if (key.name == Key::character || key.name == Key::tab) {
        std::string bytes;
        utf8::append(bytes, key.name == Key::tab ? U'\t' : key.code);
        insert(bytes);
    } else if (key.name == Key::home || key.is_control('a')) {
        caret_ = 0;
    } else if (key.name == Key::end || key.is_control('e')) {
        caret_ = text_.size();
    } else if (key.name == Key::left) {
        caret_ = before(caret_);
    } else if (key.name == Key::right) {
        caret_ = after(caret_);
    } else if (key.name == Key::backspace) {
        erase(before(caret_), caret_);
    } else if (key.name == Key::del) {
        erase(caret_, after(caret_));
    } else {
        return key.name == Key::control && control(static_cast<char>(key.code));
    }
    return true;
}

int Field::draw(Canvas& canvas, int x, int y, int columns, Style style) {
    const std::string_view all = text_;
    // The earliest character that leaves a column for the caret.
    std::size_t earliest = caret_;
    for (int used = 0; earliest > 0; earliest = before(earliest)) {
        const std::size_t previous = before(earliest);
        used += shown_columns(all.substr(previous, earliest - previous));
        if (used >= columns)
            break;
    }
    first_ = std::clamp(first_, earliest, caret_);
    const int caret = shown_columns(all.substr(first_, caret_ - first_));
    canvas.fill(x, y, columns, style);
    style.selected = style.selected || marked_;
    canvas.put(x, y, all.substr(first_), style, columns);
    return x + caret;
}

}  // namespace gdvar::app::browse
