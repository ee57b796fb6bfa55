#include "browse/browser.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/platform/file.hpp"
#include "output/printable.hpp"

namespace gdvar::app::browse {
namespace {

constexpr std::size_t values_at_once = 20'000;  // then keys are looked at
constexpr std::uint64_t most_opened = 100'000;

bool exists(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(file, ignored));
}

/// A name that no file has yet.
std::string unused_name(const std::string& start) {
    std::string out = start;
    for (int i = 2; exists(out) && i < 1000; ++i)
        out = start + '-' + std::to_string(i);
    return out;
}

std::string in_words(const FileError& error) {
    switch (error.system) {
        case platform::changed_meanwhile:
            return "another program has changed the file, so nothing was written; S writes to "
                   "another name";
        case EAGAIN:
            return "another program is changing the file, so nothing was written; try again";
        default:
            return "not written: " + to_string(error);
    }
}

/// Which sums are wrong now: "; $.size: 52 was ...". Empty: none.
std::string stale_words(const std::vector<StaleSum>& all) {
    if (all.empty())
        return {};
    const std::string more =
        all.size() == 1 ? "" : ", and " + std::to_string(all.size() - 1) + " more";
    return "; " + printable(to_string(all.front())) + more;
}

}  // namespace

Browser::Browser(Session& session, std::string file, std::string backup)
    : session_(session),
      file_(std::move(file)),
      backup_(std::move(backup)),
      bytes_shown_(session.origin().has_offsets) {
    const Origin& origin = session.origin();
    if (!origin.read_only.empty())
        say("read-only: " + origin.read_only +
            (origin.broken.empty() ? "" : "; gdvar recover FILE saves what can be read"));
}

void Browser::say(std::string message, bool good) {
    message_ = std::move(message);
    good_ = good;
}

/// Tells of a change. Returns whether it was made.
bool Browser::take(const Outcome& outcome) {
    say(outcome.message, outcome.done);
    return outcome.done;
}

bool Browser::go_to(std::string_view path) {
    const auto row = session_.go_to(path);
    if (row)
        session_.select(*row);
    else
        say(row.error());
    return row.has_value();
}

// ---- keys

void Browser::key(const Key& key) {
    if (!search_ || !waits_for_search(key))
        act_on(key);
}

/// Whether the key is not for now: a search runs, and what the key acts on is not yet known.
bool Browser::waits_for_search(const Key& key) {
    const bool typing = prompt_ && search_typed_;
    const bool stops = key.name == Key::escape || key.is_control('c');
    const auto edge = std::ranges::find_if(waiting_.rbegin(), waiting_.rend(), [](const Key& one) {
        return one.name == Key::paste_begin || one.name == Key::paste_end;
    });
    const bool pasted = edge == waiting_.rend() ? pasting_ : edge->name == Key::paste_begin;
    if (stops && !pasted) {
        drop_waiting();
        if (typing) {
            prompt_key({.name = Key::escape});
        } else {
            search_.reset();
            say("the search was ended");
        }
        return true;
    }
    if (key.is_control('z') || (typing && waiting_.empty()))
        return false;  // the text that is searched goes on, or is complete
    // A click means what is on the screen now, and not what will be.
    if (key.name != Key::click && key.name != Key::wheel_up && key.name != Key::wheel_down)
        waiting_.push_back(key);
    return true;
}

/// Forgets what waits. Text that is being pasted gives no commands afterwards either. False:
/// nothing did wait.
bool Browser::drop_waiting() {
    for (const Key& key : waiting_)
        if (key.name == Key::paste_begin || key.name == Key::paste_end)
            pasting_ = key.name == Key::paste_begin;
    const bool any = !waiting_.empty();
    waiting_.clear();
    return any;
}

/// After a search. Drops keys typed for a value that was not found.
void Browser::take_waiting(bool found) {
    if (!found && drop_waiting())
        say("not found, so the keys typed since were dropped");
    while (!waiting_.empty() && !search_ && !done_) {
        const Key key = waiting_.front();
        waiting_.pop_front();
        act_on(key);
    }
}

