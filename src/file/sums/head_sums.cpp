#include <algorithm>
#include <new>

#include "base/exceptions.hpp"
#include "base/sort.hpp"
#include "file/layers/rest_source.hpp"
#include "file/sums/claims.hpp"
#include "gdvar/file/sums.hpp"
#include "wire/refuse.hpp"

namespace gdvar {
namespace sums {
namespace {

/// So far from the end of the head a sum may end.
constexpr std::size_t most_between = 16;
/// The lowest negative number of 32 bits, in 64 bits.
constexpr std::uint64_t lowest_signed = 0xFFFF'FFFF'8000'0000;

/// Something in the head that may be a sum.
struct InHead {
    std::size_t begin, size;
    std::size_t lowest;  ///< the place of its lowest byte, which numbers of two widths share
    Claim claim;
};

bool is_digit(std::byte byte) noexcept {
    const char c = static_cast<char>(byte);
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '+' ||
           c == '/' || c == '-' || c == '_' || c == '=';
}

void add_numbers(std::vector<InHead>& out, ByteView head, std::size_t end) {
    for (const std::size_t width : {sizeof(std::uint64_t), sizeof(std::uint32_t)})
        for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
            if (end < width)
                continue;
            const std::size_t begin = end - width;
            std::uint64_t number = 0;
            for (std::size_t i = 0; i < width; ++i)
                number = number << 8 | std::to_integer<std::uint64_t>(order == ByteOrder::big
                                                                          ? head[begin + i]
                                                                          : head[end - 1 - i]);
            const std::size_t lowest = order == ByteOrder::big ? end - 1 : begin;
            // The same number, which the wider form has with zeros or a sign.
            const bool known = std::ranges::any_of(out, [&](const InHead& wider) {
                return wider.lowest == lowest && wider.claim.spelling.width > width &&
                       wider.claim.spelling.order == order && wider.claim.sum.number == number;
            });
            // A CRC-32 with a sign, which a game stored as an int of 64 bits.
            const bool negative = width == sizeof(std::uint64_t) && number >= lowest_signed;
            if (number >= least_number && !known)
                out.push_back({begin,
                               width,
                               lowest,
                               {{.number = negative ? static_cast<std::uint32_t>(number) : number},
                                {.form = Spelling::raw,
                                 .negative = negative,
                                 .width = width,
                                 .order = order}}});
        }
}

/// Numbers of both byte orders that share their lowest byte: 01000000 44000000 has 68 at byte 4,
/// and at byte 1. Headers are made of numbers of 4 bytes, counted from one of their ends.
void leave_out_misplaced(std::vector<InHead>& numbers, std::size_t size) {
    const auto placed = [&](const InHead& each) {
        return each.begin % 4 == 0 || (size - each.begin - each.size) % 4 == 0;
    };
    const std::vector<InHead> all = numbers;
    std::erase_if(numbers, [&](const InHead& each) {
        return each.claim.sum.digest.empty() && !placed(each) &&
               std::ranges::any_of(all, [&](const InHead& other) {
                   return other.lowest == each.lowest && other.claim.sum == each.claim.sum &&
                          placed(other);
               });
    });
}

void add_digests(std::vector<InHead>& out, ByteView head, std::size_t end) {
    for (const DigestKind kind : {DigestKind::md5, DigestKind::sha1, DigestKind::sha256})
        if (const std::size_t size = digest_size(kind); end >= size) {
            const ByteView bytes = head.subspan(end - size, size);
            out.push_back({end - size,
                           size,
                           end,
                           {{.digest = {bytes.begin(), bytes.end()}}, {.form = Spelling::raw}}});
        }
}

/// The numbers in a run: "crc=-1691389581", "2603577715-68". A sign may be one, or stand between
/// two of them. Spaces from the line's begin on pad a number, and so do two or more behind it.
void add_decimals(std::vector<InHead>& out, std::string_view head, std::size_t begin,
                  std::size_t end) {
    constexpr std::string_view marks = "+-_=/";
    for (std::size_t last = 0; begin < end; begin = last + 1) {
        last = std::min(head.find_first_of(marks, begin), end);
        const std::size_t next = std::min(head.find_first_not_of(' ', last), head.size());
        const std::size_t padded_last = next - last > 1 ? next : last;
        for (const bool sign : {true, false}) {
            if (sign && !(begin && head[begin - 1] == '-'))
                continue;
            const std::size_t first = begin - (sign ? 1 : 0);
            const std::size_t break_at = head.substr(0, first).find_last_not_of(' ') + 1;
            const bool line = break_at == 0 || head[break_at - 1] == '\n';
            const std::size_t padded = line ? break_at : first;
            for (Claim& claim : claims_of_text(head.substr(padded, padded_last - padded)))
                if (claim.spelling.form == Spelling::decimal)
                    out.push_back({padded, padded_last - padded, begin, std::move(claim)});
        }
    }
}

/// Texts of digits: each run of them.
void add_texts(std::vector<InHead>& out, ByteView head, std::size_t first_end) {
    const std::string_view text = detail::as_text(head.data(), head.size());
    std::size_t end = head.size();
    while (end >= first_end && end) {
        std::size_t begin = end;
        while (begin && is_digit(head[begin - 1]))
            --begin;
        bool digest = false;
        for (Claim& claim : claims_of_text(text.substr(begin, end - begin))) {
            if (claim.spelling.form == Spelling::decimal)
                continue;
            digest = digest || claim.sum.digest.size() > digest_size(DigestKind::crc32);
            out.push_back({begin, end - begin, begin, std::move(claim)});
        }
        if (!digest && end - begin <= longest_text)
            add_decimals(out, text, begin, end);
        end = begin == end ? end - 1 : begin;
    }
}

std::vector<InHead> sums_in(ByteView head) {
    std::vector<InHead> out;
    const std::size_t first_end = head.size() - std::min(head.size(), most_between);
    for (std::size_t end = head.size(); end >= first_end && end; --end) {
        add_numbers(out, head, end);
        add_digests(out, head, end);
    }
    leave_out_misplaced(out, head.size());
    add_texts(out, head, first_end);
    return out;
}

/// Its bytes for another sum; none if they can't hold that.
std::optional<std::vector<std::byte>> bytes_of(const Sum& sum, const Spelling& how) {
    if (how.form != Spelling::raw) {
        const std::string text = spelled_text(sum, how);
        const ByteView bytes = as_bytes(text);
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    if (how.width == 0)
        return sum.digest;
    if (how.width == sizeof(std::uint32_t) && sum.number > UINT32_MAX)
        return std::nullopt;
    const auto number = static_cast<std::uint64_t>(spelled_number(sum, how));
    std::vector<std::byte> out(how.width);
    for (std::size_t i = 0; i < how.width; ++i)
        out[how.order == ByteOrder::big ? how.width - 1 - i : i] =
            static_cast<std::byte>(number >> 8 * i);
    return out;
}

/// A text without the line break at its end; null for anything else.
std::unique_ptr<Source> without_line_break(Source& source, std::uint64_t skip, std::uint64_t most) {
    auto all = read_rest(source, skip, most);
    if (!all || all->empty() || all->back() != std::byte{'\n'})
        return nullptr;
    all->pop_back();
    if (!all->empty() && all->back() == std::byte{'\r'})
        all->pop_back();
    return std::make_unique<OwnedSource>(*std::move(all));
}

}  // namespace
}  // namespace sums

using namespace sums;

std::expected<void, FileError> keep_head_sums(std::vector<std::byte>& head, Source& before,
                                              std::uint64_t skip, Source& after,
                                              SumsKept& sums) GDVAR_TRY {
    const std::vector<InHead> there = sums_in(head);
    Claimants all;
    for (const InHead& each : there)
        all.add({each.claim});
    SummedData was(std::make_unique<RestSource>(before, skip), sums.layers);
    SummedData is(std::make_unique<RestSource>(after, 0), sums.layers);
    all.compare([] { return std::string("what follows"); }, was, is, true);
    // Games store a text as a line, whose break is not part of the sum.
    auto line_was = all.empty() || all.any_fits()
                        ? nullptr
                        : without_line_break(before, skip, sums.layers.most_held());
    auto line_is = line_was ? without_line_break(after, 0, sums.layers.most_held()) : nullptr;
    if (line_is) {
        SummedData text_was(std::move(line_was), sums.layers);
        SummedData text_is(std::move(line_is), sums.layers);
        all.compare([] { return std::string("the line that follows"); }, text_was, text_is, true);
    }
    std::vector<std::pair<const InHead*, std::vector<std::byte>>> mended;
    std::vector<std::size_t> told;
    for (std::size_t i = 0; i < there.size(); ++i) {
        const auto* fits = all.stale(i);
        if (!fits || std::ranges::find(told, there[i].lowest) != told.end())
            continue;
        told.push_back(there[i].lowest);
        const auto now = all.only(*fits);
        StaleSum said = all.in_words("byte " + std::to_string(there[i].begin), i, *fits, now);
        auto bytes = now && sums.mend ? bytes_of(*now, there[i].claim.spelling) : std::nullopt;
        if (bytes) {
            said.mended = true;
            mended.emplace_back(&there[i], *std::move(bytes));
        }
        sums.stale.push_back(std::move(said));
    }
    // The last one first: a text may become longer.
    detail::sort(mended, std::greater(), [](const auto& each) { return each.first->begin; });
    for (const auto& [at, bytes] : mended) {
        const auto begin = head.begin() + static_cast<std::ptrdiff_t>(at->begin);
        head.erase(begin, begin + static_cast<std::ptrdiff_t>(at->size));
        head.insert(head.begin() + static_cast<std::ptrdiff_t>(at->begin), bytes.begin(),
                    bytes.end());
    }
    return {};
}
GDVAR_CATCH_NO_MEMORY(return detail::refuse(Errc::no_memory))

}  // namespace gdvar
