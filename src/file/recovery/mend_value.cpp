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
        cut_.at = path();
        if (!cut_.whole && closable_) {
            open_.resize(closable_);
            Bracket& inner = open_.back();
            inner.item = inner.last;
            cut_.before = inner.last.begin;
            cut_.values_before = inner.last.values;
            cut_.at_before = path();
        }
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
        struct Item {
            std::size_t begin = 0;   ///< behind the item before it; 0: there is no item
            std::size_t values = 0;  ///< that are complete there
            std::int64_t index = 0;
            std::size_t key_begin = 0, key_end = 0;
        } item, last;  ///< the one at hand, and that before it
    };

    bool has_pairs(const Bracket& bracket) const {
        return bracket.kind == Kind::pairs || bracket.kind == Kind::object;
    }
    bool token();
    bool atom(const TextToken& token);
    bool close(const TextToken& token);
    void open(Kind kind, char close);
    void complete(std::size_t begin, std::size_t end);
    std::string path() const;
    bool step(std::string& to, const Bracket& bracket) const;

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
    open_.push_back({kind, close, closable, false, {}, {}});
    open_.back().item.values = cut_.values;
    if (closable && (kind == Kind::list || kind == Kind::pairs)) {
        open_.back().item.begin = cut_.keep = tokens_.position();
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
        bracket.item.key_begin = begin;
        bracket.item.key_end = end;
        return;
    }
    bracket.in_value = false;
    cut_.values += bracket.closable;
    bracket.last = bracket.item;
    bracket.item = {end, cut_.values, bracket.last.index + 1};
    if (!bracket.closable)
        return;
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
    // A token that ends with the text, or in something strange, may have been longer.
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
    if (token.closes())
        return close(token);
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

std::string BracketScanner::path() const {
    std::string out = "$";
    for (const Bracket& bracket : open_)
        if (!step(out, bracket))
            break;
    return out;
}

/// Adds the step into a bracket to the path. False: the path ends there.
bool BracketScanner::step(std::string& to, const Bracket& bracket) const {
    if (bracket.kind == Kind::typed)
        return true;
    if (bracket.kind == Kind::call || bracket.kind == Kind::types)
        return false;
    Path::Step step;
    if (bracket.kind == Kind::list) {
        step.kind = Path::StepKind::index;
        step.index = bracket.item.index;
    } else if (bracket.item.key_end) {
        step.text =
            text_.substr(bracket.item.key_begin, bracket.item.key_end - bracket.item.key_begin);
        const bool quoted = step.text.starts_with('"');
        step.kind = quoted ? Path::StepKind::name : Path::StepKind::key;
        if (quoted && step.text.size() >= 2)
            step.text = step.text.substr(1, step.text.size() - 2);
    } else {
        return false;
    }
    step.append_to(to);
    return true;
}

}  // namespace

ValueCut cut_before(std::string_view text, std::size_t stop, const TextRules& rules) {
    return BracketScanner(text, stop, rules).run();
}

namespace {

/// The text where the next item is expected.
struct NextItem {
    enum End : std::uint8_t { text, comma, bracket, other_bracket } ends = text;
    std::size_t end = 0;        ///< of the comma behind it, or the bracket that ends the items
    bool behind_comma = false;  ///< a comma stands before it
    bool same_line = true;      ///< as the item before it
    bool empty = true;
    bool pair = false;         ///< it begins with a text and a colon
    bool sound_behind = true;  ///< the items behind it can be trusted
    bool sound_before = true;  ///< and those between it and another one that can't be read
    bool ends_a_list = false;  ///< no pairs, up to a bracket that did not begin
};

/// Looks at the tokens of an item. Strings that stand next to values come from a quote that is
/// missing, and what is no token from a comment: then nothing behind the item is what it seems.
class ItemScanner {
public:
    /// `from` is behind the item before it, or behind the bracket that opens them. `close` ends
    /// them.
    ItemScanner(std::string_view text, std::size_t from, char close, const TextRules& rules)
        : text_(text), close_(close), tokens_(text, rules, from) {
        token_ = tokens_.next();
        if (token_.kind == TokenKind::comma) {
            out_.behind_comma = true;
            token_ = tokens_.next();
        }
        out_.same_line = text.substr(from, token_.begin - from).find('\n') == text.npos;
    }

    NextItem run() {
        one();
        // Elements where pairs are expected: their bracket is missing.
        out_.ends_a_list = out_.behind_comma && close_ == '}' && !out_.empty && !colons_;
        while (out_.ends_a_list && out_.ends == NextItem::comma && !colons_) {
            token_ = tokens_.next();
            one();
        }
        if (out_.ends_a_list) {
            const TextToken behind = tokens_.next();
            const bool ends =
                behind.kind == TokenKind::end || behind.kind == TokenKind::comma || behind.closes();
            out_.ends_a_list = out_.ends == NextItem::other_bracket && ends && !colons_;
        }
        return out_;
    }

private:
    static bool is_atom(const TextToken& token) {
        return token.is_string() || token.kind == TokenKind::identifier ||
               token.kind == TokenKind::integer || token.kind == TokenKind::real ||
               token.kind == TokenKind::color || token.kind == TokenKind::nan_bits;
    }
    /// Whether a color has as many digits as colors have.
    static bool is_odd_color(const TextToken& token) {
        const std::size_t digits = token.end - token.begin - 1;
        return token.kind == TokenKind::color &&
               (digits < 3 || digits > 8 || digits == 5 || digits == 7);
    }

