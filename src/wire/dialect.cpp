#include "gdvar/wire/dialect.hpp"

#include <charconv>

namespace gdvar {
namespace {

/// Dialects of texts alone come last: they are found by name, and are in no list.
constexpr std::size_t of_texts = 1;
constexpr const Dialect* known[] = {
    &dialects::godot_4_4,       &dialects::godot_4_3,     &dialects::godot_4_0,
    &dialects::godot_4_dev,     &dialects::godot_3_1,     &dialects::godot_3_0,
    &dialects::godot_2,         &dialects::pandemonium_5, &dialects::pandemonium_3_8,
    &dialects::pandemonium_3_5, &dialects::page_3,        &dialects::page_4,
    &dialects::page_4_dev,      &dialects::godot_2_text,
};

/// The range of releases that "4.5", "4.5.1" or "4" stands for.
struct Span {
    std::array<std::uint8_t, 2> first, last;
};

bool parse_release(std::string_view text, Span& out) noexcept {
    std::uint8_t numbers[3] = {};
    std::size_t count = 0;
    const char *at = text.data(), *const end = at + text.size();
    for (;; ++at) {
        if (count == std::size(numbers))
            return false;
        const auto [behind, error] = std::from_chars(at, end, numbers[count++]);
        if (error != std::errc())
            return false;
        at = behind;
        if (at == end)
            break;
        if (*at != '.')
            return false;
    }
    out.first = {numbers[0], numbers[1]};
    out.last = {numbers[0], count == 1 ? Releases::any : numbers[1]};
    return true;
}

}  // namespace

std::span<const Dialect* const> all_dialects() noexcept {
    return std::span(known).first(std::size(known) - of_texts);
}

const Dialect* find_dialect(std::string_view name) noexcept {
    if (name.empty())
        return nullptr;
    for (const Dialect* dialect : known)
        if (dialect->name == name || dialect->alias == name)
            return dialect;
    const std::size_t cut = name.rfind('-');
    Span wanted;
    if (cut == std::string_view::npos || !parse_release(name.substr(cut + 1), wanted))
        return nullptr;
    for (const Dialect* dialect : known) {
        const Releases& releases = dialect->releases;
        if (releases.engine == name.substr(0, cut) && releases.cover(wanted.first) &&
            releases.cover(wanted.last))
            return dialect;
    }
    return nullptr;
}

std::optional<TextFamily> named_family(std::string_view name) noexcept {
    const Dialect* dialect = find_dialect(name);
    if (!dialect)
        return std::nullopt;
    Span release;
    const bool six_digits = dialect == &dialects::godot_4_4 && name.starts_with("godot-") &&
                            parse_release(name.substr(6), release) && release.first[1] == 4;
    return six_digits ? TextFamily::godot_4_0 : dialect->family;
}

std::span<const Dialect* const> newest_dialects() noexcept {
    static constexpr const Dialect* newest[] = {&dialects::godot_4_4, &dialects::godot_3_1,
                                                &dialects::pandemonium_5};
    return newest;
}

const Dialect& newest_dialect(TextFamily family) noexcept {
    for (const Dialect* dialect : newest_dialects())
        if (dialect->family == family)
            return *dialect;
    if (family == dialects::godot_2.family)
        return dialects::godot_2;
    return is_godot_4(family) ? dialects::godot_4_4 : dialects::godot_3_1;
}

}  // namespace gdvar
