#include "wire/key_rules.hpp"

#include <algorithm>
#include <iterator>

namespace gdvar::detail {
namespace {

constexpr KeyRules godot_4;

constexpr KeyRules godot_3_6{.texts = {.code_points = true, .joins = true},
                             .text_types = false,
                             .dictionaries = false,
                             .nan_items = true,
                             .absolute_nowhere = false,
                             .packed_reals = PackedReals::bits};

constexpr KeyRules godot_3_2 = [] {
    KeyRules rules = godot_3_6;
    rules.texts.joins = false;
    rules.packed_reals = PackedReals::bits_but_nan;
    return rules;
}();

/// From its source: its texts are valid UTF-8.
constexpr KeyRules pandemonium = [] {
    KeyRules rules = godot_3_6;
    rules.texts = {};
    return rules;
}();

/// In the order of TextFamily.
constexpr const KeyRules* families[] = {&godot_3_2,   &godot_3_6, &godot_4,
                                        &pandemonium, &godot_3_2, &godot_4};
static_assert(std::size(families) == text_family_count);

}  // namespace

const KeyRules& key_rules(TextFamily family) noexcept {
    return *families[static_cast<std::size_t>(family)];
}

constexpr KeyRules value_key_rules{.texts = {.cuts = false}};

std::size_t HeldText::next_overlong(std::string_view text, std::size_t at) const noexcept {
    if (!code_points)
        return text.size();
    // The first byte, and what is too small behind it.
    constexpr unsigned char leads[][2] = {{0xE0, 0xA0}, {0xF0, 0x90}, {0xF8, 0x88}, {0xFC, 0x84}};
    using Leads = SpecialBytes<0, '\xE0', '\xF0', '\xF8', '\xFC'>;
    for (; (at = Leads::find(text, at)) + 1 < text.size(); ++at)
        for (const auto& [lead, least] : leads)
            if (static_cast<unsigned char>(text[at]) == lead &&
                static_cast<unsigned char>(text[at + 1]) < least)
                return at;
    return text.size();
}

bool HeldText::has_overlong(std::string_view text) const noexcept {
    return next_overlong(text, 0) != text.size();
}

bool HeldText::shorten(std::string_view text, PackedArray<char>& into) const noexcept {
    into.set_size(0);
    if (!into.try_grow(text.size()))
        return false;
    into.set_size(text.size());  // it becomes no longer
    char* to = into.data();
    for (std::size_t at = 0;;) {
        const std::size_t next = next_overlong(text, at);
        to = std::ranges::copy(text.substr(at, next - at), to).out;
        if (next == text.size())
            break;
        at = next + 1;
        std::uint32_t code = 0;
        for (; at < text.size() && utf8::continues(text[at]); ++at)
            code = code << 6 | (static_cast<unsigned char>(text[at]) & 0x3F);
        if (code < 0x80) {
            *to++ = static_cast<char>(code);
            continue;
        }
        unsigned more = 1;  // bytes behind the first one
        while (code >> (5 * more + 6))
            ++more;
        *to++ = static_cast<char>(0xFFu << (7 - more) | code >> 6 * more);
        while (more-- > 0)
            *to++ = static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
    }
    into.set_size(static_cast<std::size_t>(to - into.data()));
    return true;
}

}  // namespace gdvar::detail
