#include "session/history.hpp"

#include <algorithm>
#include <utility>

namespace gdvar::session {

// ---- marks

namespace {

bool begins_with(std::span<const std::uint32_t> place, std::span<const std::uint32_t> start) {
    return place.size() >= start.size() && std::ranges::equal(place.first(start.size()), start);
}

bool is_less(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return std::ranges::lexicographical_compare(a, b);
}

}  // namespace

void Marks::put(std::span<const std::uint32_t> where) {
    const auto at = std::lower_bound(places_.begin(), places_.end(), where, is_less);
    if (at == places_.end() || !std::ranges::equal(*at, where))
        places_.emplace(at, where.begin(), where.end());
}

void Marks::shift(std::span<const std::uint32_t> where, int by) {
    const std::size_t level = where.size() - 1;
    const auto around = where.first(level);
    if (by < 0)
        std::erase_if(places_, [&](const Ordinals& place) { return begins_with(place, where); });
    for (Ordinals& place : places_)
        if (place.size() > level && begins_with(place, around) && place[level] >= where.back())
            place[level] += static_cast<std::uint32_t>(by);
}

void Marks::take(const Step& step, bool undone) {
    const int by = undone ? -step.shift : step.shift;
    std::span<const std::uint32_t> where = step.where;
    if (by)
        shift(where, by);
    if (by < 0)  // what is gone marks what it was in
        where = where.first(where.size() - 1);
    put(where);
}

bool Marks::has(std::span<const std::uint32_t> where) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(), where, is_less);
    return at != places_.end() && begins_with(*at, where);
}

// ---- steps

void History::mark_again() {
    marks_ = base_;
    for (std::size_t i = base_at_; i < done_; ++i)
        marks_.take(steps_[i], false);
    for (std::size_t i = base_at_; i > done_; --i)
        marks_.take(steps_[i - 1], true);
}

void History::drop_oldest() {
    if (base_at_) {
        --base_at_;
    } else {
        base_.take(steps_.front(), false);
        leads_back_ = false;
    }
    --done_;
    steps_.pop_front();
    dropped_ = true;
}

void History::add(Step step) {
    if (base_at_ > done_) {
        base_ = marks_;
        base_at_ = done_;
        leads_back_ = false;
    }
    steps_.resize(done_);
    steps_.push_back(std::move(step));
    if (++done_ > most_steps_)
        drop_oldest();
    mark_again();
}

void History::undone() {
    --done_;
    mark_again();
}

void History::redone() {
    ++done_;
    mark_again();
}

void History::saved() {
    base_.clear();
    base_at_ = done_;
    leads_back_ = true;
    mark_again();
}

std::optional<std::size_t> History::distance() const noexcept {
    if (!leads_back_)
        return std::nullopt;
    return base_at_ > done_ ? base_at_ - done_ : done_ - base_at_;
}

}  // namespace gdvar::session
