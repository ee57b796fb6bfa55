#include "tree.hpp"

#include <utility>

#include "base/ascii.hpp"
#include "base/plain_number.hpp"
#include "base/special_bytes.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::detail {
namespace {

/// Functions that return bool return false with `fault` set.
class JsonReader {
public:
    JsonReader(std::string_view text, std::size_t max_depth, const JsonGrammar& grammar)
        : text_(text), max_depth_(max_depth), grammar_(grammar) {
        tree.source = text;
        if (text.starts_with(utf8::byte_order_mark))
            at_ = utf8::byte_order_mark.size();
    }

    bool run() {
        if (!value())
            return false;
        while (!open_.empty())
            if (!step())
                return false;
        tree.size = at_;
        return true;
    }

    JsonTree tree;
    TextFault fault;

private:
    char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void skip_space() noexcept {
        while (is_json_space(peek()))
            ++at_;
    }
    bool fail(Errc code, std::size_t offset, std::string_view detail) {
        fault = {code, offset, detail, Type::nil};
        return false;
    }

    bool step() {
        skip_space();
        Open& top = open_.back();
        const bool object = top.object;
        if (peek() == (object ? '}' : ']') && (!after_comma_ || grammar_.trailing_commas)) {
            after_comma_ = false;
            return close();
        }
        if (top.count && !after_comma_) {
            if (peek() != ',')
                return fail(Errc::bad_syntax, at_,
                            object ? "expected ',' or '}'" : "expected ',' or ']'");
            ++at_;
            after_comma_ = true;
            return true;
        }
        after_comma_ = false;
        ++top.count;
        if (object && !name())
            return false;
        return value();
    }

    bool close() {
        ++at_;
        JsonNode& closed = tree.nodes[open_.back().node];
        closed.count = open_.back().count;
        closed.end = static_cast<std::uint32_t>(tree.nodes.size());
        open_.pop_back();
        return true;
    }

    bool name() {
        if (peek() != '"')
            return fail(Errc::bad_syntax, at_, "expected a name in quotes");
        if (!string())
            return false;
        skip_space();
        if (peek() != ':')
            return fail(Errc::bad_syntax, at_, "expected ':' after the name");
        ++at_;
        return true;
    }

    JsonNode& node(JsonNode::Kind kind) {
        JsonNode made;
        made.kind = kind;
        made.offset = static_cast<std::uint32_t>(at_);
        made.end = static_cast<std::uint32_t>(tree.nodes.size() + 1);
        tree.nodes.push_back(made);
        return tree.nodes.back();
    }

