#include "references.hpp"

#include "parser.hpp"
#include "read_number.hpp"

namespace gdvar::detail {

bool is_reference_name(std::string_view name) noexcept {
    return name == "ExtResource" || name == "SubResource" || name == "Resource";
}

bool Parser::reference(std::size_t offset) {
    if (!options_.resources)
        return fail(Errc::unsupported_type, "resources are not loaded", Type::object);
    Object made(lexer_.token.text);
    return reference_arguments(made, offset) && complete(Variant(std::move(made)));
}

/// `(`, the target, `)`.
bool Parser::reference_arguments(Object& to, std::size_t offset) {
    if (!marks("(") || !lexer_.next())
        return false;
    if (to.class_name() == "Resource")
        return reference_paths(to, offset);
    if (is(TokenKind::string)) {
        to.append("id", Variant(String(lexer_.token.text)));
    } else if (is(TokenKind::integer)) {
        const auto id = exact_number<std::int64_t>(lexer_.token.text);
        if (!id)
            return fail(Errc::bad_number, "does not fit 64 bits", Type::object);
        to.append("id", Variant(*id));
    } else {
        return fail(Errc::bad_syntax, "expected the resource's id", Type::object);
    }
    return marks(")");
}

/// A path, in Godot 4 a UID, or both in any order. The token is the first one.
bool Parser::reference_paths(Object& to, std::size_t offset) {
    for (;;) {
        if (!is(TokenKind::string))
            return fail(Errc::bad_syntax, "expected the resource's path", Type::object);
        const std::string_view text = lexer_.token.text;
        const std::string_view name = rules_.uids && text.starts_with("uid://") ? "uid" : "path";
        if (to.find(name))
            return lexer_.fail(Errc::wrong_arguments, offset, "two paths of one kind",
                               Type::object);
        to.append(name, Variant(String(text)));
        if (!lexer_.next())
            return false;
        if (is(TokenKind::parenthesis_close))
            return true;
        if (!rules_.uids || !is(TokenKind::comma))
            return fail(Errc::bad_syntax, "expected ')'", Type::object);
        if (!lexer_.next())
            return false;
    }
}

/// A reference as a container's element type.
bool Parser::script_type(OwnedType& type) {
    Object made(lexer_.token.text);
    const bool by_path = made.class_name() == "Resource";
    if (!by_path && !options_.resources)
        return fail(Errc::unsupported_type, "resources are not loaded", Type::object);
    if (!reference_arguments(made, lexer_.token.offset))
        return false;
    const Variant* path = made.find("path");
    const bool alone = made.size() == 1 && path;
    if (by_path && !alone && !options_.resources)
        return fail(Errc::bad_syntax, "expected the script's path alone", Type::object);
    if (alone && (!options_.resources || path->text().starts_with("res://"))) {
        type = {ContainerKind::script, Type::object, String(path->text())};
    } else {
        // The whole reference is the class name: packets take only paths for scripts.
        std::string name;
        append_reference(name, Held(Variant(std::move(made))), full_text_rules);
        type = {ContainerKind::class_name, Type::object, String(name)};
    }
    return true;
}

}  // namespace gdvar::detail
