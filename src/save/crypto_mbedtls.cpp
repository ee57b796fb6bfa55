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

union Hashing {
    mbedtls_md5_context md5;
    mbedtls_sha1_context sha1;
    mbedtls_sha256_context sha256;
};

/// A module links only the kinds that it names.
struct HashKind {
    void (*start)(Hashing& state);
    void (*add)(Hashing& state, ByteView bytes);
    void (*end)(Hashing& state, std::span<std::byte> to);
};
template <auto state, auto init, auto start, auto update, auto finish>
constexpr HashKind kind_of{
    [](Hashing& hashing) {
        init(&(hashing.*state));
        start(&(hashing.*state));
    },
    [](Hashing& hashing, ByteView bytes) {
        update(&(hashing.*state), raw(bytes.data()), bytes.size());
    },
    [](Hashing& hashing, std::span<std::byte> to) { finish(&(hashing.*state), raw(to.data())); },
};

int start_sha256(mbedtls_sha256_context* context) noexcept {
    return mbedtls_sha256_starts_ret(context, 0);
}

constexpr const HashKind& md5_kind =
    kind_of<&Hashing::md5, mbedtls_md5_init, mbedtls_md5_starts_ret, mbedtls_md5_update_ret,
            mbedtls_md5_finish_ret>;
constexpr const HashKind& sha1_kind =
    kind_of<&Hashing::sha1, mbedtls_sha1_init, mbedtls_sha1_starts_ret, mbedtls_sha1_update_ret,
            mbedtls_sha1_finish_ret>;
constexpr const HashKind& sha256_kind =
    kind_of<&Hashing::sha256, mbedtls_sha256_init, start_sha256, mbedtls_sha256_update_ret,
            mbedtls_sha256_finish_ret>;

struct Hasher {
    const HashKind* kind;
    Hashing state;
};

Hasher& hasher(void* context) noexcept {
    return *static_cast<Hasher*>(context);
}

struct Cipher {
    mbedtls_aes_context aes;
    unsigned char iv[16] = {};
    std::size_t at = 0;  ///< used bytes of the block
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
    wipe({static_cast<std::byte*>(context), sizeof(Hasher)});
    delete &hasher(context);
}
void Aes::Free::operator()(void* context) const noexcept {
    delete static_cast<Cipher*>(context);
}

std::expected<Hash, Errc> Hash::begun(const void* kind) {
    Hash hash;
    hash.context_.reset(new (std::nothrow) Hasher{static_cast<const HashKind*>(kind), {}});
    if (!hash.context_)
        return std::unexpected(Errc::no_memory);
    Hasher& begun = hasher(hash.context_.get());
    begun.kind->start(begun.state);
    return hash;
}

std::expected<Hash, Errc> Hash::md5() {
    return begun(&md5_kind);
}
std::expected<Hash, Errc> Hash::sha1() {
    return begun(&sha1_kind);
}
std::expected<Hash, Errc> Hash::sha256() {
    return begun(&sha256_kind);
}

void Hash::add(ByteView bytes) {
    Hasher& to = hasher(context_.get());
    to.kind->add(to.state, bytes);
}

void Hash::end(std::span<std::byte> to) {
    Hasher& from = hasher(context_.get());
    from.kind->end(from.state, to);
}

std::expected<Aes, Errc> Aes::begin(Wrapping kind, bool encrypt, const ContainerKey& key,
                                    ByteView iv) {
    auto* const cipher = new (std::nothrow) Cipher(kind, encrypt);
    Aes aes;
    aes.context_.reset(cipher);
    if (!cipher)
        return std::unexpected(Errc::no_memory);
    // CFB always uses the encryption key.
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
