// What the commands share: options, exit codes, input, output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "complaints.hpp"
#include "gdvar/file/layer.hpp"
#include "gdvar/file/save_document.hpp"
#include "gdvar/gdvar.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/save/atomic_file.hpp"
#include "gdvar/save/container.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/losses.hpp"
#include "printable.hpp"

namespace gdvar::app {

using namespace inspect;

/// What a command does with its FILE.
enum class Rewrites : std::uint8_t {
    none,       ///< only reads it
    to_output,  ///< writes a new file of the same kind; -o may name FILE
    in_place    ///< replaces it, unless -o names another file
};

enum Exit : int { fine = 0, refused = 1, usage = 2, io_error = 3, different = 4 };

/// Everything that can be said on the command line.
struct Options {
    std::string file = "-";
    std::string as = "auto";
    std::string dialect = "auto";
    std::string to_dialect;
    std::string type;  ///< set: the type of the new value
    std::string like;  ///< pack: the result takes dialect, frame and layers from this save
    std::string family;
    std::string path;
    std::string value;  ///< set: the new value; diff: the other file
    std::string input = "text";
    std::string output_file;
    std::string output_form = "binary";
    std::string frame = "auto";
    std::string container = "keep";
    std::string raw_mode;
    std::string color = "auto";
    std::string password_file, key_file, backup, renames_file;
    std::shared_ptr<const EditLock> lock;  ///< of the file that the command replaces
    bool value_is_file = false;            ///< `value` names another input: diff, patch
    bool create = false;                   ///< set: adds what is missing
    bool force = false;                    ///< the output may replace an input
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> max_bytes;
    std::optional<std::uint64_t> raw_size;
    std::uint32_t depth = UINT32_MAX;
    std::uint32_t real_width = 4;
    std::uint32_t top = 20;
    // Live connections.
    std::string url, target_url;
    std::string protocol = "packets";
    std::string form = "text";
    std::string answer = "none";
    std::string direction = "to_server";
    std::string record_file, pcap_file, values_file;
    std::string certificate_file, tls_key_file, authority_file;
    std::vector<std::string> values, protocols, origins;
    std::uint64_t count = 0, max_packet = 16u << 20;
    std::uint32_t connect_data = 0;
    std::uint32_t channel = 0;
    double seconds = 0, wait_seconds = 1, connect_seconds = 10, speed = 1;
    bool big_endian = false, range_coder = false, insecure = false, quiet = false,
         unreliable = false;

    int indent = -1;
    bool objects = false, verbose = false, full = false, plain = false, lines = false,
         strict = false, lossy = false, typed_json = false, no_renames = false;
    bool patch = false, bytes = false;  ///< for diff
    bool all_readings = false;          ///< lists everything that the input could be
    bool any_bytes = false;             ///< reads an input that is not recognised as a packet

    /// The most bytes read from a pipe, a device or a container. Files have no such limit.
    std::uint64_t most_streamed() const { return max_bytes.value_or(1u << 30); }
    /// The most bytes held in memory at once: a packet, a record, settings. The limit is lower for
    /// containers, which may be a thousand times smaller than their contents.
    std::uint64_t most_held(bool from_container) const {
        return max_bytes.value_or(from_container ? 256u << 20 : 1u << 30);
    }
};

/// The input of a command that takes any bytes, `-` for standard input. Errors: those of
/// FileSource.
std::expected<FileSource, Error> open_source(const std::string& file);
/// Gives the remaining bytes to `use`, piece by piece, until `use` returns another exit code than
/// fine. Reads a pipe or a device up to `most_streamed`. Returns an exit code, after a message.
int each_piece(Source& source, const Options& options, const std::function<int(ByteView)>& use);
/// "error[size_limit]: it is more than --max-bytes 1073741824".
std::string too_much(std::uint64_t most, const std::string& what = "");

/// The key that --password-file, --key-file or the environment give, none when nothing does. Null
/// after a message, and `exit` set.
std::optional<std::optional<ContainerKey>> secret(const Options& options, int& exit);

/// One packet of the input.
struct Item {
    std::uint64_t offset = 0;  ///< of the packet, in the input
    std::size_t number = 0;
    std::string label;  ///< "#2 " for records, the name for project settings, else empty
    ByteView packet;
    std::string_view key{};  ///< of a setting, as in the file
    bool cut = false;        ///< the file ends inside it
};

/// How bytes behind the value of a packet are handled. `refuse`: an error, after the packet was
/// used. `say`: a message. `keep`: the command handles them. `keep_all`: the same, also for bytes
/// behind the last record that are too few for another record.
enum class Tail : std::uint8_t { refuse, say, keep, keep_all };

/// The input, recognised: a row of packets, maybe in containers. Records are streamed.
class Input {
public:
    /// Null after a message on stderr and `exit` set.
    static std::unique_ptr<Input> open(const Options& options, int& exit);
    ~Input() { complaints_.say_rest(name_); }

