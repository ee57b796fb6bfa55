#include "output/differences.hpp"

#include <algorithm>

#include "gdvar/base/quote.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/inspect/edit_plan.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/coding.hpp"
#include "gdvar/text/text.hpp"

namespace gdvar::app {
namespace {

std::string brief_bytes(const View& view) {
    const ByteView bytes = view.raw();
    return bytes.size() <= 16
               ? to_hex(bytes)
               : to_hex(bytes.first(12)) + "... (" + std::to_string(bytes.size()) + " bytes)";
}

/// True if `brief_value` has not shown the whole value.
bool is_shortened(const std::string& brief) {
    return brief.ends_with("...") || brief.ends_with(" elements)") || brief.ends_with(" bytes)");
}

bool is_text(const View& view) {
    return view.is(Type::string) || view.is(Type::string_name);
}

/// The part of a text around byte `at`, in quotes, with dots for the rest.
std::string text_around(const View& view, std::size_t at) {
    constexpr std::size_t before = 20, after = 40;
    const std::string_view all = view.text();
    std::size_t from = at > before ? at - before : 0;
    while (from > 0 && utf8::continues(all[from]))
        --from;
    const std::string_view rest = all.substr(from);
    const std::string_view shown = rest.substr(0, utf8::cut(rest, at - from + after));
    return (from ? "..." : "") + quote(shown) + (shown.size() < rest.size() ? "..." : "");
}

/// `"...lamps" -> "...lumps"`: two long texts around their first difference.
std::string texts_that_differ(const View& before, const View& after) {
    const std::string_view a = before.text(), b = after.text();
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    return text_around(before, at) + " -> " + text_around(after, at);
}

/// Elements of one width are compared by their bytes.
bool same_element(const PackedView& a, const PackedView& b, std::size_t i) {
    const std::size_t size = a.element_size(), parts = a.components();
    if (a.wide == b.wide)
        return std::ranges::equal(a.bytes().subspan(i * size, size),
                                  b.bytes().subspan(i * size, size));
    const auto real = [](const PackedView& array, std::size_t at) {
        return array.use_component(at, [](auto part) { return static_cast<double>(part); });
    };
    for (std::size_t at = i * parts; at < (i + 1) * parts; ++at)
        if (real(a, at) != real(b, at))
            return false;
    return true;
}

/// The difference of two packed arrays of one type.
struct ElementsThatDiffer {
    std::size_t first;      ///< index; behind the shorter array if all of that is the same
    std::size_t count = 0;  ///< up to the end of the shorter array

    void add(std::size_t i) { first = count++ ? first : i; }
};

ElementsThatDiffer elements_that_differ(const View& before, const View& after) {
    ElementsThatDiffer out{std::min(before.size(), after.size())};
    if (before.is(Type::packed_string_array)) {
        const auto a = before.strings(), b = after.strings();
        auto one = a.begin();
        auto other = b.begin();
        for (std::size_t i = 0; one != a.end() && other != b.end(); ++one, ++other, ++i)
            if (*one != *other)
                out.add(i);
    } else {
        const PackedView a = before.packed(), b = after.packed();
        for (std::size_t i = 0; i < std::min(a.count, b.count); ++i)
            if (!same_element(a, b, i))
                out.add(i);
    }
    return out;
}

std::string element_in_words(const View& array, std::size_t i) {
    const auto found = lookup(array, "$[" + std::to_string(i) + "]");
    return i < array.size() && found ? brief_value(*found) : std::string("none");
}

/// `[137]: 100 -> 200 (and 3 more elements)`: two long packed arrays by their difference.
std::string arrays_that_differ(const View& before, const View& after, const std::string& place) {
    const auto [first, count] = elements_that_differ(before, after);
    const bool longer = before.size() != after.size();
    if (!count && !longer)
        return place + ": " + brief_value(before) + " -> " + brief_value(after);
    std::string out = place;
    if (longer)
        out += ": " + std::to_string(before.size()) + " elements -> " +
               std::to_string(after.size()) + " elements; ";
    out += "[" + std::to_string(first) + "]: " + element_in_words(before, first) + " -> " +
           element_in_words(after, first);
    if (count > 1)
        out += " (and " + std::to_string(count - 1) +
               (count == 2 ? " more element)" : " more elements)");
    return out;
}

std::string set_line(const Difference& d, const std::string& place, bool full) {
    if (full)
        return place + ": " + to_text_full(d.before).value_or("?") + " -> " +
               to_text_full(d.after).value_or("?");
    const std::string was = brief_value(d.before), now = brief_value(d.after);
    const bool shortened = is_shortened(was) || is_shortened(now);
    if (shortened && is_text(d.before) && is_text(d.after))
        return place + ": " + texts_that_differ(d.before, d.after);
    const Type type = d.before.type();
    if (shortened && type == d.after.type() &&
        (type == Type::packed_string_array || type_info(type).packed))
        return arrays_that_differ(d.before, d.after, place);
    return place + ": " + was + " -> " + now;
}

}  // namespace

std::string difference_line(const Difference& d, const std::string& place, bool full) {
    const auto brief = [&](const View& view) {
        return full ? to_text_full(view).value_or("?") : brief_value(view);
    };
    switch (d.kind) {
        case Difference::set:
            return "~ " + set_line(d, place, full);
        case Difference::insert:
            return "+ " + place + ": " + brief(d.after);
        case Difference::remove:
            return "- " + place + ": " + brief(d.before);
        case Difference::order:
            return "> " + place + ": pairs in another order";
        case Difference::encoding:
            break;
    }
    return "= " + place + ": " + brief_bytes(d.before) + " -> " + brief_bytes(d.after) +
           ", the same value";
}

}  // namespace gdvar::app
