#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/exceptions.hpp"
#include "file/documents/labelled.hpp"
#include "file/documents/text_formats.hpp"
#include "gdvar/value/codec.hpp"
#include "inspect/differing.hpp"

namespace gdvar::detail {
namespace {

using Written = std::expected<std::vector<std::byte>, DocumentError>;

Error in_text(const TextError& error) {
    const Error out{error.code, error.type, error.offset, 0};
    return error.detail.empty() ? out : out.about_reason(error.detail.data());
}

std::unexpected<DocumentError> refuse(Error error, std::size_t item = 0, std::string path = {}) {
    return std::unexpected(DocumentError{error, item, std::move(path)});
}

DecodeOptions decoding(const Dialect& dialect) {
    return {.dialect = &dialect, .allow_objects = true};
}

std::vector<std::byte> bytes_of(std::string_view text) {
    const ByteView all = as_bytes(text);
    return {all.begin(), all.end()};
}

/// Packets one behind the other, in blocks that stay where they are.
class PacketBlocks {
public:
    /// Keeps a packet. May throw bad_alloc.
    ByteView keep(PackedByteArray packet) {
        if (packet.size() > most_block / 4) {
            large_.push_back(std::move(packet));
            return as_bytes(large_.back());
        }
        if (small_.empty() || small_.back().capacity() - small_.back().size() < packet.size()) {
            const std::size_t twice = small_.empty() ? 0 : 2 * small_.back().capacity();
            small_.emplace_back().reserve(std::max(packet.size(), std::min(twice, most_block)));
        }
        PackedByteArray& block = small_.back();
        block.append({packet.data(), packet.size()});
        return as_bytes(block).last(packet.size());
    }

private:
    static constexpr std::size_t most_block = 1u << 16;
    std::vector<PackedByteArray> small_, large_;
};

/// The values of a text as packets. There may be one for every two characters, so little is kept
/// of each.
struct Packets {
    PacketBlocks blocks{};
    std::vector<SaveItem> items{};    ///< offset: where the value begins in the text
    std::vector<std::size_t> ends{};  ///< where it ends
    /// That of the only value. A line is read again for its own.
    std::shared_ptr<const Outline> outline{};
    std::vector<DocumentNote> notes{};
    std::list<std::string> words{};  ///< of notes that are not static
    bool certain = true;
    const Dialect* dialect = nullptr;
};

/// Calls `use(begin, end)` for the values of a text of lines, each without the white space behind
/// it. `use` returns whether to go on.
template <class Use>
void each_line(std::string_view text, Use&& use) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::size_t behind = end;
        while (behind > begin && detail::is_space(text[behind - 1]))
            --behind;
        if (behind > begin && !use(begin, behind))
            return;
        begin = end + 1;
    }
}

/// Adds a value that was read, as a packet. `begin`: where its text begins in the whole.
std::expected<void, Error> add_value(Packets& to, std::size_t begin, TextValue read) {
    auto packet = encode(read.value, {.dialect = read.dialect, .allow_objects = true});
    if (!packet)
        return std::unexpected(packet.error());
    read.value = Variant();
    to.items.push_back({.packet = to.blocks.keep(*std::move(packet)),
                        .offset = begin + read.begin,
                        .number = to.items.size()});
    to.ends.push_back(begin + read.end);
    for (const DocumentNote& note : read.notes)
        to.notes.push_back({begin + note.offset, note.what, note.refused});
    to.words.splice(to.words.end(), read.words);
    to.dialect = read.dialect;
    to.certain = read.certain;
    return {};
}

std::expected<Packets, Error> read_lines(const TextFormat& format, std::string_view text,
                                         const DocumentOptions& options) {
    std::size_t lines = 0;
    each_line(text, [&](std::size_t, std::size_t) { return ++lines != 0; });
    if (lines == 0)
        return std::unexpected(in_text(
            text_error_at(text, text.size(), Errc::bad_syntax, Type::nil, "no line has a value")));
    Packets made;
    DocumentOptions how = options;
    std::expected<void, Error> done;
    each_line(text, [&](std::size_t begin, std::size_t end) {
        auto read = format.read(text.substr(begin, end - begin), how);
        if (!read) {
            read.error().offset += begin;
            done = std::unexpected(in_text(read.error()));
            return false;
        }
        if (made.items.empty()) {
            made.items.reserve(lines);
            made.ends.reserve(lines);
        }
        how.limits.max_nodes -=
            std::min(how.limits.max_nodes, std::uint64_t{read->outline.nodes.size()});
        done = add_value(made, begin, *std::move(read));
        return done.has_value();
    });
    if (!done)
        return std::unexpected(done.error());
    return made;
}

