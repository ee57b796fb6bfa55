// The terminal: what the browser shows, and the keys that come. posix_screen.cpp alone knows
// ncurses.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "browse/browser.hpp"
#include "browse/canvas.hpp"
#include "browse/key.hpp"

namespace gdvar::app::browse {

/// The terminal of standard input and output, as long as this lives. There may be one at a time.
///
/// However the program ends, the terminal is left as it was: by the destructor, or by a handler of
/// the signals that end a program. SIGTERM, SIGHUP, SIGINT and SIGQUIT are taken as an event, so
/// that a file that is being written is finished first.
class Screen {
public:
    struct Event {
        enum Kind : std::uint8_t {
            pressed,
            resized,  ///< or to be drawn anew
            suspend,
            ended,    ///< a signal asked for it, or the terminal has gone
            nothing,  ///< no event came in time
        };
        Kind kind = nothing;
        Key key{};
        int signal = 0;  ///< `ended`: by that signal, or 0
    };

    /// Errors, in words: no terminal, or one on which nothing can be placed.
    [[nodiscard]] static std::expected<std::unique_ptr<Screen>, std::string> open(bool color);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    Canvas canvas() const;
    void show(const Canvas& canvas, std::optional<Point> caret);
    /// Waits for an event; without `waits` only looks.
    Event next(bool waits);
    /// Gives the terminal back, stops the program, and takes the terminal again when it goes on.
    void suspend();

private:
    Screen() = default;
    void take_colors(bool color);
    int attributes(Style style) const;
    Event read_key();
    void resize();
    bool color_ = false;
    bool utf8_ = true;  ///< of the user's locale
    int unread_ = 0;    ///< how often the terminal had input and no key came of it
};

}  // namespace gdvar::app::browse
