#include <algorithm>

#include "base/platform/terminal.hpp"
#include "base/platform/windows.hpp"

namespace gdvar::platform {

bool is_terminal(int descriptor) noexcept {
    DWORD mode = 0;
    return ::GetConsoleMode(handle_of(descriptor), &mode) != 0;
}

bool names_terminal(const std::string& path) noexcept try {
    const Handle file = open_name(wide_path(path), GENERIC_READ | GENERIC_WRITE);
    DWORD mode = 0;
    return file && ::GetConsoleMode(file.get(), &mode) != 0;
} catch (const std::bad_alloc&) {
    return false;
}

std::size_t terminal_columns(int descriptor) noexcept {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (!::GetConsoleScreenBufferInfo(handle_of(descriptor), &info))
        return 0;
    return static_cast<std::size_t>(std::max(0, info.srWindow.Right - info.srWindow.Left + 1));
}

namespace {

/// A console that hides typed text and gives each character as it comes.
class Hiding {
public:
    explicit Hiding(HANDLE console) : console_(console) {
        constexpr DWORD shown = ENABLE_ECHO_INPUT | ENABLE_LINE_INPUT | ENABLE_PROCESSED_INPUT;
        on_ = ::GetConsoleMode(console, &before_) && ::SetConsoleMode(console, before_ & ~shown);
    }
    ~Hiding() {
        if (on_)
            ::SetConsoleMode(console_, before_);
    }
    Hiding(const Hiding&) = delete;
    Hiding& operator=(const Hiding&) = delete;
    bool on() const noexcept { return on_; }

private:
    HANDLE console_;
    DWORD before_ = 0;
    bool on_ = false;
};

}  // namespace

bool read_hidden_line(int descriptor, std::string_view prompt, HiddenText& line) {
    const HANDLE console = handle_of(descriptor);
    const Hiding hiding(console);
    if (!hiding.on())
        return false;
    // The input handle can't show text.
    const Handle shown = open_name(L"CONOUT$", GENERIC_READ | GENERIC_WRITE);
    const auto write_out = [&](std::string_view text) {
        const std::wstring words = wide(text);
        DWORD size = 0;
        ::WriteConsoleW(shown.get(), words.data(), static_cast<DWORD>(words.size()), &size,
                        nullptr);
    };
    write_out(prompt);
    wchar_t typed[HiddenText::most] = {};
    std::size_t size = 0;
    bool whole = true, fits = true;
    while (whole) {
        wchar_t key = 0;
        DWORD got = 0;
        whole = ::ReadConsoleW(console, &key, 1, &got, nullptr) && got == 1 && key != 3 &&
                key != 4 && key != 26 && key != 27;  // Ctrl-C, Ctrl-D, Ctrl-Z, Escape
        if (!whole || key == L'\n' || key == L'\r')
            break;
        if (key == 8 || key == 127) {
            // A surrogate pair goes as a whole.
            if (size > 1 && IS_LOW_SURROGATE(typed[size - 1]))
                --size;
            size -= size ? 1 : 0;
        } else if (key == 21) {  // Ctrl-U
            size = 0;
            fits = true;
        } else if (size < std::size(typed)) {
            typed[size++] = key;
        } else {
            fits = false;
        }
    }
    write_out("\n");
    const int bytes =
        size ? ::WideCharToMultiByte(CP_UTF8, 0, typed, static_cast<int>(size), line.bytes_,
                                     static_cast<int>(HiddenText::most), nullptr, nullptr)
             : 0;
    line.size_ = static_cast<std::size_t>(bytes);
    ::SecureZeroMemory(typed, sizeof typed);
    return whole && fits && (bytes > 0 || size == 0);
}

}  // namespace gdvar::platform
