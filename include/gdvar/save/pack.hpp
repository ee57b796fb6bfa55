// Packs of a game (PCK): their files and contents. Packs are only read. Rules: wire-format 10.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar GDVAR_EXPORT {

/// A file of a pack, from its directory. Nothing of it is certain: the name may be anything, the
/// place may be outside of the pack.
struct PackEntry {
    std::string name;          ///< without the NULs at its end, otherwise unchanged
    std::uint64_t offset = 0;  ///< of its bytes, from the start of the source
    std::uint64_t size = 0;    ///< of its content, decrypted
    std::array<std::byte, 16> md5{};
    bool encrypted = false;
    bool removed = false;  ///< a patch removes this file; there are no bytes
    bool delta = false;    ///< a patch of a file of another pack; the bytes are those of the patch

    /// True if there is a checksum. Packers of Godot 3 write zeros.
    bool has_md5() const noexcept { return md5 != std::array<std::byte, 16>{}; }
};

/// Options of opening a pack.
struct PackOptions {
    /// The key of the game's export, for encrypted parts. Borrowed during the call.
    const ContainerKey* key = nullptr;
    std::uint64_t skip = 0;                    ///< bytes of the source before the file
    std::uint64_t max_directory = 256u << 20;  ///< limit of the directory, in bytes
};

/// The place of a pack in a file: at its start, or at the end of an executable.
struct PackPlace {
    std::uint64_t offset = 0;  ///< of the magic, from the start of the source
    bool embedded = false;     ///< at the end of another file
};

/// The place of the pack in a file: nothing if there is none. The end is searched only if the
/// source knows its size. Leaves the source rewound. Errors: those of the source.
[[nodiscard]] std::expected<std::optional<PackPlace>, FileError> find_pack(Source& source,
                                                                           std::uint64_t skip = 0);

/// The directory of a pack.
class PackFile {
public:
    /// Reads the directory. The source must be able to rewind; it is borrowed during the call. Time
    /// and memory: linear in the directory. Errors: bad_magic (no pack), bad_mode (an unknown
    /// format), truncated, bad_key (the directory is encrypted, and there is no key), bad_checksum
    /// (another key, or damaged), size_limit (`max_directory`), no_memory, io, those of the source.
    /// Offsets are positions in the source.
    [[nodiscard]] static std::expected<PackFile, FileError> open(Source& source,
                                                                 const PackOptions& options = {});

    std::uint32_t format() const noexcept { return format_; }
    /// "4.6.3": the engine that wrote it, from its header.
    std::string engine() const;
    const PackPlace& place() const noexcept { return place_; }
    bool encrypted() const noexcept { return flags_ & 1; }  ///< the directory
    /// True if the files lie beside the pack, which holds only their names.
    bool sparse() const noexcept { return flags_ & 4; }
    /// The files, in the order of the directory.
    const std::vector<PackEntry>& entries() const noexcept { return entries_; }

    /// The content of a file, decrypted, from the source of the directory. The checksum is verified
    /// here, over the whole content. The result borrows `source`, which must not be used otherwise
    /// while it lives. Errors: index_out_of_range; misplaced (the content is not in this pack: a
    /// removed file, a delta, a file beside the pack); truncated (the file ends before); bad_key
    /// (encrypted, and there is no key); bad_checksum (another key, or damaged); no_memory, those
    /// of the source.
    [[nodiscard]] std::expected<std::unique_ptr<Source>, FileError> open_entry(
        Source& source, std::size_t index, const ContainerKey* key = nullptr) const;

private:
    std::uint32_t format_ = 0, flags_ = 0;
    std::array<std::uint32_t, 3> engine_{};
    PackPlace place_;
    std::vector<PackEntry> entries_;
};

}  // namespace gdvar
