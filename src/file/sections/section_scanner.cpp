#include "file/sections/section_scanner.hpp"

#include <algorithm>
#include <utility>

#include "gdvar/base/utf8.hpp"
#include "text/file_bytes.hpp"
#include "text/lexer.hpp"

namespace gdvar::detail {
namespace {

/// Bytes as the characters of those numbers: engines read bare keys so.
void append_latin1(std::string& out, std::string_view bytes) {
    for (const char c : bytes)
        utf8::append(out, static_cast<unsigned char>(c));
}

}  // namespace

SectionScanner::SectionScanner(std::string_view text, const SectionsOptions& options)
    : text_(text), options_(options), rules_(text_rules(options.family)) {
    if (options_.note)
        loss_ = [this](std::uint64_t offset, std::string_view what) {
            note(at_ + static_cast<std::size_t>(offset), what);
        };
    if (text_.starts_with(utf8::byte_order_mark))
        note(0, marked);
}

void SectionScanner::skip_comment() noexcept {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == text_.npos ? text_.size() : end;
}

bool SectionScanner::next(Item& item) {
    key_.clear();
    std::size_t first = text_.npos, last = 0;
    bool line_ended = false, noted = false;
    for (; at_ < text_.size(); ++at_) {
        if (peek() == rules_.comment)
            skip_comment();
        const int c = peek();
        if (is_blank(c)) {
            line_ended = line_ended || (c == '\n' && first != text_.npos);
            continue;
        }
        if (c == '=') {
            key_span_ = first == text_.npos ? span(at_, at_) : span(first, last);
            ++at_;
            item = Item::pair;
            return true;
        }
        if (c == '[' && key_.empty())
            break;
        if (line_ended && !std::exchange(noted, true))
            note(first, glued);
        first = std::min(first, at_);
        if (c != '"')
            append_latin1(key_, text_.substr(at_, 1));
        else if (!quoted_key())
            return false;
        last = at_ + 1;
    }
    if (first != text_.npos)
        note(first, skipped);
    at_ = std::min(at_, text_.size());
    item = at_ < text_.size() ? Item::tag : Item::end;
    return true;
}

/// A key in quotes takes the place of all that stood before it. Stops at the closing quote.
bool SectionScanner::quoted_key() {
    const ParseOptions parse = parsing(0);
    Lexer lexer(text_.substr(at_), parse);
    if (!lexer.next())
        return fail(lexer.fault.code, at_ + lexer.fault.offset, lexer.fault.detail);
    key_ = lexer.token.text;
    at_ += lexer.position() - 1;
    return true;
}

bool SectionScanner::next_tag(Item& item) {
    for (; is_blank(peek()) || peek() == rules_.comment; ++at_) {
        if (peek() == rules_.comment)
            skip_comment();
        if (peek() > 0)
            continue;
        if (at_ < text_.size())
            note(at_, "engines read no further than to a NUL");
        item = Item::end;
        return true;
    }
    item = Item::tag;
    return peek() == '[' || fail(Errc::bad_syntax, at_, "expected '[' of a tag");
}

bool SectionScanner::section_name(std::string& name) {
    const std::size_t open = at_++, begin = at_;
    const bool escapes = rules_.header_escapes;
    bool escaping = false;
    for (;; ++at_) {
        const int c = peek();
        if (c < 0)
            return fail(Errc::bad_syntax, open, "the section's header has no ']'");
        if (c == ']' && !escaping)
            break;
        escaping = escapes && c == '\\';
    }
    std::string_view raw = text_.substr(begin, at_ - begin);
    ++at_;
    header_ = span(open, at_);
    name.clear();
    if (rules_.header_bytes) {
        std::string bytes(raw);
        std::erase(bytes, '\0');
        append_latin1(name, rules_.blanks.strip(bytes));
        return true;
    }
    raw = raw.substr(0, raw.find('\0'));
    if (raw.starts_with(utf8::byte_order_mark))
        raw.remove_prefix(utf8::byte_order_mark.size());
    raw = rules_.blanks.strip(raw);
    std::string repaired;
    if (!valid_text(raw, Utf8Rule::strict)) {
        const bool godot_3 = rules_.surrogates != Surrogates::paired;
        repaired = godot_3 ? decoded_by_godot_3(raw, {}, rules_.surrogates == Surrogates::spaces)
                           : utf8::repaired(raw);
        note(open, godot_3 ? told_by_godot_3(raw, repaired) : replaced_bytes);
        raw = repaired;
    }
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (!escapes || !raw.substr(i).starts_with("\\]"))
            name += raw[i];
    return true;
}

bool SectionScanner::tag_name(std::string& name) {
    header_ = span(at_, at_);
    const ParseOptions parse = parsing(0);
    Lexer lexer(text_.substr(at_), parse);
    const auto token = [&](TokenKind kind, std::string_view expected) {
        if (!lexer.next())
            return fail(lexer.fault.code, at_ + lexer.fault.offset, lexer.fault.detail);
        return lexer.token.kind == kind ||
               fail(Errc::bad_syntax, at_ + lexer.token.offset, expected);
    };
    (void)lexer.next();  // '['
    if (!token(TokenKind::identifier, "expected a tag's name"))
        return false;
    name = lexer.token.text;
    at_ += lexer.position();
    name_end_ = static_cast<std::uint32_t>(at_);
    naming_ = true;
    return true;
}

bool SectionScanner::field(bool& done) {
    const ParseOptions parse = parsing(0);
    Lexer lexer(text_.substr(at_), parse);
    const auto read = [&] {
        return lexer.next() || fail(lexer.fault.code, at_ + lexer.fault.offset, lexer.fault.detail);
    };
    const auto is = [&](TokenKind kind) { return lexer.token.kind == kind; };
    const auto expected = [&](std::string_view what) {
        return fail(Errc::bad_syntax, at_ + lexer.token.offset, what);
    };
    if (!read())
        return false;
    if (is(TokenKind::bracket_close)) {
        at_ += lexer.position();
        header_.end = static_cast<std::uint32_t>(at_);
        done = true;
        return true;
    }
    if (is(TokenKind::end))
        return fail(Errc::bad_syntax, header_.begin, "the tag has no ']'");
    // Engines know [name.feature] and [name:feature]. No resource has such tags.
    if (std::exchange(naming_, false) && (is(TokenKind::period) || is(TokenKind::colon)))
        return expected("no tag has such a name");
    if (!is(TokenKind::identifier))
        return expected("expected an attribute or ']'");
    key_ = lexer.token.text;
    key_span_ = span(at_ + lexer.token.offset, at_ + lexer.position());
    if (!read())
        return false;
    if (!is(TokenKind::equal))
        return expected("expected '=' behind the attribute");
    at_ += lexer.position();
    return true;
}

ParseOptions SectionScanner::parsing(std::uint32_t depth) {
    ParseOptions parse;
    parse.family = options_.family;
    parse.resources = true;
    parse.file = true;
    parse.wrong_elements = WrongElements::kept;
    parse.loss = options_.note ? &loss_ : nullptr;
    parse.limits = options_.limits;
    parse.limits.max_depth -= std::min(parse.limits.max_depth, depth);
    parse.limits.max_nodes -= std::min<std::uint64_t>(parse.limits.max_nodes, nodes.nodes.size());
    return parse;
}

bool SectionScanner::value(Variant& to, std::uint32_t depth) {
    if (depth > options_.limits.max_depth)
        return fail(Errc::depth_limit, at_, {});
    ParseOptions parse = parsing(depth);
    parse.outline = &nodes;
    parse.outline_shift = at_;
    const std::size_t root = nodes.nodes.size();
    std::size_t size = 0;
    auto read = parse_text(text_.substr(at_), parse, &size);
    if (!read) {
        const TextError& error = read.error();
        return fail(error.code, at_ + static_cast<std::size_t>(error.offset), error.detail,
                    error.type);
    }
    to = *std::move(read);
    nodes.nodes[root].key_begin = key_span_.begin;
    nodes.nodes[root].key_end = key_span_.end;
    at_ += size;
    return true;
}

}  // namespace gdvar::detail