void Browser::act_on(const Key& key) {
    session_.rest();
    if (key.name == Key::paste_begin || key.name == Key::paste_end || pasting_)
        return paste(key);
    if (key.is_control('z')) {
        suspend_ = true;
    } else if (question_) {
        question_key(key);
    } else if (key.is_control('c')) {
        prompt_.reset();
        quit();
    } else if (prompt_) {
        prompt_key(key);
    } else if (help_) {
        if (key.name == Key::down || key.name == Key::page_down || key.name == Key::wheel_down)
            ++help_top_;
        else if (key.name == Key::up || key.name == Key::page_up || key.name == Key::wheel_up)
            help_top_ -= help_top_ ? 1 : 0;
        else {
            help_ = false;
            help_top_ = 0;
        }
    } else {
        browse_key(key);
    }
}

/// Text that comes from a clipboard gives no commands.
void Browser::paste(const Key& key) {
    const bool typing = prompt_ && !question_;
    if (key.name == Key::paste_begin || key.name == Key::paste_end) {
        pasting_ = key.name == Key::paste_begin;
        if (pasting_ && !typing)
            say("pasted text does nothing here");
        if (!pasting_ && typing && prompt_->typed)
            prompt_->typed(prompt_->field.text());
        return;
    }
    if (!typing)
        return;
    if (key.name == Key::enter || key.is_control('j'))
        prompt_->field.insert("\n");
    else if (key.name == Key::character || key.name == Key::tab)
        prompt_->field.key(key);
}

void Browser::question_key(const Key& key) {
    for (const Answer& answer : question_->answers) {
        const bool escape =
            answer.key == '\x1b' && (key.name == Key::escape || key.is_control('c'));
        if (!escape && !key.is(static_cast<char32_t>(answer.key)))
            continue;
        const auto act = answer.act;
        question_.reset();
        if (act)
            act();
        return;
    }
}

void Browser::prompt_key(const Key& key) {
    if (key.name == Key::escape) {
        const bool searching = std::exchange(search_typed_, false);
        prompt_.reset();
        search_.reset();
        say("");
        if (searching)
            session_.select_place(search_from_);
        return;
    }
    if (key.name == Key::enter) {
        const auto enter = prompt_->enter;
        const std::string text = prompt_->field.text();
        if (enter(text))
            prompt_.reset();
        return;
    }
    const std::string before = prompt_->field.text();
    if (prompt_->field.key(key) && prompt_->field.text() != before && prompt_->typed) {
        const auto typed = prompt_->typed;
        typed(prompt_->field.text());
    }
}

