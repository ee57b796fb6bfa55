#include "output/messages.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

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

}  // namespace gdvar::app
