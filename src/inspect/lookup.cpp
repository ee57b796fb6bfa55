#include "gdvar/inspect/lookup.hpp"

#include <charconv>
#include <deque>
#include <optional>
#include <vector>

#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/wire/path.hpp"
#include "inspect/part.hpp"

namespace gdvar::detail {

std::expected<std::vector<std::string>, Error> path_steps(std::string_view path) {
    auto parts = path_parts(path);
    if (!parts)
        return std::unexpected(parts.error());
    std::vector<std::string> steps;
    for (PathPart& part : *parts)
        steps.push_back(std::move(part.printed));
    return steps;
}

namespace {

/// The types into which such a step can lead, as bits.
std::uint64_t takes(const std::string& step) noexcept {
    const auto bit = [](Type type) { return std::uint64_t{1} << static_cast<unsigned>(type); };
    const Type other = index_in(step) ? Type::array : Type::object;
    return bit(Type::dictionary) | bit(other);
}

/// The value of the pair whose key is printed like that, or whose number is: keys that are neither
/// texts nor ints have no other way to be looked up. Of equal keys the last one counts.
View find_printed(const View& dictionary, std::string_view step) {
    const char* const end = step.data() + step.size();
    std::size_t wanted = 0;
    if (step.starts_with("[@")) {
        const auto [behind, error] = std::from_chars(step.data() + 2, end, wanted);
        if (error != std::errc() || end - behind != 1)
            return {};
        for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
            if (wanted-- == 0)
                return pair.value;
        return {};
    }
    View found;
    std::size_t ordinal = 0;
    for (const auto all = dictionary.pairs(); const View::Pair& pair : all)
        if (inspect::key_step(pair.key, ordinal++) == step)
            found = pair.value;
    return found;
}

}  // namespace

std::expected<View, Error> step_into(const View& at, const std::string& step) {
    if (!at)
        return std::unexpected(at.error());
    const auto missing = [&](Errc code) {
        // ".hp" is the name hp; what stands in brackets is said as it stands.
        const std::string_view name = std::string_view(step).substr(step.starts_with('.'));
        const Error error = Error{code, at.type(), at.offset(), 0}.about_key(name);
        return std::unexpected(code == Errc::wrong_type ? error.about_types(takes(step)) : error);
    };
    if (at.is(Type::array) || at.is(Type::packed_typed_array)) {
        auto index = index_in(step);
        if (!index)
            return missing(Errc::wrong_type);
        if (*index < 0)
            *index += static_cast<std::int64_t>(at.size());
        const View found = at[*index];
        if (!found)
            return std::unexpected(
                Error{Errc::index_out_of_range, at.type(), at.offset(), 0}.about_index(
                    *index_in(step), at.size()));
        return found;
    }
    if (!at.is(Type::dictionary) && !at.is(Type::object))
        return missing(Errc::wrong_type);
    const auto parts = path_parts(step);
    const PathPart* part = parts && parts->size() == 1 ? &parts->front() : nullptr;
    View found;
    if (part && part->name)
        found = at[*part->name];
    else if (at.is(Type::dictionary))
        found = part && part->index() ? at[*part->index()] : find_printed(at, step);
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

std::string shortened_path(std::string_view path, std::size_t most) {
    if (path.size() <= most)
        return std::string(path);
    const std::size_t head = utf8::cut(path, most / 2);
    std::size_t tail = path.size() - most / 2;
    while (tail < path.size() && utf8::continues(path[tail]))
        ++tail;
    return std::string(path.substr(0, head)) + "..." + std::string(path.substr(tail));
}

std::expected<Found, Error> lookup(const View& root, std::string_view path) {
    if (!root)
        return std::unexpected(root.error());
    auto steps = detail::path_steps(path);
    if (!steps)
        return std::unexpected(steps.error());
    View at = root;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        if (detail::has_parts(at)) {
            auto part = detail::part_at(at, std::span(*steps).subspan(i));
            if (!part)
                return std::unexpected(part.error());
            return detail::make_value(at, *part);
        }
        auto next = detail::step_into(at, (*steps)[i]);
        if (!next)
            return std::unexpected(next.error());
        at = *next;
    }
    return at;
}

namespace {

/// One step on, into a container or a part.
std::expected<Found, Error> follow(const Found& at, const std::string& step) {
    if (!detail::has_parts(at)) {
        auto next = detail::step_into(at, step);
        return next ? std::expected<Found, Error>(*next) : std::unexpected(next.error());
    }
    const auto part = detail::part_at(at, std::span(&step, 1));
    return part ? detail::make_value(at, *part) : std::unexpected(part.error());
}

/// What a `[*]` goes through: a container's children, or a packed array's elements.
struct Level {
    Found at;
    std::size_t step;    ///< which of the path's steps the `[*]` is
    std::size_t length;  ///< of the path that leads here
    detail::Children children;
    View::Strings strings;
    View::Strings::iterator text;
    std::size_t next = 0, count;

