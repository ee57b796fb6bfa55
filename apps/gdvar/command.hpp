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

/// What a command does to its FILE.
enum class Rewrites : std::uint8_t {
    none,      ///< reads it
    to_output, ///< writes such a file anew; -o may name the same one
    in_place   ///< changes it where it is, unless -o says otherwise
};

enum Exit : int { fine = 0, refused = 1, usage = 2, io_error = 3, different = 4 };

/// Everything that can be said on the command line.
struct Options {
    std::string file = "-";
    std::string as = "auto";
    std::string dialect = "auto";
    std::string to_dialect;
    std::string type;  ///< set: the type that the value is to have
    std::string like;  ///< pack: the save whose dialect, frame and layers the result has
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
    std::shared_ptr<const EditLock> lock;  ///< of the file, when it is to be replaced
    bool value_is_file = false;            ///< another input: diff, patch
    bool create = false;                   ///< set: what is not there is added
    bool force = false;                    ///< replace what is read
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
    bool patch = false, bytes = false;  ///< diff
    bool all_readings = false;  ///< list all that the input could be
    bool any_bytes = false;     ///< what is not recognised is read as a packet

    /// The most that a pipe, a device or a container is believed to hold; files pay for their size.
    std::uint64_t most_streamed() const { return max_bytes.value_or(1u << 30); }
    /// The most that is held in memory at once: a packet, a record, settings. What comes out of a
    /// container may have cost a thousandth of it.
    std::uint64_t most_held(bool from_container) const {
        return max_bytes.value_or(from_container ? 256u << 20 : 1u << 30);
    }
};

/// The input of a command that takes any bytes, `-` for standard input. Errors: those of FileSource.
std::expected<FileSource, Error> open_source(const std::string& file);
/// Gives all that is left to `use`, piece by piece, until it returns another exit code than fine. A
/// pipe or device is read up to `most_streamed`. Returns an exit code, after a message.
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
    std::string_view key{};  ///< of a setting, as it stands in the file
    bool cut = false;  ///< the file ends inside it
};

/// What becomes of bytes that follow the value of a packet: they are refused (after use), said, or
/// the command's own business; or it keeps them, and also those behind the last record that are too
/// few for another.
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

    /// Calls `use` for each packet until it returns false, and for what there is of one in which the file
    /// breaks off. Returns the exit code of reading: refused, after a message, where bytes are left over.
    int each(const std::function<bool(const Item&)>& use, Tail tail = Tail::refuse);
    /// The bytes behind the last record, after an `each` with Tail::keep_all: too few for a record
    /// with a value.
    ByteView behind_records() const noexcept { return behind_; }
    /// The same without any message.
    int look(const std::function<bool(const Item&)>& use);
    /// Calls `use` with what stands at the path in each packet, or in that of the record that it
    /// begins with (`#1 $[0]`); the path may be empty. What can't be read is said and passed over.
    /// Returns the exit code of reading, or what `use` returned.
    int each_value(const std::string& path,
                   const std::function<int(const Item&, const Found&)>& use);

    /// Records alone, one after the other: `rewind` goes before the first and returns an exit code.
    /// `next`: nothing at the end, and after an error, which is said and sets `exit`. `each` moves
    /// both.
    int rewind();
    std::optional<Item> next(int& exit);

    /// The item's value, or what stands before the break of a broken one: `broken` is then the
    /// break, for `complain` once the rest has been used. False, after a message, where nothing
    /// stands there.
    bool read_to_break(const Item& item, Document& document, std::optional<Error>& broken);

    /// "file:0x2c: #2 $.a: error[...]: ..." on stderr; of many with one code only the first ones,
    /// and how many there were.
    void complain(const Item& item, const Error& error, const DecodeOptions& options) const;
    /// The same with words of one's own, which are made only where they are said.
    void complain(const Item& item, Errc code, const std::function<std::string()>& line) const;
    void complain(std::uint64_t offset, const Error& error) const;
    /// "file:0x2c: #2 ", in front of a path.
    std::string place(const Item& item, std::uint64_t offset) const;
    /// The line that says why a path leads nowhere below a packet's root.
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
    /// Bytes behind the packet's value, said. Returns an exit code.
    int left_over(const Item& item, Tail tail) const;
    /// What there is of a record that reading broke at; `bytes_` then holds all from its length on.
    std::optional<Item> broken_record(const Error& error, bool& whole_length);
    void say_broken(const Error& error, bool whole_length) const;

    const Options& options_;
    mutable Complaints complaints_;
    std::string name_;
    std::vector<std::unique_ptr<Source>> opened_;  ///< from the file in; the last is read
    Source* source_ = nullptr;
    std::vector<std::byte> bytes_;  ///< what is read whole: one packet, text, settings
    std::vector<std::byte> salvaged_;  ///< what is before the break of the packet that is read
    std::uint64_t size_ = 0, skip_ = 0;
    InputKind kind_ = InputKind::unknown;
    std::vector<Reading> readings_;
    std::vector<Layer> layers_;
    std::optional<RecordReader> records_;
    std::size_t number_ = 0;  ///< of the next record
    std::optional<Error> broken_;
    std::vector<std::byte> behind_;
    bool broken_text_ = false;  ///< hex or Base64 that stops being it
    bool quiet_ = false;        ///< looking, not yet reading
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
    /// Data, as it is; a terminal gets it printable.
    void text(std::string_view text);
    /// A line of what is made for people to read: printable, wherever it goes.
    void line(std::string_view line);
    /// A part of such a line, in a terminal's style (`"1;31"`) when colors are wanted.
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
    std::string buffer_;  ///< nothing that the output must not have
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

