#include "gdvar/inspect/lookup.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <deque>
#include <optional>
#include <vector>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/wire/path.hpp"
#include "inspect/part.hpp"
#include "inspect/places.hpp"

namespace gdvar::detail {

namespace {

/// The types that such a step can enter, as bits.
std::uint64_t takes(const Path::Step& step) noexcept {
    const auto bit = [](Type type) { return std::uint64_t{1} << static_cast<unsigned>(type); };
    if (step.kind == Path::StepKind::slice)
        return bit(Type::array);
    const Type other = step.kind == Path::StepKind::index ? Type::array : Type::object;
    return bit(Type::dictionary) | bit(other);
}

/// The value of the pair whose printed key or number matches: keys that are neither texts nor ints
/// can only be found in this way. Among equal keys the last counts.
View find_printed(const View& dictionary, const Path::Step& step) {
    if (step.text.starts_with('@')) {
        const char* const end = step.text.data() + step.text.size();
        std::size_t wanted = 0;
        const auto [behind, error] = std::from_chars(step.text.data() + 1, end, wanted);
        if (error != std::errc() || end != behind)
            return {};
        for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
            if (wanted-- == 0)
                return pair.value;
        return {};
    }
    const std::string printed = step.to_string();
    View found;
    std::size_t ordinal = 0;
    for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
        if (inspect::key_step(pair.key, ordinal++) == printed)
            found = pair.value;
    return found;
}

}  // namespace

std::expected<View, Error> step_into(const View& at, const Path::Step& step) {
    using Kind = Path::StepKind;
    if (!at)
        return std::unexpected(at.error());
    const auto missing = [&](Errc code) {
        const Error error = Error{code, at.type(), at.offset(), 0}.about_key(said(step));
        return std::unexpected(code == Errc::wrong_type ? error.about_types(takes(step)) : error);
    };
    if (at.is(Type::array) || at.is(Type::packed_typed_array)) {
        if (step.kind != Kind::index || step.descends)
            return missing(Errc::wrong_type);
        const auto size = static_cast<std::int64_t>(at.size());
        const View found = at[step.index < 0 ? step.index + size : step.index];
        if (!found)
            return std::unexpected(
                Error{Errc::index_out_of_range, at.type(), at.offset(), 0}.about_index(step.index,
                                                                                       at.size()));
        return found;
    }
    if (!at.is(Type::dictionary) && !at.is(Type::object))
        return missing(Errc::wrong_type);
    View found;
    if (step.descends)
        return missing(Errc::missing_key);
    if (step.kind == Kind::name)
        found = at[std::string_view(step.text)];
    else if (at.is(Type::dictionary) && step.kind == Kind::index)
        found = at[step.index];
    else if (at.is(Type::dictionary) && step.kind == Kind::key)
        found = find_printed(at, step);
    if (!found)
        return missing(Errc::missing_key);
    return found;
}

void append_step(std::string& out, const Child& child) {
    PathStep step;
    step.index = static_cast<std::uint32_t>(child.ordinal);
    if (child.role == Child::property || child.key_view.is(Type::string) ||
        child.key_view.is(Type::string_name)) {
        step.kind = PathStep::property;
        step.form = PathStep::text;
        step.name = child.role == Child::property ? child.name : child.key_view.text();
    } else if (child.role == Child::value) {
        step.kind = PathStep::value;
        KeyStep sink(step);
        (void)child.key_view.drive(sink);
    }
    append_step(out, step);
}

}  // namespace gdvar::detail

