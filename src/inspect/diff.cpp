#include "gdvar/inspect/diff.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <optional>
#include <string_view>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "gdvar/inspect/detail/side.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/rewriting.hpp"
#include "inspect/same_keys.hpp"

namespace gdvar::inspect {
namespace {

using detail::Child;
using detail::Children;

Variant copy_of(const View& view) {
    return view.get<Variant>().value_or(Variant());
}

using detail::Side;

/// Two containers in comparison, and the progress.
struct OpenPair {
    Side from, to;
    std::vector<std::uint32_t> partner;  ///< as find_partners gives them
    std::size_t length;                  ///< of their path
    std::uint32_t next = 0;              ///< of `to`
};

class Differ {
public:
    Differ(const View& from, const View& to, const DiffOptions& options,
           const std::function<bool(const Difference&)>& use)
        : from_prints_(from), to_prints_(to), options_(options), use_(use) {}

    std::size_t run(const View& from, const View& to) {
        compare(from, to, View());
        while (more_ && !open_.empty()) {
            OpenPair& top = open_.back();
            // The last step leaves the path when the walk leaves its container.
            steps_.resize(open_.size() - 1);
            path_.resize(top.length);
            if (top.next == top.to.size()) {
                open_.pop_back();
                continue;
            }
            const std::uint32_t i = top.next++;
            if (top.partner[i] == detail::no_partner)
                continue;
            const View before = top.from.values[top.partner[i]], after = top.to.values[i];
            if (!options_.encodings && equal(before, after))
                continue;
            push(top.to.step(i));
            compare(before, after, top.from.container);
        }
        return found_;
    }

private:
    bool equal(const View& a, const View& b) const {
        return from_prints_.of(a) == to_prints_.of(b) && detail::same(a, b);
    }

    // ---- the path and its differences

    void push(const Child& step) {
        append_step(path_, step);
        steps_.push_back(step);
    }
    void give(Difference::Kind kind, const View& before, const View& after, const View& in) {
        ++found_;
        more_ = more_ && use_({kind, steps_, path_, before, after, in});
    }
    /// A child that was removed from, or inserted into, the container at the path.
    void give_inside(Difference::Kind kind, const Child& step, const View& in) {
        if (!more_)
            return;
        const std::size_t length = path_.size();
        push(step);
        const bool gone = kind == Difference::remove;
        give(kind, gone ? step.view : View(), gone ? View() : step.view, in);
        steps_.pop_back();
        path_.resize(length);
    }

    // ---- two values

    /// True for two containers that can be changed into each other.
    static bool changeable(const View& a, const View& b) {
        return alike(a, b) && (!a.is(Type::object) || a.class_name() == b.class_name());
    }

    /// `in`: the container of `a`.
    void compare(const View& a, const View& b, const View& in) {
        if (equal(a, b)) {
            if (options_.encodings)
                compare_bytes(a, b);
            return;
        }
        if (changeable(a, b)) {
            OpenPair open{Side(a), Side(b), {}, path_.size()};
            if (a.is(Type::dictionary) || a.is(Type::object) ? entries(open, in) : arrays(open)) {
                open_.push_back(std::move(open));
                return;
            }
        }
        give(Difference::set, a, b, in);
    }

    // ---- arrays

    void match(OpenPair& open) const {
        open.partner = find_partners(open.from, from_prints_, open.to, to_prints_, false);
    }
    /// Elements without a partner are removed or inserted. The walk starts at the end, so earlier
    /// places stay valid.
    bool arrays(OpenPair& open) {
        match(open);
        std::size_t end = open.from.size();
        const auto remove_from = [&](std::size_t begin) {
            while (end > begin)
                give_inside(Difference::remove, open.from.step(--end), open.from.container);
        };
        for (std::size_t j = open.to.size(); j-- > 0;) {
            if (open.partner[j] == detail::no_partner) {
                give_inside(Difference::insert, open.to.step(j, end), open.from.container);
                continue;
            }
            remove_from(open.partner[j] + std::size_t{1});
            end = open.partner[j];
        }
        remove_from(0);
        return true;
    }

    // ---- dictionaries and objects

