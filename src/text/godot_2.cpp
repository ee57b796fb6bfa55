#include "godot_2.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/number.hpp"
#include "parser.hpp"
#include "read_number.hpp"

namespace gdvar::detail {
namespace {

constexpr std::string_view key_properties[] = {"key", "modifiers"};
constexpr std::string_view button_properties[] = {"device", "button"};
constexpr std::string_view axis_properties[] = {"device", "axis"};

/// In the order of Godot 2's Image::Format.
constexpr std::string_view image_formats[] = {"GRAYSCALE",
                                              "INTENSITY",
                                              "GRAYSCALE_ALPHA",
                                              "RGB",
                                              "RGBA",
                                              "INDEXED",
                                              "INDEXED_ALPHA",
                                              "YUV_422",
                                              "YUV_444",
                                              "BC1",
                                              "BC2",
                                              "BC3",
                                              "BC4",
                                              "BC5",
                                              "PVRTC2",
                                              "PVRTC2_ALPHA",
                                              "PVRTC4",
                                              "PVRTC4_ALPHA",
                                              "ETC",
                                              "ATC",
                                              "ATC_ALPHA_EXPLICIT",
                                              "ATC_ALPHA_INTERPOLATED",
                                              "CUSTOM"};

/// The types of InputEvent that have a text, by number.
struct EventName {
    std::uint32_t type;
    std::string_view name;
};
constexpr EventName event_names[] = {
    {0, "NONE"}, {1, "KEY"}, {3, "MBUTTON"}, {4, "JAXIS"}, {5, "JBUTTON"}};

/// The modifiers of a key in the engine's order.
struct Modifier {
    char letter;
    std::uint32_t bit;
};
constexpr Modifier modifiers[] = {
    {'A', 1u << 26}, {'S', 1u << 25}, {'C', 1u << 28}, {'M', 1u << 27}};

}  // namespace

std::span<const std::string_view> event_properties(std::string_view name) noexcept {
    if (name == "key")
        return key_properties;
    if (name == "mbutton" || name == "jbutton")
        return button_properties;
    if (name == "jaxis")
        return axis_properties;
    return {};
}

void append_image(std::string& out, const ImageView& image) {
    if (image.data.empty() || image.format >= std::size(image_formats)) {
        out += "Image()";
        return;
    }
    out += "Image( " + std::to_string(image.width) + ", " + std::to_string(image.height) + ", " +
           std::to_string(image.mipmaps) + ", ";
    out += image_formats[image.format];
    for (const std::byte byte : image.data)
        out += ", " + std::to_string(static_cast<unsigned>(byte));
    out += " )";
}

void append_input_event(std::string& out, const InputEventView& event) {
    const auto at = std::find_if(std::begin(event_names), std::end(event_names),
                                 [&](const EventName& each) { return each.type == event.type; });
    const bool known = at != std::end(event_names), key = known && at->name == "KEY";
    out.append("InputEvent(").append(known ? at->name : "");
    for (std::size_t i = key; known && i < InputEventView::word_count(at->type); ++i) {
        const std::uint32_t word = event.words[i];
        const bool axis = at->name == "JAXIS" && i;
        out +=
            ',' +
            (key    ? std::to_string(word)
             : axis ? std::to_string(engine_int32(static_cast<double>(std::bit_cast<float>(word))))
                    : std::to_string(static_cast<std::int32_t>(word)));
    }
    std::string letters;
    for (const Modifier& each : modifiers)
        if (key && event.words[0] & each.bit)
            letters += each.letter;
    out.append(letters.empty() ? "" : ",").append(letters) += ')';
}

/// `( 2, 2, 0, RGBA, 0, 0, ... )`. The token is the name.
bool Parser::image_2(std::size_t offset) {
    Image made;
    if (!marks("(") || !lexer_.next())
        return false;
    if (is(TokenKind::parenthesis_close))
        return complete(Variant(std::move(made)));
    for (std::uint32_t* field : {&made.width, &made.height, &made.mipmaps}) {
        const auto value =
            is(TokenKind::integer) ? exact_number<std::uint32_t>(lexer_.token.text) : std::nullopt;
        if (!value)
            return fail(Errc::bad_number, "expected a number of up to 32 bits", Type::image);
        *field = *value;
        if (!marks(",") || !lexer_.next())
            return false;
    }
    const auto format =
        std::find(std::begin(image_formats), std::end(image_formats), lexer_.token.text);
    if (!is(TokenKind::identifier) || format == std::end(image_formats))
        return fail(Errc::wrong_arguments, "not a format of images", Type::image);
    made.format = static_cast<std::uint32_t>(format - std::begin(image_formats));
    return image_bytes(made, offset, true) && complete(Variant(std::move(made)));
}

/// `(KEY,32,SC)`. The token is the name.
bool Parser::input_event_2() {
    InputEvent made;
    if (!marks("(") || !lexer_.next())
        return false;
    const auto known =
        std::find_if(std::begin(event_names), std::end(event_names), [&](const EventName& each) {
            return is(TokenKind::identifier) && each.name == lexer_.token.text;
        });
    if (known == std::end(event_names))
        return fail(Errc::wrong_arguments, "not a type of InputEvents", Type::input_event);
    made.type = known->type;
    const bool key = known->name == "KEY";
    for (std::size_t i = key; i < InputEventView::word_count(made.type); ++i) {
        if (!marks(",") || !lexer_.next())
            return false;
        const auto value = exact_number<std::int64_t>(lexer_.token.text);
        const bool axis = known->name == "JAXIS" && i;
        const auto real = static_cast<float>(value.value_or(0));
        if (!is(TokenKind::integer) || !value || *value < (key ? 0 : INT32_MIN) ||
            *value > (key ? std::int64_t{UINT32_MAX} : INT32_MAX) ||
            (axis && static_cast<std::int64_t>(real) != *value))
            return fail(Errc::bad_number, "expected a number of up to 32 bits", Type::input_event);
        made.words[i] =
            axis ? std::bit_cast<std::uint32_t>(real) : static_cast<std::uint32_t>(*value);
    }
    if (!lexer_.next())
        return false;
    if (key && is(TokenKind::comma)) {
        if (!lexer_.next())
            return false;
        for (const char letter : lexer_.token.text) {
            const auto modifier =
                std::find_if(std::begin(modifiers), std::end(modifiers),
                             [&](const Modifier& each) { return each.letter == (letter & ~0x20); });
            if (!is(TokenKind::identifier) || modifier == std::end(modifiers))
                return fail(Errc::wrong_arguments, "the modifiers are A, S, C and M",
                            Type::input_event);
            made.words[0] |= modifier->bit;
        }
        if (!lexer_.next())
            return false;
    }
    if (!is(TokenKind::parenthesis_close))
        return fail(Errc::bad_syntax, "expected ')'", Type::input_event);
    return complete(Variant(made));
}

/// `(Space, SC)`: the engine takes everything up to the bracket literally. The token is the name.
bool Parser::event(std::size_t offset) {
    Object made(lexer_.token.text);
    const bool key = made.class_name() == "key";
    const auto refuse = [&](Errc code, std::string_view why) {
        return lexer_.fail(code, offset, why, Type::object);
    };
    if (!marks("("))
        return false;
    const std::size_t begin = lexer_.position(), end = text_.find(')', begin);
    if (end == text_.npos)
        return refuse(Errc::bad_syntax, "expected ')'");
    std::string_view rest = text_.substr(begin, end - begin);
    bool more = true;
    for (const std::string_view name : event_properties(made.class_name())) {
        if (key && !more)
            break;
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view argument = rules_.blanks.strip(rest.substr(0, comma));
        const auto number = exact_number<std::int32_t>(argument);
        if (argument.empty() || (!key && !number))
            return refuse(Errc::wrong_arguments,
                          key ? "expected a key" : "expected numbers of up to 32 bits");
        made.append(name, key ? Variant(String(argument)) : Variant(std::int64_t{*number}));
        more = comma < rest.size();
        rest.remove_prefix(comma + more);
    }
    if (more)
        return refuse(Errc::wrong_arguments, "there are too many arguments");
    lexer_.seek(end + 1);
    return complete(Variant(std::move(made)));
}

}  // namespace gdvar::detail
