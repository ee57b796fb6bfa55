// The browser's actions on keys, and its display.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "browse/canvas.hpp"
#include "browse/field.hpp"
#include "browse/key.hpp"
#include "session/session.hpp"

namespace gdvar::app::browse {

using namespace session;

/// Where the terminal's cursor goes.
struct Point {
    int x = 0, y = 0;
};

/// A browser of one save. It takes keys and draws on a canvas; it knows no terminal.
class Browser {
public:
    /// `session` is borrowed. `backup`: the name under which the old file is kept when it is first
    /// saved; empty: the user is asked.
    Browser(Session& session, std::string file, std::string backup);

    /// Keys typed during a search wait for its end; only Escape and Ctrl-C stop it.
    void key(const Key& key);
    /// Draws everything. Rows and pages are those of this canvas from now on.
    void draw(Canvas& canvas);
    /// Where text is typed; none if nowhere.
    std::optional<Point> caret() const noexcept { return caret_; }

    /// Whether there is work to do while no key comes; and a piece of it.
    bool busy() const noexcept { return search_.has_value(); }
    void work();

    bool done() const noexcept { return done_; }
    /// Whether the program is to be suspended. Asked once.
    bool wants_suspend() { return std::exchange(suspend_, false); }
    /// Shows a message at the bottom.
    void say(std::string message, bool good = false);
    /// Goes to a path. False, with a message, if it leads nowhere.
    bool go_to(std::string_view path);

private:
    friend class Painter;

    /// A line that is typed.
    struct Prompt {
        std::string title;
        Field field;
        std::string action;  ///< what Enter does, for the line of keys
        /// Takes the text. True: the prompt is closed.
        std::function<bool(const std::string&)> enter;
        std::function<void(const std::string&)> typed{};  ///< after each change
    };
    /// A question that one key answers. Escape is always an answer.
    struct Answer {
        char key;
        const char* what;
        std::function<void()> act;
    };
    struct Question {
        std::string text;
        std::vector<Answer> answers;
    };

    bool waits_for_search(const Key& key);
    void take_waiting(bool found);
    bool drop_waiting();
    void act_on(const Key& key);
    void browse_key(const Key& key);
    /// A key and its action.
    struct Binding {
        Key::Name name;
        char32_t code;  ///< of a character, or with Ctrl; else 0
        void (*act)(Browser&);
    };
    static std::span<const Binding> bindings();
    void prompt_key(const Key& key);
    void question_key(const Key& key);
    void paste(const Key& key);
    void move(std::int64_t rows);
    void move_to(std::uint64_t row);
    void open_or_edit();
    void toggle(Tree::Row row);
    void go_in();
    void go_out();
    void open_all();
    void click(const Key& key);
    bool take(const Outcome& outcome);
    bool take_prompted(const Outcome& outcome,
                       const std::function<Outcome(const inspect::SetRules&)>& again);

    void ask_whether(std::string text, std::function<void()> yes);
    void replace_asked(const std::string& name, const std::function<void()>& put);
    void ask(std::string title, std::string text, std::string action,
             std::function<bool(const std::string&)> enter);
    void edit();
    void add(bool inside);
    void add_value(bool inside, const std::string& key);
    void erase();
    void rename();
    void start_search();
    void search(bool backwards, const Ordinals& from, bool here);
    void search_again(bool backwards);
    void ask_path();
    void save(std::function<void()> then);
    void write(const std::string& backup, const std::function<void()>& then);
    void save_as();
    void quit();

    Session& session_;
    std::string file_, backup_;
    bool backed_up_ = false;
    std::optional<Prompt> prompt_;
    std::optional<Question> question_;
    bool help_ = false, pasting_ = false, done_ = false, suspend_ = false;
    /// At first only of files that hold these bytes: packets of a text are made.
    bool bytes_shown_;
    std::string message_;
    bool good_ = false;  ///< the message says that something was done

    std::optional<Search> search_;
    std::string searched_;
    Ordinals search_from_;
    bool search_typed_ = false;  ///< the search is that of the text being typed
    std::deque<Key> waiting_;    ///< typed while a search ran

    std::uint64_t top_ = 0;  ///< the first row that is shown
    std::size_t bytes_top_ = 0;
    std::uint64_t help_top_ = 0;
    int page_ = 1;                       ///< rows that are shown
    int tree_top_ = 0, tree_width_ = 1;  ///< where they are on the screen
    std::optional<Point> caret_;
};

}  // namespace gdvar::app::browse
