#include "file/sums/claims.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gdvar/base/bytes.hpp"

namespace gdvar::sums {
namespace {

std::string key_of(const Sum& sum) {
    if (sum.digest.empty())
        return std::to_string(sum.number);
    return '#' + std::string(detail::as_text(sum.digest.data(), sum.digest.size()));
}

bool is_digest_size(std::size_t size) noexcept {
    return std::ranges::any_of(digest_kinds,
                               [&](DigestKind kind) { return digest_size(kind) == size; });
}

Sum number_of(const std::vector<std::byte>& crc) {
    return {.number = detail::byteswap(detail::load<std::uint32_t>(crc.data()))};
}

/// A negative number may be a CRC-32 in 32 bits with a sign.
void add_number(std::vector<Claim>& out, std::int64_t number, Spelling spelling) {
    if (number >= static_cast<std::int64_t>(least_number)) {
        out.push_back({{.number = static_cast<std::uint64_t>(number)}, std::move(spelling)});
    } else if (number < 0 && number >= INT32_MIN) {
        spelling.negative = true;
        out.push_back({{.number = static_cast<std::uint32_t>(number)}, std::move(spelling)});
    }
}

/// A number that may be padded to a width: by zeros behind its sign, or by spaces on one side.
void add_decimal(std::vector<Claim>& out, std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t behind = text.find_last_not_of(' ') + 1;
    const std::string_view digits = text.substr(begin, behind - begin);
    const bool zeros = digits.substr(digits.starts_with('-'), 1) == "0";
    Spelling spelling{
        .form = Spelling::decimal, .pad = zeros ? '0' : ' ', .behind = behind < text.size()};
    if (begin ? spelling.behind || zeros : spelling.behind && zeros)
        return;
    if (zeros || digits.size() < text.size())
        spelling.width = text.size();
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (code == std::errc() && end == digits.data() + digits.size())
        add_number(out, number, std::move(spelling));
}

/// A number in hex: with 0x, or filled up by zeros.
void add_hex(std::vector<Claim>& out, DigitText&& read) {
    std::uint64_t number = 0;
    for (const std::byte each : read.bytes)
        number = number << 8 | std::to_integer<std::uint64_t>(each);
    if (number >= least_number)
        out.push_back({{.number = number},
                       {.form = Spelling::digits,
                        .digit_form = std::move(read.form),
                        .width = read.bytes.size()}});
}

/// Its bytes for another number.
std::vector<std::byte> big_endian(std::uint64_t number, std::size_t width) {
    std::vector<std::byte> out;
    for (; number || width > out.size(); number >>= 8)
        out.insert(out.begin(), static_cast<std::byte>(number & 0xFF));
    return out;
}

/// The number as `add_decimal` has read it. A longer one takes the room that it needs.
std::string decimal(std::int64_t number, const Spelling& spelling) {
    std::string out = std::to_string(number);
    const std::size_t missing = spelling.width - std::min(spelling.width, out.size());
    const std::size_t at = spelling.behind ? out.size() : spelling.pad == '0' && number < 0;
    return out.insert(at, missing, spelling.pad);
}

}  // namespace

std::int64_t spelled_number(const Sum& sum, const Spelling& spelling) noexcept {
    return spelling.negative ? static_cast<std::int32_t>(static_cast<std::uint32_t>(sum.number))
                             : static_cast<std::int64_t>(sum.number);
}

std::vector<Claim> claims_of_text(std::string_view text) {
    std::vector<Claim> out;
    if (text.empty() || text.size() > longest_text)
        return out;
    add_decimal(out, text);
    for (const auto digits : {DigitForm::Digits::hex, DigitForm::Digits::base64}) {
        auto read = read_digits(text, digits);
        if (!read || !read->exact)
            continue;
        // A CRC-32 is compared as a number, too.
        if (digits == DigitForm::Digits::hex && text.starts_with('0') &&
            read->bytes.size() <= sizeof(std::uint64_t))
            add_hex(out, *std::move(read));
        else if (is_digest_size(read->bytes.size()))
            out.push_back({{.digest = std::move(read->bytes)},
                           {.form = Spelling::digits, .digit_form = std::move(read->form)}});
    }
    return out;
}

std::vector<Claim> claims_of(const View& value) {
    std::vector<Claim> out;
    if (value.is(Type::string) || value.is(Type::string_name))
        return claims_of_text(value.text());
    if (value.is(Type::packed_byte_array) && is_digest_size(value.size())) {
        const ByteView bytes = value.packed().bytes();
        out.push_back({{.digest = {bytes.begin(), bytes.end()}}, {.form = Spelling::raw}});
    }
    if (value.is(Type::integer))
        add_number(out, value.integer(), {});
    if (value.is(Type::real)) {
        const double number = value.real();
        if (std::abs(number) >= 0x1p53 || number != std::floor(number))
            return out;
        add_number(out, static_cast<std::int64_t>(number), {.form = Spelling::real});
    }
    return out;
}

std::string spelled_text(const Sum& sum, const Spelling& spelling) {
    if (spelling.form == Spelling::digits)
        return digits_of(spelling.width ? big_endian(sum.number, spelling.width) : sum.digest,
                         spelling.digit_form);
    if (spelling.form == Spelling::raw && spelling.width == 0)
        return to_hex(sum.digest);
    const std::int64_t number = spelled_number(sum, spelling);
    return spelling.form == Spelling::decimal ? decimal(number, spelling) : std::to_string(number);
}

std::optional<Variant> spelled(const Sum& sum, const Spelling& spelling, Type type) {
    const std::int64_t number = spelled_number(sum, spelling);
    switch (spelling.form) {
        case Spelling::integer:
            return Variant(number);
        case Spelling::real:
            return Variant(static_cast<double>(number));
        case Spelling::decimal:
        case Spelling::digits: {
            const std::string text = spelled_text(sum, spelling);
            return type == Type::string ? Variant(text) : Variant(StringName(text));
        }
        case Spelling::raw:
            break;
    }
    PackedByteArray bytes;
    bytes.append({reinterpret_cast<const std::uint8_t*>(sum.digest.data()), sum.digest.size()});
    return Variant(std::move(bytes));
}

std::size_t Claimants::add(std::vector<Claim> claims) {
    const std::size_t number = all_.size();
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const Sum& sum = claims[i].sum;
        by_sum_.emplace(key_of(sum), std::pair(number, i));
        for (std::size_t k = 0; k < std::size(digest_kinds); ++k)
            has_[k] = has_[k] || sum.digest.size() == digest_size(digest_kinds[k]) ||
                      (digest_kinds[k] == DigestKind::crc32 && sum.digest.empty() &&
                       sum.number <= UINT32_MAX);
    }
    all_.push_back({std::move(claims), {}});
    return number;
}

