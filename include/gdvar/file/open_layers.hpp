// Finds the layers around what a file holds, from the file inwards, and opens them.
// Room: file. Rules: wire-format 5; docs/recognition.md.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/save/recognise.hpp"

namespace gdvar GDVAR_EXPORT {

struct LoadedDocument;  // private

/// One place of the stack: the reason for a layer, or for the document.
struct Finding {
    InputKind kind = InputKind::unknown;  ///< of a value: `unknown`
    std::string reason{};
    std::vector<Reading> others{};     ///< what else it may be, the most plausible first
    std::vector<Reading> ruled_out{};  ///< what it looks like, with the reason why it is not that
};

/// The layers of a file, opened.
struct OpenLayers {
    std::vector<Layer> layers{};  ///< the outermost first
    /// The file, then what is inside of each layer. Each borrows from the one before it.
    std::vector<std::unique_ptr<Source>> sources{};
    InputKind kind = InputKind::unknown;  ///< what the innermost layer holds
    std::vector<Reading> readings{};      ///< of that, the one that was chosen first
    /// One for each layer and each document, in the order of the stack; the last is that of the
    /// innermost layer's content.
    std::vector<Finding> findings{};
    std::uint64_t skip = 0;  ///< bytes of the file before the outermost layer
    /// A value holds something encrypted, which none of the keys opened. It is no layer then.
    bool locked = false;
    /// The most bytes of a text inside of the layers: SaveOptions::max_text, or the file's size.
    std::uint64_t most_text = default_max_text;
    /// The innermost layer holds a text that is larger, or has more values than `most_values` of
    /// it, so it was not read: it stays `foreign`.
    bool text_too_large = false;
    /// The text in which the innermost layer's document was found, as it was read for that: null,
    /// or a document of `kind`, of a dialect that nobody has named.
    std::shared_ptr<LoadedDocument> loaded{};

    /// The innermost layer's content, from its start. It has been read: rewind it first.
    Source& inside() const noexcept { return *sources.back(); }

    /// Damage or bytes behind a layer.
    struct Fault {
        std::size_t layer = 0;  ///< its number
        FileError error{};      ///< offset: in what is around the layer
        std::uint64_t behind = 0;
    };
    /// The outermost damage that has been met so far, with `up_to_break`.
    std::optional<Fault> broken() const;
    /// The outermost layer with bytes behind it. Known once the layer was read to its end. They
    /// are kept by `write_layers` with these layers as `before`.
    std::optional<Fault> trailing() const;
};

/// Why a layer could not be opened, and what was found up to there.
struct LayersError {
    FileError error{};
    /// Its `kind` is that of the layer, if it was recognised. `sources.front()` is the file.
    OpenLayers found{};
};

/// Finds the layers around what a file holds, and opens them. A file without layers is given as it
/// is. Errors: depth_limit (more than 8 layers); those of `recognise` and of each layer's `open`;
/// for `inside` also bad_path, those of SaveDocument and lookup, and wrong_type (a value that can
/// hold nothing); for `entries` bad_path (no pack), those of open_archive, Archive::find and
/// Archive::open. A pack is the document if none of its files is named.
[[nodiscard]] std::expected<OpenLayers, LayersError> open_layers(std::unique_ptr<Source> file,
                                                                 const SaveOptions& options = {});

}  // namespace gdvar
