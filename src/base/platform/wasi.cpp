// WASI has files as in POSIX. It lacks owners and permissions, for which the host has functions;
// locks, other programs and signals; and everything about terminals except isatty.
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/platform/attributes.hpp"
#include "base/platform/child.hpp"
#include "base/platform/signals.hpp"
#include "base/platform/terminal.hpp"
#include "base/platform/wasi.hpp"
#include "base/random_import.hpp"

/// The host's random bytes, in place of the module's import.
void gdvar_import_random(void* to, std::size_t size) {
    constexpr std::size_t most = 256;
    for (auto* at = static_cast<std::byte*>(to); size;) {
        const std::size_t part = std::min(size, most);
        // Without random bytes no key is safe.
        if (::getentropy(at, part) != 0)
            std::abort();
        at += part;
        size -= part;
    }
}

extern "C" int flock(int, int) {
    errno = ENOSYS;
    return -1;
}

namespace gdvar::platform {
namespace {

/// A program begins in the root. The host passes the user's folder in this variable.
[[gnu::constructor]] void enter_working_folder() {
    if (const char* const folder = std::getenv("PWD"))
        (void)::chdir(folder);
}

}  // namespace

Result<void> copy_attributes(int from, int to) {
    if (!gdvar_copy_permissions(from, to))
        return refuse(EPERM);
    return {};
}
bool acl_is_mask(const std::string&) noexcept {
    return false;
}

void before_end(void (*)() noexcept) noexcept {}
void remove_at_end(const char* path) noexcept {
    ::unlink(path);
}

const bool runs_programs = false;

struct HeldSignals::Kept {};
HeldSignals::HeldSignals() noexcept : kept_(nullptr) {}
HeldSignals::~HeldSignals() {
    delete kept_;
}
Result<HeldSignals::Waited> HeldSignals::to_read(int) noexcept {
    return refuse(ENOTSUP);
}
Result<HeldSignals::Ended> HeldSignals::run(const std::string&, const std::string&,
                                            std::span<const std::string_view>) noexcept {
    return refuse(ENOTSUP);
}
void end_by(int signal) noexcept {
    std::_Exit(128 + signal);
}
Result<std::string> make_private_folder(const std::string&, const std::string&) {
    return refuse(ENOTSUP);
}
Result<Descriptor> hold_folder(const std::string&) {
    return refuse(ENOTSUP);
}
bool is_left_folder(const std::string&) noexcept {
    return false;
}

std::size_t terminal_columns(int) noexcept {
    return 0;
}
bool read_hidden_line(int, std::string_view, HiddenText&) {
    return false;
}

}  // namespace gdvar::platform