    InputKind kind() const noexcept { return kind_; }
    bool has_records() const noexcept {
        return kind_ == InputKind::records || kind_ == InputKind::records_be;
    }
    bool several() const noexcept { return has_records() || kind_ == InputKind::project; }
    const std::vector<Reading>& readings() const noexcept { return readings_; }
    /// From the outermost in.
    const std::vector<Layer>& layers() const noexcept { return layers_; }
    const Dialect& dialect() const noexcept { return *dialect_; }
    const Guess& guess() const noexcept { return guess_; }
    /// Bytes of the input as it was given; of what containers hold, when it is in some.
    std::uint64_t size() const noexcept { return size_; }
    /// Decoding options as the command line says.
    DecodeOptions decoding() const noexcept;
    /// The bytes that --skip passes over, when the packets stand behind them.
    std::uint64_t skipped() const noexcept { return skip_; }
    /// All the bytes, containers opened, from the start. Borrowed; `each` starts over by itself.
    Source& bytes() noexcept { return *source_; }

    /// Calls `use` for each packet until it returns false. If the file ends inside a packet, `use`
    /// also gets the part that is there. Returns the exit code of reading. It is refused, after a
    /// message, if bytes are left over.
    int each(const std::function<bool(const Item&)>& use, Tail tail = Tail::refuse);
    /// The bytes behind the last record, after an `each` with Tail::keep_all: too few for a record
    /// with a value.
    ByteView behind_records() const noexcept { return behind_; }
    /// As `each`, without messages.
    int look(const std::function<bool(const Item&)>& use);
    /// Calls `use` with the value at the path, in each packet. A path may begin with a record
    /// (`#1 $[0]`): then only that record's packet counts. The path may be empty. Items that can't
    /// be read are skipped, after a message. Returns the exit code of reading, or what `use`
    /// returned.
    int each_value(const std::string& path,
                   const std::function<int(const Item&, const Found&)>& use);

    /// Records alone, one after the other: `rewind` goes before the first and returns an exit code.
    /// `next`: nothing at the end, and after an error, which is said and sets `exit`. `each` moves
    /// both.
    int rewind();
    std::optional<Item> next(int& exit);

    /// The item's value. Of a broken item, the part before the break: `broken` is then the error,
    /// for `complain` after the value was used. False, after a message, if there is no such part.
    bool read_to_break(const Item& item, Document& document, std::optional<Error>& broken);

    /// Prints "file:0x2c: #2 $.a: error[...]: ..." on stderr. Of many errors with one code it
    /// prints the first ones and the number of the others.
    void complain(const Item& item, const Error& error, const DecodeOptions& options) const;
    /// The same with the caller's line. `line` is called only if the line is printed.
    void complain(const Item& item, Errc code, const std::function<std::string()>& line) const;
    void complain(std::uint64_t offset, const Error& error) const;
    /// "file:0x2c: #2 ", which precedes a path.
    std::string place(const Item& item, std::uint64_t offset) const;
    /// The line that says why a packet has nothing at the path.
    std::string missing(const Item& item, const View& root, const std::string& path,
                        const Error& error) const;
    const std::string& name() const noexcept { return name_; }

private:
    explicit Input(const Options& options) : options_(options), complaints_(options.verbose) {}
    int load();
    int recognise_kind();
    int open_containers();
    int unwrap_text();
    int load_whole();
    int choose_dialect();
    int failed(const Error& error, std::uint64_t offset = 0) const;
    int each_record(const std::function<bool(const Item&)>& use, Tail tail);
    int each_setting(const std::function<bool(const Item&)>& use);
    std::optional<Item> step(int& exit);
    std::vector<std::vector<std::byte>> sample(bool& cut);
    /// Reports bytes behind the packet's value. Returns an exit code.
    int left_over(const Item& item, Tail tail) const;
    /// The readable part of the record at which reading failed. `bytes_` then holds everything from
    /// the record's length on.
    std::optional<Item> broken_record(const Error& error, bool& whole_length);
    void say_broken(const Error& error, bool whole_length) const;