namespace gdvar::inspect {

std::string key_step(const View& key, std::size_t ordinal) {
    std::string out;
    detail::append_step(out, detail::Child{detail::Child::value, {}, key, {}, ordinal});
    return out;
}

std::string name_step(std::string_view name) {
    std::string out;
    detail::append_step(out, detail::Child{detail::Child::property, {}, {}, name, 0});
    return out;
}

std::expected<Found, Error> lookup(const View& root, const Path& path) {
    if (!root)
        return std::unexpected(root.error());
    View at = root;
    for (std::size_t i = 0; i < path.steps.size(); ++i) {
        if (detail::has_parts(at)) {
            auto part = detail::part_at(at, std::span(path.steps).subspan(i));
            if (!part)
                return std::unexpected(part.error());
            return detail::make_value(at, *part);
        }
        auto next = detail::step_into(at, path.steps[i]);
        if (!next)
            return std::unexpected(next.error());
        at = *next;
    }
    return at;
}

std::expected<Found, Error> lookup(const View& root, std::string_view path) {
    if (!root)
        return std::unexpected(root.error());
    auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return lookup(root, *parsed);
}

namespace {

using Step = Path::Step;
using Kind = Path::StepKind;
using detail::MatchPlace;

/// The progress of the path at a value. After a `..` several readings are possible: bit k means
/// that `first + k` steps lead here. Up to the first `..` there is one reading; `first` stays at
/// that step from there on, so 64 bits suffice.
struct Progress {
    std::size_t first = 0;
    std::uint64_t readings = 1;
};

struct Level {
    View container;
    detail::Children children;
    std::uint64_t readings;  ///< of the container, as in Progress
    std::size_t length;      ///< of its path
    std::uint32_t first;     ///< as in Progress
    std::uint32_t hits;      ///< start of its children that steps name, in the list
    std::uint32_t hit;       ///< the next of these
    std::uint32_t size;

    Level(const View& opened, const Progress& here, std::size_t path_length, std::size_t first_hit)
        : container(opened),
          children(opened),
          readings(here.readings),
          length(path_length),
          first(static_cast<std::uint32_t>(here.first)),
          hits(static_cast<std::uint32_t>(first_hit)),
          hit(hits),
          size(static_cast<std::uint32_t>(children.left())) {}
};

/// Walks a value once, with all readings of the path at the same time, like a nondeterministic
/// automaton: a set of states for each open container.
class Lookup {
public:
    Lookup(const std::vector<Step>& steps, const std::function<bool(const MatchPlace&)>& use)
        : steps_(steps), use_(use) {}

    std::uint64_t work() const noexcept { return work_; }

    std::expected<std::size_t, Error> run(const View& root) {
        bool more = arrive(root, {});
        while (more && !levels_.empty()) {
            Level& top = levels_.back();
            if (top.children.done()) {
                hits_.resize(top.hits);
                levels_.pop_back();
                continue;
            }
            more = next_child(top);
        }
        if (refused_ && refused_->code == Errc::no_memory)
            return std::unexpected(*refused_);
        if (found_)
            return found_;
        if (refused_ && refused_at_ == deepest_)
            return std::unexpected(*refused_);
        if (deepest_ < steps_.size() && steps_[deepest_].descends && names(steps_[deepest_])) {
            Step step = steps_[deepest_];
            step.descends = false;
            return std::unexpected(
                Error{Errc::missing_key, root.type(), root.offset(), 0}.about_key_anywhere(
                    step.kind == Kind::name ? step.text : detail::said(step)));
        }
        return found_;
    }

private:
    /// A child that steps name, and the readings that lead to it.
    struct Hit {
        std::uint32_t offset;
        std::uint64_t readings;
    };

    static bool names(const Step& step) noexcept {
        return step.kind != Kind::all && step.kind != Kind::slice;
    }
    bool arrived(const Progress& progress) const noexcept {
        const std::size_t k = steps_.size() - progress.first;
        return k < 64 && (progress.readings >> k & 1);
    }
    /// Calls `use` with each next step of the readings, and its number.
    template <class Use>
    void each_step(const Progress& progress, Use use) const {
        for (std::uint64_t left = progress.readings; left; left &= left - 1) {
            const auto k = static_cast<unsigned>(std::countr_zero(left));
            if (progress.first + k < steps_.size())
                use(steps_[progress.first + k], k);
        }
    }

