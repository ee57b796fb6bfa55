// annotate: every byte of a packet accounted for, one row a field.
// Room: inspect.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "gdvar/base/export.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/reader.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// One field of a packet. Rows come in the order of the bytes and leave no gap between them.
struct AnnotateRow {
    std::uint64_t offset = 0;  ///< from the start of the bytes given
    std::uint64_t size = 0;    ///< 0 only for the row that reports the break
    std::string_view path;     ///< `$.players[3].pos`; valid while the row is given
    std::string type;          ///< "Vector3", "header", "count", "padding", ...
    std::string value;         ///< what the bytes mean, shortened where long
    std::string note;          ///< quirks, and why the reading broke off
};

/// Gives to `row` every field of the packet at the start of `bytes`, then the bytes after the
/// packet, if any, as one row. On broken input: gives everything up to the break, then the bytes
/// that were not understood, then a row of size 0 with the reason. Time: linear in the bytes.
/// Memory: the longest path, and about 200 bytes for each container that is open at once. Returns
/// how many bytes the packet took. Errors: as `read`, after all rows were given.
[[nodiscard]] std::expected<std::size_t, Error> annotate(
    ByteView bytes, const DecodeOptions& options,
    const std::function<void(const AnnotateRow&)>& row);

/// "header", "length", "padding": what a field is called in rows and in descriptions for other
/// tools.
std::string_view field_name(Field field) noexcept;

}  // namespace inspect
}  // namespace gdvar
