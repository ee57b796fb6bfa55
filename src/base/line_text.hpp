// Places in a text by its lines. A line ends with \n or \r\n.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"

namespace gdvar::detail {

class LineText {
public:
    explicit LineText(std::string_view text) noexcept : text_(text) {}

    std::size_t line_begin(std::size_t at) const noexcept {
        return at ? text_.rfind('\n', at - 1) + 1 : 0;
    }
    std::size_t line_end(std::size_t at) const noexcept {
        const std::size_t line = text_.find('\n', at);
        if (line == text_.npos)
            return text_.size();
        return line > at && text_[line - 1] == '\r' ? line - 1 : line;
    }
    std::size_t next_line(std::size_t at) const noexcept {
        const std::size_t line = text_.find('\n', at);
        return line == text_.npos ? text_.size() : line + 1;
    }
    bool is_line_end(std::size_t at) const noexcept {
        const std::string_view rest = text_.substr(at, 2);
        return rest.starts_with('\n') || rest == "\r\n";
    }
    /// True if `at` is the end of the text, and its last line has no line break.
    bool is_open_end(std::size_t at) const noexcept {
        return at == text_.size() && at && text_[at - 1] != '\n';
    }
    /// Skips white space other than line breaks, forwards or backwards.
    std::size_t behind_blanks(std::size_t at) const noexcept {
        while (at < text_.size() && is_blank(text_[at]))
            ++at;
        return at;
    }
    std::size_t before_blanks(std::size_t at) const noexcept {
        while (at && is_blank(text_[at - 1]))
            --at;
        return at;
    }
    /// The start of the empty lines that end at this line; the end of those that begin here.
    std::size_t blank_lines_before(std::size_t at) const noexcept {
        for (std::size_t begin; at; at = begin)
            if (begin = line_begin(at - 1); !all_space(part(begin, at)))
                break;
        return at;
    }
    std::size_t blank_lines_behind(std::size_t at) const noexcept {
        for (std::size_t next; at < text_.size(); at = next)
            if (next = next_line(at); !all_space(part(at, next)))
                break;
        return at;
    }
    /// The white space at the start of the line.
    std::string_view indent(std::size_t at) const noexcept {
        const std::size_t begin = line_begin(at);
        return part(begin, std::min(at, behind_blanks(begin)));
    }
    char operator[](std::size_t at) const noexcept { return text_[at]; }
    std::string_view part(std::size_t begin, std::size_t end) const noexcept {
        return text_.substr(begin, end - begin);
    }
    std::size_t size() const noexcept { return text_.size(); }

private:
    std::string_view text_;
};

}  // namespace gdvar::detail
