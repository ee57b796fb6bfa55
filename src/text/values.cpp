// Values that are no containers, and the heads of those that are.
#include <bit>
#include <charconv>

#include "gdvar/value/builder.hpp"
#include "parser.hpp"
#include "read_number.hpp"

namespace gdvar::detail {
namespace {

/// `#rgb`, `#rrggbb`, each with alpha too, as the family reads it; black and false when it is none.
bool html_color(std::string_view digits, bool alpha_first, float (&lanes)[4]) {
    constexpr auto nibble = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
    const std::size_t n = digits.size();
    lanes[0] = lanes[1] = lanes[2] = 0;
    lanes[3] = 1;
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
        lanes[i] = channel(i + first);
    if (alpha)
        lanes[3] = channel(first ? 0 : 3);
    return true;
}

/// Whether an engine makes a path of it: no empty subname between two colons.
bool is_node_path(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    return colon == text.npos || text.find("::", colon) == text.npos;
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
    Frame frame;
    frame.offset = lexer_.token.offset;
    switch (lexer_.token.kind) {
        case TokenKind::bracket_open:
            return push(std::move(frame));
        case TokenKind::brace_open:
            frame.kind = Frame::dictionary;
            frame.close = TokenKind::brace_close;
            return push(std::move(frame));
        case TokenKind::identifier:
            return named();
        default:
            return literal();
    }
}

bool Parser::literal() {
    const Token& token = lexer_.token;
    switch (token.kind) {
        case TokenKind::string:
            return complete(Variant(String(token.text)));
        case TokenKind::string_name:
            return complete(Variant(StringName(token.text)));
        case TokenKind::integer: {
            if (!options_.full)
                return complete(Variant(engine_integer(token.text)));
            const auto value = exact_number<std::int64_t>(token.text);
            return value ? complete(Variant(*value))
                         : fail(Errc::bad_number, "does not fit 64 bits", Type::integer);
        }
        case TokenKind::real: {
            if (!options_.full)
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
            float lanes[4];
            // Godot 3 writes alpha first, Godot 4 last.
            const bool alpha_first = !options_.full && options_.family != TextFamily::godot_4;
            if (!html_color(token.text, alpha_first, lanes) && !options_.tolerant)
                return fail(Errc::bad_syntax, "not a color", Type::color);
            return complete(Variant(Color{lanes[0], lanes[1], lanes[2], lanes[3]}));
        }
        case TokenKind::end:
            return fail(Errc::bad_syntax, "the text ends where a value is expected");
        default:
            return fail(Errc::bad_syntax, "expected a value");
    }
}

bool Parser::named() {
    const std::string_view name = lexer_.token.text;
    const std::size_t offset = lexer_.token.offset;
    const Word word = find_word(name, options_.family, options_.full);
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
    const auto what =
        options_.full ? find_full_construct(name) : find_construct(name, options_.family);
    if (!what)
        return fail(Errc::unknown_constructor, {});
    return construct(*what, offset);
}

bool Parser::construct(const Construct& what, std::size_t offset) {
    if (what.kind == Construct::resource)
        return fail(Errc::unsupported_type, "resources are not loaded", Type::object);
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
            return image(offset);
        case Type::input_event:
            return input_event(offset);
        default:
            return typed_array(what.type, offset);
    }
}

// ---- numbers ------------------------------------------------------------------------------------

/// The token as one lane.
bool Parser::lane(Lane lane, std::vector<std::byte>& to) {
    const Token& token = lexer_.token;
    double real = 0;
    std::int64_t whole = 0;
    bool is_whole = false;
    if (token.kind == TokenKind::identifier) {
        const Word word = find_word(token.text, options_.family, options_.full);
        if (word.kind != Word::real)
            return fail(Errc::wrong_arguments, "expected a number");
        real = word.number;
    } else if (options_.full && token.kind == TokenKind::nan_bits) {
        std::uint64_t bits = 0;
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), bits, 16);
        if (lane == Lane::f32 && bits <= 0xFFFF'FFFFu) {
            const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            if (narrow != narrow)
                return append_bytes(to, narrow), true;
        } else if (lane == Lane::f64) {
            const auto wide = std::bit_cast<double>(bits);
            if (wide != wide)
                return append_bytes(to, wide), true;
        }
        return fail(Errc::bad_number, "these bits are no NaN of this width");
    } else if (!is_number(token.kind)) {
        return fail(Errc::wrong_arguments, "expected a number");
    } else if (options_.full) {
        const auto exact = [&]<class T>(T) {
            const auto value = exact_number<T>(token.text);
            if (!value)
                return fail(Errc::bad_number, "does not fit its type");
            append_bytes(to, *value);
            return true;
        };
        switch (lane) {
            case Lane::u8:
                return exact(std::uint8_t{});
            case Lane::i32:
                return exact(std::int32_t{});
            case Lane::i64:
                return exact(std::int64_t{});
            case Lane::f32:
                return exact(float{});
            default:
                return exact(double{});
        }
    } else if (token.kind == TokenKind::integer) {
        whole = engine_integer(token.text);
        is_whole = true;
    } else {
        real = engine_real(token.text);
    }
    if (options_.full && lane != Lane::f32 && lane != Lane::f64)
        return fail(Errc::bad_number, "expected an integer");
    switch (lane) {
        case Lane::u8:
            append_bytes(to, static_cast<std::uint8_t>(is_whole ? whole : engine_int32(real)));
            return true;
        case Lane::i32:
            append_bytes(to, is_whole ? static_cast<std::int32_t>(whole) : engine_int32(real));
            return true;
        case Lane::i64:
            append_bytes(to, is_whole ? whole : engine_int64(real));
            return true;
        case Lane::f32:
            append_bytes(to, is_whole ? static_cast<float>(whole) : static_cast<float>(real));
            return true;
        default:
            append_bytes(to, is_whole ? static_cast<double>(whole) : real);
            return true;
    }
}

