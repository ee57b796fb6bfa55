// Code in a save: what engines run, load or make when they open it.
// Room: file. Rules: wire-format 11.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"
#include "gdvar/base/export.hpp"
#include "gdvar/file/save_file.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/value/document.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/options.hpp"

namespace gdvar GDVAR_EXPORT {

/// How code comes into a value. The numbers never change.
enum class CodeKind : std::uint8_t {
    embedded_script,  ///< a script, or a native library's description, that stands in the file
    loaded_script,    ///< one that engines load by its path
    outside_file,     ///< a file that engines load, and that is none of the game's own
    made_object,      ///< an object of a class that is not in `harmless_classes`
};
/// The name of a kind in messages ("embedded_script"), and what engines do.
struct CodeKindInfo {
    std::string_view name, meaning;  ///< static text
};
const CodeKindInfo& code_kind_info(CodeKind kind) noexcept;

/// The classes of Objects that engines make and that do nothing by themselves: events of the input
/// map, plain resources. In the order of their names; lives as long as the program.
std::span<const std::string_view> harmless_classes() noexcept;

/// One place that holds code.
struct FoundCode {
    CodeKind kind{};
    std::string path;  ///< `$.sub["1"]`, `#2 $.pet.script`
    std::string what;  ///< the class, the file, or the reference: `GDScript`, `res://pet.gd`
};

/// The places with code: the first ones, and how many there are.
struct CodeReport {
    /// Longer paths and names are cut in the middle.
    static constexpr std::size_t most_path = 300;

    std::vector<FoundCode> first;  ///< in the order of the values
    std::uint64_t count = 0;       ///< of all
};

/// Names what an engine runs, loads or makes when it opens a document of that kind with this value:
///
///  - Objects of a class whose name ends in `Script`, of `GDExtension` or `GDNativeLibrary`, also
///    as sub_resource or as the resource itself (embedded_script)
///  - files that end as scripts do (`.gd`, `.gdc`, `.cs`, ...) or that are loaded as one, by
///    `Resource("...")`, ext_resource, a typed container, or a `script` property (loaded_script)
///  - other files that are loaded from elsewhere than `res://` and `uid://` (outside_file)
///  - Objects in full of a class that is not among `harmless_classes` (made_object). Sub_resources
///    and nodes do not count: such a document consists of them.
///
/// Only the kinds `resource` and `binary_resource` have ext_resources, sub_resources and nodes; in
/// other texts engines take `ExtResource("...")` for `Resource("...")`. The contents of
/// Strings and byte arrays are not examined, nor the effects of nodes and their connections.
/// Nothing is run. Iterative. Time: linear, and the paths. Memory: about 300 bytes for each
/// container that is open at once. Errors: that of a lost View; no_memory.
[[nodiscard]] std::expected<CodeReport, Error> find_code(const View& value, InputKind kind,
                                                         std::size_t most = 100);
/// The same for a value in a packet. Objects are looked at even where the options refuse them, and
/// repeated keys and other quirks are read. Memory: that of a Document, if the packet has an Object
/// or a container typed by a script, else none. Errors: also those of `Document::parse`.
[[nodiscard]] std::expected<CodeReport, Error> find_code(ByteView packet, InputKind kind,
                                                         const DecodeOptions& options,
                                                         std::size_t most = 100);
/// The same for all values of a save, whose numbers and names stand in front of the paths.
/// Errors: as for a packet.
[[nodiscard]] std::expected<CodeReport, Error> find_code(const SaveFile& save,
                                                         std::size_t most = 100);

}  // namespace gdvar
