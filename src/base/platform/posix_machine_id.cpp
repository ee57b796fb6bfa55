#include <cerrno>
#include <span>
#include <string_view>

#include "base/platform/machine_id.hpp"

namespace gdvar::platform {
namespace {

/// As `FileAccess.get_line` and `String.strip_edges`: a line ends at a line feed or a NUL and loses
/// its carriage returns; blanks are all characters up to U+0020.
[[maybe_unused]] std::string first_line(std::string_view text) {
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    std::string line;
    for (const char c : text) {
        if (c == '\n' || c == '\0') {
            if (!line.empty())
                break;
        } else if (c != '\r' && !(line.empty() && is_blank(c))) {
            line += c;
        }
    }
    while (!line.empty() && is_blank(line.back()))
        line.pop_back();
    return line;
}

}  // namespace

std::string machine_id_origin() {
    return machine_id_file;
}

Result<std::string> machine_id([[maybe_unused]] const std::string& path) {
#ifdef __linux__
    auto opened = open_to_read(path);
    if (!opened)
        return std::unexpected(opened.error());
    const Descriptor file(*opened);
    constexpr std::size_t most = 1 << 16;
    std::string text(most, '\0');
    std::size_t size = 0;
    while (size < most) {
        const auto got = read(file.get(), std::as_writable_bytes(std::span(text).subspan(size)));
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            break;
        size += *got;
    }
    return first_line(std::string_view(text).substr(0, size));
#else
    return refuse(ENOTSUP);
#endif
}

}  // namespace gdvar::platform
