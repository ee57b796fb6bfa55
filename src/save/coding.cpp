#include "gdvar/save/coding.hpp"

#include <new>

#include "base/coding.hpp"

namespace gdvar {
namespace {

/// What `decode(to)` writes, which is `most` bytes or less.
template <class Decode>
std::expected<std::vector<std::byte>, Error> decoded(std::size_t most, Errc wrong,
                                                     Decode&& decode) try {
    std::vector<std::byte> out(most);
    const detail::Decoded done = decode(out.data());
    if (!done.ok())
        return std::unexpected(Error{wrong, Type::nil, done.wrong_at, 0});
    out.resize(done.size);
    return out;
} catch (const std::bad_alloc&) {
    return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0});
}

}  // namespace

std::expected<std::vector<std::byte>, Error> from_base64(std::string_view text) {
    return decoded(detail::most_from_base64(text.size()), Errc::bad_base64, [=](std::byte* to) {
        return detail::decode_base64(text, detail::Base64Rule::lenient, to);
    });
}

std::string to_base64(ByteView bytes) {
    std::string out;
    detail::append_base64(out, bytes);
    return out;
}

std::expected<std::vector<std::byte>, Error> from_hex(std::string_view text) {
    return decoded(detail::most_from_hex(text.size()), Errc::bad_hex,
                   [=](std::byte* to) { return detail::decode_hex(text, to); });
}

std::string to_hex(ByteView bytes) {
    std::string out;
    detail::append_hex(out, bytes);
    return out;
}

}  // namespace gdvar