/// A setting, kept.
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
    /// One packet, of settings with its key. Returns an exit code.
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
    std::vector<Setting> settings_;  ///< their number comes before the first
};

/// What plain JSON or another dialect loses, over all packets of a file: one line on stderr for each
/// kind; with --verbose one for each value.
class LossReport {
public:
    explicit LossReport(const Options& options);
    LossReport(const LossReport&) = delete;
    /// What comes now; `prefix` stands before its paths.
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
/// Of text that is no typed JSON: whether --plain would read it; else empty. Linear in the text.
std::string plain_hint(const Options& options, std::string_view text);

/// The place that the command line names, for the file that it is about; nothing after a message.
std::optional<SavePath> place_of(const std::string& text, const Input& input);
bool is_at(const SavePath& place, const Item& item);
/// Makes a record number that counts from the end count from the start. Returns an exit code.
int settle(SavePath& place, Input& input);
/// Says that the record or setting is not there. `seen`: how many there are. `settable`: --create
/// may help.
int nothing_there(const SavePath& place, const Input& input, std::size_t seen, bool settable);

/// Decides what -o is: a file that is changed in place gets locked, one that would be lost because it
/// is also read is refused. Before anything is read. Returns an exit code.
int settle_output(Options& options, Rewrites rewrites);
/// What kept a file from being locked or replaced.
std::string replacing_in_words(const Error& error);

/// Opens FILE to be changed. Null after a message and `exit` set.
std::unique_ptr<Input> open_to_change(Options& options, int& exit);
/// The bytes before the first packet, as they are. Returns an exit code.
int copy_skipped(Input& input, PacketOutput& out);

/// The frame that `--frame` asks for, or the input's own.
InputKind frame_of(const Options& options, InputKind own);

/// A line on stderr, printable.
void say(const std::string& line);

/// "; did you mean --depth?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);
/// Says that a name is unknown, and which may have been meant; `usage`.
int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names);
std::vector<std::string_view> type_names();
/// The dialects by name and alias; names of releases are left out.
std::vector<std::string> dialect_names();
/// Null after a message.
const Dialect* dialect_named(const std::string& name);
/// "1 byte", "20 bytes".
std::string bytes_in_words(std::uint64_t n);
std::string hex(std::uint64_t value);
/// "no such file", "error[bad_key]: ...".
std::string in_words(const Error& error);
/// "$.path: error[bad_script]: ..." of a packet that was written as `how` says and is not sound so.
std::string in_words(ByteView packet, const EncodeOptions& how, const Error& error);
/// The same for a value that is to be put into a file, with its path behind `at`: "$.new.a: as
/// ...". Nothing where it may be (`check_value`).
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
