#include "gdvar/file/save_document.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "gdvar/save/project.hpp"
#include "gdvar/save/records.hpp"

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

/// The path of a value that is not found by name.
std::expected<SavePath, PathError> parse_unnamed(std::string_view text) {
    auto path = Path::parse(text);
    if (!path)
        return std::unexpected(path.error());
    SavePath out;
    if (const auto records = std::exchange(path->records, std::nullopt)) {
        out.every = records->all;
        if (!records->all)
            out.number = records->number;
    }
    out.path = *std::move(path);
    return out;
}

std::expected<SavePath, PathError> parse_named(std::string_view text) {
    SavePath out;
    const bool from_all = text.starts_with('$');
    const std::size_t cut = from_all ? 0 : text.find(" $");
    if (cut != text.npos) {
        const std::size_t start = from_all ? 0 : cut + 1;
        auto path = Path::parse(text.substr(start));
        if (!path)
            return std::unexpected(PathError{start + path.error().position, path.error().what});
        out.path = *std::move(path);
    }
    if (!from_all) {
        out.name = text.substr(0, cut);
        out.name->resize(out.name->find_last_not_of(' ') + 1);
        if (out.name->empty())
            return std::unexpected(PathError{0, "a setting's name is missing"});
        return out;
    }
    // The settings are a Dictionary by name: the first step is the name.
    std::vector<Path::Step>& steps = out.path.steps;
    if (steps.empty() || steps[0].descends || steps[0].kind != Path::StepKind::name)
        return std::unexpected(PathError{1, "a setting's name is expected"});
    out.name = std::move(steps[0].text);
    steps.erase(steps.begin());
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

std::expected<SavePath, PathError> parse_save_path(std::string_view text, bool named) try {
    return named && !text.starts_with('#') ? parse_named(text) : parse_unnamed(text);
} catch (const std::bad_alloc&) {
    return std::unexpected(PathError{0, "out of memory"});
}

std::string item_label(const DocumentKind& kind, std::size_t number, std::string_view key) {
    if (kind.named)
        return std::string(setting_name(key)) + ' ';
    return kind.several ? '#' + std::to_string(number) + ' ' : std::string();
}

}  // namespace gdvar
