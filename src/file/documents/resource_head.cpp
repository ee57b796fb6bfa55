#include "file/documents/resource_head.hpp"

#include <algorithm>
#include <charconv>

namespace gdvar::detail {

bool ResourceHead::read_versions(ResourceBytes& in) {
    std::uint32_t order = 0, real64 = 0;
    // Both are little-endian in every file. The second is always 0, and no engine looks at it.
    if (!in.number(order) || !in.number(real64))
        return false;
    big = order != 0;
    in.set_big(big);
    const std::size_t at = in.at();
    if (!in.number(major) || !in.number(minor) || !in.number(format))
        return false;
    if (format > newest_format)
        return in.refuse(Error{Errc::not_recognised, Type::nil, at + 8}.about_reason(
            "a binary resource of a newer format than gdvar knows (6)"));
    constexpr std::uint32_t reserved_words = 11;
    ByteView reserved;
    std::uint64_t own_uid = 0;
    std::uint32_t own_flags = 0;
    if (!in.text(type) || !in.number(import_at) || !in.number(own_flags) || !in.number(own_uid))
        return false;
    if (godot_4()) {  // to the others these are reserved, too
        flags = own_flags;
        if (has(uids))
            uid = static_cast<std::int64_t>(own_uid);
        if (has(has_script_class) && !in.text(script_class))
            return false;
    }
    return in.take(4 * reserved_words, reserved);
}

bool ResourceHead::read_names(ResourceBytes& in) {
    std::uint32_t count = 0;
    constexpr std::size_t least = 4;
    if (!in.count(count) || !in.owe(count, least))
        return false;
    names.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        in.pay(least);
        if (!in.text(names.emplace_back()))
            return false;
    }
    return true;
}

bool ResourceHead::read_tables(ResourceBytes& in) {
    std::uint32_t count = 0;
    const std::size_t least = has(uids) ? 16 : 8;
    if (!in.count(count) || !in.owe(count, least))
        return false;
    externals.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        in.pay(least);
        External& one = externals.emplace_back();
        if (!in.text(one.type) || !in.text(one.path) || (has(uids) && !in.number(one.uid)))
            return false;
    }
    constexpr std::size_t least_internal = 12;
    const std::size_t at = in.at();
    if (!in.count(count) || !in.owe(count, least_internal))
        return false;
    if (count == 0)
        return in.refuse(Error{Errc::bad_reference, Type::nil, at}.about_reason(
            "a binary resource whose table of resources is empty"));
    internals.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        in.pay(least_internal);
        Internal& one = internals.emplace_back();
        if (!in.text(one.path) || !in.number(one.offset))
            return false;
    }
    return true;
}

std::optional<std::int64_t> ResourceHead::number_of(const Internal& one) const noexcept {
    const std::string_view id = one.id();
    std::int64_t number = 0;
    if (has(named_ids) || id.size() == one.path.size())
        return std::nullopt;
    const char* const behind = id.data() + id.size();
    const auto read = std::from_chars(id.data(), behind, number);
    if (read.ec != std::errc() || read.ptr != behind)
        return std::nullopt;
    return number;
}

bool ResourceHead::read(ResourceBytes& in) {
    if (!read_versions(in) || !read_names(in) || !read_tables(in))
        return false;
    end = in.at();
    return true;
}

std::string uid_text(std::int64_t uid) {
    if (uid < 0)
        return "uid://<invalid>";
    // The engine's digits: a to y, then 0 to 8.
    constexpr std::string_view digits = "abcdefghijklmnopqrstuvwxy012345678";
    std::string out;
    // Not in a size_t, which may have 32 bits.
    const auto base = static_cast<std::int64_t>(digits.size());
    do {
        out += digits[static_cast<std::size_t>(uid % base)];
        uid /= base;
    } while (uid);
    out += "//:diu";
    std::ranges::reverse(out);
    return out;
}

}  // namespace gdvar::detail
