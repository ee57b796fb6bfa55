// The sound part of a broken text of one value, in JSON or in Godot's form: the values before the
// break, with the brackets closed.
// Room: file, private.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/value/text_error.hpp"
#include "text/rules.hpp"

namespace gdvar::recovering {

using detail::TextRules;

/// Where a broken value can be ended.
struct ValueCut {
    std::size_t keep = 0;    ///< so many bytes stay; 0: none
    std::string closers;     ///< of the brackets that are open there: "]}"
    std::string at = "$";    ///< the path of the break
    std::size_t values = 0;  ///< values that stay, other than the containers around the break
    std::size_t before = 0;  ///< `keep` without the item that ends there; 0: there is none
    std::string at_before;   ///< and these then
    std::size_t values_before = 0;
    bool whole = false;      ///< the value ends there: something else follows
    bool container = false;  ///< it begins with a bracket, or with a name before one
};

/// Finds the last place before `stop` at which the value can be ended. Up to `stop` a parser could
/// read the text. Time: linear. Memory: one entry for each open bracket. Throws bad_alloc.
ValueCut cut_before(std::string_view text, std::size_t stop, const TextRules& rules);

/// The part of a broken value that can be kept.
struct MendedValue {
    std::string text;
    ValueCut cut;     ///< where the value was ended
    TextError error;  ///< the break there: why, and where in the text
    /// An item that was left out between others.
    struct Hole {
        std::size_t begin = 0, end = 0;
        TextError error;
        std::string at;
        bool moves = false;  ///< elements of an Array behind it have other indices now
    };
    std::vector<Hole> holes;  ///< rising
};

/// Reads a text to its end. Returns the error, with its offset.
using TextCheck = std::function<std::expected<void, TextError>(std::string_view text)>;

/// Leaves out the items that can't be read, of which `error`, which `check` gave for the text, is
/// the first; a value that nothing sound follows is ended before the break. Behind what is no token
/// and behind a quote that is missing nothing is sound: text and comments look like values there.
/// The result passes `check`. Nothing if no value can be kept. Time: a few readings. Throws
/// bad_alloc.
std::optional<MendedValue> mend_value(std::string_view text, const TextRules& rules,
                                      const TextError& error, const TextCheck& check);

/// Counts lines from one place to the next.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}
    std::uint64_t of(std::uint64_t place) {
        const auto at = static_cast<std::size_t>(std::min<std::uint64_t>(place, text_.size()));
        if (at < at_) {
            at_ = 0;
            line_ = 1;
        }
        const auto from = text_.begin() + static_cast<std::ptrdiff_t>(at_);
        line_ += static_cast<std::uint64_t>(
            std::count(from, text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        at_ = at;
        return line_;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1;
};

/// Why a text can't be read.
std::string reason_of(const TextError& error);
std::string reason_of(const MendedValue::Hole& hole);

}  // namespace gdvar::recovering
