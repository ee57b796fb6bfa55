#include "browse/bytes.hpp"

#include <algorithm>
#include <cstdio>

#include "gdvar/base/quote.hpp"
#include "gdvar/inspect/annotate.hpp"

namespace gdvar::app::browse {
namespace {

constexpr std::size_t most_annotated = 4096;
constexpr int offset_columns = 8;

std::string hex_digits(ByteView bytes) {
    std::string out;
    for (const std::byte byte : bytes) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x ", std::to_integer<unsigned>(byte));
        out += digits;
    }
    return out;
}

Role role_of(const inspect::AnnotateRow& row) {
    if (row.type == "padding")
        return Role::dim;
    if (row.value.starts_with('"'))
        return Role::text;
    return row.type == "value" || row.type == "elements" ? Role::number : Role::type;
}

}  // namespace

Bytes::Bytes(ByteView packet, const Entry& entry, const DecodeOptions& decoding) : packet_(packet) {
    const Place key = key_bytes_of(entry), value = bytes_of(entry);
    if (value.offset > packet.size() || value.size > packet.size() - value.offset)
        return;
    begin_ = key.size ? key.offset : value.offset;
    end_ = value.offset + value.size;
    if (entry.kind == Entry::pair)
        take(key, decoding, "key: ");
    else if (key.size)
        runs_.push_back({key.offset, key.size, "name " + quote(entry.name), Role::label});
    if (entry.kind == Entry::part)
        runs_.push_back({value.offset, value.size, inspect::brief_value(entry.copy), Role::number});
    else
        take(value, decoding, "");
}

void Bytes::take(Place place, const DecodeOptions& decoding, const char* before) {
    const ByteView all = packet_.subspan(place.offset, place.size);
    const bool cut = all.size() > most_annotated;
    const ByteView some = all.first(std::min(all.size(), most_annotated));
    std::size_t done = 0;
    bool ended = false;  // the rows behind tell of the cut
    std::string start = before;
    (void)inspect::annotate(some, decoding, [&](const inspect::AnnotateRow& row) {
        ended = ended || row.type == "break" || row.type == "trailing" || row.size == 0;
        if (ended)
            return;
        std::string text = std::exchange(start, {}) + row.type;
        // A text is in the row of its bytes.
        if (!row.value.empty() && (row.type == "text" || !row.value.starts_with('"')))
            text += "  " + row.value;
        if (!row.note.empty())
            text += "  ; " + row.note;
        runs_.push_back({place.offset + static_cast<std::size_t>(row.offset),
                         static_cast<std::size_t>(row.size), std::move(text), role_of(row)});
        done = static_cast<std::size_t>(row.offset + row.size);
    });
    if (done < all.size())
        runs_.push_back({place.offset + done, all.size() - done,
                         cut ? "the rest, " + std::to_string(all.size() - done) + " bytes" : "",
                         Role::dim});
}

std::size_t Bytes::each(int width) noexcept {
    return width >= offset_columns + 1 + 3 * 8 + 16 ? 8 : 4;
}

std::size_t Bytes::lines(std::size_t each) const {
    std::size_t out = 0;
    for (const Run& run : runs_)
        out += (run.size + each - 1) / each;
    return out;
}

void Bytes::draw(Canvas& canvas, int x, int y, int width, int height, std::size_t first,
                 std::uint64_t offset) const {
    const std::size_t each = Bytes::each(width);
    const int hex_columns = static_cast<int>(3 * each);
    const int end = y + height;
    for (const Run& run : runs_) {
        const std::size_t lines = (run.size + each - 1) / each;
        if (first >= lines) {
            first -= lines;
            continue;
        }
        for (std::size_t line = first; line < lines && y < end; ++line, ++y) {
            const std::size_t at = line * each;
            char digits[24];
            std::snprintf(digits, sizeof digits, "%06llx",
                          static_cast<unsigned long long>(offset) + run.offset + at);
            canvas.put(x, y, digits, {Role::dim}, std::min(width, offset_columns));
            const ByteView bytes = packet_.subspan(run.offset + at, std::min(each, run.size - at));
            canvas.put(x + offset_columns, y, hex_digits(bytes),
                       {run.role == Role::dim ? Role::dim : Role::plain}, width - offset_columns);
            const int text_at = offset_columns + hex_columns + 1;
            if (line == 0 || line == first)
                canvas.put(x + text_at, y, line == 0 ? run.text : "(" + run.text + ")", {run.role},
                           width - text_at);
        }
        first = 0;
        if (y >= end)
            return;
    }
}

}  // namespace gdvar::app::browse
