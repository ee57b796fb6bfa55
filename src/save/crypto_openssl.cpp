// Cryptography by OpenSSL's libcrypto. WebAssembly has crypto_mbedtls.cpp in its place.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "save/crypto.hpp"

namespace gdvar::save {
namespace {
EVP_MD_CTX* digesting(void* context) noexcept {
    return static_cast<EVP_MD_CTX*>(context);
}
EVP_CIPHER_CTX* ciphering(void* context) noexcept {
    return static_cast<EVP_CIPHER_CTX*>(context);
}
}  // namespace

void Md5::Free::operator()(void* context) const noexcept {
    EVP_MD_CTX_free(digesting(context));
}
void Aes::Free::operator()(void* context) const noexcept {
    EVP_CIPHER_CTX_free(ciphering(context));
}

std::expected<Md5, Errc> Md5::begin() {
    Md5 md5;
    md5.context_.reset(EVP_MD_CTX_new());
    if (!md5.context_)
        return std::unexpected(Errc::no_memory);
    if (EVP_DigestInit_ex(digesting(md5.context_.get()), EVP_md5(), nullptr) != 1)
        return std::unexpected(Errc::bad_mode);
    return md5;
}

void Md5::add(ByteView bytes) {
    EVP_DigestUpdate(digesting(context_.get()), raw(bytes.data()), bytes.size());
}

Digest Md5::end() {
    Digest digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(digesting(context_.get()), raw(digest.data()), &size);
    return digest;
}

std::expected<Aes, Errc> Aes::begin(Wrapping kind, bool encrypt, const ContainerKey& key,
                                    ByteView iv) {
    Aes aes;
    aes.context_.reset(EVP_CIPHER_CTX_new());
    if (!aes.context_)
        return std::unexpected(Errc::no_memory);
    const EVP_CIPHER* cipher = kind == Wrapping::gdec_3 ? EVP_aes_256_ecb() : EVP_aes_256_cfb128();
    if (EVP_CipherInit_ex(ciphering(aes.context_.get()), cipher, nullptr, raw(key.bytes.data()),
                          iv.empty() ? nullptr : raw(iv.data()), encrypt) != 1)
        return std::unexpected(Errc::bad_mode);
    // Otherwise libcrypto would keep the last block back to remove padding.
    EVP_CIPHER_CTX_set_padding(ciphering(aes.context_.get()), 0);
    return aes;
}

void Aes::apply(std::span<std::byte> bytes) {
    int size = 0;
    EVP_CipherUpdate(ciphering(context_.get()), raw(bytes.data()), &size, raw(bytes.data()),
                     static_cast<int>(bytes.size()));
}

Errc fill_random(std::span<std::byte> to) {
    return RAND_bytes(raw(to.data()), static_cast<int>(to.size())) == 1 ? Errc::ok : Errc::io;
}

void wipe(std::span<std::byte> secret) noexcept {
    OPENSSL_cleanse(secret.data(), secret.size());
}

}  // namespace gdvar::save
