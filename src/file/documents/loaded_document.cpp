#include "file/documents/loaded_document.hpp"

#include <algorithm>

#include "file/layers/rest_source.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/text_error.hpp"

namespace gdvar {
namespace {

constexpr std::size_t sample_bytes = 8u << 20;  ///< what the dialect is guessed from

const Dialect* guessed(std::span<const SaveItem> items, std::optional<bool> godot_4,
                       const Dialect* otherwise) {
    std::vector<ByteView> sample;
    std::size_t taken = 0;
    for (const SaveItem& item : items) {
        if (taken >= sample_bytes)
            break;
        sample.push_back(item.packet);
        taken += item.packet.size();
    }
    const inspect::Guess guess = inspect::guess_dialect(sample, {.godot_4 = godot_4});
    return guess.likely ? guess.likely : otherwise;
}

}  // namespace

FileError error_in_text(const Error& error, ByteView text) noexcept {
    const TextError at =
        text_error_at(detail::as_text(text.data(), text.size()), error.offset, error.code);
    FileError out = error;
    if (error.code == Errc::no_memory)
        return out;
    out.line = at.line;
    out.column = at.column;
    return out;
}

std::expected<LoadedDocument, FileError> LoadedDocument::load(Source& source,
                                                              const DocumentKind& kind,
                                                              const LoadOptions& options) {
    const std::uint64_t most =
        kind.text ? std::min(options.max_bytes, options.max_text) : options.max_bytes;
    if (source.size().value_or(0) > most)
        return std::unexpected(FileError(Error{Errc::size_limit}));
    auto bytes = read_rest(source, options.skip, most);
    if (!bytes)
        return std::unexpected(bytes.error());
    LoadedDocument out;
    out.content = *std::move(bytes);
    DocumentOptions how{
        .dialect = options.dialect, .godot_4 = options.godot_4, .max_content = options.max_bytes};
    how.limits.max_nodes = options.max_values;
    auto opened = kind.open(kind, out.content, how);
    if (!opened && kind.several && !kind.named && !kind.text && !options.strict) {
        // A few bytes, such as a newline that an editor left, are not a record. They stay.
        const std::uint64_t at = opened.error().offset;
        if (at && at < out.content.size() && out.content.size() - at < least_record) {
            const auto end = out.content.begin() + static_cast<std::ptrdiff_t>(at);
            out.behind.assign(end, out.content.end());
            out.content.erase(end, out.content.end());
            opened = kind.open(kind, out.content, how);
        }
    }
    if (!opened && opened.error().code == Errc::node_limit)
        return std::unexpected(FileError(Error{Errc::size_limit}.about_reason(
            "the text has more than one value for each 8 bytes of the limit of its size")));
    if (!opened)
        return std::unexpected(kind.text ? error_in_text(opened.error(), out.content)
                                         : FileError(opened.error()));
    out.document = *std::move(opened);
    out.dialect = out.document->dialect() ? out.document->dialect()
                  : options.dialect       ? options.dialect
                                    : guessed(out.document->items(), options.godot_4, out.dialect);
    return out;
}

std::expected<std::size_t, Error> item_at(std::span<const SaveItem> items, const SavePath& at) {
    if (at.name) {
        // Engines keep the last of equal names.
        for (std::size_t i = items.size(); i-- > 0;)
            if (setting_name(items[i].key) == *at.name)
                return i;
        return std::unexpected(Error{Errc::missing_key}.about_key(*at.name));
    }
    // There are several values, and the path has no number ("#2").
    if (!at.number && items.size() != 1)
        return std::unexpected(Error{Errc::missing_key}.about_records(items.size()));
    return item_at(items, at.number.value_or(0));
}

std::expected<std::size_t, Error> item_at(std::span<const SaveItem> items, std::int64_t number,
                                          bool past_end) {
    const auto count = static_cast<std::int64_t>(items.size());
    const std::int64_t index = number < 0 ? number + count : number;
    if (index < 0 || index >= count + past_end)
        return std::unexpected(Error{Errc::index_out_of_range}.about_index(number, items.size()));
    return static_cast<std::size_t>(index);
}

}  // namespace gdvar