    const Options& options_;
    mutable Complaints complaints_;
    std::string name_;
    std::vector<std::unique_ptr<Source>> opened_;  ///< from the file in; the last is read
    Source* source_ = nullptr;
    std::vector<std::byte> bytes_;     ///< input that is read whole: one packet, text, settings
    std::vector<std::byte> salvaged_;  ///< of a broken packet: the part before the break
    std::uint64_t size_ = 0, skip_ = 0;
    InputKind kind_ = InputKind::unknown;
    std::vector<Reading> readings_;
    std::vector<Layer> layers_;
    std::optional<RecordReader> records_;
    std::size_t number_ = 0;  ///< of the next record
    std::optional<Error> broken_;
    std::vector<std::byte> behind_;
    bool broken_text_ = false;  ///< the hex or Base64 can't be decoded to its end
    bool quiet_ = false;        ///< `look` is running: no messages
    const Dialect* dialect_ = &dialects::godot_4_4;
    Guess guess_;
};

/// Standard output or `-o FILE`, which is replaced only by `finish`.
class Output {
public:
    explicit Output(const Options& options) : options_(options) {}
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Writes data unchanged. For a terminal, it is made printable.
    void text(std::string_view text);
    /// Writes a line for people to read. It is made printable for every destination.
    void line(std::string_view line);
    /// Writes a part of such a line, in a terminal's style (`"1;31"`) if colors are on.
    void piece(std::string_view text, const char* style = nullptr);
    void end_line();
    /// Bytes, in the form that `--output` says.
    void binary(ByteView bytes);
    bool is_terminal() const;
    bool failed() const { return failed_; }
    /// Whether what is written is seen only after `finish`.
    bool replaces() const;
    /// Exit code: fine, or io_error after a message.
    int finish();

private:
    bool begin();
    void add(std::string_view safe);
    void flush();
    void write(ByteView bytes);
    const Options& options_;
    std::optional<AtomicFile> file_;
    int descriptor_ = -1;
    bool failed_ = false;
    std::optional<bool> color_;
    mutable std::optional<bool> terminal_;
    bool color();
    std::string buffer_;  ///< already safe for the output
};

/// A line on stderr, when that is a terminal, once work has taken half a second: bytes, rate, time
/// left. Gone when the work is done.
class Progress {
public:
    Progress(const std::string& name, std::uint64_t size);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// How far the work is. Cheap to call often.
    void at(std::uint64_t bytes);

private:
    void print(std::uint64_t bytes, double seconds);
    std::string name_;
    std::uint64_t size_, calls_ = 0;
    std::int64_t start_ = 0, last_ = 0;  ///< nanoseconds
    bool wanted_ = false, shown_ = false;
};

/// A setting that waits to be written.
struct Setting {
    std::string key;
    std::vector<std::byte> packet;
};

/// Packets on their way out: framed, wrapped and put in the form that the options say, or the
/// input's own where they say nothing.
class PacketOutput {
public:
    /// Invalid options give a message and an exit code other than fine in `exit`.
    PacketOutput(const Options& options, InputKind frame, std::vector<Layer> layers, int& exit);
    /// Bytes before the first packet. Returns an exit code.
    int raw(ByteView bytes);
    /// Writes one packet; a setting's packet with its key. Returns an exit code.
    int packet(ByteView packet, std::string_view key = {});
    /// Wraps and writes all. Returns an exit code.
    int finish();
    InputKind frame() const noexcept { return frame_; }
    const std::vector<Layer>& layers() const noexcept { return layers_; }

private:
    int failed(const Error& error);
    int flush();
    const Options& options_;
    InputKind frame_;
    std::vector<Layer> layers_;
    std::optional<ContainerKey> key_;
    Spool spool_;
    /// Where nothing is wrapped around the packets and a file is replaced, which shows nothing of
    /// it before the end: straight there.
    std::optional<Output> direct_;
    std::vector<std::byte> buffer_;
    std::vector<Setting> settings_;  ///< all, since their count precedes the first
};

/// What plain JSON or another dialect loses, over all packets of a file. Prints one line on stderr
/// for each kind, or with --verbose for each value.
class LossReport {
public:
    explicit LossReport(const Options& options);
    LossReport(const LossReport&) = delete;
    /// Begins the next value. `prefix` precedes its paths.
    void at(const Input& input, std::string prefix);
    void say_all() const;

