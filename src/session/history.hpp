// The changes of a save, to be undone and made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session/tree.hpp"

namespace gdvar::session {

/// One change, which SaveFile keeps.
struct Step {
    std::string what;         ///< in words: "$.hp: 97 -> 9999"
    Ordinals where;           ///< of the value that was changed, inserted or removed
    int shift = 0;            ///< 1: it was inserted; -1: it was removed
    std::size_t changes = 1;  ///< of the SaveFile
};

/// The places of a save that are not as they were saved.
class Marks {
public:
    void clear() { places_.clear(); }
    /// Takes in a change, or its undoing.
    void take(const Step& step, bool undone);
    /// Whether the value or something in it was changed.
    bool has(std::span<const std::uint32_t> where) const;
    bool empty() const noexcept { return places_.empty(); }

private:
    void shift(std::span<const std::uint32_t> where, int by);
    void put(std::span<const std::uint32_t> where);
    std::vector<Ordinals> places_;  ///< sorted
};

/// The steps so far. The oldest are dropped when they are more than 10,000.
class History {
public:
    explicit History(std::size_t most_steps = 10'000) : most_steps_(most_steps) {}

    /// After a change was made. Those that were undone can't be made again then.
    void add(Step step);
    /// The step to be taken back, or made again; null if there is none. Call `undone` or `redone`
    /// after that.
    const Step* to_undo() const noexcept { return done_ ? &steps_[done_ - 1] : nullptr; }
    const Step* to_redo() const noexcept {
        return done_ < steps_.size() ? &steps_[done_] : nullptr;
    }
    void undone();
    void redone();
    /// The save is now as the file is.
    void saved();

    /// Whether the save differs from the file, as far as steps tell.
    bool changed() const noexcept { return !leads_back_ || base_at_ != done_; }
    /// How many steps lie between the file and the save; nothing if that is no longer known.
    std::optional<std::size_t> distance() const noexcept;
    bool dropped() const noexcept { return dropped_; }
    const Marks& marks() const noexcept { return marks_; }

private:
    void drop_oldest();
    void mark_again();

    std::size_t most_steps_;
    std::deque<Step> steps_;
    std::size_t done_ = 0;
    bool dropped_ = false;
    Marks base_;  ///< as they are when `base_at_` steps are done
    std::size_t base_at_ = 0;
    bool leads_back_ = true;  ///< the save is as the file is when `base_at_` steps are done
    Marks marks_;
};

}  // namespace gdvar::session