    Level(const Found& found, std::size_t number, std::size_t path_length)
        : at(found),
          step(number),
          length(path_length),
          children(found),
          strings(found.strings()),
          text(strings.begin()),
          count(children.left() + detail::element_count(found)) {}
};

class Lookup {
public:
    Lookup(const std::vector<std::string>& steps, const std::function<bool(const MatchView&)>& use)
        : steps_(steps), use_(use) {}

    std::expected<std::size_t, Error> run(const View& root) {
        bool more = arrive(root, 0);
        while (more && !levels_.empty()) {
            Level& top = levels_.back();
            if (top.next == top.count) {
                levels_.pop_back();
                continue;
            }
            path_.resize(top.length);
            auto inner = take(top);
            more = inner ? arrive(*inner, top.step + 1) : refuse(inner.error(), top.step);
        }
        const bool no_memory = refused_ && refused_->code == Errc::no_memory;
        if (no_memory || (!found_ && refused_ && refused_at_ == deepest_))
            return std::unexpected(*refused_);
        return found_;
    }

private:
    /// The next child; its step is appended to the path.
    std::expected<Found, Error> take(Level& level) {
        const std::size_t i = level.next++;
        if (level.children.left()) {
            const detail::Child child = level.children.next_value();
            detail::append_step(path_, child);
            return child.view;
        }
        path_ += '[' + std::to_string(i) + ']';
        const detail::Part part{.type = detail::element_type(level.at), .element = i};
        if (!level.at.is(Type::packed_string_array))
            return detail::make_value(level.at, part);
        const std::string_view text = *level.text;
        ++level.text;
        return detail::make_text(level.at, text);
    }

    /// At a value, before the step of that number. False when no more are wanted.
    bool arrive(Found at, std::size_t step) {
        for (; step < steps_.size(); ++step) {
            deepest_ = std::max(deepest_, step);
            if (steps_[step] == "[*]") {
                levels_.emplace_back(at, step, path_.size());
                return true;
            }
            auto inner = follow(at, steps_[step]);
            if (!inner)
                return refuse(inner.error(), step);
            path_ += steps_[step];
            at = *std::move(inner);
        }
        deepest_ = steps_.size();
        ++found_;
        return use_({path_, at});
    }

    /// If [*] leads to several values, those without the rest of the path are passed over.
    bool refuse(const Error& error, std::size_t step) {
        if (!refused_ || step > refused_at_ || error.code == Errc::no_memory) {
            refused_ = error;
            refused_at_ = step;
        }
        return error.code != Errc::no_memory;
    }

    const std::vector<std::string>& steps_;
    const std::function<bool(const MatchView&)>& use_;
    std::deque<Level> levels_;
    std::string path_ = "$";
    std::size_t found_ = 0, deepest_ = 0, refused_at_ = 0;
    std::optional<Error> refused_;
};

}  // namespace

std::expected<std::size_t, Error> lookup_each(const View& root, std::string_view path,
                                              const std::function<bool(const MatchView&)>& use) {
    if (!root)
        return std::unexpected(root.error());
    auto steps = detail::path_steps(path);
    if (!steps)
        return std::unexpected(steps.error());
    return Lookup(*steps, use).run(root);
}

std::expected<std::vector<Match>, Error> lookup_all(const View& root, std::string_view path) {
    std::vector<Match> all;
    auto done = lookup_each(root, path, [&](const MatchView& match) {
        all.push_back({std::string(match.path), match.value});
        return true;
    });
    if (!done)
        return std::unexpected(done.error());
    return all;
}

}  // namespace gdvar::inspect
