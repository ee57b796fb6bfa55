#include "output/annotate_lines.hpp"

#include <algorithm>

#include "gdvar/inspect/annotate.hpp"
#include "gdvar/save/coding.hpp"
#include "output/messages.hpp"
#include "output/path_cutter.hpp"
#include "output/printable.hpp"
#include "rooms.hpp"

namespace gdvar::app {
namespace {

std::string bytes_column(ByteView bytes) {
    constexpr std::size_t most = 16;
    std::string out = to_hex(bytes.first(std::min(bytes.size(), most)));
    if (bytes.size() > most)
        out += "...";
    return out;
}

}  // namespace

std::string annotate_line(std::uint64_t offset, ByteView bytes, std::string path,
                          const std::string& text) {
    return padded(hex(offset), 10) + " " + padded(bytes_column(bytes), 35) + " " +
           padded(std::move(path), 24) + " " + text;
}

std::expected<std::size_t, Error> annotate_lines(
    ByteView packet, std::uint64_t offset, const DecodeOptions& decoding, PathCutter& paths,
    const std::function<void(const std::string&)>& line) {
    return annotate(packet, decoding, [&](const AnnotateRow& row) {
        const ByteView bytes = packet.subspan(static_cast<std::size_t>(row.offset),
                                              static_cast<std::size_t>(row.size));
        std::string text = row.type;
        if (!row.value.empty())
            text += "  " + row.value;
        if (!row.note.empty())
            text += "  ; " + row.note;
        line(annotate_line(offset + row.offset, bytes, paths(row.path), text));
    });
}

}  // namespace gdvar::app
