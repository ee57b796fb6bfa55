// What diff and patch share: a file as one value, whose packets can be compared and changed by
// path.
#pragma once

#include <map>

#include "command.hpp"
#include "gdvar/inspect/diff.hpp"

namespace gdvar::app {

/// What a file's paths begin with: nothing, a record's number or a setting's name.
enum class Contents : std::uint8_t { packet, records, settings };

std::string name_of(Contents contents);

/// A file as one Document: the packet, an Array of its records, or a Dictionary of its settings.
struct Side {
    /// Padding that a packet lacked and was lent, so that others could stand behind it.
    struct Lent {
        std::uint64_t end;  ///< in the whole, behind the padding
        std::uint8_t size;
    };
    std::unique_ptr<Input> input;
    std::vector<std::byte> bytes;
    Document document;
    Contents contents = Contents::packet;
    std::vector<Lent> lent;                   ///< in order
    std::map<std::string, std::string> keys;  ///< of settings: by name, as they stand in the file

    View root() const { return document.root(); }
    /// The whole, as it is to be read: one packet is the only element of the Array.
    ByteView joined() const {
        const ByteView all = bytes;
        return contents == Contents::packet ? all.subspan(8) : all;
    }
};

/// All packets, one behind the other, as the elements of an Array or the values of a Dictionary, in
/// `dialect`. What stands behind a packet's value is refused. Returns an exit code; `different`
/// where one says something else in that dialect.
int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side);
/// How the whole is read: each packet has been read once as strictly as asked for; now there is one
/// level more around them.
DecodeOptions reading_joined(DecodeOptions decoding, const Dialect& dialect);
Contents contents_of(const Input& input);

/// "#3 $.hp" instead of "$[3].hp", and a setting's name before the path in it.
std::string place_text(const Difference& d, Contents contents);
std::string place_text(const Change& change, Contents contents);

}  // namespace gdvar::app