/// `(`, numbers with commas between, `)`. The token is `(`'s successor if it is a value already.
bool Parser::lanes(Lane kind, std::vector<std::byte>& to) {
    if (is(TokenKind::parenthesis_close))
        return true;
    for (;;) {
        if (!lane(kind, to))
            return false;
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            return true;
        if (!is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ',' or ')'");
        if (!lexer_.next())
            return false;
    }
}

bool Parser::math(const Construct& what, std::size_t offset) {
    std::vector<std::byte> bytes;
    const TypeInfo& info = type_info(what.type);
    const Lane kind = what.wide ? Lane::f64 : info.lane;
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    if (!lanes(kind, bytes))
        return false;
    if (bytes.size() != info.lanes * lane_bytes(kind))
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
    const Lane kind = what.wide ? Lane::f64 : info.lane;
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    const bool modern = options_.full || options_.family == TextFamily::godot_4 ||
                        options_.family == TextFamily::pandemonium;
    if (what.type == Type::packed_byte_array && modern && is(TokenKind::string))
        return base64(offset);
    if (!lanes(kind, bytes))
        return false;
    const std::size_t element = info.lanes * lane_bytes(kind);
    // Engines drop numbers that make no whole element.
    if (options_.full && bytes.size() % element)
        return lexer_.fail(Errc::wrong_arguments, offset, "the last element is not whole",
                           what.type);
    const auto count = static_cast<std::uint32_t>(bytes.size() / element);
    Variant made;
    if (const Errc code =
            VariantBuilder(made).packed({what.type, what.wide, true, count, bytes.data()});
        code != Errc::ok)
        return fail(code, {}, what.type);
    return complete(std::move(made));
}

bool Parser::base64(std::size_t offset) {
    PackedByteArray bytes;
    std::uint32_t word = 0;
    int digits = 0, ends = 0;
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto bad = [&] {
        return lexer_.fail(Errc::bad_base64, offset, {}, Type::packed_byte_array);
    };
    for (const char c : lexer_.token.text) {
        if (c == '\n' || c == '\r')
            continue;
        if (c == '=') {
            if (++ends + digits > 4 || digits < 2)
                return bad();
            continue;
        }
        const std::size_t value = alphabet.find(c);
        if (value == alphabet.npos || ends)
            return bad();
        word = word << 6 | static_cast<std::uint32_t>(value);
        if (++digits < 4)
            continue;
        for (const int shift : {16, 8, 0})
            bytes.push_back(static_cast<std::uint8_t>(word >> shift));
        word = 0;
        digits = 0;
    }
    if (digits + ends != 0 && digits + ends != 4)
        return bad();
    if (digits >= 2)
        bytes.push_back(static_cast<std::uint8_t>(word >> (digits == 2 ? 4 : 10)));
    if (digits == 3)
        bytes.push_back(static_cast<std::uint8_t>(word >> 2));
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    return complete(Variant(std::move(bytes)));
}

bool Parser::unsigned_number(std::uint64_t& value) {
    if (!lexer_.next())
        return false;
    const auto number =
        is(TokenKind::integer) ? exact_number<std::uint64_t>(lexer_.token.text) : std::nullopt;
    if (!number)
        return fail(Errc::bad_number, "expected a number of up to 64 bits");
    value = *number;
    return true;
}

// ---- names --------------------------------------------------------------------------------------

bool Parser::string_list(PackedStringArray& to, TokenKind close) {
    // A comma before the end is fine.
    for (;;) {
        if (!lexer_.next())
            return false;
        if (is(close))
            return true;
        if (!is(TokenKind::string))
            return fail(Errc::wrong_arguments, "expected a string");
        to.push_back(lexer_.token.text);
        if (!lexer_.next())
            return false;
        if (is(close))
            return true;
        if (!is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ',' or the end of the list");
    }
}

bool Parser::strings() {
    PackedStringArray made;
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!string_list(made, TokenKind::parenthesis_close))
        return false;
    return complete(Variant(std::move(made)));
}

bool Parser::node_path() {
    const std::size_t offset = lexer_.token.offset;
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    if (options_.full && is(TokenKind::bracket_open))
        return node_path_parts(offset);
    if (!is(TokenKind::string))
        return fail(Errc::wrong_arguments, "expected a string");
    const bool sound = is_node_path(lexer_.token.text);
    if (!sound && !options_.tolerant)
        return fail(Errc::bad_node_path, "an empty subname", Type::node_path);
    Variant made(sound ? NodePath(lexer_.token.text) : NodePath());
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return partial(std::move(made));
    return complete(std::move(made));
}

/// `NodePath([names], [subnames], absolute, separate property)`
bool Parser::node_path_parts(std::size_t offset) {
    PackedStringArray names[2];
    bool flags[2] = {false, false};
    if (!string_list(names[0], TokenKind::bracket_close))
        return false;
    if (!expect(TokenKind::comma, "expected ','"))
        return false;
    if (!expect(TokenKind::bracket_open, "expected '['"))
        return false;
    if (!string_list(names[1], TokenKind::bracket_close))
        return false;
    for (bool& flag : flags) {
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            break;
        if (!is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ',' or ')'");
        if (!expect(TokenKind::identifier, "expected true or false"))
            return false;
        const Word word = find_word(lexer_.token.text, options_.family, true);
        if (word.kind != Word::boolean)
            return fail(Errc::wrong_arguments, "expected true or false");
        flag = word.truth;
    }
    if (!is(TokenKind::parenthesis_close) && !expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    if (flags[1] && names[1].empty())
        return lexer_.fail(Errc::wrong_arguments, offset, "there is no property", Type::node_path);
    std::vector<std::byte> records;
    for (const PackedStringArray& list : names)
        for (const String& name : list) {
            const std::size_t at = records.size();
            records.resize(at + 4 + name.size() + padding_of(name.size()));
            store(records.data() + at, static_cast<std::uint32_t>(name.size()));
            std::memcpy(records.data() + at + 4, name.data(), name.size());
        }
    const NodePathView view(static_cast<std::uint32_t>(names[0].size()),
                            static_cast<std::uint32_t>(names[1].size()), flags[0], flags[1],
                            records);
    NodePath made;
    if (!made.try_assign(view))
        return fail(Errc::no_memory, {}, Type::node_path);
    return complete(Variant(std::move(made)));
}

// ---- small ones ---------------------------------------------------------------------------------

bool Parser::rid() {
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    const bool modern = options_.full || options_.family == TextFamily::godot_4;
    if (modern && is(TokenKind::parenthesis_close))
        return complete(Variant(RID()));
    if (!is_number(lexer_.token.kind))
        return fail(Errc::wrong_arguments, "expected a number");
    Variant made;
    if (options_.full) {
        const auto id = exact_number<std::uint64_t>(lexer_.token.text);
        if (!id)
            return fail(Errc::bad_number, "does not fit 64 bits", Type::rid);
        made = Variant(RID{*id});
    } else {
        const bool real = is(TokenKind::real);
        const std::int64_t whole =
            real ? engine_int64(engine_real(lexer_.token.text)) : engine_integer(lexer_.token.text);
        // Godot 3 and Pandemonium make a RID's number a plain number.
        if (modern)
            made = Variant(RID{static_cast<std::uint64_t>(whole)});
        else
            made = real ? Variant(engine_real(lexer_.token.text)) : Variant(whole);
    }
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return partial(std::move(made));
    return complete(std::move(made));
}

bool Parser::signal() {
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!lexer_.next())
        return partial(Variant(Signal()));
    if (is(TokenKind::parenthesis_close))
        return complete(Variant(Signal()));
    if (!options_.full) {
        fail(Errc::wrong_arguments, "expected ')'", Type::signal);
        return partial(Variant(Signal()));
    }
    if (!is(TokenKind::string))
        return fail(Errc::wrong_arguments, "expected the signal's name");
    Signal made;
    made.name = String(lexer_.token.text);
    if (!expect(TokenKind::comma, "expected ','") || !unsigned_number(made.object))
        return false;
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    return complete(Variant(std::move(made)));
}

bool Parser::callable() {
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!expect(TokenKind::parenthesis_close, "expected ')'"))
        return partial(Variant(Callable()));
    return complete(Variant(Callable()));
}

bool Parser::image(std::size_t offset) {
    Image made;
    std::uint32_t* const fields[] = {&made.format, &made.mipmaps, &made.width, &made.height};
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    for (std::uint32_t* field : fields) {
        std::uint64_t value = 0;
        if (field != fields[0] && !expect(TokenKind::comma, "expected ','"))
            return false;
        if (!unsigned_number(value))
            return false;
        if (value > 0xFFFF'FFFFu)
            return fail(Errc::bad_number, "does not fit 32 bits", Type::image);
        *field = static_cast<std::uint32_t>(value);
    }
    if (!lexer_.next())
        return false;
    std::vector<std::byte> bytes;
    if (is(TokenKind::comma)) {
        if (!lexer_.next() || !lanes(Lane::u8, bytes))
            return false;
        if (bytes.empty())
            return lexer_.fail(Errc::bad_syntax, offset, "expected bytes", Type::image);
    } else if (!is(TokenKind::parenthesis_close)) {
        return fail(Errc::bad_syntax, "expected ',' or ')'", Type::image);
    }
    made.data.resize(bytes.size());
    if (!bytes.empty())
        std::memcpy(made.data.data(), bytes.data(), bytes.size());
    return complete(Variant(std::move(made)));
}

bool Parser::input_event(std::size_t offset) {
    InputEvent made;
    std::uint32_t* const fields[] = {&made.type, &made.device, &made.words[0], &made.words[1]};
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    std::size_t count = 0;
    for (;;) {
        std::uint64_t value = 0;
        if (!unsigned_number(value))
            return false;
        if (count == 4 || value > 0xFFFF'FFFFu)
            return fail(Errc::wrong_arguments, {}, Type::input_event);
        *fields[count++] = static_cast<std::uint32_t>(value);
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            break;
        if (!is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ',' or ')'");
    }
    if (count < 2 || count - 2 != InputEventView::word_count(made.type))
        return lexer_.fail(Errc::wrong_arguments, offset, "the wrong number of words for its type",
                           Type::input_event);
    return complete(Variant(made));
}

// ---- heads of containers ------------------------------------------------------------------------

bool Parser::object(std::size_t offset) {
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    const Token& token = lexer_.token;
    const bool quoted = options_.full && is(TokenKind::string);
    if (options_.full && is(TokenKind::identifier) && token.text == "null") {
        if (!expect(TokenKind::parenthesis_close, "expected ')'"))
            return false;
        return complete(Variant(Object()));
    }
    if (options_.full && is(TokenKind::integer)) {
        const auto id = exact_number<std::uint64_t>(token.text);
        if (!id)
            return fail(Errc::bad_number, "does not fit 64 bits", Type::object);
        if (!expect(TokenKind::parenthesis_close, "expected ')'"))
            return false;
        return complete(Variant(Object::from_id(*id)));
    }
    if (!quoted && !is(TokenKind::identifier))
        return fail(Errc::bad_syntax, "expected the object's class", Type::object);
    Frame frame;
    frame.kind = Frame::object;
    frame.close = TokenKind::parenthesis_close;
    frame.offset = offset;
    frame.container = Variant(Object(token.text));
    if (!lexer_.next())
        return false;
    if (is(TokenKind::parenthesis_close) && options_.full)
        return complete(std::move(frame.container));
    if (!is(TokenKind::comma))
        return fail(Errc::bad_syntax, "expected ','", Type::object);
    return push(std::move(frame));
}

bool Parser::typed_array(Type type, std::size_t offset) {
    Frame frame;
    frame.offset = offset;
    frame.made = type;
    frame.wrapped = true;
    if (!expect(TokenKind::bracket_open, "expected '['") || !lexer_.next())
        return false;
    if (!element_type(frame.types[0]))
        return false;
    if (!expect(TokenKind::bracket_close, "expected ']'"))
        return false;
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!expect(TokenKind::bracket_open, "expected '['"))
        return false;
    return push(std::move(frame));
}

bool Parser::typed_dictionary(std::size_t offset) {
    Frame frame;
    frame.kind = Frame::dictionary;
    frame.close = TokenKind::brace_close;
    frame.offset = offset;
    frame.wrapped = true;
    if (!expect(TokenKind::bracket_open, "expected '['") || !lexer_.next())
        return false;
    if (!element_type(frame.types[0]))
        return false;
    if (!expect(TokenKind::comma, "expected ','") || !lexer_.next())
        return false;
    if (!element_type(frame.types[1]))
        return false;
    if (!expect(TokenKind::bracket_close, "expected ']'"))
        return false;
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!expect(TokenKind::brace_open, "expected '{'"))
        return false;
    return push(std::move(frame));
}

/// `TypedArray( T , a, b )`
bool Parser::pandemonium_array(Type type, std::size_t offset) {
    Frame frame;
    frame.offset = offset;
    frame.made = type;
    frame.close = TokenKind::parenthesis_close;
    if (!expect(TokenKind::parenthesis_open, "expected '('") || !lexer_.next())
        return false;
    if (!element_type(frame.types[0]))
        return false;
    frame.comma = true;
    return push(std::move(frame));
}

/// The token as the type of a container's elements.
bool Parser::element_type(OwnedType& type) {
    const Token& token = lexer_.token;
    if (options_.full && is(TokenKind::string)) {
        type = {ContainerKind::class_name, Type::object, String(token.text)};
        return true;
    }
    if (!is(TokenKind::identifier))
        return fail(Errc::bad_syntax, "expected a type");
    const std::string_view name = token.text;
    if (name == "Variant")
        return true;
    const auto builtin = type_by_name(name);
    const bool known = builtin && *builtin <= Type::packed_vector4_array;
    if (known || (builtin && options_.full)) {
        type.kind = ContainerKind::builtin;
        type.type = *builtin;
        return true;
    }
    const auto what = find_construct(name, TextFamily::godot_4);
    if (what && what->kind == Construct::resource && lexer_.followed_by('('))
        return script_type(type);
    // No class begins with a small letter; which others there are, only an engine knows.
    if (name[0] >= 'a' && name[0] <= 'z') {
        if (options_.tolerant)
            return true;
        return fail(Errc::unknown_constructor, "there is no such type");
    }
    type = {ContainerKind::class_name, Type::object, String(name)};
    return true;
}

/// `Resource("res://...")`: the path says enough.
bool Parser::script_type(OwnedType& type) {
    if (lexer_.token.text != "Resource")
        return fail(Errc::unsupported_type, "resources are not loaded", Type::object);
    if (!expect(TokenKind::parenthesis_open, "expected '('"))
        return false;
    if (!expect(TokenKind::string, "expected the script's path"))
        return false;
    type = {ContainerKind::script, Type::object, String(lexer_.token.text)};
    return expect(TokenKind::parenthesis_close, "expected ')'");
}

}  // namespace gdvar::detail