    /// False if the two can't be compared by key: a key occurs twice, or is not equal to itself.
    bool entries(OpenPair& open, const View& in) {
        if (!unique(open.from) || !unique(open.to))
            return false;
        match(open);
        std::vector<bool> stays(open.from.size());
        bool ordered = true, added = false;
        std::uint32_t last = 0;
        for (const std::uint32_t partner : open.partner) {
            added = added || partner == detail::no_partner;
            if (partner == detail::no_partner)
                continue;
            stays[partner] = true;
            // Removing and adding alone would give this order.
            ordered = ordered && !added && partner >= last;
            last = partner;
        }
        for (std::size_t i = 0; i < open.from.size(); ++i)
            if (!stays[i])
                give_inside(Difference::remove, open.from.step(i), open.from.container);
        for (std::size_t i = 0; i < open.to.size(); ++i)
            if (open.partner[i] == detail::no_partner)
                give_inside(Difference::insert, open.to.step(i), open.from.container);
        if (!ordered)
            give(Difference::order, open.from.container, open.to.container, in);
        return true;
    }

    /// Compares keys by the rule of `apply_patch`.
    static bool unique(const Side& side) {
        std::vector<detail::Digest> digests;
        digests.reserve(side.size());
        detail::KeyHash hash(detail::rules_of(side.container));
        for (const View& key : side.keys) {
            if (!key.drive(hash) || !equals_itself(key))
                return false;
            digests.push_back(hash.digest());
        }
        for (const std::string_view name : side.names) {
            (void)hash.string(name);
            digests.push_back(hash.digest());
        }
        detail::sort(digests);
        return std::adjacent_find(digests.begin(), digests.end()) == digests.end();
    }

    /// A key with a NaN anywhere inside is not equal to itself.
    static bool equals_itself(const View& key) {
        if (key.is(Type::string) || key.is(Type::string_name) || key.is(Type::integer))
            return true;
        const Variant copy = copy_of(key);
        return gdvar::same_key(copy, copy);
    }

    // ---- other bytes of the same value

    struct Pair {
        Children from, to;
        std::size_t length;
        Pair(const View& a, const View& b, std::size_t path_length)
            : from(a), to(b), length(path_length) {}
    };

    void compare_bytes(const View& a, const View& b) {
        const std::size_t steps = steps_.size(), length = path_.size();
        std::deque<Pair> open;
        const auto enter = [&](const View& from, const View& to) {
            if (text_of(from) == text_of(to))
                return;
            if (own_bytes(from) != own_bytes(to))
                give(Difference::encoding, from, to, View());
            if (detail::is_container(from))
                open.emplace_back(from, to, path_.size());
        };
        enter(a, b);
        while (more_ && !open.empty()) {
            Pair& top = open.back();
            steps_.resize(steps + open.size() - 1);
            path_.resize(top.length);
            if (top.from.done()) {
                open.pop_back();
                continue;
            }
            const Child from = top.from.next(), to = top.to.next();
            if (from.role == Child::key) {
                if (text_of(from.view) != text_of(to.view))
                    give(Difference::encoding, from.view, to.view, View());
                continue;
            }
            push(to);
            enter(from.view, to.view);
        }
        steps_.resize(steps);
        path_.resize(length);
    }

    static std::string_view text_of(const View& view) {
        return detail::as_text(view.raw().data(), view.raw().size());
    }
    /// A container's bytes without its children's: the header, and the bytes between them.
    static std::string own_bytes(const View& view) {
        const std::string_view all = text_of(view);
        if (!detail::is_container(view))
            return std::string(all);
        std::string out;
        std::size_t at = 0;
        for (Children children(view); !children.done();) {
            const View child = children.next().view;
            const std::size_t begin = child.offset() - view.offset();
            out += all.substr(at, begin - at);
            at = begin + child.raw().size();
        }
        return out += all.substr(at);
    }