/// The keys while nothing is typed.
std::span<const Browser::Binding> Browser::bindings() {
    static constexpr Binding all[] = {
        {Key::up, 0, [](Browser& b) { b.move(-1); }},
        {Key::down, 0, [](Browser& b) { b.move(1); }},
        {Key::page_up, 0, [](Browser& b) { b.move(-std::max(1, b.page_ - 1)); }},
        {Key::page_down, 0, [](Browser& b) { b.move(std::max(1, b.page_ - 1)); }},
        {Key::wheel_up, 0, [](Browser& b) { b.move(-3); }},
        {Key::wheel_down, 0, [](Browser& b) { b.move(3); }},
        {Key::home, 0, [](Browser& b) { b.move_to(0); }},
        {Key::end, 0, [](Browser& b) { b.move_to(UINT64_MAX); }},
        {Key::left, 0, [](Browser& b) { b.go_out(); }},
        {Key::right, 0, [](Browser& b) { b.go_in(); }},
        {Key::enter, 0, [](Browser& b) { b.open_or_edit(); }},
        {Key::del, 0, [](Browser& b) { b.erase(); }},
        {Key::control, 'l', [](Browser&) {}},
        {Key::control, 'r', [](Browser& b) { b.take(b.session_.redo()); }},
        {Key::control, 's', [](Browser& b) { b.save({}); }},
        {Key::character, 'k', [](Browser& b) { b.move(-1); }},
        {Key::character, 'j', [](Browser& b) { b.move(1); }},
        {Key::character, 'h', [](Browser& b) { b.go_out(); }},
        {Key::character, 'l', [](Browser& b) { b.go_in(); }},
        {Key::character, ' ', [](Browser& b) { b.toggle(b.session_.cursor()); }},
        {Key::character, '*', [](Browser& b) { b.open_all(); }},
        {Key::character, 'e', [](Browser& b) { b.edit(); }},
        {Key::character, 'a', [](Browser& b) { b.add(true); }},
        {Key::character, 'A', [](Browser& b) { b.add(false); }},
        {Key::character, 'd', [](Browser& b) { b.erase(); }},
        {Key::character, 'r', [](Browser& b) { b.rename(); }},
        {Key::character, 'u', [](Browser& b) { b.take(b.session_.undo()); }},
        {Key::character, 'U', [](Browser& b) { b.take(b.session_.redo()); }},
        {Key::character, '/', [](Browser& b) { b.start_search(); }},
        {Key::character, 'n', [](Browser& b) { b.search_again(false); }},
        {Key::character, 'N', [](Browser& b) { b.search_again(true); }},
        {Key::character, 'g', [](Browser& b) { b.ask_path(); }},
        {Key::character, 'G', [](Browser& b) { b.move_to(UINT64_MAX); }},
        {Key::character, 'b', [](Browser& b) { b.bytes_shown_ = !b.bytes_shown_; }},
        {Key::character, ']', [](Browser& b) { ++b.bytes_top_; }},
        {Key::character, '[', [](Browser& b) { b.bytes_top_ -= b.bytes_top_ ? 1 : 0; }},
        {Key::character, 's', [](Browser& b) { b.save({}); }},
        {Key::character, 'S', [](Browser& b) { b.save_as(); }},
        {Key::character, '?', [](Browser& b) { b.help_ = true; }},
        {Key::character, 'q', [](Browser& b) { b.quit(); }},
    };
    return all;
}

void Browser::browse_key(const Key& key) {
    constexpr Key::Name moves[] = {Key::up,       Key::down,       Key::page_up, Key::page_down,
                                   Key::wheel_up, Key::wheel_down, Key::home,    Key::end,
                                   Key::left,     Key::right};
    // Moving keeps the message.
    if (std::ranges::find(moves, key.name) == std::end(moves))
        say("");
    if (key.name == Key::click)
        return click(key);
    for (const Binding& binding : bindings())
        if (binding.name == key.name && binding.code == key.code)
            return binding.act(*this);
    if (key.name == Key::character || key.name == Key::control)
        say("? shows what the keys do");
}

// ---- moving

void Browser::move_to(std::uint64_t row) {
    const Tree& tree = session_.tree();
    if (!tree.rows())
        return;
    bytes_top_ = 0;
    session_.select(tree.row_at(std::min(row, tree.rows() - 1)));
}

void Browser::move(std::int64_t rows) {
    if (!session_.cursor())
        return;
    const std::uint64_t now = session_.tree().number_of(session_.cursor());
    const auto back = static_cast<std::uint64_t>(-rows);
    if (rows < 0)
        move_to(now > back ? now - back : 0);
    else
        move_to(now + static_cast<std::uint64_t>(rows));
}

void Browser::toggle(Tree::Row row) {
    if (!row)
        return;
    Tree& tree = session_.tree();
    if (tree.is_open(row))
        tree.close(row);
    else
        tree.open(row);
}

void Browser::open_or_edit() {
    if (session_.cursor() && session_.tree().can_open(session_.cursor()))
        toggle(session_.cursor());
    else
        edit();
}

void Browser::go_in() {
    Tree& tree = session_.tree();
    const Tree::Row row = session_.cursor();
    if (!row)
        return;
    if (tree.is_open(row))
        session_.select(tree.next(row));
    else
        tree.open(row);
}

void Browser::go_out() {
    Tree& tree = session_.tree();
    const Tree::Row row = session_.cursor();
    if (!row)
        return;
    if (tree.is_open(row))
        tree.close(row);
    else
        session_.select(tree.parent(row));
}