void Claimants::fit(const Sum& was, const std::optional<Sum>& now, const Name& of, Of what) {
    const auto [first, last] = by_sum_.equal_range(key_of(was));
    for (auto at = first; at != last; ++at) {
        all_[at->second.first].fits.push_back(
            {of(), now, at->second.second, what == Of::size_of_digits, what != Of::digest});
        if (what != Of::digest)
            ++sizes_[all_[at->second.first].fits.back().of];
    }
}

void Claimants::compare_level(const Name& name, std::size_t level, SummedData& before,
                              SummedData& after, bool digests) {
    const bool still = level < after.levels() && after.words(level) == before.words(level);
    // Names are long where values are nested deeply, and seldom needed.
    const auto of = [&](std::string_view what) {
        return [&, what] {
            return "the " + std::string(what) + " of " + name() + before.words(level);
        };
    };
    const auto size_sum = [](std::uint64_t size) { return Sum{.number = size}; };
    if (const auto was = before.size(level)) {
        const auto now = still ? after.size(level) : std::nullopt;
        fit(size_sum(*was), now ? std::optional(size_sum(*now)) : std::nullopt, of("size"),
            before.is_digits(level) ? Of::size_of_digits : Of::size);
    }
    if (const auto was = before.characters(); was && level == 0) {
        // Both numbers are the same for a text that is ASCII now.
        const auto now = after.characters() ? after.characters() : after.size(0);
        fit(size_sum(*was), now ? std::optional(size_sum(*now)) : std::nullopt,
            of("number of characters"), Of::size);
    }
    for (std::size_t k = 0; digests && k < std::size(digest_kinds); ++k) {
        if (!has_[k])
            continue;
        const DigestKind kind = digest_kinds[k];
        const auto was = before.digest(level, kind);
        if (!was)
            continue;
        const auto what = of(digest_name(kind));
        // Hashing what nobody has a sum of is left out.
        const bool said = by_sum_.contains(key_of({.digest = *was})) ||
                          (kind == DigestKind::crc32 && by_sum_.contains(key_of(number_of(*was))));
        const auto now = said && still ? after.digest(level, kind) : std::nullopt;
        fit({.digest = *was}, now ? std::optional(Sum{.digest = *now}) : std::nullopt, what,
            Of::digest);
        if (kind == DigestKind::crc32)
            fit(number_of(*was), now ? std::optional(number_of(*now)) : std::nullopt, what,
                Of::digest);
    }
}

void Claimants::compare(const Name& name, SummedData& before, SummedData& after, bool digests) {
    if (empty())
        return;
    for (std::size_t level = 0; level < before.levels(); ++level)
        compare_level(name, level, before, after, digests);
}

bool Claimants::any_fits() const noexcept {
    return std::ranges::any_of(all_, [](const Claimant& one) { return !one.fits.empty(); });
}

const std::vector<Claimants::Fit>* Claimants::stale(std::size_t claimant) {
    Claimant& one = all_[claimant];
    if (!std::ranges::all_of(one.fits, &Fit::digits))
        std::erase_if(one.fits, [](const Fit& fit) { return fit.digits; });
    const bool wrong = std::ranges::any_of(one.fits, [&](const Fit& fit) {
        return fit.now != std::optional(one.claims[fit.claim].sum);
    });
    return wrong ? &one.fits : nullptr;
}

std::optional<Sum> Claimants::only(const std::vector<Fit>& fits) const {
    const bool one = std::ranges::all_of(fits, [&](const Fit& fit) {
        return fit.now && fit.now == fits[0].now && fit.claim == fits[0].claim &&
               (!fit.size || sizes_.at(fit.of) == 1);
    });
    return one ? fits[0].now : std::nullopt;
}

std::string Claimants::words(const std::vector<Fit>& fits, bool certain) const {
    std::string out = fits[0].of;
    if (certain)
        return out;
    for (std::size_t i = 1; i < fits.size(); ++i)
        if (fits[i].of != fits[i - 1].of)
            out += " or " + fits[i].of;
    if (std::ranges::any_of(fits,
                            [&](const Fit& fit) { return fit.size && sizes_.at(fit.of) > 1; }))
        out += " (as another number was)";
    return out;
}

StaleSum Claimants::in_words(std::string path, std::size_t claimant, const std::vector<Fit>& fits,
                             const std::optional<Sum>& now) const {
    const Claim& claim = this->claim(claimant, fits[0].claim);
    return {.path = std::move(path),
            .of = words(fits, now.has_value()),
            .was = spelled_text(claim.sum, claim.spelling),
            .now = now ? spelled_text(*now, claim.spelling) : std::string()};
}

}  // namespace gdvar::sums
