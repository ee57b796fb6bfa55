// Bind for std::variant: chooses the alternative for a value, and the error if none fits.
#pragma once

#include <bit>
#include <variant>

#include "gdvar/base/export.hpp"
#include "gdvar/value/bind_packed.hpp"
#include "gdvar/value/detail/choices.hpp"

namespace gdvar GDVAR_EXPORT {
namespace detail {

template <class T>
constexpr bool is_tag = false;
template <TagValue is>
constexpr bool is_tag<Tag<is>> = true;

/// `field` is the first field of a struct that is a Tag, or `Fields<T>::count` if there is none.
template <class T>
struct TagOf {
    static constexpr std::size_t count = 0, field = 0;
};
template <Struct T>
struct TagOf<T> {
    static constexpr std::size_t count = Fields<T>::count;
    template <std::size_t i>
    using Member = typename Fields<T>::template Member<i>;
    static constexpr std::size_t field = []<std::size_t... i>(std::index_sequence<i...>) {
        std::size_t first = count;
        (void)((is_tag<Member<i>> ? (first = i, true) : false) || ...);
        return first;
    }(std::make_index_sequence<count>());
};
template <class T>
inline constexpr bool has_tag = TagOf<T>::field < TagOf<T>::count;
template <class T>
inline constexpr std::string_view tag_key = Fields<T>::template key<TagOf<T>::field>;
template <class T>
using TagIn = typename TagOf<T>::template Member<TagOf<T>::field>;

/// A message's tag.
struct FoundTag {
    enum State : std::uint8_t { absent, unreadable, readable } state = absent;
    std::size_t at = 0;
    bool is_number = false;
    std::string_view borrowed{};
    char digits[20]{};
    std::uint8_t digit_count = 0;

    std::string_view text() const noexcept {
        return is_number ? std::string_view(digits, digit_count) : borrowed;
    }
    template <class Tag>
    bool is() const noexcept {
        return state == readable && text() == Tag::value;
    }
};

/// Looks for a struct's tag: by its index in an Array, by its key in a Dictionary. Among equal keys
/// the last counts. One that is not of the tag's kind, a number or a text, is unreadable. The
/// Cursor is behind the value afterwards.
inline FoundTag find_tag(BindCursor& c, bool in_array, std::size_t field, std::string_view key,
                         bool is_number) {
    FoundTag found;
    const auto look = [&] {
        found.at = c.offset();
        const Type type = c.peek();
        found.is_number = is_number;
        if (!(bit(type) & (is_number ? bit(Type::integer) : text_types))) {
            found.state = FoundTag::unreadable;
            return c.skip();
        }
        found.state = FoundTag::readable;
        if (!is_number) {
            found.borrowed = c.string();
            return;
        }
        const auto end = std::to_chars(found.digits, std::end(found.digits), c.integer()).ptr;
        found.digit_count = static_cast<std::uint8_t>(end - found.digits);
    };
    const std::uint32_t n = in_array ? c.begin_array() : c.begin_dictionary();
    for (std::uint32_t i = 0; c.ok() && i < n; ++i) {
        bool here = in_array && i == field;
        if (!in_array) {
            const Type type = c.peek();
            if (type == Type::string || type == Type::string_name)
                here = c.string() == key;
            else
                c.skip();
        }
        if (here)
            look();
        else
            c.skip();
    }
    return found;
}

}  // namespace detail

/// Takes the first alternative that accepts the value without a conversion, else the first that
/// accepts it with a conversion.
///
/// Errors if no alternative accepts it: the error of the alternative whose Tag the value has; if
/// every candidate has a Tag and none matches, unknown_name at the tag (with the list of tags) or
/// missing_key; else the error of the alternative that read furthest.
template <class... T>
struct Bind<std::variant<T...>> {
    using Alternatives = std::variant<T...>;
    static constexpr std::uint64_t accepts = (std::uint64_t{0} | ... | detail::accepted<T>());
    static constexpr std::uint64_t native = (std::uint64_t{0} | ... | detail::native<T>());
    static constexpr bool told_apart =
        (0 + ... + std::popcount(detail::native<T>())) == std::popcount(native);
    static bool read(BindCursor& c, Alternatives& out) {
        const detail::Elements within(c);
        const Cursor::Mark mark = c.mark();
        const std::uint64_t type = detail::bit(c.peek());
        Refused refused;
        if ((attempt<T, false>(c, out, type, mark, refused) || ...))
            return true;
        if (c.ok() && (attempt<T, true>(c, out, type, mark, refused) || ...))
            return true;
        // Either the error is final, or no alternative was tried on these bytes; skipping them then
        // finds the fault.
        return c.ok() && explain(c, out, type, mark, refused.furthest);
    }
    /// The fast path. Each Type belongs to at most one alternative, so the first that takes the
    /// value is the right one.
    [[gnu::always_inline]] static bool take(Cursor::FastPath& fast, Alternatives& out)
        requires((detail::Takeable<T> && ...) && told_apart)
    {
        return (take_as<T>(fast, out) || ...);
    }
    template <detail::Style style, class Sink>
    static Errc write(Sink& sink, const Alternatives& value) {
        return std::visit([&](const auto& held) { return detail::write_value<style>(sink, held); },
                          value);
    }

private:
    struct Refused {
        Error furthest{};
        bool inexact = false;  ///< a number was refused because it needs rounding
    };

