#include <algorithm>
#include <iterator>

#include "base/sort.hpp"
#include "inspect/rewriting.hpp"

namespace gdvar::inspect {
namespace {

using detail::Side;

/// The children of one side by the fingerprints of their names, equal ones in their order.
struct ChildPrint {
    std::uint64_t print;
    std::uint32_t i;
};
std::vector<ChildPrint> child_prints(const Side& side, const detail::Fingerprints& prints) {
    std::vector<ChildPrint> out;
    out.reserve(side.size());
    for (std::uint32_t i = 0; i < side.size(); ++i)
        out.push_back(
            {side.keys.empty() ? detail::fingerprint(side.names[i]) : prints.of(side.keys[i]), i});
    detail::sort(out, [](const ChildPrint& a, const ChildPrint& b) {
        return a.print != b.print ? a.print < b.print : a.i < b.i;
    });
    return out;
}

class Matcher {
public:
    Matcher(const Side& from, const detail::Fingerprints& from_prints, const Side& to,
            const detail::Fingerprints& to_prints)
        : from_(from), to_(to), from_prints_(from_prints), to_prints_(to_prints) {}

    std::vector<std::uint32_t> run(bool renames) {
        partner_.assign(to_.size(), detail::no_partner);
        if (from_.container.is(Type::dictionary) || from_.container.is(Type::object)) {
            names();
            if (renames) {
                renamed();
                renamed_and_set();
            }
        } else {
            elements();
        }
        return std::move(partner_);
    }

private:
    bool same_value(std::size_t i, std::size_t j) const {
        return from_prints_.of(from_.values[i]) == to_prints_.of(to_.values[j]) &&
               detail::same(from_.values[i], to_.values[j]);
    }

    void names() {
        const auto old = child_prints(from_, from_prints_), made = child_prints(to_, to_prints_);
        for (std::size_t a = 0, b = 0; a < old.size() && b < made.size();) {
            if (old[a].print != made[b].print) {
                ++(old[a].print < made[b].print ? a : b);
                continue;
            }
            if (same_name(from_, old[a].i, to_, made[b].i))
                partner_[made[b].i] = old[a].i;
            ++a;
            ++b;
        }
    }

    /// A renamed child: it has the value of the old child between the same neighbours.
    void renamed() {
        std::vector<bool> stays(from_.size());
        for (const std::uint32_t i : partner_)
            if (i != detail::no_partner)
                stays[i] = true;
        for (std::uint32_t j = 0, i = 0; j < to_.size(); ++j) {
            if (partner_[j] == detail::no_partner && i < from_.size() && !stays[i] &&
                same_value(i, j))
                partner_[j] = i;
            if (partner_[j] != detail::no_partner)
                i = partner_[j] + 1;
        }
    }

    /// A child with another name and another value: it has the same neighbours as before, and a
    /// similar value. New children come behind it. If more were removed than added, it can't be
    /// identified.
    void renamed_and_set() {
        std::vector<bool> stays(from_.size());
        for (const std::uint32_t i : partner_)
            if (i != detail::no_partner)
                stays[i] = true;
        std::vector<std::uint32_t> gone;
        for (std::uint32_t j = 0, i = 0; j < to_.size();) {
            if (partner_[j] != detail::no_partner) {
                i = partner_[j++] + 1;
                continue;
            }
            const std::uint32_t first = j;
            while (j < to_.size() && partner_[j] == detail::no_partner)
                ++j;
            gone.clear();
            for (; i < from_.size() && !stays[i] && gone.size() <= j - first; ++i)
                gone.push_back(i);
            if (gone.size() > j - first)
                continue;
            for (std::uint32_t k = 0; k < gone.size(); ++k)
                if (alike(from_.values[gone[k]], to_.values[first + k]))
                    partner_[first + k] = gone[k];
        }
    }
    /// True if the values have one type, and containers share at least half of their names, or
    /// their size.
    static bool alike(const View& was, const View& is) {
        if (was.type() != is.type())
            return false;
        if (!was.is(Type::dictionary) && !was.is(Type::object))
            return !was.is(Type::array) || was.size() == is.size();
        std::vector<std::uint64_t> a = names_of(was), b = names_of(is), both;
        std::ranges::set_intersection(a, b, std::back_inserter(both));
        return 2 * both.size() >= std::max(a.size(), b.size());
    }
    static std::vector<std::uint64_t> names_of(const View& container) {
        std::vector<std::uint64_t> out;
        out.reserve(container.size());
        for (detail::Children all(container); !all.done();) {
            const detail::Child child = all.next_value();
            const ByteView key =
                child.role == detail::Child::property ? as_bytes(child.name) : child.key_view.raw();
            out.push_back(
                detail::fingerprint({reinterpret_cast<const char*>(key.data()), key.size()}));
        }
        detail::sort(out);
        return out;
    }

    void elements() {
        const auto row = [](const Side& side, const detail::Fingerprints& prints) {
            return detail::Row{
                static_cast<std::uint32_t>(side.size()),
                [&side, &prints](std::uint32_t i) { return prints.of(side.values[i]); }};
        };
        std::uint32_t a = 0, b = 0;
        const auto gap = [&](std::uint32_t a_end, std::uint32_t b_end) {
            while (a < a_end && b < b_end)
                partner_[b++] = a++;
            a = a_end + 1;
            b = b_end + 1;
        };
        for (const auto& [kept_a, kept_b] :
             detail::align(row(from_, from_prints_), row(to_, to_prints_))) {
            if (!same_value(kept_a, kept_b))
                continue;
            gap(kept_a, kept_b);
            partner_[kept_b] = kept_a;
        }
        gap(static_cast<std::uint32_t>(from_.size()), static_cast<std::uint32_t>(to_.size()));
    }

    const Side& from_;
    const Side& to_;
    const detail::Fingerprints& from_prints_;
    const detail::Fingerprints& to_prints_;
    std::vector<std::uint32_t> partner_;
};

}  // namespace

bool same_name(const Side& from, std::size_t i, const Side& to, std::size_t j) {
    if (!from.keys.empty())
        return detail::same(from.keys[i], to.keys[j]);
    return from.names.empty() || from.names[i] == to.names[j];
}

std::vector<std::uint32_t> find_partners(const Side& from, const detail::Fingerprints& from_prints,
                                         const Side& to, const detail::Fingerprints& to_prints,
                                         bool renames) {
    return Matcher(from, from_prints, to, to_prints).run(renames);
}

}  // namespace gdvar::inspect
