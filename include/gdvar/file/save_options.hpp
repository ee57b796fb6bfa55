// How a save is opened: whole, layer by layer, or damaged.
// Room: file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/wire/dialect.hpp"

namespace gdvar GDVAR_EXPORT {

/// Limit of a text inside of layers, in bytes, where the caller sets none.
inline constexpr std::uint64_t default_max_text = 32u << 20;
/// Limit of the values of such a text, keys included, where that is the limit of its bytes. A value
/// takes some hundred bytes of memory, and may be a single character.
constexpr std::uint64_t most_values(std::uint64_t most_text) noexcept {
    return most_text / 8;
}

/// A key that may open a layer, and what messages call it.
struct NamedKey {
    std::string name;
    ContainerKey key;
};

/// How a save is opened: by open_save, read_save, open_layers, open_archive and recover_save.
struct SaveOptions {
    /// For encrypted saves (key_from_password, key_from_bytes).
    std::optional<ContainerKey> key{};
    /// Tried one after the other where `key` is not set. Each takes a pass over the layer: only its
    /// checksum tells whether a key fits. `Layer::opened_with` says which one fitted; the save is
    /// written back with it.
    std::vector<NamedKey> keys{};
    /// The values' dialect. Null: guessed from them.
    const Dialect* dialect = nullptr;
    /// The kind of the innermost layer's content (a packet, records, ...), whatever `recognise`
    /// says of it, and then no value is opened but those of `inside`. A layer that has no magic
    /// (deflate, brotli): it is opened inside of the layers that are recognised, and then the
    /// search goes on. `unknown`: the first kind that is found; recover_save: the one that gives
    /// the most.
    InputKind as = InputKind::unknown;
    /// No more layers are opened. The content then counts as the document.
    std::size_t layers = SIZE_MAX;
    /// Whether a String or PackedByteArray that is the only value of a document is one more layer,
    /// where it is certain that it holds a document: a JSON object, a packet with a Dictionary,
    /// gzip. For recover_save it may be cut.
    bool values = true;
    /// Values whose content is opened as the save, each in the document that is found so far:
    /// "$.data", "#0 $.items[3]". They hold what need not be certain, and are written back in their
    /// place.
    std::vector<std::string> inside{};
    /// Files to open, each in the pack, or the browser's files, that is found so far:
    /// "res://saves/data.save", "/userfs/godot/app_userdata/Game/data.save", "#2" (Archive::find).
    /// Such a save is only read: `SaveFile::set` and all other changes are refused (misplaced).
    std::vector<std::string> entries{};
    /// Whether the findings have all that the document may be, and not only what was looked at to
    /// choose: takes its bytes into memory, and the time to read it as each of these.
    bool all_readings = false;
    /// Bytes of the file before the save. They stay as they are.
    std::uint64_t skip = 0;
    bool allow_objects = false;   ///< recover_save takes them always
    bool strict = false;          ///< for SaveFile alone
    std::uint8_t real_width = 4;  ///< bytes of a Float field in the page-* dialects
    /// Limit in bytes of the size that a layer declares, and of what comes out of it.
    std::uint64_t max_bytes = 256u << 20;
    /// Limit in bytes of what is held in memory at once (hex, Base64, a document around a value),
    /// where it is below `max_bytes`. A SaveFile holds all.
    std::uint64_t max_held = UINT64_MAX;
    /// Limit of a text inside of layers (JSON, a ConfigFile, ...), in bytes, or the size of the
    /// file if that is more: a text takes up to 100 times its size in memory when it is read. Its
    /// values are limited, too: one for each 8 bytes of this (`most_values`).
    std::uint64_t max_text = default_max_text;

    // For SaveFile alone.
    /// True: the file is locked before it is read, and other programs that lock it wait. False: any
    /// number of programs may read it. The first change locks it if it is free then, and `save`
    /// refuses if another program has changed it since it was opened. The lock ends when the file
    /// is saved, or with the SaveFile.
    bool lock = false;
    /// How long opening and `save` wait for a lock of others. A change does not wait.
    std::chrono::milliseconds lock_wait = default_lock_wait;

    // For recover_save alone.
    /// Whether a value that breaks off is kept up to the break.
    bool partial = true;

    // For open_layers alone.
    /// Damage ends what the layer holds, instead of being an error (`OpenLayers::broken`).
    bool up_to_break = false;
    /// Whether a browser's only file is opened without a name.
    bool only_entry = true;
    /// As DocumentOptions::godot_4: of what is around the outermost layer.
    std::optional<bool> godot_4{};

    /// Borrowed from this; null where there is none.
    const ContainerKey* the_key() const noexcept { return key ? &*key : nullptr; }
    std::uint64_t most_held() const noexcept { return std::min(max_held, max_bytes); }
};

}  // namespace gdvar
