// Entries of a container, found by their place: the rows of a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/document.hpp"
#include "session/documents.hpp"

namespace gdvar::session {

/// A value and what leads to it from the value around it.
struct Entry {
    /// `part`: an element of a packed array, which has no View of its own.
    enum Kind : std::uint8_t { item, element, pair, property, part };
    Kind kind = item;
    std::size_t ordinal = 0;
    View view{};                         ///< of a part: the packed array
    View key{};                          ///< of a pair
    std::string_view name{};             ///< of a property
    inspect::Found copy{};               ///< of a part: the element as a value
    std::shared_ptr<const Held> held{};  ///< of an item: what the View looks into

    /// The value itself.
    const View& value() const noexcept { return kind == part ? copy : view; }
};

/// The step of a path: ".hp", "[3]"; empty for an item.
std::string step_of(const Entry& entry);
/// The step that leads to exactly this pair where keys come twice or can't be written: "[@5]".
std::string exact_step_of(const Entry& entry);
/// How many rows the value has when it is opened.
std::size_t rows_in(const View& view) noexcept;

/// A run of bytes of a packet.
struct Place {
    std::size_t offset = 0, size = 0;
};
/// The value's bytes in its packet; a pair's and a property's without their key.
Place bytes_of(const Entry& entry) noexcept;
/// The bytes of a pair's key or a property's name; none for others.
Place key_bytes_of(const Entry& entry) noexcept;

/// The children of a container or packed array, by their ordinals. Going on to the next one takes
/// constant time, going to any other a walk of at most 128 steps from the places that it has seen.
/// Memory: 32 bytes for every 128 children.
class Entries {
public:
    explicit Entries(const View& container);
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;

    std::size_t size() const noexcept { return size_; }
    /// The child of that ordinal, which must be below `size`.
    Entry at(std::size_t ordinal);

private:
    /// A range with places in it. Iterators point to the range, so it does not move.
    template <class Range>
    struct Walk {
        using Iterator = typename Range::iterator;
        explicit Walk(const Range& of) : range(of), near(range.begin()), marks{range.begin()} {}
        Walk(const Walk&) = delete;
        Walk& operator=(const Walk&) = delete;
        /// The iterator's result at that ordinal.
        auto at(std::size_t ordinal);

        Range range;
        Iterator near;  ///< where the last call ended
        std::size_t near_at = 0;
        std::vector<Iterator> marks;  ///< every 128th
    };
    using Elements = Walk<View::Elements>;
    using Pairs = Walk<View::Pairs>;
    using Properties = Walk<View::Properties>;
    using Strings = Walk<View::Strings>;

    View container_;
    std::variant<std::monostate, Elements, Pairs, Properties, Strings> walk_;
    std::size_t size_ = 0;
};

}  // namespace gdvar::session
