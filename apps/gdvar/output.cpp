#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "command.hpp"
#include "gdvar/save/coding.hpp"

namespace gdvar::app {

void say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

std::string hex(std::uint64_t value) {
    char text[20];
    return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

namespace {
/// What a link leads to: the file behind it is the one to replace.
std::string real_target(const std::string& path) {
    char resolved[PATH_MAX];
    return ::realpath(path.c_str(), resolved) ? resolved : path;
}
}  // namespace

bool Output::begin() {
    if (descriptor_ >= 0 || failed_) return !failed_;
    if (options_.output_file.empty() || options_.output_file == "-") {
        descriptor_ = 1;
        return true;
    }
    const std::string target = real_target(options_.output_file);
    struct stat info {};
    if (::stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
        // A device or a pipe is written to, not replaced.
        descriptor_ = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        temporary_ = target + ".XXXXXX";
        descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
        if (descriptor_ < 0) temporary_.clear();
        if (descriptor_ >= 0) {
            const mode_t mask = ::umask(0);
            ::umask(mask);
            (void)!::fchmod(descriptor_, info.st_mode ? info.st_mode & 07777 : 0666 & ~mask);
        }
    }
    if (descriptor_ >= 0) return true;
    say(options_.output_file + ": error[io]: " + std::strerror(errno));
    failed_ = true;
    return false;
}

void Output::flush() {
    if (buffer_.empty() || !begin()) return;
    for (std::size_t done = 0; done < buffer_.size() && !failed_;) {
        const ssize_t n = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            say(std::string("gdvar: error[io]: writing: ") + std::strerror(errno));
            failed_ = true;
        } else {
            done += static_cast<std::size_t>(n);
        }
    }
    buffer_.clear();
}

void Output::text(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (1 << 16)) flush();
}

void Output::binary(ByteView bytes) {
    if (options_.output_form == "hex") {
        text(to_hex(bytes) + "\n");
    } else if (options_.output_form == "base64") {
        text(to_base64(bytes) + "\n");
    } else {
        text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
}

bool Output::is_terminal() const {
    return (options_.output_file.empty() || options_.output_file == "-") && ::isatty(1);
}

bool Output::color() const {
    if (options_.color != "auto") return options_.color == "always";
    const char* refused_by = std::getenv("NO_COLOR");
    return is_terminal() && !(refused_by && *refused_by);
}

int Output::finish() {
    flush();
    if (begin() && !temporary_.empty()) {
        const std::string target = real_target(options_.output_file);
        if (::fsync(descriptor_) != 0 || ::rename(temporary_.c_str(), target.c_str()) != 0) {
            say(options_.output_file + ": error[io]: " + std::strerror(errno));
            failed_ = true;
        } else {
            temporary_.clear();
        }
    }
    return failed_ ? io_error : fine;
}

Output::~Output() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    if (descriptor_ > 2) ::close(descriptor_);
}

}  // namespace gdvar::app
