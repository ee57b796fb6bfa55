#include "key_order.hpp"

#include <algorithm>
#include <deque>

#include "sort.hpp"

namespace gdvar::detail {
namespace {

/// Less, greater, or what counts as equal because neither is less.
enum class Order { less, equal, greater };

template <class T>
Order order(const T& a, const T& b) {
    return a < b ? Order::less : b < a ? Order::greater : Order::equal;
}

bool is_text(const View& v) {
    return v.is(Type::string) || v.is(Type::string_name);
}

/// The text as the engine holds it.
std::string_view seen(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    return text.substr(0, text.find('\0'));
}

Order lanes(const MathView& a, const MathView& b) {
    for (std::size_t i = 0; i < a.lanes(); ++i) {
        if (a.integral()) {
            if (a.integer(i) != b.integer(i))
                return order(a.integer(i), b.integer(i));
        } else if (a.real(i) != b.real(i)) {
            return order(a.real(i), b.real(i));
        }
    }
    return Order::equal;
}

bool ordered_math(Type type) {
    switch (type) {
        case Type::vector2:
        case Type::vector2i:
        case Type::vector3:
        case Type::vector3i:
        case Type::vector4:
        case Type::vector4i:
            return true;
        default:
            return false;
    }
}

class Less {
public:
    Less(TextFamily family, const Dialect& dialect) : family_(family), dialect_(dialect) {}

    bool operator()(const View::Pair& a, const View::Pair& b) const {
        return compare(a.key, b.key) == Order::less;
    }

private:
    unsigned id(Type type) const { return dialect_.id_of[static_cast<std::size_t>(type)]; }

    Order leaf(const View& a, const View& b) const {
        if (is_text(a) && is_text(b) && (a.type() == b.type() || family_ == TextFamily::godot_4))
            return order(seen(a.text()), seen(b.text()));
        if (a.type() != b.type())
            return order(id(a.type()), id(b.type()));
        switch (a.type()) {
            case Type::boolean:
                return order(a.boolean(), b.boolean());
            case Type::integer:
                return order(a.integer(), b.integer());
            case Type::real:
                return order(a.real(), b.real());
            default:
                break;
        }
        if (ordered_math(a.type()))
            return lanes(a.math(), b.math());
        if (family_ != TextFamily::godot_4)
            return pool(a, b);
        return Order::equal;
    }

    /// Godot 3's operator< for pool arrays: true when shorter, and when any element differs. What
    /// it compares past the end of a shorter one is memory garbage; that differs, too.
    static Order pool(const View& a, const View& b) {
        if (!is_packed(a.type()) && !a.is(Type::packed_string_array))
            return Order::equal;
        if (a.size() != b.size())
            return Order::less;
        if (is_packed(a.type()))
            return same_elements(a.packed(), b.packed()) ? Order::equal : Order::less;
        const auto x = a.strings(), y = b.strings();
        return std::equal(x.begin(), x.end(), y.begin()) ? Order::equal : Order::less;
    }
    static bool same_elements(const PackedView& a, const PackedView& b) {
        if (a.lane() != Lane::f32)
            return a.size() == 0 || std::memcmp(a.data, b.data, a.size()) == 0;
        for (std::size_t i = 0; i < a.count * a.lanes(); ++i)
            if (a.lane_at<float>(i) != b.lane_at<float>(i))
                return false;
        return true;
    }

    /// Arrays element by element, in lockstep; the first difference decides everything around it.
    Order compare(const View& a, const View& b) const {
        const auto both_arrays = [](const View& x, const View& y) {
            return x.is(Type::array) && y.is(Type::array);
        };
        if (!both_arrays(a, b))
            return leaf(a, b);
        std::deque<Open> open;
        open.emplace_back(a, b);
        while (!open.empty()) {
            Open& top = open.back();
            const bool x = top.at_a == top.a.end(), y = top.at_b == top.b.end();
            if (x || y) {
                if (x != y)
                    return x ? Order::less : Order::greater;
                open.pop_back();
                continue;
            }
            const View m = *top.at_a, n = *top.at_b;
            ++top.at_a;
            ++top.at_b;
            if (both_arrays(m, n)) {
                open.emplace_back(m, n);
            } else if (const Order found = leaf(m, n); found != Order::equal) {
                return found;
            }
        }
        return Order::equal;
    }

    struct Open {
        View::Elements a, b;
        View::Elements::iterator at_a, at_b;
        Open(const View& x, const View& y)
            : a(x.elements()), b(y.elements()), at_a(a.begin()), at_b(b.begin()) {}
        Open(const Open&) = delete;
    };

    TextFamily family_;
    const Dialect& dialect_;
};

// ---- keys that are all texts ------------------------------------------------------------------

/// A text with the eight bytes behind what all have in common: most are told apart by those.
struct TextKey {
    std::uint64_t first;
    std::string_view text;
    std::size_t number;
};
struct TextLess {
    bool operator()(const TextKey& a, const TextKey& b) const {
        return a.first != b.first ? a.first < b.first : a.text < b.text;
    }
};

bool all_texts(const std::vector<View::Pair>& pairs, TextFamily family) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const View::Pair& pair) {
        return is_text(pair.key) &&
               (family == TextFamily::godot_4 || pair.key.type() == pairs.front().key.type());
    });
}

/// There is no NUL in what the engine sees, so a text that ends counts as zeros.
std::uint64_t first_bytes(std::string_view text) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < 8; ++i)
        out = out << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0u);
    return out;
}

std::size_t common_prefix(const std::vector<TextKey>& keys) {
    std::string_view common = keys.front().text;
    for (const TextKey& key : keys) {
        const auto end =
            std::mismatch(common.begin(), common.end(), key.text.begin(), key.text.end());
        common = common.substr(0, static_cast<std::size_t>(end.first - common.begin()));
    }
    return common.size();
}

/// The same steps as with the pairs themselves, so that equal keys end up in the same order.
void sort_texts(std::vector<View::Pair>& pairs) {
    std::vector<TextKey> keys(pairs.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = {0, seen(pairs[i].key.text()), i};
    const std::size_t common = common_prefix(keys);
    for (TextKey& key : keys)
        key.first = first_bytes(key.text.substr(common));
    SortArray<TextKey, TextLess>(keys.data(), TextLess())
        .sort(static_cast<std::int64_t>(keys.size()));
    std::vector<View::Pair> sorted;
    sorted.reserve(pairs.size());
    for (const TextKey& key : keys)
        sorted.push_back(pairs[key.number]);
    pairs = std::move(sorted);
}

}  // namespace

void sort_keys(std::vector<View::Pair>& pairs, TextFamily family, const Dialect& dialect) {
    if (!pairs.empty() && all_texts(pairs, family))
        return sort_texts(pairs);
    SortArray<View::Pair, Less> sorter(pairs.data(), Less(family, dialect));
    sorter.sort(static_cast<std::int64_t>(pairs.size()));
}

}  // namespace gdvar::detail