    Losses losses;

private:
    std::string name_;
};

/// The text family: `--family`, else the dialect's.
TextFamily family_of(const Options& options, const Dialect& dialect);

/// The value that the text is, in the form that --input says; with `size` the one that it begins
/// with, and how long that is.
std::expected<Variant, TextError> parse_value(const Options& options, const Dialect& dialect,
                                              std::string_view text, std::size_t* size = nullptr,
                                              const TextLoss* loss = nullptr);
/// For text that is no typed JSON: a hint if --plain would read it, else empty. Linear in the text.
std::string plain_hint(const Options& options, std::string_view text);

/// The place in the input that the command line names. Nothing after a message.
std::optional<SavePath> place_of(const std::string& text, const Input& input);
bool is_at(const SavePath& place, const Item& item);
/// Converts a record number that counts from the end to one from the start. Returns an exit code.
int settle(SavePath& place, Input& input);
/// Says that the record or setting does not exist. `seen`: how many there are. `settable`: --create
/// may help.
int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable);

/// Decides what -o is, before anything is read. Locks a file that is changed in place. Refuses an
/// output that would replace another input. Returns an exit code.
int settle_output(Options& options, Rewrites rewrites);
/// Why a file could not be locked or replaced.
std::string replacing_in_words(const Error& error);

/// Opens FILE for a change. Null after a message, with `exit` set.
std::unique_ptr<Input> open_to_change(Options& options, int& exit);
/// The bytes before the first packet, as they are. Returns an exit code.
int copy_skipped(Input& input, PacketOutput& out);

/// The frame that `--frame` asks for, or the input's own.
InputKind frame_of(const Options& options, InputKind own);

/// Prints a line on stderr, made printable.
void say(const std::string& line);

/// "; did you mean --depth?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);
/// Says that a name is unknown, and suggests a similar one. Returns `usage`.
int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names);
std::vector<std::string_view> type_names();
/// The names and aliases of the dialects, without the names of releases.
std::vector<std::string> dialect_names();
/// Null after a message.
const Dialect* dialect_named(const std::string& name);
/// "1 byte", "20 bytes".
std::string bytes_in_words(std::uint64_t n);
std::string hex(std::uint64_t value);
/// "no such file", "error[bad_key]: ...".
std::string in_words(const Error& error);
/// "$.path: error[bad_script]: ..." for a packet that was written as `how` says and is not sound.
std::string in_words(ByteView packet, const EncodeOptions& how, const Error& error);
/// The same for a value that a command puts into a file at `at`: "$.new.a: as ...". Nothing if the
/// value is allowed there (`check_value`).
std::optional<std::string> refused_value(const std::string& at, const Variant& value,
                                         const EncodeOptions& how);
class PathCutter;
/// The rows of `annotate`, as lines. Errors: those of `read`, after all rows were given.
std::expected<std::size_t, Error> annotate_lines(
    ByteView packet, std::uint64_t offset, const DecodeOptions& decoding, PathCutter& paths,
    const std::function<void(const std::string&)>& line);

int show(const Options& options);
int text(const Options& options);
int json(const Options& options);
int annotate_command(const Options& options);
int check(const Options& options);
int convert_command(const Options& options);
int dialects_command(const Options& options);
int wrap_command(const Options& options);
int unwrap_command(const Options& options);
int pack_command(const Options& options);
int get_command(const Options& options);
int set_command(const Options& options);
int del_command(const Options& options);
int diff_command(const Options& options);
int patch_command(const Options& options);
int stats_command(const Options& options);
int listen_command(const Options& options);
int send_command(const Options& options);
int proxy_command(const Options& options);
int replay_command(const Options& options);

}  // namespace gdvar::app
