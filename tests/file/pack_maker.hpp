// Packs as no engine writes them.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "gdvar/base/bytes.hpp"

namespace gdvar::test {

/// A file of a made pack. `offset` and `size`: what the directory says instead of the truth.
struct MadeFile {
    std::string name;
    std::string content{};
    std::uint32_t flags = 0;
    std::string md5 = std::string(16, '\0');
    std::optional<std::uint64_t> offset{}, size{};
};

/// The bytes of a pack.
struct MadePack {
    std::uint32_t format = 3, flags = 2;
    std::vector<MadeFile> files{};
    std::optional<std::uint32_t> count{};  ///< what the directory says
    std::string magic = "GDPC";
    std::string before{};  ///< an executable before it; a trailer then follows

    std::string bytes() const {
        const std::uint64_t start = before.size();
        std::string contents, directory;
        number(directory, count.value_or(static_cast<std::uint32_t>(files.size())));
        // Format 1 counts offsets from the file's start, so the directory's size must be known.
        std::uint64_t listed = 4;
        for (const MadeFile& file : files)
            listed += 4 + file.name.size() + 32 + (format >= 2 ? 4 : 0);
        const std::uint64_t header = 20 + (format >= 2 ? 12 : 0) + (format >= 3 ? 8 : 0) + 64;
        const std::uint64_t base = header + (format >= 3 ? 0 : listed);
        for (const MadeFile& file : files) {
            number(directory, static_cast<std::uint32_t>(file.name.size()));
            directory += file.name;
            const std::uint64_t at = contents.size() + (format == 1 ? start + base : 0);
            number(directory, file.offset.value_or(at));
            number(directory, file.size.value_or(file.content.size()));
            directory += file.md5;
            if (format >= 2)
                number(directory, file.flags);
            contents += file.content;
        }
        std::string out = before + magic;
        for (const std::uint32_t part : {format, 4u, 6u, 3u})
            number(out, part);
        if (format >= 2) {
            number(out, flags);
            number(out, base + (flags & 2 || format >= 3 ? 0 : start));
        }
        if (format >= 3)
            number(out, base + contents.size());
        out.append(64, '\0');
        out += format >= 3 ? contents + directory : directory + contents;
        if (!before.empty()) {
            number(out, std::uint64_t{out.size() - start});
            out += magic;
        }
        return out;
    }

    template <class T>
    static void number(std::string& to, T value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        to.append(bytes, sizeof value);
    }
};

}  // namespace gdvar::test
