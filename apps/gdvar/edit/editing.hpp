// One packet of a file changed, all others copied: what set, del and patch share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gdvar/inspect/edit_all.hpp"
#include "input/input.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app {

/// The options of a command that changes FILE.
struct EditOptions : InputOptions, PacketOptions {
    static constexpr Rewrites rewrites = Rewrites::in_place;
};

/// The options of a command that changes FILE at a path.
struct PathEditOptions : EditOptions {
    std::string path;
    bool all = false;  ///< all values that the path leads to
};
/// PATH and --all.
void add_path(Arguments& arguments, PathEditOptions& options, const char* all);

/// Opens FILE for a change. Null after a message, with `exit` set; also of a kind that is only
/// read.
std::unique_ptr<Input> open_to_change(const InputOptions& options, int& exit);
/// Makes the output take the place of the input: it keeps what does not change, sums and the bytes
/// before the first packet. Returns an exit code.
int replace_input(Input& input, PacketOutput& out);
/// Writes what follows the packets, and says what was kept. `behind`: bytes behind changed values.
/// Returns an exit code.
int finish(Input& input, PacketOutput& out, std::size_t behind);
/// The options for writing a changed packet.
EncodeOptions writing(const Input& input);

/// Names the dialect that is used for a file that fits several.
void say_dialect(const Input& input, const InputOptions& options);
/// Says that a path names no record, although there are several. Returns `usage`.
int no_record_named(const Input& input, const SavePath& place, std::size_t seen);
/// Whether the place says nothing of records or settings.
bool is_anywhere(const SavePath& place);

/// Permission of a command to change a whole setting.
enum class Whole : std::uint8_t { stays, goes, may_come };

/// A changed packet: its bytes, and the message for after they are written.
struct Changed {
    PackedByteArray packet;
    std::string done;  ///< "$.hp: 97 -> 9999"
};

/// Says why nothing is changed. Returns null.
std::optional<Changed> refuse(const Input& input, const Item& item, const std::string& at,
                              const Error& error, const std::string& what);
/// A packet in which all values at a path were changed.
struct ChangedAll : inspect::EditCounts {
    PackedByteArray packet{};
    std::string rounding{};  ///< "#0 $.x: 16777216.0 (16777217.0 rounded to 32 bits)", the first
};

/// How a command changes a packet. Both functions make the new packet of an item. They return null
/// after a message; they may then set the exit code, which is `refused` otherwise.
struct Edit {
    std::string_view does;       ///< "changes"
    std::string_view done;       ///< "set"
    Whole whole = Whole::stays;  ///< what it may do to a whole setting
    bool create = false;         ///< a setting that does not exist is added
    std::function<std::optional<Changed>(const Input& input, const Item& item,
                                         const std::string& path, int& exit)>
        one;  ///< at a path to one value
    std::function<std::optional<ChangedAll>(const Input& input, const Item& item, const Path& path,
                                            int& exit)>
        all;  ///< at all values that a path leads to; of none, `changed` is 0
};

/// Copies all packets of FILE; `edit` makes the new packets for those at the path. Says what was
/// changed once it is written. A path that leads to several values needs --all. Returns an exit
/// code.
int change_at(PathEditOptions& options, const Edit& edit);

}  // namespace gdvar::app
