// Messages on stderr, and the words that they share.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/gdvar.hpp"
#include "rooms.hpp"

namespace gdvar::app {

enum Exit : int { fine = 0, refused = 1, usage = 2, io_error = 3, different = 4 };

/// Prints a line on stderr, made printable.
void say(const std::string& line);

/// Says why the command ends with that exit code, which it returns.
Exit give_up(Exit exit, const std::string& why);

/// While it lives, `say` on this thread appends to a text instead: the messages of one file of
/// several, which are printed in the order of the files.
class Captured {
public:
    explicit Captured(std::string& to);
    ~Captured();
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    static bool here();
    static void print(const std::string& messages);

private:
    std::string* before_;
};

/// "1 byte", "20 bytes".
std::string bytes_in_words(std::uint64_t n);
/// "1 value", "2 values".
std::string counted(std::uint64_t n, const char* noun);
std::string hex(std::uint64_t value);
/// The number of line feeds.
std::size_t lines_in(std::string_view text);
/// "no such file", "error[bad_key]: ...".
std::string in_words(const FileError& error);
/// "error[bad_key]: what".
std::string in_words(Errc code, std::string_view what);
/// "$.path: error[bad_script]: ..." for a packet that was written by `how` and is not valid.
std::string in_words(ByteView packet, const EncodeOptions& how, const Error& error);
/// "error[size_limit]: more than --max-bytes 1073741824".
std::string too_much(std::uint64_t most, const std::string& what = "");

/// "; gdvar recover game.save -o NEW saves what can be read". `file`: as given.
std::string recover_hint(const std::string& file);

/// "; did you mean --depth?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);
/// Reports an unknown name, and suggests a similar one. Returns `usage`.
int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names);
std::vector<std::string_view> type_names();
/// The names and aliases of the dialects, without the names of releases.
std::vector<std::string> dialect_names();
/// Null after a message.
const Dialect* dialect_named(const std::string& name);

/// A line on stderr, if that is a terminal, once work has taken half a second: bytes, rate,
/// remaining time. Removed when the work is done.
class Progress {
public:
    Progress(const std::string& name, std::uint64_t size);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Reports progress. Cheap to call often.
    void at(std::uint64_t bytes);

private:
    void print(std::uint64_t bytes, double seconds);
    std::string name_;
    std::uint64_t size_, calls_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
    bool wanted_ = false, shown_ = false;
};

}  // namespace gdvar::app
