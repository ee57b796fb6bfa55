// The layers of a save, for the engines of another dialect.
// Room: file. Rules: wire-format 5.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/inspect/convert.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {

/// A change that convert_layers made to a layer, or could not make.
struct LayerNote {
    std::size_t layer = 0;  ///< its number
    bool changed = false;   ///< the layer was changed; else the engines can't read it as it is
    std::string what;       ///< "gdec-3 became gdec-4, which godot-4.4's engines read"
};

/// Layers for `write_layers`.
struct ConvertedLayers {
    std::vector<Layer> layers{};
    std::vector<LayerNote> notes{};
};

/// The kind of GDEC that the engines of a dialect read and write: gdec-4 from Godot 4 on, else
/// gdec-3. Wire-format 5.2.
const LayerKind& encryption_of(const Dialect& dialect) noexcept;
/// Whether Godot 4 wrote what is in these layers, by the kind of GDEC among them; nothing if there
/// is none.
std::optional<bool> written_by_godot_4(std::span<const Layer> layers) noexcept;

/// The same layers, as the engines of `to.dialect` read them: encryption becomes theirs, with the
/// same key (`Layer::opened_with`), and the document around a value is converted, as
/// SaveDocument::convert and inspect::convert do it, when the layers are written. Compression,
/// Base64 and hex stay; a note names those that these engines can't decompress. Losses of the
/// documents around values go to `report`, now and once. The result shares these documents with
/// `layers`. Errors: those of inspect::convert, inspect::make_strict and SaveDocument::convert;
/// trailing_bytes (bytes behind the packet around a value).
[[nodiscard]] std::expected<ConvertedLayers, DocumentError> convert_layers(
    std::span<const Layer> layers, const EncodeOptions& to, const inspect::Renames& renames,
    inspect::ConversionReport& report);

}  // namespace gdvar
