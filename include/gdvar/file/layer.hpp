// The layers around a save's values: the kinds, their names, and how they are opened and written.
// How they are found: gdvar/file/open_layers.hpp.
// Room: file. Rules: wire-format 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/save_options.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/size_in_front.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

struct LayerKind;

namespace detail {
class DocumentAround;
}

/// Where the value of a `string` or `bytes` layer stands: in a document around it.
struct ValuePlace {
    InputKind document = InputKind::unknown;
    /// The dialect of that document's packets; null if it is a text, or a packet that is the same
    /// in all dialects.
    const Dialect* dialect = nullptr;
    /// "#0 $.data"; empty for the only value of the document.
    std::string path{};
    /// The means to write the document with another value. Only open_layers makes one.
    std::shared_ptr<const detail::DocumentAround> around{};
};

/// One layer, as it was found or is to be written. Copies share what they know of the document
/// around a value.
struct Layer {
    const LayerKind* kind = nullptr;              ///< one of `layer_kinds`
    Compression compression = Compression::zstd;  ///< of GCPF
    std::uint32_t block_size = 4096;              ///< of GCPF
    DigitForm digits{};                           ///< of hex and Base64
    /// For hex and Base64: why the text can't be written again in its own form; null if it can.
    const char* no_form = nullptr;
    /// For string, string-name and bytes, which can't be written without it.
    std::optional<ValuePlace> place{};
    /// For a pack and a browser's files: the name of the file that is inside.
    std::string entry{};
    /// Which of `SaveOptions::keys` opened the layer. `write_layers` writes it with this key
    /// again.
    std::optional<NamedKey> opened_with{};
    /// "gcpf-zstd", "gdec-4", "gzip", "base64", "string".
    std::string name() const;
};

struct SumsKept;

/// Arguments of writing a layer.
struct LayerWriting {
    /// For GDEC. Borrowed during the call.
    const ContainerKey* key = nullptr;
    /// The layer that the new one takes the place of, with what is around it opened; null: none.
    /// Unchanged parts are copied (`WriteOptions::before`). Borrowed during the call.
    Source* before = nullptr;
    std::uint64_t before_skip = 0;  ///< bytes of `before` before the layer
    /// Sizes of the container behind a size in front; none if there is none with a magic.
    std::optional<ContainerSizes> sizes{};
    /// Gets the sizes and checksums beside a value that are wrong now; null: nobody asks.
    SumsKept* sums = nullptr;
};

/// A kind of layer: a row of a table. The data of one file is in `Layer`.
struct LayerKind {
    std::string_view name;
    InputKind seen_as;  ///< what `recognise` says of bytes in it; `unknown` for values
    bool encrypts;
    /// Opens the layer and fills in `layer`. `layer.kind` may change to a kind that looks alike.
    /// The result borrows `source` as long as it lives. Errors: as open_container (bad_checksum if
    /// none of the keys fits); bad_base64, bad_hex; misplaced (a value: see open_layers).
    std::expected<std::unique_ptr<Source>, FileError> (*open)(Source& source,
                                                              const SaveOptions& options,
                                                              Layer& layer);
    /// Wraps the remaining bytes of `from`. Errors: as write_container; bad_base64 and bad_hex (a
    /// text that can't be written in its own form); misplaced (a value without a place, a size in
    /// front of nothing that has a magic); too_large (a size that its bytes can't hold); bad_utf8
    /// (a String can't hold the bytes); those of SaveDocument::write.
    std::expected<void, FileError> (*write)(Source& from, Target& to, const Layer& layer,
                                            const LayerWriting& how);

    /// Whether it is a value that holds what is inside: a String, a StringName, a PackedByteArray.
    bool is_value() const noexcept { return seen_as == InputKind::unknown; }
    /// Whether it is a pack or a browser's export, with one of its files inside. It can't be
    /// written.
    bool is_archive() const noexcept {
        return seen_as == InputKind::pack || seen_as == InputKind::browser_files;
    }
    /// Whether it is a text that stands for bytes: hex, Base64, what programs print.
    bool is_text() const noexcept {
        return seen_as == InputKind::hex || seen_as == InputKind::base64 ||
               seen_as == InputKind::byte_text;
    }
    /// Whether it is a size in front of the next layer.
    bool is_size() const noexcept { return seen_as == InputKind::size; }
};

/// All kinds that can be written: gcpf, gdec-3, gdec-4, gzip, zlib, deflate, zstd, brotli, hex,
/// base64, pascal; a size in front of one of those with a magic: size-u32, size-u32-be, size-u64,
/// size-u64-be, unpacked-size-u32, ...; string, string-name, bytes.
std::span<const LayerKind> layer_kinds() noexcept;
/// The row for a result of `recognise`; null if that is no layer.
const LayerKind* find_layer_kind(InputKind seen) noexcept;
/// The row of a size in front of a container; null if there is none of that width.
const LayerKind* find_layer_kind(SizeForm size) noexcept;
/// The row of that name; null if there is none.
const LayerKind* find_layer_kind(std::string_view name) noexcept;
/// The layer with that name, "gcpf-zstd". Errors: bad_mode (no such layer; a value, which needs the
/// document around it).
[[nodiscard]] std::expected<Layer, Error> find_layer(std::string_view name);
/// The layers with these names, the outermost first: "base64 > gdec-4 > gzip". Spaces may be left
/// out. Errors: as find_layer.
[[nodiscard]] std::expected<std::vector<Layer>, Error> find_layers(std::string_view names);
/// The layer around a file of a pack, or of a browser's files; null for other kinds.
const LayerKind* archive_layer_kind(InputKind seen) noexcept;
/// Whether one of them is a pack or a browser's export, so that the stack can't be written.
bool has_archive(std::span<const Layer> layers) noexcept;
bool encrypts(std::span<const Layer> layers) noexcept;
/// Whether one of them encrypts and knows no key itself, so that `write_layers` needs one.
bool needs_key(std::span<const Layer> layers) noexcept;

/// The layers, of which those that encrypt and know no key themselves take the key that opened one
/// of `opened` (`Layer::opened_with`), if there is one.
std::vector<Layer> with_key_of(std::vector<Layer> layers, std::span<const Layer> opened);

/// A whole stack in words: "gdec-3 > gzip > godot-3.1 records",
/// "godot-4.4 records > string at #0 $.data > json". `dialect`: of the innermost document; null: it
/// is left out.
std::string stack_in_words(std::span<const Layer> layers, InputKind document,
                           const Dialect* dialect = nullptr);

struct OpenLayers;

/// Wraps `inner` in the layers, the innermost first, and writes the result to `to`. Without layers
/// the bytes are copied. `inner` is rewound first. `key` is for layers that know no key themselves
/// (`opened_with`); it may be null. `before`: the same layers, as they were opened; what need not
/// change is copied from them, but not the bytes that `skip` passed over. `inner` may then be none
/// of its sources, which are read at the same time. `sums`: as LayerWriting::sums. Errors: bad_key
/// (an encrypting layer without a key), those of the layers.
[[nodiscard]] std::expected<void, FileError> write_layers(Source& inner, Target& to,
                                                          std::span<const Layer> layers,
                                                          const ContainerKey* key,
                                                          const OpenLayers* before = nullptr,
                                                          SumsKept* sums = nullptr);

}  // namespace gdvar
