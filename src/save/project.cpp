#include "gdvar/save/project.hpp"

#include <algorithm>
#include <new>

#include "base/exceptions.hpp"

namespace gdvar {

std::expected<std::vector<ProjectEntry>, Error> read_project(ByteView bytes) GDVAR_TRY {
    const auto refuse = [](Errc code, std::size_t at, std::uint64_t need = 0) {
        return std::unexpected(Error{code, Type::nil, at, need});
    };
    if (bytes.size() < 4 || detail::as_text(bytes.data(), 4) != "ECFG")
        return refuse(Errc::bad_magic, 0);
    std::size_t at = 4;
    const auto left = [&] { return bytes.size() - at; };
    if (left() < 4)
        return refuse(Errc::truncated, at, 4 - left());
    const auto count = detail::load<std::uint32_t>(bytes.data() + at);
    at += 4;
    constexpr std::size_t least_entry = 8;
    std::vector<ProjectEntry> entries;
    entries.reserve(std::min<std::size_t>(count, left() / least_entry));
    for (std::uint32_t i = 0; i < count; ++i) {
        ByteView fields[2];
        for (ByteView& field : fields) {
            if (left() < 4)
                return refuse(Errc::truncated, at, 4 - left());
            const auto n = detail::load<std::uint32_t>(bytes.data() + at);
            if (n > 0x7FFF'FFFFu)
                return refuse(Errc::bad_length, at);
            if (n > left() - 4)
                return refuse(Errc::truncated, at, n - (left() - 4));
            field = bytes.subspan(at + 4, n);
            at += 4 + n;
        }
        entries.push_back({detail::as_text(fields[0].data(), fields[0].size()),
                           at - fields[1].size(), fields[1]});
    }
    if (left())
        return refuse(Errc::trailing_bytes, at);
    return entries;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

std::expected<std::vector<std::byte>, Error> write_project(
    const std::vector<ProjectEntry>& entries) GDVAR_TRY {
    std::vector<std::byte> out;
    if (entries.size() > 0x7FFF'FFFFu)
        return std::unexpected(Error{Errc::too_large, Type::nil, 0, 0});
    const auto add = [&](ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); };
    const auto add_length = [&](std::size_t n) {
        std::byte word[4];
        detail::store(word, static_cast<std::uint32_t>(n));
        add(word);
    };
    add(as_bytes(std::string_view("ECFG")));
    add_length(entries.size());
    for (const ProjectEntry& entry : entries) {
        if (entry.key.size() > 0x7FFF'FFFFu || entry.packet.size() > 0x7FFF'FFFFu)
            return std::unexpected(Error{Errc::too_large, Type::nil, out.size(), 0});
        add_length(entry.key.size());
        add(as_bytes(entry.key));
        add_length(entry.packet.size());
        add(entry.packet);
    }
    return out;
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory, Type::nil, 0, 0}))

}  // namespace gdvar
