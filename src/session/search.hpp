// Searching a save for a text, piece by piece.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "session/documents.hpp"
#include "session/entries.hpp"
#include "session/tree.hpp"

namespace gdvar::session {

/// All values of a save, a container before what is in it. A packed array's elements come only if
/// they are texts. Iterative. Memory: about 200 bytes for each open level.
class Walk {
public:
    /// Both are borrowed. Starts at the first value.
    Walk(const SaveFile& save, Documents& documents) : save_(save), documents_(documents) {}

    /// Back to the start.
    void restart();
    /// Goes on to the next value. False at the end.
    bool next();
    /// Goes to that value, which must be there.
    void go_to(std::span<const std::uint32_t> ordinals);
    const Entry& entry() const noexcept { return entry_; }
    Ordinals ordinals() const;

private:
    struct Level {
        std::shared_ptr<const Held> held;  ///< keeps the Views valid
        std::unique_ptr<Entries> entries;
        std::size_t at = 0;
    };
    bool enter();
    bool take_item();
    const SaveFile& save_;
    Documents& documents_;
    std::size_t item_ = 0;
    bool started_ = false;
    std::deque<Level> levels_;
    Entry entry_;
};

/// A search for the next or the last value before a place whose key or value has a text in it. Case
/// does not matter for ASCII letters. It goes around the end of the save.
class Search {
public:
    enum class State : std::uint8_t { running, found, nothing };
    struct Options {
        std::string text{};
        Ordinals from{};  ///< empty: the first value
        bool backwards = false;
        bool here = false;  ///< the value at `from` counts, too
    };

    Search(const SaveFile& save, Documents& documents, Options options);

    /// Looks at up to so many values.
    State step(std::size_t values);
    /// Where the text was found, and whether that is around the end.
    const Ordinals& place() const noexcept { return place_; }
    bool around() const noexcept { return around_; }
    std::uint64_t looked() const noexcept { return looked_; }

private:
    bool matches(const Entry& entry) const;
    bool has_text(std::string_view text) const;
    State end();
    const SaveFile& save_;
    Options options_;
    std::string folded_;
    bool numeric_;  ///< numbers can have it in them
    Walk walk_;
    bool started_ = false, around_ = false;
    bool last_known_ = false;
    Ordinals last_;  ///< backwards: the last match so far
    Ordinals place_;
    std::uint64_t looked_ = 0;
};

}  // namespace gdvar::session
