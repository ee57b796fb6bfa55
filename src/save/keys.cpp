#include "base/coding.hpp"
#include "gdvar/save/coding.hpp"
#include "save/crypto.hpp"
#include "save/io.hpp"

namespace gdvar {

using save::refuse;

ContainerKey::~ContainerKey() {
    save::wipe(bytes);
}

std::expected<ContainerKey, Error> key_from_password(std::string_view password) {
    auto md5 = save::Hash::md5();
    if (!md5)
        return refuse(md5.error());
    md5->add(as_bytes(password));
    const save::Digest digest = md5->end();
    ContainerKey key;
    detail::write_hex(digest, reinterpret_cast<char*>(key.bytes.data()));
    return key;
}

std::expected<ContainerKey, Error> key_from_bytes(ByteView bytes) {
    ContainerKey key;
    std::vector<std::byte> decoded;
    if (bytes.size() != key.bytes.size()) {
        auto hex = from_hex(detail::as_text(bytes.data(), bytes.size()));
        if (!hex && hex.error().code == Errc::no_memory)
            return refuse(Errc::no_memory);
        if (!hex || hex->size() != key.bytes.size())
            return std::unexpected(
                Error{Errc::bad_key}.about_reason("a key is 32 bytes, or 64 hex digits"));
        decoded = *std::move(hex);
        bytes = decoded;
    }
    std::memcpy(key.bytes.data(), bytes.data(), key.bytes.size());
    if (!decoded.empty())
        save::wipe(decoded);
    return key;
}

}  // namespace gdvar
