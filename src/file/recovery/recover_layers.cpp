#include "file/recovery/recover_layers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "file/layers/break_source.hpp"
#include "file/recovery/recover_document.hpp"
#include "file/recovery/recover_text.hpp"
#include "gdvar/file/text_readings.hpp"

namespace gdvar::recovering {
namespace {

bool is_text(InputKind kind) {
    return kind == InputKind::hex || kind == InputKind::base64;
}

std::string_view text_of(const Content& content) {
    return detail::as_text(content.bytes.data(), content.bytes.size());
}

/// How many of the first four bytes are those of the magic.
int likeness(ByteView bytes, std::string_view magic) {
    int same = 0;
    for (std::size_t i = 0; i < magic.size() && i < bytes.size(); ++i)
        same += bytes[i] == static_cast<std::byte>(magic[i]);
    return same;
}

/// Whether nearly all characters are digits.
bool mostly(std::string_view text, std::string_view more) {
    std::size_t digits = 0, all = 0;
    for (const char c : text) {
        all += !detail::is_space(c);
        digits += detail::hex_value(c) >= 0 || more.contains(c);
    }
    return all >= 8 && (all - digits) * 16 <= all;
}
constexpr std::string_view base64_letters = "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ+/-_=";

/// All of a source up to its end or its break.
struct Drained {
    std::vector<std::byte> bytes;
    std::optional<FileError> broken;
};

Drained drain(Source& source, std::uint64_t max_bytes) {
    Drained out;
    // A stream that breaks gives nothing of the part in which it does.
    std::array<std::byte, 256> part{};
    for (;;) {
        auto got = source.read(part);
        if (!got) {
            out.broken = got.error();
            return out;
        }
        if (*got == 0)
            return out;
        if (*got > max_bytes - out.bytes.size()) {
            out.broken = FileError(Error{Errc::size_limit});
            return out;
        }
        out.bytes.insert(out.bytes.end(), part.begin(),
                         part.begin() + static_cast<std::ptrdiff_t>(*got));
    }
}

/// A layer that was opened as if it were sound, up to its break.
struct OpenedWhole {
    Layer layer{};
    Drained all{};
    std::uint64_t behind = 0;  ///< bytes that follow it
};

OpenedWhole open_whole(const LayerKind& kind, ByteView bytes, SaveOptions how,
                       std::uint64_t max_bytes) {
    how.up_to_break = true;  // else a text of bytes gives none
    OpenedWhole out;
    out.layer.kind = &kind;
    MemorySource source(bytes);
    auto inner = kind.open(source, how, out.layer);
    if (!inner) {
        out.all.broken = inner.error();
        return out;
    }
    out.all = drain(**inner, max_bytes);
    if (const auto* part = dynamic_cast<const BreakSource*>(inner->get()); part && part->broken())
        out.all.broken = part->broken();
    if (const auto* container = dynamic_cast<const ContainerSource*>(inner->get()))
        out.behind = container->trailing();
    return out;
}

/// Behind the last byte that is no zero, if a crash has left the zeros there.
ByteView without_zeros(ByteView bytes) {
    constexpr std::size_t least = 4;  // checksums seldom end so
    const auto zeros = std::ranges::find_if(bytes.rbegin(), bytes.rend(),
                                            [](std::byte b) { return b != std::byte{0}; }) -
                       bytes.rbegin();
    const auto found = static_cast<std::size_t>(zeros);
    return bytes.first(bytes.size() - (found < least ? 0 : found));
}

/// Whether a number in front of a damaged container is the size of what that holds. Where both may
/// be, it is: the engines' `decompress` takes that one. `whole` is what comes out without zeros at
/// the end, of which decoders make something.
bool is_unpacked_size(std::uint64_t number, std::optional<std::uint64_t> other, InputKind container,
                      ByteView bytes, const OpenedWhole& whole) {
    constexpr std::size_t total = 12;  // its place in the head of a GCPF
    if (container == InputKind::gcpf && bytes.size() >= total + sizeof(std::uint32_t)) {
        const auto size = detail::load<std::uint32_t>(bytes.data() + total);
        if (!other || number == size || other == size)
            return number == size;
    }
    const std::uint64_t made = whole.all.bytes.size();
    if (!whole.all.broken)
        return number == made;
    // The packed one of two sizes is never less than what is there, and else the smaller one.
    if (other && number != *other) {
        const std::uint64_t packed = std::min(number, *other);
        return (number == packed) == (packed < bytes.size());
    }
    if (number >= made || number < bytes.size())
        return true;
    // A damaged stream may give more than it held, one that is cut only less.
    return whole.all.broken->code != Errc::truncated && made - number < number - bytes.size();
}

/// The form of a text of digits, some of which are wrong.
DigitForm form_of(const LayerKind& kind, std::string_view text) {
    const bool hex = kind.seen_as == InputKind::hex;
    std::string clean(text);
    std::erase_if(clean, [&](char c) {
        return detail::hex_value(c) < 0 && !detail::is_space(c) &&
               (hex || !base64_letters.contains(c));
    });
    DigitForm form;
    form.digits = hex ? DigitForm::Digits::hex : DigitForm::Digits::base64;
    form.behind = text.ends_with('\n') ? "\n" : "";
    if (auto read = read_digits(clean, form.digits); read && read->exact)
        form = std::move(read->form);
    return form;
}

/// The text behind a length, whatever that says.
std::expected<DamagedContent, Error> read_damaged_pascal(ByteView bytes) {
    constexpr std::size_t head = 4;
    if (bytes.size() < head)
        return std::unexpected(Error{Errc::truncated});
    DamagedContent out;
    out.bytes.assign(bytes.begin() + head, bytes.end());
    if (const auto length = detail::load<std::uint32_t>(bytes.data()); length != out.bytes.size())
        out.notes.push_back("the length is " + std::to_string(length) + ", and " +
                            std::to_string(out.bytes.size()) + " bytes are there");
    return out;
}

bool is_foreign(const std::vector<Reading>& readings) {
    return !readings.empty() && readings[0].kind == InputKind::foreign;
}

}  // namespace

/// Layers, values and the document in some bytes. As `open_layers`: first what the only value of a
/// document holds, then the document, in which the caller may name a value.
LayerReader::Result LayerReader::level(Content content, Around around) {
    for (const auto way :
         {&LayerReader::only_value, &LayerReader::almost_pascal, &LayerReader::almost_size})
        if (auto found = (this->*way)(content, around);
            found || found.error().code == Errc::no_memory || found.error().code == Errc::bad_key)
            return found;
    auto found = bare(std::move(content), around);
    if (found && found->layers.empty() && around.inside < options_.inside.size())
        return named_value(*std::move(found), around);
    return found;
}

LayerReader::Result LayerReader::bare(Content content, Around around) {
    MemorySource source(content.bytes);
    RecogniseOptions how{.max_load = options_.max_bytes,
                         .all = around.text,
                         .packets_as_text = around.depth == 0 || around.text};
    auto readings = recognise(source, how);
    if (!readings)
        return std::unexpected(readings.error());
    std::vector<Reading> ruled_out;
    if (around.depth > 0) {
        how.max_load = std::min(how.max_load, most_text_);
        how.max_values = most_values(most_text_);
        how.ruled_out = &ruled_out;
    }
    const std::size_t known = readings->size();
    if (auto texts = add_text_readings(source, how, *readings); !texts)
        return std::unexpected(texts.error());
    // A text that was not even read has more bytes or values than it may.
    if (around.depth > 0 && known && readings->front().text && readings->size() == known &&
        ruled_out.empty())
        return refuse(Errc::size_limit);
    InputKind seen = readings->empty() ? InputKind::unknown : readings->front().kind;
    bool sure = !readings->empty() && readings->front().whole && content.parts.empty();
    if (around.text)  // text is how bare packets travel
        for (const Reading& reading : *readings)
            if (reading.kind == InputKind::packet && reading.whole)
                seen = reading.kind;
    if (around.depth == 0 && is_text(options_.as))
        seen = options_.as;
    else if (auto found = text(content, seen, sure, around);
             found || found.error().code == Errc::size_limit)
        return found;
    else if (seen == InputKind::foreign && mostly(text_of(content), ""))
        seen = InputKind::hex;
    else if (seen == InputKind::foreign && mostly(text_of(content), base64_letters))
        seen = InputKind::base64;
    if (const LayerKind* kind = find_layer_kind(seen)) {
        if (around.depth == most_layers)
            return refuse(Errc::depth_limit);
        return open(*kind, std::move(content), around);
    }
    if (is_foreign(*readings))
        sure = false;
    if (!sure)
        if (auto found = open_almost(content, around))
            return found;
    Found found;
    if (!sure && seen != InputKind::project && likeness(content.bytes, "ECFG") >= 2) {
        seen = InputKind::project;
        found.notes.emplace_back("the magic at the start is damaged");
    }
    // A text is no packet by chance: all headers have zeros.
    const bool asked = options_.as != InputKind::unknown || options_.dialect;
    const bool words =
        is_foreign(*readings) && readings->front().text && seen == InputKind::foreign && !asked;
    found.document = std::move(content);
    if (words || !read_document(found, seen, sure, options_))
        return std::unexpected(FileError(not_recognised(*readings, found.document.bytes.empty())));
    return found;
}

/// A document that is text, unless the bytes are for certain something else. Takes the content
/// only if it is one. Errors: there is none; size_limit (of a text inside of layers).
LayerReader::Result LayerReader::text(Content& content, InputKind seen, bool sure, Around around) {
    const auto is_document = [](InputKind kind) {
        const DocumentKind* row = find_document_kind(kind);
        return row && row->text;
    };
    // `as` is what the innermost layer holds.
    const bool asked = is_document(options_.as) && !find_layer_kind(seen);
    const bool other = options_.as != InputKind::unknown && !is_document(options_.as);
    const bool layer = find_layer_kind(seen) && !is_text(seen);
    if (!asked && (other || layer || (sure && !is_document(seen) && seen != InputKind::foreign)))
        return refuse(Errc::not_recognised);
    const bool is_inside = around.depth > 0;
    if (is_inside && content.bytes.size() > most_text_ &&
        (asked || is_mostly_text(text_of(content))))
        return refuse(Errc::size_limit);
    Found found;
    found.document = std::move(content);
    const InputKind kind = asked ? options_.as : is_document(seen) ? seen : InputKind::unknown;
    const auto read =
        read_text(found, kind, asked, options_, is_inside ? most_values(most_text_) : UINT64_MAX);
    if (read)
        return found;
    content = std::move(found.document);
    return std::unexpected(FileError(read.error()));
}

/// Contents of a layer, with the layer around them.
LayerReader::Result LayerReader::inside(Layer layer, DamagedContent&& damaged, bool doubtful,
                                        Around around) {
    const std::size_t size = damaged.bytes.size();
    Content content{std::move(damaged.bytes), damaged.parts, damaged.padded};
    if (doubtful && content.parts.empty())
        content.parts.push_back({0, content.bytes.size(), true, Errc::bad_checksum, ""});
    auto found =
        level(std::move(content), {around.depth + 1, layer.kind->is_text(), around.inside});
    if (!found)
        return found;
    const std::string name = layer.name();
    // One separator in all the text may be damage, which some engines do not read over. Lines are
    // 64 or 76 digits long.
    const DigitForm& form = layer.digits;
    const std::size_t bits = form.digits == DigitForm::Digits::hex ? 4 : 6;
    const bool printed = layer.kind->seen_as == InputKind::byte_text;
    const bool single = !printed && form.group && form.group != 64 && form.group != 76 &&
                        form.group * 2 * bits >= 8 * size;
    if (layer.no_form || single) {
        layer.no_form = nullptr;
        DigitForm usual;  // of printed bytes: a list of numbers
        if (!printed) {
            usual.digits = form.digits;
            usual.before = form.before;
            usual.behind = form.behind;
            usual.upper = form.upper;
        }
        layer.digits = std::move(usual);
        found->notes.push_back(name + ": the digits were spread in no regular way");
    }
    // A text without padding may be one that was cut, and engines read none.
    if (!found->rows.lost.empty() || !found->rows.parts.empty())
        layer.digits.padded = true;
    put_around(*found, std::move(layer), std::move(damaged.notes));
    std::vector<LayerDamage> own;
    own.reserve(damaged.parts.size());
    for (DamagedPart& part : damaged.parts)
        own.push_back({0, std::move(part)});
    found->damage.insert(found->damage.begin(), std::make_move_iterator(own.begin()),
                         std::make_move_iterator(own.end()));
    return found;
}

/// Opens a layer as if it were sound, and else as far as that goes.
LayerReader::Result LayerReader::open(const LayerKind& kind, Content content, Around around) {
    auto [layer, all, behind] =
        open_whole(kind, content.bytes, layer_options(), options_.max_bytes);
    if (!all.broken) {
        const bool damaged = !content.parts.empty();
        content = {};
        DamagedContent whole;
        whole.bytes = std::move(all.bytes);
        const std::uint64_t end = whole.bytes.size();
        auto found = inside(layer, std::move(whole), damaged, around);
        if (found && behind)
            found->damage.insert(
                found->damage.begin(),
                {0, {end, end + behind, false, Errc::trailing_bytes, "they follow the layer"}});
        return found;
    }
    const FileError why = *all.broken;
    if (why.code == Errc::no_memory || why.code == Errc::bad_key || why.code == Errc::size_limit)
        return std::unexpected(why);
    auto found = open_damaged(kind, content, around, why);
    if (found || !ways(kind, content).empty() || all.bytes.empty())
        return found;
    // The bytes before the break of a stream, or of a text.
    DamagedContent part;
    part.bytes = std::move(all.bytes);
    part.notes.push_back("breaks off: " + to_string(why));
    if (why.code != Errc::truncated)  // decoders notice damage late
        part.parts.push_back({0, part.bytes.size(), true, why.code, "what comes before the break"});
    return inside(layer, std::move(part), false, around);
}

/// How the content of a damaged layer may be read, the likeliest way first.
std::vector<LayerReader::Way> LayerReader::ways(const LayerKind& kind,
                                                const Content& content) const {
    std::vector<Way> out;
    const ByteView bytes = content.bytes;
    const auto decrypting = [&](const ContainerKey& key, const NamedKey* named) {
        const bool three = bytes.size() >= 8 && detail::load<std::uint32_t>(bytes.data() + 4) == 1;
        for (const bool likely : {true, false}) {
            const Wrapping layout = three == likely ? Wrapping::gdec_3 : Wrapping::gdec_4;
            out.push_back({[=, &key] { return read_damaged_gdec(bytes, key, layout); }, named});
        }
    };
    if (kind.seen_as == InputKind::gcpf)
        out.push_back({[=, this] { return read_damaged_gcpf(bytes, options_.max_bytes); }});
    if (kind.seen_as == InputKind::gdec && options_.key)
        decrypting(*options_.key, nullptr);
    else if (kind.seen_as == InputKind::gdec)
        for (const NamedKey& key : options_.keys)
            decrypting(key.key, &key);
    if (kind.seen_as == InputKind::pascal)
        out.push_back({[=] { return read_damaged_pascal(bytes); }});
    const std::string_view text = text_of(content);
    for (const WrongDigits wrong : {WrongDigits::replaced, WrongDigits::added}) {
        if (kind.seen_as == InputKind::hex)
            out.push_back({[=] { return read_damaged_hex(text, wrong); }});
        if (kind.seen_as == InputKind::base64)
            out.push_back({[=] { return read_damaged_base64(text, wrong); }});
    }
    return out;
}

LayerReader::Result LayerReader::open_damaged(const LayerKind& kind, const Content& content,
                                              Around around, const FileError& why) {
    std::optional<Found> best;
    const int most = most_attempts + 2 * static_cast<int>(options_.keys.size());
    for (const Way& way : ways(kind, content)) {
        if (++attempts_ > most)
            break;
        auto damaged = way.read();
        if (!damaged)
            continue;
        Layer layer;
        layer.kind = &kind;
        if (auto named = find_layer(wrapping_name(damaged->kind)))
            layer = *named;
        layer.compression = damaged->compression;
        layer.block_size = damaged->block_size;
        if (kind.is_text())
            layer.digits = form_of(kind, text_of(content));
        if (way.key)
            layer.opened_with = *way.key;
        // Where all of it is there, something was mended.
        if (damaged->parts.empty() && damaged->notes.empty() && why.code != Errc::not_recognised)
            damaged->notes.push_back("mended: " + to_string(why));
        auto found = inside(layer, *std::move(damaged), false, around);
        if (!found) {
            if (found.error().code == Errc::no_memory)
                return found;
            continue;
        }
        if (kind.encrypts && score_of(*found) < convincing)
            continue;
        if (!best || score_of(*found) > score_of(*best))
            best = *std::move(found);
        if (kind.encrypts)
            break;  // noise would not have come so far
    }
    if (best)
        return *std::move(best);
    if (kind.encrypts && !options_.key && options_.keys.empty())
        return std::unexpected(FileError(Error{Errc::bad_key}));
    return std::unexpected(why);
}

/// A number in front of a container that breaks off, or that bytes follow: none of the two sizes
/// that it may be is there. Errors: no_memory, bad_key; else there is none.
LayerReader::Result LayerReader::almost_size(const Content& content, Around around) {
    const auto none = refuse(Errc::not_recognised);
    const auto in_front = number_in_front(content.bytes);
    if (!in_front || in_front->number > options_.max_bytes || around.depth + 1 >= most_layers)
        return none;
    MemorySource source(content.bytes);
    const auto exact = find_size(source, 0, options_.max_bytes);
    if (!exact || *exact || ++attempts_ > most_attempts)
        return none;
    SizeForm form = in_front->form;
    const ByteView bytes = ByteView(content.bytes).subspan(form.width);
    const bool two = in_front->container == InputKind::size;
    Around further{around.depth + 1, false, around.inside};
    if (two)
        further.size = in_front->number;
    Content rest{{bytes.begin(), bytes.end()}, {}, content.padded};
    if (!content.parts.empty())
        rest.parts.push_back({0, bytes.size(), true, Errc::bad_checksum, ""});
    std::vector<std::string> notes;
    if (!two) {
        const LayerKind& kind = *find_layer_kind(in_front->container);
        const auto open_some = [&](ByteView part) {
            return open_whole(kind, part, layer_options(), options_.max_bytes);
        };
        const auto whole = open_some(bytes);
        const ByteView begun = without_zeros(bytes);
        form.unpacked = is_unpacked_size(
            in_front->number, around.size, in_front->container, bytes,
            whole.all.broken && begun.size() < bytes.size() ? open_some(begun) : whole);
        const std::uint64_t there =
            form.unpacked ? whole.all.bytes.size() : bytes.size() - whole.behind;
        if (there != in_front->number)
            notes.push_back("the size is " + std::to_string(in_front->number) + ", and " +
                            std::to_string(there) +
                            (form.unpacked ? " bytes come out" : " bytes are there"));
    }
    auto found = two ? level(std::move(rest), further)
                     : open(*find_layer_kind(in_front->container), std::move(rest), further);
    if (!found)
        return found;
    if (found->layers.empty() || score_of(*found) <= 0)
        return none;
    // The second one of two numbers says what the first one is.
    if (two) {
        const LayerKind& second = *found->layers[0].kind;
        const bool same =
            number_in_front(bytes).value_or(NumberInFront()).number == in_front->number;
        if (second.seen_as != InputKind::size)
            return none;
        form.unpacked = second.name.starts_with("unpacked") == same;
    }
    Layer layer;
    layer.kind = find_layer_kind(form);
    put_around(*found, std::move(layer), std::move(notes));
    return found;
}

/// A layer whose magic is damaged. Errors: there is none.
LayerReader::Result LayerReader::open_almost(const Content& content, Around around) {
    std::optional<Found> best;
    const ByteView bytes = content.bytes;
    const bool closed = bytes.size() > 24 && likeness(bytes.last(4), "GCPF") == 4;
    const auto attempt = [&](InputKind kind) {
        if (around.depth == most_layers)
            return;
        auto found = open_damaged(*find_layer_kind(kind), content, around,
                                  FileError(Error{Errc::not_recognised}));
        if (!found || score_of(*found) < convincing)
            return;
        found->notes.insert(found->notes.begin(), "the magic at the start is damaged");
        if (!best || score_of(*found) > score_of(*best))
            best = *std::move(found);
    };
    const int gdec = likeness(bytes, "GDEC"), gcpf = likeness(bytes, "GCPF");
    if (closed || gcpf >= 2)
        attempt(InputKind::gcpf);
    if (gdec >= 2 && (options_.key || !options_.keys.empty()))
        attempt(InputKind::gdec);
    if (!best)
        return refuse(Errc::not_recognised);
    return *std::move(best);
}

}  // namespace gdvar::recovering
