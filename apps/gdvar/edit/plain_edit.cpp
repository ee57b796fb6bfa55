#include "edit/edit_text.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdvar/inspect/detail/children.hpp"
#include "gdvar/inspect/diff.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/text/parse.hpp"
#include "gdvar/text/text.hpp"
#include "output/messages.hpp"

namespace gdvar::app {
namespace {

using gdvar::detail::Child;
using gdvar::detail::Children;

constexpr const char* hint = ": plain JSON can't tell; use --json";

/// A value in `shown`, and the one that it stands for.
struct Twin {
    std::uint64_t at = 0;  ///< offset in `shown`
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    View was;
    View key;  ///< of a pair in a Dictionary, as it was
    /// Their children do not correspond: an array of numbers that stands for a Vector3.
    bool apart = false;
    bool repeated = false;  ///< its Dictionary has the key several times
    bool repeats = false;   ///< it has a key several times
    bool replaced = false;  ///< a later pair has its key, so that no path leads here
};

/// Keys that engines take for the same have the same identity.
std::string identity(const View& key) {
    if (key.is(Type::string) || key.is(Type::string_name))
        return 't' + std::string(key.text());
    const ByteView raw = key.raw();
    return 'r' + std::string(reinterpret_cast<const char*>(raw.data()), raw.size());
}

/// All values of `shown`, but for those in one that stands for no container, by their offset.
class Twins {
public:
    Twins(const View& was, const View& shown) {
        struct Open {
            Children was, shown;
            std::uint32_t number;
            std::unordered_map<std::string, std::size_t> last;  // pair with that key
            Open(const View& a, const View& b, std::uint32_t i) : was(a), shown(b), number(i) {}
        };
        std::deque<Open> open;
        const auto add = [&](const Twin& twin, const View& b) {
            all_.push_back(twin);
            all_.back().apart = !corresponds(twin.was, b);
            if (!all_.back().apart && gdvar::detail::is_container(b))
                open.emplace_back(twin.was, b, static_cast<std::uint32_t>(all_.size() - 1));
        };
        add({shown.offset(), 0, 0, was, {}}, shown);
        while (!open.empty()) {
            Open& top = open.back();
            if (top.was.done()) {
                open.pop_back();
                continue;
            }
            const Child a = top.was.next_value(), b = top.shown.next_value();
            const std::size_t number = all_.size();
            std::optional<std::size_t> earlier;
            if (a.key_view)
                if (const auto [at, fresh] = top.last.try_emplace(identity(a.key_view), number);
                    !fresh)
                    earlier = std::exchange(at->second, number);
            add({b.view.offset(), top.number, all_[top.number].depth + 1, a.view, a.key_view},
                b.view);
            if (earlier) {
                all_[*earlier].replaced = all_[*earlier].repeated = true;
                all_[number].repeated = all_[all_[number].parent].repeats = true;
            }
        }
    }
    /// The value at that offset, or the one that stands apart around it.
    std::uint32_t find(std::uint64_t offset) const {
        const auto behind = std::ranges::upper_bound(all_, offset, {}, &Twin::at);
        return static_cast<std::uint32_t>(behind - all_.begin() - 1);
    }
    const Twin& operator[](std::uint32_t i) const { return all_[i]; }

private:
    static bool corresponds(const View& was, const View& shown) {
        if (!gdvar::detail::is_container(shown))
            return true;
        const bool array = was.is(Type::array) || was.is(Type::packed_typed_array);
        return (shown.is(Type::array) ? array : was.is(Type::dictionary)) &&
               was.size() == shown.size();
    }

