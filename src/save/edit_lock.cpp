#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <new>
#include <thread>

#include "gdvar/save/atomic_file.hpp"
#include "save/place.hpp"

namespace gdvar {
namespace {

using save::Descriptor;
using save::Place;
using save::refuse;
using save::refuse_io;

enum class Try : std::uint8_t { locked, held, replaced };

/// One attempt at what stands at the place now.
std::expected<Try, Error> try_to_lock(const Place& place, Descriptor& file, struct stat& info) {
    // On NFS an exclusive lock needs a file that is open for writing.
    file = Descriptor(::openat(place.folder.get(), place.name.c_str(),
                               O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file || ::fstat(file.get(), &info) != 0)
        return refuse_io();
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return Try::held;
        if (errno == EINTR)
            return Try::replaced;
        // These errors mean a file system without locks; the file is then taken without one.
        if (errno != ENOLCK && errno != ENOTSUP && errno != ENOSYS && errno != EINVAL)
            return refuse_io();
    }
    // The last holder may have put another file under this name since the file was opened.
    auto now = place.look();
    if (!now)
        return std::unexpected(now.error());
    if (!save::same_file(*now, info))
        return Try::replaced;
    if (::fstat(file.get(), &info) != 0)
        return refuse_io();
    return Try::locked;
}

/// `look()` resolves the place again for each attempt.
template <class Look>
std::expected<Descriptor, Error> lock(Look&& look, std::chrono::milliseconds wait,
                                      struct stat& info) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + wait;
    auto pause = std::chrono::milliseconds(1);
    for (;;) {
        const std::expected<const Place*, Error> place = look();
        if (!place)
            return std::unexpected(place.error());
        Descriptor file;
        auto tried = try_to_lock(**place, file, info);
        if (!tried)
            return std::unexpected(tried.error());
        if (*tried == Try::locked)
            return file;
        if (Clock::now() >= deadline)
            return refuse_io(EWOULDBLOCK);
        if (*tried == Try::replaced)
            continue;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(32));
    }
}

}  // namespace

namespace save {

std::expected<Descriptor, Error> lock_place(const Place& place, std::chrono::milliseconds wait) {
    struct stat info{};
    return lock([&] { return std::expected<const Place*, Error>(&place); }, wait, info);
}

}  // namespace save

std::expected<EditLock, Error> EditLock::take(const std::string& path,
                                              std::chrono::milliseconds wait) try {
    struct stat info{};
    Place place;
    const auto look = [&]() -> std::expected<const Place*, Error> {
        auto found = save::find_place(path);
        if (!found)
            return std::unexpected(found.error());
        place = *std::move(found);
        if (!place.info)
            return refuse_io(ENOENT);
        if (auto fit = save::can_be_replaced(place); !fit)
            return std::unexpected(fit.error());
        return &place;
    };
    auto file = lock(look, wait, info);
    if (!file)
        return std::unexpected(file.error());
    return EditLock(file->release(), save::stamp_of(info));
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

EditLock::EditLock(EditLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), stamp_(other.stamp_) {}

EditLock& EditLock::operator=(EditLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(stamp_, other.stamp_);
    return *this;
}

EditLock::~EditLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

}  // namespace gdvar
