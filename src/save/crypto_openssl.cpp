// Cryptography by OpenSSL's libcrypto. WebAssembly uses crypto_mbedtls.cpp instead.
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

void Hash::Free::operator()(void* context) const noexcept {
    EVP_MD_CTX_free(digesting(context));
}
void Aes::Free::operator()(void* context) const noexcept {
    EVP_CIPHER_CTX_free(ciphering(context));
}

std::expected<Hash, Errc> Hash::begun(const void* kind) {
    Hash hash;
    hash.context_.reset(EVP_MD_CTX_new());
    if (!hash.context_)
        return std::unexpected(Errc::no_memory);
    if (EVP_DigestInit_ex(digesting(hash.context_.get()), static_cast<const EVP_MD*>(kind),
                          nullptr) != 1)
        return std::unexpected(Errc::bad_mode);
    return hash;
}

std::expected<Hash, Errc> Hash::md5() {
    return begun(EVP_md5());
}
std::expected<Hash, Errc> Hash::sha1() {
    return begun(EVP_sha1());
}
std::expected<Hash, Errc> Hash::sha256() {
    return begun(EVP_sha256());
}

void Hash::add(ByteView bytes) {
    EVP_DigestUpdate(digesting(context_.get()), raw(bytes.data()), bytes.size());
}

void Hash::end(std::span<std::byte> to) {
    unsigned int size = 0;
    EVP_DigestFinal_ex(digesting(context_.get()), raw(to.data()), &size);
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
    // Otherwise libcrypto would hold back the last block to remove padding.
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