    /// Handles a value. False when no more are wanted.
    bool arrive(Found at, Progress progress) {
        for (;;) {
            if (!at.part()) {
                whole_ = at;
                whole_length_ = path_.size();
            }
            work_ += static_cast<std::uint64_t>(std::popcount(progress.readings));
            deepest_ = std::max<std::size_t>(
                deepest_,
                progress.first + static_cast<std::size_t>(std::bit_width(progress.readings) - 1));
            if (arrived(progress)) {
                ++found_;
                const std::string_view path = path_;
                if (!use_({path, at, parent_, start_, whole_, path.substr(whole_length_)}))
                    return false;
            }
            if (detail::is_container(at) && open(at, progress))
                return true;
            if (progress.readings != 1 || arrived(progress) || steps_[progress.first].several())
                return detail::is_container(at) || arrive_inside(at, progress);
            // A single step that names one value.
            const Step& step = steps_[progress.first];
            if (detail::is_container(at))
                work_ += at.size();
            auto inner = follow(at, step);
            if (!inner)
                return refuse(inner.error(), progress.first);
            append_step(at, step);
            if (!inner->part()) {
                parent_ = at;
                start_ = MatchPlace::unknown;
            }
            at = *std::move(inner);
            ++progress.first;
        }
    }

    /// Opens the container, if several children may match.
    bool open(const View& at, const Progress& progress) {
        bool several = false;
        each_step(progress, [&](const Step& step, unsigned) { several |= step.several(); });
        if (!several)
            return false;
        const Level& level = levels_.emplace_back(at, progress, path_.size(), hits_.size());
        each_step(progress, [&](const Step& step, unsigned k) {
            const std::size_t number = progress.first + k;
            if (step.kind == Kind::slice && !at.is(Type::array) &&
                !at.is(Type::packed_typed_array)) {
                if (!step.descends)
                    refuse(Error{Errc::wrong_type, at.type(), at.offset(), 0}
                               .about_key(detail::said(step))
                               .about_types(Type::array),
                           number);
            } else if (names(step)) {
                work_ += level.size;  // a search may visit every item
                Step one = step;
                one.descends = false;
                const auto found = detail::step_into(at, one);
                if (found)
                    hits_.push_back({found->offset(), std::uint64_t{2} << k});
                else if (!step.descends)
                    refuse(found.error(), number);
            }
        });
        merge_hits(level.hits);
        return true;
    }

    /// Sorts the level's hits by their bytes, one for each child.
    void merge_hits(std::uint32_t first) {
        const auto begin = hits_.begin() + first;
        detail::sort(std::ranges::subrange(begin, hits_.end()),
                     [](const Hit& a, const Hit& b) { return a.offset < b.offset; });
        auto last = begin;
        for (auto at = begin; at != hits_.end(); ++at) {
            if (at != begin && at->offset == last->offset)
                last->readings |= at->readings;
            else if (at != begin)
                *++last = *at;
        }
        if (begin != hits_.end())
            hits_.erase(last + 1, hits_.end());
    }

    bool next_child(Level& level) {
        const Type type = level.children.type();
        const std::size_t index = level.size - level.children.left();
        const detail::Child child = level.children.next_value();
        work_ += static_cast<std::uint64_t>(std::popcount(level.readings));
        Progress inner{level.first, 0};
        each_step(Progress{level.first, level.readings}, [&](const Step& step, unsigned k) {
            if (step.descends)
                inner.readings |= std::uint64_t{1} << k;
            if (step.kind == Kind::all ||
                (step.kind == Kind::slice && type != Type::dictionary && type != Type::object &&
                 step.slice.takes(index, level.size)))
                inner.readings |= std::uint64_t{2} << k;
        });
        for (; level.hit < hits_.size() && hits_[level.hit].offset <= child.view.offset();
             ++level.hit)
            inner.readings |= hits_[level.hit].readings;
        normalise(inner);
        if (!leads_on(child.view, inner))
            return true;
        path_.resize(level.length);
        detail::append_step(path_, child);
        parent_ = level.container;
        start_ = start_of(child);
        return arrive(child.view, inner);
    }

