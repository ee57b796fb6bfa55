// Files, by the system's own descriptors. posix_file.cpp implements it.
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
std::unexpected<SystemError> refuse_last();

/// A descriptor that closes itself. Its number is never that of a standard stream: if those are
/// closed, the program's output would otherwise go into the save.
class Descriptor {
public:
    Descriptor() = default;
    /// Takes over the descriptor; a number below 0 means none.
    explicit Descriptor(int number) noexcept;
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();
    explicit operator bool() const noexcept { return number_ >= 0; }
    int get() const noexcept { return number_; }
    /// Closes it and returns the system's result.
    Result<void> close() noexcept;
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

/// The number of a SystemError for a file that another program has changed meanwhile. Systems
/// without ESTALE use another: Windows the number of its sockets, WSAESTALE.
#ifdef ESTALE
inline constexpr int changed_meanwhile = ESTALE;
#else
inline constexpr int changed_meanwhile = 10070;
#endif

enum class FileKind : std::uint8_t { regular, folder, link, socket, other };

struct FileInfo {
    FileKind kind = FileKind::other;
    std::uint64_t device = 0, number = 0;  ///< together they identify the file
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was last written
    bool mine = false;                          ///< belongs to the user who runs this program
    bool owner_only = false;                    ///< its permissions give nothing to others

    bool same_file(const FileInfo& other) const noexcept {
        return device == other.device && number == other.number;
    }
};

/// Symbolic links are followed.
Result<FileInfo> info_of(const std::string& path);
Result<FileInfo> info_of(int descriptor);
/// The same, but a link is not followed.
Result<FileInfo> info_of_name(const std::string& path);
void remove_name(const std::string& path) noexcept;
/// Checks that this program may write that file, or make files in that folder. Errors: EACCES,
/// ENOENT, ...
Result<void> may_write(const std::string& path);

/// Opens a file for reading. The caller closes it.
Result<int> open_to_read(const std::string& path);
/// Opens a pipe or a device for writing. The caller closes it.
Result<int> open_to_write(const std::string& path);
/// Makes a file for writing that only this user can read. Errors: EEXIST, ...
Result<Descriptor> make_private(const std::string& path);
/// A file without a name, for reading and writing, in the folder; "" is the system's own folder for
/// such files. The caller closes it.
Result<int> make_nameless(const std::string& folder);
void close(int descriptor) noexcept;

/// Reads what is available, up to the size of `to`; 0 at the end. Retries after a signal.
Result<std::size_t> read(int descriptor, std::span<std::byte> to);
/// The same from an offset; the descriptor's position stays.
Result<std::size_t> read_at(int descriptor, std::span<std::byte> to, std::uint64_t offset);
/// Writes everything. Retries after a signal.
Result<void> write_all(int descriptor, ByteView bytes);
/// Writes the system's buffers of the file to the disk.
Result<void> sync(int descriptor);

Result<std::int64_t> position(int descriptor);
Result<void> set_position(int descriptor, std::int64_t position);
Result<void> advance(int descriptor, std::int64_t bytes);
Result<void> cut(int descriptor, std::uint64_t size);

enum class LockResult : std::uint8_t {
    taken,        ///< also if the file system has no locks
    held,         ///< by another program
    interrupted,  ///< by a signal; try again
};
/// Tries to lock the file for this program alone, without waiting. The lock ends with the
/// descriptor.
Result<LockResult> try_to_lock(int descriptor);

/// Prepares standard input, output and error: bytes pass through them unchanged. Each closed one is
/// replaced by a file that refuses everything, so that the next opened file does not get its
/// number, and messages do not go into a save. False if that failed.
bool hold_standard_files() noexcept;

void sleep(std::chrono::milliseconds time);
/// A time in this machine's time zone.
std::tm local_time(std::time_t time) noexcept;

}  // namespace gdvar::platform
