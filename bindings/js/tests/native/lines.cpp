#include "lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

namespace verdicts {

std::string hash(std::string_view bytes) {
    std::uint32_t one = 0x811c9dc5, other = 0x9e3779b9;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        one = (one ^ byte) * 0x01000193U;
        other = (other ^ byte) * 0x85ebca6bU;
        other ^= other >> 13;
    }
    std::array<char, 17> out{};
    std::snprintf(out.data(), out.size(), "%08x%08x", one, other);
    return out.data();
}

std::string digest(std::string_view bytes) {
    if (bytes.size() > 40)
        return std::to_string(bytes.size()) + ":" + hash(bytes);
    std::string out;
    for (const char c : bytes)
        for (const int shift : {4, 0})
            out += "0123456789abcdef"[(static_cast<unsigned char>(c) >> shift) & 15];
    return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(separator, at);
        out.push_back(text.substr(at, end - at));
        if (end == std::string_view::npos)
            return out;
        at = end + 1;
    }
}

std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

namespace {

/// How many bytes from `at` on are a character in UTF-8; 0: none.
std::size_t sequence(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned lead = byte(at);
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(at + 1) < least || byte(at + 1) > most)
        return 0;
    for (std::size_t i = 2; i < size; ++i)
        if ((byte(at + i) & 0xc0) != 0x80)
            return 0;
    return size;
}

}  // namespace

std::string Lines::text() const {
    std::string out;
    for (std::size_t at = 0; at < text_.size();) {
        const std::size_t size = sequence(text_, at);
        if (size == 0)
            out += "\xef\xbf\xbd";
        else
            out += std::string_view(text_).substr(at, size);
        at += std::max<std::size_t>(size, 1);
    }
    return out;
}

void Lines::error(const gdvar_error& error, std::string_view path) {
    static constexpr std::array sources = {"packet", "text", "file", "patch", "call"};
    std::array<char, 1000> message{};
    gdvar_error_message(&error, message.data(), message.size());
    // JavaScript's numbers have 53 bits.
    const auto when = [](bool known, std::uint64_t value) {
        return known ? std::to_string(static_cast<std::uint64_t>(static_cast<double>(value)))
                     : std::string("-");
    };
    const bool has_line = error.source == GDVAR_FROM_TEXT || error.line > 0;
    const bool is_patch = error.source == GDVAR_FROM_PATCH && error.change != SIZE_MAX;
    say("error", gdvar_error_name(error.code), gdvar_error_kind(error.code),
        sources.at(error.source), when(error.source != GDVAR_FROM_CALL, error.offset),
        when(error.need > 0, error.need),
        error.type == GDVAR_NIL ? "-" : view(gdvar_describe_type(error.type).name),
        when(has_line, error.line), when(has_line, error.column), when(is_patch, error.change),
        path, message.data());
}

gdvar_options options_of(std::string_view words) {
    const auto fields = split(words, ' ');
    gdvar_options options = GDVAR_OPTIONS_INIT;
    options.dialect = gdvar_find_dialect(std::string(fields.at(0)).c_str());
    options.flags = static_cast<std::uint32_t>(number(fields.at(1)));
    options.max_depth = static_cast<std::uint32_t>(number(fields.at(2)));
    options.max_bytes = number(fields.at(3));
    options.max_nodes = number(fields.at(4));
    return options;
}

void say_loss(void* lines, const gdvar_loss* loss) {
    static_cast<Lines*>(lines)->say("loss", loss->path, loss->what, loss->substitution,
                                    gdvar_describe_type(loss->type).name);
}

void say_refusal(void* lines, const gdvar_refusal* refusal) {
    static_cast<Lines*>(lines)->say("refusal", refusal->at, refusal->what, int{refusal->needs});
}

}  // namespace verdicts
