#include "browse/screen.hpp"

// Before ncurses, whose macros would otherwise take the place of functions.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <langinfo.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cwchar>

#include "browse/look.hpp"
#include "gdvar/base/utf8.hpp"
#include "output/printable.hpp"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>

namespace gdvar::app::browse {
namespace {

constexpr std::string_view paste_on = "\x1b[?2004h", paste_off = "\x1b[?2004l";
constexpr int paste_begin_code = KEY_MAX + 1, paste_end_code = KEY_MAX + 2;

// ---- signals
//
// Handlers only write the signal's number into a pipe, from which `next` reads it. Those of faults
// restore the terminal at once, with what was prepared for them.

int signal_pipe[2] = {-1, -1};
termios terminal_before;
std::array<char, 256> restoring;  ///< what is written to restore the terminal
std::size_t restoring_size = 0;
volatile std::sig_atomic_t screen_is_on = 0;

constexpr int asked[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction asked_before[std::size(asked)], faults_before[std::size(faults)];

extern "C" void note_signal(int number) {
    const int kept = errno;
    const char byte = static_cast<char>(number);
    (void)!::write(signal_pipe[1], &byte, 1);
    errno = kept;
}

extern "C" void restore_and_fail(int number) {
    if (screen_is_on) {
        (void)!::write(STDOUT_FILENO, restoring.data(), restoring_size);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    }
    for (std::size_t i = 0; i < std::size(faults); ++i)
        if (faults[i] == number)
            ::sigaction(number, &faults_before[i], nullptr);
    ::raise(number);
}

bool open_pipe() {
    if (::pipe(signal_pipe) != 0)
        return false;
    for (const int end : signal_pipe) {
        ::fcntl(end, F_SETFL, O_NONBLOCK);
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    return true;
}

void take_signals() {
    struct sigaction action{};
    sigemptyset(&action.sa_mask);
    action.sa_handler = note_signal;
    for (std::size_t i = 0; i < std::size(asked); ++i) {
        ::sigaction(asked[i], nullptr, &asked_before[i]);
        // nohup: a signal that is ignored stays so.
        if (asked_before[i].sa_handler != SIG_IGN || asked[i] == SIGWINCH)
            ::sigaction(asked[i], &action, nullptr);
    }
    action.sa_handler = restore_and_fail;
    for (std::size_t i = 0; i < std::size(faults); ++i)
        ::sigaction(faults[i], &action, &faults_before[i]);
}

void give_signals_back() {
    for (std::size_t i = 0; i < std::size(asked); ++i)
        ::sigaction(asked[i], &asked_before[i], nullptr);
    for (std::size_t i = 0; i < std::size(faults); ++i)
        ::sigaction(faults[i], &faults_before[i], nullptr);
}

/// Keeps what the handler of a fault writes: the terminal's own words for the end of a program.
void prepare_restoring() {
    restoring_size = 0;
    const auto add = [](std::string_view text) {
        if (restoring_size + text.size() > restoring.size())
            return;
        std::memcpy(restoring.data() + restoring_size, text.data(), text.size());
        restoring_size += text.size();
    };
    add(paste_off);
    add("\x1b[?1000l\x1b[?1006l");
    for (const char* name : {"sgr0", "rmkx", "cnorm", "rmcup"})
        if (const char* const word = ::tigetstr(name); word && word != reinterpret_cast<char*>(-1))
            add(word);
}

void write_out(std::string_view text) {
    (void)!::write(STDOUT_FILENO, text.data(), text.size());
}

// ---- keys

constexpr CodeOfKey named_keys[] = {
    {KEY_ENTER, Key::enter},
    {KEY_BACKSPACE, Key::backspace},
    {KEY_DC, Key::del},
    {KEY_UP, Key::up},
    {KEY_DOWN, Key::down},
    {KEY_LEFT, Key::left},
    {KEY_RIGHT, Key::right},
    {KEY_PPAGE, Key::page_up},
    {KEY_NPAGE, Key::page_down},
    {KEY_HOME, Key::home},
    {KEY_END, Key::end},
    {paste_begin_code, Key::paste_begin},
    {paste_end_code, Key::paste_end},
};

Key mouse_key() {
    MEVENT event;
    if (::getmouse(&event) != OK)
        return {};
    Key out{.x = event.x, .y = event.y};
    if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
        out.name = Key::click;
    else if (event.bstate & BUTTON4_PRESSED)
        out.name = Key::wheel_up;
    else if (event.bstate & BUTTON5_PRESSED)
        out.name = Key::wheel_down;
    return out;
}

/// The browser's own marks for a user whose locale is not UTF-8.
std::string_view plain_mark(std::string_view text) {
    struct Mark {
        std::string_view mark, plain;
    };
    static constexpr Mark marks[] = {{"▸", ">"}, {"▾", "v"}, {"│", "|"}, {"─", "-"}};
    for (const Mark& one : marks)
        if (one.mark == text)
            return one.plain;
    return text;
}

/// " (TERM=dumb)"
std::string terms_name() {
    const char* const name = std::getenv("TERM");
    return " (TERM=" + printable(name ? name : "") + ")";
}

/// The characters of a cell, as the terminal's library takes them. It may know fewer characters
/// than we do, or other widths; such a one is shown as U+FFFD.
std::wstring wide_text(const Cell& cell, bool utf8) {
    std::wstring out;
    for (std::string_view rest = utf8 ? cell.text : plain_mark(cell.text); !rest.empty();) {
        const utf8::Character c = utf8::first(rest);
        if (!c.size)
            break;
        const auto wide = static_cast<wchar_t>(c.code);
        const int columns = out.empty() ? cell.columns : 0;
        if (::wcwidth(wide) == columns)
            out += wide;
        else if (out.empty())
            return L"\xFFFD";
        rest.remove_prefix(c.size);
    }
    return out.empty() ? L" " : out;
}

}  // namespace

// ---- on and off

std::expected<std::unique_ptr<Screen>, std::string> Screen::open(bool color) {
    if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
        return std::unexpected("this needs a terminal; gdvar show prints the same as text");
    // ncurses writes characters in the locale's encoding. All our text is UTF-8.
    const bool utf8 =
        std::setlocale(LC_CTYPE, "") && std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
    if (!utf8)
        (void)std::setlocale(LC_CTYPE, "C.UTF-8");
    if (::tcgetattr(STDIN_FILENO, &terminal_before) != 0 || (signal_pipe[0] < 0 && !open_pipe()))
        return std::unexpected(std::strerror(errno));
    if (!::newterm(nullptr, stdout, stdin))
        return std::unexpected("this terminal" + terms_name() +
                               " is not known; set TERM, or use gdvar show");
    const char* const place = ::tigetstr("cup");
    if (!place || place == reinterpret_cast<char*>(-1)) {
        ::endwin();
        return std::unexpected("this terminal" + terms_name() +
                               " can't place text; set TERM, or use gdvar show");
    }
    std::unique_ptr<Screen> out(new Screen);
    out->utf8_ = utf8;
    ::raw();
    ::noecho();
    ::nonl();
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE);
    ::set_escdelay(25);
    ::mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    ::mouseinterval(0);
    ::define_key("\x1b[200~", paste_begin_code);
    ::define_key("\x1b[201~", paste_end_code);
    out->take_colors(color);
    prepare_restoring();
    screen_is_on = 1;
    take_signals();
    ::refresh();
    write_out(paste_on);
    return out;
}

Screen::~Screen() {
    write_out(paste_off);
    ::endwin();
    screen_is_on = 0;
    give_signals_back();
}

void Screen::suspend() {
    write_out(paste_off);
    ::endwin();
    screen_is_on = 0;
    struct sigaction action{}, ours{};
    action.sa_handler = SIG_DFL;
    ::sigaction(SIGTSTP, &action, &ours);
    ::kill(0, SIGTSTP);  // the whole job, as the terminal's own Ctrl-Z does
    ::sigaction(SIGTSTP, &ours, nullptr);
    screen_is_on = 1;
    resize();
}

void Screen::resize() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
        ::resizeterm(size.ws_row, size.ws_col);
    ::clearok(curscr, TRUE);
    ::refresh();
    write_out(paste_on);
}

// ---- colours

void Screen::take_colors(bool color) {
    color_ = color && ::has_colors();
    if (!color_)
        return;
    ::start_color();
    ::use_default_colors();
    for (const int one :
         {COLOR_RED, COLOR_GREEN, COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA, COLOR_CYAN})
        ::init_pair(static_cast<short>(one), static_cast<short>(one), -1);
}

int Screen::attributes(Style style) const {
    const Look look = look_of(style);
    return static_cast<int>((look.bold ? A_BOLD : 0) | (look.dim ? A_DIM : 0) |
                            (look.reverse ? A_REVERSE : 0) | (color_ ? COLOR_PAIR(look.color) : 0));
}

// ---- showing

Canvas Screen::canvas() const {
    return {::getmaxx(stdscr), ::getmaxy(stdscr)};
}

void Screen::show(const Canvas& canvas, std::optional<Point> caret) {
    for (int y = 0; y < canvas.height(); ++y)
        for (int x = 0; x < canvas.width(); ++x) {
            const Cell& cell = canvas.at(x, y);
            if (cell.columns == 0)
                continue;
            const std::wstring text = wide_text(cell, utf8_);
            const attr_t all = static_cast<attr_t>(attributes(cell.style));
            cchar_t out;
            if (::setcchar(&out, text.c_str(), all & ~static_cast<attr_t>(A_COLOR),
                           static_cast<short>(PAIR_NUMBER(static_cast<int>(all))), nullptr) != OK)
                continue;
            if (cell.columns == 2 && text[0] == L'\xFFFD') {
                ::mvaddch(y, x + 1, ' ' | all);
            }
            ::mvadd_wch(y, x, &out);
        }
    ::curs_set(caret ? 1 : 0);
    ::move(caret ? caret->y : canvas.height() - 1, caret ? caret->x : 0);
    ::refresh();
}

// ---- events

Screen::Event Screen::read_key() {
    wint_t code = 0;
    const int kind = ::wget_wch(stdscr, &code);
    if (kind == ERR)
        return {};
    unread_ = 0;
    Key key = kind == KEY_CODE_YES ? named_key(named_keys, code)
                                   : Key::typed(static_cast<char32_t>(code));
    if (kind == KEY_CODE_YES && code == KEY_MOUSE)
        key = mouse_key();
    if (kind == KEY_CODE_YES && code == KEY_RESIZE)
        return {.kind = Event::resized};
    return {.kind = Event::pressed, .key = key};
}

Screen::Event Screen::next(bool waits) {
    constexpr int most_unread = 1000;
    for (;;) {
        char number = 0;
        while (::read(signal_pipe[0], &number, 1) == 1) {
            if (number == SIGTSTP)
                return {.kind = Event::suspend};
            if (number != SIGWINCH && number != SIGCONT)
                return {.kind = Event::ended, .signal = number};
            // Who stopped the program may have left the terminal in another state.
            if (number == SIGCONT)
                ::endwin();
            resize();
            return {.kind = Event::resized};
        }
        if (const Event event = read_key(); event.kind != Event::nothing)
            return event;
        pollfd files[] = {{STDIN_FILENO, POLLIN, 0}, {signal_pipe[0], POLLIN, 0}};
        if (::poll(files, 2, waits ? -1 : 0) < 0 && errno != EINTR)
            return {.kind = Event::ended};
        if (files[0].revents & (POLLHUP | POLLERR | POLLNVAL))
            return {.kind = Event::ended};
        // A terminal that always has input and never gives any has gone.
        if ((files[0].revents & POLLIN) && ++unread_ > most_unread)
            return {.kind = Event::ended};
        if (!waits && !files[0].revents && !files[1].revents)
            return {};
    }
}

}  // namespace gdvar::app::browse
