#include "file/recovery/mend_value.hpp"

#include <algorithm>

#include "gdvar/base/utf8.hpp"
#include "gdvar/value/path.hpp"

namespace gdvar::recovering {
namespace {

/// The parser may find values behind each other wrong that the scanner takes.
constexpr int most_rounds = 8;

bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
bool is_letter(char c) {
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}
/// Of names, numbers and `#ff00ff`.
bool is_atom(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == '#';
}

/// Reads tokens of a text that is sound up to `stop`, and keeps the brackets that are open.
class BracketScanner {
public:
    BracketScanner(std::string_view text, std::size_t stop, ValueForm form)
        : text_(text), stop_(std::min(stop, text.size())), godot_(form == ValueForm::godot) {
        if (text_.starts_with(utf8::byte_order_mark))
            at_ = utf8::byte_order_mark.size();
    }

    ValueCut run() {
        while (!cut_.whole && token()) {
        }
        for (std::size_t i = cut_.whole ? 0 : closable_; i-- > 0;)
            cut_.closers += open_[i].close;
        for (const Bracket& bracket : open_)
            if (!step(bracket))
                break;
        return std::move(cut_);
    }

private:
    enum class Kind : std::uint8_t {
        list,
        pairs,
        object,
        call,   ///< the arguments of a constructor
        types,  ///< `[int]` behind `Array`
        typed,  ///< the parentheses of `Array[int]([])`
    };
    struct Bracket {
        Kind kind;
        char close;
        bool closable;          ///< it and all around it can be closed
        bool in_value = false;  ///< of pairs: the key and its colon are there
        std::size_t key_begin = 0, key_end = 0;
        std::int64_t count = 0;  ///< values that are complete
    };

    bool has_pairs(const Bracket& bracket) const {
        return bracket.kind == Kind::pairs || bracket.kind == Kind::object;
    }
    bool token();
    bool string();
    bool atom();
    bool close(char c);
    void open(Kind kind, char close);
    void complete(std::size_t begin, std::size_t end);
    bool step(const Bracket& bracket);
    char next_char(std::size_t at) const {
        while (at < text_.size() && is_blank(text_[at]))
            ++at;
        return at < text_.size() ? text_[at] : '\0';
    }
    void skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