std::expected<Packets, Error> read_packets(InputKind kind, std::string_view text,
                                           const DocumentOptions& options) {
    const TextFormat& format = text_format(kind);
    if (format.lines)
        return read_lines(format, text, options);
    auto read = format.read(text, options);
    if (!read)
        return std::unexpected(in_text(read.error()));
    Packets made;
    made.outline = std::make_shared<const Outline>(std::move(read->outline));
    if (auto done = add_value(made, 0, *std::move(read)); !done)
        return std::unexpected(done.error());
    return made;
}

/// Reads a text again and compares it with the values that it should hold.
std::expected<void, DocumentError> check_text(InputKind kind, std::string_view text,
                                              std::span<const SaveItem> items,
                                              const Dialect& dialect) {
    constexpr const char* why = "the text would be read as another value";
    const auto read = read_packets(kind, text, {.dialect = &dialect});
    if (!read)
        return refuse(read.error());
    if (read->items.size() != items.size())
        return refuse(Error{Errc::not_in_dialect}.about_reason(why));
    for (std::size_t i = 0; i < items.size(); ++i)
        if (!std::ranges::equal(read->items[i].packet, items[i].packet)) {
            const auto is = decode(read->items[i].packet, decoding(dialect));
            const auto should = decode(items[i].packet, decoding(dialect));
            if (!is || !should || !identical(*is, *should))
                return refuse(Error{Errc::not_in_dialect}.about_reason(why), i, "$");
        }
    return {};
}

std::expected<std::string, DocumentError> print_new(const TextFormat& format, ByteView packet,
                                                    const Dialect& dialect, bool lines,
                                                    std::size_t item) {
    auto text = print_value(*format.syntax(dialect.family), packet, dialect, lines);
    if (!text)
        return refuse(text.error().error, item, std::move(text.error().path));
    return *std::move(text);
}

class TextDocument final : public SaveDocument {
public:
    TextDocument(const DocumentKind& kind, ByteView text, Packets made)
        : SaveDocument(kind, std::move(made.items), made.dialect),
          text_(as_text(text.data(), text.size())),
          made_(std::move(made)),
          format_(text_format(kind.seen_as)) {
        notes_ = std::move(made_.notes);
        dialect_certain_ = made_.certain;
    }

    TextPlace text_place(std::size_t number) const noexcept override {
        return {static_cast<std::size_t>(items_[number].offset), made_.ends[number]};
    }
    std::expected<std::shared_ptr<const Outline>, Error> outline(std::size_t number) const override;
    Written write(std::span<const SaveItem> items) const override;
    bool surely_holds(const View& key, const View& value, std::size_t depth,
                      bool replaces) const override;
    Written convert(const Dialect& to, const inspect::Renames& renames,
                    inspect::ConversionReport& report) const override;

private:
    bool is_unchanged(std::span<const SaveItem> items) const;
    bool values_end() const;
    std::vector<std::size_t> numbers_of(std::span<const SaveItem> items) const;
    /// A text that was made, and whether it has been read again.
    struct Made {
        std::string text{};
        bool checked = false;
    };
    std::expected<Made, DocumentError> rewritten(std::size_t number, const SaveItem& item,
                                                 std::size_t index) const;
    std::expected<Made, DocumentError> joined(std::span<const SaveItem> items) const;
    bool reads_again(const Outline& outline, std::string_view old, std::string_view made,
                     const View& before, const View& after) const;
    void copy_between(std::string& out, std::size_t from, std::size_t gone, std::size_t to) const;

    std::string_view text_of(std::size_t number) const {
        const TextPlace place = text_place(number);
        return text_.substr(place.begin, place.end - place.begin);
    }

    std::string_view text_;
    Packets made_;  ///< without its items and notes
    const TextFormat& format_;
    mutable std::optional<bool> values_end_;
};

