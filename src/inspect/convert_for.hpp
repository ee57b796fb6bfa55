#pragma once

#include "gdvar/inspect/convert.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// As `convert`. `text`: the result is for a text of the target's family. Godot 3.2 and older read
/// no nan and no infinity in brackets, and no -inf at all: finite numbers replace them, with one
/// Loss a value.
[[nodiscard]] std::expected<Conversion, Error> convert_for(bool text, ByteView packet,
                                                           const DecodeOptions& from,
                                                           const EncodeOptions& to,
                                                           const Renames& renames,
                                                           ConversionReport* report);

}  // namespace inspect
}  // namespace gdvar