    /// Offset of the child's key or name, else of the child itself.
    static std::uint64_t start_of(const detail::Child& child) noexcept {
        if (child.role == detail::Child::value)
            return child.key_view.offset();
        if (child.role == detail::Child::property)
            return child.view.offset() - detail::name_bytes(child.name);
        return child.view.offset();
    }

    /// Up to the first `..` the single reading is bit 0.
    void normalise(Progress& progress) const noexcept {
        while (progress.readings > 1 && !(progress.readings & 1) &&
               !steps_[progress.first].descends) {
            ++progress.first;
            progress.readings >>= 1;
        }
    }

    /// False if nothing is to be done at the value: most values of a large packet don't match.
    bool leads_on(const View& at, const Progress& progress) const {
        if (!progress.readings)
            return false;
        if (arrived(progress) || detail::is_container(at))
            return true;
        bool more = false;
        each_step(progress, [&](const Step& step, unsigned) { more |= !step.descends; });
        return more;
    }

    /// Steps into a math value or a packed array, whose parts nest three deep at most. Other values
    /// are refused.
    bool arrive_inside(const Found& at, const Progress& progress) {
        bool more = true;
        const std::size_t length = path_.size();
        if (detail::element_type(at) == Type::nil) {
            std::uint64_t done = 0;
            each_step(progress, [&](const Step& step, unsigned k) {
                if (!more || step.several() || (done >> k & 1))
                    return;
                auto inner = follow(at, step);
                if (!inner) {
                    more = refuse(inner.error(), progress.first + k);
                    return;
                }
                Progress there{progress.first, 0};
                each_step(progress, [&](const Step& other, unsigned i) {
                    if (other == step) {
                        done |= std::uint64_t{1} << i;
                        there.readings |= std::uint64_t{2} << i;
                    }
                });
                normalise(there);
                step.append_to(path_);
                more = arrive(*std::move(inner), there);
                path_.resize(length);
            });
            return more;
        }
        const std::size_t count = detail::element_count(at);
        const View::Strings strings = at.strings();
        auto text = strings.begin();
        for (std::size_t i = 0; i < count && more; ++i) {
            Progress there{progress.first, 0};
            each_step(progress, [&](const Step& step, unsigned k) {
                if (!step.descends && takes(step, i, count))
                    there.readings |= std::uint64_t{2} << k;
            });
            std::expected<Found, Error> inner;
            if (there.readings)
                inner =
                    at.is(Type::packed_string_array)
                        ? detail::make_text(at, *text)
                        : detail::make_value(at, {.type = detail::element_type(at), .element = i});
            if (at.is(Type::packed_string_array))
                ++text;
            if (!there.readings)
                continue;
            normalise(there);
            if (!inner)
                return refuse(inner.error(), there.first);
            path_ += '[' + std::to_string(i) + ']';
            more = arrive(*std::move(inner), there);
            path_.resize(length);
        }
        each_step(progress, [&](const Step& step, unsigned k) {
            if (more && !step.several())
                if (const auto part = detail::part_at(at, std::span(&step, 1)); !part)
                    more = refuse(part.error(), progress.first + k);
        });
        return more;
    }
    static bool takes(const Step& step, std::size_t i, std::size_t count) noexcept {
        if (step.kind == Kind::index)
            return step.index == static_cast<std::int64_t>(i) -
                                     (step.index < 0 ? static_cast<std::int64_t>(count) : 0);
        return step.kind == Kind::all || (step.kind == Kind::slice && step.slice.takes(i, count));
    }

