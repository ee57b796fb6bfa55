#include "gdvar/text/parse.hpp"

#include <new>

#include "gdvar/value/walk.hpp"
#include "parser.hpp"
#include "typed.hpp"

namespace gdvar {
namespace detail {

bool Parser::run() {
    while (!done_)
        if (!step())
            return false;
    if (!options_.whole || lexer_.at_end())
        return true;
    return lexer_.fail(Errc::trailing_bytes, lexer_.position(), "there is more after the value");
}

bool Parser::step() {
    if (!lexer_.next())
        return false;
    if (stack_.empty())
        return value();
    Frame& frame = stack_.back();
    return frame.kind == Frame::array ? step_array(frame) : step_pairs(frame);
}

bool Parser::step_array(Frame& frame) {
    if (is(frame.close))
        return close(frame);
    if (!frame.comma)
        return value();
    frame.comma = false;
    if (is(TokenKind::comma))
        return true;
    return fail(
        Errc::bad_syntax,
        frame.close == TokenKind::bracket_close ? "expected ',' or ']'" : "expected ',' or ')'",
        Type::array);
}

bool Parser::step_pairs(Frame& frame) {
    if (frame.at_value)
        return value();
    if (is(frame.close))
        return close(frame);
    const bool dictionary = frame.kind == Frame::dictionary;
    if (frame.comma) {
        frame.comma = false;
        if (is(TokenKind::comma))
            return true;
        return fail(Errc::bad_syntax, dictionary ? "expected ',' or '}'" : "expected ',' or ')'",
                    dictionary ? Type::dictionary : Type::object);
    }
    if (dictionary)
        return value();
    if (!is(TokenKind::string))
        return fail(Errc::bad_syntax, "expected a property's name in quotes", Type::object);
    frame.key = Variant(lexer_.token.text);
    frame.at_value = true;
    return expect(TokenKind::colon, "expected ':' after the property's name");
}

bool Parser::complete(Variant value) {
    if (++nodes_ > options_.limits.max_nodes)
        return fail(Errc::node_limit, {}, value.type());
    if (stack_.empty()) {
        result_ = std::move(value);
        done_ = true;
        return true;
    }
    Frame& frame = stack_.back();
    if (frame.kind == Frame::array) {
        VariantAccess::as<Array>(frame.container).push_back(std::move(value));
        frame.comma = true;
        return true;
    }
    if (frame.at_value)
        return store_pair(frame, std::move(value));
    frame.key = std::move(value);
    frame.at_value = true;
    return expect(TokenKind::colon, "expected ':' after the key");
}

bool Parser::store_pair(Frame& frame, Variant value) {
    frame.at_value = false;
    frame.comma = true;
    if (frame.kind == Frame::object) {
        VariantAccess::as<Object>(frame.container).append(frame.key.text(), std::move(value));
        return true;
    }
    auto& pairs = VariantAccess::as<Dictionary>(frame.container);
    if (options_.full)
        pairs.append(std::move(frame.key), std::move(value));
    else
        pairs.set(std::move(frame.key), std::move(value));
    return true;
}

bool Parser::push(Frame frame) {
    if (frame.kind == Frame::dictionary)
        frame.container = Variant(Dictionary());
    else if (frame.kind == Frame::array)
        frame.container = Variant(Array());
    stack_.push_back(std::move(frame));
    return true;
}

/// Gives the elements the types that the brackets named; an engine empties the whole container when
/// one of them does not fit.
bool Parser::fit(Frame& frame) {
    const ContainerType first = frame.types[0].view(), second = frame.types[1].view();
    if (!first.typed() && !second.typed())
        return true;
    Fit worst = Fit::fits;
    const auto take = [&](Variant& value, const ContainerType& type) {
        if (worst == Fit::fits)
            worst = fit_element(value, type);
        return worst == Fit::fits;
    };
    if (frame.kind == Frame::array) {
        auto& array = VariantAccess::as<Array>(frame.container);
        array.set_element_type(first);
        if (options_.full || options_.family != TextFamily::godot_4)
            return true;
        for (Variant& item : array)
            take(item, first);
        if (worst != Fit::fits)
            array.clear();
    } else {
        auto& pairs = VariantAccess::as<Dictionary>(frame.container);
        pairs.set_types(first, second);
        if (options_.full)
            return true;
        Dictionary fitted(first, second);
        for (Dictionary::Pair& pair : pairs)
            if (Variant& key = VariantAccess::key(pair); take(key, first) && take(pair.value, second))
                fitted.set(std::move(key), std::move(pair.value));
        if (worst != Fit::fits)
            fitted.clear();
        pairs = std::move(fitted);
    }
    if (worst == Fit::fits || (worst == Fit::refused && options_.tolerant))
        return true;
    return lexer_.fail(Errc::wrong_type, frame.offset,
                       "the typed container does not take one of its elements",
                       frame.kind == Frame::array ? Type::array : Type::dictionary);
}

bool Parser::close(Frame& frame) {
    if (frame.wrapped && !expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    if (!fit(frame))
        return false;
    Variant value = std::move(frame.container);
    if (frame.made == Type::packed_typed_array)
        VariantAccess::make_packed_typed_array(value);
    stack_.pop_back();
    return complete(std::move(value));
}

bool Parser::expect(TokenKind kind, std::string_view detail) {
    if (!lexer_.next())
        return false;
    return is(kind) || fail(Errc::bad_syntax, detail);
}

bool Parser::partial(Variant value) {
    if (!options_.tolerant || !stack_.empty())
        return false;
    return complete(std::move(value));
}

}  // namespace detail

std::expected<Variant, TextError> parse_text(std::string_view text, const ParseOptions& options,
                                             std::size_t* size) try {
    if (text.size() > options.limits.max_bytes)
        return std::unexpected(TextError{.code = Errc::size_limit});
    detail::Parser parser(text, options);
    if (!parser.run()) {
        const detail::Fault& fault = parser.fault();
        return std::unexpected(
            text_error_at(text, fault.offset, fault.code, fault.type, fault.detail));
    }
    if (size)
        *size = parser.position();
    return std::move(parser.result());
} catch (const std::bad_alloc&) {
    return std::unexpected(TextError{.code = Errc::no_memory});
}

}  // namespace gdvar
