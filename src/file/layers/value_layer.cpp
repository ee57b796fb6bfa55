#include "file/layers/value_layer.hpp"

#include <algorithm>
#include <new>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "file/layers/layer_rows.hpp"
#include "file/layers/rest_source.hpp"
#include "gdvar/base/utf8.hpp"
#include "gdvar/file/sums.hpp"
#include "gdvar/inspect/edit.hpp"
#include "gdvar/inspect/lookup.hpp"
#include "gdvar/inspect/written.hpp"
#include "gdvar/save/records.hpp"
#include "gdvar/value/document.hpp"

namespace gdvar {
namespace {

using detail::DocumentAround;

struct ValueRow {
    Type type;
    std::string_view layer;
};
constexpr ValueRow rows[] = {{Type::string, "string"},
                             {Type::string_name, "string-name"},
                             {Type::packed_byte_array, "bytes"}};

const ValueRow* row_of(Type type) noexcept {
    const auto at = std::ranges::find(rows, type, &ValueRow::type);
    return at == std::end(rows) ? nullptr : at;
}

ByteView content_of(const View& value) {
    return value.is(Type::packed_byte_array) ? value.packed().bytes() : as_bytes(value.text());
}

/// The content of a value where it stands, in the document around it. A copy for each of several
/// values in values would be a multiple of the file.
class ValueSource final : public MemorySource {
public:
    /// `found`: a part of a value (a name of a NodePath) is made for it.
    ValueSource(std::shared_ptr<const DocumentAround> around, inspect::Found found,
                ByteView content)
        : MemorySource(content), around_(std::move(around)), found_(std::move(found)) {}

private:
    std::shared_ptr<const DocumentAround> around_;
    inspect::Found found_;
};

/// The document; with a guessed dialect if that which the user named does not read it: it may be
/// that of what the value holds.
std::expected<LoadedDocument, FileError> load(Source& source, const DocumentKind& kind,
                                              std::uint64_t skip, const SaveOptions& options) {
    LoadOptions how{.skip = skip,
                    .max_bytes = options.most_held(),
                    .max_text = options.max_text,
                    .max_values = most_values(options.max_text),
                    .dialect = options.dialect,
                    .godot_4 = options.godot_4};
    auto loaded = LoadedDocument::load(source, kind, how);
    if (!loaded || !options.dialect || loaded->document->items().empty())
        return loaded;
    const bool reads = Document::parse(loaded->document->items()[0].packet,
                                       {.dialect = loaded->dialect, .allow_objects = true})
                           .has_value();
    if (reads)
        return loaded;
    how.dialect = nullptr;
    return LoadedDocument::load(source, kind, how);
}

std::expected<OpenedValue, FileError> opened(LoadedDocument loaded, std::size_t item,
                                             const SavePath& at, const std::string& path,
                                             const SaveOptions& options) {
    auto around = std::make_shared<DocumentAround>();
    around->loaded = std::make_shared<const LoadedDocument>(std::move(loaded));
    around->item = item;
    around->path = at.path;
    around->allow_objects = options.allow_objects;
    const auto document =
        Document::parse(around->loaded->document->items()[item].packet, around->decoding());
    if (!document)
        return refuse(document.error());
    auto found = inspect::lookup(document->root(), at.path);
    if (!found)
        return refuse(found.error());
    const ValueRow* row = row_of(found->type());
    if (!row)
        return refuse(Error{Errc::wrong_type, found->type()}.about_types(
            Type::string, Type::string_name, Type::packed_byte_array));
    around->type = found->type();
    const ByteView content = content_of(*found);
    OpenedValue out;
    const DocumentKind& kind = around->loaded->document->kind();
    out.layer.kind = find_layer_kind(row->layer);
    // A String alone is the same in all dialects.
    const bool alone = path.empty() && around->type == Type::string;
    out.layer.place = ValuePlace{.document = kind.seen_as,
                                 .dialect = kind.text || alone ? nullptr : around->loaded->dialect,
                                 .path = path,
                                 .around = around};
    out.inside = std::make_unique<ValueSource>(around, *std::move(found), content);
    out.reason = (path.empty() ? "the only value is a " : path + " is a ") +
                 std::string(type_name(around->type)) + " of " + std::to_string(content.size()) +
                 (content.size() == 1 ? " byte" : " bytes");
    return out;
}

/// Whether the first bytes of a document allow that its only value is a String or PackedByteArray.
/// So files of many values, which may be larger than memory, are not loaded.
std::expected<bool, FileError> may_be_value(Source& source, const DocumentKind& kind,
                                            std::uint64_t skip) {
    if (auto back = RestSource(source, skip).rewind(); !back)
        return std::unexpected(back.error());
    std::byte start[64];
    std::size_t there = 0;
    while (there < sizeof start) {
        auto got = source.read(std::span(start).subspan(there));
        if (!got)
            return std::unexpected(got.error());
        if (*got == 0)
            break;
        there += *got;
    }
    if (kind.named)
        return false;
    if (kind.text) {
        std::string_view text = detail::as_text(start, there);
        if (text.starts_with(utf8::byte_order_mark))
            text.remove_prefix(utf8::byte_order_mark.size());
        const std::size_t at = detail::behind_space(text);
        return at < text.size() && std::string_view("\"&@P").contains(text[at]);
    }
    const std::size_t header = kind.several ? 4 : 0;
    if (there < header + 4 || !is_value_header(detail::load<std::uint32_t>(start + header)))
        return false;
    if (!kind.several)
        return true;
    auto length = detail::load<std::uint32_t>(start);
    if (kind.seen_as == InputKind::records_be)
        length = detail::byteswap(length);
    const std::uint64_t wanted = std::uint64_t{4} + length;
    const auto more = there < wanted ? source.skip(wanted - there) : std::uint64_t{0};
    if (!more)
        return std::unexpected(more.error());
    // Nothing follows the first record but what is too short for another.
    const auto behind = source.skip(least_record);
    if (!behind)
        return std::unexpected(behind.error());
    return there + *more - std::min<std::uint64_t>(there + *more, wanted) + *behind < least_record;
}

/// Whether the first line that is neither empty nor a comment is a section's header alone.
bool begins_with_header(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(detail::behind_space(line));
        if (!line.empty() && line[0] != ';')
            return line[0] == '[' && line.contains(']') &&
                   detail::all_space(line.substr(line.find(']') + 1));
    }
    return false;
}

}  // namespace

