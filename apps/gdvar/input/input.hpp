// The input: opened, recognised, without its layers, as a sequence of packets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/file/open_layers.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/gdvar.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"
#include "input/complaints.hpp"
#include "options/input.hpp"
#include "rooms.hpp"

namespace gdvar::app {

struct Item {
    std::uint64_t offset = 0;  ///< of the packet, in the input
    std::size_t number = 0;
    std::string label;  ///< "#2 " for records, the name for project settings, else empty
    ByteView packet;
    std::string_view key{};  ///< of a setting, as in the file
    bool cut = false;        ///< the file ends inside it
    bool made = false;       ///< its offsets are not offsets of the file
};

/// Treatment of bytes behind the value of a packet. `refuse`: an error, after the packet was used.
/// `say`: a message. `keep`: the command handles them. `keep_all`: the same, also for bytes behind
/// the last record that are too few for another record.
enum class Tail : std::uint8_t { refuse, say, keep, keep_all };

/// "not json: 1:17: error[...]: ...", for a reading that was ruled out.
std::string ruled_out_in_words(const Reading& reading);

/// The input, recognised: a sequence of packets, perhaps in containers. Records are streamed.
class Input {
public:
    /// Null after a message on stderr and `exit` set.
    static std::unique_ptr<Input> open(const InputOptions& options, int& exit);
    ~Input() { complaints_.say_rest(name_); }

    InputKind kind() const noexcept { return kind_; }
    /// False for an unknown input. A command that reads any bytes has a packet then.
    bool recognised() const noexcept { return recognised_; }
    std::string unrecognised_in_words() const;
    bool has_records() const noexcept {
        return kind_ == InputKind::records || kind_ == InputKind::records_be;
    }
    /// True if there may be several values by number: records, lines of JSON.
    bool is_numbered() const noexcept { return several() && !document_kind_->named; }
    bool has_settings() const noexcept { return kind_ == InputKind::project; }
    /// True for a document of text: JSON, a ConfigFile, ...
    bool is_text() const noexcept { return document_kind_ && document_kind_->text; }
    /// True if its packets were made from another form in the file.
    bool is_made() const noexcept { return document_kind_ && document_kind_->made; }
    bool several() const noexcept { return document_kind_ && document_kind_->several; }
    ByteView content() const noexcept {
        return ByteView(bytes_).subspan(static_cast<std::size_t>(skip_));
    }
    /// The input that was read at once. Null for records, which are streamed, and for unreadable
    /// input.
    const SaveDocument* document() const noexcept { return document_.get(); }
    const std::vector<Reading>& readings() const noexcept { return found_.readings; }
    /// From the outermost in.
    const std::vector<Layer>& layers() const noexcept { return found_.layers; }
    /// The layers with their sources and the reasons for them.
    const OpenLayers& found() const noexcept { return found_; }
    /// "gdec-3 > gzip > godot-3.1 records".
    std::string stack() const;
    const Dialect& dialect() const noexcept { return *dialect_; }
    const Guess& guess() const noexcept { return guess_; }
    /// Size of the input as given, or of the layers' content. For records in a compressed stream, 0
    /// before they were read.
    std::uint64_t size() const noexcept { return size_; }
    DecodeOptions decoding() const noexcept;
    SaveOptions finding() const { return options_.finding(); }
    std::uint64_t skipped() const noexcept { return options_.skip; }
    /// The bytes of the file, from the start. Borrowed; `each` starts over by itself.
    Source& file() noexcept { return *found_.sources.front(); }

    /// Calls `use` for each packet until it returns false. If the file ends inside a packet, `use`
    /// also gets its beginning. Returns the exit code of reading: refused, after a message, if
    /// bytes are left over.
    int each(const std::function<bool(const Item&)>& use, Tail tail = Tail::refuse);
    /// The bytes behind the last record, after an `each` with Tail::keep_all: too few for a record
    /// with a value.
    ByteView behind_records() const noexcept { return behind_; }
    /// Reports bytes behind a layer that were kept, if any.
    void say_kept() const;
    /// As `each`, without messages.
    int look(const std::function<bool(const Item&)>& use);
    /// Calls `use` with the value of each packet at `place`. For a broken packet it gets the part
    /// before the break, and true; the message follows. An unreadable packet is skipped, after a
    /// message. Returns the exit code of reading, or that of `use`; refused, after a message, if
    /// `place` names a record or setting that does not exist.
    int each_document(const SavePath& place,
                      const std::function<int(const Item&, const View&, bool broken)>& use);
    /// Calls `use` with each value at the path, in each packet. A path may begin with a record
    /// (`#1 $[0]`): then only that record's packet counts. The path may be empty. Returns as
    /// `each_document`; refused, after a message, if a packet has no value there, or with `#*` none
    /// of the packets.
    int each_value(const std::string& path,
                   const std::function<int(const Item&, const MatchView&)>& use);

