#include "browse/painter.hpp"

#include <algorithm>

#include "browse/bytes.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "output/columns.hpp"
#include "output/printable.hpp"
#include "session/preview.hpp"

namespace gdvar::app::browse {
namespace {

constexpr int least_beside = 96;  // columns with the bytes beside the tree
constexpr int least_below = 18;   // lines with the bytes below it

struct HelpLine {
    const char *keys, *what;
};
constexpr HelpLine help_lines[] = {
    {"", "Moving"},
    {"Up, Down, k, j", "one row"},
    {"PageUp, PageDown", "one page"},
    {"Home, End, G", "the first row, the last one"},
    {"Right, l", "opens a value; goes into it"},
    {"Left, h", "closes a value; goes to the value around it"},
    {"Space, mouse", "opens and closes"},
    {"*", "opens all that is in a value"},
    {"g", "goes to a path: $.players[3].hp"},
    {"", "Searching"},
    {"/", "for a text in keys and values"},
    {"n, N", "the next one, the one before"},
    {"", "Changing"},
    {"Enter", "edits a value; opens one that holds others"},
    {"e", "edits any value, as Godot's text: 5, 0.5, \"text\", [1, 2], Vector2(1, 2)"},
    {"a, A", "adds a value: in this one, behind this one"},
    {"d, Delete", "deletes the value"},
    {"r", "renames the key"},
    {"u, U, Ctrl-R", "takes a change back; makes it again"},
    {"", "Files"},
    {"s, Ctrl-S", "saves; asks for the name of a backup first"},
    {"S", "writes a copy under another name"},
    {"q, Ctrl-C", "quits; asks if something is not saved"},
    {"Ctrl-Z", "goes to the shell; fg comes back"},
    {"", "View"},
    {"b", "shows the bytes of the value, or hides them"},
    {"[, ]", "moves in the bytes"},
    {"*  before a row", "not yet saved"},
};

/// A value inside of another one: "97", "{...}".
std::string inner_value(const View& value) {
    if (value.is(Type::array) || value.is(Type::packed_typed_array))
        return value.size() ? "[...]" : "[]";
    if (value.is(Type::dictionary))
        return value.size() ? "{...}" : "{}";
    if (value.is(Type::object) && value.object_kind() == ObjectKind::full)
        return std::string(value.class_name()) + "(...)";
    return value.is(Type::nil) ? "null" : inspect::cut_text(short_value(value), 24);
}

/// The first few of what is in a container: `name "Ada", hp 97, ...`.
std::string preview(const View& container) {
    constexpr std::size_t most = 4;
    if (!gdvar::detail::is_container(container))
        return {};
    Entries entries(container);
    std::string out;
    for (std::size_t i = 0; i < std::min(entries.size(), most); ++i) {
        const Entry entry = entries.at(i);
        if (i == 0 && entry.kind == Entry::element && rows_in(entry.view))
            return {};  // a row of containers tells nothing
        out += i ? ", " : "";
        if (entry.kind != Entry::element) {
            const std::string step = step_of(entry);
            out += inspect::cut_text(step.starts_with('.') ? step.substr(1) : step, 24) + ' ';
        }
        out += inner_value(entry.value());
    }
    return out + (entries.size() > most ? ", ..." : "");
}

std::string in_words(std::uint64_t count, const char* one, const char* several) {
    return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

}  // namespace

void Browser::draw(Canvas& canvas) {
    Painter(*this, canvas).draw();
}

void Painter::draw() {
    const int width = canvas_.width(), height = canvas_.height();
    browser_.caret_.reset();
    const int keys_lines = height >= 3 ? 1 : 0, message_lines = height >= 2 ? 1 : 0;
    const int path_lines = height >= 7 ? 1 : 0, title_lines = height >= 5 ? 1 : 0;
    const int top = title_lines;
    const int inner = std::max(1, height - top - path_lines - message_lines - keys_lines);
    if (title_lines)
        title(0);
    if (browser_.help_) {
        help(top, inner);
    } else {
        const bool beside = browser_.bytes_shown_ && width >= least_beside;
        const bool below = browser_.bytes_shown_ && !beside && height >= least_below;
        const int bytes_width = beside ? std::clamp(width * 2 / 5, 40, 64) : 0;
        const int bytes_height = below ? std::clamp(inner / 3, 4, 10) : 0;
        tree(top, beside ? width - bytes_width - 1 : width, inner - bytes_height);
        if (beside)
            bytes(width - bytes_width, top, bytes_width, inner);
        else if (below)
            bytes(0, top + inner - bytes_height, width, bytes_height);
    }
    const int bottom = top + inner;
    if (path_lines)
        path(bottom);
    const int line = message_lines ? bottom + path_lines : bottom - 1;
    const int above = path_lines ? bottom : line;
    if (browser_.prompt_ && !browser_.question_)
        prompt(above, line);
    else if (message_lines)
        message(above, line);
    if (keys_lines)
        keys(line + 1);
}

void Painter::title(int y) {
    const int width = canvas_.width();
    const Style bar{Role::bar};
    canvas_.fill(0, y, width, bar);
    std::string right;
    if (!session_.origin().read_only.empty())
        right = "read-only ";
    else if (session_.changed())
        right = (session_.history().distance()
                     ? in_words(*session_.history().distance(), "change", "changes")
                     : std::string("changes")) +
                " not saved ";
    const int right_at = width - shown_columns(right);
    int x = 1;
    const int most = std::max(0, right_at - 2);
    const int name_most = std::max(most * 2 / 3, most - shown_columns(session_.origin().stack) - 2);
    x += canvas_.put(x, y, session_.origin().name, bar, name_most);
    canvas_.put(x + 2, y, session_.origin().stack, bar, right_at - x - 3);
    canvas_.put(std::max(right_at, 0), y, right, bar);
}

// ---- the tree

void Painter::tree(int y, int width, int height) {
    Browser& b = browser_;
    const Tree& tree = session_.tree();
    b.page_ = height;
    b.tree_top_ = y;
    b.tree_width_ = width;
    const Tree::Row cursor = session_.cursor();
    if (!cursor) {
        canvas_.put(1, y, "(no values)", {Role::dim}, width);
        return;
    }
    const std::uint64_t at = tree.number_of(cursor), rows = tree.rows();
    const auto page = static_cast<std::uint64_t>(height);
    if (at < b.top_)
        b.top_ = at;
    if (at >= b.top_ + page)
        b.top_ = at - page + 1;
    b.top_ = std::min(b.top_, rows > page ? rows - page : 0);
    Tree::Row row = tree.row_at(b.top_);
    for (int i = 0; i < height && row; ++i, row = tree.next(row))
        this->row(row, y + i, width);
}

/// The mark, the indentation and the sign of what can be opened. Returns the next column.
int Painter::stem(Tree::Row row, int y, int width, Style style) {
    const Tree& tree = session_.tree();
    if (session_.is_changed(row))
        canvas_.put(0, y, "*", {Role::changed, style.selected}, 1);
    constexpr std::size_t each = 2;
    const std::size_t most = static_cast<std::size_t>(std::clamp(width / 3, 2, 40)) / each;
    std::size_t depth = tree.depth(row);
    int x = 1;
    if (depth > most) {
        x += canvas_.put(x, y, "[+" + std::to_string(depth - most) + "] ",
                         {Role::dim, style.selected}, width - x);
        depth = most;
    }
    x += static_cast<int>(depth * each);
    if (tree.can_open(row))
        canvas_.put(x, y, tree.is_open(row) ? "▾" : "▸", {Role::dim, style.selected}, width - x);
    return x + 2;
}

void Painter::row(Tree::Row row, int y, int width) {
    const Style style{Role::plain, row == session_.cursor()};
    const auto styled = [&](Role role) { return Style{role, style.selected}; };
    canvas_.fill(0, y, width, style);
    int x = stem(row, y, width, style);
    const auto add = [&](std::string_view text, Role role, int most) {
        if (!text.empty() && x < width)
            x += canvas_.put(x, y, text, styled(role), std::min(most, width - x)) + 1;
    };
    const Entry entry = session_.tree().entry(row);
    const View& value = entry.value();
    add(session_.tree().label(row), Role::label, std::max(12, width / 2));
    if (value)
        add(describe(value), Role::type, width);
    if (entry.held && entry.held->broken)
        return add("broken: " + to_string(*entry.held->broken), Role::error, width);
    if (session_.is_cut(row))
        add("cut off", Role::error, width);
    const bool text = value.is(Type::string) || value.is(Type::string_name);
    add(entry.copy.narrow() ? inspect::brief_value(entry.copy) : short_value(value),
        text ? Role::text : Role::number, width);
    add(packet_inside(value), Role::note, width);
    if (!session_.tree().is_open(row))
        add(preview(value), Role::dim, width);
}

// ---- the bytes

void Painter::bytes(int x, int y, int width, int height) {
    Browser& b = browser_;
    const Tree::Row row = session_.cursor();
    const bool beside = x > 0;
    if (beside)
        for (int i = 0; i < height; ++i)
            canvas_.put(x - 1, y + i, "│", {Role::dim}, 1);
    if (!row)
        return;
    const std::size_t number = session_.tree().ordinals(row)[0];
    const ByteView packet = session_.packet_of(row);
    const Entry entry = session_.tree().entry(row);
    const bool broken = entry.held && entry.held->broken;
    const Bytes all(packet, entry, session_.decoding());
    const std::uint64_t base =
        session_.knows_offsets() ? session_.save().items()[number].offset : 0;
    const std::size_t lines = all.lines(Bytes::each(width - 1));
    const auto shown = static_cast<std::size_t>(std::max(0, height - 1));
    b.bytes_top_ = std::min(b.bytes_top_, lines > shown ? lines - shown : 0);
    std::string head = in_words(all.end() - all.begin(), "byte", "bytes") +
                       (session_.knows_offsets() ? " in the file's content" : " in the packet");
    if (broken)
        head = "the part before the break";
    if (lines > shown)
        head += "  [ ]";
    if (!beside)
        for (int i = 0; i < width; ++i)
            canvas_.put(i, y, "─", {Role::dim}, 1);
    canvas_.put(beside ? x : 1, y, beside ? head : ' ' + head + ' ', {Role::dim}, width - 1);
    all.draw(canvas_, beside ? x : 1, y + 1, width - 1, height - 1, b.bytes_top_, base);
}

// ---- the lines at the bottom

void Painter::path(int y) {
    const int width = canvas_.width();
    const Tree::Row row = session_.cursor();
    const Style style{Role::path};
    if (!row)
        return;
    const std::string right = std::to_string(session_.tree().number_of(row) + 1) + '/' +
                              std::to_string(session_.tree().rows());
    const int right_at = width - 1 - shown_columns(right);
    const int most = std::max(8, right_at - 3);
    std::string path = session_.tree().shown_path(row);
    // The end of a path says more than its start.
    if (shown_columns(path) > most)
        path = inspect::shortened_path(path, static_cast<std::size_t>(most));
    canvas_.put(1, y, path, style, most);
    if (right_at > most)
        canvas_.put(right_at, y, right, {Role::dim});
}

void Painter::message(int above, int y) {
    const Browser& b = browser_;
    const std::string text = printable(b.question_ ? b.question_->text : b.message_);
    const Style style{b.question_ ? Role::label : b.good_ ? Role::good : Role::error};
    if (text.empty())
        return;
    // A long one takes the line of the path as well, and one of the tree.
    upwards(text, y, above == y ? 1 : 3, style);
}

/// A text in up to so many lines, the last of them at `y`. Only the last is cut.
void Painter::upwards(std::string_view text, int y, int most, Style style) {
    const int width = std::max(1, canvas_.width() - 2);
    std::vector<std::string_view> lines;
    while (static_cast<int>(lines.size()) + 1 < most && shown_columns(text) > width) {
        std::size_t cut = bytes_within(text, static_cast<std::size_t>(width));
        if (const std::size_t space = text.rfind(' ', cut); space != text.npos && space > cut / 2)
            cut = space + 1;
        lines.push_back(text.substr(0, cut));
        text.remove_prefix(cut);
    }
    lines.push_back(text);
    int at = y + 1 - static_cast<int>(lines.size());
    for (const std::string_view line : lines) {
        canvas_.fill(0, at, canvas_.width(), {});
        canvas_.put(1, at++, line, style, width);
    }
}

void Painter::prompt(int above, int y) {
    Browser& b = browser_;
    const int width = canvas_.width();
    // The title may take what the text leaves; else it has a line of its own.
    constexpr int least_typed = 20;
    const int typed = std::max(least_typed, shown_columns(b.prompt_->field.text()) + 1);
    const int title = shown_columns(b.prompt_->title);
    const bool fits = title <= std::max(width / 2 - 1, width - 3 - typed);
    const bool apart = !fits && above != y;
    if (above != y && !b.message_.empty())
        upwards(printable(b.message_), apart ? above - 1 : above, 3,
                {b.good_ ? Role::good : Role::error});
    if (apart)
        upwards(printable(b.prompt_->title), above, 1, {Role::label});
    canvas_.fill(0, y, width, {});
    int x = width > 8 ? 1 : 0;
    if (!apart)
        x += canvas_.put(x, y, b.prompt_->title, {Role::label},
                         fits ? title : std::max(0, width / 2 - 1)) +
             (width > 8 ? 1 : 0);
    const int caret = b.prompt_->field.draw(canvas_, x, y, std::max(1, width - x - 1), {});
    b.caret_ = Point{std::min(caret, width - 1), y};
}

void Painter::keys_line(int y, const std::vector<Keys>& all) {
    // The last of the list go first where space is short; the order on the line is the list's.
    int x = 1;
    for (const Keys& one : all) {
        const int size = shown_columns(one.key) + 1 + shown_columns(one.what);
        if (x + size > canvas_.width())
            return;
        x += canvas_.put(x, y, one.key, {Role::keys}) + 1;
        x += canvas_.put(x, y, one.what, {Role::dim}) + 2;
    }
}

void Painter::keys(int y) {
    const Browser& b = browser_;
    if (b.question_) {
        std::vector<Keys> all;
        for (const auto& answer : b.question_->answers)
            if (*answer.what)
                all.push_back(
                    {answer.key == '\x1b' ? "Esc" : std::string(1, answer.key), answer.what});
        return keys_line(y, all);
    }
    if (b.prompt_)
        return keys_line(y, {{"Enter", b.prompt_->action}, {"Esc", "cancel"}, {"Ctrl-U", "clear"}});
    if (b.help_)
        return keys_line(y, {{"Esc", "back"}, {"Up/Down", "scroll"}});
    const Tree::Row row = session_.cursor();
    const char* const enter = !row || !session_.tree().can_open(row) ? "edit"
                              : session_.tree().is_open(row)         ? "close"
                                                                     : "open";
    // By how much a newcomer needs them.
    std::vector<Keys> wanted = {{"Enter", enter}, {"q", "quit"}, {"?", "help"}, {"/", "search"},
                                {"s", "save"},    {"u", "undo"}, {"a", "add"},  {"d", "delete"},
                                {"r", "rename"},  {"e", "edit"}, {"n", "next"}, {"b", "bytes"}};
    if (!session_.origin().read_only.empty())
        std::erase_if(wanted, [](const Keys& one) {
            constexpr std::string_view changing[] = {"edit", "save",   "undo",
                                                     "add",  "delete", "rename"};
            return std::ranges::find(changing, one.what) != std::end(changing);
        });
    keys_line(y, wanted);
}

void Painter::help(int y, int height) {
    constexpr int at = 21;  // column of what the keys do
    struct Line {
        const HelpLine* of;
        std::string_view what;
        bool first;
    };
    const auto width = static_cast<std::size_t>(std::max(8, canvas_.width() - at - 1));
    std::vector<Line> lines;
    for (const HelpLine& line : help_lines) {
        std::string_view rest = line.what;
        for (bool first = true; first || !rest.empty(); first = false) {
            std::size_t cut = *line.keys ? std::min(rest.size(), width) : rest.size();
            if (const std::size_t space = rest.substr(0, cut).rfind(' ');
                cut < rest.size() && space != rest.npos)
                cut = space + 1;
            lines.push_back({&line, rest.substr(0, cut), first});
            rest.remove_prefix(cut);
        }
    }
    // The last line says that there is more.
    const bool scrolls = lines.size() > static_cast<std::size_t>(height) && height > 1;
    const auto shown = static_cast<std::uint64_t>(height - scrolls);
    const std::uint64_t count = lines.size();
    browser_.help_top_ = std::min(browser_.help_top_, count > shown ? count - shown : 0);
    for (std::uint64_t i = 0; i < shown && browser_.help_top_ + i < count; ++i) {
        const Line& line = lines[browser_.help_top_ + i];
        const int row = y + static_cast<int>(i);
        if (!*line.of->keys) {
            canvas_.put(1, row, line.what, {Role::label});
            continue;
        }
        if (line.first)
            canvas_.put(3, row, line.of->keys, {Role::keys}, 17);
        canvas_.put(at, row, line.what, {}, canvas_.width() - at);
    }
    if (scrolls && browser_.help_top_ + shown < count)
        canvas_.put(1, y + height - 1, "▾ more: Down", {Role::dim});
}

}  // namespace gdvar::app::browse
