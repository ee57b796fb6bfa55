// Messages and output: standard output, files replaced atomically, terminals kept from harm.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "command.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::app {
namespace {

/// The temporary file that a signal has to delete. Read by the handler.
std::atomic<const char*> temporary{nullptr};

extern "C" void clean_up(int number) {
    if (const char* path = temporary.load())
        ::unlink(path);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void announce(const std::string& path) {
    static const bool installed = [] {
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            std::signal(number, clean_up);
        return true;
    }();
    (void)installed;
    temporary.store(path.empty() ? nullptr : path.c_str());
}

}  // namespace

void say(const std::string& line) {
    std::fprintf(stderr, "%s\n", printable(line).c_str());
}

std::string hex(std::uint64_t value) {
    char text[20];
    return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

std::string in_words(const Error& error) {
    const int number = system_error(error);
    return number ? "error[io]: " + std::string(std::strerror(number)) : to_string(error);
}

std::string in_words(ByteView packet, const EncodeOptions& how, const Error& error) {
    const DecodeOptions there{
        .dialect = how.dialect, .allow_objects = how.allow_objects, .real_width = how.real_width};
    return error_path(packet, there, error) + ": as " + std::string(how.dialect->name) + ": " +
           in_words(error);
}

std::optional<std::optional<ContainerKey>> secret(const Options& options, int& exit) {
    using Secret = std::optional<std::optional<ContainerKey>>;
    const auto refuse = [&](const std::string& what, int code) {
        say(what);
        exit = code;
        return Secret();
    };
    const auto made = [&](std::expected<ContainerKey, Error> key, const std::string& from) {
        if (!key && key.error().code == Errc::bad_key)
            return refuse(from + ": error[bad_key]: a key is 32 bytes, or 64 hex digits", refused);
        if (!key)
            return refuse(from + ": " + in_words(key.error()), refused);
        return Secret(std::optional<ContainerKey>(*key));
    };
    const auto file = [&](const std::string& path) {
        auto source = FileSource::open(path);
        return source ? read_all(*source, 1 << 20) : std::unexpected(source.error());
    };
    const auto as_text = [](const std::vector<std::byte>& bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    if (!options.password_file.empty() && !options.key_file.empty())
        return refuse("gdvar: --password-file or --key-file, not both", usage);
    if (!options.password_file.empty()) {
        const auto bytes = file(options.password_file);
        if (!bytes)
            return refuse(options.password_file + ": " + in_words(bytes.error()), io_error);
        std::string line = as_text(*bytes);
        line.resize(std::min(line.size(), line.find_first_of("\r\n")));
        return made(key_from_password(line), options.password_file);
    }
    if (!options.key_file.empty()) {
        const auto bytes = file(options.key_file);
        if (!bytes)
            return refuse(options.key_file + ": " + in_words(bytes.error()), io_error);
        return made(key_from_bytes(*bytes), options.key_file);
    }
    if (const char* password = std::getenv("GDVAR_PASSWORD"); password && *password)
        return made(key_from_password(password), "GDVAR_PASSWORD");
    if (const char* key = std::getenv("GDVAR_KEY"); key && *key)
        return made(key_from_bytes(as_bytes(std::string_view(key))), "GDVAR_KEY");
    return Secret(std::optional<ContainerKey>());
}

// ---- Progress ----

namespace {
std::int64_t nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
}  // namespace

Progress::Progress(const std::string& name, std::uint64_t size)
    : name_(printable(name)),
      size_(size),
      start_(nanoseconds()),
      wanted_(::isatty(2) && size > (1 << 20)) {}

Progress::~Progress() {
    if (shown_)
        std::fputs("\r\x1b[K", stderr);
}

void Progress::at(std::uint64_t bytes) {
    // The clock is looked at now and then only.
    if (!wanted_ || ++calls_ % 64)
        return;
    const std::int64_t now = nanoseconds();
    if (now - start_ < 500'000'000 || now - last_ < 200'000'000)
        return;
    last_ = now;
    print(bytes, static_cast<double>(now - start_) / 1e9);
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

// ---- Output

bool Output::begin() {
    if (descriptor_ >= 0 || file_ || failed_)
        return !failed_;
    if (options_.output_file.empty() || options_.output_file == "-") {
        descriptor_ = 1;
        return true;
    }
    struct stat info{};
    Error error{Errc::io, Type::nil, 0, 0};
    if (::stat(options_.output_file.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
        // A device or a pipe is written to, not replaced.
        descriptor_ = ::open(options_.output_file.c_str(), O_WRONLY | O_CLOEXEC);
        error.need = static_cast<std::uint64_t>(errno);
    } else {
        auto file = AtomicFile::open(
            options_.output_file,
            {.backup = options_.backup, .lock = options_.lock.get(), .announce = announce});
        if (file)
            file_.emplace(*std::move(file));
        else
            error = file.error();
    }
    if (descriptor_ >= 0 || file_)
        return true;
    say(options_.output_file + ": " + replacing_in_words(error));
    failed_ = true;
    return false;
}

void Output::write(ByteView bytes) {
    FileTarget standard(descriptor_);
    Target& target = file_ ? static_cast<Target&>(*file_) : standard;
    if (auto done = target.write(bytes); !done) {
        // A reader that has had enough is not an error worth a message.
        if (system_error(done.error()) != EPIPE)
            say("gdvar: writing: " + in_words(done.error()));
        failed_ = true;
    }
}

void Output::flush() {
    if (buffer_.empty() || !begin())
        return;
    write(as_bytes(std::string_view(buffer_)));
    buffer_.clear();
}

void Output::add(std::string_view safe) {
    buffer_ += safe;
    if (buffer_.size() > (1 << 16))
        flush();
}

void Output::text(std::string_view text) {
    if (is_terminal())
        add(printable_lines(text));
    else
        add(text);
}

void Output::line(std::string_view line) {
    piece(line);
    end_line();
}

void Output::piece(std::string_view text, const char* style) {
    if (!style || !color())
        return add(printable(text));
    add("\x1b[" + std::string(style) + "m" + printable(text) + "\x1b[0m");
}

void Output::end_line() {
    add("\n");
}

void Output::binary(ByteView bytes) {
    if (options_.output_form == "hex") {
        text(to_hex(bytes) + "\n");
    } else if (options_.output_form == "base64") {
        text(to_base64(bytes) + "\n");
    } else {
        flush();
        if (begin() && !failed_)
            write(bytes);
    }
}

bool Output::replaces() const {
    struct stat info{};
    const std::string& path = options_.output_file;
    return !path.empty() && path != "-" &&
           (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode));
}

bool Output::is_terminal() const {
    if (terminal_)
        return *terminal_;
    const std::string& path = options_.output_file;
    if (path.empty() || path == "-") {
        terminal_ = ::isatty(1);
    } else {
        // `-o /dev/tty` and the like.
        struct stat info{};
        terminal_ = false;
        if (::stat(path.c_str(), &info) == 0 && S_ISCHR(info.st_mode)) {
            const int device = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
            terminal_ = device >= 0 && ::isatty(device);
            if (device >= 0)
                ::close(device);
        }
    }
    return *terminal_;
}

bool Output::color() {
    if (!color_) {
        const char* refused_by = std::getenv("NO_COLOR");
        const bool automatic = is_terminal() && !(refused_by && *refused_by);
        color_ = options_.color == "always" || (options_.color == "auto" && automatic);
    }
    return *color_;
}

int Output::finish() {
    flush();
    if (begin() && file_ && !failed_) {
        if (auto done = file_->commit(); !done) {
            say(options_.output_file + ": " + replacing_in_words(done.error()));
            failed_ = true;
        }
    }
    file_.reset();
    return failed_ ? io_error : fine;
}

Output::~Output() {
    if (descriptor_ > 2)
        ::close(descriptor_);
}

}  // namespace gdvar::app
