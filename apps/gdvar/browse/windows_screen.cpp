// The console by Windows' own functions, which each of its consoles has. Curses libraries for
// Windows keep one unit of UTF-16 for each column, which is too little for many characters.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include "browse/look.hpp"
#include "browse/screen.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace gdvar::app::browse {
namespace {

HANDLE keys, before, ours;  ///< where keys come from, what was shown before, and our own screen
HANDLE asked;               ///< is set when the program is asked to end
std::atomic<int> asked_by = 0;
DWORD mode_before = 0;
WORD plain_look = 0;
std::optional<Canvas> shown;  ///< nothing where all is to be drawn

constexpr int faults[] = {SIGSEGV, SIGFPE, SIGILL, SIGABRT};
std::array<void (*)(int), std::size(faults)> faults_before;

void restore() {
    ::SetConsoleActiveScreenBuffer(before);
    ::SetConsoleMode(keys, mode_before);
}

extern "C" void restore_and_fail(int number) {
    restore();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

/// Called in a thread of its own. When the console was closed, Windows ends the program as soon as
/// this returns. It does not return then, so that the program finishes what it is writing.
BOOL WINAPI note_asking(DWORD why) {
    const bool by_key = why == CTRL_C_EVENT || why == CTRL_BREAK_EVENT;
    asked_by = by_key ? SIGINT : SIGTERM;
    ::SetEvent(asked);
    if (!by_key)
        ::Sleep(INFINITE);
    return TRUE;
}

void take_signals() {
    for (std::size_t i = 0; i < std::size(faults); ++i)
        faults_before[i] = std::signal(faults[i], restore_and_fail);
    ::SetConsoleCtrlHandler(note_asking, TRUE);
}

void give_signals_back() {
    ::SetConsoleCtrlHandler(note_asking, FALSE);
    for (std::size_t i = 0; i < std::size(faults); ++i)
        std::signal(faults[i], faults_before[i]);
}

SMALL_RECT window() {
    CONSOLE_SCREEN_BUFFER_INFO info{};
    ::GetConsoleScreenBufferInfo(ours, &info);
    return info.srWindow;
}

int columns(const SMALL_RECT& rect) {
    return rect.Right - rect.Left + 1;
}
int lines(const SMALL_RECT& rect) {
    return rect.Bottom - rect.Top + 1;
}

/// Makes our screen as large as the window, so that the window can't be scrolled.
void fit() {
    const SMALL_RECT rect = window();
    ::SetConsoleScreenBufferSize(
        ours, {static_cast<SHORT>(columns(rect)), static_cast<SHORT>(lines(rect))});
    shown.reset();
}

// ---- keys

constexpr CodeOfKey named_keys[] = {
    {VK_ESCAPE, Key::escape}, {VK_DELETE, Key::del},     {VK_UP, Key::up},
    {VK_DOWN, Key::down},     {VK_LEFT, Key::left},      {VK_RIGHT, Key::right},
    {VK_PRIOR, Key::page_up}, {VK_NEXT, Key::page_down}, {VK_HOME, Key::home},
    {VK_END, Key::end},
};

/// Nothing for an event that is no key of its own: Shift, a key that is released, the first half of
/// a character.
std::optional<Key> key_of(const KEY_EVENT_RECORD& event) {
    static wchar_t first_half = 0;
    const wchar_t unit = event.uChar.UnicodeChar;
    // Digits that are typed with Alt held make a character. It comes when Alt is released.
    if (!event.bKeyDown && (event.wVirtualKeyCode != VK_MENU || !unit))
        return {};
    const Key named = named_key(named_keys, event.wVirtualKeyCode);
    if (!unit)
        return named.name == Key::other ? std::nullopt : std::optional(named);
    if (IS_HIGH_SURROGATE(unit)) {
        first_half = unit;
        return {};
    }
    if (!IS_LOW_SURROGATE(unit))
        return Key::typed(unit);
    return Key::typed(0x10000 + ((static_cast<char32_t>(first_half) & 0x3FF) << 10) +
                      (static_cast<char32_t>(unit) & 0x3FF));
}

std::optional<Key> key_of(const MOUSE_EVENT_RECORD& event) {
    Key out{.x = event.dwMousePosition.X, .y = event.dwMousePosition.Y};
    if (event.dwEventFlags == MOUSE_WHEELED)
        out.name =
            static_cast<SHORT>(HIWORD(event.dwButtonState)) > 0 ? Key::wheel_up : Key::wheel_down;
    else if (event.dwEventFlags == 0 && (event.dwButtonState & FROM_LEFT_1ST_BUTTON_PRESSED))
        out.name = Key::click;
    return out.name == Key::other ? std::nullopt : std::optional(out);
}

// ---- showing

/// The character of a cell. The console gives a combining mark a column of its own. A letter with a
/// mark is therefore shown as one code point, or without the mark where Unicode has none.
std::wstring units(std::string_view text) {
    constexpr int most = 64;
    wchar_t given[most], composed[most];
    const int size =
        ::MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), given, most);
    const int length = size ? ::FoldStringW(MAP_PRECOMPOSED, given, size, composed, most) : 0;
    if (length == 0)
        return L"\xFFFD";
    return {composed, length > 1 && IS_HIGH_SURROGATE(composed[0]) ? 2u : 1u};
}

void write_at(int x, int y, std::wstring_view text) {
    const SMALL_RECT rect = window();
    DWORD size = 0;
    ::SetConsoleCursorPosition(
        ours, {static_cast<SHORT>(rect.Left + x), static_cast<SHORT>(rect.Top + y)});
    ::WriteConsoleW(ours, text.data(), static_cast<DWORD>(text.size()), &size, nullptr);
}

