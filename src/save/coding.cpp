#include "gdvar/save/coding.hpp"

#include <new>

#include "base/coding.hpp"

namespace gdvar {
namespace {

/// What `decode(to)` writes, which is `most` bytes or less.
template <class Decode>
std::expected<std::vector<std::byte>, TextError> decoded(std::string_view text, std::size_t most,
                                                         Errc wrong, Decode&& decode) try {
    std::vector<std::byte> out(most);
    const detail::Decoded done = decode(out.data());
    if (!done.ok())
        return std::unexpected(text_error_at(text, done.wrong_at, wrong));
    out.resize(done.size);
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(TextError{.code = Errc::no_memory});
}

}  // namespace

std::expected<std::vector<std::byte>, TextError> from_base64(std::string_view text) {
    return decoded(text, detail::most_from_base64(text.size()), Errc::bad_base64,
                   [=](std::byte* to) {
                       return detail::decode_base64(text, detail::Base64Rule::lenient, to);
                   });
}

std::string to_base64(ByteView bytes) {
    std::string out;
    detail::append_base64(out, bytes);
    return out;
}

std::expected<std::vector<std::byte>, TextError> from_hex(std::string_view text) {
    return decoded(text, detail::most_from_hex(text.size()), Errc::bad_hex,
                   [=](std::byte* to) { return detail::decode_hex(text, to); });
}

std::string to_hex(ByteView bytes) {
    std::string out;
    detail::append_hex(out, bytes);
    return out;
}

}  // namespace gdvar
