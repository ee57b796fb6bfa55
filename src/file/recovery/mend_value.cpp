#include "file/recovery/mend_value.hpp"

#include <algorithm>

#include "gdvar/base/utf8.hpp"
#include "gdvar/value/path.hpp"
#include "text/tokens.hpp"

namespace gdvar::recovering {
namespace {

using detail::TextToken;
using detail::TokenKind;
using detail::Tokens;

/// The parser may find values behind each other wrong that the scanner takes.
constexpr int most_rounds = 16;

std::size_t begin_of(std::string_view text) {
    return text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0;
}

/// Reads tokens of a text that is sound up to `stop`, and keeps the brackets that are open.
class BracketScanner {
public:
    BracketScanner(std::string_view text, std::size_t stop, const TextRules& rules)
        : text_(text),
          stop_(std::min(stop, text.size())),
          rules_(rules),
          tokens_(text, rules, begin_of(text)) {}

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
    bool atom(const TextToken& token);
    bool close(const TextToken& token);
    void open(Kind kind, char close);
    void complete(std::size_t begin, std::size_t end);
    bool step(const Bracket& bracket);

    std::string_view text_;
    std::size_t stop_;
    const TextRules& rules_;
    Tokens tokens_;
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
    if (closable && (kind == Kind::list || kind == Kind::pairs)) {
        cut_.keep = tokens_.position();
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

bool BracketScanner::close(const TextToken& token) {
    if (open_.empty() || open_.back().close != text_[token.begin])
        return false;
    const Kind kind = open_.back().kind;
    open_.pop_back();
    typed_ = kind == Kind::types;
    if (!typed_)
        complete(token.end, token.end);
    return true;
}

/// A name, a number or a color; or a name with the bracket behind it.
bool BracketScanner::atom(const TextToken& token) {
    // What ends with the text, or in something strange, may have been longer.
    if (token.end >= text_.size())
        return false;
    if (token.kind == TokenKind::identifier && !rules_.json) {
        const std::string_view name = tokens_.text(token);
        const std::size_t next = tokens_.behind_space(token.end);
        const bool types = name == "Array" || name == "Dictionary";
        if (const char c = tokens_.peek(next); c == '(' || (c == '[' && types)) {
            if (next >= stop_)
                return false;
            tokens_.seek(next + 1);
            if (c == '[')
                open(Kind::types, ']');
            else
                open(name == "Object" ? Kind::object : Kind::call, ')');
            return true;
        }
    }
    const char behind = text_[token.end];
    if (!rules_.blanks.has(behind) && std::string_view(",]}):;").find(behind) == text_.npos)
        return false;
    complete(token.begin, token.end);
    return true;
}

bool BracketScanner::token() {
    const TextToken token = tokens_.next();
    if (token.end > stop_)
        return false;
    switch (token.kind) {
        case TokenKind::string:
        case TokenKind::string_name:
            complete(token.begin, token.end);
            return true;
        case TokenKind::identifier:
        case TokenKind::integer:
        case TokenKind::real:
        case TokenKind::color:
            return atom(token);
        case TokenKind::bracket_open:
            open(Kind::list, ']');
            return true;
        case TokenKind::brace_open:
            open(Kind::pairs, '}');
            return true;
        case TokenKind::parenthesis_open:
            open(std::exchange(typed_, false) ? Kind::typed : Kind::call, ')');
            return true;
        case TokenKind::bracket_close:
        case TokenKind::brace_close:
        case TokenKind::parenthesis_close:
            return close(token);
        case TokenKind::colon:
            if (!open_.empty())
                open_.back().in_value = true;
            return true;
        case TokenKind::comma:
            return true;
        default:
            return false;
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

ValueCut cut_before(std::string_view text, std::size_t stop, const TextRules& rules) {
    return BracketScanner(text, stop, rules).run();
}

namespace {

/// Where an item ends that can't be read.
struct BadItem {
    std::size_t end = 0;    ///< the comma behind it, or the bracket that ends the items; 0: unknown
    bool unpaired = false;  ///< a bracket ends that did not begin: more than this item is broken
};

/// `from` is behind the item before it, or behind the bracket that opens them. `close` ends them.
BadItem bad_item(std::string_view text, std::size_t from, char close, const TextRules& rules) {
    Tokens tokens(text, rules, from);
    TextToken token = tokens.next();
    if (token.kind == TokenKind::comma)
        token = tokens.next();
    for (std::size_t depth = 0;; token = tokens.next()) {
        switch (token.kind) {
            case TokenKind::bracket_open:
            case TokenKind::brace_open:
            case TokenKind::parenthesis_open:
                ++depth;
                break;
            case TokenKind::bracket_close:
            case TokenKind::brace_close:
            case TokenKind::parenthesis_close:
                if (!depth--)
                    return text[token.begin] == close ? BadItem{token.begin}
                                                      : BadItem{.unpaired = true};
                break;
            case TokenKind::comma:
                if (!depth)
                    return {token.begin};
                break;
            case TokenKind::end:
                return {};
            default:
                break;
        }
    }
}

/// Takes items out of a value, one after the other.
class Mender {
public:
    Mender(std::string_view text, const TextRules& rules, const TextError& error,
           const TextCheck& check)
        : rules_(rules), check_(check), given_(text), error_(error) {
        begin();
    }

    std::optional<MendedValue> run() {
        for (int round = 0; round < most_rounds; ++round) {
            out_.cut = cut_before(text_, stop_, rules_);
            const ValueCut& cut = out_.cut;
            if (cut.keep && !cut.whole && leave_out())
                return finished();
            if (left_out_ && std::exchange(left_out_, false))
                continue;
            if (!cut.keep || !cut.values)
                return std::nullopt;
            out_.text.assign(text_, 0, cut.keep).append(cut.closers);
            const auto read = check_(out_.text);
            if (read)
                return finished();
            if (read.error().code == Errc::no_memory || read.error().code == Errc::size_limit)
                return std::nullopt;
            stop_ = std::min(static_cast<std::size_t>(read.error().offset), cut.keep - 1);
        }
        return std::nullopt;
    }

private:
    void begin() {
        out_ = {};
        out_.error = error_;
        text_ = given_;
        stop_ = static_cast<std::size_t>(error_.offset);
    }

    /// Leaves out the item at the break, if more comes behind it. True: the rest is sound.
    bool leave_out() {
        const std::size_t from = out_.cut.keep;
        if (out_.holes.size() == most_holes_ || out_.cut.closers.empty())
            return false;
        const BadItem item = bad_item(text_, from, out_.cut.closers[0], rules_);
        if (item.unpaired && !out_.holes.empty()) {
            // What was taken for items may have stood in a bracket that is not there any more.
            most_holes_ = 0;
            begin();
            left_out_ = true;
            return false;
        }
        if (!item.end)
            return false;
        // Without an item before it, the comma goes, too.
        const bool first =
            text_[from - 1] == '[' || text_[from - 1] == '{' || text_[from - 1] == '(';
        const std::size_t to = item.end + (first && text_[item.end] == ',');
        if (to == from)
            return false;
        std::string shorter = text_.substr(0, from) + text_.substr(to);
        const auto read = check_(shorter);
        const std::size_t next = read ? 0 : static_cast<std::size_t>(read.error().offset);
        ValueCut all = read ? cut_before(shorter, shorter.size(), rules_) : ValueCut();
        if (read ? all.values < 2 : next <= from + 1)  // the whole counts, too
            return false;
        out_.holes.push_back({original(from, true), original(to, true), out_.error, out_.cut.at});
        text_ = std::move(shorter);
        if (!read) {
            out_.error = read.error();
            out_.error.offset = original(next, true);
            stop_ = next;
            left_out_ = true;
            return false;
        }
        out_.text = text_;
        out_.cut = std::move(all);
        out_.cut.whole = true;
        out_.cut.keep = text_.size();
        return true;
    }

    std::optional<MendedValue> finished() {
        out_.cut.keep = original(out_.cut.keep);
        return std::move(out_);
    }
    /// The place in the text that was given; of the place of a hole, the one in front of it or
    /// `behind` it. Holes were made from the front to the back.
    std::size_t original(std::size_t at, bool behind = false) const {
        for (const MendedValue::Hole& hole : out_.holes)
            if (at > hole.begin || (behind && at == hole.begin))
                at += hole.end - hole.begin;
        return at;
    }

    const TextRules& rules_;
    const TextCheck& check_;
    const std::string_view given_;
    const TextError error_;
    std::size_t most_holes_ = 8;
    std::string text_;  ///< without what was left out
    std::size_t stop_;
    bool left_out_ = false;
    MendedValue out_;
};

}  // namespace

std::optional<MendedValue> mend_value(std::string_view text, const TextRules& rules,
                                      const TextError& error, const TextCheck& check) {
    return Mender(text, rules, error, check).run();
}

std::string reason_of(const TextError& error) {
    return std::string(error.detail.empty() ? error_info(error.code).meaning : error.detail);
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
