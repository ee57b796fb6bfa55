// A value that holds what is inside: found in the document around it, and put back there.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "file/loaded_document.hpp"
#include "gdvar/file/open_layers.hpp"

namespace gdvar {

/// A value, opened as a layer.
struct OpenedValue {
    Layer layer;
    std::unique_ptr<Source> inside;
    std::string reason;  ///< "the only value is a String of 120 bytes"
};

/// The only value of a document, if that is a String, a StringName or a PackedByteArray with
/// something in it. Nothing for other documents; what can't be read is no error. `skip`: bytes of
/// the source before the document. Errors: those of the source; no_memory.
std::expected<std::optional<OpenedValue>, FileError> open_only_value(Source& source, InputKind seen,
                                                                     std::uint64_t skip,
                                                                     const LayerOptions& options);

/// The value at that path. Errors: as `open_layers` for `inside`.
std::expected<OpenedValue, FileError> open_value_at(Source& source, InputKind seen,
                                                    std::uint64_t skip, const std::string& path,
                                                    const LayerOptions& options);

/// Whether the document is one or several values of which the first is a container that is not
/// empty: nothing that comes about by chance. What can't be read is not. Errors: as
/// open_only_value.
std::expected<bool, FileError> holds_containers(Source& source, InputKind seen,
                                                const LayerOptions& options);

}  // namespace gdvar
