#include "output/messages.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/platform/terminal.hpp"
#include "gdvar/inspect/nearest.hpp"
#include "gdvar/save/source.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

thread_local std::string* captured = nullptr;

}  // namespace

void say(const std::string& line) {
    if (captured)
        *captured += printable(line) + "\n";
    else
        std::fprintf(stderr, "%s\n", printable(line).c_str());
}

Exit give_up(Exit exit, const std::string& why) {
    say(why);
    return exit;
}

Captured::Captured(std::string& to) : before_(std::exchange(captured, &to)) {}
Captured::~Captured() {
    captured = before_;
}
bool Captured::here() {
    return captured != nullptr;
}
void Captured::print(const std::string& messages) {
    std::fwrite(messages.data(), 1, messages.size(), stderr);
}

std::string counted(std::uint64_t n, const char* noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string bytes_in_words(std::uint64_t n) {
    return counted(n, "byte");
}

std::string hex(std::uint64_t value) {
    char text[20];
    return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

std::size_t lines_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string in_words(const FileError& error) {
    return to_string(error);
}

std::string in_words(Errc code, std::string_view what) {
    return "error[" + std::string(error_name(code)) + "]: " + std::string(what);
}

std::string in_words(ByteView packet, const EncodeOptions& how, const Error& error) {
    const DecodeOptions there{
        .dialect = how.dialect, .allow_objects = how.allow_objects, .real_width = how.real_width};
    return error_path(packet, there, error) + ": as " + std::string(how.dialect->name) + ": " +
           in_words(error);
}

std::string recover_hint(const std::string& file) {
    return "; gdvar recover " + (file == "-" ? "FILE" : file) + " -o NEW saves what can be read";
}

std::string too_much(std::uint64_t most, const std::string& what) {
    return "error[size_limit]: " + (what.empty() ? "the input is" : what) +
           " larger than --max-bytes " + std::to_string(most);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
    const auto near = nearest(word, names);
    return near ? "; did you mean " + std::string(*near) + "?" : std::string();
}

int unknown_name(const std::string& what, const std::string& word,
                 const std::vector<std::string_view>& names) {
    return give_up(usage, "gdvar: unknown " + what + " '" + word + "'" + did_you_mean(word, names));
}

std::vector<std::string_view> type_names() {
    std::vector<std::string_view> out = {"null"};
    for (std::size_t i = 0; i < type_count; ++i)
        out.push_back(type_name(static_cast<Type>(i)));
    return out;
}

namespace {

/// Adds the names of releases: "godot-4.4", "godot-4.5", ...
void append_releases(std::vector<std::string>& names, const Releases& releases) {
    const std::string engine = std::string(releases.engine) + "-";
    if (engine == "-")
        return;
    constexpr std::uint8_t last_minor = 9;
    for (unsigned major = releases.first[0]; major <= releases.last[0]; ++major)
        for (unsigned minor = 0; minor <= last_minor; ++minor)
            if (releases.cover(
                    {static_cast<std::uint8_t>(major), static_cast<std::uint8_t>(minor)}))
                names.push_back(engine + std::to_string(major) + "." + std::to_string(minor));
}

}  // namespace

std::vector<std::string> dialect_names() {
    std::vector<std::string> out;
    for (const Dialect* dialect : all_dialects()) {
        out.emplace_back(dialect->name);
        if (!dialect->alias.empty())
            out.emplace_back(dialect->alias);
    }
    return out;
}

const Dialect* dialect_named(const std::string& name) {
    if (const Dialect* dialect = find_dialect(name))
        return dialect;
    std::vector<std::string> all = dialect_names();
    all.emplace_back("auto");
    for (const Dialect* dialect : all_dialects())
        append_releases(all, dialect->releases);
    // A bare "4.5" means a release of Godot.
    const bool bare = !name.empty() && name[0] >= '0' && name[0] <= '9';
    say("gdvar: unknown dialect '" + name + "'" +
        did_you_mean(bare ? "godot-" + name : name, {all.begin(), all.end()}) +
        " (gdvar dialects lists them)");
    return nullptr;
}

Progress::Progress(const std::string& name, std::uint64_t size)
    : name_(printable(name)),
      size_(size),
      wanted_(platform::is_terminal(2) && size > (1 << 20) && !Captured::here()) {}

Progress::~Progress() {
    if (shown_)
        std::fputs("\r\x1b[K", stderr);
}

void Progress::at(std::uint64_t bytes) {
    // Reads the clock only from time to time.
    if (!wanted_ || ++calls_ % 64)
        return;
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (now - start_ < 500ms || now - last_ < 200ms)
        return;
    last_ = now;
    print(bytes, std::chrono::duration<double>(now - start_).count());
}

void Progress::print(std::uint64_t bytes, double seconds) {
    const double rate = static_cast<double>(bytes) / seconds;
    const double left = rate > 0 ? static_cast<double>(size_ - std::min(bytes, size_)) / rate : 0;
    std::fprintf(stderr, "\r\x1b[K%s: %.0f of %.0f MB, %.0f MB/s, %.0f s left", name_.c_str(),
                 static_cast<double>(bytes) / 1e6, static_cast<double>(size_) / 1e6, rate / 1e6,
                 left);
    std::fflush(stderr);
    shown_ = true;
}

}  // namespace gdvar::app
