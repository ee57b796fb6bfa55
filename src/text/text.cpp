#include "gdvar/text/text.hpp"

#include <new>

#include "base/exceptions.hpp"
#include "printer.hpp"
#include "wire/refuse.hpp"

namespace gdvar {

std::expected<std::string, Error> to_text(const View& view, TextFamily family) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(view.raw().size());
    detail::EnginePrinter<View>(out, {{family, view.options().dialect, false}}).run(view);
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<std::string, Error> to_text(const View& view) {
    if (!view)
        return std::unexpected(view.error());
    return to_text(view, view.options().dialect->family);
}

std::expected<void, Error> print_text(const View& view, const TextOptions& options,
                                      const TextPieces& to) GDVAR_TRY {
    if (!view)
        return std::unexpected(view.error());
    detail::PieceOutput out(&to);
    const Dialect* ids = view.options().dialect;
    detail::EnginePrinter<View>(out, {{options.family, ids, options.held}}).run(view);
    out.flush();
    return {};
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

namespace {

void print(detail::PieceOutput& out, const Variant& value, const TextOptions& options) {
    const Dialect* ids = options.dialect;
    if (!ids && options.family == dialects::pandemonium_5.family)
        ids = &dialects::pandemonium_5;
    detail::EnginePrinter<detail::Held>(out, {{options.family, ids, options.held}})
        .run(detail::Held(value));
    out.flush();
}

}  // namespace

std::expected<std::string, Error> to_text(const Variant& value,
                                          const TextOptions& options) GDVAR_TRY {
    detail::PieceOutput out(nullptr);
    print(out, value, options);
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

std::expected<std::string, Error> to_text(const Variant& value, TextFamily family) {
    return to_text(value, TextOptions{.family = family});
}

std::expected<void, Error> print_text(const Variant& value, const TextOptions& options,
                                      const TextPieces& to) GDVAR_TRY {
    detail::PieceOutput out(&to);
    print(out, value, options);
    return {};
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
