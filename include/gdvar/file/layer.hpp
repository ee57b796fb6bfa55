// The layers around a save's values, from the file inwards: how to find, open and write them.
// Room: file. Rules: wire-format 5.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar GDVAR_EXPORT {

struct LayerKind;

/// A key that may open a layer, and what messages call it.
struct NamedKey {
    std::string name;
    ContainerKey key;
};

/// One layer, as it was found or is to be written.
struct Layer {
    const LayerKind* kind = nullptr;              ///< one of `layer_kinds`
    Compression compression = Compression::zstd;  ///< of GCPF
    std::uint32_t block_size = 4096;              ///< of GCPF
    bool newline = false;                         ///< of text: whether a newline follows
    /// Which of `LayerOptions::keys` opened the layer. `write_layers` writes it with this key
    /// again.
    std::optional<NamedKey> opened_with{};
    /// "gcpf-zstd", "gdec-4", "base64".
    std::string name() const;
};

/// How a layer is opened.
struct LayerOptions {
    /// For GDEC. Borrowed during the call.
    const ContainerKey* key = nullptr;
    /// Tried one after the other for GDEC, where `key` is null. Each takes a pass over the layer:
    /// only its checksum tells whether a key fits. Borrowed during the call.
    std::span<const NamedKey> keys{};
    std::uint64_t skip = 0;  ///< bytes before the outermost layer
    /// Limit of the size that a layer declares, in bytes. A larger one is refused.
    std::uint64_t max_bytes = 1u << 30;
};

/// A kind of layer: a row of a table. What differs from file to file is in `Layer`.
struct LayerKind {
    std::string_view name;
    InputKind seen_as;  ///< what `recognise` says of bytes in it
    bool encrypts;
    /// Opens the layer and fills in `layer`. `layer.kind` may change to a kind that looks alike.
    /// The result borrows `source` as long as it lives. Errors: as open_container (bad_checksum if
    /// none of the keys fits); bad_base64, bad_hex.
    std::expected<std::unique_ptr<Source>, FileError> (*open)(Source& source,
                                                              const LayerOptions& options,
                                                              Layer& layer);
    /// Wraps the remaining bytes of `from`. Errors: as write_container.
    std::expected<void, FileError> (*write)(Source& from, Target& to, const Layer& layer,
                                            const ContainerKey* key);
};

/// All kinds: gcpf, gdec-3, gdec-4, hex, base64.
std::span<const LayerKind> layer_kinds() noexcept;
/// The row for a result of `recognise`; null if that is no layer.
const LayerKind* find_layer_kind(InputKind seen) noexcept;
/// The layer with that name, "gcpf-zstd". Errors: bad_mode.
[[nodiscard]] std::expected<Layer, Error> find_layer(std::string_view name);
bool encrypts(std::span<const Layer> layers) noexcept;
/// Whether one of them encrypts and knows no key itself, so that `write_layers` needs one.
bool needs_key(std::span<const Layer> layers) noexcept;

/// The layers of a file, opened.
struct OpenLayers {
    std::vector<Layer> layers{};  ///< the outermost first
    /// The file, then what is inside of each layer. Each borrows from the one before it.
    std::vector<std::unique_ptr<Source>> sources{};
    InputKind kind = InputKind::unknown;  ///< what the innermost layer holds
    std::vector<Reading> readings{};      ///< what else it may be, the most plausible first

    /// What the innermost layer holds, from its start. It has been read: rewind it first.
    Source& inside() const noexcept { return *sources.back(); }
};

/// Finds the layers around what a file holds, and opens them. A file without layers is given as it
/// is. Errors: depth_limit (more than 8 layers); those of `recognise` and of each layer's `open`.
[[nodiscard]] std::expected<OpenLayers, FileError> open_layers(std::unique_ptr<Source> file,
                                                               const LayerOptions& options = {});

/// Wraps `inner` in the layers, the innermost first, and writes the result to `to`. Without layers
/// the bytes are copied. `inner` is rewound first. `key` is for layers that know no key themselves
/// (`opened_with`); it may be null. Errors: bad_key (an encrypting layer without a key), those of
/// the layers.
[[nodiscard]] std::expected<void, FileError> write_layers(Source& inner, Target& to,
                                                          std::span<const Layer> layers,
                                                          const ContainerKey* key);

}  // namespace gdvar
