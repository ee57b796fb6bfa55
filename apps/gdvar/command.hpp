// What the commands share: options, exit codes, input, output.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/gdvar.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/save/records.hpp"

namespace gdvar::app {

enum Exit : int { fine = 0, refused = 1, usage = 2, io_error = 3, different = 4 };

/// Everything that can be said on the command line.
struct Options {
    std::string file = "-";
    std::string as = "auto";
    std::string dialect = "auto";
    std::string to_dialect;
    std::string family;
    std::string path;
    std::string output_file;
    std::string output_form = "binary";
    std::string frame = "auto";
    std::string color = "auto";
    std::uint64_t skip = 0;
    std::uint32_t depth = UINT32_MAX;
    std::uint32_t real_width = 4;
    int indent = -1;
    bool objects = false, verbose = false, full = false, plain = false, lines = false,
         strict = false, lossy = false;
};

/// One packet of the input.
struct Item {
    std::uint64_t offset = 0;  ///< of the packet, in the input
    std::size_t number = 0;
    std::string label;  ///< "#2 " for records, the key for project settings, else empty
    ByteView packet;
};

/// The input, recognised: a row of packets. Large files of records are streamed.
class Input {
public:
    /// Null after a message on stderr and `exit` set.
    static std::unique_ptr<Input> open(const Options& options, int& exit);

    InputKind kind() const noexcept { return kind_; }
    bool several() const noexcept {
        return kind_ == InputKind::records || kind_ == InputKind::records_be ||
               kind_ == InputKind::project;
    }
    const std::vector<InputKind>& readings() const noexcept { return readings_; }
    const Dialect& dialect() const noexcept { return *dialect_; }
    const Guess& guess() const noexcept { return guess_; }
    std::uint64_t size() const noexcept { return size_; }
    /// Decoding options as the command line says.
    DecodeOptions decoding() const noexcept;

    /// Calls `use` for each packet until it returns false. Returns the exit code of reading.
    int each(const std::function<bool(const Item&)>& use);

    /// "file:0x2c: #2 $.a: error[...]: ..." on stderr.
    void complain(const Item& item, const Error& error, const DecodeOptions& options) const;
    void complain(std::uint64_t offset, const Error& error) const;
    const std::string& name() const noexcept { return name_; }

private:
    explicit Input(const Options& options) : options_(options) {}
    int load();
    int recognise_kind();
    int unwrap_text();
    int choose_dialect();
    std::vector<std::vector<std::byte>> sample();

    const Options& options_;
    std::string name_;
    std::vector<std::byte> bytes_;
    std::uint64_t size_ = 0;
    bool streamed_ = false;
    InputKind kind_ = InputKind::unknown;
    std::vector<InputKind> readings_;
    const Dialect* dialect_ = &dialects::godot_4_4;
    Guess guess_;
};

/// Standard output or `-o FILE`, which is replaced only by `finish`.
class Output {
public:
    explicit Output(const Options& options) : options_(options) {}
    ~Output();
    void text(std::string_view text);
    /// Bytes, in the form that `--output` says.
    void binary(ByteView bytes);
    bool is_terminal() const;
    bool color() const;
    /// Exit code: fine, or io_error after a message.
    int finish();

private:
    bool begin();
    const Options& options_;
    std::string temporary_;
    int descriptor_ = -1;
    bool failed_ = false;
    std::string buffer_;
    void flush();
};

void say(const std::string& line);
std::string hex(std::uint64_t value);

int show(const Options& options);
int text(const Options& options);
int json(const Options& options);
int annotate_command(const Options& options);
int check(const Options& options);
int convert_command(const Options& options);
int dialects_command(const Options& options);

}  // namespace gdvar::app
