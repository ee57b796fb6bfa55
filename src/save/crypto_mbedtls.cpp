// Cryptography by Mbed TLS, for WebAssembly: libcrypto is ten times as large as all of gdvar there.
#include <mbedtls/aes.h>
#include <mbedtls/md5.h>
#include <mbedtls/platform_util.h>
#include <mbedtls/sha1.h>
#include <mbedtls/sha256.h>

#include <new>

#include "base/random_import.hpp"
#include "save/crypto.hpp"

namespace gdvar::save {
namespace {

struct Hashing {
    DigestKind kind;
    union {
        mbedtls_md5_context md5;
        mbedtls_sha1_context sha1;
        mbedtls_sha256_context sha256;
    };
    explicit Hashing(DigestKind of) noexcept : kind(of) {
        if (kind == DigestKind::md5) {
            mbedtls_md5_init(&md5);
            mbedtls_md5_starts_ret(&md5);
        } else if (kind == DigestKind::sha1) {
            mbedtls_sha1_init(&sha1);
            mbedtls_sha1_starts_ret(&sha1);
        } else {
            mbedtls_sha256_init(&sha256);
            mbedtls_sha256_starts_ret(&sha256, 0);
        }
    }
};

Hashing& hashing(void* context) noexcept {
    return *static_cast<Hashing*>(context);
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

void Hash::Free::operator()(void* context) const noexcept {
    wipe({static_cast<std::byte*>(context), sizeof(Hashing)});
    delete static_cast<Hashing*>(context);
}
void Aes::Free::operator()(void* context) const noexcept {
    delete static_cast<Cipher*>(context);
}

std::expected<Hash, Errc> Hash::begin(DigestKind kind) {
    Hash hash;
    hash.context_.reset(new (std::nothrow) Hashing(kind));
    if (!hash.context_)
        return std::unexpected(Errc::no_memory);
    return hash;
}

void Hash::add(ByteView bytes) {
    Hashing& to = hashing(context_.get());
    if (to.kind == DigestKind::md5)
        mbedtls_md5_update_ret(&to.md5, raw(bytes.data()), bytes.size());
    else if (to.kind == DigestKind::sha1)
        mbedtls_sha1_update_ret(&to.sha1, raw(bytes.data()), bytes.size());
    else
        mbedtls_sha256_update_ret(&to.sha256, raw(bytes.data()), bytes.size());
}

void Hash::end(std::span<std::byte> to) {
    Hashing& from = hashing(context_.get());
    if (from.kind == DigestKind::md5)
        mbedtls_md5_finish_ret(&from.md5, raw(to.data()));
    else if (from.kind == DigestKind::sha1)
        mbedtls_sha1_finish_ret(&from.sha1, raw(to.data()));
    else
        mbedtls_sha256_finish_ret(&from.sha256, raw(to.data()));
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
