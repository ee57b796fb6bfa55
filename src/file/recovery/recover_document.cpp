#include "file/recovery/recover_document.hpp"

#include <algorithm>

#include "base/sort.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/inspect/salvage.hpp"
#include "gdvar/save/recognise.hpp"
#include "gdvar/wire/evidence.hpp"
#include "save/packet_trial.hpp"

namespace gdvar::recovering {
namespace {

/// Kind and dialect are chosen by so many bytes.
constexpr std::size_t sample_size = 1 << 20;
/// And among all of them by so many.
constexpr std::size_t small_sample = 1 << 14;

/// One way to read the document.
struct Choice {
    InputKind kind = InputKind::packet;
    const Dialect* dialect = nullptr;
    Rows rows{};           ///< of the sample
    std::size_t rank = 0;  ///< among equals
};

RowsOptions rows_options(const Dialect& dialect, const SaveOptions& options) {
    return {
        .decoding = {.dialect = &dialect, .allow_objects = true, .real_width = options.real_width},
        .partial = options.partial};
}

/// The kinds that such bytes may be, the likeliest first.
std::vector<InputKind> kinds_of(InputKind seen, bool sure, InputKind as) {
    using enum InputKind;
    if (as != unknown)
        return {as == packet || as == packets || as == records_be || as == project ? as : records};
    if (seen == project)
        return {project};
    std::vector<InputKind> out{records, packet, packets, records_be};
    if (seen == packet || seen == packets)
        out = {seen, seen == packet ? packets : packet, records, records_be};
    else if (seen == records_be)
        out = {records_be, records, packet, packets};
    if (sure)
        out.resize(1);
    return out;
}

/// Whether the rows, written as packets without lengths, are recognised as that dialect's.
bool are_packets(const Rows& rows, ByteView bytes, const Dialect& dialect) {
    std::vector<std::byte> all;
    rows.each(bytes, [&](const Row&, ByteView packet, const Part*) {
        all.insert(all.end(), packet.begin(), packet.end());
    });
    const auto kinds = recognise(ByteView(all));
    return !kinds.empty() && kinds.front() == InputKind::packets &&
           save::best_packets(all).dialect == &dialect;
}

/// The part of the bytes that is there, from an offset on.
Holed part_of(const Content& content, std::size_t from, std::size_t size) {
    std::vector<DamagedPart> parts;
    for (DamagedPart part : content.parts) {
        if (part.doubtful || part.end <= from)
            continue;
        part.begin = part.begin > from ? part.begin - from : 0;
        part.end -= from;
        parts.push_back(std::move(part));
    }
    const ByteView bytes = ByteView(content.bytes).subspan(from, size);
    return Holed(bytes, parts, content.padded && from + size == content.bytes.size());
}

/// Whether packets without lengths may be of that dialect: the types without padding of a
/// development snapshot fit much by chance.
bool is_likely(InputKind kind, const Dialect& dialect) {
    return !dialect.documented &&
           (kind != InputKind::packets || &dialect != &dialects::godot_4_dev);
}

/// All ways to read a document.
std::vector<Choice> all_choices(std::span<const InputKind> kinds, const SaveOptions& options) {
    std::vector<Choice> out;
    for (const InputKind kind : kinds) {
        if (options.dialect)
            out.push_back({kind, options.dialect, {}, out.size()});
        else
            for (const Dialect* dialect : all_dialects())
                if (is_likely(kind, *dialect))
                    out.push_back({kind, dialect, {}, out.size()});
    }
    return out;
}

/// Reads a sample in each of these ways, and keeps the best ones, the best first.
void keep_best(std::vector<Choice>& choices, const Holed& sample, std::size_t most,
               const SaveOptions& options) {
    // A dialect that does not fit splits packets without lengths into many small ones.
    const auto start = [&](const Choice& choice) {
        return choice.kind == InputKind::packets ? weigh(sample.bytes(), *choice.dialect).score
                                                 : INT64_MIN;
    };
    std::int64_t likely = INT64_MIN;
    for (const Choice& choice : choices)
        likely = std::max(likely, start(choice));
    for (Choice& choice : choices) {
        choice.rows = read_rows(sample, choice.kind, rows_options(*choice.dialect, options));
        if (choice.kind != InputKind::packets)
            continue;
        const bool told = options.as != InputKind::unknown;
        if (told ? start(choice) < likely
                 : !are_packets(choice.rows, sample.bytes(), *choice.dialect))
            choice.rows.score = INT64_MIN;
    }
    detail::sort(choices, [](const Choice& a, const Choice& b) {
        return a.rows.score != b.rows.score ? a.rows.score > b.rows.score : a.rank < b.rank;
    });
    if (choices.front().rows.score > 0)
        choices.resize(std::min(choices.size(), most));
}

/// The dialect by all packets of the sample, as other functions guess it.
void guess(Choice& choice, ByteView sample, bool& certain) {
    std::vector<ByteView> whole, all;
    for (const Row& row : choice.rows.rows) {
        all.push_back(sample.subspan(row.framed.packet, row.framed.size));
        if (row.state != Recovered::partial)
            whole.push_back(all.back());
    }
    if (all.empty())
        return;
    const inspect::Guess guess = inspect::guess_dialect(whole.empty() ? all : whole);
    if (guess.likely && (guess.likely == choice.dialect || guess.dialect))
        choice.dialect = guess.likely;
    certain = guess.dialect && !guess.ambiguous && !whole.empty();
}

}  // namespace

bool fits_best(ByteView packets, const Dialect& dialect) {
    const Dialect* best = save::best_packets(packets).dialect;
    return is_likely(InputKind::packets, dialect) && (!best || best == &dialect);
}

bool is_one_packet(ByteView packets, const Dialect& dialect) {
    std::uint64_t work = work_around(packets.size());
    const auto one =
        inspect::around_break(packets, {.dialect = &dialect, .allow_objects = true}, work);
    return one && one->packet.size() < packets.size();
}

bool read_document(Found& found, InputKind seen, bool sure, const SaveOptions& given) {
    SaveOptions options = given;
    if (!find_document_kind(options.as))
        options.as = InputKind::unknown;  // hex and Base64 are no documents
    const Content& content = found.document;
    if (sure && seen == InputKind::packets && options.as == InputKind::unknown) {
        const Dialect* dialect =
            options.dialect ? options.dialect : save::best_packets(content.bytes).dialect;
        const bool one = dialect && is_one_packet(content.bytes, *dialect);
        options.as = one ? InputKind::packet : seen;  // of all bytes: a sample may break off
    }
    const std::size_t size = content.bytes.size();
    auto choices = all_choices(kinds_of(seen, sure, options.as), options);
    found.certain = options.dialect != nullptr;
    // Where the start of a large save is lost, another part shows more.
    for (const std::size_t from : {std::size_t{0}, size / 2, size - std::min(size, sample_size)}) {
        keep_best(choices, part_of(content, from, std::min(size - from, small_sample)), 4, options);
        const std::size_t length = std::min(size - from, sample_size);
        if (length > small_sample)
            keep_best(choices, part_of(content, from, length), 1, options);
        Choice& best = choices.front();
        if (!best.rows.rows.empty() && best.rows.score > 0) {
            if (!options.dialect)
                guess(best, ByteView(content.bytes).subspan(from, length), found.certain);
            break;
        }
        if (size <= sample_size)
            break;
    }
    const Choice& choice = choices.front();
    RowsOptions how = rows_options(*choice.dialect, options);
    how.around = true;
    found.rows = read_rows(Holed(content.bytes, content.parts, content.padded), choice.kind, how);
    // The end that a layer does not give is lost.
    for (const DamagedPart& part : content.parts)
        if (!part.doubtful && part.end > size)
            found.rows.lost.push_back(
                {std::max<std::uint64_t>(part.begin, size), part.end, part.code, part.what});
    found.dialect = choice.dialect;
    found.kind = choice.kind;
    if (found.rows.gave_up)
        found.notes.emplace_back(
            "the search for more values was ended: it would take too long for these bytes");
    const bool asked = options.as != InputKind::unknown || options.dialect;
    return !found.rows.rows.empty() && (asked || found.rows.score > 0);
}

}  // namespace gdvar::recovering
