// Recognises terminals, measures them, reads hidden lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdvar::platform {

bool is_terminal(int descriptor) noexcept;
/// True if the file is a terminal's device, such as /dev/tty. Opens it without reading or writing.
bool names_terminal(const std::string& path) noexcept;
/// Columns of the terminal; 0 if unknown.
std::size_t terminal_columns(int descriptor) noexcept;

/// A password: overwritten by the destructor.
class HiddenText {
public:
    static constexpr std::size_t most = 1024;
    HiddenText() = default;
    ~HiddenText();
    HiddenText(const HiddenText&) = delete;
    HiddenText& operator=(const HiddenText&) = delete;
    std::string_view text() const noexcept { return {bytes_, size_}; }

private:
    friend bool read_hidden_line(int descriptor, std::string_view prompt, HiddenText& line);
    char bytes_[most] = {};
    std::size_t size_ = 0;
};

/// Reads a line from a terminal, which shows only the prompt. Backspace deletes a character, Ctrl-U
/// all. The terminal's state is restored, also if a signal ends the program meanwhile. False: the
/// user gave up (Ctrl-C, Ctrl-D, Escape), the line has more than HiddenText::most bytes, or the
/// descriptor is not a terminal.
bool read_hidden_line(int descriptor, std::string_view prompt, HiddenText& line);

}  // namespace gdvar::platform