void Browser::open_all() {
    if (session_.cursor() && !session_.tree().open_below(session_.cursor(), most_opened))
        say("not all was opened: there are more than " + std::to_string(most_opened) + " rows");
}

void Browser::click(const Key& key) {
    if (key.x >= tree_width_ || key.y < tree_top_ || key.y >= tree_top_ + page_)
        return;
    const std::uint64_t number = top_ + static_cast<std::uint64_t>(key.y - tree_top_);
    if (number >= session_.tree().rows())
        return;
    const Tree::Row row = session_.tree().row_at(number);
    if (row == session_.cursor())
        toggle(row);
    move_to(number);
}

// ---- changes

void Browser::ask(std::string title, std::string text, std::string action,
                  std::function<bool(const std::string&)> enter) {
    prompt_ =
        Prompt{std::move(title), Field(std::move(text), true), std::move(action), std::move(enter)};
}

void Browser::ask_whether(std::string text, std::function<void()> yes) {
    question_ = Question{std::move(text),
                         {{'y', "yes", std::move(yes)}, {'n', "no", {}}, {'\x1b', "", {}}}};
}

/// Calls `put` if no file has the name, or if the user wants to replace that one.
void Browser::replace_asked(const std::string& name, const std::function<void()>& put) {
    if (name.empty() || !exists(name))
        put();
    else
        ask_whether(name + " is there already. Replace it?", put);
}

bool Browser::take_prompted(const Outcome& outcome,
                            const std::function<Outcome(const inspect::SetRules&)>& again) {
    if (!outcome.allowed)
        return take(outcome);
    say("");
    ask_whether(outcome.message + ". Put it there all the same?",
                [this, again, rules = *outcome.allowed] {
                    if (take(again(rules)))
                        prompt_.reset();
                });
    return false;
}

void Browser::edit() {
    const Tree::Row row = session_.cursor();
    if (!row)
        return;
    if (!session_.origin().read_only.empty())
        return say("nothing can be changed: " + session_.origin().read_only);
    auto text = session_.text_of(row);
    if (!text)
        return say("this value is too large to be edited here; gdvar set changes it");
    ask(session_.tree().label(row) + " =", *std::move(text), "set",
        [this](const std::string& typed) {
            const auto set = [this, typed](const inspect::SetRules& rules) {
                return session_.set(session_.cursor(), typed, rules);
            };
            return take_prompted(set({}), set);
        });
}

void Browser::add(bool inside) {
    using Takes = Session::Takes;
    const Tree::Row row = session_.cursor();
    if (!session_.origin().read_only.empty())
        return say("nothing can be changed: " + session_.origin().read_only);
    if (!row)
        return say("there is nothing here");
    // Nothing can be in a number: what is meant is the value around it.
    if (inside && session_.takes(row, true) == Takes::nothing)
        inside = false;
    const Takes takes = session_.takes(row, inside);
    if (takes == Takes::nothing)
        return say("nothing can be added here");
    if (takes == Takes::no_key)
        return add_value(inside, "");
    ask(takes == Takes::key ? "new key:" : "new name:", "", "go on",
        [this, inside](const std::string& key) {
            if (key.empty()) {
                say("a name is missing");
                return false;
            }
            add_value(inside, key);
            return false;
        });
}

void Browser::add_value(bool inside, const std::string& key) {
    say("");
    ask(key.empty() ? "new value:" : "new value of " + key + ":", "", "add",
        [this, inside, key](const std::string& text) {
            return take(session_.add(session_.cursor(), inside, key, text));
        });
}

void Browser::erase() {
    if (session_.cursor())
        take(session_.erase(session_.cursor()));
}

void Browser::rename() {
    if (!session_.origin().read_only.empty())
        return say("nothing can be changed: " + session_.origin().read_only);
    auto key = session_.cursor() ? session_.key_of(session_.cursor()) : std::nullopt;
    if (!key)
        return say("only pairs and properties have a key");
    ask("key:", *std::move(key), "rename",
        [this](const std::string& text) { return take(session_.rename(session_.cursor(), text)); });
}

