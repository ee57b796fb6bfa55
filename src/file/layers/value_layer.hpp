// A value that holds what is inside: found in the document around it, and put back there.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "file/documents/loaded_document.hpp"
#include "gdvar/file/open_layers.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/value/path.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar {
namespace detail {

class DocumentAround {
public:
    /// How the document is written for another dialect.
    struct Conversion {
        EncodeOptions to;
        inspect::Renames renames;
    };

    std::shared_ptr<const LoadedDocument> loaded;
    std::size_t item = 0;
    Path path;
    Type type = Type::nil;
    bool allow_objects = false;
    std::shared_ptr<const Conversion> conversion{};  ///< null: it stays what it is

    bool objects() const { return allow_objects || loaded->document->kind().text; }
    DecodeOptions decoding() const {
        return {.dialect = loaded->dialect, .allow_objects = objects()};
    }
    EncodeOptions encoding() const {
        return {.dialect = loaded->dialect, .allow_objects = objects()};
    }
};

}  // namespace detail

/// The bytes of the document with these values, for another dialect. Errors: as convert_layers.
std::expected<std::vector<std::byte>, DocumentError> write_converted(
    const detail::DocumentAround& around, const detail::DocumentAround::Conversion& how,
    std::span<const SaveItem> items, inspect::ConversionReport& report);

struct OpenedValue {
    Layer layer;
    std::unique_ptr<Source> inside;
    std::string reason;  ///< "the only value is a String of 120 bytes"
};

/// Whether a dialect has the type of such a value under the id of a packet's header.
bool is_value_header(std::uint32_t header) noexcept;

/// The only value of a document, if that is a String, a StringName or a PackedByteArray with
/// something in it. Nothing for other documents; what can't be read is no error. `skip`: bytes of
/// the source before the document. Errors: those of the source; no_memory.
std::expected<std::optional<OpenedValue>, FileError> open_only_value(Source& source, InputKind seen,
                                                                     std::uint64_t skip,
                                                                     const SaveOptions& options);

/// The value at that path. Errors: as `open_layers` for `inside`.
std::expected<OpenedValue, FileError> open_value_at(Source& source, InputKind seen,
                                                    std::uint64_t skip, const std::string& path,
                                                    const SaveOptions& options);

/// Whether the document is one or several values of which the first is a container that is not
/// empty: nothing that comes about by chance. False for unreadable values. Errors: as
/// open_only_value.
std::expected<bool, FileError> holds_containers(Source& source, InputKind seen,
                                                const SaveOptions& options);

}  // namespace gdvar
