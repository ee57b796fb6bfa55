#include "gdvar/file/save_document.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <new>

#include "gdvar/inspect/lookup.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/text/parse.hpp"

namespace gdvar {
namespace {

using Items = std::expected<std::vector<SaveItem>, Error>;
using Bytes = std::expected<std::vector<std::byte>, Error>;

std::unexpected<Error> refuse(Errc code, std::uint64_t offset = 0) {
    return std::unexpected(Error{code, Type::nil, offset, 0});
}

Items read_packet(ByteView bytes) {
    Items items(std::in_place);
    items->push_back({{}, bytes, 0});
    return items;
}

Bytes write_packet(std::span<const SaveItem> items) {
    if (items.size() != 1)
        return refuse(Errc::trailing_bytes);
    return std::vector<std::byte>(items[0].packet.begin(), items[0].packet.end());
}

template <ByteOrder order>
Items read_records(ByteView bytes) {
    Items items(std::in_place);
    MemorySource source(bytes);
    RecordReader reader(source, order);
    for (;;) {
        auto record = reader.next();
        if (!record)
            return std::unexpected(record.error().error);
        if (!*record)
            return items;
        const std::uint64_t at = (*record)->offset + 4;  // behind the length
        const std::size_t size = (*record)->packet.size();
        items->push_back({{}, bytes.subspan(static_cast<std::size_t>(at), size), at});
    }
}

template <ByteOrder order>
Bytes write_records(std::span<const SaveItem> items) {
    Bytes out(std::in_place);
    MemoryTarget target(*out);
    RecordWriter writer(target, order);
    for (const SaveItem& item : items)
        if (auto put = writer.store_packet(item.packet); !put)
            return std::unexpected(put.error().error);
    return out;
}

Items read_settings(ByteView bytes) {
    auto entries = read_project(bytes);
    if (!entries)
        return std::unexpected(entries.error());
    Items items(std::in_place);
    for (const ProjectEntry& entry : *entries)
        items->push_back({entry.key, entry.packet, entry.offset});
    return items;
}

Bytes write_settings(std::span<const SaveItem> items) {
    std::vector<ProjectEntry> entries;
    for (const SaveItem& item : items)
        entries.push_back({item.key, 0, item.packet});
    return write_project(entries);
}

/// The same, and what it could not have memory for.
template <auto read>
Items guarded(ByteView bytes) try {
    return read(bytes);
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}
template <auto write>
Bytes guarded_write(std::span<const SaveItem> items) try {
    return write(items);
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

constexpr DocumentKind kinds[] = {
    {InputKind::packet, false, false, guarded<read_packet>, guarded_write<write_packet>},
    {InputKind::records, true, false, guarded<read_records<ByteOrder::little>>,
     guarded_write<write_records<ByteOrder::little>>},
    {InputKind::records_be, true, false, guarded<read_records<ByteOrder::big>>,
     guarded_write<write_records<ByteOrder::big>>},
    {InputKind::project, true, true, guarded<read_settings>, guarded_write<write_settings>},
};

/// "#2", and what follows after spaces.
std::expected<SavePath, Error> parse_numbered(std::string_view text) {
    SavePath out;
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (code != std::errc())
        return refuse(Errc::bad_path);
    out.number = number;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
    if (!text.empty())
        out.path = text;
    return out;
}

/// A step of a path, as name_step prints it, back to the name.
std::optional<std::string> name_of_step(std::string_view step) {
    if (step.starts_with('.'))
        return std::string(step.substr(1));
    if (!step.starts_with("[\"") || !step.ends_with(']'))
        return std::nullopt;
    auto text = parse_text(step.substr(1, step.size() - 2), {});
    const String* name = text ? text->get_if<String>() : nullptr;
    return name ? std::optional(std::string(name->view())) : std::nullopt;
}

std::expected<SavePath, Error> parse_named(std::string_view text) {
    SavePath out;
    if (!text.starts_with('$')) {
        const std::size_t cut = text.find(" $");
        out.name = text.substr(0, cut);
        out.name->resize(out.name->find_last_not_of(' ') + 1);
        if (cut != text.npos)
            out.path = text.substr(cut + 1);
        if (out.name->empty())
            return refuse(Errc::bad_path);
        return out;
    }
    auto steps = detail::path_steps(text);
    if (!steps)
        return std::unexpected(steps.error());
    if (!steps->empty())
        out.name = name_of_step((*steps)[0]);
    if (!out.name)
        return refuse(Errc::bad_path);
    for (std::size_t i = 1; i < steps->size(); ++i)
        out.path += (*steps)[i];
    return out;
}

}  // namespace

std::span<const DocumentKind> document_kinds() noexcept {
    return kinds;
}

const DocumentKind* find_document_kind(InputKind seen) noexcept {
    const auto at = std::find_if(std::begin(kinds), std::end(kinds),
                                 [&](const DocumentKind& kind) { return kind.seen_as == seen; });
    return at == std::end(kinds) ? nullptr : at;
}

std::string_view setting_name(std::string_view key) noexcept {
    return key.substr(0, key.find_last_not_of('\0') + 1);
}

std::expected<SavePath, Error> parse_save_path(std::string_view text, bool named) try {
    if (text.starts_with('#'))
        return parse_numbered(text);
    if (named)
        return parse_named(text);
    SavePath out;
    if (!text.empty())
        out.path = text;
    return out;
} catch (const std::bad_alloc&) {
    return refuse(Errc::no_memory);
}

std::string item_label(const DocumentKind& kind, std::size_t number, std::string_view key) {
    if (kind.named)
        return std::string(setting_name(key)) + ' ';
    return kind.several ? '#' + std::to_string(number) + ' ' : std::string();
}

}  // namespace gdvar