std::expected<std::optional<OpenedValue>, FileError> open_only_value(Source& source, InputKind seen,
                                                                     std::uint64_t skip,
                                                                     const SaveOptions& options) {
    const DocumentKind* kind = find_document_kind(seen);
    if (!kind)
        return std::nullopt;
    const auto may_be = may_be_value(source, *kind, skip);
    if (!may_be)
        return std::unexpected(may_be.error());
    if (!*may_be)
        return std::nullopt;
    auto loaded = load(source, *kind, skip, options);
    if (!loaded && is_data_error(loaded.error()))
        return std::nullopt;
    if (!loaded)
        return std::unexpected(loaded.error());
    if (loaded->document->items().size() != 1)
        return std::nullopt;
    auto value = opened(*std::move(loaded), 0, {}, "", options);
    if (!value && is_data_error(value.error()))
        return std::nullopt;
    if (!value)
        return std::unexpected(value.error());
    return *std::move(value);
}

std::expected<OpenedValue, FileError> open_value_at(Source& source, InputKind seen,
                                                    std::uint64_t skip, const std::string& path,
                                                    const SaveOptions& options) {
    const DocumentKind* kind = find_document_kind(seen);
    if (!kind)
        return refuse(
            Error{Errc::not_recognised}.about_reason("what is around the value is no document"));
    auto loaded = load(source, *kind, skip, options);
    if (!loaded)
        return std::unexpected(loaded.error());
    const auto at = parse_save_path(path, kind->named);
    if (!at)
        return refuse(detail::bad_path(path, at.error()));
    const auto item = item_at(loaded->document->items(), *at);
    if (!item)
        return refuse(item.error());
    return opened(*std::move(loaded), *item, *at, path, options);
}

