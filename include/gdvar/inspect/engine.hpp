// A real engine's reading of a packet: whether it reads it, and what it would write back.
// Room: inspect.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/export.hpp"
#include "gdvar/value/variant.hpp"
#include "gdvar/wire/options.hpp"
#include "gdvar/wire/packed.hpp"

namespace gdvar GDVAR_EXPORT {
namespace inspect {

/// One engine, as far as its reading differs from its dialect's rows.
struct Engine {
    std::string_view name;  ///< "Godot 4.6.3"
    const Dialect* dialect;
    bool observed;  ///< checked against that very program running; else from its source
    TextFamily family = dialect->family;  ///< of its texts and its keys
    std::uint32_t max_depth = 1024;       ///< of containers that are sure to be read
    bool limits_depth = true;             ///< refuses deeper ones; else its stack is the limit
};

/// The engines that `check` speaks of, newest Godot first.
std::span<const Engine> all_engines() noexcept;

/// The part of a value that an engine keeps when it has read it. Changes are counted, in words.
struct EngineReading {
    Variant value;
    std::vector<std::string> changes;  ///< "2 texts are cut at a NUL"
    std::size_t size = 0;              ///< bytes that the engine read
    /// Why only the engine itself knows what it makes of the packet; empty if it is known here. The
    /// value is then what the packet says, or null.
    std::string unknown;
};

/// Reads as `engine` does: text is cut at a NUL and loses a byte order mark, equal keys merge, what
/// does not fit a typed container is dropped or converted, double components become single, ...
/// `allow_objects` as in the engine. Data that only the engine knows (the id of a fresh
/// object, its classes' reading of an Object in full) is left as it is. Errors: as
/// `decode`; the engine would refuse the packet, too.
[[nodiscard]] std::expected<EngineReading, Error> read_as(const Engine& engine, ByteView bytes,
                                                          bool allow_objects = false);

/// Whether the engine reads the value as it stands: `read_as` would change nothing. False as well
/// where only `read_as`, which builds the value, can tell: of Objects, NodePaths, keys that are
/// neither texts nor ints. Never throws.
[[nodiscard]] bool keeps_all(const Engine& engine, ByteView bytes,
                             bool allow_objects = false) noexcept;

/// The packet that the engine writes for what it read. Errors: as `read_as` and `encode`.
[[nodiscard]] std::expected<PackedByteArray, Error> reencoding(const Engine& engine, ByteView bytes,
                                                               bool allow_objects = false);
/// As above, for a packet that has been read already. Errors: as `encode`.
[[nodiscard]] std::expected<PackedByteArray, Error> reencoding(const Engine& engine,
                                                               const EngineReading& reading,
                                                               bool allow_objects = false);

}  // namespace inspect
}  // namespace gdvar
