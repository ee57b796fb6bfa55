#include "file/recovery/recover_document.hpp"

#include <algorithm>

#include "base/sort.hpp"
#include "gdvar/inspect/guess.hpp"
#include "gdvar/wire/evidence.hpp"

namespace gdvar::recovering {
namespace {

/// Kind and dialect are chosen by so many bytes.
constexpr std::size_t sample_size = 1 << 20;
/// And among all of them by so many.
constexpr std::size_t small_sample = 1 << 14;

/// One way to read the document.
struct Choice {
    const Framing* framing = nullptr;  ///< null: one packet
    const Dialect* dialect = nullptr;
    Rows rows{};           ///< of the sample
    std::size_t rank = 0;  ///< among equals
};

RowsOptions rows_options(const Dialect& dialect, const RecoverOptions& options) {
    return {
        .decoding = {.dialect = &dialect, .allow_objects = true, .real_width = options.real_width},
        .partial = options.partial};
}

std::vector<const Framing*> framings(InputKind seen, bool sure, InputKind as) {
    const Framing* const little = &records_framing(ByteOrder::little);
    const Framing* const big = &records_framing(ByteOrder::big);
    if (as != InputKind::unknown)
        seen = as;
    if (seen == InputKind::project)
        return {&settings_framing()};
    std::vector<const Framing*> out;
    if (seen == InputKind::packet)
        out = {nullptr, little, big};
    else if (seen == InputKind::records_be)
        out = {big, little, nullptr};
    else
        out = {little, nullptr, big};
    if (sure || as != InputKind::unknown)
        out.resize(1);
    return out;
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

Rows read_as(const Choice& choice, const Holed& holed, const RowsOptions& options) {
    return choice.framing ? read_rows(holed, *choice.framing, options) : read_one(holed, options);
}

/// All ways to read a document.
std::vector<Choice> all_choices(std::span<const Framing* const> framings,
                                const RecoverOptions& options) {
    std::vector<Choice> out;
    for (const Framing* framing : framings)
        for (const Dialect* dialect : all_dialects())
            if (!options.dialect && !dialect->documented)
                out.push_back({framing, dialect, {}, out.size()});
            else if (options.dialect && dialect == all_dialects()[0])
                out.push_back({framing, options.dialect, {}, out.size()});
    return out;
}

/// Reads a sample in each of these ways, and keeps the best ones, the best first.
void keep_best(std::vector<Choice>& choices, const Holed& sample, std::size_t most,
               const RecoverOptions& options) {
    for (Choice& choice : choices)
        choice.rows = read_as(choice, sample, rows_options(*choice.dialect, options));
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

bool read_document(Found& found, InputKind seen, bool sure, const RecoverOptions& given) {
    RecoverOptions options = given;
    if (!find_document_kind(options.as))
        options.as = InputKind::unknown;  // hex and Base64 are no documents
    const Content& content = found.document;
    const std::size_t size = content.bytes.size();
    auto choices = all_choices(framings(seen, sure, options.as), options);
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
    found.rows = read_as(choice, Holed(content.bytes, content.parts, content.padded),
                         rows_options(*choice.dialect, options));
    // What a layer does not give of the end.
    for (const DamagedPart& part : content.parts)
        if (!part.doubtful && part.end > size)
            found.rows.lost.push_back(
                {std::max<std::uint64_t>(part.begin, size), part.end, part.code, part.what});
    found.dialect = choice.dialect;
    found.kind = choice.framing ? choice.framing->kind() : InputKind::packet;
    if (found.rows.gave_up)
        found.notes.emplace_back(
            "the search for more values was ended: it would take too long for these bytes");
    const bool asked = options.as != InputKind::unknown || options.dialect;
    return !found.rows.rows.empty() && (asked || found.rows.score > 0);
}

}  // namespace gdvar::recovering
