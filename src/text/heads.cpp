#include "parser.hpp"
#include "read_number.hpp"

namespace gdvar::detail {

bool Parser::object(std::size_t offset) {
    if (!marks("(") || !lexer_.next())
        return false;
    const Token& token = lexer_.token;
    const bool quoted = options_.full && is(TokenKind::string);
    if (options_.full && is(TokenKind::identifier) && token.text == "null")
        return marks(")") && complete(Variant(Object()));
    if (options_.full && is(TokenKind::integer)) {
        const auto id = object_id_of(token.text);
        if (!id)
            return fail(Errc::bad_number, "does not fit 64 bits", Type::object);
        return marks(")") && complete(Variant(Object::from_id(*id)));
    }
    if (!quoted && !is(TokenKind::identifier))
        return fail(Errc::bad_syntax, "expected the object's class", Type::object);
    TextEntry entry;
    entry.kind = TextEntry::object;
    entry.close = TokenKind::parenthesis_close;
    entry.offset = offset;
    Variant made{Object(token.text)};
    if (!lexer_.next())
        return false;
    if (is(TokenKind::parenthesis_close) && options_.full)
        return complete(std::move(made));
    if (!is(TokenKind::comma))
        return fail(Errc::bad_syntax, "expected ','", Type::object);
    push(std::move(entry));
    waiting_.emplace(std::move(made));
    return true;
}

bool Parser::typed_array(Type type, std::size_t offset) {
    TextEntry entry;
    entry.offset = offset;
    entry.made = type;
    entry.wrapped = true;
    return marks("[") && lexer_.next() && element_type(entry, 0) && marks("]([") &&
           push(std::move(entry));
}

bool Parser::typed_dictionary(std::size_t offset) {
    TextEntry entry;
    entry.kind = TextEntry::dictionary;
    entry.close = TokenKind::brace_close;
    entry.offset = offset;
    entry.wrapped = true;
    return marks("[") && lexer_.next() && element_type(entry, 0) && marks(",") && lexer_.next() &&
           element_type(entry, 1) && marks("]({") && push(std::move(entry));
}

/// `TypedArray( T , a, b )`
bool Parser::pandemonium_array(Type type, std::size_t offset) {
    TextEntry entry;
    entry.offset = offset;
    entry.made = type;
    entry.close = TokenKind::parenthesis_close;
    if (!marks("(") || !lexer_.next() || !element_type(entry, 0))
        return false;
    entry.comma = true;
    push(std::move(entry));
    if (outline_)
        note_elements();
    return true;
}

bool Parser::element_type(TextEntry& entry, std::size_t which) {
    OwnedType& type = entry.type(which);
    const Token& token = lexer_.token;
    if (options_.full && is(TokenKind::string)) {
        type = {ContainerKind::class_name, Type::object, String(token.text)};
        return true;
    }
    if (!is(TokenKind::identifier))
        return fail(Errc::bad_syntax, "expected a type");
    const std::string_view name = token.text;
    // Engines refuse Nil as an element type, and take Variant for untyped.
    if (name == "Variant" || (name == "Nil" && !options_.full))
        return true;
    const auto builtin = type_by_name(name);
    const bool known = builtin && *builtin <= Type::packed_vector4_array;
    if (known || (builtin && options_.full)) {
        type.kind = ContainerKind::builtin;
        type.type = *builtin;
        return true;
    }
    const auto what = find_construct(name, full_text_rules);
    if (what && what->kind == Construct::resource && lexer_.followed_by('('))
        return script_type(type);
    // Class names begin with a capital letter. Only an engine knows which exist.
    if (name[0] >= 'a' && name[0] <= 'z') {
        if (options_.tolerant)
            return true;
        if (options_.wrong_elements == WrongElements::kept && rules_.typed == TypedForm::brackets) {
            lose(entry.offset, "Godot 4 ignores an element type here, since no type has its name");
            return true;
        }
        return fail(Errc::unknown_constructor, "there is no such type");
    }
    type = {ContainerKind::class_name, Type::object, String(name)};
    return true;
}

}  // namespace gdvar::detail
