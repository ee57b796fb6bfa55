// Cryptography by Mbed TLS, for WebAssembly: libcrypto is ten times as large as all of gdvar there.
#include <mbedtls/aes.h>
#include <mbedtls/md5.h>
#include <mbedtls/platform_util.h>

#include <new>

#include "base/random_import.hpp"
#include "save/crypto.hpp"

namespace gdvar::save {
namespace {

mbedtls_md5_context* digesting(void* context) noexcept {
    return static_cast<mbedtls_md5_context*>(context);
}

struct Cipher {
    mbedtls_aes_context aes;
    unsigned char iv[16] = {};
    std::size_t at = 0;  ///< how much of the block is used up
    bool feedback;       ///< CFB; else ECB
    int mode;
    explicit Cipher(Wrapping kind, bool encrypt) noexcept
        : feedback(kind != Wrapping::gdec_3),
          mode(encrypt ? MBEDTLS_AES_ENCRYPT : MBEDTLS_AES_DECRYPT) {
        mbedtls_aes_init(&aes);
    }
    ~Cipher() { mbedtls_aes_free(&aes); }
    Cipher(const Cipher&) = delete;
    Cipher& operator=(const Cipher&) = delete;
};

}  // namespace

void Md5::Free::operator()(void* context) const noexcept {
    mbedtls_md5_free(digesting(context));
    delete digesting(context);
}
void Aes::Free::operator()(void* context) const noexcept {
    delete static_cast<Cipher*>(context);
}

std::expected<Md5, Errc> Md5::begin() {
    Md5 md5;
    md5.context_.reset(new (std::nothrow) mbedtls_md5_context);
    if (!md5.context_)
        return std::unexpected(Errc::no_memory);
    mbedtls_md5_init(digesting(md5.context_.get()));
    mbedtls_md5_starts_ret(digesting(md5.context_.get()));
    return md5;
}

void Md5::add(ByteView bytes) {
    mbedtls_md5_update_ret(digesting(context_.get()), raw(bytes.data()), bytes.size());
}

Digest Md5::end() {
    Digest digest{};
    mbedtls_md5_finish_ret(digesting(context_.get()), raw(digest.data()));
    return digest;
}

std::expected<Aes, Errc> Aes::begin(Wrapping kind, bool encrypt, const ContainerKey& key,
                                    ByteView iv) {
    auto* const cipher = new (std::nothrow) Cipher(kind, encrypt);
    Aes aes;
    aes.context_.reset(cipher);
    if (!cipher)
        return std::unexpected(Errc::no_memory);
    // CFB only ever encrypts with the key; its feedback goes the other way.
    const auto set = cipher->feedback || encrypt ? mbedtls_aes_setkey_enc : mbedtls_aes_setkey_dec;
    if (set(&cipher->aes, raw(key.bytes.data()), 256) != 0)
        return std::unexpected(Errc::bad_mode);
    if (!iv.empty())
        std::memcpy(cipher->iv, iv.data(), sizeof cipher->iv);
    return aes;
}

void Aes::apply(std::span<std::byte> bytes) {
    auto& cipher = *static_cast<Cipher*>(context_.get());
    if (cipher.feedback) {
        mbedtls_aes_crypt_cfb128(&cipher.aes, cipher.mode, bytes.size(), &cipher.at, cipher.iv,
                                 raw(bytes.data()), raw(bytes.data()));
        return;
    }
    for (std::size_t i = 0; i + 16 <= bytes.size(); i += 16)
        mbedtls_aes_crypt_ecb(&cipher.aes, cipher.mode, raw(bytes.data() + i),
                              raw(bytes.data() + i));
}

Errc fill_random(std::span<std::byte> to) {
    gdvar_import_random(to.data(), to.size());
    return Errc::ok;
}

void wipe(std::span<std::byte> secret) noexcept {
    mbedtls_platform_zeroize(secret.data(), secret.size());
}

}  // namespace gdvar::save
