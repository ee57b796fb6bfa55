// Files in a file: the pack of a game, and what a game has left in a browser. They are only read.
// Room: file. Rules: wire-format 10; docs/saves.md says which exports of browsers are recognised.
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
#include "gdvar/file/layer.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/source.hpp"

namespace gdvar GDVAR_EXPORT {

/// A file of an archive.
struct ArchiveEntry {
    /// As it stands: it may be no path at all, and must be escaped before a terminal gets it. Empty
    /// if the export of a browser has no name for it.
    std::string name;
    std::uint64_t size = 0;                 ///< of its content, in bytes
    std::optional<std::uint64_t> offset{};  ///< where its bytes stand in the file, in a pack
    std::optional<std::array<std::byte, 16>> md5{};
    bool encrypted = false;
    bool opens = true;  ///< whether the archive holds its content
    /// The name leads out of its folder, is an absolute path, or has characters that are special to
    /// a system or a terminal: a program that writes files must not use it as it stands.
    bool hostile_name = false;
    /// Remarks in words: "removed by this patch", "leads out of its folder". Static
    /// texts.
    std::vector<std::string_view> notes{};
};

/// The files of a pack or of a browser's export.
class Archive {
public:
    virtual ~Archive() = default;
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    InputKind kind() const noexcept { return kind_; }
    /// "format 3 of Godot 4.6.3, 6 files".
    const std::string& description() const noexcept { return description_; }
    /// The files, in their order.
    const std::vector<ArchiveEntry>& entries() const noexcept { return entries_; }
    /// The number of the file that is meant by `name`: the file of that name, the last one if there
    /// are several, as for the engines; in a pack, `res://` may be left out on either side; "#3"
    /// is the fourth file, if none has that name. Errors: missing_key, index_out_of_range.
    [[nodiscard]] std::expected<std::size_t, Error> find(std::string_view name) const;
    /// The content of a file. The result borrows the source that the archive was opened from, not
    /// the archive. Errors: index_out_of_range, misplaced (the content is not in the archive); in a
    /// pack those of PackFile::open_entry.
    [[nodiscard]] virtual std::expected<std::unique_ptr<Source>, FileError> open(
        std::size_t number) const = 0;

protected:
    explicit Archive(InputKind kind) noexcept : kind_(kind) {}
    /// Adds notes about the names.
    void note_names();

    InputKind kind_;
    std::string description_;
    std::vector<ArchiveEntry> entries_;
};

/// Whether `recognise` has found files in a file: a pack, a browser's export.
constexpr bool is_archive(InputKind kind) noexcept {
    return kind == InputKind::pack || kind == InputKind::browser_files;
}

/// Opens what is_archive. Only the options `key`, `keys`, `skip` and `max_held` count. The source
/// is borrowed by the result and by what it opens, one file at a time. Errors: those of
/// PackFile::open, bad_checksum (none of the keys fits); those of parse_plain_json, not_recognised
/// (no such files in the JSON); size_limit; no_memory, those of the source.
[[nodiscard]] std::expected<std::unique_ptr<Archive>, FileError> open_archive(
    Source& source, InputKind kind, const SaveOptions& options = {});

}  // namespace gdvar
