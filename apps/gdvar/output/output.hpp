// Standard output or a file: files are replaced atomically, terminals are protected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gdvar/save/target.hpp"
#include "options/output.hpp"
#include "output/messages.hpp"

namespace gdvar::app {

/// Standard output or `-o FILE`, which is replaced only by `finish`.
class Output {
public:
    explicit Output(const OutputOptions& options) : options_(options) {}
    /// Collects the output in `to`, for `take`.
    Output(const OutputOptions& options, Spool& to) : options_(options), spool_(&to) {}
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Writes data, unchanged except to a terminal, for which it is made printable.
    void text(std::string_view text);
    /// Writes a line for people, made printable for every destination.
    void line(std::string_view line);
    /// Writes a part of such a line, in a terminal's style (`"1;31"`) if colors are on.
    void piece(std::string_view text, const char* style = nullptr);
    void end_line();
    /// Writes bytes, in the form of `--output`.
    void binary(ByteView bytes);
    /// Writes the output that another Output has collected in `from`.
    void take(Spool& from);
    /// Writes the buffer, so that messages follow it.
    void flush();
    bool is_terminal() const;
    /// Columns of the terminal, else 80.
    std::size_t width() const;
    bool failed() const { return failed_; }

    /// True if the output becomes visible only with `finish`.
    bool replaces() const;
    /// Exit code: fine, or io_error after a message.
    int finish();
    /// The same after work that ended with `exit`. If the work failed, a file is not replaced by an
    /// empty one. Returns `exit` unless that is fine.
    int finish_after(int exit);

private:
    bool is_standard() const { return options_.output_file.empty() || options_.output_file == "-"; }
    bool begin();
    void add(std::string_view safe);
    void write(ByteView bytes);
    const OutputOptions& options_;
    const bool binary_ = options_.output_form == "binary";
    Spool* spool_ = nullptr;
    std::optional<AtomicFile> file_;
    int descriptor_ = -1;
    bool failed_ = false, used_ = false;
    std::optional<bool> color_;
    mutable std::optional<bool> terminal_;
    bool color();
    std::string buffer_;  ///< already safe for the output
};

/// Shortens paths that would make the output many times as large as the input. A path of a thousand
/// steps is cut to its ends.
class PathCutter {
public:
    /// Cuts every long path, unless `full`.
    static PathCutter for_people(bool full) { return {full, 0}; }
    /// Keeps long paths whole until they take 50 times the bytes of the input (at least 8 MB); then
    /// cuts, unless `full`.
    static PathCutter for_programs(bool full, std::uint64_t input_bytes);

    std::string operator()(std::string_view path);
    /// Prints a sentence on stderr if a path was cut.
    void say_if_cut() const;

private:
    PathCutter(bool full, std::uint64_t whole) : full_(full), left_(whole) {}
    bool full_, cut_ = false;
    std::uint64_t left_;  ///< bytes of long paths that may be printed whole
};

}  // namespace gdvar::app