// ---- search

void Browser::start_search() {
    if (!session_.cursor())
        return;
    search_from_ = session_.tree().ordinals(session_.cursor());
    search_typed_ = true;
    ask("search:", "", "find", [this](const std::string& text) {
        search_typed_ = false;
        if (text.empty() && !searched_.empty())
            search_again(false);
        else
            searched_ = text;
        return true;
    });
    prompt_->typed = [this](const std::string& text) {
        search_.reset();
        say("");
        if (text.empty())
            session_.select_place(search_from_);
        else
            search_.emplace(session_.search(text, false, search_from_, true));
    };
}

void Browser::search_again(bool backwards) {
    if (searched_.empty())
        return say("/ searches for a text");
    if (session_.cursor())
        search_.emplace(session_.search(searched_, backwards,
                                        session_.tree().ordinals(session_.cursor()), false));
}

void Browser::work() {
    if (!search_)
        return;
    const Search::State state = search_->step(values_at_once);
    switch (state) {
        case Search::State::running:
            say("searching: " + std::to_string(search_->looked()) + " values so far; Esc stops");
            return;
        case Search::State::nothing:
            say("not found");
            break;
        case Search::State::found:
            say(search_->around() ? "found around the end" : "");
            bytes_top_ = 0;
            session_.select_place(search_->place());
            break;
    }
    search_.reset();
    take_waiting(state == Search::State::found);
}

void Browser::ask_path() {
    if (!session_.cursor())
        return;
    ask("go to:", "", "go", [this](const std::string& text) {
        say("");
        return go_to(text);
    });
    // Another path is often the same one with another end.
    prompt_->field = Field(session_.tree().shown_path(session_.cursor()));
}

// ---- files

void Browser::save(std::function<void()> then) {
    if (!session_.origin().read_only.empty())
        return say("it can't be saved: " + session_.origin().read_only);
    if (!session_.changed()) {
        say("nothing has changed");
        if (then)
            then();
        return;
    }
    // An earlier backup is not lost unasked.
    if (backed_up_ || (!backup_.empty() && !exists(backup_)))
        return write(backed_up_ ? "" : backup_, then);
    if (!backup_.empty())
        say(backup_ + " is there already; another name?");
    ask("keep the old file as (empty: not at all):",
        unused_name(backup_.empty() ? file_ + ".old" : backup_), "save",
        [this, then = std::move(then)](const std::string& name) {
            replace_asked(name, [this, name, then] {
                prompt_.reset();
                write(name, then);
            });
            return false;
        });
}

void Browser::write(const std::string& backup, const std::function<void()>& then) {
    if (const auto done = session_.write(backup); !done)
        return say(in_words(done.error()));
    backed_up_ = true;
    say((backup.empty() ? "saved" : "saved; the old file is " + backup) +
            stale_words(session_.stale_sums()),
        true);
    if (then)
        then();
}

void Browser::save_as() {
    const auto put = [this](const std::string& name) {
        const auto done = session_.write_to(name);
        if (done)
            prompt_.reset();
        say(done ? "written to " + name + stale_words(session_.stale_sums())
                 : in_words(done.error()),
            done.has_value());
    };
    ask("write a copy to:", unused_name(file_ + ".new"), "write",
        [this, put](const std::string& name) {
            if (name.empty())
                return true;
            replace_asked(name, [put, name] { put(name); });
            return false;
        });
}

void Browser::quit() {
    if (!session_.changed()) {
        done_ = true;
        return;
    }
    const auto count = session_.history().distance();
    question_ = Question{(!count        ? "Some changes are"
                          : *count == 1 ? "One change is"
                                        : std::to_string(*count) + " changes are") +
                             std::string(" not saved."),
                         {{'s', "save and quit", [this] { save([this] { done_ = true; }); }},
                          {'d', "discard them", [this] { done_ = true; }},
                          {'\x1b', "stay", {}}}};
}

}  // namespace gdvar::app::browse
