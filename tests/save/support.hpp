// Shared by the tests of this room.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gdvar/save/coding.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"
#include "support/data.hpp"
#include "support/system.hpp"

namespace gdvar::test {

// A source that gives at most `step` bytes at a time and can't be read twice, like a pipe.
class Dribble final : public Source {
public:
    Dribble(ByteView bytes, std::size_t step) : bytes_(bytes), step_(step) {}
    std::expected<std::size_t, FileError> read(std::span<std::byte> to) override {
        return bytes_.read(to.first(std::min(to.size(), step_)));
    }

private:
    MemorySource bytes_;
    std::size_t step_;
};

inline std::vector<std::vector<std::byte>> packets_of(Source& source,
                                                      ByteOrder order = ByteOrder::little) {
    std::vector<std::vector<std::byte>> packets;
    RecordReader reader(source, order);
    for (;;) {
        auto record = reader.next();
        if (!record)
            ADD_FAILURE() << to_string(record.error());
        if (!record || !*record)
            return packets;
        packets.emplace_back((*record)->packet.begin(), (*record)->packet.end());
    }
}

inline std::vector<std::byte> wrap(ByteView bytes, const WriteOptions& options) {
    std::vector<std::byte> out;
    MemorySource from(bytes);
    MemoryTarget to(out);
    auto size = write_container(from, to, options);
    if (!size)
        ADD_FAILURE() << to_string(size.error());
    return out;
}

inline std::vector<std::byte> bytes_of_hex(std::string_view text) {
    return from_hex(text).value();
}

// Some bytes that compress in part: runs, repeats and noise.
inline std::vector<std::byte> sample_bytes(std::size_t size, std::uint32_t seed = 1) {
    std::vector<std::byte> bytes;
    while (bytes.size() < size) {
        seed = seed * 1664525u + 1013904223u;
        const std::size_t n = std::min<std::size_t>(seed >> 24 & 63, size - bytes.size());
        const std::size_t back = 1 + (seed >> 8 & 0x3FFF);
        for (std::size_t i = 0; i < n; ++i) {
            if ((seed & 0xC00000) == 0 || bytes.size() < back)
                bytes.push_back(static_cast<std::byte>((seed >> (i % 24)) + i));
            else
                bytes.push_back(bytes[bytes.size() - back]);
        }
    }
    return bytes;
}

}  // namespace gdvar::test