    void one();
    void end(NextItem::End how) {
        out_.ends = how;
        out_.end = token_.begin;
        const bool odd = close_ == '}' ? colons_ > 1 || (!colons_ && count_ && how == out_.comma)
                                       : colons_ > (close_ == ')' ? 1u : 0u);
        if (odd || how == NextItem::text || how == NextItem::other_bracket)
            out_.sound_behind = false;
        if (how == NextItem::other_bracket)
            out_.sound_before = false;
    }

    std::string_view text_;
    const char close_;
    Tokens tokens_;
    TextToken token_;
    std::size_t colons_ = 0, count_ = 0;  ///< of the item; not those in its brackets
    NextItem out_;
};

void ItemScanner::one() {
    TextToken before{.kind = TokenKind::comma};
    for (std::size_t depth = 0;; before = std::exchange(token_, tokens_.next()), ++count_) {
        if (token_.kind == TokenKind::end)
            return end(NextItem::text);
        if (token_.kind == TokenKind::comma && !depth)
            return end(NextItem::comma);
        if (token_.closes() && !depth--)
            return end(text_[token_.begin] == close_ ? NextItem::bracket : NextItem::other_bracket);
        out_.empty = false;
        depth += token_.opens();
        colons_ += token_.kind == TokenKind::colon && !depth;
        out_.pair =
            out_.pair || (count_ == 1 && token_.kind == TokenKind::colon && before.is_string());
        const bool joined =
            (token_.is_string() && (is_atom(before) || before.closes())) ||
            (count_ > 1 && before.is_string() && (is_atom(token_) || token_.opens()));
        const bool fault = token_.kind == TokenKind::fault;
        if (joined || fault || is_odd_color(token_))
            out_.sound_behind = false;
        if (joined || (fault && tokens_.peek(token_.begin) == '"'))
            out_.sound_before = false;
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
            if (cut.keep && !cut.whole && leave_out(next_item()))
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

    /// The text at the break. The item before it is left out, too, if it may not be whole.
    NextItem next_item() {
        ValueCut& cut = out_.cut;
        if (cut.closers.empty())
            return {};
        const auto scan = [&] {
            return ItemScanner(text_, cut.keep, cut.closers[0], rules_).run();
        };
        NextItem item = scan();
        const char last = text_[cut.keep - 1];
        const bool delimited = last == ']' || last == '}' || last == ')';
        const bool goes_on = !item.empty && !item.behind_comma && item.same_line && !item.pair;
        const bool unpaired = item.empty && !item.behind_comma && item.ends == item.other_bracket;
        bool odd = item.ends == item.other_bracket || item.ends_a_list;
        if (cut.before && ((goes_on && !delimited) || unpaired)) {
            cut.keep = cut.before;
            cut.values = cut.values_before;
            cut.at = cut.at_before;
            item = scan();
        }
        odd = odd || (item.pair && cut.closers[0] == ']');
        // Values may have stood in a bracket that is missing, which their paths do not show.
        if (odd)
            error_.detail = out_.error.detail =
                "a bracket does not match: values before it may stand elsewhere";
        return item;
    }

    /// Leaves out the item at the break, if more comes behind it. True: the rest is sound.
    bool leave_out(const NextItem& item) {
        const std::size_t from = out_.cut.keep;
        if (out_.holes.size() == most_holes_ || out_.cut.closers.empty())
            return false;
        if (!item.sound_before && !out_.holes.empty()) {
            // The items may have stood in a string, or in a bracket that is missing.
            most_holes_ = 0;
            begin();
            left_out_ = true;
        }
        if (!item.sound_behind)
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
        const bool moves = out_.cut.closers[0] == ']' && item.ends == NextItem::comma;
        out_.holes.push_back(
            {original(from, true), original(to, true), out_.error, out_.cut.at, moves});
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
        // An item that nothing sound follows is no hole: the text ends before it.
        const auto last = std::ranges::find_if(
            out_.holes, [&](const auto& hole) { return hole.begin >= out_.cut.keep; });
        if (last != out_.holes.end()) {
            out_.error = last->error;
            out_.holes.erase(last, out_.holes.end());
        }
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
    TextError error_;
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

std::string reason_of(const MendedValue::Hole& hole) {
    return reason_of(hole.error) + (hole.moves ? "; the elements behind it have moved up" : "");
}

}  // namespace gdvar::recovering
