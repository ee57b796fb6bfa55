#include "base/process_key.hpp"

#include <chrono>
#include <cstdio>
#include <new>
#include <random>

#include "base/random_import.hpp"

namespace gdvar::detail {
namespace {

#if defined(__wasm__)

SipKey make_key() noexcept {
    SipKey key;
    static_assert(sizeof key == 16);
    gdvar_import_random(&key, sizeof key);
    return key;
}

#else

/// Fills `words` with random numbers from the system; zeros if it has none.
void ask_system(std::uint64_t (&words)[2]) noexcept {
#if defined(__cpp_exceptions)
    try {
        std::random_device system;
        for (std::uint64_t& word : words)
            word = std::uint64_t{system()} << 32 ^ system();
    } catch (...) {  // NOLINT(bugprone-empty-catch): without numbers the zeros stay
    }
#else
    // Without exceptions, a random_device without a source would end the process.
    if (std::FILE* source = std::fopen("/dev/urandom", "rb")) {
        std::setvbuf(source, nullptr, _IONBF, 0);
        if (std::fread(words, sizeof words, 1, source) != 1)
            words[0] ^= 1;
        std::fclose(source);
    }
#endif
}

/// Without randomness from the system, addresses and clocks remain. They differ from process to
/// process, and a peer does not learn them.
SipKey make_key() noexcept {
    std::uint64_t words[2] = {0, 0};
    ask_system(words);
    static const char anchor = 0;
    void* const heap = ::operator new(64, std::nothrow);
    Sip<2, 4> mixed({words[0], words[1]});
    for (const void* address : {static_cast<const void*>(&words), static_cast<const void*>(heap),
                                static_cast<const void*>(&anchor)})
        mixed.word(reinterpret_cast<std::uintptr_t>(address));
    ::operator delete(heap);
    mixed.word(
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
    mixed.word(
        static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
    const Digest digest = mixed.finish_twice();
    return {digest.low, digest.high};
}

#endif

}  // namespace

const SipKey& process_key() noexcept {
    static const SipKey key = make_key();
    return key;
}

}  // namespace gdvar::detail