std::expected<bool, FileError> holds_containers(Source& source, InputKind seen,
                                                const SaveOptions& options) {
    const DocumentKind* kind = find_document_kind(seen);
    if (!kind)
        return false;
    const auto loaded = load(source, *kind, 0, options);
    if (!loaded && is_data_error(loaded.error()))
        return false;
    if (!loaded)
        return std::unexpected(loaded.error());
    if (loaded->document->items().empty() || !loaded->behind.empty())
        return false;
    const auto first = Document::parse(loaded->document->items()[0].packet,
                                       {.dialect = loaded->dialect, .allow_objects = true});
    if (!first)
        return false;
    const View root = first->root();
    // A text that some sentence might be is none: one with a part that engines skip, or that does
    // not begin with a header on a line of its own (`[b]pos=1[/b]`).
    if (kind->seen_as == InputKind::config &&
        (!loaded->document->notes().empty() || root[""] ||
         !begins_with_header(detail::as_text(loaded->content.data(), loaded->content.size()))))
        return false;
    return root.size() && (root.is(Type::array) || root.is(Type::dictionary) ||
                           root.is(Type::object) || root.is(Type::packed_typed_array));
}

std::expected<std::unique_ptr<Source>, FileError> open_no_value(Source&, const SaveOptions&,
                                                                Layer&) {
    return refuse(Error{Errc::misplaced}.about_reason("a value is opened in its document"));
}

bool is_value_header(std::uint32_t header) noexcept {
    for (const Dialect* dialect : all_dialects()) {
        const std::size_t id = header & 0xFF;
        if (id < dialect->row_count && row_of(dialect->rows[id].type))
            return true;
    }
    return false;
}

namespace {

std::expected<Variant, Error> value_of(ByteView bytes, Type type) {
    const std::string_view text = detail::as_text(bytes.data(), bytes.size());
    if (type == Type::packed_byte_array) {
        PackedByteArray out;
        out.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        return Variant(std::move(out));
    }
    // Engines end a text at a NUL.
    if (!valid_text(text, Utf8Rule::strict) || text.find('\0') != text.npos)
        return std::unexpected(Error{Errc::bad_utf8, type});
    return type == Type::string ? Variant(text) : Variant(StringName(text));
}

}  // namespace

std::expected<void, FileError> write_value(Source& from, Target& to, const Layer& layer,
                                           const LayerWriting& how) GDVAR_TRY {
    if (!layer.place || !layer.place->around)
        return refuse(Error{Errc::misplaced}.about_reason("there is no document around the value"));
    const DocumentAround& around = *layer.place->around;
    auto bytes = read_all(from);
    if (!bytes)
        return std::unexpected(bytes.error());
    const auto value = value_of(*bytes, around.type);
    if (!value)
        return refuse(value.error());
    std::vector<SaveItem> items = around.loaded->document->items();
    const ByteView old = items[around.item].packet;
    const auto made = inspect::set_value(old, around.path, *value, around.decoding());
    if (!made)
        return refuse(made.error());
    if (auto sound = inspect::check_edited(old, as_bytes(*made), around.encoding()); !sound)
        return refuse(sound.error());
    items[around.item].packet = as_bytes(*made);
    KeptItems kept;
    if (how.sums) {
        kept = keep_item_sums(*around.loaded->document, items, around.decoding(), around.decoding(),
                              *how.sums);
        items = kept.items;
    }
    Losses said_before;
    inspect::ConversionReport report{said_before};
    auto document = around.conversion ? write_converted(around, *around.conversion, items, report)
                                      : around.loaded->document->write(items);
    if (!document)
        return refuse(document.error().error);
    if (auto put = to.write(*document); !put)
        return put;
    return to.write(around.loaded->behind);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace gdvar
