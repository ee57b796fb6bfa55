// One change of a packet, planned before any byte is copied.
// Room: inspect, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"
#include "value/document_splice.hpp"

namespace gdvar::inspect {

/// Bytes that go, bytes that come in their place, and a count that changes.
struct GDVAR_EXPORT PacketEdit {
    /// The use of the bytes in a Document of the packet.
    enum Kind : std::uint8_t {
        value,  ///< all of `view`
        part,   ///< as many bytes of `view`
        added,  ///< a value, with its key, behind those of `view`
        gone,   ///< the value `view` of `around`, with its key
        other
    };
    Kind kind = other;
    View view{}, around{};
    std::size_t at = 0, size = 0;
    PackedByteArray with{};
    std::size_t key_at = 0, value_at = 0;  ///< `added`: in `with`; equal where there is no key
    std::size_t count_at = 0;              ///< the place of the count, if it changes
    std::int32_t count = 0;                ///< by so much

    /// Whether the packet would stay as it is.
    bool changes_nothing(ByteView packet) const noexcept;
    /// The packet with the change. Errors: no_memory.
    std::expected<PackedByteArray, Error> apply(ByteView packet) const;
    /// The same in the packet's own bytes. Has the memory first. May throw bad_alloc.
    void apply_to(std::vector<std::byte>& packet) const;
    /// As a change of the Document in which `view` is. Nothing if that must be read again.
    std::optional<detail::DocumentSplice> splice(const DecodeOptions& how) const;
};

/// A packet with `with` in place of `size` bytes at `at`. May throw bad_alloc.
GDVAR_EXPORT std::vector<std::byte> with_bytes(ByteView packet, std::size_t at, std::size_t size,
                                               ByteView with);

/// The edits of set_value, erase_value and rename_key. `root`: the value of `packet`, which was
/// read with `options`. Errors: theirs.
GDVAR_EXPORT std::expected<PacketEdit, Error> edit_set(ByteView packet, const View& root,
                                                       const Path& path, const Variant& value,
                                                       const DecodeOptions& options);
/// `unrepeated`: no Dictionary has a key twice, so nothing else goes with a pair.
GDVAR_EXPORT std::expected<PacketEdit, Error> edit_erase(ByteView packet, const View& root,
                                                         const Path& path,
                                                         const DecodeOptions& options,
                                                         bool unrepeated = false,
                                                         std::size_t* removed = nullptr);
GDVAR_EXPORT std::expected<PacketEdit, Error> edit_rename(ByteView packet, const View& root,
                                                          const Path& path, const Variant& key,
                                                          const DecodeOptions& options);

}  // namespace gdvar::inspect
