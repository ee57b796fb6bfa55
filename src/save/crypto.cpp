#include "save/crypto.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/coding.hpp"
#include "gdvar/save/coding.hpp"
#include "save/io.hpp"

namespace gdvar {
namespace save {
namespace {
unsigned char* raw(std::byte* at) noexcept {
    return reinterpret_cast<unsigned char*>(at);
}
const unsigned char* raw(const std::byte* at) noexcept {
    return reinterpret_cast<const unsigned char*>(at);
}
}  // namespace

void Md5::Free::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}
void Aes::Free::operator()(evp_cipher_ctx_st* context) const noexcept {
    EVP_CIPHER_CTX_free(context);
}

std::expected<Md5, Errc> Md5::begin() {
    Md5 md5;
    md5.context_.reset(EVP_MD_CTX_new());
    if (!md5.context_)
        return std::unexpected(Errc::no_memory);
    if (EVP_DigestInit_ex(md5.context_.get(), EVP_md5(), nullptr) != 1)
        return std::unexpected(Errc::bad_mode);
    return md5;
}

void Md5::add(ByteView bytes) {
    EVP_DigestUpdate(context_.get(), raw(bytes.data()), bytes.size());
}

Digest Md5::end() {
    Digest digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), raw(digest.data()), &size);
    return digest;
}

std::expected<Aes, Errc> Aes::begin(Wrapping kind, bool encrypt, const ContainerKey& key,
                                    ByteView iv) {
    Aes aes;
    aes.context_.reset(EVP_CIPHER_CTX_new());
    if (!aes.context_)
        return std::unexpected(Errc::no_memory);
    const EVP_CIPHER* cipher = kind == Wrapping::gdec_3 ? EVP_aes_256_ecb() : EVP_aes_256_cfb128();
    if (EVP_CipherInit_ex(aes.context_.get(), cipher, nullptr, raw(key.bytes.data()),
                          iv.empty() ? nullptr : raw(iv.data()), encrypt) != 1)
        return std::unexpected(Errc::bad_mode);
    // Otherwise libcrypto would keep the last block back to remove padding.
    EVP_CIPHER_CTX_set_padding(aes.context_.get(), 0);
    return aes;
}

void Aes::apply(std::span<std::byte> bytes) {
    int size = 0;
    EVP_CipherUpdate(context_.get(), raw(bytes.data()), &size, raw(bytes.data()),
                     static_cast<int>(bytes.size()));
}

Errc fill_random(std::span<std::byte> to) {
    return RAND_bytes(raw(to.data()), static_cast<int>(to.size())) == 1 ? Errc::ok : Errc::io;
}

}  // namespace save

using save::refuse;

ContainerKey::~ContainerKey() {
    OPENSSL_cleanse(bytes.data(), bytes.size());
}

std::expected<ContainerKey, Error> key_from_password(std::string_view password) {
    auto md5 = save::Md5::begin();
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
        OPENSSL_cleanse(decoded.data(), decoded.size());
    return key;
}

}  // namespace gdvar
