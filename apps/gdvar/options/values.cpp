#include "options/values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdvar/inspect/written.hpp"
#include "gdvar/json/parse.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

void add_values(Arguments& arguments, ValueOptions& options, const char* what, const char* full) {
    arguments.option("--input", options.input, what).one_of({"text", "json"});
    arguments.flag("--plain", options.plain, "with json: plain JSON, not typed JSON");
    arguments.flag("--full", options.full, full);
}

void add_family(Arguments& arguments, std::string& family) {
    std::vector<std::string> names(std::begin(text_family_names), std::end(text_family_names));
    std::ranges::sort(names);
    arguments.option("--family", family, "text family").one_of(names);
}

TextFamily family_of(const std::string& name, const std::string& named, const Dialect& dialect) {
    if (const auto family = find_family(name))
        return *family;
    return named_family(named).value_or(dialect.family);
}

namespace {

/// Numbers as people type them, allowed only by some engines' grammars: `-inf`, `-nan`, `.5`.
std::optional<Variant> typed_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    const std::string_view rest = text.substr(negative ? 1 : 0);
    const double sign = negative ? -1 : 1;
    if (rest == "inf")
        return Variant(sign * std::numeric_limits<double>::infinity());
    if (rest == "nan")
        return Variant(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign));
    if (rest.size() < 2 || rest[0] != '.' || rest.find_first_not_of("0123456789", 1) != rest.npos)
        return std::nullopt;
    auto read = parse_text((negative ? "-0" : "0") + std::string(rest), {.strict_numbers = true});
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t from = std::min(text.find_first_not_of(blanks), text.size());
    return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

}  // namespace

std::expected<Variant, TextError> parse_value(const ValueOptions& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size,
                                              const TextLoss* loss) {
    const bool whole = !size;
    if (whole && options.input != "json")
        if (auto number = typed_number(without_blanks(text)))
            return *std::move(number);
    if (options.input != "json")
        return parse_text(text,
                          {.family = family_of(options.family, {}, dialect),
                           .full = options.full,
                           .wrong_elements = loss ? WrongElements::untyped : WrongElements::refused,
                           .strict_numbers = true,
                           .whole = whole,
                           .resources = options.resources,
                           .loss = loss},
                          size);
    const JsonParseOptions json{.whole = whole, .strict_numbers = true, .loss = loss};
    return options.plain ? parse_plain_json(text, json, size) : parse_json(text, json, size);
}

std::string plain_hint(const ValueOptions& options, std::string_view text) {
    const bool typed = options.input == "json" && !options.plain;
    std::size_t size = 0;
    return typed && parse_plain_json(text, {}, &size) ? "; as plain JSON it can be read: --plain"
                                                      : "";
}

std::string not_encoded(const Variant& value, const EncodeOptions& how, const Error& error) {
    return error_path(value, how, error) + ": " + to_string(error) +
           (error.code == Errc::objects_forbidden ? "; --objects writes it" : "");
}

std::optional<std::string> refused_value(const std::string& at, const Variant& value,
                                         const EncodeOptions& how) {
    const auto sound = check_value(value, how);
    if (sound)
        return std::nullopt;
    const auto packet = encode(value, how);
    if (packet)
        return at + in_words(as_bytes(*packet), how, sound.error()).substr(1);
    return at + not_encoded(value, how, packet.error()).substr(1);
}

std::optional<std::string> refused_replacement(const std::string& at, const Variant& value,
                                               const EncodeOptions& how) {
    const auto sound = check_value(value, how);
    if (sound || sound.error().code == Errc::duplicate_key)
        return std::nullopt;
    return refused_value(at, value, how);
}

}  // namespace gdvar::app
