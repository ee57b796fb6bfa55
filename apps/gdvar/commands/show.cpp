#include <deque>

#include "command.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "input/input.hpp"
#include "output/notes.hpp"
#include "output/output.hpp"
#include "session/preview.hpp"

namespace gdvar::app::commands::show {
namespace {

struct Options : InputOptions, OutputOptions {
    std::string path;
    std::uint32_t depth = UINT32_MAX;
    bool full = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options);
    add_dialect(arguments, options.dialect);
    add_path(arguments, options.path);
    arguments.option("--depth", options.depth, "levels to show");
    arguments.flag("--full", options.full, "nothing shortened: long paths, deep indentation");
}

class Tree {
public:
    Tree(Output& out, const Options& options)
        : out_(out), options_(options), labels_(PathCutter::for_people(options.full)) {}

    void show(const View& root, const std::string& label) {
        line("", label, root);
        if (is_open(root))
            levels_.emplace_back(root);
        while (!levels_.empty()) {
            gdvar::detail::Children& top = levels_.back();
            if (top.done()) {
                levels_.pop_back();
                continue;
            }
            const gdvar::detail::Child child = top.next_value();
            std::string child_label;
            append_step(child_label, child);
            line(stem(), labels_(child_label), child.view);
            if (is_open(child.view))
                levels_.emplace_back(child.view);
        }
    }

    void finish() const {
        labels_.say_if_cut();
        if (indent_cut_)
            say("gdvar: [+N] stands for N levels of indentation; --full draws them");
    }

private:
    bool is_open(const View& v) const {
        return gdvar::detail::is_container(v) && v.size() && levels_.size() < options_.depth;
    }

    /// The tree's lines for the innermost levels, preceded by the number of the others: a thousand
    /// levels take thousands of bytes before each value.
    std::string stem() {
        constexpr std::size_t most = 24;
        const std::size_t around = levels_.size() - 1;
        const std::size_t left_out = options_.full || around <= most ? 0 : around - most;
        std::string out;
        if (left_out) {
            indent_cut_ = true;
            out = "[+" + std::to_string(left_out) + "] ";
        }
        for (std::size_t i = left_out; i < around; ++i)
            out += levels_[i].done() ? "   " : "│  ";
        return out + (levels_.back().done() ? "└─ " : "├─ ");
    }

    void line(const std::string& stem, const std::string& label, const View& v) {
        out_.piece(stem, "2");
        if (!label.empty()) {
            out_.piece(label, "1");
            out_.piece(" ");
        }
        out_.piece(session::describe(v), "36");
        const auto after = [&](const std::string& text, const char* style) {
            if (text.empty())
                return;
            out_.piece(" ");
            out_.piece(text, style);
        };
        after(session::short_value(v), v.is(Type::string) ? "32" : "33");
        after(session::packet_inside(v), "35");
        out_.end_line();
    }

    Output& out_;
    const Options& options_;
    std::deque<gdvar::detail::Children> levels_;
    PathCutter labels_;
    bool indent_cut_ = false;
};

int run(Options& options) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    if (!input->layers().empty()) {
        out.piece("stack: " + input->stack(), "2");
        out.end_line();
    }
    Tree tree(out, options);
    const bool labelled = options.path.find('$') != options.path.npos;
    std::optional<std::size_t> noted;
    exit = input->each_value(options.path, [&](const Item& item, const MatchView& at) -> int {
        if (noted != item.number)
            code_notes(*input, item, options.verbose, say);
        noted = item.number;
        std::string label = item.label;
        if (!label.empty())
            label.pop_back();
        // The label already names the record.
        if (labelled || at.path.size() > 1)
            label.append(label.empty() ? "" : " ").append(at.path);
        tree.show(at.value, label);
        return fine;
    });
    tree.finish();
    return out.finish_after(exit);
}

}  // namespace

Command command() {
    return make_command<Options>({.name = "show",
                                  .does = "prints the values as a tree, with types and sizes",
                                  .examples = "gdvar game.save\n"
                                              "gdvar show --depth 2 game.save\n"
                                              "gdvar show --password-file pass.txt secret.save"},
                                 declare, run);
}

}  // namespace gdvar::app::commands::show