    std::string_view text_;
    std::size_t stop_, at_ = 0;
    bool godot_;
    bool typed_ = false;  ///< the types of a container were read: its parenthesis comes
    std::vector<Bracket> open_;
    std::size_t closable_ = 0;  ///< so many brackets are open at `cut_.keep`
    ValueCut cut_;
};

void BracketScanner::open(Kind kind, char close) {
    const bool inside = open_.empty() || (open_.back().closable &&
                                          (!has_pairs(open_.back()) || open_.back().in_value));
    const bool closable = inside && kind != Kind::call && kind != Kind::types;
    if (open_.empty())
        cut_.container = closable || kind == Kind::types;
    open_.push_back({kind, close, closable});
    ++at_;
    if (closable && (kind == Kind::list || kind == Kind::pairs)) {
        cut_.keep = at_;
        closable_ = open_.size();
    }
}

/// A value ends there.
void BracketScanner::complete(std::size_t begin, std::size_t end) {
    if (open_.empty()) {
        cut_.keep = end;
        cut_.whole = true;
        ++cut_.values;
        return;
    }
    Bracket& bracket = open_.back();
    if (has_pairs(bracket) && !bracket.in_value) {
        bracket.key_begin = begin;
        bracket.key_end = end;
        return;
    }
    ++bracket.count;
    bracket.in_value = false;
    bracket.key_end = 0;
    if (!bracket.closable)
        return;
    ++cut_.values;
    cut_.keep = end;
    closable_ = open_.size();
}

bool BracketScanner::close(char c) {
    if (open_.empty() || open_.back().close != c)
        return false;
    const Kind kind = open_.back().kind;
    open_.pop_back();
    ++at_;
    typed_ = kind == Kind::types;
    if (!typed_)
        complete(at_, at_);
    return true;
}

bool BracketScanner::string() {
    const std::size_t begin = at_++;
    for (; at_ < stop_ && text_[at_] != '"'; ++at_)
        at_ += text_[at_] == '\\';
    if (at_ >= stop_)
        return false;
    complete(begin, ++at_);
    return true;
}

bool BracketScanner::atom() {
    const std::size_t begin = at_;
    while (at_ < stop_ && is_atom(text_[at_]))
        ++at_;
    // What ends with the text, or in something strange, may have been longer.
    if (at_ >= text_.size())
        return false;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (godot_ && is_letter(name[0])) {
        const char next = next_char(at_);
        if (next == '(' || (next == '[' && (name == "Array" || name == "Dictionary"))) {
            at_ = std::min(text_.find(next, at_), stop_);
            if (at_ >= stop_)
                return false;
            if (next == '[')
                open(Kind::types, ']');
            else
                open(name == "Object" ? Kind::object : Kind::call, ')');
            return true;
        }
    }
    if (!is_blank(text_[at_]) && std::string_view(",]}):;").find(text_[at_]) == text_.npos)
        return false;
    complete(begin, at_);
    return true;
}

bool BracketScanner::token() {
    while (at_ < stop_ && (is_blank(text_[at_]) || (godot_ && text_[at_] == ';'))) {
        if (text_[at_] == ';')
            skip_comment();
        else
            ++at_;
    }
    if (at_ >= stop_)
        return false;
    const char c = text_[at_];
    switch (c) {
        case '"':
            return string();
        case '[':
            open(Kind::list, ']');
            return true;
        case '{':
            open(Kind::pairs, '}');
            return true;
        case '(':
            open(std::exchange(typed_, false) ? Kind::typed : Kind::call, ')');
            return true;
        case ']':
        case '}':
        case ')':
            return close(c);
        case ':':
            if (!open_.empty())
                open_.back().in_value = true;
            ++at_;
            return true;
        case ',':
        case '&':
        case '@':
        case '^':
            ++at_;
            return true;
        default:
            return is_atom(c) && atom();
    }
}

/// Adds the step into a bracket to the path. False: the path ends there.
bool BracketScanner::step(const Bracket& bracket) {
    if (bracket.kind == Kind::typed)
        return true;
    if (bracket.kind == Kind::call || bracket.kind == Kind::types)
        return false;
    Path::Step step;
    if (bracket.kind == Kind::list) {
        step.kind = Path::StepKind::index;
        step.index = bracket.count;
    } else if (bracket.key_end) {
        step.text = text_.substr(bracket.key_begin, bracket.key_end - bracket.key_begin);
        const bool quoted = step.text.starts_with('"');
        step.kind = quoted ? Path::StepKind::name : Path::StepKind::key;
        if (quoted && step.text.size() >= 2)
            step.text = step.text.substr(1, step.text.size() - 2);
    } else {
        return false;
    }
    step.append_to(cut_.at);
    return true;
}

}  // namespace

ValueCut cut_before(std::string_view text, std::size_t stop, ValueForm form) {
    return BracketScanner(text, stop, form).run();
}

namespace {

/// An element that its container does not take is told at the container: the place up to which the
/// value can be read is behind it.
std::size_t behind(std::string_view text, ValueForm form, const TextError& error,
                   const TextCheck& check) {
    std::size_t good = static_cast<std::size_t>(error.offset), bad = text.size() + 1;
    if (error.code != Errc::wrong_type)
        return good;
    while (bad - good > 1) {
        const std::size_t middle = good + (bad - good) / 2;
        const ValueCut cut = cut_before(text, middle, form);
        const auto read = check(std::string(text.substr(0, cut.keep)) + cut.closers);
        (read ? good : bad) = middle;
    }
    return good;
}

}  // namespace

std::optional<MendedValue> mend_value(std::string_view text, ValueForm form, const TextError& error,
                                      const TextCheck& check) {
    std::size_t stop = behind(text, form, error, check);
    for (int round = 0; round < most_rounds; ++round) {
        MendedValue out{{}, cut_before(text, stop, form), error};
        const ValueCut& cut = out.cut;
        if (!cut.keep || !cut.values)
            return std::nullopt;
        out.text.append(text.substr(0, cut.keep)).append(cut.closers);
        const auto read = check(out.text);
        if (read)
            return out;
        if (read.error().code == Errc::no_memory || read.error().code == Errc::size_limit)
            return std::nullopt;
        const bool element = read.error().code == Errc::wrong_type && round < most_rounds / 2;
        stop = element ? cut.keep - 1
                       : std::min(static_cast<std::size_t>(read.error().offset), cut.keep - 1);
    }
    return std::nullopt;
}

std::size_t CleanText::original(std::size_t place) const noexcept {
    constexpr std::size_t mark = 3;  // bytes of U+FFFD
    const auto next = std::ranges::upper_bound(replaced, place, {}, &Replaced::at);
    if (next == replaced.begin())
        return place;
    const Replaced& before = *std::prev(next);
    return place < before.at + mark ? before.begin : before.end + (place - before.at - mark);
}

std::optional<CleanText> clean_utf8(std::string_view text) {
    CleanText out;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
            continue;
        }
        if (const auto character = utf8::first(text.substr(at)); character.size) {
            at += character.size;
            continue;
        }
        out.text += text.substr(copied, at - copied);
        out.replaced.push_back({at, at + 1, out.text.size()});
        utf8::append(out.text, 0xFFFD);
        copied = ++at;
    }
    if (out.replaced.empty())
        return std::nullopt;
    out.text += text.substr(copied);
    return out;
}

}  // namespace gdvar::recovering
