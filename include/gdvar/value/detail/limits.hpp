// The limits that `meta` gives a field: lengths, and the range of numbers. Not for users.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <type_traits>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind.hpp"
#include "gdvar/wire/error.hpp"
#include "gdvar/wire/math.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

/// True for a std::optional without a value, and for an empty text or container.
template <class M>
bool is_empty(const M& member) noexcept {
    if constexpr (is_optional<M>) {
        return !member.has_value();
    } else {
        constexpr bool has_empty = requires { member.empty(); };
        static_assert(has_empty, "gdvar: omit_empty() is for std::optional, texts and containers");
        return member.empty();
    }
}
/// True if `test` is true for a number, or for each number in a math value or container.
template <class M, class Test>
constexpr bool each_number(const M& member, const Test& test) {
    if constexpr (std::is_arithmetic_v<M>) {
        return test(member);
    } else if constexpr (is_optional<M>) {
        return !member || each_number(*member, test);
    } else if constexpr (MathType<M>) {
        using Component = typename MathTraits<M>::Component;
        for (const Component one :
             std::bit_cast<std::array<Component, sizeof(M) / sizeof(Component)>>(member))
            if (!test(one))
                return false;
        return true;
    } else {
        constexpr bool is_range = !Text<M> && requires { member.begin() != member.end(); };
        static_assert(is_range,
                      "gdvar: range() is for numbers, and for math types and containers of "
                      "numbers; texts have min_length() and max_length()");
        for (const auto& item : member)
            if (!each_number(item, test))
                return false;
        return true;
    }
}

/// An Error with a number and its range, each as it was given.
Error about_range(const Error& error, const Bound& value, const Bound& low,
                  const Bound& high) noexcept;

/// False, with the reason in `why` (if it is not null), if a limit of `options` refuses the member.
/// A std::optional without a value has no limits.
template <bool has_range, bool has_lengths, class M>
[[gnu::always_inline]] inline bool in_limits([[maybe_unused]] const M& member,
                                             [[maybe_unused]] const FieldOptions& options,
                                             [[maybe_unused]] Error* why = nullptr) {
    if constexpr (is_optional<M>)
        return !member || in_limits<has_range, has_lengths>(*member, options, why);
    if constexpr (has_range && !is_optional<M>) {
        const bool in_range = each_number(member, [&](auto number) {
            const Bound found(number);
            if (found >= options.low && found <= options.high) [[likely]]
                return true;
            if (why)
                *why =
                    about_range(Error{Errc::number_out_of_range}, found, options.low, options.high);
            return false;
        });
        if (!in_range)
            return false;
    }
    if constexpr (has_lengths && !is_optional<M>) {
        const std::size_t n = member.size();
        if (n < options.least_items || n > options.most_items) [[unlikely]] {
            if (why)
                *why = Error{Errc::length_out_of_range}.about_length(n, options.least_items,
                                                                     options.most_items);
            return false;
        }
    }
    return true;
}

}  // namespace detail
}  // namespace gdvar
