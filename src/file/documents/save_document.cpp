#include "gdvar/file/save_document.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/exceptions.hpp"
#include "file/documents/text_formats.hpp"
#include "gdvar/file/binary_resource.hpp"
#include "gdvar/save/project.hpp"
#include "gdvar/save/records.hpp"
#include "save/packet_trial.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace {

using detail::refuse;
using Items = std::expected<std::vector<SaveItem>, Error>;
using Bytes = std::expected<std::vector<std::byte>, Error>;

Items read_packet(ByteView bytes, const DocumentOptions&) {
    Items items(std::in_place);
    items->push_back({{}, bytes, 0, 0});
    return items;
}

Bytes write_packet(std::span<const SaveItem> items) {
    if (items.size() != 1)
        return refuse(Errc::trailing_bytes);
    return std::vector<std::byte>(items[0].packet.begin(), items[0].packet.end());
}

/// As the dialect that is known, the one that they are recognised as, or the first one that reads
/// all of them. Errors: of the dialect that gets furthest.
std::expected<std::vector<ByteView>, Error> split(ByteView bytes, const Dialect* known) {
    if (known)
        return split_packets(bytes, {.dialect = known, .allow_objects = true});
    if (auto best = save::best_packets(bytes); best.dialect)
        return std::move(best.packets);
    std::expected<std::vector<ByteView>, Error> furthest(std::unexpect);
    for (const Dialect* dialect : all_dialects()) {
        if (dialect->documented)
            continue;
        auto packets = split_packets(bytes, {.dialect = dialect, .allow_objects = true});
        if (packets || packets.error().code == Errc::no_memory)
            return packets;
        if (furthest.error().offset <= packets.error().offset)
            furthest = std::move(packets);
    }
    return furthest;
}

Items read_packets(ByteView bytes, const DocumentOptions& options) {
    const auto packets = split(bytes, options.dialect);
    if (!packets)
        return std::unexpected(packets.error());
    Items items(std::in_place);
    items->reserve(packets->size());
    for (const ByteView packet : *packets)
        items->push_back(
            {{}, packet, static_cast<std::uint64_t>(packet.data() - bytes.data()), items->size()});
    return items;
}

Bytes write_bare_packets(std::span<const SaveItem> items) {
    Bytes out(std::in_place);
    for (const SaveItem& item : items)
        out->insert(out->end(), item.packet.begin(), item.packet.end());
    return out;
}

/// How many records follow each other, so that their items take no more memory than they need.
template <ByteOrder order>
std::size_t count_records(ByteView bytes) {
    std::size_t count = 0;
    for (std::size_t at = 0; bytes.size() - at >= 4; ++count) {
        auto size = detail::load<std::uint32_t>(bytes.data() + at);
        if (order == ByteOrder::big)
            size = detail::byteswap(size);
        if (size > bytes.size() - at - 4)
            break;
        at += std::size_t{4} + size;
    }
    return count;
}

