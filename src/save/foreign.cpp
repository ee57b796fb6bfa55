#include "save/foreign.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "gdvar/base/bytes.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::save {
namespace {

struct Magic {
    std::string_view bytes;
    std::size_t offset;
    const char *what, *hint;
};

constexpr const char* unpack = "unpack it first";

constexpr Magic magics[] = {
    {{"\3757zXZ\0", 6}, 0, "xz-compressed data", "unxz it first"},
    {{"BZh", 3}, 0, "bzip2-compressed data", "bunzip2 it first"},
    {{"PK\x03\x04", 4}, 0, "a zip archive", unpack},
    {{"PK\x05\x06", 4}, 0, "an empty zip archive", ""},
    {{"7z\xbc\xaf\x27\x1c", 6}, 0, "a 7z archive", unpack},
    {{"ustar", 5}, 257, "a tar archive", unpack},
    {{"GDSC", 4}, 0, "a tokenized GDScript", ""},
    {{"GDST", 4}, 0, "a texture of Godot 3", ""},
    {{"GST2", 4}, 0, "a texture of Godot 4", ""},
    {{"\x89PNG\r\n\x1a\n", 8}, 0, "a PNG image", ""},
    {{"RIFF", 4}, 0, "a RIFF file (WAV, WebP)", ""},
    {{"OggS", 4}, 0, "an Ogg file", ""},
    {{"SQLite format 3\0", 16}, 0, "an SQLite database", ""},
    {{"\177ELF", 4}, 0, "an ELF program", "no pack of a Godot game is at its end"},
    {{"\xff\xfe", 2}, 0, "text in UTF-16", "iconv -f UTF-16 it first"},
    {{"\xfe\xff", 2}, 0, "text in UTF-16", "iconv -f UTF-16 it first"},
};

Reading reading(const char* what, const char* hint) {
    return {.kind = InputKind::foreign, .reason = what, .hint = hint, .foreign = what};
}

/// The first line that is neither empty nor a comment.
std::string_view first_line(std::string_view text) {
    for (;;) {
        text.remove_prefix(detail::behind_space(text));
        if (text.empty())
            return {};
        if (text[0] != ';' && text[0] != '#')
            return text.substr(0, text.find('\n'));
        const std::size_t end = text.find('\n');
        if (end == text.npos)
            return {};
        text.remove_prefix(end);
    }
}

/// `.godot/uid_cache.bin`: a count, then for each resource its id (i64), the length of its path
/// (u32), and the path.
bool is_uid_cache(ByteView start) noexcept {
    constexpr std::size_t head = 12, most_path = 4096, enough = 16;
    constexpr std::string_view root = "res://";
    if (start.size() < 4)
        return false;
    const auto count = std::min<std::size_t>(detail::load<std::uint32_t>(start.data()), enough);
    start = start.subspan(4);
    std::size_t paths = 0;
    for (; paths < count && start.size() >= head + root.size(); ++paths) {
        const auto length = detail::load<std::uint32_t>(start.data() + 8);
        if (length < root.size() || length > most_path)
            return false;
        const std::size_t there = std::min<std::size_t>(length, start.size() - head);
        const std::string_view path = detail::as_text(start.data() + head, there);
        if (!path.starts_with(root) || path.find('\0') != path.npos)
            return false;
        start = start.subspan(head + there);
    }
    return paths > 0;
}

}  // namespace

std::optional<Reading> foreign_magic(ByteView start) {
    const std::string_view bytes = detail::as_text(start.data(), start.size());
    if (is_uid_cache(start))
        return reading("Godot's cache of the ids of resources (.godot/uid_cache.bin)",
                       "the editor makes it anew from the project");
    for (const Magic& magic : magics)
        if (bytes.size() >= magic.offset && bytes.substr(magic.offset).starts_with(magic.bytes))
            return reading(magic.what, magic.hint);
    return std::nullopt;
}

bool is_text(ByteView start) noexcept {
    std::string_view text = detail::as_text(start.data(), start.size());
    if (text.starts_with(utf8::byte_order_mark))
        text.remove_prefix(utf8::byte_order_mark.size());
    std::size_t controls = 0, high = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool white = detail::is_space(text[i]) || byte == '\f';
        controls += (byte < 0x20 && !white) || byte == 0x7F;
        high += byte >= 0x80;
        // The header of a packet, or the length before it.
        if (i < 8 && controls)
            return false;
    }
    // The start may end inside a character.
    bool sound = false;
    for (std::size_t cut = 0; cut < 4 && cut <= text.size() && !sound; ++cut)
        sound = valid_text(text.substr(0, text.size() - cut), Utf8Rule::strict);
    // Engines read bytes that are not UTF-8, such as those of a code page in a comment.
    if (controls == 0 && high * 4 <= text.size())
        return !text.empty();
    return !text.empty() && (controls + (sound ? 0 : high)) * 64 <= text.size();
}

namespace {

Reading text_that_begins_as(const char* what) {
    Reading out = reading(what, "");
    out.begins_well = true;
    return out;
}

Reading text_reading(std::string_view start) {
    const std::string_view line = first_line(start);
    if (line.starts_with("[gd_resource"))
        return text_that_begins_as("a text resource of Godot (.tres)");
    if (line.starts_with("[gd_scene"))
        return text_that_begins_as("a text scene of Godot (.tscn)");
    const bool value = line.starts_with('{') || line.starts_with('[') || line.starts_with('"');
    const bool section = line.starts_with('[') && line.find(']') != line.npos && line.size() > 2 &&
                         ((line[1] | 0x20) >= 'a' && (line[1] | 0x20) <= 'z') &&
                         line.find_first_of(",\"(") == line.npos && line != "[null]" &&
                         line != "[true]" && line != "[false]";
    if (section)
        return text_that_begins_as("a text of sections (a ConfigFile, project.godot)");
    if (value)
        return text_that_begins_as("text, as of JSON or of var_to_str");
    return reading("text", "");
}

}  // namespace

Reading foreign_text(std::string_view start) {
    Reading out = text_reading(start);
    out.text = true;
    return out;
}

}  // namespace gdvar::save