std::expected<std::shared_ptr<const Outline>, Error> TextDocument::outline(
    std::size_t number) const GDVAR_TRY {
    if (!format_.lines)
        return made_.outline;
    auto read = format_.read(text_of(number), {});
    if (!read)
        return std::unexpected(in_text(read.error()));
    return std::make_shared<const Outline>(std::move(read->outline));
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

bool TextDocument::is_unchanged(std::span<const SaveItem> items) const {
    return std::ranges::equal(items, items_, [](const SaveItem& a, const SaveItem& b) {
        return std::ranges::equal(a.packet, b.packet);
    });
}

/// The value that each item comes from, in rising order, or SaveItem::added. Items without a
/// number are looked for by their bytes.
std::vector<std::size_t> TextDocument::numbers_of(std::span<const SaveItem> items) const {
    std::map<std::string_view, std::vector<std::size_t>> by_bytes;
    std::vector<std::size_t> out;
    std::size_t next = 0;
    for (const SaveItem& item : items) {
        std::size_t number = item.number;
        if (number == SaveItem::added) {
            if (by_bytes.empty())
                for (std::size_t i = items_.size(); i-- > 0;)
                    by_bytes[as_text(items_[i].packet.data(), items_[i].packet.size())].push_back(
                        i);
            const auto same = by_bytes.find(as_text(item.packet.data(), item.packet.size()));
            while (same != by_bytes.end() && !same->second.empty() && same->second.back() < next)
                same->second.pop_back();
            if (same != by_bytes.end() && !same->second.empty())
                number = same->second.back();
        }
        const bool known = number < items_.size() && number >= next;
        out.push_back(known ? number : SaveItem::added);
        if (known)
            next = number + 1;
    }
    return out;
}

/// Whether the innermost value around all that has changed, in the text and in the packet, reads as
/// it should. The text around it stays as it was read. False: that is not known.
bool TextDocument::reads_again(const Outline& outline, std::string_view old, std::string_view made,
                               const View& before, const View& after) const {
    const Differing texts = differing(as_bytes(old), as_bytes(made));
    const auto holds = [&](const Changed& value) {
        const OutlineNode& node = outline.nodes[value.node];
        return value.node && node.begin <= texts.begin && texts.end <= node.end &&
               may_end_at(old, node.end);
    };
    const auto chain = changed_chain(before, after, outline);
    const auto value = std::ranges::find_if(chain.rbegin(), chain.rend(), holds);
    if (value == chain.rend())
        return false;
    const OutlineNode& node = outline.nodes[value->node];
    const std::size_t behind = old.size() - node.end;
    const auto read = format_.read(made.substr(node.begin, made.size() - behind - node.begin),
                                   {.dialect = dialect_});
    const auto wanted = value->after.get<Variant>();
    return read && wanted && identical(read->value, *wanted);
}

std::expected<TextDocument::Made, DocumentError> TextDocument::rewritten(std::size_t number,
                                                                         const SaveItem& item,
                                                                         std::size_t index) const {
    const std::string_view text = text_of(number);
    const ByteView old = items_[number].packet;
    if (std::ranges::equal(old, item.packet))
        return Made{std::string(text), true};
    const auto before = Document::parse(old, decoding(*dialect_));
    const auto after = Document::parse(item.packet, decoding(*dialect_));
    if (!before || !after)
        return refuse((before ? after : before).error(), index);
    const auto parts = outline(number);
    if (!parts)
        return refuse(parts.error(), index);
    auto done = format_.rewrite(text, **parts, before->root(), after->root(), dialect_->family);
    if (!done)
        return refuse(done.error().error, index, done.error().path);
    // ConfigFiles and resources have been read again by those who know what else changes with a
    // value: `load_steps`, the `type` of a tag.
    const bool checked =
        !format_.syntax || reads_again(**parts, text, *done, before->root(), after->root());
    return Made{*std::move(done), checked};
}

/// Copies what stands between the values: the text from `from` to `to`. The values from number
/// `gone` on that stand there go, with their lines.
void TextDocument::copy_between(std::string& out, std::size_t from, std::size_t gone,
                                std::size_t to) const {
    for (; gone < items_.size() && items_[gone].offset < to; ++gone) {
        const TextPlace place = text_place(gone);
        out += text_.substr(from, place.begin - from);
        const std::size_t line = text_.find('\n', place.end);
        from = line == text_.npos ? text_.size() : line + 1;
    }
    out += text_.substr(from, to - from);
}

/// Values in lines: a new one gets a line of its own behind the one before it.
std::expected<TextDocument::Made, DocumentError> TextDocument::joined(
    std::span<const SaveItem> items) const {
    const std::vector<std::size_t> numbers = numbers_of(items);
    const std::string_view newline = text_.find("\r\n") == text_.npos ? "\n" : "\r\n";
    Made all{.checked = items.size() == items_.size()};
    std::string& out = all.text;
    std::size_t at = 0, next = 0;  // in the text, and of its values
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (numbers[i] != SaveItem::added) {
            auto one = rewritten(numbers[i], items[i], i);
            if (!one)
                return one;
            const TextPlace place = text_place(numbers[i]);
            copy_between(out, at, next, place.begin);
            out += one->text;
            at = place.end;
            next = numbers[i] + 1;
            all.checked = all.checked && one->checked;
            continue;
        }
        auto one = print_new(format_, items[i].packet, *dialect_, false, i);
        if (!one)
            return std::unexpected(std::move(one.error()));
        if (at == 0)
            out.append(*one).append(newline);
        else
            out.append(newline).append(*one);
        all.checked = false;
    }
    copy_between(out, at, next, text_.size());
    return all;
}

