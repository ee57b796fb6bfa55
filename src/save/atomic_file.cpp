#include "gdvar/save/atomic_file.hpp"

#include <cerrno>
#include <new>
#include <optional>
#include <utility>

#include "base/exceptions.hpp"
#include "base/platform/attributes.hpp"
#include "base/platform/resolved_path.hpp"
#include "save/replacing.hpp"

namespace gdvar {
namespace {

using platform::Descriptor;
using platform::ResolvedPath;
using save::or_io;
using save::refuse;
using save::refuse_io;

platform::Result<void> copy_file(const ResolvedPath& from, const ResolvedPath& to,
                                 const std::string& name) {
    const auto old = platform::open_file(from, platform::Access::read);
    if (!old)
        return std::unexpected(old.error());
    // The mode must be narrow from the start: users who could not read the old file may not read
    // this one at any moment.
    auto out = platform::make_file(to, name, platform::for_owner_alone);
    if (!out)
        return std::unexpected(out.error());
    if (auto same = platform::copy_attributes(old->get(), out->get()); !same)
        return same;
    std::byte buffer[1 << 14];  // on the stack: without memory the name would stay
    for (;;) {
        const auto n = platform::read(old->get(), buffer);
        if (!n)
            return std::unexpected(n.error());
        if (*n == 0)
            break;
        if (auto written = platform::write_all(out->get(), ByteView(buffer, *n)); !written)
            return written;
    }
    if (auto synced = platform::sync(out->get()); !synced)
        return synced;
    return out->close();
}

/// Keeps the file under another name, too.
std::expected<void, FileError> make_backup(const ResolvedPath& resolved,
                                           const ResolvedPath& backup) {
    // The backup is a second name of the old file, or a copy where hard links do not exist.
    const std::string name = platform::temporary_name(backup.name);
    if (!platform::add_name(resolved, backup, name))
        if (auto copied = copy_file(resolved, backup, name); !copied) {
            platform::remove(backup, name);
            return refuse_io(copied.error());
        }
    const auto renamed = platform::rename(backup, name, backup.name);
    // rename does nothing if both names are the same file: the backup already is that file.
    platform::remove(backup, name);
    return or_io(renamed);
}

std::expected<FileStamp, FileError> stamp_beside(const ResolvedPath& resolved,
                                                 const std::string& name) {
    return save::stamp_of(resolved.look_beside(name));
}

}  // namespace

std::expected<FileStamp, FileError> file_stamp(const std::string& path) {
    return save::stamp_of(platform::info_of(path));
}

std::expected<FileStamp, FileError> file_stamp(int descriptor) {
    return save::stamp_of(platform::info_of(descriptor));
}

struct AtomicFile::State {
    ResolvedPath resolved;
    std::optional<ResolvedPath> backup;
    std::string temporary, temporary_path;  ///< empty when there is none
    ReplaceOptions options;
    Descriptor file;
    FileStamp stamp;  ///< of the new file
    std::optional<FileError> broken;

