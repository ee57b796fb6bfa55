#include "inspect/align.hpp"

#include <algorithm>

#include "base/sort.hpp"

namespace gdvar::detail {
namespace {

struct Region {
    std::uint32_t a, a_end, b, b_end;
    std::uint64_t n() const noexcept { return a_end - a; }
    std::uint64_t m() const noexcept { return b_end - b; }
};

class Aligner {
public:
    Aligner(const Row& from, const Row& to) : from_(from), to_(to) {}

    Kept run() {
        region({0, from_.count, 0, to_.count}, true);
        return std::move(kept_);
    }

private:
    bool same(std::uint32_t a, std::uint32_t b) const { return from_.at(a) == to_.at(b); }

    void region(Region r, bool may_split) {
        while (r.n() && r.m() && same(r.a, r.b))
            kept_.emplace_back(r.a++, r.b++);
        std::uint32_t tail = 0;
        while (r.n() && r.m() && same(r.a_end - 1, r.b_end - 1)) {
            --r.a_end;
            --r.b_end;
            ++tail;
        }
        if (r.n() && r.m()) {
            const std::uint64_t steps = r.n() * r.m();
            if (steps <= 1'000'000 && steps <= 512 * (r.n() + r.m()))
                table(r);
            else if (may_split)
                split(r);
        }
        for (std::uint32_t i = 0; i < tail; ++i)
            kept_.emplace_back(r.a_end + i, r.b_end + i);
    }

    void table(const Region& r) {
        const auto n = static_cast<std::size_t>(r.n()), m = static_cast<std::size_t>(r.m());
        std::vector<std::uint64_t> b(m);
        for (std::size_t j = 0; j < m; ++j)
            b[j] = to_.at(r.b + static_cast<std::uint32_t>(j));
        std::vector<std::uint32_t> length((n + 1) * (m + 1), 0);
        const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
            return length[i * (m + 1) + j];
        };
        for (std::size_t i = n; i-- > 0;) {
            const std::uint64_t a = from_.at(r.a + static_cast<std::uint32_t>(i));
            for (std::size_t j = m; j-- > 0;)
                at(i, j) = a == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
        }
        for (std::uint32_t i = 0, j = 0; i < n && j < m;) {
            if (same(r.a + i, r.b + j)) {
                kept_.emplace_back(r.a + i, r.b + j);
                ++i;
                ++j;
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                ++i;
            } else {
                ++j;
            }
        }
    }

    void split(const Region& r) {
        Kept anchors = rising(r, partners(r));
        anchors.emplace_back(r.a_end, r.b_end);
        std::uint32_t a = r.a, b = r.b;
        for (const auto& [next_a, next_b] : anchors) {
            region({a, next_a, b, next_b}, false);
            if (next_a == r.a_end)
                break;
            kept_.emplace_back(next_a, next_b);
            a = next_a + 1;
            b = next_b + 1;
        }
    }

    static std::vector<std::uint32_t> sorted(const Row& row, std::uint32_t begin,
                                             std::uint32_t end) {
        std::vector<std::uint32_t> out(end - begin);
        for (std::uint32_t i = begin; i < end; ++i)
            out[i - begin] = i;
        detail::sort(out, [&](std::uint32_t x, std::uint32_t y) {
            const std::uint64_t left = row.at(x), right = row.at(y);
            return left != right ? left < right : x < y;
        });
        return out;
    }

    /// For each place of `from`: the place in `to` with the same occurrence of the same number, or
    /// `none`.
    std::vector<std::uint32_t> partners(const Region& r) const {
        const auto a = sorted(from_, r.a, r.a_end), b = sorted(to_, r.b, r.b_end);
        std::vector<std::uint32_t> out(static_cast<std::size_t>(r.n()), no_partner);
        for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
            const std::uint64_t left = from_.at(a[i]), right = to_.at(b[j]);
            if (left < right) {
                ++i;
            } else if (right < left) {
                ++j;
            } else {
                out[a[i++] - r.a] = b[j++];
                // The rest of a longer run has no partner.
                const bool more_a = i < a.size() && from_.at(a[i]) == left;
                const bool more_b = j < b.size() && to_.at(b[j]) == left;
                while (!more_b && i < a.size() && from_.at(a[i]) == left)
                    ++i;
                while (!more_a && j < b.size() && to_.at(b[j]) == left)
                    ++j;
            }
        }
        return out;
    }

    /// The longest sequence of pairs that rises in both rows.
    static Kept rising(const Region& r, const std::vector<std::uint32_t>& partner) {
        std::vector<std::uint32_t> last, before(partner.size(), no_partner);  // places in `partner`
        for (std::uint32_t i = 0; i < partner.size(); ++i) {
            if (partner[i] == no_partner)
                continue;
            const auto at = std::lower_bound(
                last.begin(), last.end(), partner[i],
                [&](std::uint32_t place, std::uint32_t b) { return partner[place] < b; });
            before[i] = at == last.begin() ? no_partner : at[-1];
            if (at == last.end())
                last.push_back(i);
            else
                *at = i;
        }
        Kept out;
        for (std::uint32_t i = last.empty() ? no_partner : last.back(); i != no_partner;
             i = before[i])
            out.emplace_back(r.a + i, partner[i]);
        std::reverse(out.begin(), out.end());
        return out;
    }

    const Row& from_;
    const Row& to_;
    Kept kept_;
};

}  // namespace

Kept align(const Row& from, const Row& to) {
    return Aligner(from, to).run();
}

}  // namespace gdvar::detail
