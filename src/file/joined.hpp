// The values of a save as one value, in which changes are compared and made by path.
// Room: file, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar::detail {

/// The shape of a save as one value, and the start of its paths: nothing, a record's number or a
/// setting's name.
enum class Contents : std::uint8_t { value, records, settings };
GDVAR_EXPORT Contents contents_of(const DocumentKind& kind) noexcept;

/// The values of a save as one packet: the value itself, an Array of records, a Dictionary of
/// settings.
class GDVAR_EXPORT Joined {
public:
    /// `how`: how the values are read.
    Joined(Contents contents, const DecodeOptions& how);
    /// Adds a value. Its packet is copied, without bytes behind the value; its key is borrowed.
    /// Errors: those of `validate`, and of `encode` for the name and for the whole; duplicate_key
    /// (a setting stands twice), too_large.
    [[nodiscard]] std::expected<void, Error> add(const SaveItem& item);
    void reserve(std::size_t bytes) { packet_.reserve(bytes); }

    Contents contents() const noexcept { return contents_; }
    ByteView bytes() const noexcept { return as_bytes(packet_); }
    /// How the whole is read, or written: it is one level deeper than its values, each of which was
    /// read as strictly as was asked for.
    DecodeOptions reading() const noexcept;
    EncodeOptions writing() const noexcept;
    bool has_setting(std::string_view name) const { return keys_.contains(name); }
    /// Value `number`, as it was added.
    ByteView packet(std::size_t number) const noexcept;
    std::size_t size() const noexcept { return values_.size(); }

    /// A value of the changed whole.
    struct Part {
        std::string_view key{};           ///< of a setting
        ByteView packet{};                ///< borrowed from the whole, or as it was added
        std::optional<std::size_t> of{};  ///< the number of the value that it was
        bool whole = false;               ///< nothing in it has changed
    };
    /// The values of `root`, which `patch_packet` has made of this whole. Errors: wrong_type (a
    /// setting whose name is no String; the whole is another value).
    [[nodiscard]] std::expected<std::vector<Part>, Error> split(
        const View& root, std::span<const inspect::KeptBytes> kept) const;
    /// True if each value that bytes follow has stayed whole.
    bool keeps_behind(std::span<const Part> parts) const;

private:
    struct Value {
        std::uint64_t begin, end;  ///< in the whole
        std::uint8_t lent;         ///< padding that was added so that other values can follow
        bool behind;               ///< bytes followed it
    };
    Part part_of(ByteView packet, const View& root, std::span<const inspect::KeptBytes> kept) const;

    Contents contents_;
    DecodeOptions how_;
    PackedByteArray packet_;
    std::optional<Error> failed_;  ///< why the whole could not be begun
    std::vector<Value> values_;
    std::map<std::string_view, std::string_view> keys_;  ///< of settings, by name
};

}  // namespace gdvar::detail
