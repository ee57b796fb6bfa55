#include "gdvar/save/digest.hpp"

#include <zlib.h>

#include <new>
#include <optional>

#include "base/exceptions.hpp"
#include "save/crypto.hpp"
#include "save/io.hpp"

namespace gdvar {

std::string_view digest_name(DigestKind kind) noexcept {
    constexpr std::string_view names[] = {"CRC-32", "MD5", "SHA-1", "SHA-256"};
    return names[static_cast<std::size_t>(kind)];
}

std::size_t digest_size(DigestKind kind) noexcept {
    constexpr std::size_t sizes[] = {4, 16, 20, 32};
    return sizes[static_cast<std::size_t>(kind)];
}

std::expected<std::vector<std::byte>, FileError> digest_of(Source& from,
                                                           DigestKind kind) GDVAR_TRY {
    std::optional<save::Hash> hash;
    if (kind != DigestKind::crc32) {
        auto begun = kind == DigestKind::md5    ? save::Hash::md5()
                     : kind == DigestKind::sha1 ? save::Hash::sha1()
                                                : save::Hash::sha256();
        if (!begun)
            return save::refuse(begun.error());
        hash = *std::move(begun);
    }
    uLong crc = 0;
    std::vector<std::byte> part(save::step);
    for (;;) {
        const auto got = from.read(part);
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            break;
        if (hash)
            hash->add(ByteView(part).first(*got));
        else
            crc = ::crc32(crc, save::codec_bytes(part.data()), static_cast<uInt>(*got));
    }
    std::vector<std::byte> out(digest_size(kind));
    if (hash)
        hash->end(out);
    else
        detail::store(out.data(), detail::byteswap(static_cast<std::uint32_t>(crc)));
    return out;
}
GDVAR_CATCH_NO_MEMORY(return save::refuse(Errc::no_memory))

}  // namespace gdvar
