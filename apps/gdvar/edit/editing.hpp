// One packet of a file changed, all others copied: what set, del and patch share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "input/input.hpp"
#include "output/packet_output.hpp"

namespace gdvar::app {

/// The options of a command that changes FILE.
struct EditOptions : InputOptions, PacketOptions {
    static constexpr Rewrites rewrites = Rewrites::in_place;
};

/// Opens FILE for a change. The output's form becomes that of the input. Null after a message, with
/// `exit` set.
std::unique_ptr<Input> open_to_change(const InputOptions& options, OutputOptions& output,
                                      int& exit);
/// The bytes before the first packet, as they are. Returns an exit code.
int copy_skipped(Input& input, PacketOutput& out);
/// The options for writing a changed packet.
EncodeOptions writing(const Input& input);

/// What a command may do to a whole setting.
enum class Whole : std::uint8_t { stays, goes, may_come };

/// A changed packet: its bytes, and the message for after they are written.
struct Changed {
    PackedByteArray packet;
    std::string done;  ///< "$.hp: 97 -> 9999"
};

/// Says why nothing is changed. Returns null.
std::optional<Changed> refuse(const Input& input, const Item& item, const std::string& at,
                              const Error& error, const std::string& what);
/// Refuses a path at which no value can be set.
std::optional<Changed> refuse_path(const Input& input, const Item& item, const std::string& path,
                                   const Error& error, const View& root);

/// Makes the new packet of an item for a change at a path. Null after a message; it may then set
/// the exit code, which is `refused` otherwise.
using Edit = std::function<std::optional<Changed>(const Input& input, const Item& item,
                                                  const std::string& path, int& exit)>;

/// Copies all packets of FILE; `edit` makes the new packet for the one at `path`. Says what was
/// changed once it is written. `create`: a setting that does not exist is added. Returns an exit
/// code.
int change_one(EditOptions& options, const std::string& path, Whole whole, bool create,
               const Edit& edit);

}  // namespace gdvar::app
