// The layers of a damaged save, opened as far as they can be, and the document inside.
// Room: file, private.
#pragma once

#include <algorithm>
#include <expected>
#include <functional>
#include <memory>
#include <vector>

#include "file/layers/value_layer.hpp"
#include "file/recovery/recover_rows.hpp"
#include "gdvar/file/recover.hpp"
#include "wire/refuse.hpp"

namespace gdvar::recovering {

using detail::refuse;

/// The bytes of a file, or of what a layer holds.
struct Content {
    std::vector<std::byte> bytes;
    std::vector<DamagedPart> parts;
    bool padded = false;  ///< up to 15 zeros at the end may be no content
};

/// How much there is of a value of a text. There may be one for every two characters.
struct TextItem {
    std::uint64_t offset = 0;  ///< where it begins, in the text as it was read
    /// The break of a partial value, else null. The error's offset counts from the value's begin.
    std::unique_ptr<RecoveredBreak> broken{};
};

/// Layers found in some bytes, and the document in them.
struct Found {
    std::vector<Layer> layers;
    std::vector<LayerDamage> damage;
    std::vector<std::string> notes;
    InputKind kind = InputKind::unknown;  ///< of the document
    const Dialect* dialect = nullptr;
    bool certain = false;  ///< the dialect
    Content document;
    Rows rows;  ///< of a text: only what is lost, and the score
    // For a text:
    std::vector<std::byte> text{};         ///< sound
    std::unique_ptr<SaveDocument> made{};  ///< of `text`; null: the document is no text
    std::vector<TextItem> text_items{};    ///< parallel to its items
};

/// Puts a layer around what was found, with notes on the layer.
inline void put_around(Found& found, Layer layer, std::vector<std::string> notes) {
    for (LayerDamage& damage : found.damage)
        ++damage.layer;
    for (std::string& note : notes)
        note.insert(0, layer.name() + ": ");
    found.notes.insert(found.notes.begin(), notes.begin(), notes.end());
    found.layers.insert(found.layers.begin(), std::move(layer));
}

/// Finds layers and document. Where several readings of damaged bytes are possible, it takes the
/// one that gives the most.
class LayerReader {
    static constexpr std::size_t most_layers = 8;
    /// Readings of damaged layers and of values that are tried in all. Few files have two damaged
    /// layers.
    static constexpr int most_attempts = 24;

public:
    /// `options` are borrowed.
    explicit LayerReader(const SaveOptions& options) : options_(options) {}
    /// Errors: those of `recover_save`.
    std::expected<Found, FileError> read(Content content) {
        most_text_ = std::max<std::uint64_t>(options_.max_text, content.bytes.size());
        return level(std::move(content), {});
    }

private:
    /// Where some bytes stand: how many layers are around them, and which one is next to them.
    struct Around {
        std::size_t depth = 0;
        bool text = false;                    ///< hex, Base64 or a value
        std::size_t inside = 0;               ///< of `options_.inside`, those that are opened
        std::optional<std::uint64_t> size{};  ///< that stands right in front
    };
    using Result = std::expected<Found, FileError>;

    Result level(Content content, Around around);
    Result bare(Content content, Around around);
    Result only_value(const Content& content, Around around);
    Result named_value(Found outer, Around around);
    Result in_value(OpenedValue value, bool doubtful, Around around,
                    std::vector<std::string> notes = {});
    Result almost_pascal(const Content& content, Around around);
    Result almost_size(const Content& content, Around around);
    std::expected<bool, FileError> is_certain(const Found& found) const;
    std::expected<void, FileError> try_to_write(const Found& found) const;
    SaveOptions layer_options() const;
    Result text(Content& content, InputKind seen, bool sure, Around around);
    Result open(const LayerKind& kind, Content content, Around around);
    Result open_damaged(const LayerKind& kind, const Content& content, Around around,
                        const FileError& why);
    Result open_almost(const Content& content, Around around);
    Result inside(Layer layer, DamagedContent&& damaged, bool doubtful, Around around);
    struct Way {
        std::function<std::expected<DamagedContent, Error>()> read;
        const NamedKey* key = nullptr;  ///< one of `options_.keys`
    };
    std::vector<Way> ways(const LayerKind& kind, const Content& content) const;

    const SaveOptions& options_;
    std::uint64_t most_text_ = 0;  ///< bytes of a text inside of layers
    int attempts_ = 0;             ///< readings that were tried, of all levels
};

/// The least score of a document in a value that is not named, and for the inside of a layer whose
/// checksum does not match, or whose magic is damaged. Noise has less than nothing.
inline constexpr std::int64_t convincing = 40;
/// The score of a Found, as Evidence counts it.
inline std::int64_t score_of(const Found& found) noexcept {
    return found.rows.score;
}

}  // namespace gdvar::recovering
