#include "gdvar/inspect/nearest.hpp"

#include <algorithm>
#include <array>

namespace gdvar::inspect {
namespace {

constexpr std::size_t most_letters = 64;

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other, std::size_t most) noexcept {
    if (one.size() > most_letters || other.size() > most_letters)
        return one == other ? 0 : most + 1;
    // Three rows of the table: the current, the previous, and the one before that, for swaps.
    using Row = std::array<std::size_t, most_letters + 1>;
    Row rows[3];
    for (std::size_t j = 0; j <= other.size(); ++j)
        rows[0][j] = j;
    for (std::size_t i = 1; i <= one.size(); ++i) {
        Row& row = rows[i % 3];
        const Row &last = rows[(i + 2) % 3], &before = rows[(i + 1) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= other.size(); ++j) {
            const char a = lower(one[i - 1]), b = lower(other[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b)});
            if (i > 1 && j > 1 && a == lower(other[j - 2]) && lower(one[i - 2]) == b)
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return std::min(rows[one.size() % 3][other.size()], most + 1);
}

std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> names) noexcept {
    std::optional<std::string_view> best;
    std::size_t least = 0;
    for (const std::string_view name : names) {
        const std::size_t most = std::max<std::size_t>(std::min(name.size(), wanted.size()) / 3, 1);
        std::size_t distance = edit_distance(wanted, name, most);
        const bool begins = wanted.size() >= 2 && (name.starts_with(wanted) ||
                                                   (wanted.starts_with(name) && name.size() >= 2));
        if (distance > most && begins)
            distance = most;
        // Any other letter is one step away from a single letter.
        if (distance > most || (!begins && std::max(wanted.size(), name.size()) <= distance))
            continue;
        if (best && distance >= least)
            continue;
        best = name;
        least = distance;
    }
    return best;
}

}  // namespace gdvar::inspect
