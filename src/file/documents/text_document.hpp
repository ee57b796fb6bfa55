// Documents of text: their values as packets, and where each stands in the text.
#pragma once

#include <expected>
#include <string_view>

#include "gdvar/file/save_document.hpp"

namespace gdvar::detail {

/// The bytes of a new text of these values: DocumentKind::write.
std::expected<std::vector<std::byte>, DocumentError> write_new_text(const DocumentKind& kind,
                                                                    std::span<const SaveItem> items,
                                                                    const Dialect& dialect);

/// DocumentKind::open of all kinds of text.
std::expected<std::unique_ptr<SaveDocument>, Error> open_text(const DocumentKind& kind,
                                                              ByteView bytes,
                                                              const DocumentOptions& options);

}  // namespace gdvar::detail