    /// For records only, one after the other: `rewind` goes before the first and returns an exit
    /// code. `next`: nothing at the end, and after an error, which is reported and sets `exit`.
    /// `each` moves both.
    int rewind();
    std::optional<Item> next(int& exit);

    /// The item's value, or the part of a broken one before the break: `broken` is then the error,
    /// for `complain` after the value was used. False, after a message, if there is no such part.
    bool read_to_break(const Item& item, Document& document, std::optional<Error>& broken);

    /// Prints "file:0x2c: #2 $.a: error[...]: ..." on stderr. If many errors have one code, prints
    /// the first ones and the number of the others.
    void complain(const Item& item, const Error& error, const DecodeOptions& options) const;
    /// The same with the caller's line. `line` is called only if the line is printed.
    void complain(const Item& item, Errc code, const std::function<std::string()>& line) const;
    void complain(std::uint64_t offset, const Error& error) const;
    /// "file:0x2c: #2 ", which precedes a path.
    std::string place(const Item& item, std::uint64_t offset) const;
    /// "12:3: error[bad_syntax]: ...", for an error of a text document.
    std::string in_text(const Error& error) const;
    /// The message that a packet has nothing at the path.
    std::string missing(const Item& item, const View& root, const Path& path,
                        const Error& error) const;
    const std::string& name() const noexcept { return name_; }

private:
    explicit Input(const InputOptions& options) : options_(options), complaints_(options.verbose) {}
    int open_stack();
    bool may_be_recovered(Source& file, bool larger) const;
    int not_opened(const LayersError& error) const;
    int recognise_kind();
    void say_kind() const;
    /// Another way to read it: text before NULs, records behind a header, what `gdvar recover`
    /// saves; else `otherwise`.
    std::string readable_part(const char* otherwise) const;
    /// The content behind a header of the game's own, and the option that reads it; nothing once a
    /// record was read, since a wrong length of the first record looks like a header.
    std::string header_in_words() const;
    /// Reports damage of the layers, and bytes behind them, once. Returns an exit code.
    int say_faults(Tail tail);
    std::string layer_in_words(const OpenLayers::Fault& fault) const;
    int load_whole();
    Source& source() const noexcept { return found_.inside(); }
    int choose_dialect();
    int failed(const FileError& error) const;
    int each_record(const std::function<bool(const Item&)>& use, Tail tail);
    int each_in_document(const std::function<bool(const Item&)>& use);
    int open_document();
    void say_no_document() const;
    /// Reports parts of a text that its values do not show.
    void say_notes() const;
    std::optional<Item> step(int& exit);
    std::vector<std::vector<std::byte>> sample(bool& cut);
    /// Reports bytes behind the packet's value. Returns an exit code.
    int left_over(const Item& item, Tail tail) const;
    /// The readable part of the record at which reading failed. `bytes_` then holds everything from
    /// the record's length on.
    std::optional<Item> broken_record(const Error& error, bool& whole_length);
    void say_broken(const FileError& error, bool whole_length) const;

    const InputOptions& options_;
    mutable Complaints complaints_;
    std::string name_;
    OpenLayers found_;                 ///< the innermost layer's content is read
    std::vector<std::byte> bytes_;     ///< input that is read whole: one packet, text, settings
    std::vector<std::byte> salvaged_;  ///< of a broken packet: the part before the break
    std::uint64_t size_ = 0, skip_ = 0;
    InputKind kind_ = InputKind::unknown;
    bool recognised_ = true;
    const DocumentKind* document_kind_ = nullptr;
    std::unique_ptr<SaveDocument> document_;  ///< in `bytes_`
    std::optional<Error> no_document_;        ///< why there is none
    std::optional<RecordReader> records_;
    std::size_t number_ = 0;  ///< of the next record
    std::optional<FileError> broken_;
    std::vector<std::byte> behind_;
    bool quiet_ = false;        ///< inside `look`: no messages
    bool faults_said_ = false;  ///< damage of layers, and bytes behind them
    const Dialect* dialect_ = &dialects::godot_4_4;
    Guess guess_;
};

// ---- the record or setting at the start of a path on the command line (places.cpp)

/// The place that the command line names; `named`: the values are found by name. Nothing after a
/// message.
std::optional<SavePath> place_of(const std::string& text, bool named);
bool is_at(const SavePath& place, const Item& item);
bool is_setting(const SavePath& place, const Input& input);
/// A path for reading without a record means all of them, as `#*` does.
void take_all(SavePath& place, const Input& input);
/// Converts a record number from the end to one from the start. Returns an exit code.
int settle(SavePath& place, Input& input);
/// "#0 $.players[*].hp"
std::string text_of(const SavePath& place);
/// Reports that the path leads nowhere in the `seen` records that it stands for. `missing`: the
/// message for one record, if there is only one. Returns `refused`.
int no_match(const SavePath& place, const Input& input, std::size_t seen,
             const std::optional<std::string>& missing);
/// Reports that the record or setting does not exist. `seen`: the number of them. `settable`:
/// --create may help.
int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable);

}  // namespace gdvar::app