/// Writes the cells from there that have one style. Returns the column behind them. The console may
/// give a character outside of ASCII another width: it is written alone, so that it moves no other.
int write_run(const Canvas& canvas, int x, int y) {
    const Cell& first = canvas.at(x, y);
    if (first.text.size() > 1) {
        const int size = std::max<int>(1, first.columns);
        write_at(x, y, std::wstring(static_cast<std::size_t>(size), L' '));
        write_at(x, y, units(first.text));
        return x + size;
    }
    std::wstring text;
    int end = x;
    for (; end < canvas.width(); ++end) {
        const Cell& cell = canvas.at(end, y);
        if (cell.text.size() > 1 || cell.style != first.style)
            break;
        text += cell.text.empty() ? L' ' : static_cast<wchar_t>(cell.text[0]);
    }
    write_at(x, y, text);
    return end;
}

bool same_line(const Canvas& a, const Canvas& b, int y) {
    for (int x = 0; x < a.width(); ++x)
        if (a.at(x, y) != b.at(x, y))
            return false;
    return true;
}

}  // namespace

// ---- on and off

std::expected<std::unique_ptr<Screen>, std::string> Screen::open(bool color) {
    keys = ::GetStdHandle(STD_INPUT_HANDLE);
    before = ::GetStdHandle(STD_OUTPUT_HANDLE);
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (!::GetConsoleMode(keys, &mode_before) || !::GetConsoleScreenBufferInfo(before, &info))
        return std::unexpected("this needs a terminal; gdvar show prints the same as text");
    asked = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
    ours = ::CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE,
                                       FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                       CONSOLE_TEXTMODE_BUFFER, nullptr);
    if (!asked || ours == INVALID_HANDLE_VALUE)
        return std::unexpected("this terminal has no second screen; gdvar show prints the same");
    std::unique_ptr<Screen> out(new Screen);
    out->color_ = color;
    plain_look = info.wAttributes & 0xFF;
    // Ctrl-C is a key, and no line is broken at the last column.
    ::SetConsoleMode(keys, ENABLE_WINDOW_INPUT | ENABLE_MOUSE_INPUT | ENABLE_EXTENDED_FLAGS);
    ::SetConsoleMode(ours, 0);
    ::SetConsoleActiveScreenBuffer(ours);
    take_signals();
    fit();
    return out;
}

Screen::~Screen() {
    give_signals_back();
    restore();
    ::CloseHandle(ours);
    ::CloseHandle(asked);
}

// A console has no jobs.
void Screen::suspend() {}

// ---- colours

int Screen::attributes(Style style) const {
    const WORD front = plain_look & 0xF, back = plain_look >> 4;
    const Look look = look_of(style);
    WORD out = front;
    if (color_ && look.dim)
        out = FOREGROUND_INTENSITY;
    // The dark colours can't be read on black.
    else if (color_ && look.color)
        out = static_cast<WORD>(
            (look.color & 1 ? FOREGROUND_RED : 0) | (look.color & 2 ? FOREGROUND_GREEN : 0) |
            (look.color & 4 ? FOREGROUND_BLUE : 0) | (~back & FOREGROUND_INTENSITY));
    else if (look.bold)
        out = front | FOREGROUND_INTENSITY;
    if (out == back)
        out = front;
    return look.reverse ? out << 4 | back : back << 4 | out;
}

// ---- showing

Canvas Screen::canvas() const {
    const SMALL_RECT rect = window();
    return {columns(rect), lines(rect)};
}

void Screen::show(const Canvas& canvas, std::optional<Point> caret) {
    constexpr DWORD cursor_height = 25;  // percent
    CONSOLE_CURSOR_INFO cursor{cursor_height, FALSE};
    ::SetConsoleCursorInfo(ours, &cursor);
    if (shown && (shown->width() != canvas.width() || shown->height() != canvas.height()))
        fit();
    for (int y = 0; y < canvas.height(); ++y) {
        if (shown && same_line(*shown, canvas, y))
            continue;
        for (int x = 0; x < canvas.width();) {
            ::SetConsoleTextAttribute(ours, static_cast<WORD>(attributes(canvas.at(x, y).style)));
            x = write_run(canvas, x, y);
        }
    }
    shown = canvas;
    if (caret) {
        write_at(caret->x, caret->y, {});
        cursor.bVisible = TRUE;
        ::SetConsoleCursorInfo(ours, &cursor);
    }
}

// ---- events

Screen::Event Screen::read_key() {
    INPUT_RECORD record;
    DWORD size = 0;
    if (!::GetNumberOfConsoleInputEvents(keys, &size))
        return {.kind = Event::ended};
    for (; size > 0; --size) {
        DWORD got = 0;
        if (!::ReadConsoleInputW(keys, &record, 1, &got))
            return {.kind = Event::ended};
        std::optional<Key> key;
        if (record.EventType == WINDOW_BUFFER_SIZE_EVENT)
            return {.kind = Event::resized};
        if (record.EventType == KEY_EVENT)
            key = key_of(record.Event.KeyEvent);
        else if (record.EventType == MOUSE_EVENT)
            key = key_of(record.Event.MouseEvent);
        if (key)
            return {.kind = Event::pressed, .key = *key};
    }
    return {};
}

Screen::Event Screen::next(bool waits) {
    const HANDLE both[] = {asked, keys};
    for (;;) {
        if (asked_by)
            return {.kind = Event::ended, .signal = asked_by};
        const Event event = read_key();
        if (event.kind == Event::resized)
            fit();
        if (event.kind != Event::nothing || !waits)
            return event;
        if (::WaitForMultipleObjects(2, both, FALSE, INFINITE) == WAIT_FAILED)
            return {.kind = Event::ended};
    }
}

}  // namespace gdvar::app::browse
