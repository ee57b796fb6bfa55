#include <charconv>
#include <cmath>
#include <deque>

#include "base/engine_real.hpp"
#include "base/number.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/json/json.hpp"
#include "inspect/rewriting.hpp"
#include "text/rules.hpp"

namespace gdvar::inspect {
namespace {

using detail::Child;

constexpr const char* no_form = "JSON has no form of its own for it";

Rewritten append_text(std::string& out, const View& text) {
    if (!valid_text(text.text(), Utf8Rule::strict))
        return refused(Errc::bad_utf8, text.type(), "the text is not UTF-8");
    out += json_string(text.text());
    return {};
}
Rewritten append_name(std::string& out, const View& key) {
    if (!key.is(Type::string))
        return refused(Errc::not_in_dialect, key.type(), "names in JSON are Strings");
    return append_text(out, key);
}

void append_shortest(std::string& out, double value, bool point) {
    const auto mark = point ? detail::WholeMark::yes : detail::WholeMark::no;
    // Godot writes whole floats without an exponent. Beyond these JSON is not longer than text.
    if (value == std::trunc(value) && std::fabs(value) < 1e21) {
        char text[40];
        const char* end =
            std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
        return detail::append_digits(out, {text, static_cast<std::size_t>(end - text)}, mark);
    }
    detail::append_finite(out, value, mark);
}

/// In digits that the engines, which round on the way, also read as this number. A few numbers have
/// none.
void append_real(std::string& out, double value, bool point) {
    const std::size_t begin = out.size();
    append_shortest(out, value, point);
    if (detail::engine_real(std::string_view(out).substr(begin)) == value)
        return;
    const std::string shortest = out.substr(begin);
    out.resize(begin);
    if (!detail::append_engine_digits(out, value, detail::EngineDigits::nearest_too))
        out += shortest;
}

class JsonPrinter {
public:
    JsonPrinter(std::string& out, const TextSpot& spot, bool point)
        : out_(out), spot_(spot), point_(point) {}

    Rewritten run(const View& value) {
        auto done = print(value);
        while (done && !open_.empty())
            done = step(open_.back());
        if (!done) {
            std::string path;
            detail::append_path(path, open_);
            done.error().path.insert(0, path);
        }
        return done;
    }

private:
    void line() {
        if (!spot_.layout.lines)
            return;
        out_ += spot_.layout.newline;
        out_ += spot_.indent.substr(0, most_space);
        // Indentation ends at some depth, else it would grow with the depth's square.
        for (std::size_t i = std::min<std::size_t>(open_.size(), 64); i; --i)
            out_ += spot_.layout.unit;
    }

    Rewritten step(detail::OpenContainer& top) {
        if (top.children.done()) {
            const char close = top.children.type() == Type::dictionary ? '}' : ']';
            open_.pop_back();
            line();
            out_ += close;
            return {};
        }
        if (top.at_child) {
            out_ += ',';
            if (!spot_.layout.lines)
                out_ += spot_.layout.space;
        }
        line();
        top.next_value();
        if (top.child.role == Child::value) {
            if (auto done = append_name(out_, top.child.key_view); !done)
                return done;
            out_ += spot_.layout.colon;
        }
        return print(top.child.view);
    }

    Rewritten print(const View& value) {
        switch (value.type()) {
            case Type::nil:
                out_ += "null";
                return {};
            case Type::boolean:
                out_ += value.boolean() ? "true" : "false";
                return {};
            case Type::integer:
                out_ += std::to_string(value.integer());
                return {};
            case Type::real:
                if (!std::isfinite(value.real()))
                    return refused(Errc::not_in_dialect, Type::real,
                                   "JSON has no infinity and no NaN");
                append_real(out_, value.real(), point_);
                return {};
            case Type::string:
                return append_text(out_, value);
            case Type::array:
            case Type::dictionary:
                return container(value);
            default:
                return refused(Errc::not_in_dialect, value.type(), no_form);
        }
    }

    Rewritten container(const View& value) {
        const bool pairs = value.is(Type::dictionary);
        if (value.element_type().typed() || value.key_type().typed() || value.value_type().typed())
            return refused(Errc::not_in_dialect, value.type(),
                           "JSON has no types of elements, keys and values");
        out_ += pairs ? '{' : '[';
        if (value.size())
            open_.emplace_back(value);
        else
            out_ += pairs ? '}' : ']';
        return {};
    }

    std::string& out_;
    const TextSpot& spot_;
    const bool point_;
    std::deque<detail::OpenContainer> open_;
};

}  // namespace

Rewritten PlainJson::value(std::string& out, const View& value, const TextSpot& spot) const {
    return JsonPrinter(out, spot, options_.whole_with_point).run(value);
}

Rewritten PlainJson::key(std::string& out, const Child& child, OutlineKind) const {
    return append_name(out, child.key_view);
}

const detail::TextRules& PlainJson::rules() const noexcept {
    return detail::json_text_rules;
}

TextLayout PlainJson::usual_layout() const {
    // As JSON.stringify without indentation.
    TextLayout out;
    out.space = "";
    out.colon = ":";
    return out;
}

}  // namespace gdvar::inspect
