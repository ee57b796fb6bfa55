#include "key_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <functional>

#include "base/special_bytes.hpp"
#include "escape.hpp"
#include "rules.hpp"
#include "sort.hpp"

namespace gdvar::detail {
namespace {

enum class Order { less, equal, greater };

template <class T>
Order order(const T& a, const T& b) {
    return a < b ? Order::less : b < a ? Order::greater : Order::equal;
}

/// Compares two texts as engines hold them, up to a NUL.
Order seen_order(std::string_view a, std::string_view b) {
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto same = static_cast<std::size_t>(x - a.begin());
    if (a.substr(0, same).find('\0') != a.npos)
        return Order::equal;
    const auto next = [same](std::string_view text) {
        return same < text.size() ? static_cast<unsigned char>(text[same]) : 0u;
    };
    return order(next(a), next(b));
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

/// Godot 3.2's Math::is_equal_approx, in single precision as there.
bool nearly_equal(float a, float b) {
    constexpr double epsilon = 0.00001;
    const auto least = static_cast<float>(epsilon);
    const auto relative = static_cast<float>(epsilon * static_cast<double>(std::fabs(a)));
    return a == b || std::fabs(a - b) < std::max(relative, least);
}

bool same_elements(const PackedView& a, const PackedView& b) {
    if (a.component() != ComponentType::f32)
        return a.size() == 0 || std::memcmp(a.data, b.data, a.size()) == 0;
    for (std::size_t i = 0; i < a.count * a.components(); ++i)
        if (a.component_at<float>(i) != b.component_at<float>(i))
            return false;
    return true;
}

/// The engine's `<` of two values. When the given steps are used up, every comparison is false, so
/// that every sort ends.
template <class Value>
class Comparison {
public:
    Comparison(const KeyOrder& by, std::uint64_t steps)
        : by_(by), keys_(text_rules(by.family).keys), left_(steps) {}
    bool spent() const noexcept { return left_ == 0; }

    bool less(const Value& a, const Value& b) {
        if (!step())
            return false;
        // Godot 4 compares String and StringName keys with each other, but not inside Arrays.
        if (is_text(a) && is_text(b) && keys_ == KeySort::godot_4)
            return seen_order(text(a), text(b)) == Order::less;
        if (!both_arrays(a, b))
            return leaf(a, b) == Order::less;
        return keys_ == KeySort::godot_4 ? less_elements(a, b) : inverted(a, b);
    }

private:
    static bool is_text(const Value& v) { return v.is(Type::string) || v.is(Type::string_name); }
    static bool both_arrays(const Value& a, const Value& b) {
        return a.is(Type::array) && b.is(Type::array);
    }
    bool step(std::uint64_t cost = 1) noexcept {
        left_ -= std::min(left_, cost);
        return left_ != 0;
    }
    unsigned id(Type type) const {
        const auto index = static_cast<std::size_t>(type);
        return by_.dialect ? by_.dialect->id_of[index] : static_cast<unsigned>(index);
    }
    std::string_view text(const Value& v) const {
        return by_.held ? v.text() : without_mark(v.text());
    }

    Order leaf(const Value& a, const Value& b) {
        if (a.type() != b.type())
            return order(id(a.type()), id(b.type()));
        switch (a.type()) {
            case Type::boolean:
                return order(a.boolean(), b.boolean());
            case Type::integer:
                return order(a.integer(), b.integer());
            case Type::real:
                return order(a.real(), b.real());
            case Type::rid:
                return order(a.rid(), b.rid());
            case Type::string:
            case Type::string_name:
                return seen_order(text(a), text(b));
            default:
                break;
        }
        if (ordered_math(a.type()))
            return components(a.math(), b.math());
        return keys_ == KeySort::godot_4 ? Order::equal : pool(a, b);
    }

    Order components(const MathView& a, const MathView& b) const {
        const bool roughly = keys_ == KeySort::godot_3_2;
        for (std::size_t i = 0; i < a.components(); ++i) {
            if (a.integral()) {
                if (a.integer(i) != b.integer(i))
                    return order(a.integer(i), b.integer(i));
                continue;
            }
            const double x = a.real(i), y = b.real(i);
            const bool last = i + 1 == a.components();
            const bool same = roughly && !last
                                  ? nearly_equal(static_cast<float>(x), static_cast<float>(y))
                                  : x == y;
            if (!same)
                return order(x, y);
        }
        return Order::equal;
    }

    /// Godot 3's operator< for pool arrays: true if shorter, or if any element differs. Beyond the
    /// end of a shorter one it compares garbage, which differs, too.
    Order pool(const Value& a, const Value& b) {
        const bool strings = a.is(Type::packed_string_array);
        if (!strings && !is_packed(a.type()))
            return Order::equal;
        if (a.size() != b.size())
            return Order::less;
        if (!strings) {
            const PackedView x = a.packed(), y = b.packed();
            step(x.size() / 64);
            return same_elements(x, y) ? Order::equal : Order::less;
        }
        step(a.size() / 4);
        const auto x = a.strings(), y = b.strings();
        return std::equal(x.begin(), x.end(), y.begin(), y.end()) ? Order::equal : Order::less;
    }

    /// Two Arrays and the position of the comparison in each.
    struct Entry {
        typename Value::Elements a, b;
        typename Value::Elements::iterator at_a, at_b;
        Entry(const Value& x, const Value& y)
            : a(x.elements()), b(y.elements()), at_a(a.begin()), at_b(b.begin()) {}
        Entry(const Entry&) = delete;
        bool ended_a() const { return at_a == a.end(); }
        bool ended_b() const { return at_b == b.end(); }
        std::pair<Value, Value> next() {
            const std::pair<Value, Value> both{*at_a, *at_b};
            ++at_a;
            ++at_b;
            return both;
        }
    };

    /// Godot 4: element by element. The first difference decides for all surrounding Arrays.
    bool less_elements(const Value& a, const Value& b) {
        stack_.clear();
        stack_.emplace_back(a, b);
        while (!stack_.empty()) {
            Entry& top = stack_.back();
            if (top.ended_a() || top.ended_b()) {
                if (top.ended_a() != top.ended_b())
                    return top.ended_a();
                stack_.pop_back();
                continue;
            }
            const auto [x, y] = top.next();
            if (!step())
                return false;
            if (both_arrays(x, y))
                stack_.emplace_back(x, y);
            else if (const Order found = leaf(x, y); found != Order::equal)
                return found == Order::less;
        }
        return false;
    }

    /// Godot 3: false if b is shorter, else true if any element is not less than b's.
    bool inverted(const Value& a, const Value& b) {
        stack_.clear();
        if (!enter(a, b))
            return false;
        for (;;) {
            Entry& top = stack_.back();
            bool is_less = false;  // of two elements of the innermost Arrays
            if (top.ended_a()) {
                stack_.pop_back();
                if (stack_.empty())
                    return false;
            } else {
                const auto [x, y] = top.next();
                if (!step())
                    return false;
                if (!both_arrays(x, y))
                    is_less = leaf(x, y) == Order::less;
                else if (enter(x, y))
                    continue;
            }
            if (is_less)
                continue;
            // The innermost Arrays are less. The comparison of the surrounding Arrays goes on.
            stack_.pop_back();
            if (stack_.empty())
                return true;
        }
    }
    bool enter(const Value& a, const Value& b) {
        if (b.size() < a.size())
            return false;
        stack_.emplace_back(a, b);
        return true;
    }

    const KeyOrder by_;
    const KeySort keys_;
    std::uint64_t left_;
    std::deque<Entry> stack_;  ///< keeps its memory between comparisons
};

// ---- keys that are all texts ------------------------------------------------------------------

struct TextLess {
    const std::string_view* texts;
    bool operator()(const TextKey& a, const TextKey& b) const {
        return a.first != b.first ? a.first < b.first : texts[a.number] < texts[b.number];
    }
};

template <class Pair>
bool all_texts(std::span<const Pair> pairs, const TextRules& rules) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return (pair.key.is(Type::string) || pair.key.is(Type::string_name)) &&
               (rules.keys == KeySort::godot_4 || pair.key.type() == pairs.front().key.type());
    });
}

