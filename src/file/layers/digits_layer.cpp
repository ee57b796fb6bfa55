#include <new>

#include "base/exceptions.hpp"
#include "file/layers/break_source.hpp"
#include "file/layers/layer_rows.hpp"
#include "file/layers/rest_source.hpp"

namespace gdvar {
namespace {

std::expected<DigitText, TextError> read_text(std::string_view text, const Layer& layer,
                                              std::uint64_t most) {
    if (layer.kind->seen_as == InputKind::byte_text)
        return read_printed_bytes(text, most);
    return read_digits(text, layer.kind->seen_as == InputKind::hex ? DigitForm::Digits::hex
                                                                   : DigitForm::Digits::base64);
}

/// The form to write in: that of what was read, or a usual one.
DigitForm form_of(const Layer& layer) {
    DigitForm form = layer.digits;
    if (layer.kind->seen_as == InputKind::hex)
        form.digits = DigitForm::Digits::hex;
    else if (layer.kind->seen_as == InputKind::base64)
        form.digits = DigitForm::Digits::base64;
    else if (form.before.empty() && form.digits == DigitForm::Digits::base64)
        form = {
            .digits = DigitForm::Digits::decimal, .before = "[", .behind = "]", .separator = ", "};
    return form;
}

/// The part before the break. Its last group of digits may be incomplete.
std::expected<DigitText, TextError> up_to(std::string_view text, const Layer& layer,
                                          std::uint64_t most, TextError error) {
    for (int tries = 0; tries < 4 && !text.empty(); ++tries) {
        const auto good = static_cast<std::size_t>(error.offset);
        text = text.substr(0, good < text.size() ? good : text.size() - 1);
        auto read = read_text(text, layer, most);
        if (read)
            return read;
        error = read.error();
    }
    return std::unexpected(error);
}

}  // namespace

std::expected<std::unique_ptr<Source>, FileError> open_digits(Source& source,
                                                              const SaveOptions& options,
                                                              Layer& layer) GDVAR_TRY {
    auto all = read_rest(source, options.skip, options.most_held());
    if (!all)
        return std::unexpected(all.error());
    const std::string_view text = detail::as_text(all->data(), all->size());
    auto read = read_text(text, layer, options.most_held());
    std::optional<FileError> broken;
    if (!read) {
        Error error{read.error().code, Type::nil, options.skip + read.error().offset};
        if (!read.error().detail.empty())
            error = error.about_reason(read.error().detail.data());  // static text
        broken = error;
        if (!options.up_to_break)
            return std::unexpected(*broken);
        read = up_to(text, layer, options.most_held(), read.error());
        if (!read || read->bytes.empty())
            return std::unexpected(*broken);
    }
    layer.digits = std::move(read->form);
    layer.no_form = read->exact ? nullptr
                                : "the bytes are spelled or spread in no regular way, so the "
                                  "text can't be written again in its own form";
    auto bytes = std::make_unique<OwnedSource>(std::move(read->bytes));
    if (broken)
        return std::make_unique<BreakSource>(std::move(bytes), broken);
    return bytes;
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

std::expected<void, FileError> write_digits(Source& from, Target& to, const Layer& layer,
                                            const LayerWriting&) GDVAR_TRY {
    if (layer.no_form)
        return refuse(
            Error{layer.kind->seen_as == InputKind::base64 ? Errc::bad_base64 : Errc::bad_hex}
                .about_reason(layer.no_form));
    auto all = read_all(from);
    if (!all)
        return std::unexpected(all.error());
    const std::string text = digits_of(*all, form_of(layer));
    return to.write(as_bytes(text));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace gdvar