Written TextDocument::write(std::span<const SaveItem> items) const GDVAR_TRY {
    if (!kind_->several && items.size() != 1)
        return refuse(Error{Errc::trailing_bytes});
    if (is_unchanged(items))
        return bytes_of(text_);
    auto made = kind_->several ? joined(items) : rewritten(0, items[0], 0);
    if (!made)
        return std::unexpected(std::move(made.error()));
    if (!kind_->several) {
        const TextPlace place = text_place(0);
        made->text.insert(0, text_.substr(0, place.begin)).append(text_.substr(place.end));
    }
    if (!made->checked)
        if (auto same = check_text(kind_->seen_as, made->text, items, *dialect_); !same)
            return std::unexpected(std::move(same.error()));
    return bytes_of(made->text);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

/// Whether any value can be replaced without a look at what follows it. JSON takes nothing else.
bool TextDocument::values_end() const {
    if (!values_end_)
        values_end_ =
            format_.lines ||
            std::ranges::all_of(made_.outline->nodes,
                                [text = text_.substr(text_place(0).begin)](const OutlineNode& n) {
                                    const bool is_value =
                                        n.kind == OutlineKind::leaf || is_bracketed(n.kind);
                                    return !is_value || may_end_at(text, n.end);
                                });
    return *values_end_;
}

bool TextDocument::surely_holds(const View& key, const View& value, std::size_t depth,
                                bool replaces) const {
    if (depth < format_.inner_from || depth - format_.inner_from < !replaces || !values_end())
        return false;
    const auto syntax = format_.inner(dialect_->family);
    for (const View& view : {key, value}) {
        if (!view)
            continue;
        // In a ConfigFile null erases the key.
        if (view.is_nil() && depth == format_.inner_from && depth)
            return false;
        const auto text = print_value(*syntax, view, false);
        if (!text)
            return false;
        // A ConfigFile is no value; GodotText itself has read again what it printed.
        if (!format_.syntax)
            continue;
        const auto read = format_.read(*text, {.dialect = dialect_});
        const auto wanted = view.get<Variant>();
        if (!read || !wanted || !identical(read->value, *wanted))
            return false;
    }
    return true;
}

Written TextDocument::convert(const Dialect& to, const inspect::Renames& renames,
                              inspect::ConversionReport& report) const GDVAR_TRY {
    std::string out;
    std::size_t at = 0;  // in the text
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const auto value = Document::parse(items_[i].packet, decoding(*dialect_));
        if (!value)
            return refuse(value.error(), i);
        const auto parts = outline(i);
        if (!parts)
            return refuse(parts.error(), i);
        const TextPlace place = kind_->several ? text_place(i) : TextPlace{0, text_.size()};
        const std::string label = item_label(*kind_, i, {});
        const Labelled losses(report.losses, label);
        std::optional<Labelled> notes;
        if (report.notes)
            notes.emplace(*report.notes, label);
        auto done = format_.convert(text_.substr(place.begin, place.end - place.begin), **parts,
                                    value->root(), to, renames, report);
        if (!done)
            return refuse(done.error().error, i, std::move(done.error().path));
        out.append(text_.substr(at, place.begin - at)).append(*done);
        at = place.end;
    }
    out += text_.substr(at);
    return bytes_of(out);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace

std::expected<std::unique_ptr<SaveDocument>, Error> open_text(
    const DocumentKind& kind, ByteView bytes, const DocumentOptions& options) GDVAR_TRY {
    auto made = read_packets(kind.seen_as, as_text(bytes.data(), bytes.size()), options);
    if (!made)
        return std::unexpected(made.error());
    return std::make_unique<TextDocument>(kind, bytes, *std::move(made));
}
GDVAR_CATCH_NO_MEMORY(return std::unexpected(Error{Errc::no_memory}))

Written write_new_text(const DocumentKind& kind, std::span<const SaveItem> items,
                       const Dialect& dialect) GDVAR_TRY {
    const TextFormat& format = text_format(kind.seen_as);
    if (!format.syntax && !format.empty)
        return refuse(Error{Errc::unsupported_type}.about_reason(
            "such a text can be changed, but not made of a value"));
    if (format.empty) {
        auto nothing =
            open_text(kind, as_bytes(std::string_view(format.empty)), {.dialect = &dialect});
        return nothing ? (*nothing)->write(items) : refuse(nothing.error());
    }
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto one = print_new(format, items[i].packet, dialect, !kind.several, i);
        if (!one)
            return std::unexpected(std::move(one.error()));
        text.append(*one).append("\n");
    }
    if (auto same = check_text(kind.seen_as, text, items, dialect); !same)
        return std::unexpected(std::move(same.error()));
    return bytes_of(text);
}
GDVAR_CATCH_NO_MEMORY(return refuse(Error{Errc::no_memory}))

}  // namespace gdvar::detail
