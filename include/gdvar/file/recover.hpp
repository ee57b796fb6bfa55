// Damaged saves: everything that can be read, as a sound save, and a list of what is lost.
// Room: file.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/save/damaged.hpp"
#include "gdvar/save/target.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

/// How much of a value there is.
enum class Recovered : std::uint8_t {
    whole,
    resized,  ///< whole, but the length before it was wrong
    partial,  ///< up to a break, or around one
};
/// "whole", "resized", "partial".
std::string_view recovered_name(Recovered state) noexcept;

/// Where a value breaks off, or what it lacks.
struct RecoveredBreak {
    Error error{};           ///< why; the offset is in the packet as it was read
    std::string at;          ///< the path of the break: "$.players[3]"
    std::uint64_t line = 0;  ///< of a text: where the break is; else 0
    /// Only the item at `at` is lost, or only its count was wrong: what is behind it is there, too.
    /// `error` is why the packet could not be read as it stood.
    bool around = false;
};

/// A value that was recovered. Borrowed from the Recovery.
struct RecoveredItem {
    std::string_view key{};    ///< of a setting, as it stands in the file
    ByteView packet{};         ///< sound
    std::uint64_t offset = 0;  ///< where the packet was read, in the innermost layer's content
    const RecoveredBreak* broken = nullptr;  ///< of one that is `partial`, else null
    Recovered state = Recovered::whole;
    /// It was found by its content, behind a break: the number that it had is not known.
    bool found_again = false;
    /// It comes from bytes that may be wrong, as a checksum shows.
    bool doubtful = false;
};

/// Bytes of the document that give no value.
struct LostRange {
    std::uint64_t begin = 0, end = 0;  ///< in the innermost layer's content
    Errc code = Errc::ok;
    std::string reason;  ///< in words
    /// In a text: the line in which it begins, from 1 on; else 0.
    std::uint64_t line = 0;
    /// The path of what is lost, "$.audio.volume": of a text, or of one item inside of a value that
    /// is `around` it. May be empty.
    std::string at{};
};

/// Damage of a layer.
struct LayerDamage {
    std::size_t layer = 0;  ///< its place in `layers`
    DamagedPart part{};     ///< of its content
};

/// The readable part of a save.
class Recovery {
public:
    Recovery(Recovery&& other) noexcept;
    Recovery& operator=(Recovery&& other) noexcept;
    ~Recovery();

    /// The layers, from the outermost inwards. The results of these functions are borrowed from the
    /// Recovery.
    const std::vector<Layer>& layers() const noexcept;
    const DocumentKind& kind() const noexcept;
    const Dialect& dialect() const noexcept;
    /// Whether the dialect was given, or is the only one that fits all that was read.
    bool dialect_certain() const noexcept;
    /// The values that were recovered, in their order.
    const std::vector<RecoveredItem>& items() const noexcept;
    /// The innermost layer's content, as far as it could be read: `offset` of an item and the
    /// ranges of `lost` count in it. Bytes that are lost are zeros.
    ByteView content() const noexcept;
    /// Lost parts of the document, in its order.
    const std::vector<LostRange>& lost() const noexcept;
    /// Lost or doubtful parts of the layers' contents, the outermost layer first. Where that was
    /// in a value, `lost` has it, too.
    const std::vector<LayerDamage>& damage() const noexcept;
    /// Other faults, in words: "gcpf-zstd: the magic at the end is missing".
    const std::vector<std::string>& notes() const noexcept;
    /// Whether the save was sound: all of it is there, and nothing is to be noted.
    bool sound() const noexcept;

    /// Writes a sound save of the values: in the same layers, or in these. Errors: bad_key (an
    /// encrypting layer without a key, `Layer::opened_with`), too_large, no_memory; those of the
    /// target.
    [[nodiscard]] std::expected<void, FileError> write(Target& to, const ContainerKey* key) const;
    [[nodiscard]] std::expected<void, FileError> write(Target& to, std::span<const Layer> layers,
                                                       const ContainerKey* key) const;

private:
    friend std::expected<Recovery, FileError> recover_save(ByteView bytes,
                                                           const SaveOptions& options);
    struct State;
    explicit Recovery(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// Reads what can be read of a save, sound or damaged.
///
/// Layers: of a GCPF each block that is whole, and others up to their break; a GDEC also with a
/// wrong checksum, if what comes out makes sense; Base64 and hex with wrong characters; of other
/// layers what comes before the break.
///
/// Records and settings: those before a break, and those behind it, which are found by their
/// lengths and their content. Random bytes do not pass for records, but what a value holds may be a
/// record itself: a save in a PackedByteArray whose own record is broken (`found_again`). A
/// value that breaks off gives the values before the break; and those behind it, where one pair or
/// element is damaged and the value's end is known. Packets without lengths: those before a break,
/// and the values before it; nothing shows where another begins behind it. Objects are data.
///
/// Time: n log n at most in the bytes and in what the layers hold. Memory: a small constant times
/// both. Errors: not_recognised and bad_checksum (nothing readable was found: perhaps the key is
/// wrong), bad_key (an encrypted save without a key), truncated (`skip`), size_limit, depth_limit,
/// no_memory, those of the layers; for `inside` those of open_layers.
[[nodiscard]] std::expected<Recovery, FileError> recover_save(ByteView bytes,
                                                              const SaveOptions& options = {});

}  // namespace gdvar
