// What a save is wrapped in, from the file in to the values: found, taken off and put back.
// Room: file. Rules: wire-format 5.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar {

struct LayerKind;

/// One wrapping as it was found, or is to be made.
struct Layer {
    const LayerKind* kind = nullptr;  ///< one of `layer_kinds`
    Compression compression = Compression::zstd;  ///< of GCPF
    std::uint32_t block_size = 4096;              ///< of GCPF
    bool newline = false;                         ///< of text: whether a line's end follows
    /// "gcpf-zstd", "gdec-4", "base64".
    std::string name() const;
};

struct LayerOptions {
    /// For GDEC. Borrowed during the call.
    const ContainerKey* key = nullptr;
    std::uint64_t skip = 0;  ///< bytes before the outermost layer
    /// Refused when a layer says that it holds more.
    std::uint64_t max_bytes = 1u << 30;
};

/// A kind of layer: a row of a table. What it needs of a file's content is in `Layer`.
struct LayerKind {
    std::string_view name;
    InputKind seen_as;  ///< what `recognise` says of bytes in it
    bool encrypts;
    /// Fills in `layer`, whose `kind` may become another one that looks alike. The source is borrowed
    /// for as long as the result lives. Errors: as open_container; bad_base64, bad_hex.
    std::expected<std::unique_ptr<Source>, Error> (*open)(Source& source, const LayerOptions& options,
                                                          Layer& layer);
    /// Wraps all that is left of `from`. Errors: as write_container.
    std::expected<void, Error> (*write)(Source& from, Target& to, const Layer& layer,
                                        const ContainerKey* key);
};

/// All of them: gcpf, gdec-3, gdec-4, hex, base64.
std::span<const LayerKind> layer_kinds() noexcept;
/// The row for what `recognise` saw, or null where that is no layer.
const LayerKind* find_layer_kind(InputKind seen) noexcept;
/// The layer with that name, "gcpf-zstd". Errors: bad_mode.
[[nodiscard]] std::expected<Layer, Error> find_layer(std::string_view name);
bool encrypts(std::span<const Layer> layers) noexcept;

/// Wraps `inner`, from the innermost layer out, into `to`; without layers it is copied. `inner` is
/// rewound first. Errors: bad_key (an encrypting layer without a key), those of the layers.
[[nodiscard]] std::expected<void, Error> write_layers(Source& inner, Target& to, std::span<const Layer> layers,
                                        const ContainerKey* key);

}  // namespace gdvar