    ~State() { give_up(); }
    std::expected<void, FileError> begin() {
        if (auto fit = platform::can_be_replaced(resolved); !fit)
            return refuse_io(fit.error());
        if (!options.backup.empty()) {
            auto found = platform::folder_and_name(options.backup);
            if (!found)
                return refuse_io(found.error());
            if (same_name(*found, resolved))
                return refuse_io(EINVAL);
            backup = *std::move(found);
        }
        temporary = platform::temporary_name(resolved.name);
        temporary_path = resolved.beside(temporary);
        if (options.announce)
            options.announce(temporary_path);
        unsigned mode = resolved.info ? platform::for_owner_alone : platform::for_all;
        for (const std::string& source : options.made_of)
            mode &= platform::bits_for_copy_of(source, resolved);
        auto made = platform::make_file(resolved, temporary, mode);
        if (!made)
            return refuse_io(made.error());
        file = *std::move(made);
        if (!resolved.info)
            return {};
        auto old = platform::open_file(resolved, platform::Access::read);
        if (!old && old.error().number == EACCES)
            old = platform::open_file(resolved, platform::Access::write);
        if (!old)
            return refuse_io(old.error());
        return or_io(platform::copy_attributes(old->get(), file.get()));
    }
    std::expected<void, FileError> finish() {
        if (broken)
            return std::unexpected(*broken);
        if (!file)
            return refuse_io(EBADF);
        if (auto synced = platform::sync(file.get()); !synced)
            return refuse_io(synced.error());
        const auto written = save::stamp_of(platform::info_of(file.get()));
        if (!written)
            return std::unexpected(written.error());
        stamp = *written;
        if (auto closed = file.close(); !closed)
            return refuse_io(closed.error());
        if (options.lock)
            return replace();
        // The lock keeps this replacement from falling between another program's reading and
        // replacing.
        const auto lock = save::lock_file(resolved, options.lock_wait);
        if (!lock && lock.error().system != ENOENT)
            return std::unexpected(lock.error());
        return replace();
    }
    std::expected<void, FileError> replace() {
        const FileStamp* wanted = options.expected ? &*options.expected
                                  : options.lock   ? &options.lock->stamp()
                                                   : nullptr;
        if (wanted) {
            const auto now = save::stamp_of(resolved.look());
            if (!now)
                return std::unexpected(now.error());
            if (*now != *wanted)
                return refuse_io(platform::changed_meanwhile);
        }
        if (backup && resolved.info)
            if (auto kept = make_backup(resolved, *backup); !kept)
                return kept;
        if (auto there = rename_to_target(wanted); !there)
            return there;
        return or_io(platform::sync_folder(resolved));
    }
    /// Gives the new file its name. If the old file must be in a certain state, the two names are
    /// swapped, if the file system can do it, and the old file is checked after that: a program
    /// that takes no lock may have put its own file there since the last check.
    std::expected<void, FileError> rename_to_target(const FileStamp* wanted) {
        platform::Result<void> swapped = platform::refuse(EINVAL);
        if (wanted)
            swapped = platform::swap_names(resolved, temporary, resolved.name);
        if (!swapped && swapped.error().number != EINVAL)
            return refuse_io(swapped.error());
        if (!swapped) {
            if (auto renamed = platform::rename(resolved, temporary, resolved.name); !renamed)
                return refuse_io(renamed.error());
            gone();
            return {};
        }
        const auto old = stamp_beside(resolved, temporary);
        if (old && *old != *wanted)
            return put_back(stamp);
        platform::remove(resolved, temporary);
        gone();
        return {};
    }
    /// Restores the name of another program's file that was replaced, and then of any file that the
    /// program puts there meanwhile. `mine`: the current file, as far as known.
    std::expected<void, FileError> put_back(FileStamp mine) {
        // A signal that ends the program must not delete that file.
        if (options.announce)
            options.announce({});
        for (int tries = 0; tries < 100; ++tries) {
            const auto theirs = stamp_beside(resolved, temporary);
            if (!theirs || !platform::swap_names(resolved, temporary, resolved.name))
                break;
            const auto there = stamp_beside(resolved, temporary);
            if (!there)
                break;
            if (there->same_file(mine))
                return refuse_io(platform::changed_meanwhile);
            mine = *theirs;
        }
        temporary.clear();  // keeps a file that may be the other program's only one
        return refuse_io(platform::changed_meanwhile);
    }
    void give_up() noexcept {
        if (file)
            (void)file.close();
        if (temporary.empty())
            return;
        platform::remove(resolved, temporary);
        gone();
    }
    void gone() noexcept {
        temporary.clear();
        if (options.announce)
            options.announce({});
    }
};

std::expected<AtomicFile, FileError> AtomicFile::open(const std::string& path,
                                                      ReplaceOptions options) GDVAR_TRY {
    auto resolved = options.within.empty() ? platform::resolve_path(path)
                                           : platform::resolve_below(options.within, path);
    if (!resolved)
        return refuse_io(resolved.error());
    auto state = std::make_unique<State>();
    state->resolved = *std::move(resolved);
    state->options = std::move(options);
    if (auto begun = state->begin(); !begun)
        return std::unexpected(begun.error());
    return AtomicFile(std::move(state));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

AtomicFile::AtomicFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
AtomicFile::AtomicFile(AtomicFile&& other) noexcept = default;
AtomicFile::~AtomicFile() = default;

const FileStamp& AtomicFile::stamp() const noexcept {
    return state_->stamp;
}
const std::string& AtomicFile::path() const noexcept {
    return state_->resolved.path;
}

std::expected<void, FileError> AtomicFile::write(ByteView bytes) {
    if (state_->broken)
        return std::unexpected(*state_->broken);
    if (!state_->file)
        return refuse_io(EBADF);
    auto written = or_io(platform::write_all(state_->file.get(), bytes));
    if (!written)
        state_->broken = written.error();
    return written;
}

std::expected<void, FileError> AtomicFile::commit() GDVAR_TRY {
    auto done = state_->finish();
    state_->give_up();
    if (!done)
        state_->broken = done.error();
    return done;
}
GDVAR_CATCH_NO_MEMORY(state_->give_up(); return refuse(Errc::no_memory))

std::expected<void, FileError> atomic_replace(const std::string& path, ByteView bytes,
                                              const ReplaceOptions& options) GDVAR_TRY {
    auto file = AtomicFile::open(path, options);
    if (!file)
        return std::unexpected(file.error());
    if (auto written = file->write(bytes); !written)
        return written;
    return file->commit();
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

}  // namespace gdvar