/// The engine's texts hold no NUL, so zeros can fill up a short text.
std::uint64_t first_bytes(std::string_view text) {
    return byteswap(load_some(text.data(), text.size()));
}

std::size_t common_prefix(const std::vector<std::string_view>& texts) {
    std::string_view common = texts.front();
    for (const std::string_view text : texts) {
        const auto end = std::mismatch(common.begin(), common.end(), text.begin(), text.end());
        common = common.substr(0, static_cast<std::size_t>(end.first - common.begin()));
        if (common.empty())
            break;
    }
    return common.size();
}

}  // namespace

/// Takes the same steps as with the pairs themselves, so that equal keys end up in the same order.
template <class Pair>
void KeySorter<Pair>::order_texts(std::span<Pair> pairs, bool held) {
    last_.clear();
    texts_.clear();
    texts_.reserve(pairs.size());
    for (const Pair& pair : pairs)
        texts_.push_back(held ? pair.key.text() : seen_text(pair.key.text()));
    const std::size_t common = common_prefix(texts_);
    keys_.clear();
    keys_.reserve(pairs.size());
    for (const std::string_view text : texts_)
        keys_.push_back(
            {first_bytes(text.substr(common)), static_cast<std::uint32_t>(keys_.size())});
    SortArray<TextKey, TextLess>(keys_.data(), TextLess{texts_.data()})
        .sort(static_cast<std::int64_t>(keys_.size()));
    last_.reserve(pairs.size());
    for (const Pair& pair : pairs)
        last_.push_back(pair.key.text());
}

template <class Pair>
void KeySorter<Pair>::sort_texts(std::span<Pair> pairs, bool held) {
    // Many Dictionaries have the keys of the previous one.
    if (!std::equal(
            pairs.begin(), pairs.end(), last_.begin(), last_.end(),
            [](const Pair& pair, std::string_view text) { return pair.key.text() == text; }))
        order_texts(pairs, held);
    sorted_.clear();
    sorted_.reserve(pairs.size());
    for (const TextKey& key : keys_)
        sorted_.push_back(pairs[key.number]);
    std::copy(sorted_.begin(), sorted_.end(), pairs.begin());
}

template <class Pair>
bool KeySorter<Pair>::sort(std::span<Pair> pairs, const KeyOrder& order) {
    if (pairs.size() < 2)
        return true;
    if (all_texts<Pair>(pairs, text_rules(order.family))) {
        sort_texts(pairs, order.held);
        return true;
    }
    const std::uint64_t n = pairs.size();
    Comparison<decltype(Pair::key)> comparison(
        order, (std::uint64_t{1} << 22) + 8 * n * static_cast<std::uint64_t>(std::bit_width(n)));
    const auto less = [&](const Pair& a, const Pair& b) { return comparison.less(a.key, b.key); };
    SortArray(pairs.data(), std::ref(less)).sort(static_cast<std::int64_t>(n));
    return !comparison.spent();
}
template class KeySorter<View::Pair>;
template class KeySorter<Held::Pair>;

}  // namespace gdvar::detail
