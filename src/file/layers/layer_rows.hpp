// The rows of the table of layers that are not containers.
#pragma once

#include "gdvar/file/layer.hpp"
#include "gdvar/save/size_in_front.hpp"

namespace gdvar {

inline std::unexpected<FileError> refuse(const Error& error) {
    return std::unexpected(FileError(error));
}
/// The bytes are at fault, and not the machine.
inline bool is_data_error(const FileError& error) noexcept {
    return error.code != Errc::io && error.code != Errc::no_memory;
}

using OpenLayer = std::expected<std::unique_ptr<Source>, FileError>(Source& source,
                                                                    const SaveOptions& options,
                                                                    Layer& layer);
using WriteLayer = std::expected<void, FileError>(Source& from, Target& to, const Layer& layer,
                                                  const LayerWriting& how);

/// Hex or Base64. Both the text and the bytes that it encodes are held in memory.
OpenLayer open_digits;
WriteLayer write_digits;

/// A length of four bytes, and a text of that length: what store_pascal_string writes. The text is
/// held in memory.
OpenLayer open_pascal;
WriteLayer write_pascal;

/// A size in front of a container, in the form of the row that is found.
OpenLayer open_size;
std::expected<void, FileError> write_size(Source& from, Target& to, SizeForm form,
                                          const LayerWriting& how);

/// A value can't be opened without the document around it.
OpenLayer open_no_value;
/// The document with another value in it.
WriteLayer write_value;

}  // namespace gdvar
