#include <deque>

#include "command.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/text/text.hpp"
#include "gdvar/wire/validate.hpp"

namespace gdvar::app {
namespace {

/// A container whose children are being shown.
struct Level {
    View::Elements elements;
    View::Elements::iterator element;
    View::Pairs pairs;
    View::Pairs::iterator pair;
    View::Properties properties;
    View::Properties::iterator property;
    std::size_t next = 0, count = 0;
    Type type;

    explicit Level(const View& v)
        : elements(v.elements()),
          element(elements.begin()),
          pairs(v.pairs()),
          pair(pairs.begin()),
          properties(v.properties()),
          property(properties.begin()),
          count(v.size()),
          type(v.type()) {}
    Level(const Level&) = delete;
};

class Tree {
public:
    Tree(Output& out, const Options& options) : out_(out), options_(options), color_(out.color()) {}

    void show(const View& root, const std::string& label) {
        line("", label, root);
        if (is_open(root))
            levels_.emplace_back(root);
        while (!levels_.empty()) {
            Level& top = levels_.back();
            if (top.next == top.count) {
                levels_.pop_back();
                continue;
            }
            ++top.next;
            const auto [child_label, child] = take(top);
            line(stem(), child_label, child);
            if (is_open(child))
                levels_.emplace_back(child);
        }
    }

private:
    bool is_open(const View& v) const {
        const bool container = v.is(Type::array) || v.is(Type::dictionary) ||
                               v.is(Type::packed_typed_array) ||
                               (v.is(Type::object) && v.object_kind() == ObjectKind::full);
        return container && v.size() && levels_.size() < options_.depth;
    }

    std::pair<std::string, View> take(Level& top) {
        if (top.type == Type::dictionary) {
            const View::Pair pair = *top.pair;
            ++top.pair;
            return {key_step(pair.key, top.next - 1), pair.value};
        }
        if (top.type == Type::object) {
            const View::Property property = *top.property;
            ++top.property;
            return {name_step(property.name), property.value};
        }
        const View item = *top.element;
        ++top.element;
        return {"[" + std::to_string(top.next - 1) + "]", item};
    }

    std::string stem() const {
        std::string out;
        for (std::size_t i = 0; i + 1 < levels_.size(); ++i)
            out += levels_[i].next < levels_[i].count ? "│  " : "   ";
        return out + (levels_.back().next < levels_.back().count ? "├─ " : "└─ ");
    }

    std::string paint(const char* code, const std::string& text) const {
        return color_ ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
    }

    void line(const std::string& stem, const std::string& label, const View& v) {
        std::string text = paint("2", stem);
        if (!label.empty())
            text += paint("1", label) + " ";
        text += paint("36", describe(v));
        const std::string value = short_value(v);
        if (!value.empty())
            text += " " + paint(v.is(Type::string) ? "32" : "33", value);
        if (const std::string note = packet_inside(v); !note.empty())
            text += " " + paint("35", note);
        out_.text(text + "\n");
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

    static std::string shortened(std::string text) {
        constexpr std::size_t most = 100;
        for (char& c : text)
            if (static_cast<unsigned char>(c) < 0x20)
                c = ' ';
        if (text.size() <= most)
            return text;
        std::size_t n = most;
        while (n && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80)
            --n;
        return text.substr(0, n) + "...";
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
            return shortened("\"" + std::string(v.text().substr(0, 200)));
        auto full = to_text_full(v);
        if (!full)
            return {};
        // The type stands before it already.
        const std::string_view name = type_name(v.type());
        if (full->starts_with(name) && full->size() > name.size() && (*full)[name.size()] == '(')
            full->erase(0, name.size());
        return shortened(*full);
    }
    static std::string preview(PackedView v) {
        std::string out;
        const std::size_t lanes = 8 * v.lanes();
        for (std::size_t i = 0; i < lanes; ++i) {
            if (v.lane() == Lane::u8)
                out += std::to_string(static_cast<int>(v.data[i]));
            else if (v.lane() == Lane::i32)
                out += std::to_string(v.lane_at<std::int32_t>(i));
            else if (v.lane() == Lane::i64)
                out += std::to_string(v.lane_at<std::int64_t>(i));
            else
                out +=
                    std::to_string(v.lane() == Lane::f32 ? static_cast<double>(v.lane_at<float>(i))
                                                         : v.lane_at<double>(i));
            out += ", ";
        }
        return out + "...";
    }

    static std::string packet_inside(const View& v) {
        if (!v.is(Type::packed_byte_array) || v.size() < 8)
            return {};
        DecodeOptions options = v.options();
        const ByteView bytes = v.packed().bytes();
        auto size = validate(bytes, options);
        if (!size || *size != bytes.size())
            return {};
        const auto id = std::to_integer<unsigned>(bytes[0]);
        return "holds a packet: " + std::string(options.dialect->rows[id].name);
    }

    Output& out_;
    const Options& options_;
    bool color_;
    std::deque<Level> levels_;
};

}  // namespace

int show(const Options& options) {
    int exit = fine;
    auto input = Input::open(options, exit);
    if (!input)
        return exit;
    Output out(options);
    Tree tree(out, options);
    exit = input->each_value(options.path, [&](const Item& item, const Found& at) -> int {
        std::string label = printable(item.label);
        if (!label.empty())
            label.pop_back();
        if (!options.path.empty())
            label += (label.empty() ? "" : " ") + printable(options.path);
        tree.show(at, label);
        return fine;
    });
    const int written = out.finish();
    return exit != fine ? exit : written;
}

}  // namespace gdvar::app
