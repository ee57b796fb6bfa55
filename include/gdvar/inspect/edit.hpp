// Changing one value of a packet and nothing else of it.
// Room: inspect.
#pragma once

#include <cstddef>
#include <expected>
#include <string_view>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// The packet with another value at `path` (as in `lookup`). Only that value's
/// bytes are replaced, and counts where something is added; every other byte stays as it is, odd
/// ones too.
///
/// A Dictionary key or an Object's property that is missing is added at the end, and so is the
/// element of an Array whose index is its size (or `[+]`). An element of a packed array is
/// converted to what the array holds. For a math value's component (`.pos.x`) only its own bytes
/// are replaced; a float is rounded to single precision where the value has that.
///
/// Errors: those of `read` for the packet; bad_path, missing_key, index_out_of_range, wrong_type (a
/// step into what is no container, or a value that a typed container or packed array does not
/// take), number_out_of_range (of a component or a packed array's element); those of `encode` for
/// the value. Offsets: in the packet.
[[nodiscard]] std::expected<PackedByteArray, Error> set_value(
    ByteView packet, std::string_view path, const Variant& value,
    const DecodeOptions& options = default_decode_options);
[[nodiscard]] std::expected<PackedByteArray, Error> set_value(
    ByteView packet, const Path& path, const Variant& value,
    const DecodeOptions& options = default_decode_options);

/// The packet without the pair, property or element at `path`; all other bytes stay. With the last
/// pair of a key, which engines have, all earlier pairs of that key go, so that no older value
/// comes to light; a pair that a later one hides goes alone. `removed`, if given, receives how many
/// pairs went. The root, a component, and an element of a packed array of numbers can't be erased
/// (misplaced). Errors: as `set_value`.
[[nodiscard]] std::expected<PackedByteArray, Error> erase_value(
    ByteView packet, std::string_view path, const DecodeOptions& options = default_decode_options,
    std::size_t* removed = nullptr);
[[nodiscard]] std::expected<PackedByteArray, Error> erase_value(
    ByteView packet, const Path& path, const DecodeOptions& options = default_decode_options,
    std::size_t* removed = nullptr);

/// The packet with another key for the pair at `path`, or another name for the property there. Its
/// value, its place and all other bytes stay. Earlier pairs of the same key get the new key with
/// the last one, so that they stay hidden. Errors: as `set_value`; misplaced (the root, an element
/// or a part has no key), repeated_key (the key or name is there already), wrong_type (a typed
/// Dictionary does not take the key, or a property's name is no String).
[[nodiscard]] std::expected<PackedByteArray, Error> rename_key(
    ByteView packet, std::string_view path, const Variant& key,
    const DecodeOptions& options = default_decode_options);
[[nodiscard]] std::expected<PackedByteArray, Error> rename_key(
    ByteView packet, const Path& path, const Variant& key,
    const DecodeOptions& options = default_decode_options);

}  // namespace inspect
}  // namespace gdvar
