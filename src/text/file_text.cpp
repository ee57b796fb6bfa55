#include <new>

#include "base/exceptions.hpp"
#include "printer.hpp"

namespace gdvar {
namespace {

template <class Value>
std::expected<std::string, Error> printed(const Value& value, const FileText& how) GDVAR_TRY {
    detail::PieceOutput out(nullptr);
    detail::FilePrinter<Value>(out, {how.family, how.newline, how.base64_bytes, how.exact_digits,
                                     how.indent, how.resources})
        .run(value);
    return out.text().take();
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace

std::expected<std::string, Error> to_file_text(const View& view, const FileText& how) {
    if (!view)
        return std::unexpected(view.error());
    return printed(view, how);
}

std::expected<std::string, Error> to_file_text(const Variant& value, const FileText& how) {
    return printed(detail::Held(value), how);
}

}  // namespace gdvar
