#include "parser.hpp"
#include "read_number.hpp"
#include "value/node_path.hpp"

namespace gdvar::detail {
namespace {

/// True if an engine accepts the path: no subname between two colons is empty.
bool is_node_path(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    return colon == text.npos || text.find("::", colon) == text.npos;
}

}  // namespace

// ---- names --------------------------------------------------------------------------------------

bool Parser::string_list(PackedStringArray& to, TokenKind close) {
    // A comma before the end is allowed.
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
    return marks("(") && string_list(made, TokenKind::parenthesis_close) &&
           complete(Variant(std::move(made)));
}

bool Parser::node_path() {
    const std::size_t offset = lexer_.token.offset;
    if (!marks("(") || !lexer_.next())
        return false;
    if (options_.full && is(TokenKind::bracket_open))
        return node_path_parts(offset);
    if (!is(TokenKind::string))
        return fail(Errc::wrong_arguments, "expected a string");
    const bool sound = is_node_path(lexer_.token.text);
    if (!sound && !options_.tolerant)
        return fail(Errc::bad_node_path, "an empty subname", Type::node_path);
    Variant made(sound ? NodePath(lexer_.token.text) : NodePath());
    if (!marks(")"))
        return partial(std::move(made));
    return complete(std::move(made));
}

/// `NodePath([names], [subnames], absolute, separate property)`
bool Parser::node_path_parts(std::size_t offset) {
    PackedStringArray names[2];
    bool flags[2] = {false, false};
    if (!string_list(names[0], TokenKind::bracket_close) || !marks(",[") ||
        !string_list(names[1], TokenKind::bracket_close))
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
        const Word word = find_word(lexer_.token.text, rules_);
        if (word.kind != Word::boolean)
            return fail(Errc::wrong_arguments, "expected true or false");
        flag = word.truth;
    }
    if (!is(TokenKind::parenthesis_close) && !marks(")"))
        return false;
    if (flags[1] && names[1].empty())
        return lexer_.fail(Errc::wrong_arguments, offset, "there is no property", Type::node_path);
    NodePath made;
    if (!assign_names(made, names[0], names[1], flags[0], flags[1]))
        return fail(Errc::no_memory, {}, Type::node_path);
    return complete(Variant(std::move(made)));
}

// ---- handles ------------------------------------------------------------------------------------

bool Parser::rid() {
    if (!marks("(") || !lexer_.next())
        return false;
    if (rules_.rids && is(TokenKind::parenthesis_close))
        return complete(Variant(RID()));
    Variant made;
    if (options_.full) {
        const auto id =
            is(TokenKind::integer) ? exact_number<std::uint64_t>(lexer_.token.text) : std::nullopt;
        if (!id)
            return fail(Errc::bad_number, "expected a number of up to 64 bits", Type::rid);
        made = Variant(RID{*id});
    } else {
        Number number;
        if (!number_token(number))
            return false;
        // Godot 3 and Pandemonium read a RID's number as an int.
        if (rules_.rids)
            made = Variant(RID{number.is_whole ? static_cast<std::uint64_t>(number.whole)
                                               : engine_uint64(number.real)});
        else
            made = number.is_whole ? Variant(number.whole) : Variant(number.real);
    }
    if (!marks(")"))
        return partial(std::move(made));
    return complete(std::move(made));
}

bool Parser::signal() {
    if (!marks("("))
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
    if (!marks(",") || !lexer_.next())
        return false;
    const auto id = is(TokenKind::integer) ? object_id_of(lexer_.token.text) : std::nullopt;
    if (!id)
        return fail(Errc::bad_number, "expected a number of up to 64 bits");
    made.object = *id;
    return marks(")") && complete(Variant(std::move(made)));
}

bool Parser::callable() {
    if (!marks("("))
        return false;
    return marks(")") ? complete(Variant(Callable())) : partial(Variant(Callable()));
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

bool Parser::image(std::size_t offset) {
    Image made;
    std::uint32_t* const fields[] = {&made.format, &made.mipmaps, &made.width, &made.height};
    if (!marks("("))
        return false;
    for (std::uint32_t* field : fields) {
        std::uint64_t value = 0;
        if ((field != fields[0] && !marks(",")) || !unsigned_number(value))
            return false;
        if (value > 0xFFFF'FFFFu)
            return fail(Errc::bad_number, "does not fit 32 bits", Type::image);
        *field = static_cast<std::uint32_t>(value);
    }
    return image_bytes(made, offset, false) && complete(Variant(std::move(made)));
}

/// A comma and the bytes, and `)`. Without a comma there are none, which is an error if `needed`.
bool Parser::image_bytes(Image& to, std::size_t offset, bool needed) {
    if (!lexer_.next())
        return false;
    std::vector<std::byte> bytes;
    const bool listed = is(TokenKind::comma);
    if (listed && !components(ComponentType::u8, bytes))
        return false;
    if (!listed && !is(TokenKind::parenthesis_close))
        return fail(Errc::bad_syntax, "expected ',' or ')'", Type::image);
    if (bytes.empty() && (listed || needed))
        return lexer_.fail(Errc::bad_syntax, offset, "expected bytes", Type::image);
    to.data.resize(bytes.size());
    if (!bytes.empty())
        std::memcpy(to.data.data(), bytes.data(), bytes.size());
    return true;
}

bool Parser::input_event(std::size_t offset) {
    InputEvent made;
    std::uint32_t* const fields[] = {&made.type, &made.device, &made.words[0], &made.words[1]};
    if (!marks("("))
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

}  // namespace gdvar::detail