    template <class A>
    [[gnu::always_inline]] static bool take_as(Cursor::FastPath& fast, Alternatives& out) {
        A taken{};
        if (!Bind<A>::take(fast, taken))
            return false;
        out = std::move(taken);
        return true;
    }
    /// True if the alternative can take a value of this Type: without a conversion in the first
    /// pass, with one in the second.
    template <class A, bool converting>
    static bool worth_it(std::uint64_t type, const Refused& refused) noexcept {
        if constexpr (!converting)
            return detail::native<A>() & type;
        else
            return detail::accepted<A>() & type &&
                   (!(detail::native<A>() & type) || (may_round<A> && refused.inexact));
    }
    /// A struct is recognised by its keys, so its numbers may be rounded in the first pass.
    template <class A>
    static constexpr bool may_round = !detail::Struct<A>;

    template <class A, bool converting>
    static bool attempt(BindCursor& c, Alternatives& out, std::uint64_t type,
                        const Cursor::Mark& mark, Refused& refused) {
        if (!worth_it<A, converting>(type, refused) || !c.ok())
            return false;
        if constexpr (requires { Bind<A>::takes_count(c, 0); }) {
            // The count alone distinguishes most messages.
            const std::uint32_t n = c.peek_count();
            if (n != UINT32_MAX && !Bind<A>::takes_count(c, n)) {
                if (refused.furthest.code == Errc::ok)
                    refused.furthest = {Errc::length_out_of_range, Type::array, c.offset(), 0};
                return false;
            }
        }
        const std::uint32_t nesting = c.nesting;
        const bool rounds = c.rounds();
        if constexpr (may_round<A> && !converting)
            c.set_rounds(false);
        A* held = std::get_if<A>(&out);
        const bool done = Bind<A>::read(c, held ? *held : out.template emplace<A>());
        c.set_rounds(rounds);
        if (!done)
            take_back(c, mark, nesting, refused);
        return done;
    }
    /// After a refusal, returns to the beginning of the value, unless the error is final.
    [[gnu::noinline]] static void take_back(BindCursor& c, const Cursor::Mark& mark,
                                            std::uint32_t nesting, Refused& refused) {
        const Error error = c.error();
        if (!c.go_back(mark))
            return;
        c.nesting = nesting;
        refused.inexact |= error.about == ErrorAbout::inexact;
        Error& furthest = refused.furthest;
        // An error from the count alone says less than any error from reading. A length error of a
        // field, whose offset is further on, is not such an error.
        const bool counted =
            furthest.code == Errc::length_out_of_range && furthest.offset == c.offset();
        if (furthest.code == Errc::ok || error.offset > furthest.offset || counted)
            furthest = error;
    }

    // ---- errors -------------------------------------------------------------------------

    struct TagNames {
        static constexpr std::size_t count = (std::size_t{0} + ... + detail::has_tag<T>);
        static constexpr std::array<std::string_view, count> names = [] {
            std::array<std::string_view, count> out{};
            std::size_t n = 0;
            const auto add = [&]<class A>(std::type_identity<A>) {
                if constexpr (detail::has_tag<A>)
                    out[n++] = detail::TagIn<A>::value;
            };
            (add(std::type_identity<T>()), ...);
            return out;
        }();
    };
    /// Knowledge about the tag. Each alternative looks for its own tag.
    struct Tagged {
        bool told = false;  ///< an alternative had the tag; the Cursor has its error
        detail::FoundTag found{};
        const char* key = nullptr;
    };

    [[gnu::noinline]] static bool explain(BindCursor& c, Alternatives& out, std::uint64_t type,
                                          const Cursor::Mark& mark, const Error& furthest) {
        const std::size_t start = c.offset();
        Tagged tagged;
        const bool done = (read_if_tagged<T>(c, out, type, mark, tagged) || ...);
        if (done || tagged.told || !c.ok())
            return done;
        constexpr std::uint64_t untagged =
            (std::uint64_t{0} | ... | (detail::has_tag<T> ? 0 : detail::accepted<T>()));
        if (tagged.key && !(untagged & type)) {
            if (tagged.found.state == detail::FoundTag::readable)
                return c.refuse(Error{Errc::unknown_name,
                                      tagged.found.is_number ? Type::integer : Type::string,
                                      tagged.found.at}
                                    .about_choices(tagged.found.text(),
                                                   detail::Choices<TagNames>::text.data()));
            if (tagged.found.state == detail::FoundTag::absent &&
                (type & detail::bit(Type::dictionary)))
                return c.refuse(Error{Errc::missing_key, Type::dictionary, start}
                                    .in_field(tagged.key)
                                    .about_key(tagged.key));
        }
        if (furthest.code != Errc::ok)
            return c.refuse(furthest);
        const Type found = c.peek();
        c.skip();
        return c.refuse(Error{Errc::wrong_type, found, start}.about_types(accepts));
    }
    /// Reads the alternative again if the value has its tag, so that the Cursor gets that
    /// alternative's error.
    template <class A>
    static bool read_if_tagged(BindCursor& c, Alternatives& out, std::uint64_t type,
                               const Cursor::Mark& mark, Tagged& tagged) {
        if constexpr (detail::has_tag<A>) {
            if (tagged.told || !c.ok() || !(detail::accepted<A>() & type))
                return false;
            const detail::FoundTag found =
                detail::find_tag(c, detail::struct_options<A>.as_array, detail::TagOf<A>::field,
                                 detail::tag_key<A>, detail::TagIn<A>::is_number);
            if (!c.ok() || !c.go_back(mark))
                return false;
            if (!tagged.key || tagged.found.state < found.state) {
                tagged.found = found;
                tagged.key = detail::field_name<A, detail::TagOf<A>::field>();
            }
            if (!found.is<detail::TagIn<A>>())
                return false;
            tagged.told = true;
            return Bind<A>::read(c, out.template emplace<A>());
        }
        return false;
    }
};

}  // namespace gdvar
