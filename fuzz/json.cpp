// Typed and plain JSON. The last byte of the input chooses the options.
#include <nlohmann/json.hpp>

#include "gdvar/base/utf8.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "packet.hpp"

using namespace gdvar;

namespace {

void check_error(const TextError& error, std::size_t size) {
    fuzz::require(error.code != Errc::ok, "an error has a code");
    fuzz::require(error.offset <= size, "and lies in the text");
    fuzz::require(error.line >= 1 && error.column >= 1, "and has a line and a column");
    fuzz::require(!to_string(error).empty(), "and prints");
}

/// Whether an independent reader need not agree: limits, and what Godot's and our own printer write
/// though JSON does not allow it.
bool may_disagree(std::string_view text, const JsonParseOptions& options, Errc code) {
    if (code == Errc::bad_number || code == Errc::depth_limit || code == Errc::node_limit)
        return true;
    if (options.any_escape && text.contains('\\'))
        return true;
    if (text.find("\\v") != text.npos || text.find("\\u") != text.npos)
        return true;
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20)
            return true;
    return false;
}

/// The text for a reader of JSON alone: with `any_bytes`, letters take the place of all bytes beyond
/// ASCII if they are not UTF-8.
std::string for_reader(std::string_view text, const JsonParseOptions& options) {
    std::string out(text);
    if (options.any_bytes && !valid_text(text, Utf8Rule::strict))
        for (char& c : out)
            c = static_cast<unsigned char>(c) < 0x80 ? c : 'x';
    return out;
}

void check_typed(std::string_view text, const JsonParseOptions& options) {
    std::size_t end = 0;
    auto value = parse_json(text, options, &end);
    if (!value)
        return check_error(value.error(), text.size());
    fuzz::require(end <= text.size(), "the value ends in the text");
    for (const int indent : {0, 1}) {
        if (indent && text.size() > fuzz::most_indented)
            break;
        const std::string printed = *to_json(*value, {.indent = indent});
        auto again = parse_json(printed);
        fuzz::require(again && identical(*again, *value), "parse(print(v)) is v");
    }
    for (const Dialect* dialect : all_dialects())
        (void)encode(*value, {.dialect = dialect, .allow_objects = true});
}

void check_plain(std::string_view text, const JsonParseOptions& options) {
    auto value = parse_plain_json(text, options);
    if (!value)
        check_error(value.error(), text.size());
    const Errc code = value ? Errc::ok : value.error().code;
    if (options.whole && !may_disagree(text, options, code))
        fuzz::require(nlohmann::json::accept(for_reader(text, options)) == value.has_value(),
                      "an independent reader agrees");
    if (!value)
        return;
    const std::string typed = *to_json(*value);
    auto again = parse_json(typed);
    fuzz::require(again && identical(*again, *value), "plain values as typed JSON come back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!size)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size - 1);
    const unsigned choice = data[size - 1];
    JsonParseOptions options;
    options.whole = (choice & 1) == 0;
    if (choice & 2)
        options.limits = Limits::network();
    options.any_bytes = choice & 8;
    options.any_escape = choice & 16;
    if (choice & 4)
        check_plain(text, options);
    else
        check_typed(text, options);
    return 0;
}