    bool value() {
        skip_space();
        // Nodes count in 32 bits; a name may take one more.
        if (tree.nodes.size() >= 0xFFFF'FFF0u)
            return fail(Errc::too_large, at_, {});
        const char c = peek();
        switch (c) {
            case '"':
                return string();
            case '[':
                return open(JsonNode::array);
            case '{':
                return open(JsonNode::object);
            case 'n':
                return word("null", JsonNode::null, false);
            case 't':
                return word("true", JsonNode::boolean, true);
            case 'f':
                return word("false", JsonNode::boolean, false);
            default:
                break;
        }
        if (c == '-' || is_digit(c))
            return number();
        return fail(
            Errc::bad_syntax, at_,
            at_ >= text_.size() ? "the text ends where a value is expected" : "expected a value");
    }

    bool open(JsonNode::Kind kind) {
        if (open_.size() >= max_depth_)
            return fail(Errc::depth_limit, at_, {});
        node(kind);
        ++at_;
        open_.push_back({tree.nodes.size() - 1, 0, kind == JsonNode::object});
        return true;
    }

    bool word(std::string_view word, JsonNode::Kind kind, bool truth) {
        if (text_.substr(at_, word.size()) != word)
            return fail(Errc::bad_syntax, at_, "expected a value");
        node(kind).truth = truth;
        at_ += word.size();
        return true;
    }

    bool digits() {
        if (!is_digit(peek()))
            return fail(Errc::bad_number, at_, "expected a digit");
        while (is_digit(peek()))
            ++at_;
        return true;
    }

    bool number() {
        const std::size_t from = at_;
        JsonNode& made = node(JsonNode::number);
        if (PlainNumber plain; plain.read(text_, from) && plain.well_formed()) {
            at_ += plain.text.size();
            made.from = made.offset;
            made.count = static_cast<std::uint32_t>(plain.text.size());
            return true;
        }
        if (strict_number() || (grammar_.loose_numbers && loose_number(from))) {
            made.from = static_cast<std::uint32_t>(from);
            made.count = static_cast<std::uint32_t>(at_ - from);
            return true;
        }
        return false;
    }
    bool strict_number() {
        if (peek() == '-')
            ++at_;
        if (peek() == '0' && is_digit(peek(1)))
            return fail(Errc::bad_number, tree.nodes.back().offset,
                        "a number does not begin with 0");
        if (!digits())
            return false;
        if (peek() == '.') {
            ++at_;
            if (!digits())
                return false;
        }
        return exponent();
    }
    bool exponent() {
        if (peek() != 'e' && peek() != 'E')
            return true;
        ++at_;
        if (peek() == '+' || peek() == '-')
            ++at_;
        return digits();
    }
    /// `007`, `1.`, `1.e5`, `-.5`, which engines read. The fault is that of the strict reading.
    bool loose_number(std::size_t from) {
        const std::size_t stopped = std::exchange(at_, from);
        const TextFault strict = fault;
        if (peek() == '-')
            ++at_;
        bool any = false;
        for (bool point = false; is_digit(peek()) || (peek() == '.' && !point); ++at_) {
            any = any || is_digit(peek());
            point = point || peek() == '.';
        }
        if (any && exponent())
            return true;
        at_ = stopped;
        fault = strict;
        return false;
    }

    bool string() {
        const std::size_t open = at_, from = open + 1;
        JsonNode& result = node(JsonNode::string);
        if (const std::size_t end = SpecialBytes<1, '"', '\\'>::find(text_, from);
            end < text_.size() && text_[end] == '"' &&
            valid_text_inline(text_.substr(from, end - from), Utf8Rule::strict)) {
            at_ = end + 1;
            result.from = static_cast<std::uint32_t>(from);
            result.count = static_cast<std::uint32_t>(end - from);
            return true;
        }
        const std::size_t decoded = tree.strings.size();
        at_ = from;
        bool escapes = false;
        for (std::size_t plain = at_;; plain = at_) {
            at_ = SpecialBytes<1, '"', '\\'>::find(text_, at_);
            const char c = peek();
            if (c == '\0')
                return fail(Errc::bad_syntax, open, "the string has no end");
            if (!escapes && c == '"')
                break;
            tree.strings.append(text_.substr(plain, at_ - plain));
            if (c == '"')
                break;
            escapes = true;
            if (!escape())
                return false;
        }
        if (!valid_text(text_.substr(from, at_ - from), Utf8Rule::strict)) {
            if (!grammar_.any_bytes)
                return fail(Errc::bad_utf8, open, "the string is not UTF-8");
            repair(escapes, from, decoded);
            tree.repaired.push_back(static_cast<std::uint32_t>(open));
            escapes = true;
        }
        result.decoded = escapes;
        result.from = static_cast<std::uint32_t>(escapes ? decoded : from);
        result.count =
            static_cast<std::uint32_t>(escapes ? tree.strings.size() - decoded : at_ - from);
        ++at_;
        return true;
    }

    /// Replaces parts of a string that are not UTF-8 by characters.
    void repair(bool escapes, std::size_t from, std::size_t decoded) {
        const std::string was =
            escapes ? tree.strings.substr(decoded) : std::string(text_.substr(from, at_ - from));
        const auto joined = utf8::with_joined_halves(was);
        tree.strings.resize(decoded);
        tree.strings += utf8::repaired(joined ? *joined : was, true);
    }

    bool escape() {
        const std::size_t from = at_++;
        const char c = peek();
        if (c == 'u')
            return unicode(from);
        // Godot 3 writes `\v` and reads it as "v".
        const char control = escaped_control(c, grammar_.any_escape ? 5 : 6);
        // The character itself. The rest of a UTF-8 character is read as usual.
        const bool itself = c == '"' || c == '\\' || c == '/' || grammar_.any_escape;
        if (c == '\0' || (!control && !itself))
            return fail(Errc::bad_escape, from, "no such escape");
        tree.strings += control ? control : c;
        ++at_;
        return true;
    }

    bool hex(std::uint32_t& value, std::size_t from) {
        ++at_;
        const auto digits = read_hex(text_, at_, 4);
        if (!digits)
            return fail(Errc::bad_escape, from, "expected four hexadecimal digits");
        value = *digits;
        at_ += 4;
        return true;
    }

    bool unicode(std::size_t from) {
        std::uint32_t value = 0, low = 0;
        if (!hex(value, from))
            return false;
        if (value >= 0xDC80 && value <= 0xDCFF) {
            // A byte that is not UTF-8, as our own printer writes it.
            tree.strings += static_cast<char>(value - 0xDC00);
            return true;
        }
        if (utf8::is_first_half(value)) {
            if (peek() != '\\' || peek(1) != 'u')
                return fail(Errc::bad_escape, from, "the surrogate has no second half");
            ++at_;
            if (!hex(low, from))
                return false;
            if (!utf8::is_second_half(low))
                return fail(Errc::bad_escape, from, "the surrogate has no second half");
            value = utf8::joined(value, low);
        } else if (utf8::is_second_half(value)) {
            return fail(Errc::bad_escape, from, "the surrogate has no first half");
        }
        utf8::append(tree.strings, value);
        return true;
    }

    std::string_view text_;
    std::size_t max_depth_, at_ = 0;
    JsonGrammar grammar_;
    /// An open container and its items so far.
    struct Open {
        std::size_t node;
        std::uint32_t count;
        bool object;
    };
    std::vector<Open> open_;
    bool after_comma_ = false;
};

}  // namespace

std::expected<JsonTree, TextFault> read_json(std::string_view text, std::size_t max_depth,
                                             const JsonGrammar& grammar) {
    JsonReader reader(text, max_depth, grammar);
    if (!reader.run())
        return std::unexpected(reader.fault);
    return std::move(reader.tree);
}

void tell_repaired(const JsonTree& tree, const TextLoss& loss) {
    constexpr std::size_t most_named = 4;
    for (const std::uint32_t open : tree.repaired) {
        const std::string_view text = tree.source;
        std::size_t first_half = 0, first_byte = 0, bytes = 0, halves = 0;
        std::string named, characters;
        for (std::size_t at = open + 1; at < text.size() && text[at] != '"';) {
            const std::string_view rest = text.substr(at);
            if (const auto known = utf8::first(rest); known.size) {
                at += known.size + (rest[0] == '\\');
            } else if (const auto joined = utf8::with_joined_halves(rest.substr(0, 6))) {
                if (halves++ == 0)
                    first_half = at;
                if (halves <= most_named)
                    characters += " " + *joined;
                at += 6;
            } else {
                if (bytes++ == 0)
                    first_byte = at;
                constexpr std::string_view digits = "0123456789abcdef";
                const auto byte = static_cast<unsigned char>(rest[0]);
                if (bytes <= most_named)
                    named.append({' ', digits[byte / 16], digits[byte % 16]});
                ++at;
            }
        }
        if (halves)
            loss(first_half,
                 "characters in two halves, as Godot 3 wrote them on Windows, are joined:" +
                     characters + (halves > most_named ? " ..." : ""));
        if (bytes)
            loss(first_byte, "U+FFFD takes the place of bytes that are not UTF-8:" + named +
                                 (bytes > most_named ? " ..." : ""));
    }
}

bool json_ends(std::string_view text, std::size_t& at) noexcept {
    while (at < text.size() && is_json_space(text[at]))
        ++at;
    return at == text.size();
}

}  // namespace gdvar::detail
