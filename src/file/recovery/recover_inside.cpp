// Contents of values and lengths: a String or a PackedByteArray with a document in it, the text of
// store_pascal_string. They are opened by the rows of the table of layers, once what is around them
// is sound, or was made so.
#include <algorithm>
#include <utility>

#include "file/layers/value_layer.hpp"
#include "file/recovery/recover_layers.hpp"
#include "gdvar/base/utf8.hpp"

namespace gdvar::recovering {
namespace {

constexpr std::size_t word = 4;
/// Lost parts of what is around a value that are told one by one.
constexpr std::size_t most_told = 8;

/// A document whose only value was cut, with an end.
struct Closed {
    std::vector<std::byte> bytes;
    std::string note;
};

std::size_t text_begin(std::string_view text) {
    return text.find_first_not_of(
        " \t\r\n", text.starts_with(utf8::byte_order_mark) ? utf8::byte_order_mark.size() : 0);
}

/// A text that begins with a quote and has no other one.
std::optional<Closed> closed_text(std::string_view text) {
    const std::size_t begin = text_begin(text);
    // Several lines are a text of its own, whose first byte is damaged.
    if (begin == text.npos || text[begin] != '"' || text.find('\n', begin) != text.npos)
        return std::nullopt;
    std::size_t at = begin + 1;
    while (at < text.size() && text[at] != '"') {
        std::size_t size = 1;
        if (text[at] == '\\')
            size = text.substr(at).starts_with("\\u") ? 6 : 2;
        else if (static_cast<unsigned char>(text[at]) >= 0x80)
            size = utf8::first(text.substr(at)).size;
        if (size == 0 || at + size > text.size())
            break;
        at += size;
    }
    // A few bytes may be left of the last character.
    if (at + 6 <= text.size() || text.substr(at).find('"') != text.npos)
        return std::nullopt;
    Closed out;
    const std::string whole = std::string(text.substr(0, at)) + '"';
    const ByteView bytes = as_bytes(std::string_view(whole));
    out.bytes.assign(bytes.begin(), bytes.end());
    out.note = "the String breaks off: its quote is missing";
    return out;
}

/// A packet, or a record, of a String or a PackedByteArray that says it is longer than it is.
std::optional<Closed> closed_packet(ByteView bytes, std::size_t begin) {
    if (bytes.size() < begin + 4 * word)
        return std::nullopt;
    const auto header = detail::load<std::uint32_t>(bytes.data() + begin);
    const auto length = detail::load<std::uint32_t>(bytes.data() + begin + word);
    std::size_t there = bytes.size() - begin - 2 * word;
    if (header > 0xFF || !is_value_header(header) || length <= there || length > INT32_MAX)
        return std::nullopt;
    const ByteView content = bytes.subspan(begin + 2 * word);
    // The bytes of a character that is cut.
    for (int i = 0; i < 3 && !valid_text(detail::as_text(content.data(), there), Utf8Rule::strict);
         ++i)
        --there;
    if (!valid_text(detail::as_text(content.data(), there), Utf8Rule::strict))
        there = content.size();
    Closed out;
    out.note = "the value breaks off: " + std::to_string(length - content.size()) +
               " more bytes are missing";
    const std::size_t padded = (there + word - 1) / word * word;
    out.bytes.resize(begin + 2 * word + padded);
    std::copy_n(bytes.begin(), begin + 2 * word + there, out.bytes.begin());
    detail::store(out.bytes.data() + begin + word, static_cast<std::uint32_t>(there));
    if (begin) {
        const auto size = static_cast<std::uint32_t>(2 * word + padded);
        const bool little = detail::load<std::uint32_t>(bytes.data()) >= size &&
                            detail::load<std::uint32_t>(bytes.data()) <= length + 4 * word;
        detail::store(out.bytes.data(), little ? size : detail::byteswap(size));
    }
    return out;
}

/// The bytes of the document that was made of what was found.
std::expected<std::vector<std::byte>, FileError> sound_bytes(const Found& found) {
    if (found.made)
        return found.text;
    std::vector<SaveItem> items;
    const ByteView bytes = found.document.bytes;
    found.rows.each(bytes, [&](const Row& row, ByteView packet, const Part*) {
        SaveItem item;
        if (row.framed.key_size)
            item.key = detail::as_text(bytes.data() + row.framed.key(), row.framed.key_size);
        item.packet = packet;
        items.push_back(item);
    });
    auto made = find_document_kind(found.kind)->write(items, *found.dialect);
    if (!made)
        return std::unexpected(FileError(made.error().error));
    return *std::move(made);
}

/// Differences of the document around a value, in words.
std::vector<std::string> notes_around(const Found& outer, const std::string& layer) {
    std::vector<std::string> out;
    const std::string around = "around the " + layer + ": ";
    for (const LostRange& range : outer.rows.lost) {
        if (out.size() == most_told) {
            out.push_back(around + std::to_string(outer.rows.lost.size() - most_told) +
                          " more parts are lost");
            break;
        }
        const std::string place = range.line ? "line " + std::to_string(range.line)
                                             : "byte " + std::to_string(range.begin);
        std::string& note = out.emplace_back(around);
        note.append(std::to_string(range.end - range.begin)).append(" bytes from ").append(place);
        note += " on are lost";
        if (!range.at.empty())
            note.append(" (").append(range.at).append(")");
        note.append(": ").append(range.reason);
    }
    std::size_t odd = outer.rows.parts.size();
    for (const Row& row : outer.rows.rows)
        odd += row.state == Recovered::resized || row.found_again;
    for (const TextItem& item : outer.text_items)
        odd += item.broken && outer.rows.lost.empty();
    if (odd)
        out.push_back(around + std::to_string(odd) +
                      (odd == 1 ? " value is there in part, or was found again"
                                : " values are there in part, or were found again"));
    return out;
}

}  // namespace

SaveOptions LayerReader::layer_options() const {
    return {.key = options_.key,
            .keys = options_.keys,
            .dialect = options_.dialect,
            .allow_objects = true,
            .max_bytes = options_.max_bytes,
            .max_text = most_text_};
}

/// Contents of an opened value, with the value as a layer around them.
LayerReader::Result LayerReader::in_value(OpenedValue value, bool doubtful, Around around,
                                          std::vector<std::string> notes) {
    if (around.depth == most_layers)
        return refuse(Errc::depth_limit);
    auto bytes = read_all(*value.inside, options_.max_bytes);
    if (!bytes)
        return std::unexpected(bytes.error());
    Content content;
    content.bytes = *std::move(bytes);
    if (doubtful)
        content.parts.push_back({0, content.bytes.size(), true, Errc::bad_checksum, ""});
    auto found = level(std::move(content), {around.depth + 1, true, around.inside});
    if (found)
        put_around(*found, std::move(value.layer), std::move(notes));
    return found;
}

/// Whether what a value holds came about by no chance: as for sound values, and if it is damaged,
/// enough speaks for it.
std::expected<bool, FileError> LayerReader::is_certain(const Found& found) const {
    const auto named = [](const Layer& layer) { return layer.place && !layer.place->path.empty(); };
    if (std::ranges::any_of(found.layers, named))
        return true;
    const DocumentKind& kind = *find_document_kind(found.kind);
    const bool whole =
        found.rows.lost.empty() && found.rows.parts.empty() &&
        std::ranges::none_of(found.rows.rows, [](const Row& row) { return row.found_again; });
    const auto size = static_cast<std::int64_t>(found.document.bytes.size());
    if (!whole && score_of(found) < (found.kind == InputKind::config ? size : convincing))
        return false;
    // Values behind bytes that are none say nothing of what holds them.
    if (!found.made && (found.rows.rows.empty() || found.rows.rows[0].framed.packet > word) &&
        !kind.named)
        return false;
    if (kind.named || (kind.made && !kind.text) || found.kind == InputKind::resource)
        return true;
    auto bytes = sound_bytes(found);
    if (!bytes)
        return std::unexpected(bytes.error());
    OwnedSource source(*std::move(bytes));
    return holds_containers(source, found.kind, layer_options());
}

/// Writes what was found in its layers. Errors: why the result can't be written: a String holds
/// nothing but text.
std::expected<void, FileError> LayerReader::try_to_write(const Found& found) const {
    if (needs_key(found.layers) && !options_.key)
        return {};
    auto bytes = sound_bytes(found);
    if (!bytes)
        return std::unexpected(bytes.error());
    OwnedSource source(*std::move(bytes));
    Spool written;
    return write_layers(source, written, found.layers, options_.the_key());
}

/// The only value of the document, if it holds another one for certain. Errors: no_memory, else
/// there is none.
LayerReader::Result LayerReader::only_value(const Content& content, Around around) {
    const bool named = options_.as != InputKind::unknown && !find_layer_kind(options_.as);
    if (!options_.values || named || around.depth == most_layers)
        return refuse(Errc::not_recognised);
    const std::string_view all = detail::as_text(content.bytes.data(), content.bytes.size());
    const std::size_t begin = text_begin(all);
    const bool text = begin != all.npos && std::string_view("\"&@P").find(all[begin]) != all.npos;
    constexpr InputKind texts[] = {InputKind::json, InputKind::text};
    constexpr InputKind packets[] = {InputKind::packet, InputKind::records, InputKind::records_be};
    const auto attempt = [&](ByteView bytes, const std::vector<std::string>& notes) -> Result {
        for (const InputKind kind : text ? std::span<const InputKind>(texts) : packets) {
            MemorySource source(bytes);
            auto value = open_only_value(source, kind, 0, layer_options());
            if (!value)
                return std::unexpected(value.error());
            if (!*value || ++attempts_ > most_attempts)
                continue;
            auto found = in_value(**std::move(value), !content.parts.empty(), around, notes);
            if (!found && found.error().code == Errc::no_memory)
                return found;
            if (!found)
                continue;
            const auto certain = is_certain(*found);
            if (!certain && certain.error().code == Errc::no_memory)
                return std::unexpected(certain.error());
            if (!certain || !*certain)
                continue;
            const auto written = try_to_write(*found);
            if (!written && written.error().code == Errc::no_memory)
                return std::unexpected(written.error());
            if (written)
                return found;
        }
        return refuse(Errc::not_recognised);
    };
    auto found = attempt(content.bytes, {});
    if (found || found.error().code == Errc::no_memory)
        return found;
    std::vector<std::optional<Closed>> closed;
    if (text)
        closed.push_back(closed_text(all));
    else
        for (const std::size_t at : {std::size_t{0}, word})
            closed.push_back(closed_packet(content.bytes, at));
    for (const auto& made : closed)
        if (made)
            if (found = attempt(made->bytes, {made->note});
                found || found.error().code == Errc::no_memory)
                return found;
    return refuse(Errc::not_recognised);
}

/// The next value that the caller names, in what was found.
LayerReader::Result LayerReader::named_value(Found outer, Around around) {
    auto bytes = sound_bytes(outer);
    if (!bytes)
        return std::unexpected(bytes.error());
    OwnedSource source(*std::move(bytes));
    SaveOptions how = layer_options();
    how.dialect = outer.dialect;
    auto value = open_value_at(source, outer.kind, 0, options_.inside[around.inside], how);
    if (!value)
        return std::unexpected(value.error());
    const std::string name = value->layer.name() + " at " + options_.inside[around.inside];
    ++around.inside;
    auto found = in_value(*std::move(value), !outer.document.parts.empty(), around);
    if (!found)
        return found;
    auto notes = notes_around(outer, name);
    std::ranges::move(outer.notes, std::back_inserter(notes));
    found->notes.insert(found->notes.begin(), notes.begin(), notes.end());
    return found;
}

/// A length and a text of another length. Errors: no_memory, else there is none.
LayerReader::Result LayerReader::almost_pascal(const Content& content, Around around) {
    constexpr std::size_t least = 16;
    const ByteView bytes = content.bytes;
    // A length of less than 16 MiB, before a text.
    if (around.depth == most_layers || bytes.size() < least || bytes[3] != std::byte{0})
        return refuse(Errc::not_recognised);
    const auto odd = [](char c) {
        return static_cast<unsigned char>(c) < 32 && c != '\t' && c != '\r' && c != '\n';
    };
    const std::string_view start = detail::as_text(bytes.data(), least);
    const auto length = detail::load<std::uint32_t>(bytes.data());
    const std::size_t there = bytes.size() - word;
    // Else it is a text with one byte that is none.
    const bool near = length >= there && length / 2 <= there;
    if (length < word || std::ranges::any_of(start.substr(word), odd) ||
        (!near && std::ranges::none_of(start.substr(0, word - 1), odd)))
        return refuse(Errc::not_recognised);
    // The texts that `recognise` takes.
    const bool exact = length == there;
    const std::string_view text = detail::as_text(bytes.data() + word, there);
    if (exact && valid_text(text, Utf8Rule::strict) && text.find('\0') == text.npos)
        return refuse(Errc::not_recognised);
    auto found = open_damaged(*find_layer_kind(InputKind::pascal), content, around,
                              FileError(Error{Errc::not_recognised}));
    if (!found && found.error().code == Errc::no_memory)
        return found;
    if (!found || score_of(*found) < convincing)
        return refuse(Errc::not_recognised);
    // A String can hold nothing but text.
    const LayerKind* held = found->layers.size() > 1 ? found->layers[1].kind : nullptr;
    if (held ? !held->is_text() && !held->is_value() : !found->made)
        return refuse(Errc::not_recognised);
    return found;
}

}  // namespace gdvar::recovering
