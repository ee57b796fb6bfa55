// How the packet targets read their input: the packet itself, whose second byte, which most
// dialects ignore, first chooses the dialect and the options.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gdvar/wire/dialect.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar::fuzz {

struct Input {
    std::vector<std::byte> bytes;
    DecodeOptions decoding;
    EncodeOptions encoding;

    Input(const std::uint8_t* data, std::size_t size)
        : bytes(reinterpret_cast<const std::byte*>(data),
                reinterpret_cast<const std::byte*>(data) + size) {
        const unsigned choice = size > 1 ? data[1] : 0;
        if (size > 1)
            bytes[1] = std::byte{0};
        decoding.dialect = all_dialects()[(choice & 15) % all_dialects().size()];
        decoding.allow_objects = (choice & 16) == 0;
        decoding.strict = choice & 32;
        decoding.real_width = choice & 64 ? 8 : 4;
        decoding.node_path_text = choice & 128;
        if (choice == 255)
            decoding.limits = Limits::network();
        encoding = {.dialect = decoding.dialect,
                    .allow_objects = decoding.allow_objects,
                    .real_width = decoding.real_width,
                    .max_depth = decoding.limits.max_depth};
    }
};

/// Larger inputs are not printed with indentation: each line has as many spaces as its value is
/// deep, up to 1,024 for two bytes of text, which would hide what is not linear.
inline constexpr std::size_t most_indented = 4096;

/// Ends the program where a law is broken.
inline void require(bool holds, const char* law) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", law);
    std::abort();
}

}  // namespace gdvar::fuzz
