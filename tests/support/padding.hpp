// NodePath padding, which Godot 3 leaves as it finds the memory.
#pragma once

#include <utility>
#include <vector>

#include "gdvar/wire/reader.hpp"
#include "support/vectors.hpp"

namespace gdvar::test {

/// Zeroes what engines before 4.6.3 leave as memory garbage (wire-format 2.3).
struct PaddingEraser : NullSink {
    std::vector<std::byte>& bytes;
    std::vector<std::pair<std::size_t, std::size_t>> padding;
    explicit PaddingEraser(std::vector<std::byte>& bytes_) : bytes(bytes_) {}
    void raw(Field field, std::size_t offset, std::size_t size) {
        if (field == Field::padding)
            padding.emplace_back(offset, size);
    }
    Errc node_path(const NodePathView&) {
        for (const auto& [offset, size] : padding)
            for (std::size_t i = 0; i < size; ++i)
                bytes[offset + i] = std::byte{0};
        padding.clear();
        return Errc::ok;
    }
    Errc string(std::string_view) {
        padding.clear();
        return Errc::ok;
    }
    Errc packed(const PackedView&) {
        padding.clear();
        return Errc::ok;
    }
};

/// The packet with the padding inside its NodePaths zeroed; empty when it is not sound.
inline std::vector<std::byte> with_clean_paths(std::vector<std::byte> bytes,
                                               const Dialect& dialect) {
    const std::vector<std::byte> source = bytes;
    PaddingEraser eraser(bytes);
    if (!read(source, reading(dialect), eraser))
        bytes.clear();
    return bytes;
}

}  // namespace gdvar::test
