// Text and JSON, both ways.
#include <functional>

#include "common.hpp"
#include "gdvar/json/json.hpp"
#include "gdvar/json/parse.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::c {
namespace {

/// Whose text it is, if it is an engine's.
TextFamily family_of(int form, const Dialect& dialect) noexcept {
    static_assert(GDVAR_TEXT_4_0 - GDVAR_TEXT_3_2 + 1 == text_family_count);
    return form < GDVAR_TEXT_3_2 ? dialect.family : TextFamily(form - GDVAR_TEXT_3_2);
}

std::expected<void, Error> print(const View& view, int form, int indent, const TextPieces& to,
                                 Losses* losses) {
    switch (form) {
        case GDVAR_TEXT_FULL:
            return print_text_full(view, to, indent);
        case GDVAR_JSON:
            return print_json(view, {.indent = indent}, to);
        case GDVAR_PLAIN_JSON:
            return print_plain_json(view, {.indent = indent}, to, losses);
        default:
            return print_text(view, {.family = family_of(form, *view.options().dialect)}, to);
    }
}

std::expected<Variant, TextError> parse(std::string_view text, int form,
                                        const DecodeOptions& options) {
    const JsonParseOptions json{.strict_numbers = options.strict, .limits = options.limits};
    if (form == GDVAR_JSON)
        return parse_json(text, json);
    if (form == GDVAR_PLAIN_JSON)
        return parse_plain_json(text, json);
    return parse_text(text, {.family = family_of(form, *options.dialect),
                             .full = form == GDVAR_TEXT_FULL,
                             .strict_numbers = options.strict,
                             .whole = true,
                             .limits = options.limits});
}

bool is_form(int form) noexcept {
    return form >= GDVAR_TEXT && form < GDVAR_TEXT_3_2 + int{text_family_count};
}

}  // namespace
}  // namespace gdvar::c

using namespace gdvar;

uint16_t gdvar_print(const gdvar_document* document, uint32_t node, int form, int indent,
                     gdvar_buffer* to, gdvar_loss_use losses, void* user, gdvar_error* error) {
    return c::call(error, to, c::given(document, to), [&] {
        const View view = c::view_of(document, node);
        if (!view || !c::is_form(form))
            return c::refuse(error, view ? "there is no such form" : "there is no such node");
        Losses lost(0);
        if (losses)
            lost.each = [&](std::string_view path, std::string_view what) {
                const gdvar_loss loss{c::give(path), c::give(what), {nullptr, 0}, GDVAR_NIL};
                losses(user, &loss);
            };
        const auto append = [&](std::string_view piece) { c::append(*to, piece); };
        return c::answer(error, c::print(view, form, indent, append, &lost));
    });
}

uint16_t gdvar_parse(gdvar_text text, int form, const gdvar_options* options, gdvar_buffer* to,
                     gdvar_error* error) {
    return gdvar_parse_with_path(text, form, options, to, error, nullptr);
}

uint16_t gdvar_parse_with_path(gdvar_text text, int form, const gdvar_options* options,
                               gdvar_buffer* to, gdvar_error* error, gdvar_buffer* path) {
    return c::call(error, to, c::given(options, to), [&] {
        if (!c::is_form(form))
            return c::refuse(error, "there is no such form");
        const DecodeOptions decoding = c::decoding(options);
        const EncodeOptions encoding = c::encoding(options);
        const auto value = c::parse(c::view(text), form, decoding);
        if (!value)
            return c::fail(error, value.error());
        const auto size = encode_to(to->bytes, *value, encoding);
        if (size)
            return c::succeed(error);
        if (path)
            c::append(*path, std::string_view(error_path(*value, encoding, size.error())));
        return c::fail(error, size.error());
    });
}
