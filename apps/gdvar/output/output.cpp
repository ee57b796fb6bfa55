#include "output/output.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/platform/file.hpp"
#include "base/platform/signals.hpp"
#include "base/platform/terminal.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/save/source.hpp"
#include "output/printable.hpp"

namespace gdvar::app {
namespace {

constexpr std::size_t most_buffered = 1 << 16;

/// Temporary files to delete when the user ends the program, one for each thread that writes.
std::array<std::atomic<const char*>, 64> temporaries{};

void clean_up() noexcept {
    for (const auto& temporary : temporaries)
        if (const char* path = temporary.load())
            platform::remove_at_end(path);
}

void announce(const std::string& path) {
    static const bool installed = (platform::before_end(clean_up), true);
    (void)installed;
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t own = threads++ % temporaries.size();
    temporaries[own].store(path.empty() ? nullptr : path.c_str());
}

}  // namespace

bool Output::begin() {
    if (spool_ || descriptor_ >= 0 || file_ || failed_)
        return !failed_;
    if (is_standard()) {
        descriptor_ = 1;
        return true;
    }
    FileError error;
    const bool within = !options_.within.empty();
    const auto info = platform::info_of(options_.output_file);
    if (!within && info && info->kind != platform::FileKind::regular) {
        // A device or a pipe is written to, not replaced.
        const auto opened = platform::open_to_write(options_.output_file);
        descriptor_ = opened.value_or(-1);
        error = FileError::io(opened ? 0 : opened.error().number);
    } else {
        const std::string path = within ? std::filesystem::path(options_.output_file)
                                              .lexically_relative(options_.within)
                                              .generic_string()
                                        : options_.output_file;
        auto file = AtomicFile::open(path, {.within = options_.within,
                                            .backup = options_.backup,
                                            .lock = options_.lock.get(),
                                            .made_of = options_.made_of,
                                            .announce = announce});
        if (file)
            file_.emplace(*std::move(file));
        else
            error = file.error();
    }
    if (descriptor_ >= 0 || file_)
        return true;
    say(options_.output_file + ": " +
        (within && (error.system == ELOOP || error.system == ENOTDIR)
             ? "error[io]: a link or a file stands in the way; it may lead out of --output-dir"
             : replacing_in_words(error)));
    failed_ = true;
    return false;
}

void Output::write(ByteView bytes) {
    used_ = true;
    FileTarget standard(descriptor_);
    Target& target = spool_  ? static_cast<Target&>(*spool_)
                     : file_ ? static_cast<Target&>(*file_)
                             : standard;
    if (auto done = target.write(bytes); !done) {
        // A closed pipe is not worth a message.
        if (done.error().system != EPIPE)
            say("gdvar: writing: " + in_words(done.error()));
        failed_ = true;
    }
}

void Output::flush() {
    if (!buffer_.empty() && begin() && !failed_)
        write(as_bytes(std::string_view(buffer_)));
    buffer_.clear();
}

void Output::add(std::string_view safe) {
    used_ = true;
    buffer_ += safe;
    if (buffer_.size() >= most_buffered)
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
    if (!binary_) {
        text((options_.output_form == "hex" ? to_hex(bytes) : to_base64(bytes)) + "\n");
    } else if (bytes.size() < most_buffered) {
        add(gdvar::detail::as_text(bytes.data(), bytes.size()));
    } else {
        flush();
        if (begin() && !failed_)
            write(bytes);
    }
}

void Output::take(Spool& from) {
    flush();
    std::vector<std::byte> part(1 << 16);
    auto ready = from.rewind();
    while (ready && begin() && !failed_) {
        const auto size = from.read(part);
        if (!size)
            ready = std::unexpected(size.error());
        if (!size || *size == 0)
            break;
        write(ByteView(part).first(*size));
    }
    if (!ready) {
        say("gdvar: " + in_words(ready.error()));
        failed_ = true;
    }
}

bool Output::replaces() const {
    if (is_standard())
        return false;
    const auto info = platform::info_of(options_.output_file);
    return !info || info->kind == platform::FileKind::regular;
}

bool Output::is_terminal() const {
    if (terminal_)
        return *terminal_;
    terminal_ = is_standard()
                    ? platform::is_terminal(1)
                    : options_.within.empty() &&
                          platform::names_terminal(options_.output_file);  // `-o /dev/tty`
    return *terminal_;
}

std::size_t Output::width() const {
    constexpr std::size_t usual = 80;
    const std::size_t columns = is_standard() && is_terminal() ? platform::terminal_columns(1) : 0;
    return columns ? columns : usual;
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

int Output::finish_after(int exit) {
    const int written = exit == fine || used_ ? finish() : fine;
    return exit != fine ? exit : written;
}

Output::~Output() {
    if (descriptor_ > 2)
        platform::close(descriptor_);
}

namespace {

constexpr std::size_t longest = 200;
constexpr std::uint64_t least_budget = 8u << 20;

}  // namespace

PathCutter PathCutter::for_programs(bool full, std::uint64_t input_bytes) {
    return {full, std::max(least_budget, 50 * input_bytes)};
}

std::string PathCutter::operator()(std::string_view path) {
    if (full_ || path.size() <= longest)
        return std::string(path);
    if (path.size() <= left_) {
        left_ -= path.size();
        return std::string(path);
    }
    cut_ = true;
    return shortened_path(path, longest);
}

void PathCutter::say_if_cut() const {
    if (cut_)
        say("gdvar: names and paths over " + std::to_string(longest) +
            " bytes were cut in the middle; --full prints them whole");
}

}  // namespace gdvar::app
