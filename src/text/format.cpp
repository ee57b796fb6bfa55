#include "gdvar/text/format.hpp"

namespace gdvar {
namespace {

std::string text_or_error(std::expected<std::string, Error> text) {
    return text ? *std::move(text) : to_string(text.error());
}

}  // namespace

std::string detail::shown(const Variant& value) {
    return text_or_error(to_text_full(value));
}
std::string detail::shown(const View& view) {
    return text_or_error(to_text_full(view));
}
std::string detail::shown(const Error& error) {
    return to_string(error);
}

}  // namespace gdvar
