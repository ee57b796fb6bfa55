// Shared by the tests of Godot 3's and 4's multiplayer packets.
#pragma once

#include <gtest/gtest.h>

#include "gdvar/net/multiplayer.hpp"
#include "gdvar/net/multiplayer3.hpp"
#include "support/generate.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

using namespace net;

inline PackedByteArray packed(const std::string& hex_text) {
    PackedByteArray out;
    for (const std::byte byte : unhex(hex_text))
        out.push_back(static_cast<std::uint8_t>(byte));
    return out;
}

inline String any_name(Random& random) {
    return String(any_text(random));
}

/// A value that the dialect can write, as it reads it back.
inline Variant any_writable(Random& random, const Dialect& dialect) {
    for (;;) {
        const auto bytes = encode(any_value(random, 2), writing(dialect));
        if (bytes)
            return decode(as_bytes(*bytes), reading(dialect)).value();
    }
}

inline Array any_arguments(Random& random, const Dialect& dialect) {
    Array out;
    for (std::uint64_t n = below(random, below(random, 10) ? 6 : 256); n; --n)
        out.push_back(n > 6 ? Variant(n) : any_writable(random, dialect));
    return out;
}

inline PackedByteArray any_bytes(Random& random) {
    return any_packed<std::uint8_t>(random);
}

/// Damages `packet` in every place: each proper prefix, each byte by several others. `read` must
/// say what it is, and if it is a message, it can be written and comes back the same.
template <class Decode, class Append, class Describe>
void damage(const PackedByteArray& packet, Decode&& decode_, Append&& append_,
            Describe&& describe_) {
    const auto check = [&](ByteView bytes) {
        // In memory of its own size, so that a sanitizer sees a read past its end.
        const std::vector<std::byte> exact(bytes.begin(), bytes.end());
        auto message = decode_(ByteView(exact));
        if (!message) {
            ASSERT_NE(message.error().code, Errc::ok);
            ASSERT_LE(message.error().offset, exact.size());
            return;
        }
        PackedByteArray again;
        if (!append_(again, *message)) {
            ASSERT_TRUE(again.empty());
            return;
        }
        auto twin = decode_(as_bytes(again));
        ASSERT_TRUE(twin) << hex(exact);
        ASSERT_TRUE(identical(describe_(*twin), describe_(*message))) << hex(exact);
    };
    const ByteView whole = as_bytes(packet);
    for (std::size_t n = 0; n < whole.size(); ++n)
        check(whole.first(n));
    std::vector<std::byte> changed(whole.begin(), whole.end());
    for (std::byte& byte : changed) {
        const std::byte before = byte;
        for (const unsigned other : {0u, 1u, 3u, 0x18u, 0x7Fu, 0x80u, 0xFFu}) {
            byte = static_cast<std::byte>(other);
            check(changed);
        }
        for (unsigned bit = 1; bit < 256; bit *= 2) {
            byte = before ^ static_cast<std::byte>(bit);
            check(changed);
        }
        byte = before;
    }
}

}  // namespace gdvar::test