    std::vector<Twin> all_;
};

/// A value in the type of another: numbers and texts that fit, and arrays of numbers for what
/// consists of them.
std::optional<Variant> in_type_of(const View& was, const Variant& value) {
    if (auto fits = in_type(value, was.type()))
        return fits;
    const Array* parts = value.get_if<Array>();
    const Type type = was.type();
    if (!parts || !(is_math(type) || is_packed(type) || type == Type::packed_string_array))
        return std::nullopt;
    std::string text(type_name(type));
    const bool wide = is_math(type) ? was.math().wide : is_packed(type) && was.packed().wide;
    if (wide)
        text.insert(is_math(type) ? text.size() : text.size() - 5, "d");
    text += '(';
    for (const Variant& part : *parts) {
        const bool string = part.is(Type::string),
                   number = part.is(Type::integer) || part.is(Type::real);
        if (type == Type::packed_string_array ? !string : !number && !part.is(Type::nil))
            return std::nullopt;
        text += (text.ends_with('(') ? "" : ", ") +
                (part.is(Type::nil) ? std::string("nan") : to_text_full(part).value_or("?"));
    }
    auto read = parse_text_full(text + ')', {.whole = true});
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

/// Makes the changes of `shown` changes of `was`, one by one.
class Translator {
public:
    Translator(const View& was, const View& shown, const View& now)
        : twins_(was, shown), now_(now) {}

    /// False after a change that can't be told.
    bool take(const Difference& d) {
        const View& anchor = d.before ? d.before : d.container;
        const std::uint32_t i = twins_.find(anchor.offset());
        if (is_lost(d, i))
            return refuse(d);
        if (twins_[i].apart)
            return take_apart(d, i);
        Change out{static_cast<Change::Kind>(d.kind), path_to(i, d), {}};
        bool good = true;
        if (d.kind == Difference::set)
            good = put(out.value, twins_[i].was, d.before, d.after);
        else if (d.kind == Difference::insert)
            good = insert(out, twins_[i].was, d);
        else if (d.kind == Difference::order)
            order(out, twins_[i].was, d);
        if (!good)
            return refuse(d);
        patch.push_back(std::move(out));
        return true;
    }

    Patch patch;
    std::string problem;

private:
    bool refuse(const Difference& d) {
        problem = std::string(d.path.substr(1)) + hint;
        return false;
    }
    /// Whether a path would lead to another pair with the same key, or to several.
    bool is_lost(const Difference& d, std::uint32_t i) const {
        if ((d.kind == Difference::remove && twins_[i].repeated) ||
            (d.kind == Difference::order && twins_[i].repeats))
            return true;
        for (; twins_[i].depth; i = twins_[i].parent)
            if (twins_[i].replaced)
                return true;
        return false;
    }
    /// `shown`: what stood there; nowhere for a value that stands apart.
    static bool put(Variant& to, const View& was, const View& shown, const View& after) {
        to = after.get<Variant>().value_or(Variant());
        if (auto fits = in_type_of(was, to)) {
            to = *std::move(fits);
            return true;
        }
        // A value that plain JSON expresses may become one of another type.
        return shown && shown.type() == was.type();
    }
    /// A change inside of a value that stands apart: that value becomes what its text is now.
    bool take_apart(const Difference& d, std::uint32_t i) {
        if (last_apart_ == i)
            return true;
        last_apart_ = i;
        const std::uint32_t depth = twins_[i].depth;
        Change out{Change::set, path_to(i, d), {}};
        if (!put(out.value, twins_[i].was, View(), depth ? d.at[depth - 1].view : now_))
            return refuse(d);
        patch.push_back(std::move(out));
        return true;
    }
    static bool insert(Change& out, const View& container, const Difference& d) {
        out.value = d.after.get<Variant>().value_or(Variant());
        if (!container.is(Type::dictionary)) {
            out.at.push_back(static_cast<std::int64_t>(d.at.back().ordinal));
            return true;
        }
        // All keys are shown as strings. A new one is of the type of the others.
        const Variant key = d.at.back().key_view.get<Variant>().value_or(Variant());
        Type type = Type::string;
        bool first = true;
        for (const auto all = container.pairs(); const View::Pair& pair : all) {
            if (!std::exchange(first, false) && pair.key.type() != type)
                return false;
            type = pair.key.type();
        }
        auto fits = in_type(key, type);
        if (!fits)
            return false;
        out.at.push_back(*std::move(fits));
        return true;
    }
    static void order(Change& out, const View& was, const Difference& d) {
        std::map<std::string, View, std::less<>> keys;  // as they are shown
        Children a(was), b(d.before);
        while (!a.done()) {
            const Child before = a.next_value(), shown = b.next_value();
            keys.emplace(shown.key_view.text(), before.key_view);
        }
        Array all;
        for (const auto pairs = d.after.pairs(); const View::Pair& pair : pairs) {
            const auto known = keys.find(pair.key.text());
            const View& key = known == keys.end() ? pair.key : known->second;
            all.push_back(key.get<Variant>().value_or(Variant()));
        }
        out.value = std::move(all);
    }
    /// The path to a value of `was`; places in Arrays are those at this point of the patch.
    Array path_to(std::uint32_t i, const Difference& d) const {
        std::vector<Variant> steps(twins_[i].depth);
        for (; twins_[i].depth; i = twins_[i].parent) {
            const Twin& twin = twins_[i];
            const std::uint32_t step = twin.depth - 1;
            steps[step] = twin.key ? twin.key.get<Variant>().value_or(Variant())
                                   : Variant(static_cast<std::int64_t>(d.at[step].ordinal));
        }
        Array out;
        for (Variant& step : steps)
            out.push_back(std::move(step));
        return out;
    }

    const Twins twins_;
    const View now_;
    std::optional<std::uint32_t> last_apart_;
};

}  // namespace

std::expected<Variant, std::string> with_plain_changes(const View& was, const View& shown,
                                                       const View& now) {
    Translator translator(was, shown, now);
    const auto done =
        each_difference(shown, now, {}, [&](const Difference& d) { return translator.take(d); });
    if (!done)
        return std::unexpected(": " + in_words(done.error()));
    if (!translator.problem.empty())
        return std::unexpected(translator.problem);
    auto value = was.get<Variant>();
    if (!value)
        return std::unexpected(": " + in_words(value.error()));
    if (const auto applied = apply_patch(*value, translator.patch); !applied)
        return std::unexpected(": " + in_words(applied.error().error));
    return *std::move(value);
}

}  // namespace gdvar::app