    const detail::Fingerprints from_prints_, to_prints_;
    const DiffOptions& options_;
    const std::function<bool(const Difference&)>& use_;
    std::deque<OpenPair> open_;
    std::vector<Child> steps_;
    std::string path_ = "$";
    std::size_t found_ = 0;
    bool more_ = true;
};

Array array_of(std::span<const Child> steps) {
    Array out;
    out.reserve(steps.size());
    for (const Child& step : steps)
        out.push_back(step.role == Child::value ? copy_of(step.key_view)
                      : step.role == Child::property
                          ? Variant(step.name)
                          : Variant(static_cast<std::int64_t>(step.ordinal)));
    return out;
}

constexpr std::string_view kind_names[] = {"set", "insert", "remove", "order"};

}  // namespace

std::expected<std::size_t, Error> each_difference(
    const View& from, const View& to, const DiffOptions& options,
    const std::function<bool(const Difference&)>& use) GDVAR_TRY {
    if (!from || !to)
        return std::unexpected(from ? to.error() : from.error());
    return Differ(from, to, options, use).run(from, to);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

Change change_of(const Difference& difference) {
    Change out{static_cast<Change::Kind>(difference.kind), array_of(difference.at), {}};
    if (difference.kind == Difference::order) {
        Array keys;
        keys.reserve(difference.after.size());
        for (Children all(difference.after); !all.done();) {
            const Child child = all.next_value();
            keys.push_back(child.role == Child::property ? Variant(child.name)
                                                         : copy_of(child.key_view));
        }
        out.value = std::move(keys);
    } else if (difference.after) {
        out.value = copy_of(difference.after);
    }
    return out;
}

namespace {

/// Bytes of a change in the packets, and an estimate for the change itself.
std::uint64_t weight(const Difference& difference) {
    constexpr std::uint64_t each_change = 32, each_step = 8;
    std::uint64_t out = each_change + difference.after.raw().size();
    for (const Child& step : difference.at)
        out += each_step + step.key_view.raw().size() + step.name.size();
    return out;
}

}  // namespace

std::expected<Patch, Error> diff(const View& from, const View& to,
                                 std::optional<std::uint64_t> max_bytes) {
    std::uint64_t left = max_bytes.value_or(
        std::max<std::uint64_t>(8u << 20, 50 * (from.raw().size() + to.raw().size())));
    bool fits = true;
    Patch patch;
    auto done = each_difference(from, to, {}, [&](const Difference& difference) {
        const std::uint64_t more = weight(difference);
        fits = more <= left;
        if (fits) {
            left -= more;
            patch.push_back(change_of(difference));
        }
        return fits;
    });
    if (!done)
        return std::unexpected(done.error());
    if (!fits)
        return std::unexpected(Error{Errc::size_limit, from.type(), from.offset(), 0});
    return patch;
}

std::string_view change_name(Change::Kind kind) noexcept {
    return kind_names[kind];
}

Variant to_variant(const Change& change) {
    Dictionary out;
    out.append(kind_names[change.kind], change.at);
    if (change.kind != Change::remove)
        out.append(change.kind == Change::order ? "keys" : "value", change.value);
    return out;
}

std::expected<Change, Error> change_from(const Variant& value) {
    const auto refuse = [] {
        return std::unexpected(Error{Errc::bad_syntax, Type::dictionary, 0, 0});
    };
    const Dictionary* pairs = value.get_if<Dictionary>();
    if (!pairs || pairs->empty())
        return refuse();
    for (std::size_t kind = 0; kind < std::size(kind_names); ++kind) {
        const Variant* at = pairs->find(kind_names[kind]);
        if (!at)
            continue;
        const auto* path = at->get_if<Array>();
        Change out{static_cast<Change::Kind>(kind), path ? *path : Array(), {}};
        const bool has_value = out.kind != Change::remove;
        const Variant* with =
            has_value ? pairs->find(out.kind == Change::order ? "keys" : "value") : nullptr;
        if (!path || (has_value && !with) || pairs->size() != 1u + has_value)
            return refuse();
        if (with)
            out.value = *with;
        return out;
    }
    return refuse();
}

std::string path_text(const Array& at) {
    std::string out = "$";
    for (std::size_t i = 0; i < at.size(); ++i) {
        const auto bytes = encode(at[i], EncodeOptions{.allow_objects = true});
        auto document = bytes ? Document::parse(as_bytes(*bytes), {.allow_objects = true})
                              : std::expected<Document, Error>(std::unexpect, bytes.error());
        const Document* key = document ? &*document : nullptr;
        out += key ? key_step(key->root(), i) : "[?]";
    }
    return out;
}

}  // namespace gdvar::inspect
