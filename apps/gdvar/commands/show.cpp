#include <algorithm>
#include <deque>

#include "command.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/wire/validate.hpp"
#include "input/input.hpp"
#include "output/output.hpp"
#include "output/path_cutter.hpp"

namespace gdvar::app {
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

    /// The tree's lines for the innermost levels. The number of the other levels precedes them,
    /// since a thousand levels take thousands of bytes before each value.
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
        out_.piece(describe(v), "36");
        const auto after = [&](const std::string& text, const char* style) {
            if (text.empty())
                return;
            out_.piece(" ");
            out_.piece(text, style);
        };
        after(short_value(v), v.is(Type::string) ? "32" : "33");
        after(packet_inside(v), "35");
        out_.end_line();
    }

    static std::string typed(const ContainerType& type) {
        if (!type.typed())
            return "Variant";
        return std::string(type.kind == ContainerKind::builtin ? type_name(type.type) : type.name);
    }

    static std::string describe(const View& v) {
        std::string name(type_name(v.type()));
        if (v.wide())
            name += " (64-bit)";
        const std::string n = std::to_string(v.size());
        switch (v.type()) {
            case Type::array:
            case Type::packed_typed_array:
                if (v.element_type().typed())
                    name += "[" + typed(v.element_type()) + "]";
                return name + " (" + n + (v.size() == 1 ? " element)" : " elements)");
            case Type::dictionary:
                if (v.key_type().typed() || v.value_type().typed())
                    name += "[" + typed(v.key_type()) + ", " + typed(v.value_type()) + "]";
                return name + " (" + n + (v.size() == 1 ? " pair)" : " pairs)");
            case Type::object:
                if (v.object_kind() == ObjectKind::full)
                    return "Object " + std::string(v.class_name()) + " (" + n +
                           (v.size() == 1 ? " property)" : " properties)");
                return name;
            case Type::nil:
                return "null";
            default:
                break;
        }
        if (is_packed(v.type()) || v.is(Type::packed_string_array))
            name += " (" + n + (v.size() == 1 ? " element)" : " elements)");
        return name;
    }

    static std::string one_line(std::string text) {
        for (char& c : text)
            if (static_cast<unsigned char>(c) < 0x20)
                c = ' ';
        return cut_text(std::move(text));
    }

    static std::string short_value(const View& v) {
        switch (v.type()) {
            case Type::nil:
            case Type::array:
            case Type::packed_typed_array:
            case Type::dictionary:
                return {};
            case Type::object:
                if (v.object_kind() == ObjectKind::full)
                    return {};
                return v.object_kind() == ObjectKind::id ? "id " + std::to_string(v.object_id())
                                                         : "null";
            default:
                break;
        }
        if (v.size() == 0 && (is_packed(v.type()) || v.is(Type::packed_string_array)))
            return {};
        // A long packed array is not printed whole for the sake of a hundred characters.
        if (is_packed(v.type()) && v.size() > 64)
            return preview(v.packed());
        if ((v.is(Type::string) || v.is(Type::string_name)) && v.size() > 400)
            return one_line("\"" + std::string(v.text().substr(0, 200)));
        auto full = to_text_full(v);
        if (!full)
            return {};
        // The type stands before it already.
        const std::string_view name = type_name(v.type());
        if (full->starts_with(name) && full->size() > name.size() && (*full)[name.size()] == '(')
            full->erase(0, name.size());
        return one_line(*full);
    }
    static std::string preview(PackedView v) {
        std::string out;
        const std::size_t components = 8 * v.components();
        for (std::size_t i = 0; i < components; ++i) {
            if (v.component() == ComponentType::u8)
                out += std::to_string(static_cast<int>(v.data[i]));
            else if (v.component() == ComponentType::i32)
                out += std::to_string(v.component_at<std::int32_t>(i));
            else if (v.component() == ComponentType::i64)
                out += std::to_string(v.component_at<std::int64_t>(i));
            else
                out += std::to_string(v.component() == ComponentType::f32
                                          ? static_cast<double>(v.component_at<float>(i))
                                          : v.component_at<double>(i));
            out += ", ";
        }
        return out + "...";
    }

    static std::string packet_inside(const View& v) {
        if (!v.is(Type::packed_byte_array) || v.size() < 8)
            return {};
        const DecodeOptions options = v.options();
        const ByteView bytes = v.packed().bytes();
        auto size = validate(bytes, options);
        if (!size || *size != bytes.size())
            return {};
        const auto id = std::to_integer<unsigned>(bytes[0]);
        return "holds a packet: " + std::string(options.dialect->rows[id].name);
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
    Tree tree(out, options);
    const bool labelled = options.path.find('$') != options.path.npos;
    exit = input->each_value(options.path, [&](const Item& item, const MatchView& at) -> int {
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

Command show_command() {
    return make_command<Options>({.name = "show",
                                  .does = "prints the values as a tree, with types and sizes",
                                  .examples = "gdvar game.save\n"
                                              "gdvar show --depth 2 game.save\n"
                                              "gdvar show --password-file pass.txt secret.save"},
                                 declare, run);
}

}  // namespace gdvar::app
