// Text of each family and our own form. The last byte of the input chooses the options; the text
// begins at the first.
#include "gdvar/text/text.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/value/codec.hpp"
#include "packet.hpp"

using namespace gdvar;

namespace {

ParseOptions options_of(unsigned choice) {
    ParseOptions options;
    options.family = static_cast<TextFamily>(choice & 64 ? 4 + (choice & 1) : choice & 3);
    options.file = choice & 128;
    options.full = choice & 4;
    options.tolerant = choice & 8;
    options.whole = choice & 16;
    if (choice & 32)
        options.limits = Limits::network();
    return options;
}

void check_error(const TextError& error, std::size_t size) {
    fuzz::require(error.code != Errc::ok, "an error has a code");
    fuzz::require(error.offset <= size, "and lies in the text");
    fuzz::require(error.line >= 1 && error.column >= 1, "and has a line and a column");
    fuzz::require(!to_string(error).empty(), "and prints");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (!size)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data), size - 1);
    ParseOptions options = options_of(data[size - 1]);
    std::size_t end = 0;
    auto value = parse_text(text, options, &end);
    if (!value) {
        check_error(value.error(), text.size());
        return 0;
    }
    fuzz::require(end <= text.size(), "the value ends in the text");
    if (!options.tolerant) {
        ParseOptions tolerant = options;
        tolerant.tolerant = true;
        auto other = parse_text(text, tolerant);
        fuzz::require(other && identical(*other, *value), "tolerant reads sound text alike");
    }
    for (const int indent : {0, 1}) {
        if (indent && size > fuzz::most_indented)
            break;
        const std::string full = *to_text_full(*value, indent);
        ParseOptions again_options{.full = true, .whole = true};
        again_options.limits.max_bytes = UINT64_MAX;
        auto again = parse_text(full, again_options);
        fuzz::require(again && identical(*again, *value), "parse(print(v)) is v");
    }
    for (const Dialect* dialect : all_dialects()) {
        auto packet = encode(*value, {.dialect = dialect, .allow_objects = true});
        if (!packet)
            continue;
        fuzz::require(to_text(*value, options.family).has_value(),
                      "what can be sent can be printed");
        break;
    }
    if (auto printed = to_text(*value, options.family)) {
        auto again = parse_text(*printed, {.family = options.family});
        if (!again)
            check_error(again.error(), printed->size());
    }
    return 0;
}
