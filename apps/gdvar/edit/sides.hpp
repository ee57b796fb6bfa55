// Shared by diff and patch: a file as one value. Its packets can be compared and changed by path.
#pragma once

#include <map>

#include "gdvar/inspect/diff.hpp"
#include "input/input.hpp"
#include "output/path_cutter.hpp"

namespace gdvar::app {

/// The start of a file's paths: nothing, a record's number or a setting's name.
enum class Contents : std::uint8_t { packet, records, settings };

std::string name_of(Contents contents);

/// A file as one Document: the packet, an Array of its records, or a Dictionary of its settings.
struct Side {
    /// Padding that was added to a packet without it, so that other packets can follow.
    struct Lent {
        std::uint64_t end;  ///< offset behind the padding, in the whole
        std::uint8_t size;
    };
    std::unique_ptr<Input> input;
    std::vector<std::byte> bytes;
    Document document;
    Contents contents = Contents::packet;
    std::vector<Lent> lent;                   ///< by offset
    std::map<std::string, std::string> keys;  ///< settings: name to key in the file

    View root() const { return document.root(); }
    /// The whole as it is read. If it is one packet, that is the only element of the Array.
    ByteView joined() const {
        const ByteView all = bytes;
        return contents == Contents::packet ? all.subspan(8) : all;
    }
};

/// Joins all packets in `dialect`, as the elements of an Array or the values of a Dictionary.
/// Refuses bytes behind a packet's value. Returns an exit code: `different` if a value changes in
/// that dialect.
int join(const DecodeOptions& decoding, const Dialect& dialect, Side& side);
/// The options to read the whole. Each packet was already read as strictly as requested. The whole
/// has one more level.
DecodeOptions reading_joined(DecodeOptions decoding, const Dialect& dialect);
Contents contents_of(const Input& input);

/// "#3 $.hp" for "$[3].hp"; for a setting, its name and then the path in it.
std::string place_text(const Change& change, Contents contents);

/// The same for one difference after another. Long paths and names are cut before they are copied.
class Places {
public:
    Places(Contents contents, PathCutter& cut) : contents_(contents), cut_(cut) {}
    std::string operator()(const Difference& d);

private:
    Contents contents_;
    PathCutter& cut_;
    const void* setting_ = nullptr;  ///< whose name the next two are for
    std::string before_;
    std::size_t first_size_ = 0;  ///< of the first step in the path
};

}  // namespace gdvar::app
