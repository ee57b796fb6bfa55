#include <bit>
#include <charconv>
#include <cmath>

#include "base/coding.hpp"
#include "gdvar/value/builder.hpp"
#include "parser.hpp"
#include "read_number.hpp"

namespace gdvar::detail {
namespace {

/// `#rgb`, `#rrggbb`, each also with alpha, in the family's order; black and false if invalid.
bool html_color(std::string_view digits, bool alpha_first, float (&components)[4]) {
    constexpr auto nibble = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    const std::size_t n = digits.size();
    components[0] = components[1] = components[2] = 0;
    components[3] = 1;
    const bool brief = n == 3 || n == 4;
    if (!brief && n != 6 && n != 8)
        return false;
    const auto channel = [&](std::size_t i) {
        if (brief)
            return static_cast<float>(nibble(digits[i])) / 15.0f;
        return static_cast<float>(nibble(digits[2 * i]) * 16 + nibble(digits[2 * i + 1])) / 255.0f;
    };
    const bool alpha = n == 4 || n == 8, first = alpha && alpha_first;
    for (std::size_t i = 0; i < 3; ++i)
        components[i] = channel(i + first);
    if (alpha)
        components[3] = channel(first ? 0 : 3);
    return true;
}

template <class T>
void append_bytes(std::vector<std::byte>& to, T value) {
    const std::size_t at = to.size();
    to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
}

bool is_number(TokenKind kind) noexcept {
    return kind == TokenKind::integer || kind == TokenKind::real;
}

}  // namespace

bool Parser::value() {
    if (stack_.size() > options_.limits.max_depth)
        return fail(Errc::depth_limit, {});
    if (outline_)
        begin_node();
    const bool brace = is(TokenKind::brace_open);
    if (is(TokenKind::identifier))
        return named();
    if (!brace && !is(TokenKind::bracket_open))
        return literal();
    return open(brace);
}

/// The token begins an Array or a Dictionary without a head.
bool Parser::open(bool brace) {
    TextEntry entry;
    entry.offset = lexer_.token.offset;
    if (brace) {
        entry.kind = TextEntry::dictionary;
        entry.close = TokenKind::brace_close;
    }
    return push(std::move(entry));
}

bool Parser::literal() {
    const Token& token = lexer_.token;
    switch (token.kind) {
        case TokenKind::string:
            return complete(Variant(String(token.text)));
        case TokenKind::string_name:
            return complete(Variant(StringName(token.text)));
        case TokenKind::integer: {
            if (!exact_)
                return complete(Variant(engine_integer(token.text)));
            const auto value = exact_number<std::int64_t>(token.text);
            return value ? complete(Variant(*value))
                         : fail(Errc::bad_number, "does not fit 64 bits", Type::integer);
        }
        case TokenKind::real: {
            if (!exact_)
                return complete(Variant(engine_real(token.text)));
            const auto value = exact_number<double>(token.text);
            return value ? complete(Variant(*value))
                         : fail(Errc::bad_number, "not a float, or out of its range", Type::real);
        }
        case TokenKind::nan_bits: {
            std::uint64_t bits = 0;
            std::from_chars(token.text.data(), token.text.data() + token.text.size(), bits, 16);
            const double value = std::bit_cast<double>(bits);
            return value != value ? complete(Variant(value))
                                  : fail(Errc::bad_number, "these bits are no NaN", Type::real);
        }
        case TokenKind::color: {
            float components[4];
            if (!html_color(token.text, rules_.alpha_first, components)) {
                if (!options_.tolerant && !lexer_.in_file())
                    return fail(Errc::bad_syntax, "not a color", Type::color);
                lose(token.offset, "engines read black: a color has 3, 4, 6 or 8 hex digits");
            }
            return complete(
                Variant(Color{components[0], components[1], components[2], components[3]}));
        }
        case TokenKind::end:
            return fail(Errc::bad_syntax, "the text ends where a value is expected");
        default:
            return fail(Errc::bad_syntax, "expected a value");
    }
}

/// Most constructors repeat the previous name.
const std::optional<Construct>& Parser::find_named(std::string_view name) {
    if (name != last_name_ || name.empty()) {
        last_ = options_.full ? find_full_construct(name) : find_construct(name, rules_);
        last_name_ = name;
    }
    return last_;
}

bool Parser::named() {
    const std::string_view name = lexer_.token.text;
    const std::size_t offset = lexer_.token.offset;
    if (last_ && name == last_name_)
        return construct(*last_, offset);
    const Word word = find_word(name, rules_);
    switch (word.kind) {
        case Word::nil:
            return complete(Variant());
        case Word::boolean:
            return complete(Variant(word.truth));
        case Word::real:
            return complete(Variant(word.number));
        case Word::none:
            break;
    }
    const auto& what = find_named(name);
    if (!what)
        return fail(Errc::unknown_constructor,
                    lexer_.followed_by('(')
                        ? "no type or constructor has this name"
                        : "no value has this name; texts stand in double quotes");
    return construct(*what, offset);
}

bool Parser::construct(const Construct& what, std::size_t offset) {
    if (what.kind == Construct::resource)
        return reference(offset);
    if (what.kind == Construct::event)
        return event(offset);
    if (what.kind == Construct::typed_array)
        return pandemonium_array(what.type, offset);
    if (is_math(what.type))
        return math(what, offset);
    if (is_packed(what.type))
        return packed(what, offset);
    switch (what.type) {
        case Type::packed_string_array:
            return strings();
        case Type::node_path:
            return node_path();
        case Type::rid:
            return rid();
        case Type::signal:
            return signal();
        case Type::callable:
            return callable();
        case Type::object:
            return object(offset);
        case Type::dictionary:
            return typed_dictionary(offset);
        case Type::image:
            return options_.full ? image(offset) : image_2(offset);
        case Type::input_event:
            return options_.full ? input_event(offset) : input_event_2();
        default:
            return typed_array(what.type, offset);
    }
}

// ---- numbers ------------------------------------------------------------------------------------

namespace {

/// True if the component can hold the number. Rounding of floats is allowed.
bool fits(const Number& number, ComponentType component) noexcept {
    const double value = number.is_whole ? static_cast<double>(number.whole) : number.real;
    // The integers' bounds are exact as floats.
    const auto whole = [&](double least, double bound) {
        return value >= least && value < bound && value == std::trunc(value);
    };
    switch (component) {
        case ComponentType::u8:
            return whole(0, 256);
        case ComponentType::i32:
            return whole(-2147483648.0, 2147483648.0);
        case ComponentType::i64:
            return number.is_whole || whole(-9223372036854775808.0, 9223372036854775808.0);
        case ComponentType::f32: {
            const auto narrow = static_cast<float>(value);
            return std::isfinite(narrow) == std::isfinite(value) && (narrow != 0) == (value != 0);
        }
        default:
            return true;
    }
}

std::string_view range_of(ComponentType component) noexcept {
    switch (component) {
        case ComponentType::u8:
            return "not a whole number from 0 to 255";
        case ComponentType::i32:
            return "not a whole number from -2147483648 to 2147483647";
        case ComponentType::i64:
            return "not a whole number of 64 bits";
        case ComponentType::f32:
            return "beyond the range of a 32-bit float";
        default:
            return "beyond the range of a 64-bit float";
    }
}

void append_component(const Number& number, ComponentType component, std::vector<std::byte>& to) {
    with_component(component, [&]<class T>(std::type_identity<T>) {
        if (number.is_whole)
            append_bytes(to, static_cast<T>(number.whole));
        else if constexpr (std::same_as<T, std::int64_t>)
            append_bytes(to, engine_int64(number.real));
        else if constexpr (std::integral<T>)
            append_bytes(to, static_cast<T>(engine_int32(number.real)));
        else
            append_bytes(to, static_cast<T>(number.real));
    });
}

/// The number as a component, if engines and an exact reader agree.
template <class T>
bool plain_component(const PlainNumber& number, T& to) noexcept {
    if (!number.exact() || (number.negative && !number.mantissa))
        return false;
    if constexpr (std::integral<T>) {
        to = static_cast<T>(number.whole());
        return !number.real && std::in_range<T>(number.whole());
    } else if (!number.real) {
        to = static_cast<T>(number.whole());
        return true;
    } else {
        const double value = number.quotient();
        to = static_cast<T>(value);
        // Between two floats both steps of rounding count.
        constexpr std::uint64_t low = 0x1FFF'FFFFu;
        return sizeof(T) == sizeof value ||
               (std::bit_cast<std::uint64_t>(value) & low) != (low >> 1) + 1;
    }
}

}  // namespace

bool Parser::component(ComponentType component, std::vector<std::byte>& to) {
    const Token& token = lexer_.token;
    if (options_.full && token.kind == TokenKind::nan_bits)
        return nan_component(component, to);
    if (options_.full && is_number(token.kind))
        return exact_component(component, to);
    Number number;
    if (token.kind == TokenKind::identifier) {
        const Word word = find_word(token.text, rules_);
        const bool alone = !exact_ && !rules_.special_components;
        if (word.kind != Word::real || alone)
            return fail(Errc::wrong_arguments, "expected a number");
        number.real = word.number;
    } else if (!number_token(number)) {
        return false;
    }
    if (options_.full && component != ComponentType::f32 && component != ComponentType::f64)
        return fail(Errc::bad_number, "expected an integer");
    if (exact_ && !fits(number, component))
        return fail(Errc::bad_number, range_of(component));
    append_component(number, component, to);
    return true;
}

bool Parser::number_token(Number& number) {
    const Token& token = lexer_.token;
    if (!is_number(token.kind))
        return fail(Errc::wrong_arguments, "expected a number");
    number.is_whole = token.kind == TokenKind::integer;
    if (!exact_) {
        if (number.is_whole)
            number.whole = engine_integer(token.text);
        else
            number.real = engine_real(token.text);
        return true;
    }
    const auto whole = number.is_whole ? exact_number<std::int64_t>(token.text) : 0;
    const auto real = number.is_whole ? 0.0 : exact_number<double>(token.text);
    if (!whole || !real)
        return fail(Errc::bad_number, "does not fit 64 bits");
    number.whole = *whole;
    number.real = *real;
    return true;
}

bool Parser::nan_component(ComponentType component, std::vector<std::byte>& to) {
    const std::string_view digits = lexer_.token.text;
    std::uint64_t bits = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if (component == ComponentType::f32 && bits <= 0xFFFF'FFFFu) {
        const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        if (narrow != narrow)
            return append_bytes(to, narrow), true;
    } else if (component == ComponentType::f64) {
        const auto wide = std::bit_cast<double>(bits);
        if (wide != wide)
            return append_bytes(to, wide), true;
    }
    return fail(Errc::bad_number, "these bits are no NaN of this width");
}

bool Parser::exact_component(ComponentType component, std::vector<std::byte>& to) {
    return with_component(component, [&]<class T>(std::type_identity<T>) {
        const auto value = exact_number<T>(lexer_.token.text);
        if (!value)
            return fail(Errc::bad_number, range_of(component));
        append_bytes(to, *value);
        return true;
    });
}

/// Numbers separated by commas, and `)`.
bool Parser::components(ComponentType kind, std::vector<std::byte>& to) {
    plain_components(kind, to);
    if (to.empty()) {
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            return true;
        if (!component(kind, to))
            return false;
        plain_components(kind, to);
    }
    for (;;) {
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            return true;
        if (!is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ',' or ')'");
        if (!lexer_.next() || !component(kind, to))
            return false;
        plain_components(kind, to);
    }
}

/// Reads plain numbers and the commas before them, as long as they follow. `component` does the
/// same with tokens.
void Parser::plain_components(ComponentType kind, std::vector<std::byte>& to) {
    with_component(kind, [&]<class T>(std::type_identity<T>) {
        for (std::size_t at = lexer_.position();;) {
            at = rules_.blanks.behind(text_, at);
            if (!to.empty()) {
                if (at == text_.size() || text_[at] != ',')
                    return;
                at = rules_.blanks.behind(text_, at + 1);
            }
            T value{};
            PlainNumber number;
            if (!number.read(text_, at) || !plain_component(number, value))
                return;
            append_bytes(to, value);
            at = static_cast<std::size_t>(number.text.end() - text_.begin());
            lexer_.seek(at);
        }
    });
}

bool Parser::math(const Construct& what, std::size_t offset) {
    std::vector<std::byte>& bytes = components_;
    bytes.clear();
    const TypeInfo& info = type_info(what.type);
    const ComponentType kind = what.wide ? ComponentType::f64 : info.component;
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !components(kind, bytes))
        return false;
    if (bytes.size() != info.components * component_bytes(kind))
        return lexer_.fail(Errc::wrong_arguments, offset, "the wrong number of arguments",
                           what.type);
    Variant made;
    if (const Errc code = VariantBuilder(made).math({what.type, what.wide, true, bytes.data()});
        code != Errc::ok)
        return fail(code, {}, what.type);
    return complete(std::move(made));
}

bool Parser::packed(const Construct& what, std::size_t offset) {
    std::vector<std::byte> bytes;
    const TypeInfo& info = type_info(what.type);
    const ComponentType kind = what.wide ? ComponentType::f64 : info.component;
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (what.type == Type::packed_byte_array && rules_.base64_bytes && lexer_.followed_by('"'))
        return lexer_.next() && base64(offset);
    if (!components(kind, bytes))
        return false;
    const std::size_t element = info.components * component_bytes(kind);
    // Engines drop numbers of an incomplete element.
    if (options_.full && bytes.size() % element)
        return lexer_.fail(Errc::wrong_arguments, offset, "the last element is not whole",
                           what.type);
    if (bytes.size() % element)
        lose(offset, "numbers that make no whole element are dropped");
    const auto count = static_cast<std::uint32_t>(bytes.size() / element);
    Variant made;
    if (const Errc code =
            VariantBuilder(made).packed({what.type, what.wide, true, count, bytes.data()});
        code != Errc::ok)
        return fail(code, {}, what.type);
    return complete(std::move(made));
}

bool Parser::base64(std::size_t offset) {
    const std::string_view text = lexer_.token.text;
    PackedByteArray bytes;
    bytes.reserve(most_from_base64(text.size()));
    const Decoded decoded =
        decode_base64(text, Base64Rule::engine, reinterpret_cast<std::byte*>(bytes.data()));
    if (!decoded.ok())
        return lexer_.fail(Errc::bad_base64, offset, {}, Type::packed_byte_array);
    bytes.set_size(decoded.size);
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    return complete(Variant(std::move(bytes)));
}

}  // namespace gdvar::detail