template <ByteOrder order>
Items read_records(ByteView bytes, const DocumentOptions&) {
    Items items(std::in_place);
    items->reserve(count_records<order>(bytes));
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
        items->push_back(
            {{}, bytes.subspan(static_cast<std::size_t>(at), size), at, items->size()});
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

Items read_settings(ByteView bytes, const DocumentOptions&) {
    auto entries = read_project(bytes);
    if (!entries)
        return std::unexpected(entries.error());
    Items items(std::in_place);
    items->reserve(entries->size());
    for (const ProjectEntry& entry : *entries)
        items->push_back({entry.key, entry.packet, entry.offset, items->size()});
    return items;
}

Bytes write_settings(std::span<const SaveItem> items) {
    std::vector<ProjectEntry> entries;
    for (const SaveItem& item : items)
        entries.push_back({item.key, 0, item.packet});
    return write_project(entries);
}

using Written = std::expected<std::vector<std::byte>, DocumentError>;

template <auto write_all>
Written write_packets(std::span<const SaveItem> items, const Dialect&) GDVAR_TRY {
    auto bytes = write_all(items);
    if (!bytes)
        return std::unexpected(DocumentError{bytes.error()});
    return *std::move(bytes);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(DocumentError{Error{Errc::no_memory}}))

/// A document of packets, which stand in the bytes themselves but for that of a binary resource.
class PacketsDocument final : public SaveDocument {
public:
    PacketsDocument(const DocumentKind& kind, std::vector<SaveItem> items)
        : SaveDocument(kind, std::move(items)) {}
    PacketsDocument(const DocumentKind& kind, BinaryResource resource)
        : SaveDocument(kind, {}, resource.dialect), made_(std::move(resource.packet)) {
        items_.push_back({{}, as_bytes(made_), 0, 0});
    }
    Written write(std::span<const SaveItem> items) const override {
        return kind_->write(items, dialects::godot_4_4);
    }

private:
    PackedByteArray made_;
};

using Opened = std::expected<std::unique_ptr<SaveDocument>, Error>;

template <auto read>
Opened open_packets(const DocumentKind& kind, ByteView bytes,
                    const DocumentOptions& options) GDVAR_TRY {
    auto items = read(bytes, options);
    if (!items)
        return std::unexpected(items.error());
    return std::make_unique<PacketsDocument>(kind, *std::move(items));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

Opened open_resource(const DocumentKind& kind, ByteView bytes,
                     const DocumentOptions& options) GDVAR_TRY {
    auto resource = read_binary_resource(
        bytes, {.max_bytes = options.max_content, .max_depth = options.limits.max_depth});
    if (!resource)
        return std::unexpected(resource.error());
    return std::make_unique<PacketsDocument>(kind, *std::move(resource));
}
GDVAR_CATCH_NO_MEMORY(return refuse(Errc::no_memory))

Written write_resource(std::span<const SaveItem>, const Dialect&) {
    return std::unexpected(DocumentError{Error{Errc::unsupported_type}.about_reason(
        "binary resources are read, but not written: save the resource as text (.tres, .tscn)")});
}

template <auto read, auto write_all>
constexpr DocumentKind of_packets(InputKind seen_as, bool several, bool named) {
    return {seen_as, several, named, false, open_packets<read>, write_packets<write_all>};
}

template <InputKind kind>
Written write_text(std::span<const SaveItem> items, const Dialect& dialect) {
    return detail::write_new_text(*find_document_kind(kind), items, dialect);
}

template <InputKind kind>
constexpr DocumentKind of_text(bool several) {
    return {kind, several, false, true, detail::open_text, write_text<kind>};
}

constexpr DocumentKind kinds[] = {
    of_packets<read_packet, write_packet>(InputKind::packet, false, false),
    of_packets<read_packets, write_bare_packets>(InputKind::packets, true, false),
    of_packets<read_records<ByteOrder::little>, write_records<ByteOrder::little>>(
        InputKind::records, true, false),
    of_packets<read_records<ByteOrder::big>, write_records<ByteOrder::big>>(InputKind::records_be,
                                                                            true, false),
    of_packets<read_settings, write_settings>(InputKind::project, true, true),
    of_text<InputKind::resource>(false),
    of_text<InputKind::json>(false),
    of_text<InputKind::json_lines>(true),
    of_text<InputKind::config>(false),
    of_text<InputKind::text>(false),
    {InputKind::binary_resource, false, false, false, open_resource, write_resource, true, true},
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

TextPlace SaveDocument::text_place(std::size_t) const noexcept {
    return {};
}

std::expected<std::shared_ptr<const Outline>, Error> SaveDocument::outline(std::size_t) const {
    return refuse(Errc::misplaced);
}

bool SaveDocument::surely_holds(const View&, const View&, std::size_t, bool) const {
    return false;
}

std::expected<std::vector<std::byte>, DocumentError> SaveDocument::convert(
    const Dialect&, const inspect::Renames&, inspect::ConversionReport&) const {
    return std::unexpected(DocumentError{Error{Errc::misplaced}});
}

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

std::expected<SavePath, PathError> parse_save_path(std::string_view text, bool named) GDVAR_TRY {
    return named && !text.starts_with('#') ? parse_named(text) : parse_unnamed(text);
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(PathError{0, "out of memory"}))

std::string item_label(const DocumentKind& kind, std::size_t number, std::string_view key) {
    if (kind.named)
        return std::string(setting_name(key)) + ' ';
    return kind.several ? '#' + std::to_string(number) + ' ' : std::string();
}

}  // namespace gdvar
