// Files, by the system's own descriptors.
// Room: platform. posix_file.cpp implements it; another system gets a file beside that one.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <expected>
#include <span>
#include <string>
#include <utility>

#include "gdvar/base/bytes.hpp"

namespace gdvar::platform {

/// Why the system refused a call: a number of <cerrno>, on every system.
struct SystemError {
    int number;
    friend bool operator==(const SystemError&, const SystemError&) = default;
};

template <class T>
using Result = std::expected<T, SystemError>;

inline std::unexpected<SystemError> refuse(int number) {
    return std::unexpected(SystemError{number});
}
/// With errno.
std::unexpected<SystemError> refuse_last();

/// A descriptor that closes itself. Its number is never that of a standard stream: if those are
/// closed, the program's output would otherwise go into the save.
class Descriptor {
public:
    Descriptor() = default;
    /// Takes the descriptor over; a number below 0 is none.
    explicit Descriptor(int number) noexcept;
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();
    explicit operator bool() const noexcept { return number_ >= 0; }
    int get() const noexcept { return number_; }
    /// Closes it, and tells what the system says of it.
    Result<void> close() noexcept;
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

/// The number of a SystemError that says that another program has changed a file meanwhile. Not
/// every system has a name for it; on Windows it is the number of its sockets, WSAESTALE.
#ifdef ESTALE
inline constexpr int changed_meanwhile = ESTALE;
#else
inline constexpr int changed_meanwhile = 10070;
#endif

enum class FileKind : std::uint8_t { regular, folder, link, socket, other };

/// What the system says of a file.
struct FileInfo {
    FileKind kind = FileKind::other;
    std::uint64_t device = 0, number = 0;  ///< the two together name the file
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was last written
    bool mine = false;                          ///< belongs to the user as whom this program runs
    bool owner_only = false;  ///< its permissions give nothing to anyone but the owner

    bool same_file(const FileInfo& other) const noexcept {
        return device == other.device && number == other.number;
    }
};

/// Symbolic links are followed.
Result<FileInfo> info_of(const std::string& path);
Result<FileInfo> info_of(int descriptor);
/// The same of what has that name, which may be a link.
Result<FileInfo> info_of_name(const std::string& path);
/// Takes a name away, if it is there.
void remove_name(const std::string& path) noexcept;
/// Whether this program may write that file, or make files in that folder. Errors: EACCES, ENOENT,
/// ...
Result<void> may_write(const std::string& path);

/// Opens a file for reading. The caller closes it.
Result<int> open_to_read(const std::string& path);
/// Opens a pipe or a device for writing. The caller closes it.
Result<int> open_to_write(const std::string& path);
/// Makes a file for writing that only this user can read. Errors: EEXIST, ...
Result<Descriptor> make_private(const std::string& path);
/// A file for reading and writing that no name leads to, in the folder; "" is the system's own for
/// such files. The caller closes it.
Result<int> make_nameless(const std::string& folder);
void close(int descriptor) noexcept;

/// Reads what there is now, up to the size of `to`; 0 at the end. Goes on after a signal.
Result<std::size_t> read(int descriptor, std::span<std::byte> to);
/// The same from an offset; the descriptor's own position stays.
Result<std::size_t> read_at(int descriptor, std::span<std::byte> to, std::uint64_t offset);
/// Writes everything. Goes on after a signal.
Result<void> write_all(int descriptor, ByteView bytes);
/// Writes what the system holds of the file to the disk.
Result<void> sync(int descriptor);

/// The descriptor's position.
Result<std::int64_t> position(int descriptor);
Result<void> set_position(int descriptor, std::int64_t position);
/// Moves it forward.
Result<void> advance(int descriptor, std::int64_t bytes);
/// Takes away what the file has behind so many bytes.
Result<void> cut(int descriptor, std::uint64_t size);

enum class LockResult : std::uint8_t {
    taken,        ///< or the file system has no locks
    held,         ///< by another program
    interrupted,  ///< by a signal; try again
};
/// Tries to take the system's lock of the file for this program alone, without waiting. It goes
/// with the descriptor.
Result<LockResult> try_to_lock(int descriptor);

/// Prepares standard input, output and error: bytes pass through them unchanged. Each that is
/// closed gets a file that refuses all, so that the next file to be opened does not get its number,
/// and messages do not go into a save. False: that failed.
bool hold_standard_files() noexcept;

/// Waits for so long.
void sleep(std::chrono::milliseconds time);
/// A time in the zone of this machine.
std::tm local_time(std::time_t time) noexcept;

}  // namespace gdvar::platform
