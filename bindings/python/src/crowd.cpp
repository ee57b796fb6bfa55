#include "crowd.hpp"

namespace gdvar_py {

bool Crowd::add(std::uint64_t hash) {
    // By chance a key takes one step or two. Numbers with many equal bits, such as ids that count
    // from bit 32 on, take 15 in a dict and 130 in a set, whose steps are adjacent and cheap; an
    // attacker's keys take as many as there are keys. Keys of one hash are compared, which takes
    // longer than a step.
    const std::uint64_t steps = of_ == Of::set ? 256 : 64;
    constexpr std::uint64_t compared = 8, at_least = 4096;
    if (is_full())
        grow();
    hashes_.push_back(hash);
    const std::size_t met = place(hash);
    equal_ += met;
    return met < most_equal && steps_ <= steps * hashes_.size() + at_least &&
           equal_ <= compared * hashes_.size() + at_least;
}

bool Crowd::is_full() const noexcept {
    if (table_.empty())
        return true;
    return of_ == Of::dict ? hashes_.size() >= table_.size() * 2 / 3
                           : hashes_.size() * 5 >= (table_.size() - 1) * 3;
}

void Crowd::grow() {
    std::size_t size = 8;
    if (of_ == Of::dict && !table_.empty())
        size = table_.size() * 2;
    if (of_ == Of::set)
        while (size <= hashes_.size() * (hashes_.size() > 50'000 ? 2 : 4))
            size *= 2;
    table_.assign(size, empty);
    for (const std::uint64_t hash : hashes_)
        place(hash);
}

std::size_t Crowd::place(std::uint64_t hash) noexcept {
    const std::size_t mask = table_.size() - 1;
    const std::size_t in_a_row = of_ == Of::set ? 9 : 0;  // tried by a set before it jumps
    std::size_t at = hash & mask, met = 0;
    for (std::uint64_t rest = hash;; at = (at * 5 + (rest >>= 5) + 1) & mask) {
        const std::size_t last = at + in_a_row <= mask ? at + in_a_row : at;
        for (std::size_t i = at; i <= last; ++i) {
            if (table_[i] == empty) {
                table_[i] = hash;
                return met;
            }
            ++steps_;
            met += table_[i] == hash;
        }
    }
}

}  // namespace gdvar_py
