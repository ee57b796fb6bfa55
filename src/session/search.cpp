#include "session/search.hpp"

#include <algorithm>
#include <utility>

#include "gdvar/inspect/detail/children.hpp"
#include "session/preview.hpp"

namespace gdvar::session {
namespace {

char folded(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool holds_rows(const Entry& entry) noexcept {
    return entry.kind != Entry::part &&
           (gdvar::detail::is_container(entry.view) || entry.view.is(Type::packed_string_array)) &&
           entry.view.size();
}

}  // namespace

// ---- all values

bool Walk::take_item() {
    levels_.clear();
    entry_ = Entry();
    if (item_ >= save_.items().size())
        return false;
    documents_.trim();
    entry_.ordinal = item_;
    entry_.held = documents_.at(item_);
    entry_.view = entry_.held->root();
    return true;
}

bool Walk::enter() {
    if (!holds_rows(entry_))
        return false;
    levels_.push_back({entry_.held, std::make_unique<Entries>(entry_.view), 0});
    entry_ = levels_.back().entries->at(0);
    return true;
}

void Walk::restart() {
    levels_.clear();
    item_ = 0;
    started_ = false;
}

bool Walk::next() {
    if (!started_) {
        started_ = true;
        return take_item();
    }
    if (enter())
        return true;
    while (!levels_.empty()) {
        Level& level = levels_.back();
        if (++level.at < level.entries->size()) {
            entry_ = level.entries->at(level.at);
            return true;
        }
        levels_.pop_back();
    }
    ++item_;
    return take_item();
}

void Walk::go_to(std::span<const std::uint32_t> ordinals) {
    started_ = true;
    item_ = ordinals.empty() ? 0 : ordinals[0];
    if (!take_item())
        return;
    for (std::size_t i = 1; i < ordinals.size() && enter(); ++i) {
        Level& level = levels_.back();
        level.at = std::min<std::size_t>(ordinals[i], level.entries->size() - 1);
        entry_ = level.entries->at(level.at);
    }
}

Ordinals Walk::ordinals() const {
    Ordinals out{static_cast<std::uint32_t>(item_)};
    for (const Level& level : levels_)
        out.push_back(static_cast<std::uint32_t>(level.at));
    return out;
}

// ---- a text

Search::Search(const SaveFile& save, Documents& documents, Options options)
    : save_(save), options_(std::move(options)), walk_(save, documents) {
    for (const char c : options_.text)
        folded_ += folded(c);
    numeric_ = folded_.find_first_not_of("0123456789+-.einfa") == folded_.npos;
    if (!options_.backwards && !options_.from.empty())
        walk_.go_to(options_.from);
}

bool Search::has_text(std::string_view text) const {
    return std::search(text.begin(), text.end(), folded_.begin(), folded_.end(),
                       [](char a, char b) { return folded(a) == b; }) != text.end();
}

bool Search::matches(const Entry& entry) const {
    const auto is_text = [](const View& v) {
        return v.is(Type::string) || v.is(Type::string_name);
    };
    if (entry.kind == Entry::item && save_.kind().named &&
        has_text(setting_name(save_.items()[entry.ordinal].key)))
        return true;
    if (entry.kind == Entry::property || (entry.kind == Entry::pair && is_text(entry.key))) {
        if (has_text(entry.kind == Entry::property ? entry.name : entry.key.text()))
            return true;
    } else if (entry.kind == Entry::pair && has_text(step_of(entry))) {
        return true;
    }
    const View& value = entry.value();
    if (entry.kind == Entry::part)
        return has_text(entry.name);
    if (holds_rows(entry))
        return false;
    if (is_text(value))
        return has_text(value.text());
    if ((value.is(Type::integer) || value.is(Type::real)) && !numeric_)
        return false;
    return has_text(short_value(value));
}

Search::State Search::end() {
    if (options_.backwards) {
        if (!last_known_)
            return State::nothing;
        place_ = last_;
        return State::found;
    }
    if (around_)
        return State::nothing;
    around_ = true;
    walk_.restart();
    return State::running;
}

Search::State Search::step(std::size_t values) {
    if (folded_.empty() || save_.items().empty())
        return State::nothing;
    const auto is_before = [&](const Ordinals& place) {
        return std::ranges::lexicographical_compare(place, options_.from);
    };
    while (values-- > 0) {
        const bool first = !std::exchange(started_, true);
        const bool stays = first && !options_.backwards && !options_.from.empty();
        if (!stays && !walk_.next()) {
            if (const State state = end(); state != State::running)
                return state;
            continue;
        }
        ++looked_;
        if (stays && !options_.here)
            continue;
        if (!matches(walk_.entry()))
            continue;
        Ordinals place = walk_.ordinals();
        if (!options_.backwards) {
            place_ = std::move(place);
            return State::found;
        }
        // The last match before the place counts; if there is none, the last one of all.
        const bool before = is_before(place);
        if (!before && last_known_ && !around_) {
            place_ = last_;
            return State::found;
        }
        around_ = around_ || !before;
        last_ = std::move(place);
        last_known_ = true;
    }
    return State::running;
}

}  // namespace gdvar::session
