// The changes of a save as bytes, to be taken back and made again.
// Room: file, private.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "gdvar/file/save_document.hpp"

namespace gdvar {

/// A value of a save with bytes of its own.
struct OwnedItem {
    SaveItem item;  ///< without key and packet
    std::string key;
    std::vector<std::byte> packet;
    explicit OwnedItem(const SaveItem& of);
    SaveItem view() const noexcept;
};

/// Whether only their packets may differ.
inline bool stays(const SaveItem& a, const SaveItem& b) noexcept {
    return a.key == b.key && a.offset == b.offset && a.number == b.number;
}

/// One change: bytes in packets, or whole values that came in the place of others.
struct KeptChange {
    struct Bytes {
        std::size_t index = 0;   ///< of the value
        std::size_t offset = 0;  ///< in its packet
        std::vector<std::byte> before{}, after{};
    };
    std::vector<Bytes> bytes{};  ///< in the order in which they were put
    std::size_t first = 0;       ///< the number of the first value that came or went
    std::vector<OwnedItem> gone{}, came{};

    std::uint64_t memory() const noexcept;
};

/// The changes so far. The oldest are dropped beyond a limit of memory; the newest one stays in any
/// case.
class KeptChanges {
public:
    explicit KeptChanges(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

    /// After a change was made. Those that were taken back can't be made again then. Without
    /// memory all are dropped.
    void add(KeptChange&& change) noexcept;
    std::uint64_t count() const noexcept { return dropped_ + done_; }
    std::size_t to_undo() const noexcept { return done_; }
    std::size_t to_redo() const noexcept { return changes_.size() - done_; }
    const KeptChange& next(bool back) const noexcept { return changes_[back ? done_ - 1 : done_]; }
    /// After the next one was taken back or made again.
    void went(bool back) noexcept { back ? --done_ : ++done_; }
    void drop() noexcept;
    /// The save is now as the file is.
    void mark_saved() noexcept { saved_ = done_; }
    bool is_saved() const noexcept { return saved_ == done_; }

private:
    std::uint64_t most_bytes_, bytes_ = 0, dropped_ = 0;
    std::deque<KeptChange> changes_;
    std::size_t done_ = 0;
    std::optional<std::size_t> saved_ = 0;  ///< none: no change leads back to it
};

}  // namespace gdvar
