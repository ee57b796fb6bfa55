// A binary resource as a document of a save, which is only read.
// Room: file, private.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gdvar/file/save_document.hpp"

namespace gdvar::detail {

/// DocumentKind::open. Errors: those of read_binary_resource.
std::expected<std::unique_ptr<SaveDocument>, Error> open_binary_resource(
    const DocumentKind& kind, ByteView bytes, const DocumentOptions& options);
/// DocumentKind::write. Error: unsupported_type.
std::expected<std::vector<std::byte>, DocumentError> write_binary_resource(
    std::span<const SaveItem> items, const Dialect& dialect);

}  // namespace gdvar::detail
