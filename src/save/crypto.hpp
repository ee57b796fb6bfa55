// Hashes and AES as small classes, by OpenSSL's libcrypto or, in WebAssembly, by Mbed TLS.
#pragma once

#include <array>
#include <expected>
#include <memory>
#include <span>
#include <utility>

#include "gdvar/save/container.hpp"
#include "gdvar/save/digest.hpp"

namespace gdvar::save {

using Digest = std::array<std::byte, 16>;

inline unsigned char* raw(std::byte* at) noexcept {
    return reinterpret_cast<unsigned char*>(at);
}
inline const unsigned char* raw(const std::byte* at) noexcept {
    return reinterpret_cast<const unsigned char*>(at);
}

/// MD5, SHA-1 or SHA-256 of a stream.
class Hash {
public:
    /// A program links only the kinds that it names. Errc: bad_mode (not offered), no_memory.
    static std::expected<Hash, Errc> md5();
    static std::expected<Hash, Errc> sha1();
    static std::expected<Hash, Errc> sha256();
    void add(ByteView bytes);
    /// `to` has digest_size bytes.
    void end(std::span<std::byte> to);
    /// The digest of an MD5 hash. No other kind may call it.
    Digest end() {
        Digest digest{};
        end(digest);
        return digest;
    }

private:
    /// `kind`: of the library's own type.
    static std::expected<Hash, Errc> begun(const void* kind);
    struct Free {
        void operator()(void* context) const noexcept;
    };
    std::unique_ptr<void, Free> context_;  // of the library's own type
};

/// AES-256 over a stream whose length is a multiple of 16: ECB for Godot 3, CFB for Godot 4.
class Aes {
public:
    /// `iv` has 16 bytes; ECB ignores it. Errc: bad_mode (not offered), no_memory.
    static std::expected<Aes, Errc> begin(Wrapping kind, bool encrypt, const ContainerKey& key,
                                          ByteView iv);
    /// In place; `bytes.size()` is a multiple of 16.
    void apply(std::span<std::byte> bytes);

private:
    struct Free {
        void operator()(void* context) const noexcept;
    };
    std::unique_ptr<void, Free> context_;
};

/// Errc: io.
Errc fill_random(std::span<std::byte> to);
/// Overwrites a secret with zeros. The compiler does not optimise it away.
void wipe(std::span<std::byte> secret) noexcept;

}  // namespace gdvar::save
