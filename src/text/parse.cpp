#include "gdvar/text/parse.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "gdvar/value/detail/variant_access.hpp"
#include "parser.hpp"
#include "read_number.hpp"
#include "value/outline_guard.hpp"

namespace gdvar {
namespace detail {

bool Parser::run() {
    while (!done_)
        if ((!stack_.empty() && !plain()) || (!done_ && !step()))
            return false;
    if (!options_.whole || lexer_.at_end())
        return true;
    return lexer_.fail(Errc::trailing_bytes, lexer_.position(), "there is more after the value");
}

/// Reads plain values, commas and brackets as long as they follow. Stops before anything else, and
/// before errors: for these there are tokens.
bool Parser::plain() {
    std::size_t at = lexer_.position();
    const auto next = [&] {
        at = rules_.blanks.behind(text_, at);
        return at < text_.size() ? text_[at] : '\0';
    };
    while (!outline_ && stack_.size() <= options_.limits.max_depth) {
        TextEntry& entry = stack_.back();
        if (entry.kind == TextEntry::object)
            break;
        if (entry.comma && next() == ',') {
            entry.comma = false;
            ++at;
        }
        const char c = next();
        const TokenKind end = c == ']'   ? TokenKind::bracket_close
                              : c == '}' ? TokenKind::brace_close
                                         : TokenKind::end;
        if (end == entry.close && !entry.wrapped && !entry.at_value) {
            lexer_.token.offset = at;
            lexer_.seek(at + 1);
            if (!close(entry) || done_)
                return done_;
            at = lexer_.position();
            continue;
        }
        if (entry.comma)
            break;
        if (c == '[' || c == '{') {
            lexer_.token.offset = at++;
            lexer_.seek(at);
            open(c == '{');
            continue;
        }
        if (c == '\0' || nodes_ == options_.limits.max_nodes || !plain_value(at))
            break;
        ++nodes_;
        // As in `complete`. One function for both made texts parse about a tenth slower.
        if (entry.kind == TextEntry::array || std::exchange(entry.at_value, !entry.at_value)) {
            entry.comma = true;
            if (entry.kind == TextEntry::dictionary &&
                !waiting_[waiting_.size() - 2].is(Type::string) && merges_now(entry))
                merge_waiting(entry, false);
        } else if (next() == ':') {
            ++at;
        } else {
            lexer_.seek(at);
            return expect(TokenKind::colon, "expected ':' after the key");
        }
    }
    lexer_.seek(at);
    return true;
}

/// A text without escapes, a number without an exponent, or a word.
bool Parser::plain_value(std::size_t& at) {
    const char c = text_[at];
    if (c == '"') {
        std::string_view text;
        if (!lexer_.plain_string(at, text))
            return false;
        waiting_.emplace_text(text, maker_);
        return true;
    }
    if (is_letter(c)) {
        constexpr std::string_view words[] = {"true", "false", "null"};
        for (const std::string_view word : words) {
            const std::size_t end = at + word.size();
            if (word[0] != c || text_.size() <= end || text_.substr(at, word.size()) != word ||
                is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '\0')
                continue;
            at = end;
            return word == "null" ? waiting_.emplace() : waiting_.emplace(word == "true"), true;
        }
        return false;
    }
    PlainNumber number;
    if (!number.read(text_, at) || !(number.real || number.held()))
        return false;
    if (!number.real) {
        waiting_.emplace(number.whole());
    } else if (exact_ ? number.exact() : number.held()) {
        waiting_.emplace(number.quotient());
    } else {
        const auto value = exact_ ? exact_number<double>(number.text) : engine_real(number.text);
        if (!value)
            return false;
        waiting_.emplace(*value);
    }
    at += number.text.size();
    return true;
}

bool Parser::step() {
    if (!lexer_.next())
        return false;
    if (stack_.empty())
        return value();
    TextEntry& entry = stack_.back();
    return entry.kind == TextEntry::array ? step_array(entry) : step_pairs(entry);
}

bool Parser::step_array(TextEntry& entry) {
    if (is(entry.close))
        return close(entry);
    if (!entry.comma)
        return value();
    entry.comma = false;
    if (is(TokenKind::comma))
        return true;
    return fail(
        Errc::bad_syntax,
        entry.close == TokenKind::bracket_close ? "expected ',' or ']'" : "expected ',' or ')'",
        Type::array);
}

bool Parser::step_pairs(TextEntry& entry) {
    if (entry.at_value)
        return value();
    if (is(entry.close))
        return close(entry);
    const bool dictionary = entry.kind == TextEntry::dictionary;
    if (entry.comma) {
        entry.comma = false;
        if (is(TokenKind::comma))
            return true;
        return fail(Errc::bad_syntax, dictionary ? "expected ',' or '}'" : "expected ',' or ')'",
                    dictionary ? Type::dictionary : Type::object);
    }
    if (dictionary)
        return value();
    if (!is(TokenKind::string))
        return fail(Errc::bad_syntax, "expected a property's name in quotes", Type::object);
    waiting_.emplace(lexer_.token.text);
    entry.at_value = true;
    if (outline_)
        note_name();
    return expect(TokenKind::colon, "expected ':' after the property's name");
}

bool Parser::complete(Variant&& value) {
    if (++nodes_ > options_.limits.max_nodes)
        return fail(Errc::node_limit, {}, value.type());
    if (outline_)
        end_node();
    if (stack_.empty()) {
        result_ = std::move(value);
        done_ = true;
        return true;
    }
    waiting_.emplace(std::move(value));
    TextEntry& entry = stack_.back();
    if (entry.kind == TextEntry::array || std::exchange(entry.at_value, !entry.at_value)) {
        entry.comma = true;
        if (merges_now(entry))
            merge_waiting(entry, false);
        return true;
    }
    return expect(TokenKind::colon, "expected ':' after the key");
}

bool Parser::push(TextEntry&& entry) {
    entry.first = waiting_.size();
    if (outline_)
        open_node(entry.kind);
    stack_.push_back(std::move(entry));
    return true;
}

// ---- containers are made at their end, so their exact size is known -------------------------

Array Parser::array_of(const TextEntry& entry) {
    return waiting_.take_array(entry.first, maker_);
}

namespace {

bool is_number(const Variant& value) noexcept {
    return value.is(Type::boolean) || value.is(Type::integer) || value.is(Type::real);
}
long double number_of(const Variant& value) noexcept {
    if (value.is(Type::boolean))
        return value.boolean();
    return value.is(Type::integer) ? static_cast<long double>(value.integer()) : value.real();
}

/// True if any number in a value has changed.
bool other_numbers(const Variant& was, const Variant& is) noexcept {
    if (is_number(was) && is_number(is))
        return number_of(was) != number_of(is);
    if (!is_math(was.type()) || !is_math(is.type()))
        return false;
    const MathView from = was.math(), to = is.math();
    const auto at = [](const MathView& math, std::size_t i) {
        return math.integral() ? static_cast<double>(math.integer(i)) : math.real(i);
    };
    for (std::size_t i = 0; i < from.components(); ++i)
        if (at(from, i) != at(to, i))
            return true;
    return false;
}

}  // namespace

Fit Parser::fit_one(const TextEntry& entry, Variant& value, const ContainerType& type) const {
    if (!options_.loss || !type.typed() || value.is(type.type) || entry.misfits)
        return fit_element(value, type);
    const Variant was = value;
    const Fit fit = fit_element(value, type);
    if (fit == Fit::fits && other_numbers(was, value))
        lose(entry.offset, "an element becomes another number in its typed container");
    return fit;
}

void Parser::put(const TextEntry& entry, Dictionary& to, Variant key, Variant value) const {
    const std::size_t before = to.size();
    to.set(std::move(key), std::move(value));
    if (to.size() == before)
        lose(entry.offset, "the earlier value of a repeated key is dropped");
}

/// True if the last pair takes more memory than its text. Such pairs are merged at once, so that
/// only one of equal keys is held. A few pairs may wait if their keys differ.
bool Parser::merges_now(const TextEntry& entry) {
    if (entry.kind != TextEntry::dictionary || keeps_pairs())
        return false;
    const std::size_t n = waiting_.size();
    if (!VariantAccess::block(waiting_[n - 2]) && !VariantAccess::block(waiting_[n - 1]))
        return false;
    if (n - entry.first > 32 || !is_text(waiting_[n - 2]))
        return true;
    for (std::size_t i = entry.first; i < n - 2; i += 2)
        if (!is_text(waiting_[i]) || waiting_[i].text() == waiting_[n - 2].text())
            return true;
    return false;
}

/// Moves the waiting pairs into the Dictionary. `closing`: they are the last.
void Parser::merge_waiting(TextEntry& entry, bool closing) {
    std::size_t left = closing ? (waiting_.size() - entry.first) / 2 : SIZE_MAX;
    const std::size_t least = closing ? 4 : 1;
    Variant key;
    bool at_value = false;
    waiting_.take_from(entry.first, [&](Variant& item) {
        if (!std::exchange(at_value, !at_value)) {
            key = std::move(item);
            return;
        }
        // Equal keys merge, so the final number of pairs is unknown.
        if (entry.merged.size() == entry.capacity)
            entry.merged.reserve(entry.capacity +=
                                 keeps_pairs() ? left : std::min(left, entry.capacity / 2 + least));
        --left;
        if (keeps_pairs())
            entry.merged.append(std::move(key), std::move(item));
        else
            put(entry, entry.merged, std::move(key), std::move(item));
    });
}

Dictionary Parser::pairs_of(TextEntry& entry) {
    if (entry.merged.empty() &&
        (keeps_pairs() || waiting_.keys_differ(entry.first, waiting_.size())))
        return waiting_.take_pairs(entry.first, maker_);
    merge_waiting(entry, true);
    return std::move(entry.merged);
}

Object Parser::object_of(const TextEntry& entry) {
    Object made;
    String name;
    std::size_t i = 0;
    waiting_.take_from(entry.first, [&](Variant& item) {
        if (i == 0)
            made = std::move(VariantAccess::as<Object>(item));
        else if (i % 2)
            name = std::move(VariantAccess::as<String>(item));
        else
            made.append(name, std::move(item));
        ++i;
    });
    return made;
}

namespace {

/// How the value fits the type. Changes nothing.
Fit fit_of(const Variant& value, const ContainerType& type) {
    if (!type.typed() || value.is(type.type))
        return Fit::fits;
    Variant copy = value;
    return fit_element(copy, type);
}

template <class Items, class FitOf>
Fit worst_of(const Items& items, const FitOf& fit_of_item) {
    for (const auto& item : items)
        if (const Fit fit = fit_of_item(item); fit != Fit::fits)
            return fit;
    return Fit::fits;
}

}  // namespace

/// Converts the elements to the types that the brackets name. If one does not fit, an engine
/// empties the whole container; where it is kept, the others are converted all the same, so that
/// they stay what they are when that one is mended.
bool Parser::fit(TextEntry& entry, Array& array) {
    const ContainerType type = entry.view(0);
    if (type.typed())
        array.set_element_type(type);
    if (!type.typed() || !rules_.checks_elements)
        return true;
    const auto fits = [&](const Variant& item) { return fit_of(item, type); };
    if (!take_misfits(entry, worst_of(array, fits), Type::array,
                      [&](bool emptied) { emptied ? array.clear() : array.set_element_type({}); }))
        return false;
    for (Variant& item : array)
        (void)fit_one(entry, item, entry.view(0));
    return true;
}

bool Parser::fit(TextEntry& entry, Dictionary& pairs) {
    const ContainerType key_type = entry.view(0), value_type = entry.view(1);
    if (entry.types)
        pairs.set_types(key_type, value_type);
    if ((!key_type.typed() && !value_type.typed()) || !rules_.checks_elements)
        return true;
    const auto fits = [&](const Dictionary::Pair& pair) {
        const Fit key = fit_of(pair.key, key_type);
        return key == Fit::fits ? fit_of(pair.value, value_type) : key;
    };
    if (!take_misfits(entry, worst_of(pairs, fits), Type::dictionary,
                      [&](bool emptied) { emptied ? pairs.clear() : pairs.set_types({}, {}); }))
        return false;
    for (Dictionary::Pair& pair : pairs)
        (void)fit_one(entry, pair.value, entry.view(1));
    if (!entry.view(0).typed() || std::ranges::all_of(pairs, [&](const Dictionary::Pair& pair) {
            return pair.key.is(key_type.type);
        }))
        return true;
    // The conversion may have made different keys equal.
    Dictionary merged(key_type, value_type);
    for (Dictionary::Pair& pair : pairs) {
        Variant& key = VariantAccess::key(pair);
        (void)fit_one(entry, key, key_type);
        if (keeps_pairs())
            merged.append(std::move(key), std::move(pair.value));
        else
            put(entry, merged, std::move(key), std::move(pair.value));
    }
    pairs = std::move(merged);
    return true;
}

/// Handles an element that does not fit, if any. `change(true)` empties the container,
/// `change(false)` removes its type.
template <class Change>
bool Parser::take_misfits(TextEntry& entry, Fit worst, Type type, Change&& change) {
    entry.misfits = worst != Fit::fits;
    if (!entry.misfits)
        return true;
    const bool refused = worst == Fit::refused;
    const bool of_class = entry.view(0).kind == ContainerKind::class_name ||
                          entry.view(1).kind == ContainerKind::class_name;
    if (refused && options_.tolerant) {
        change(true);
        if (outline_)
            make_leaf();
        return true;
    }
    switch (options_.wrong_elements) {
        case WrongElements::kept:
            lose(entry.offset,
                 !refused ? "Godot 4 converts elements of this container to its type"
                 // Only an engine knows which classes exist.
                 : of_class ? "Godot 4 leaves this container empty if it knows the class, and "
                              "ignores its type if not"
                            : left_empty);
            return true;
        case WrongElements::untyped:
            lose(entry.offset,
                 "a container loses its type, which does not take one of its elements");
            change(false);
            entry.types.reset();
            return true;
        case WrongElements::refused:
            break;
    }
    return lexer_.fail(Errc::wrong_type, entry.offset,
                       "the typed container does not take one of its elements", type);
}

bool Parser::close(TextEntry& entry) {
    if (entry.wrapped && !expect(TokenKind::parenthesis_close, "expected ')'"))
        return false;
    Variant value;
    if (entry.kind == TextEntry::object) {
        value = object_of(entry);
    } else if (entry.kind == TextEntry::array) {
        Array array = array_of(entry);
        if (!fit(entry, array))
            return false;
        value = std::move(array);
    } else {
        Dictionary pairs = pairs_of(entry);
        if (!fit(entry, pairs))
            return false;
        value = std::move(pairs);
    }
    if (entry.made == Type::packed_typed_array)
        VariantAccess::make_packed_typed_array(value);
    stack_.pop_back();
    return complete(std::move(value));
}

bool Parser::expect(TokenKind kind, std::string_view detail) {
    if (!lexer_.next())
        return false;
    return is(kind) || fail(Errc::bad_syntax, detail);
}

bool Parser::marks(std::string_view wanted) {
    struct Mark {
        char mark;
        TokenKind kind;
        std::string_view expected;
    };
    static constexpr Mark all[] = {{'(', TokenKind::parenthesis_open, "expected '('"},
                                   {')', TokenKind::parenthesis_close, "expected ')'"},
                                   {'[', TokenKind::bracket_open, "expected '['"},
                                   {']', TokenKind::bracket_close, "expected ']'"},
                                   {'{', TokenKind::brace_open, "expected '{'"},
                                   {',', TokenKind::comma, "expected ','"}};
    return std::ranges::all_of(wanted, [this](char c) {
        const Mark* mark = std::ranges::find(all, c, &Mark::mark);
        return expect(mark->kind, mark->expected);
    });
}

bool Parser::partial(Variant value) {
    if (!options_.tolerant || !stack_.empty())
        return false;
    return complete(std::move(value));
}

}  // namespace detail

std::expected<Variant, TextError> parse_text(std::string_view text, const ParseOptions& options,
                                             std::size_t* size) GDVAR_TRY {
    if (text.size() > options.limits.max_bytes)
        return std::unexpected(TextError{.code = Errc::size_limit});
    detail::OutlineGuard outline(options.outline);
    if (options.outline &&
        (text.size() > UINT32_MAX || options.outline_shift > UINT32_MAX - text.size()))
        return std::unexpected(TextError{.code = Errc::size_limit});
    detail::Parser parser(text, options);
    if (!parser.run())
        return std::unexpected(parser.fault().in(text));
    outline.keep();
    if (size)
        *size = parser.position();
    return std::move(parser.result());
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(TextError{.code = Errc::no_memory}))

}  // namespace gdvar