    static std::expected<Found, Error> follow(const Found& at, const Step& step) {
        if (!detail::has_parts(at)) {
            auto next = detail::step_into(at, step);
            return next ? std::expected<Found, Error>(*next) : std::unexpected(next.error());
        }
        const auto part = detail::part_at(at, std::span(&step, 1));
        return part ? detail::make_value(at, *part) : std::unexpected(part.error());
    }

    /// Appends the step to a single value: an index from the end becomes one from the start.
    void append_step(const View& at, const Step& step) {
        const bool array = !at.is(Type::dictionary);
        if (step.kind != Kind::index || step.index >= 0 || !array)
            return step.append_to(path_);
        const std::size_t size = detail::has_parts(at) ? detail::element_count(at) : at.size();
        path_ += '[' + std::to_string(step.index + static_cast<std::int64_t>(size)) + ']';
    }

    /// Skips values without the rest of the path. False when memory runs out.
    bool refuse(const Error& error, std::size_t step) {
        if (!refused_ || step > refused_at_ || error.code == Errc::no_memory) {
            refused_ = error;
            refused_at_ = step;
        }
        return error.code != Errc::no_memory;
    }

    const std::vector<Step>& steps_;
    const std::function<bool(const MatchPlace&)>& use_;
    View parent_, whole_;  ///< as in MatchPlace
    std::uint64_t start_ = MatchPlace::unknown, work_ = 0;
    std::size_t whole_length_ = 0;
    std::deque<Level> levels_;
    std::vector<Hit> hits_;  ///< of all levels, the innermost last
    std::string path_ = "$";
    std::size_t found_ = 0, deepest_ = 0, refused_at_ = 0;
    std::optional<Error> refused_;
};

}  // namespace

std::expected<std::size_t, Error> lookup_each(const View& root, const Path& path,
                                              const std::function<bool(const MatchView&)>& use,
                                              std::uint64_t* work) {
    return detail::each_place(
        root, path, [&](const MatchPlace& place) { return use({place.path, place.value}); }, work);
}

std::expected<std::size_t, Error> lookup_each(const View& root, std::string_view path,
                                              const std::function<bool(const MatchView&)>& use) {
    if (!root)
        return std::unexpected(root.error());
    auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return lookup_each(root, *parsed, use);
}

std::expected<std::vector<Match>, Error> lookup_all(const View& root, const Path& path,
                                                    std::optional<std::uint64_t> max_bytes) {
    std::uint64_t left =
        max_bytes.value_or(std::max<std::uint64_t>(8u << 20, 50 * root.raw().size()));
    std::vector<Match> all;
    bool fits = true;
    auto done = lookup_each(root, path, [&](const MatchView& match) {
        fits = match.path.size() <= left;
        left -= fits ? match.path.size() : 0;
        if (fits)
            all.push_back({std::string(match.path), match.value});
        return fits;
    });
    if (!done)
        return std::unexpected(done.error());
    if (!fits)
        return std::unexpected(Error{Errc::size_limit, Type::nil, 0, 0});
    return all;
}

std::expected<std::vector<Match>, Error> lookup_all(const View& root, std::string_view path,
                                                    std::optional<std::uint64_t> max_bytes) {
    if (!root)
        return std::unexpected(root.error());
    auto parsed = detail::parse_value_path(path);
    if (!parsed)
        return std::unexpected(parsed.error());
    return lookup_all(root, *parsed, max_bytes);
}

}  // namespace gdvar::inspect

namespace gdvar::detail {

std::expected<std::size_t, Error> each_place(const View& root, const Path& path,
                                             const std::function<bool(const MatchPlace&)>& use,
                                             std::uint64_t* work) GDVAR_TRY {
    if (!root)
        return std::unexpected(root.error());
    inspect::Lookup lookup(path.steps, use);
    auto found = lookup.run(root);
    if (work)
        *work = lookup.work();
    return found;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar::detail
