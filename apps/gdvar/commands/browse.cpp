#include <cstdlib>

#include "base/platform/child.hpp"
#include "base/platform/terminal.hpp"
#include "browse/browser.hpp"
#include "browse/opening.hpp"
#include "command.hpp"
#include "options/input.hpp"
#ifdef GDVAR_BROWSER
#include "browse/screen.hpp"
#endif

namespace gdvar::app::commands::browse {
namespace {

using namespace app::browse;

struct Options : InputOptions {
    std::string path, backup;
    std::string color = "auto";
};

void declare(Arguments& arguments, Options& options) {
    add_source(arguments, options);
    arguments.option("FILE", options.file, "the save").required();
    add_input(arguments, options);
    add_dialect(arguments, options.dialect);
    arguments.option("--path", options.path, "where to begin: '#0 $.players[3]'");
    arguments.option("--backup", options.backup,
                     "keep the old file under this name when saving; without it, a name is asked");
    arguments.option("--color", options.color, "auto, always, never")
        .one_of({"auto", "always", "never"});
}

#ifdef GDVAR_BROWSER

bool wants_color(const Options& options) {
    const char* const refused_by = std::getenv("NO_COLOR");
    return options.color == "always" || (options.color == "auto" && !(refused_by && *refused_by));
}

/// Runs until the user quits. Returns the signal that ended it, or 0; nothing if the terminal is
/// gone.
std::optional<int> use(Browser& browser, Screen& screen) {
    while (!browser.done()) {
        Canvas canvas = screen.canvas();
        browser.draw(canvas);
        screen.show(canvas, browser.caret());
        // Handles all pending keys before the next drawing.
        for (bool waits = !browser.busy();; waits = false) {
            const Screen::Event event = screen.next(waits);
            if (event.kind == Screen::Event::ended)
                return event.signal ? std::optional(event.signal) : std::nullopt;
            if (event.kind == Screen::Event::pressed)
                browser.key(event.key);
            if (event.kind == Screen::Event::suspend || browser.wants_suspend())
                screen.suspend();
            if (event.kind != Screen::Event::pressed || browser.done())
                break;
        }
        browser.work();
    }
    return 0;
}

int browse_file(Options& options) {
    int exit = fine;
    const std::unique_ptr<Session> session = open_session(options, exit);
    if (!session)
        return exit;
    Browser browser(*session, options.file, options.backup);
    if (!options.path.empty() && !browser.go_to(options.path))
        return give_up(refused, options.file + ": " + options.path + " leads nowhere");
    std::optional<int> ended;
    {
        const auto screen = Screen::open(wants_color(options));
        if (!screen)
            return give_up(usage, "gdvar: " + screen.error());
        ended = use(browser, **screen);
    }
    if (ended == 0)
        return fine;
    if (session->changed())
        say(options.file + ": the browser was ended; what was not saved is lost");
    if (!ended)
        return io_error;
    platform::end_by(*ended);
}

#endif

int run(Options& options) {
    if (options.file == "-")
        return give_up(usage, "gdvar: browse can't read standard input: the keys come from there");
    if (!platform::is_terminal(0) || !platform::is_terminal(1))
        return give_up(usage,
                       "gdvar: browse needs a terminal; gdvar show prints the values as text");
#ifdef GDVAR_BROWSER
    return browse_file(options);
#else
    return give_up(
        usage,
        "gdvar: this build has no browser, because it has no ncurses; gdvar show prints the "
        "values, gdvar set changes them");
#endif
}

}  // namespace

Command command() {
    return make_command<Options>({.name = "browse",
                                  .does = "shows a save in the terminal, to look around and edit",
                                  .examples = "gdvar browse game.save\n"
                                              "gdvar browse --path '#0 $.players[3]' game.save\n"
                                              "gdvar browse --backup game.old game.save"},
                                 declare, run);
}

}  // namespace gdvar::app::commands::browse
